//! The list of findings: what `opm validate` says of each, and quick fixes as edits of a file.

use catalog::OpmPhase;
use fbc::Rewriter;
use session::{CatalogInput, FileInput, Finding, Workbench, counted, offered_edit, quick_fix};
use source::{Diagnostic, Label, QuickFix, Rule, Severity};
use std::collections::BTreeMap;
use views::{
    CatalogId, EntryKey, FileKey, FindingGroup, FindingView, FindingsFilter, FindingsView, FixView, LabelView, MarkFix,
    RuleCount, TextEdit, with_short_names,
};

/// The rules about updates in a channel whose findings repairs of the channel may remove.
pub(super) const REPAIRED: [Rule; 6] = [
    Rule::MultipleChannelHeads,
    Rule::NoChannelHead,
    Rule::ReplacesCycle,
    Rule::SkippedCycle,
    Rule::StrandedEntry,
    Rule::StuckEntry,
];

/// How many of the findings that follow from one are sent with it.
const CONSEQUENCES: usize = 20;

/// The findings that pass `filter`, worst first, with the first `limit` of them in groups. A finding that follows from
/// another is only listed with that one.
#[must_use]
pub fn findings(workbench: &Workbench, filter: &FindingsFilter, limit: u32) -> FindingsView {
    let text = filter.text.to_lowercase();
    let mut found: Vec<(&CatalogInput, &Finding)> = Vec::new();
    for catalog in workbench.catalogs().iter().filter(|catalog| is_of_catalog(catalog, filter)) {
        let is_meant = |found: &Finding| is_of_package(found, filter) && mentions(catalog, found, &text);
        found.extend(catalog.analysis.roots(is_meant).into_iter().map(|found| (catalog, found)));
    }
    let counts = counted(found.iter().map(|(_, found)| *found));
    found.retain(|(_, found)| filter.severity.is_none_or(|wanted| wanted == found.worst));
    let groups = groups(workbench, &found, limit as usize, filter.package.is_some());
    FindingsView { counts, total: found.len() as u32, groups, rules: rules(workbench, filter) }
}

/// All findings, worst first, without their quick fixes: for the command line.
#[must_use]
pub fn all_findings(workbench: &Workbench) -> Vec<FindingView> {
    let all =
        workbench.catalogs().iter().flat_map(|catalog| catalog.analysis.shown().map(move |found| (catalog, found)));
    let mut all: Vec<(&CatalogInput, &Finding)> = all.collect();
    all.sort_by_key(|(_, found)| (found.diagnostic.severity, found.subject.is_some()));
    let mut follow: BTreeMap<(CatalogId, usize), u32> = BTreeMap::new();
    for (catalog, found) in &all {
        let root = catalog.analysis.root(found).at;
        *follow.entry((catalog.id, root)).or_default() += u32::from(root != found.at);
    }
    let printed = printed(workbench);
    let view = |(catalog, found): (&CatalogInput, &Finding)| FindingView {
        follow: follow.get(&(catalog.id, found.at)).copied().unwrap_or_default(),
        ..row(workbench, catalog, found, &printed[&catalog.id])
    };
    all.into_iter().map(view).collect()
}

/// The first findings, those of one rule together. A group stands where its first finding does. Those of a single package name
/// its bundles by their versions.
fn groups(
    workbench: &Workbench,
    found: &[(&CatalogInput, &Finding)],
    limit: usize,
    is_of_one: bool,
) -> Vec<FindingGroup> {
    let mut first: BTreeMap<(Severity, Rule), (bool, usize)> = BTreeMap::new();
    let key = |found: &Finding| (found.worst, found.diagnostic.rule);
    for (at, (_, found)) in found.iter().enumerate() {
        let place = (found.subject.is_some(), at);
        let known = first.entry(key(found)).or_insert(place);
        *known = place.min(*known);
    }
    let mut sorted: Vec<&(&CatalogInput, &Finding)> = found.iter().collect();
    sorted.sort_by_key(|(_, found)| (found.worst, first.get(&key(found)), found.subject.is_some()));
    let mut fixes = QuickFixes::new(workbench);
    let shown = sorted.into_iter().take(limit);
    let printed = printed(workbench);
    let rows = shown
        .map(|(catalog, found)| (key(found), finding(workbench, catalog, found, (&mut fixes, &printed[&catalog.id]))))
        .map(|(key, row)| (key, if is_of_one { with_short_names_in(row) } else { row }));
    let rows: Vec<_> = rows.collect();
    rows.chunk_by(|a, b| a.0 == b.0).map(group).collect()
}

/// The number of findings of each rule, without regard to the filter's text. Rules without findings are listed only if
/// they are switched off.
fn rules(workbench: &Workbench, filter: &FindingsFilter) -> Vec<RuleCount> {
    let mut counts: BTreeMap<(Severity, Rule), RuleCount> = BTreeMap::new();
    let blank =
        |rule: Rule, off| RuleCount { rule: rule.id().to_owned(), severity: rule.severity(), count: 0, opm: 0, off };
    for &rule in workbench.disabled_rules() {
        counts.insert((rule.severity(), rule), blank(rule, true));
    }
    for catalog in workbench.catalogs().iter().filter(|catalog| is_of_catalog(catalog, filter)) {
        for found in catalog.analysis.findings.iter().filter(|found| is_of_package(found, filter)) {
            let rule = found.diagnostic.rule;
            let count = counts.entry((rule.severity(), rule)).or_insert_with(|| blank(rule, false));
            count.count += 1;
            count.opm += u32::from(found.diagnostic.opm.is_some());
        }
    }
    counts.into_values().collect()
}

/// The finding with the versions in place of the names of its package's bundles.
fn with_short_names_in(mut row: FindingView) -> FindingView {
    let Some(package) = row.package.clone() else { return row };
    let texts = [&mut row.message].into_iter().chain(&mut row.help);
    let labels = row.labels.iter_mut().map(|label| &mut label.message);
    let fixes = row.fixes.iter_mut().map(|fix| &mut fix.text);
    texts.chain(labels).chain(fixes).for_each(|text| *text = with_short_names(text, &package));
    row.consequences = row.consequences.into_iter().map(with_short_names_in).collect();
    row
}

/// Findings of one rule, with the help that all of them have.
fn group(found: &[((Severity, Rule), FindingView)]) -> FindingGroup {
    let mut rows: Vec<FindingView> = found.iter().map(|(_, row)| row.clone()).collect();
    let ((worst, rule), _) = found[0];
    let is_same = rows.windows(2).all(|pair| pair[0].help == pair[1].help);
    let help = rows[0].help.clone().filter(|_| is_same);
    if help.is_some() {
        rows.iter_mut().for_each(|row| row.help = None);
    }
    FindingGroup { rule: rule.id().to_owned(), severity: worst, help, rows }
}

fn is_of_catalog(catalog: &CatalogInput, filter: &FindingsFilter) -> bool {
    filter.catalog.is_none_or(|wanted| wanted == catalog.id)
        && filter.package.as_ref().is_none_or(|package| package.catalog == catalog.id)
}

/// The channel that a finding is about, if repairs of the channel may remove it.
pub(super) fn repaired_channel(found: &Finding) -> Option<String> {
    let subject = found.subject.as_ref().filter(|_| REPAIRED.contains(&found.diagnostic.rule))?;
    Some(subject.channel.as_ref()?.to_string())
}

/// Whether a finding is about the package of the filter, or an error that stops the whole catalog.
fn is_of_package(found: &Finding, filter: &FindingsFilter) -> bool {
    let Some(key) = &filter.package else { return true };
    match &found.subject {
        Some(subject) => subject.package.as_str() == key.package,
        None => is_of_all_packages(found),
    }
}

/// Whether a finding is about no package, and stops all of them.
pub(super) fn is_of_all_packages(found: &Finding) -> bool {
    found.subject.is_none() && found.diagnostic.severity == Severity::Error
}

fn mentions(catalog: &CatalogInput, found: &Finding, text: &str) -> bool {
    let diagnostic = &found.diagnostic;
    text.is_empty()
        || diagnostic.rule.id().contains(text)
        || diagnostic.message.to_lowercase().contains(text)
        || catalog.path(diagnostic.span).to_lowercase().contains(text)
}

/// A finding of a catalog, with its quick fixes and the findings that follow from it.
fn finding(
    workbench: &Workbench,
    catalog: &CatalogInput,
    found: &Finding,
    (fixes, printed): (&mut QuickFixes<'_>, &Printed<'_>),
) -> FindingView {
    let consequences: Vec<&Finding> = catalog.analysis.consequences(found).collect();
    let own = row(workbench, catalog, found, printed);
    FindingView {
        // The repairs of a channel are searched for all its versions, the best one first.
        fixes: if own.repaired_channel.is_some() { Vec::new() } else { fixes.of(&found.diagnostic) },
        follow: consequences.len() as u32,
        consequences: consequences
            .into_iter()
            .take(CONSEQUENCES)
            .map(|found| row(workbench, catalog, found, printed))
            .collect(),
        ..own
    }
}

/// Findings of a catalog, for the details of something: what follows from another one shows that one.
pub(super) fn finding_list<'f>(
    workbench: &Workbench,
    catalog: &'f CatalogInput,
    is_meant: impl Fn(&'f Finding) -> bool,
) -> Vec<FindingView> {
    let mut fixes = QuickFixes::new(workbench);
    let printed = Printed::of(catalog);
    catalog
        .analysis
        .roots(is_meant)
        .into_iter()
        .map(|found| finding(workbench, catalog, found, (&mut fixes, &printed)))
        .collect()
}

/// What `opm` prints first of each catalog.
fn printed(workbench: &Workbench) -> BTreeMap<CatalogId, Printed<'_>> {
    workbench.catalogs().iter().map(|catalog| (catalog.id, Printed::of(catalog))).collect()
}

/// A finding of a catalog by itself.
fn row(workbench: &Workbench, catalog: &CatalogInput, found: &Finding, printed: &Printed<'_>) -> FindingView {
    let diagnostic = &found.diagnostic;
    let subject = found.subject.as_ref();
    let (opm_notes, opm_next) = printed.notes(found);
    FindingView {
        rule: diagnostic.rule.id().to_owned(),
        severity: diagnostic.severity,
        is_habit: diagnostic.is_habit(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        opm: diagnostic.opm.clone(),
        opm_since: diagnostic.opm_since.map(|version| version.to_string()),
        opm_next,
        opm_notes,
        catalog: catalog.id,
        path: catalog.path(diagnostic.span),
        place: catalog.place(diagnostic.span),
        package: subject.map(|subject| subject.package.to_string()),
        entry: subject.and_then(|subject| {
            let channel = subject.channel.as_ref().map(ToString::to_string);
            Some(EntryKey { channel, name: subject.entry.as_ref()?.to_string() })
        }),
        labels: diagnostic.labels.iter().map(|one| label(workbench, catalog, one)).collect(),
        fixes: Vec::new(),
        repaired_channel: repaired_channel(found),
        is_consequence: catalog.analysis.root(found).at != found.at,
        follow: 0,
        consequences: Vec::new(),
    }
}

/// A related place of a finding of `catalog`; it may be in another catalog.
fn label(workbench: &Workbench, catalog: &CatalogInput, label: &Label) -> LabelView {
    let key = FileKey(label.span.file.0);
    let other = || workbench.file(key).map(|(other, _)| other);
    let of = if catalog.file(key).is_some() { catalog } else { other().unwrap_or(catalog) };
    LabelView { message: label.message.clone(), catalog: of.id, path: of.path(label.span), place: of.place(label.span) }
}

// What `opm validate` says of a finding, and when. It prints the first error of a catalog, or several as one tree; the
// others it would print after that was corrected.

/// The error of a catalog that `opm validate` stops at, with the finding that shows it: its own, or the one that it follows from.
struct Printed<'c> {
    first: Option<(&'c Diagnostic, usize)>,
}

impl<'c> Printed<'c> {
    pub(super) fn of(catalog: &'c CatalogInput) -> Self {
        let first = catalog.rejection().and_then(|error| {
            let own = catalog.analysis.findings.iter().find(|found| found.diagnostic == *error)?;
            Some((error, catalog.analysis.root(own).at))
        });
        Self { first }
    }

    /// What `opm` says, as notes of a finding, and whether it prints the line of the finding only after others were corrected.
    pub(super) fn notes(&self, found: &Finding) -> (Vec<String>, bool) {
        let Diagnostic { opm, opm_since, .. } = &found.diagnostic;
        let shown = self.first.filter(|(_, at)| *at == found.at).map(|(error, _)| error);
        let first = shown.and_then(|error| said("says", error));
        let also = self.first.is_some_and(|(error, _)| is_printed_with(&found.diagnostic, error));
        let verb = match (opm, self.first) {
            (None, _) | (_, None) => None,
            // Of a consequence, the cause shows it.
            (_, Some((error, _))) if error.opm == *opm && (shown.is_some() || found.cause.is_some()) => None,
            _ if also => Some("also says"),
            _ => Some("would say next"),
        };
        let own = verb.and_then(|verb| said(verb, &found.diagnostic));
        let newer = opm_since.filter(|_| opm.is_none()).map(|since| {
            let openshift = since.first_openshift().map(|version| format!(", which OpenShift {version} has"));
            format!("opm validate rejects it since {since}{}", openshift.unwrap_or_default())
        });
        (first.into_iter().chain(own).chain(newer).collect(), verb == Some("would say next"))
    }
}

/// The line of `opm`, and which of its commands prints it.
fn said(verb: &str, found: &Diagnostic) -> Option<String> {
    let command = match found.rule {
        Rule::UnbuiltPackage => "opm index add",
        Rule::InvalidTemplate => "opm alpha render-template",
        _ => "opm validate",
    };
    let since = found.opm_since.map_or(String::new(), |since| format!(" (since {since})"));
    Some(format!("{command} {verb}{since}: {}", found.opm.as_ref()?))
}

/// Whether `opm` prints an error together with the first one: it is in the same tree, or the same line.
fn is_printed_with(found: &Diagnostic, first: &Diagnostic) -> bool {
    let is_of_model = |error: &Diagnostic| error.opm_rank == u8::from(OpmPhase::Model);
    found.opm == first.opm || is_of_model(found) && is_of_model(first)
}

// Quick fixes of findings as edits of a file.

/// Makes the edits of quick fixes. Keeps what it reads of files, so that many fixes of one file are cheap.
pub(crate) struct QuickFixes<'w> {
    workbench: &'w Workbench,
    rewriters: BTreeMap<FileKey, (&'w FileInput, Rewriter<'w>)>,
}

impl<'w> QuickFixes<'w> {
    pub(crate) const fn new(workbench: &'w Workbench) -> Self {
        Self { workbench, rewriters: BTreeMap::new() }
    }

    /// The quick fixes of a finding for the list of findings.
    pub(crate) fn of(&mut self, finding: &Diagnostic) -> Vec<FixView> {
        let view = |fix| {
            let (file, _) = self.edits(fix)?;
            let (catalog, _) = self.workbench.file(file.key)?;
            let edit = Some(offered_edit(catalog.id, [quick_fix(finding)]));
            Some(FixView { text: fix.title.clone(), edit, ..FixView::default() })
        };
        finding.fixes.iter().filter_map(view).collect()
    }

    /// The quick fixes of a finding for the editor.
    pub(crate) fn of_mark(&mut self, finding: &Diagnostic) -> Vec<MarkFix> {
        let view = |fix| {
            let (file, edits) = self.edits(fix).filter(|(file, _)| file.key.0 == finding.span.file.0)?;
            let changes = edits.iter().map(|edit| file.change(edit)).collect();
            Some(MarkFix { title: fix.title.clone(), changes })
        };
        finding.fixes.iter().filter_map(view).collect()
    }

    /// The file that a quick fix changes, and the edits. `None` if it is about several files, or one that is not edited.
    fn edits(&mut self, fix: &QuickFix) -> Option<(&'w FileInput, Vec<TextEdit>)> {
        let key = FileKey(fix.changes.first()?.span().file.0);
        let is_here = fix.changes.iter().all(|change| change.span().file.0 == key.0);
        let (_, file) = self.workbench.file(key).filter(|(_, file)| is_here && file.is_editable())?;
        let rewriter = || (file, Rewriter::new(&file.text, &file.parse().docs));
        let (file, rewriter) = self.rewriters.entry(key).or_insert_with(rewriter);
        Some((*file, rewriter.edits(&fix.changes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::{click, workbench};
    use session::{Expand, Workbench};
    use views::{AuthoringInput, CatalogId, FindingsFilter, FixView, InputEdit, PackageKey};

    const TWO_HEADS: &str = "package p c\nchannel p c p.v1 p.v2\npackage q c\nchannel q c q.v1.0.0>q.v0.9.0~<1.0.0 q.v0.9.0\nbundle q 1.0.0\nbundle q 0.9.0";
    const BROKEN: &str = "package r c";

    /// Lines `path:line:column rule package channel/entry`.
    #[track_caller]
    fn check(filter: &FindingsFilter, expected: &[&str]) {
        let view = findings(&workbench(&[("a", TWO_HEADS), ("b", BROKEN)]), filter, u32::MAX);
        assert_eq!(rows(&view).map(line).collect::<Vec<_>>(), expected);
        assert_eq!(view.total as usize, expected.len());
    }

    fn rows(view: &FindingsView) -> impl Iterator<Item = &FindingView> {
        view.groups.iter().flat_map(|group| &group.rows)
    }

    fn line(row: &FindingView) -> String {
        let entry =
            row.entry.as_ref().map(|entry| format!(" {}/{}", entry.channel.as_deref().unwrap_or("-"), entry.name));
        let (place, package) = (row.place, row.package.as_deref().unwrap_or("-"));
        let entry = entry.unwrap_or_default();
        format!("{}:{}:{}:{} {} {package}{entry}", row.catalog.0, row.path, place.line, place.column, row.rule)
    }

    #[test]
    fn the_worst_findings_come_first() {
        let expected = [
            "0:catalog.yaml:8:7 multiple-channel-heads p",
            "0:catalog.yaml:10:10 missing-bundle p c/p.v1",
            "1:catalog.yaml:4:17 unknown-default-channel r",
            "0:catalog.yaml:21:64 open-skip-range q c/q.v1.0.0",
        ];
        check(&FindingsFilter::default(), &expected);
    }

    #[test]
    fn the_filter_selects_a_package() {
        let package = Some(PackageKey { catalog: CatalogId(0), package: "q".to_owned() });
        let filter = FindingsFilter { package, ..FindingsFilter::default() };
        check(&filter, &["0:catalog.yaml:21:64 open-skip-range q c/q.v1.0.0"]);
    }

    #[test]
    fn the_filter_selects_a_catalog() {
        let filter = FindingsFilter { catalog: Some(CatalogId(1)), ..FindingsFilter::default() };
        check(&filter, &["1:catalog.yaml:4:17 unknown-default-channel r"]);
    }

    #[test]
    fn errors_of_whole_files_belong_to_every_package() {
        let mut workbench = workbench(&[("a", TWO_HEADS), ("b", BROKEN)]);
        let bad = session::NewText { path: "bad.yaml".to_owned(), content: Ok(b"schema: [\n".to_vec()) };
        let good =
            session::NewText { path: "good.yaml".to_owned(), content: Ok(b"schema: olm.package\nname: p\n".to_vec()) };
        let empty = session::NewText { path: "empty.yaml".to_owned(), content: Ok(Vec::new()) };
        let catalog = workbench.add_catalog("c", vec![good, bad, empty], &mut |_| {});
        let rules = |package: Option<PackageKey>| -> Vec<String> {
            let filter = FindingsFilter { package, ..FindingsFilter::default() };
            let view = findings(&workbench, &filter, u32::MAX);
            rows(&view).filter(|row| row.catalog == catalog).map(|row| row.rule.clone()).collect()
        };
        let package = PackageKey { catalog, package: "p".to_owned() };
        assert_eq!(rules(Some(package)), ["broken-document", "unknown-default-channel", "empty-channel"]);
        assert_eq!(rules(None).last().map(String::as_str), Some("empty-file"));
        let q = PackageKey { catalog: CatalogId(0), package: "q".to_owned() };
        assert_eq!(rules(Some(q)), [""; 0]);
    }

    #[test]
    fn the_filter_ignores_case() {
        let filter = FindingsFilter { text: "OPEN-SKIP".to_owned(), ..FindingsFilter::default() };
        check(&filter, &["0:catalog.yaml:21:64 open-skip-range q c/q.v1.0.0"]);
    }

    #[test]
    fn disabled_rules_stay_listed() {
        let mut workbench = workbench(&[("a", TWO_HEADS), ("b", BROKEN)]);
        let counts = |workbench: &Workbench, filter: &FindingsFilter| -> Vec<String> {
            let rules = findings(workbench, filter, u32::MAX).rules;
            let counts = rules
                .iter()
                .map(|row| format!("{} {} {}{}", row.rule, row.count, row.opm, if row.off { " off" } else { "" }));
            counts.collect()
        };
        let package = Some(PackageKey { catalog: CatalogId(0), package: "q".to_owned() });
        let of_q = FindingsFilter { package, text: "nothing like it".to_owned(), ..FindingsFilter::default() };
        assert_eq!(counts(&workbench, &of_q), ["open-skip-range 1 0"]);
        workbench.disable_rules(&["open-skip-range".to_owned(), "downgrade".to_owned()]);
        assert_eq!(counts(&workbench, &of_q), ["downgrade 0 0 off", "open-skip-range 1 0 off"]);
        let all = counts(&workbench, &FindingsFilter::default());
        assert_eq!(all[0], "unknown-default-channel 1 1");
        assert_eq!(findings(&workbench, &FindingsFilter::default(), u32::MAX).total, 3);
    }

    #[test]
    fn a_label_in_another_catalog_names_that_catalog() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let bundle = |name: &str| format!("# {name}\nschema: olm.bundle\nname: {name}\npackage: p\nimage: i\n");
        let template = "schema: olm.semver\nstable: {bundles: [{image: i}]}\n".to_owned();
        for (name, text) in [("one", bundle("p.v1")), ("two", bundle("p.v2")), ("template", template)] {
            workbench.add_text(name, &format!("{name}.yaml"), text);
        }
        let view = findings(&workbench, &FindingsFilter::default(), u32::MAX);
        let row = rows(&view).find(|row| row.rule == "needs-registry").unwrap();
        let places = row.labels.iter().map(|label| (label.catalog, &*label.path, label.place.line));
        assert_eq!(places.collect::<Vec<_>>(), [(CatalogId(0), "one.yaml", 2), (CatalogId(1), "two.yaml", 2)]);
    }

    #[test]
    fn what_follows_is_listed_with_its_cause() {
        let workbench = workbench(&[("a", TWO_HEADS)]);
        let view = findings(&workbench, &FindingsFilter::default(), u32::MAX);
        let row = rows(&view).find(|row| row.rule == "missing-bundle").unwrap();
        let rules: Vec<&str> = row.consequences.iter().map(|row| row.rule.as_str()).collect();
        assert_eq!((row.follow, rules), (1, vec!["duplicate-version"]));
        let by_itself: Vec<(String, bool, u32)> =
            all_findings(&workbench).into_iter().map(|row| (row.rule, row.is_consequence, row.follow)).collect();
        assert!(by_itself.contains(&("duplicate-version".to_owned(), true, 0)), "{by_itself:?}");
        assert!(by_itself.contains(&("missing-bundle".to_owned(), false, 1)), "{by_itself:?}");
        // A text that only the consequence has shows its cause.
        let filter = FindingsFilter { text: "duplicate-version".to_owned(), ..FindingsFilter::default() };
        assert_eq!(findings(&workbench, &filter, u32::MAX).groups[0].rule, "missing-bundle");
    }

    #[test]
    fn a_severity_is_listed_and_all_are_counted() {
        let filter = FindingsFilter { severity: Some(views::Severity::Hint), ..FindingsFilter::default() };
        let view = findings(&workbench(&[("a", TWO_HEADS)]), &filter, u32::MAX);
        assert_eq!((view.counts.errors, view.counts.hints, view.total), (2, 1, 1));
        assert_eq!(view.groups[0].rule, "open-skip-range");
    }

    #[test]
    fn findings_of_one_rule_are_a_group_with_their_help() {
        let text = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let view = findings(&workbench(&[("a", text)]), &FindingsFilter::default(), u32::MAX);
        let [group] = &view.groups[..] else { panic!("{view:?}") };
        assert_eq!((group.rule.as_str(), group.rows.len()), ("bundle-in-no-channel", 2));
        assert_eq!(group.help.as_deref(), Some("add it to the `entries` of a channel, or remove it"));
        assert!(group.rows.iter().all(|row| row.help.is_none()));
    }

    #[test]
    fn the_limit_applies_to_rows_only() {
        let view = findings(&workbench(&[("a", TWO_HEADS)]), &FindingsFilter::default(), 1);
        assert_eq!((view.total, rows(&view).count()), (3, 1));
    }

    fn text(default: &str, description: &str) -> String {
        format!(
            "schema: olm.package\nname: p\ndefaultChannel: {default}\ndescription: {description}\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- name: p.v1.0.0\n"
        )
    }

    /// The quick fixes of a catalog with this text.
    fn fixes(workbench: &Workbench) -> Vec<FixView> {
        let rows = findings(workbench, &FindingsFilter::default(), 50).groups.into_iter().flat_map(|group| group.rows);
        rows.flat_map(|row| row.fixes).filter(|fix| fix.text == "Change to `stable`").collect()
    }

    /// An anchor is changed with all its aliases, and the finding is about one entry.
    #[test]
    fn a_fix_that_would_change_more_than_it_says_is_refused() {
        let load = |text: String| Workbench::new().with_text("c", "c.yaml", text);
        let plain = text("stabel", "a");
        let mut workbench = load(plain.clone());
        let fix = fixes(&workbench).remove(0);
        let undo = click(&mut workbench, &fix);
        assert_eq!(workbench.catalogs()[0].files[0].text, text("stable", "a"));
        workbench.edit_files(&undo);
        assert_eq!(workbench.catalogs()[0].files[0].text, plain);
        let shared = text("&it stabel", "*it");
        let mut workbench = load(shared.clone());
        let fix = fixes(&workbench).remove(0);
        let Some(InputEdit::Catalog { changes, .. }) = fix.edit else { panic!("{fix:?}") };
        let input = AuthoringInput::Fix { title: fix.text, changes };
        let refused = workbench.author_input(CatalogId(0), &input, None);
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(workbench.catalogs()[0].files[0].text, shared);
    }

    /// It was offered for another text.
    #[test]
    fn a_fix_of_a_finding_that_is_gone_is_refused() {
        let mut workbench = Workbench::new().with_text("c", "c.yaml", text("stabel", "a"));
        let fix = fixes(&workbench).remove(0);
        let Some(InputEdit::Catalog { changes, .. }) = fix.edit else { panic!("{fix:?}") };
        let file = workbench.catalogs()[0].files[0].key;
        workbench.edit(file, 0..0, "# more\n");
        let input = AuthoringInput::Fix { title: fix.text, changes };
        let expected = "the text is another one than when this was offered; look at the new findings";
        assert_eq!(workbench.author_input(CatalogId(0), &input, None), Err(expected.to_owned()));
    }
}
