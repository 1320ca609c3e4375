//! What is reported of plans for an update of OpenShift, of sets of catalogs, and of repairs.

use crate::item::{Block, CATALOG_CHANGE, Grade, Item, NOT_SERVED, Note, Report, Spot};
use crate::printer::{Paint, Places};
use crate::table::{Cell, Table};
use source::name_list;
use views::{
    FixView, Level, OpenShift, PlanAction, PlanTurn, PlanView, PlansView, RefusedView, RepairView, RepairsView,
    SetChange, SetFinding, SetMemberView, SetPackage, SetPlace, SetView, Severity,
};

/// What no plan takes into account.
const ASSUMPTIONS: &str = "It is assumed that the catalogs stay as they are, that updates by themselves are over before the next \
                           step, and that every operator stays healthy";

/// What else decides.
const OTHERS: &str = "OpenShift has other reasons to stop an update, which `oc adm upgrade` shows. There is no way back to an \
                      earlier minor version";

/// What stops the update, the operators that end badly, and the steps on each version of OpenShift.
#[must_use]
pub fn plans(view: &PlansView) -> Report {
    let mut report = Report {
        title: "Update of OpenShift".to_owned(),
        summary: Some(view.sentence.trim_end_matches('.').to_owned()),
        remarks: view.catalogs.iter().map(|text| format!("Catalogs of {text}")).collect(),
        ..Report::default()
    };
    report.remarks.push(if view.is_planned() { format!("{ASSUMPTIONS}. {OTHERS}") } else { OTHERS.to_owned() });
    let error = Grade::Finding(Severity::Error);
    view.freestanding.iter().for_each(|text| report.push(Item::new(error, "", &**text)));
    view.notices.iter().for_each(|text| report.push(Item::new(Grade::Notice, "", &**text)));
    for gate in &view.gates {
        let title = gate.title();
        report.blocks.extend([Block::heading(title), Block::Verbatim(gate.message.clone())]);
    }
    let troubled = view.plans.iter().filter_map(|plan| {
        let reason = plan.reason.as_ref()?;
        let mut item = Item::new(error, "", format!("{}: {}", title(plan), reason.sentence));
        item.notes.extend(reason.lifts.iter().map(|lift| Note::of("possible", &**lift)));
        Some(item)
    });
    section(&mut report, "Without a good end", troubled.collect());
    let below = view.plans.iter().filter(|plan| !plan.is_at_head()).map(|plan| {
        let sentence = plan.rest.as_ref().map(|rest| &*rest.sentence).unwrap_or_default();
        Item::new(Grade::Notice, "", format!("{}: {sentence}", title(plan)))
    });
    section(&mut report, "Below the head in the end", below.collect());
    if !view.is_planned() {
        section(&mut report, "Before the update", waiting(view));
        return report;
    }
    for (at, version) in view.way.iter().enumerate() {
        let next = view.way.get(at + 1).copied();
        let steps = steps(view, *version, next, at == 0);
        report.blocks.push(Block::heading(format!("On {version}")));
        if steps.is_empty() {
            report.blocks.push(Block::line("Nothing to do, and nothing happens.".to_owned()));
        }
        steps.into_iter().for_each(|step| report.push(step));
        if view.gates.iter().any(|gate| gate.openshift == *version) {
            break;
        }
    }
    report
}

/// Items under a heading, if there are any.
fn section(report: &mut Report, title: &str, items: Vec<Item>) {
    if !items.is_empty() {
        report.blocks.push(Block::heading(title.to_owned()));
        items.into_iter().for_each(|item| report.push(item));
    }
}

/// The InstallPlans that wait for an approval.
fn waiting(view: &PlansView) -> Vec<Item> {
    let waiting = view.plans.iter().filter_map(|plan| Some((plan, plan.waiting.as_ref()?)));
    waiting.map(|(plan, text)| Item::new(Grade::Step, "", format!("{}: {text}", title(plan)))).collect()
}

/// What is done on a version of OpenShift, and the update to the next one.
fn steps(view: &PlansView, version: OpenShift, next: Option<OpenShift>, is_first: bool) -> Vec<Item> {
    let step =
        |text: String, commands: &[String]| Item { commands: commands.to_vec(), ..Item::new(Grade::Step, "", text) };
    let mut items = if is_first { waiting(view) } else { Vec::new() };
    for turn in view.turns_on(version) {
        items.push(step(format!("{}: {}", turn_title(&turn), turn.text()), turn.commands()));
    }
    items.extend(view.frozen_on(version).map(|sentence| Item::new(Grade::Notice, "", sentence)));
    let chances = view.last_chances(version).into_iter().map(|((next, namespace), names)| {
        format!(
            "last chance before {next}: nothing in namespace `{namespace}` is updated there, unless Subscription {} is changed or \
             removed",
            name_list(names)
        )
    });
    items.extend(chances.map(|text| Item::new(Grade::Notice, "", text)));
    let is_left = view.gates.iter().all(|gate| gate.openshift != version);
    if let Some(next) = next.filter(|_| is_left) {
        let mut all = view.plans.iter().flat_map(|plan| &plan.steps);
        let update = all.find(|step| step.what == PlanAction::OpenShift && step.openshift == version);
        let commands = update.map(|step| &step.commands[..]).unwrap_or_default();
        items.push(step(format!("update OpenShift to {next}"), commands));
    }
    items
}

/// What a turn is about: an operator, or a namespace.
fn turn_title(turn: &PlanTurn<'_>) -> String {
    match &turn.rows[..] {
        [(plan, _)] => title(plan),
        rows => rows.first().map(|(plan, _)| format!("namespace `{}`", plan.namespace)).unwrap_or_default(),
    }
}

fn title(plan: &PlanView) -> String {
    if plan.is_extension {
        return format!("ClusterExtension `{}`", plan.subscription);
    }
    let channel = if plan.channel.is_empty() { String::new() } else { format!(" ({})", plan.channel) };
    format!("`{}`{channel} in `{}`", plan.package, plan.namespace)
}

// What is reported of sets of catalogs for several versions of OpenShift.

/// The sets one after the other: what changes, the heads of all packages, and the findings.
#[must_use]
pub fn sets(views: &[SetView]) -> Report {
    Report { blocks: views.iter().flat_map(set).collect(), ..Report::default() }
}

/// What is new in the sets of a review. How all of a set is stands folded below.
#[must_use]
pub fn new_in_sets(views: &[SetView]) -> Vec<Block> {
    let blocks = |view: &SetView| {
        let pattern = format!("{}: {}", view.pattern, list(view.versions()));
        let state = [Block::line(view.sentence.clone()), Block::line(pattern), Block::Table(table(view))];
        let limits = view.limits.iter().cloned().map(Block::line);
        let title = "Updates of OpenShift with all these catalogs".to_owned();
        let blocks = std::iter::once(Block::InMarkdown(state.into())).chain(limits).collect();
        let findings = view.findings.iter().map(finding).map(Block::Item);
        findings.chain([Block::Folded { title, is_open: false, blocks }]).collect::<Vec<_>>()
    };
    views.iter().flat_map(blocks).collect()
}

fn set(view: &SetView) -> Vec<Block> {
    let pattern = format!("{}: {}", view.pattern, list(view.versions()));
    let mut blocks = vec![Block::heading(view.sentence.clone()), Block::line(pattern)];
    blocks.extend(view.holes.iter().map(|hole| Block::line(format!("{}: {}", hole.version, hole.reason))));
    blocks.extend(view.members.iter().filter_map(rejected).map(Block::Item));
    blocks.extend(view.changes.iter().flatten().map(change).map(Block::Item));
    let title = "All packages".to_owned();
    blocks.push(Block::Folded { title, is_open: false, blocks: vec![Block::Table(table(view))] });
    for (title, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning), ("Hints", Severity::Hint)] {
        let found = view.findings.iter().filter(|finding| finding.severity == severity).map(finding);
        let found: Vec<Block> = found.map(Block::Item).collect();
        if !found.is_empty() {
            let title = format!("{title} ({})", found.len());
            blocks.push(Block::Folded { title, is_open: severity == Severity::Error, blocks: found });
        }
    }
    let limits = view.limits.iter().cloned().map(Block::line).collect();
    blocks.push(Block::Folded { title: "What is judged".to_owned(), is_open: false, blocks: limits });
    blocks
}

fn list(versions: impl Iterator<Item = OpenShift>) -> String {
    versions.map(|version| version.to_string()).collect::<Vec<_>>().join(", ")
}

/// A catalog that `opm` rejects.
fn rejected(member: &SetMemberView) -> Option<Item> {
    let rejected = member.rejected.as_ref()?;
    let sentence = format!("{}: opm rejects the catalog: {}", member.version, rejected.error);
    Some(Item::new(Grade::Difference(Level::Breaking), NOT_SERVED, sentence).at([spot(&rejected.place)]))
}

fn change(change: &SetChange) -> Item {
    let versions = list(change.versions.iter().copied());
    let sentence = format!("`{}` in {versions}: {}", change.package, change.sentence);
    Item::new(Grade::Difference(change.level.unwrap_or(Level::Neutral)), CATALOG_CHANGE, sentence)
}

/// Each package with the heads of its default channel.
fn table(view: &SetView) -> Table {
    let mut table = Table::new(["package", "head of the default channel"]);
    for row in &view.matrix {
        let paint = match row.cells.iter().filter_map(|cell| cell.worst).min() {
            Some(Severity::Error) => Paint::Bad,
            Some(Severity::Warning) => Paint::Warning,
            Some(Severity::Hint) | None => Paint::Plain,
        };
        table.push(vec![Cell::new(paint, &row.package), Cell::plain(&heads(row))]);
    }
    table
}

/// The heads of a package, each with its versions of OpenShift, and a mark where something is wrong.
fn heads(row: &SetPackage) -> String {
    let cells = row.cells.iter().map(|cell| {
        let versions =
            if cell.from == cell.to { cell.from.to_string() } else { format!("{}–{}", cell.from, cell.to) };
        let mark = match cell.worst {
            Some(Severity::Error) => " ✕",
            Some(Severity::Warning) => " ▲",
            Some(Severity::Hint) | None => "",
        };
        format!("{versions} {}{mark}", cell.text)
    });
    cells.collect::<Vec<_>>().join(", ")
}

fn finding(finding: &SetFinding) -> Item {
    let mut item = Item::new(Grade::Finding(finding.severity), &finding.id, &*finding.sentence);
    item.notes.extend(finding.installed.iter().map(|text| Note::of("", &**text)));
    item.notes.extend(finding.way_out.iter().map(|way| Note::of("way out", &*way.text)));
    item.at(finding.places.iter().map(spot))
}

fn spot(place: &SetPlace) -> Spot {
    let SetPlace { openshift, path, start, end } = place;
    Spot { path: path.clone(), start: *start, end: *end, label: format!("OpenShift {openshift}") }
}

// What is reported of repairs.

/// Why the catalog is rejected whatever its channels say, if it is; each channel with who is stuck, the repairs with their edits, and
/// the reason where there is none.
#[must_use]
pub fn repairs(rejected: Option<&RefusedView>, found: &[RepairsView], places: &dyn Places) -> Report {
    let mut report = Report { title: "Repairs".to_owned(), ..Report::default() };
    report.blocks.extend(rejected.map(|reason| Block::Item(refused(reason))));
    if found.is_empty() && rejected.is_none() {
        report.blocks.push(Block::line("Nothing to repair: every version reaches the head of its channel.".to_owned()));
    }
    for channel in found {
        let title = format!("{}, channel `{}`: {}", channel.package, channel.channel, channel.problem);
        report.blocks.push(Block::heading(title));
        (1..).zip(&channel.fixes).for_each(|(number, fix)| report.push(item(number, fix, places)));
        if let Some(reason) = &channel.reason {
            report.push(refused(reason));
        }
    }
    report
}

fn refused(reason: &RefusedView) -> Item {
    let item = Item::new(Grade::Finding(Severity::Error), &reason.id, &*reason.sentence);
    item.with(Note::of("instead", &*reason.instead))
}

fn item(number: usize, fix: &FixView, places: &dyn Places) -> Item {
    let weight = fix.repair.as_ref().map(|repair| format!("weight {}", repair.weight));
    let about: Vec<String> = weight.into_iter().chain(fix.effects.iter().cloned()).collect();
    let mut item = Item::new(Grade::Repair(number), "", about.join("; "));
    if let Some(RepairView { edits, diff, .. }) = &fix.repair {
        let note =
            |edit: &views::EditView| Note::of("", &*edit.text).at(edit.place.and_then(|place| places.spot(place)));
        item.notes.extend(edits.iter().map(note));
        item.diff.clone_from(diff);
    }
    item
}
