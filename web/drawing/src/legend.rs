//! The signs of the drawing and their meaning.

use crate::shape::Shape;
use crate::simulation_marks::{SimulatedEntries, SimulationMark, simulation_marks};
use crate::{edge, node};
use views::{AxisDirection, EdgeView, EntryForm, GraphView, Mark, NodeView, Point, Presence};

/// A mark of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// An entry without marks.
    Plain,
    /// An entry without marks where versions are close together.
    Station,
    Entry(Mark),
    Installed,
    /// An entry that was installed before the simulation.
    Before,
    /// An entry that the simulation chooses.
    Chosen,
    /// The distance from the selected entry.
    Hops,
    Update,
    AddedEdge,
    RemovedEdge,
    /// An edge that OLM v0 ignores.
    Ignored,
    Range,
    /// A skipRange that takes entries out of the channel.
    Pruning,
}

/// All signs with their name and meaning.
pub const SIGNS: [(Sign, &str, &str); 29] = [
    entry(Mark::Head, "No entry of the channel replaces or skips it. A Subscription ends here."),
    (Sign::Plain, "entry", "An entry of the channel. It can be a startingCSV."),
    (Sign::Station, "entry", "An entry among many. Point to it, or select it, to see its version."),
    (Sign::Installed, "installed", "Installed in the cluster, at the step that is shown."),
    (Sign::Before, "before", "Was installed before the simulation, but no longer at the step that is shown."),
    (Sign::Chosen, "chosen", "Chosen in the simulation, in the hop with this number."),
    (
        Sign::Hops,
        "+1, −1",
        "Number of hops from the selected entry to this one (+) or from this one to it (−). A solid ring marks the \
         entries on OLM's path.",
    ),
    entry(Mark::Skipped, "Another entry skips it by name. No update installs it, but it can be a startingCSV."),
    entry(Mark::Pruned, "Only a skipRange covers it, which takes it out of the channel. No update leads to it."),
    entry(
        Mark::NotStartable,
        "The package has this bundle, but this channel does not list it, so it cannot be a startingCSV here.",
    ),
    entry(Mark::Ghost, "An edge names it or a range covers it, but it is not an entry of this channel."),
    entry(Mark::Stranded, "No path leads from it to the head of its channel."),
    entry(Mark::Switch, "A Subscription that has it can switch to a newer channel."),
    entry(Mark::NoWayOn, "Updates of the channel end here, and no switch leads to a newer channel."),
    entry(Mark::Deprecated, "Listed in olm.deprecations."),
    entry(Mark::NoBundle, "The catalog has no olm.bundle document for it."),
    entry(
        Mark::UnknownBundle,
        "Its bundle is in a catalog that is not open, or in a file that was not read, so its version is not known.",
    ),
    entry(Mark::BadRange, "Its skipRange is invalid and covers no version."),
    entry(Mark::Added, "The change adds it."),
    entry(Mark::Removed, "The change removes it."),
    entry(Mark::Harmed, "The change breaks clusters that have it installed, as when they get stuck: see Compare."),
    entry(
        Mark::AtRisk,
        "The change is a risk for clusters that have it installed, as when they take another way: see Compare.",
    ),
    entry(Mark::RuntimesDiffer, "OLM v1 goes on from it to another entry than OLM v0, or fails."),
    (Sign::Update, "update", "What OLM updates the older entry to, by replaces or skips of the newer one."),
    (Sign::AddedEdge, "added edge", "An update that the change adds."),
    (Sign::RemovedEdge, "removed edge", "An update that the change removes."),
    (Sign::Ignored, "ignored by OLM", "OLM v0 never makes this update, because the newer entry is itself skipped."),
    (
        Sign::Range,
        "skipRange",
        "An update from every version in the range, listed or not, to the entry that has the skipRange.",
    ),
    (
        Sign::Pruning,
        "skipRange with a warning",
        "It is used without replaces or skips, so the versions it covers are taken out of the channel.",
    ),
];

const fn entry(mark: Mark, help: &'static str) -> (Sign, &'static str, &'static str) {
    (Sign::Entry(mark), mark.word(), help)
}

/// The signs that a drawing of some of the entries has, with their names.
pub fn key(
    graph: &GraphView,
    simulated: &SimulatedEntries,
    is_drawn: impl Fn(u32) -> bool,
) -> Vec<(Vec<Shape>, &'static str)> {
    let here = occurring_among(graph, simulated, is_drawn);
    let signs = SIGNS.iter().filter(|(sign, ..)| here.contains(sign));
    signs.map(|(sign, name, _)| (shapes(*sign), *name)).collect()
}

/// The signs that a drawing has.
#[must_use]
pub fn occurring(graph: &GraphView, simulated: &SimulatedEntries) -> Vec<Sign> {
    occurring_among(graph, simulated, |_| true)
}

/// The signs of some of the entries, and of the lines and bands at them.
fn occurring_among(graph: &GraphView, simulated: &SimulatedEntries, is_drawn: impl Fn(u32) -> bool) -> Vec<Sign> {
    let mut signs = Vec::new();
    let mut add = |sign: Sign| {
        if !signs.contains(&sign) {
            signs.push(sign);
        }
    };
    // What the shown state of a comparison does not have is hidden.
    let hidden = match graph.compares {
        Some(Presence::Before) => Some((Presence::After, Mark::Added)),
        Some(Presence::After) => Some((Presence::Before, Mark::Removed)),
        Some(Presence::Both) | None => None,
    };
    let is_shown = |node: &NodeView| !hidden.is_some_and(|(_, mark)| node.marks.contains(&mark));
    let nodes = graph.nodes.iter().zip(0..).filter(|(node, at)| is_drawn(*at) && is_shown(node));
    for (node, _) in nodes {
        node.marks.iter().for_each(|mark| add(Sign::Entry(*mark)));
        if node.marks.is_empty() {
            add(if node.form == EntryForm::Box { Sign::Plain } else { Sign::Station });
        }
    }
    let is_there = |edge: &&EdgeView| !hidden.is_some_and(|(presence, _)| edge.presence == presence);
    let edges = graph.edges.iter().filter(is_there).filter(|edge| !edge.quiet);
    for edge in edges.filter(|edge| is_drawn(edge.from) || is_drawn(edge.to)) {
        add(match (edge.presence, edge.ignored) {
            (Presence::After, _) => Sign::AddedEdge,
            (Presence::Before, _) => Sign::RemovedEdge,
            (Presence::Both, true) => Sign::Ignored,
            (Presence::Both, false) => Sign::Update,
        });
    }
    let bands = graph.bands.iter().filter(|band| !band.folded && is_drawn(band.to));
    bands.for_each(|band| add(if band.warns { Sign::Pruning } else { Sign::Range }));
    let marks = simulation_marks(graph, simulated).into_iter().filter(|(at, _)| is_drawn(*at));
    for (_, mark) in marks {
        add(match (mark.installed, mark.chosen) {
            (true, _) => Sign::Installed,
            (false, true) => Sign::Chosen,
            (false, false) => Sign::Before,
        });
    }
    signs
}

/// A sign as a small drawing of 34 by 20 units.
#[must_use]
pub fn shapes(sign: Sign) -> Vec<Shape> {
    let mark = |chosen: bool| SimulationMark { installed: !chosen, chosen, hop: 0, text: String::new() };
    match sign {
        Sign::Station => {
            vec![sample_of(NodeView { width: 10, height: 10, form: EntryForm::Station, ..small() }, None, "")]
        }
        Sign::Plain | Sign::Before => vec![sample(&[], None, "")],
        Sign::Hops => vec![sample(&[], None, " highlighted on-path")],
        Sign::Entry(mark) => vec![sample(&[mark], None, "")],
        Sign::Installed => vec![sample(&[], Some(&mark(false)), "")],
        Sign::Chosen => vec![sample(&[], Some(&mark(true)), "")],
        Sign::Update => edge::shapes(&line(), ""),
        Sign::AddedEdge => edge::shapes(&EdgeView { presence: Presence::After, ..line() }, ""),
        Sign::RemovedEdge => edge::shapes(&EdgeView { presence: Presence::Before, ..line() }, ""),
        Sign::Ignored => edge::shapes(&EdgeView { ignored: true, ..line() }, ""),
        Sign::Range | Sign::Pruning => {
            let class = if sign == Sign::Pruning { "band warns" } else { "band" };
            let shapes = vec![
                Shape::Rect { class: "fill", x: 3, y: 4, width: 28, height: 12, radius: 0 },
                Shape::path("rim", "M3 4V16H31".to_owned()),
            ];
            vec![Shape::Group { class: class.to_owned(), title: None, shapes }]
        }
    }
}

/// A small entry without text. `more` are classes.
fn sample(marks: &[Mark], mark: Option<&SimulationMark>, more: &str) -> Shape {
    sample_of(NodeView { label: "1.2".to_owned(), marks: marks.to_vec(), ..small() }, mark, more)
}

fn small() -> NodeView {
    NodeView { row: 1, at: Point { x: 15, y: 12 }, width: 26, height: 14, ..NodeView::default() }
}

fn sample_of(node: NodeView, mark: Option<&SimulationMark>, more: &str) -> Shape {
    let marks = &node.marks;
    let mut shapes = node::shapes(&node, AxisDirection::Right, mark, None);
    // Only what is struck out needs text to show it.
    shapes.retain(|shape| match shape {
        Shape::Text { class, .. } => *class == "label" && marks.contains(&Mark::NotStartable),
        Shape::Rect { .. } | Shape::Path { .. } | Shape::Group { .. } | Shape::Turned { .. } | Shape::Window { .. } => {
            true
        }
    });
    Shape::Group { class: format!("{}{more}", node::classes(&node, mark)), title: None, shapes }
}

fn line() -> EdgeView {
    edge::straight(Point { x: 4, y: 10 }, Point { x: 31, y: 10 }, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, node};
    use views::EntryKey;

    #[test]
    fn the_legend_has_the_marks_that_are_drawn() {
        let mut graph = graph(&[]);
        graph.nodes = ["a", "b", "c"].map(|name| NodeView { key: key(name), ..node(0, 0, 0) }).to_vec();
        let mut simulated = SimulatedEntries::default();
        simulated.replaced.insert("a".to_owned());
        simulated.installed.insert("b".to_owned());
        simulated.chosen.insert(("c0".to_owned(), "b".to_owned()), 1);
        simulated.step = 1;
        let after_a_plan = occurring(&graph, &simulated);
        assert_eq!(after_a_plan, [Sign::Plain, Sign::Before, Sign::Installed], "what is chosen is installed now");
        simulated.chosen.insert(("c0".to_owned(), "c".to_owned()), 2);
        assert!(occurring(&graph, &simulated).contains(&Sign::Chosen));
    }

    fn key(name: &str) -> EntryKey {
        EntryKey { channel: Some("c0".to_owned()), name: name.to_owned() }
    }
}
