//! What is reported of a set.

use super::{CheckedSet, versions};
use openshift::sets::{Finding, MatrixRow, OpenShift, matrix};
use report::{Block, Cell, Grade, Item, NOT_SERVED, Note, Paint, Report, Spot, Table};
use source::{Severity, Span};
use views::Level;

/// The sets one after the other: what changes, the heads of all packages, and the findings.
pub(super) fn report(sets: &[CheckedSet]) -> Report {
    Report { blocks: sets.iter().flat_map(of_set).collect(), ..Report::default() }
}

fn of_set(of: &CheckedSet) -> Vec<Block> {
    let pattern = format!("{}: {}", of.read.shown(&of.read.set.pattern), versions(&of.read.set));
    let mut blocks = vec![Block::Heading(of.sentence.clone()), Block::Line(pattern)];
    blocks.extend(of.read.set.holes.iter().map(|hole| Block::Line(hole.to_string())));
    blocks.extend(of.rejected().into_iter().map(Block::Item));
    blocks.extend(of.changes().0.into_iter().map(Block::Item));
    let title = "All packages".to_owned();
    blocks.push(Block::Folded { title, is_open: false, blocks: vec![Block::Table(table(of))] });
    for (title, severity) in [("Errors", Severity::Error), ("Warnings", Severity::Warning), ("Hints", Severity::Hint)] {
        let found = of.findings.iter().filter(|finding| finding.severity == severity).map(|found| item(of, found));
        let found: Vec<Block> = found.map(Block::Item).collect();
        if !found.is_empty() {
            let title = format!("{title} ({})", found.len());
            blocks.push(Block::Folded { title, is_open: severity == Severity::Error, blocks: found });
        }
    }
    let limits = of.limits().into_iter().map(Block::Line).collect();
    blocks.push(Block::Folded { title: "What is judged".to_owned(), is_open: false, blocks: limits });
    blocks
}

/// Each package with the heads of its default channel.
fn table(of: &CheckedSet) -> Table {
    let mut table = Table::new(["package", "head of the default channel"]);
    for row in matrix(&of.read.set, &of.findings) {
        let worst = row.cells.iter().filter_map(|cell| cell.worst).min();
        let paint = match worst {
            Some(Severity::Error) => Paint::Bad,
            Some(Severity::Warning) => Paint::Warning,
            Some(Severity::Hint) | None => Paint::Plain,
        };
        table.push(vec![Cell::new(paint, row.package.as_str()), Cell::plain(&heads(&row))]);
    }
    table
}

/// The heads of a package, each with its versions of OpenShift, and a mark where something is wrong.
fn heads(row: &MatrixRow) -> String {
    let cells = row.cells.iter().map(|cell| {
        let versions =
            if cell.from == cell.to { cell.from.to_string() } else { format!("{}–{}", cell.from, cell.to) };
        let head = cell.head.as_ref().map(|head| short(head.as_str(), row.package.as_str()));
        let mark = match cell.worst {
            Some(Severity::Error) => " ✕",
            Some(Severity::Warning) => " ▲",
            Some(Severity::Hint) | None => "",
        };
        format!("{versions} {}{mark}", head.unwrap_or(cell.without_head()))
    });
    cells.collect::<Vec<_>>().join(", ")
}

/// The name of a bundle without that of its package.
fn short<'n>(bundle: &'n str, package: &str) -> &'n str {
    let rest = bundle.strip_prefix(package).and_then(|rest| rest.strip_prefix('.'));
    rest.map_or(bundle, |version| version.strip_prefix('v').unwrap_or(version))
}

fn item(of: &CheckedSet, finding: &Finding) -> Item {
    let subject = finding.subject();
    let comma = if subject.is_empty() { "" } else { ", " };
    let sentence = format!("{subject}{comma}OpenShift {}: {}", finding.versions(), finding.message);
    let mut item = Item::new(Grade::Finding(finding.severity), finding.rule.id(), sentence);
    item.notes.extend(finding.installed().into_iter().map(|text| Note::of("", text)));
    item.notes.extend(finding.way_out.iter().map(|way| Note::of("way out", way.to_string())));
    item.at(finding.spans.iter().map(|at| of.spot(*at)))
}

impl CheckedSet {
    /// A place, with the version of OpenShift whose catalog has it.
    pub(super) fn spot(&self, (version, span): (OpenShift, Span)) -> Spot {
        let set = &self.read.set;
        let span = set.written(span);
        let (start, end) = (set.position(span), set.position(Span::new(span.file, span.end, span.end)));
        Spot {
            path: self.read.shown(set.path(version, span)),
            start: (start.line, start.column),
            end: (end.line, end.column),
            label: format!("OpenShift {version}"),
        }
    }

    /// Catalogs that `opm` rejects.
    fn rejected(&self) -> Vec<Item> {
        let rejected = self.read.set.members.iter().filter_map(|member| Some((member, member.rejected.as_ref()?)));
        let item = |(member, rejected): (&openshift::sets::Member, &openshift::sets::Rejected)| {
            let sentence = format!("{}: opm rejects the catalog: {}", member.version, rejected.error());
            let place = self.spot((member.version, rejected.finding.span));
            Item::new(Grade::Difference(Level::Breaking), NOT_SERVED, sentence).at([place])
        };
        rejected.map(item).collect()
    }
}
