//! What OLM v1 does with the ClusterExtensions of manifests.

use super::subscriptions::label;
use crate::ExtensionAnswer;
use crate::cluster_form::{form, form_edits};
use crate::extensions::extensions_of;
use catalog::BundleName;
use cluster::{Kind, Manifests, NAME_LABEL, RollOut};
use extension::{
    Candidate, Condition, ConditionType, Fix, FixChange, Reconciliation, ReconciliationEffect, Refusal, Verdict,
    VersionRelease, skipped_sentences,
};
use session::ManifestText;
use session::Workbench;
use session::{assumed_of_v1, pair_cluster_catalogs};
use std::collections::BTreeSet;
use views::{
    BoardLane, BoardMark, BoardView, DroppedBundle, ExtensionCondition, ExtensionField, ExtensionStatus, ExtensionView,
    FixView, FormChange, FormPlace, InputEdit, MarkKind, PlanColumn,
};

/// The most bundles that are listed as not taken.
const DROPPED: usize = 500;

/// The answers for the extensions, by name.
pub(super) fn views(workbench: &Workbench, text: &ManifestText) -> Vec<ExtensionView> {
    let answers = extensions_of(workbench, &text.objects);
    answers.iter().map(|answer| view(workbench, answer, text)).collect()
}

/// What was assumed, and ClusterCatalogs without content.
pub(super) fn notices(workbench: &Workbench, manifests: &Manifests) -> Vec<String> {
    if !manifests.has_extensions() {
        return Vec::new();
    }
    let (paired, assumption) = pair_cluster_catalogs(workbench, manifests);
    let missing = manifests.cluster_catalogs_without_content(|name| paired.contains_key(name));
    let sentence = |found: source::Diagnostic| match found.help {
        Some(help) => format!("{}; {help}", found.message),
        None => found.message,
    };
    assumed_of_v1(manifests, assumption).into_iter().chain(missing.into_iter().map(sentence)).collect()
}

/// An extension that the API server rejects.
fn rejected(answer: &ExtensionAnswer, text: &ManifestText) -> ExtensionView {
    let ExtensionAnswer { extension, rejections, .. } = answer;
    ExtensionView {
        name: extension.name.to_string(),
        package: extension.package.to_string(),
        place: text.object(Kind::ClusterExtension, &"".into(), extension.name.as_str()),
        verdict: "is rejected by the API server, so nothing is created or changed".to_owned(),
        status: ExtensionStatus::Fails,
        board: board(answer, &installed(answer), ExtensionStatus::Fails),
        error: None,
        refusals: rejections.iter().map(ToString::to_string).collect(),
        fixes: Vec::new(),
        dead_ends: Vec::new(),
        conditions: Vec::new(),
        dropped: Vec::new(),
        skipped: Vec::new(),
    }
}

fn view(workbench: &Workbench, answer: &ExtensionAnswer, text: &ManifestText) -> ExtensionView {
    if !answer.rejections.is_empty() {
        return rejected(answer, text);
    }
    let (extension, last) = (&answer.extension, answer.last());
    let all = || std::iter::once(&answer.first).chain(&answer.later);
    let mut hops = installed(answer);
    hops.extend(extension.rolling_out.last().and_then(|last| Some(last.bundle.as_ref()?.name.clone())));
    for step in all() {
        if let (ReconciliationEffect::Installed | ReconciliationEffect::Replaced { .. }, Some(installed)) =
            (&step.change, &step.installed)
        {
            hops.push(installed.name.clone());
        }
    }
    let is_error = answer.roll_out().is_none() && !answer.falls_back();
    let error = last.resolution.outcome.as_ref().err().filter(|_| is_error).map(ToString::to_string);
    let (status, verdict) = verdict(answer, &hops);
    let (fixes, dead_ends): (Vec<&Fix>, Vec<&Fix>) = answer.fixes.iter().partition(|fix| fix.refused.is_none());
    // What is not known has none, and what the cluster reports is no prediction.
    let is_reported = |one: &ExtensionCondition| {
        extension.conditions.iter().any(|own| {
            *own.kind == *one.name
                && *own.status == *one.status
                && *own.reason == *one.reason
                && *own.message == *one.message
        })
    };
    let is_open = answer.unknown().is_some() || answer.roll_out().is_some();
    let conditions = last.conditions.iter().filter(|_| !is_open).map(condition);
    let conditions = conditions.filter(|one| !is_reported(one)).collect();
    let mut dropped: Vec<&Candidate> = last.resolution.candidates.iter().collect();
    dropped.sort_by(|one, other| other.version.cmp(&one.version));
    ExtensionView {
        name: extension.name.to_string(),
        package: extension.package.to_string(),
        place: text.object(Kind::ClusterExtension, &"".into(), extension.name.as_str()),
        verdict,
        status,
        board: board(answer, &hops, status),
        error,
        refusals: last.refusals.iter().filter(|_| answer.roll_out().is_none()).map(Refusal::text).collect(),
        fixes: fixes.iter().map(|fix| fix_view(workbench, answer, fix)).collect(),
        dead_ends: dead_ends.iter().map(|fix| answer.fix_text(fix)).collect(),
        conditions,
        dropped: dropped.into_iter().filter_map(dropped_bundle).take(DROPPED).collect(),
        skipped: skipped_sentences(&last.resolution.skipped),
    }
}

/// A change that helps, with the edit of the manifests that makes it.
fn fix_view(workbench: &Workbench, answer: &ExtensionAnswer, fix: &Fix) -> FixView {
    let (field, text) = match &fix.change {
        FixChange::AnyVersion => (ExtensionField::Version, String::new()),
        FixChange::AnyChannel => (ExtensionField::Channels, String::new()),
        FixChange::Version(version) => (ExtensionField::Version, version.to_string()),
        FixChange::Catalog(catalog) => (ExtensionField::Selector, format!("{NAME_LABEL}={catalog}")),
        FixChange::SelfCertified => (ExtensionField::Policy, "SelfCertified".to_owned()),
    };
    let rows = form(workbench, "").extensions;
    let index = rows.iter().position(|row| row.title() == answer.extension.name.as_str());
    let edit = index.map(|index| {
        let at = FormPlace::Extension(u32::try_from(index).unwrap_or(u32::MAX), field);
        InputEdit::Manifests(form_edits(workbench, "", &FormChange::Set { at, text }))
    });
    FixView { text: fix.change.to_string(), effects: vec![answer.fix_end(fix)], edit, ..FixView::default() }
}

/// The installed bundle, if there is one.
fn installed(answer: &ExtensionAnswer) -> Vec<BundleName> {
    answer.extension.installed.iter().map(|installed| installed.name.clone()).collect()
}

/// The lane of an extension: the bundles that it gets, the one that OLM v1 refuses, and the highest version, if it does not reach
/// it.
fn board(answer: &ExtensionAnswer, hops: &[BundleName], status: ExtensionStatus) -> BoardView {
    let (extension, resolution) = (&answer.extension, &answer.last().resolution);
    let first = usize::from(extension.installed.is_none());
    let mark = |csv: &BundleName, column: usize, kind: MarkKind| BoardMark {
        csv: csv.to_string(),
        label: label(&extension.package, csv).to_owned(),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        kind,
        is_head: false,
        note: String::new(),
        is_direct: true,
    };
    let kind = |at: usize| if at + first == 0 { MarkKind::Installed } else { MarkKind::Next };
    let mut marks: Vec<BoardMark> = hops.iter().enumerate().map(|(at, csv)| mark(csv, at + first, kind(at))).collect();
    let mut plans = vec![PlanColumn::Update; (hops.len() + first).saturating_sub(1)];
    let is_new = |csv: &BundleName| !hops.contains(csv);
    if status == ExtensionStatus::Fails {
        plans.push(PlanColumn::Refused);
        let chosen = resolution.outcome.as_ref().ok().map(|resolved| &resolved.bundle).filter(|csv| is_new(csv));
        marks.extend(chosen.map(|csv| mark(csv, plans.len(), MarkKind::NotChosen)));
    }
    let highest = resolution.candidates.iter().max_by(|one, other| one.version.cmp(&other.version));
    if let Some(highest) =
        highest.filter(|one| is_new(&one.bundle) && marks.iter().all(|mark| *mark.csv != *one.bundle.as_str()))
    {
        marks.push(mark(&highest.bundle, plans.len() + 1, MarkKind::NotReached));
    }
    let catalogs: BTreeSet<&str> = resolution.candidates.iter().map(|one| one.catalog.as_str()).collect();
    let lane = BoardLane {
        name: extension.name.to_string(),
        package: extension.package.to_string(),
        channel: source::joined(extension.channels.iter().map(ToString::to_string), usize::MAX, "and"),
        catalog: catalogs.into_iter().collect::<Vec<_>>().join(", "),
        added_for: None,
        status: None,
        note: String::new(),
        marks,
    };
    BoardView { plans, lanes: vec![lane], ..BoardView::default() }
}

fn verdict(answer: &ExtensionAnswer, hops: &[BundleName]) -> (ExtensionStatus, String) {
    let installed = answer.extension.installed.as_ref().map(|installed| &installed.name);
    if let Some(revision) = answer.roll_out() {
        let status = match revision.progress {
            RollOut::Continues => ExtensionStatus::Moves,
            RollOut::Overdue | RollOut::Fails(_) => ExtensionStatus::Fails,
        };
        return (status, answer.roll_out_sentence(revision));
    }
    let Reconciliation { resolution, refusals, change, .. } = answer.last();
    let after = match (installed, hops) {
        (Some(installed), [_]) => format!("stays at `{installed}`"),
        (Some(_), [_, .., end]) => format!("goes to `{end}`"),
        (None, [.., end]) => format!("installs `{end}`"),
        _ => "installs nothing".to_owned(),
    };
    match &resolution.outcome {
        Ok(resolved) if matches!(refusals.first(), Some(Refusal::Reported(_))) => {
            (ExtensionStatus::Fails, format!("chooses `{}`, and reports that this fails", resolved.bundle))
        }
        Ok(resolved) if !refusals.is_empty() => {
            (ExtensionStatus::Fails, format!("chooses `{}`, which OLM v1 refuses to install", resolved.bundle))
        }
        Ok(_) if matches!(change, ReconciliationEffect::ImageSwapped { .. }) => {
            (ExtensionStatus::Moves, format!("{after} with another image, in place"))
        }
        Ok(_) if hops.len() > usize::from(installed.is_some()) => (ExtensionStatus::Moves, after),
        Ok(_) => (ExtensionStatus::Stays, after),
        Err(error) if error.is_unknown() => match &answer.extension.failure {
            Some(failure) => {
                (ExtensionStatus::Fails, format!("has chosen `{}`, and reports that this fails", failure.bundle))
            }
            None => (ExtensionStatus::Unknown, "gets a bundle that cannot be known here".to_owned()),
        },
        Err(_) if answer.falls_back() => {
            (ExtensionStatus::Stays, format!("{after}, because the cluster has no ClusterCatalog that it selects"))
        }
        Err(_) => (ExtensionStatus::Fails, format!("{after}, and the resolution fails")),
    }
}

fn condition((kind, condition): (&ConditionType, &Condition)) -> ExtensionCondition {
    let status = match condition.status {
        Some(true) => "True",
        Some(false) => "False",
        None => "Unknown",
    };
    ExtensionCondition {
        name: kind.to_string(),
        status: status.to_owned(),
        reason: condition.reason.to_string(),
        message: condition.message.to_string(),
    }
}

fn dropped_bundle(candidate: &Candidate) -> Option<DroppedBundle> {
    let Verdict::Dropped(reason) = &candidate.verdict else { return None };
    Some(DroppedBundle {
        bundle: candidate.bundle.to_string(),
        version: candidate.version.as_ref().map(VersionRelease::recorded).unwrap_or_default(),
        catalog: candidate.catalog.to_string(),
        because: reason.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use session::testing::workbench;
    use views::{BoardMark, ExtensionStatus, ExtensionView, MarkKind, SimulationView};

    const CATALOG: &str = "package p c\nchannel p c p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";

    fn simulate(more: &str, installed: &str) -> SimulationView {
        let status = match installed {
            "" => String::new(),
            version => format!("status: {{install: {{bundle: {{name: p.v{version}, version: {version}}}}}}}\n"),
        };
        let text = format!(
            "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\nmetadata: {{name: e}}\nspec:\n  namespace: apps\n  source: {{sourceType: Catalog, catalog: {{packageName: p{more}}}}}\n{status}"
        );
        crate::simulate(&workbench(&[("c", CATALOG)]).with_cluster(&text), "")
    }

    /// The versions of its lane, with what they are unless it gets them.
    fn marks(view: &ExtensionView) -> String {
        let mark = |mark: &BoardMark| match mark.kind {
            MarkKind::Installed | MarkKind::Next => mark.label.clone(),
            kind => format!("{} ({kind:?})", mark.label),
        };
        view.board.lanes[0].marks.iter().map(mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_extension_is_followed_until_nothing_changes() {
        let view = simulate("", "1.0.0");
        let extension = &view.extensions[0];
        assert_eq!(marks(extension), "1.0.0 2.0.0 3.0.0");
        assert_eq!((&*extension.verdict, extension.status), ("goes to `p.v3.0.0`", ExtensionStatus::Moves));
        let condition = extension.conditions.iter().find(|condition| condition.name == "Progressing").unwrap();
        assert_eq!((&*condition.reason, &*condition.message), ("Succeeded", "Desired state reached"));
        let dropped: Vec<String> =
            extension.dropped.iter().map(|row| format!("{}: {}", row.version, row.because)).collect();
        let why = "no update edge from the installed bundle";
        assert_eq!(dropped, [format!("2.0.0: {why}"), format!("1.0.0: {why}")]);
        assert_eq!(
            view.notices,
            [
                "OLM v1 is taken for the newest release, with the defaults of its feature gates",
                "the manifests have no ClusterCatalog, so each loaded catalog is taken for one: `c`"
            ]
        );
        assert_eq!((extension.place.map(|place| place.line), view.outcomes.len()), (Some(1), 0));
    }

    #[test]
    fn a_configuration_that_does_not_fit_is_in_the_conditions() {
        let metadata = "- type: olm.csv.metadata\n  value: {installModes: [{type: AllNamespaces, supported: true}]}\n";
        let catalog =
            session::testing::yaml(CATALOG).replace("version: 2.0.0}\n", &format!("version: 2.0.0}}\n{metadata}"));
        let mut workbench = session::Workbench::new();
        let file = session::NewText { path: "catalog.yaml".to_owned(), content: Ok(catalog.into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        let text = "kind: ClusterExtension\nmetadata: {name: e}\nspec:\n  namespace: apps\n  config: {configType: Inline, inline: {watchNamespace: a}}\n  source: {sourceType: Catalog, catalog: {packageName: p}}\nstatus: {install: {bundle: {name: p.v1.0.0, version: 1.0.0}}}\n";
        let view = crate::simulate(&workbench.with_cluster(text), "");
        let extension = &view.extensions[0];
        assert_eq!(extension.verdict, "chooses `p.v2.0.0`, which OLM v1 refuses to install");
        let refusal = "invalid ClusterExtension configuration: invalid configuration: unknown field \"watchNamespace\"";
        assert_eq!(
            (&extension.refusals[..], &*marks(extension)),
            (&[refusal.to_owned()][..], "1.0.0 2.0.0 (NotChosen) 3.0.0 (NotReached)")
        );
        let condition = extension.conditions.iter().find(|condition| condition.name == "Progressing").unwrap();
        assert_eq!((&*condition.status, &*condition.reason), ("False", "InvalidConfiguration"));
        let message = format!("error for resolved bundle \"p.v2.0.0\" with version \"2.0.0\": {refusal}");
        assert_eq!(condition.message, message);
    }

    #[test]
    fn conditions_that_the_cluster_reports_are_no_prediction() {
        let own = "status: {conditions: [{type: Progressing, status: 'True', reason: Succeeded, message: Desired state reached}, {type: Installed, status: 'False', reason: Failed, message: No bundle installed}]}\n";
        let text = format!(
            "kind: ClusterExtension\nmetadata: {{name: e}}\nspec:\n  namespace: apps\n  source: {{sourceType: Catalog, catalog: {{packageName: p}}}}\n{own}"
        );
        let names = |text: &str| -> Vec<String> {
            let view = crate::simulate(&workbench(&[("c", CATALOG)]).with_cluster(text), "");
            view.extensions[0].conditions.iter().map(|one| one.name.clone()).collect()
        };
        let all = names(&text.replace(own, ""));
        assert!(all.contains(&"Progressing".to_owned()) && all.contains(&"Installed".to_owned()), "{all:?}");
        let left: Vec<String> = all.into_iter().filter(|name| name != "Progressing").collect();
        assert_eq!(names(&text), left, "the bundle is installed in the end, which the cluster does not report yet");
    }

    #[test]
    fn a_rejected_extension_does_not_exist() {
        let view = simulate(", version: 1.0.0 - 2.0.0", "");
        let extension = &view.extensions[0];
        assert_eq!(extension.verdict, "is rejected by the API server, so nothing is created or changed");
        assert_eq!(extension.refusals, ["spec.source.catalog.version: invalid version expression"]);
        assert_eq!((extension.status, extension.dropped.len()), (ExtensionStatus::Fails, 0));
    }

    #[test]
    fn verdicts_are_sentences() {
        let verdict = |more: &str, installed: &str| {
            let extension = simulate(more, installed).extensions.remove(0);
            (extension.verdict, extension.status)
        };
        assert_eq!(verdict("", ""), ("installs `p.v3.0.0`".to_owned(), ExtensionStatus::Moves));
        assert_eq!(verdict("", "3.0.0"), ("stays at `p.v3.0.0`".to_owned(), ExtensionStatus::Stays));
        let fails = ("stays at `p.v1.0.0`, and the resolution fails".to_owned(), ExtensionStatus::Fails);
        assert_eq!(verdict(", version: 3.0.0", "1.0.0"), fails);
        let fixes = |more: &str, installed: &str| {
            let fixes = simulate(more, installed).extensions.remove(0).fixes;
            assert!(
                fixes
                    .iter()
                    .all(|fix| matches!(&fix.edit, Some(views::InputEdit::Manifests(edits)) if !edits.is_empty()))
            );
            fixes.iter().map(|fix| format!("{}: {}", fix.text, fix.effects[0])).collect::<Vec<_>>()
        };
        let certified =
            "set `upgradeConstraintPolicy: SelfCertified`, which follows no update edges: then it goes to `p.v3.0.0`";
        assert_eq!(fixes(", version: 3.0.0", "1.0.0"), ["remove `version`: then it goes to `p.v2.0.0`", certified]);
        assert_eq!(fixes(", channels: [x]", ""), ["remove `channels`: then it installs `p.v3.0.0`"]);
        assert_eq!(fixes("", ""), [""; 0]);
        let nothing = ("installs nothing, and the resolution fails".to_owned(), ExtensionStatus::Fails);
        assert_eq!(verdict(", channels: [x]", ""), nothing);
    }
}
