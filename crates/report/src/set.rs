//! What is reported of sets of catalogs for several versions of OpenShift.

use crate::item::{Block, CATALOG_CHANGE, Grade, Item, NOT_SERVED, Note, Report, Spot};
use crate::table::{Cell, Table};
use crate::terminal::Paint;
use views::{Level, OpenShift, SetChange, SetFinding, SetMemberView, SetPackage, SetPlace, SetView, Severity};

/// The sets one after the other: what changes, the heads of all packages, and the findings.
#[must_use]
pub fn sets(views: &[SetView]) -> Report {
    Report { blocks: views.iter().flat_map(set).collect(), ..Report::default() }
}

fn set(view: &SetView) -> Vec<Block> {
    let pattern = format!("{}: {}", view.pattern, list(view.versions()));
    let mut blocks = vec![Block::Heading(view.sentence.clone()), Block::Line(pattern)];
    blocks.extend(view.holes.iter().map(|hole| Block::Line(format!("{}: {}", hole.version, hole.reason))));
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
    let limits = view.limits.iter().cloned().map(Block::Line).collect();
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
