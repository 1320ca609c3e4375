//! A tile: the part of the drawing that is added to the page and removed from it as a whole.

use super::scene::{Scene, Tile as Content, TileKey};
use super::shape::{Shape, push};
use super::shape_html::ShapeHtml;
use super::simulation_marks::SimulationMarks;
use super::{band, edge, node};
use crate::store::Shared;
use std::rc::Rc;
use views::{EntryForm, GraphView, Mark, NodeView};
use yew::prelude::*;

/// Zoomed out far, entries closer than this are drawn as one bar.
const APART: i32 = 120;

/// The inputs of a tile.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<GraphView>,
    /// The index of all tiles.
    pub(super) scene: Rc<Scene>,
    pub(super) at: TileKey,
    /// Whether it is drawn without labels.
    pub(super) far: bool,
    /// Whether it is drawn without single entries.
    pub(super) tiny: bool,
    pub(super) marks: SimulationMarks,
    /// The entry that the Tab key stops at, if it is here.
    pub(super) stop: Option<u32>,
    /// The selected entry, if it is here.
    pub(super) selected: Option<u32>,
}

pub(super) fn tile(props: &Props) -> Html {
    let Some(content) = props.scene.tile(props.at, props.far) else { return Html::default() };
    let graph = &*props.graph;
    if props.far {
        let stop = props.stop.filter(|stop| content.nodes.contains(stop));
        return html! {
            <>
                { for far(graph, content, props.tiny).into_iter().map(Shape::html) }
                { for stop.map(|stop| entry(props, stop)) }
            </>
        };
    }
    let bands = content.bands.iter().filter_map(|&at| graph.bands.get(at as usize));
    html! { <>
        { for bands.map(|view| band::shape(graph, view, "", band::EVERYWHERE).html()) }
        { for lines(graph, content, true).into_iter().map(Shape::html) }
        { for content.nodes.iter().map(|&at| entry(props, at)) }
    </> }
}

/// An entry, which can have the focus.
fn entry(props: &Props, at: u32) -> Html {
    let Some(view) = props.graph.drawn(at) else { return Html::default() };
    let (view, mark) = (&*view, props.marks.get(&at));
    let summary = mark.map_or_else(|| view.summary.clone(), |mark| format!("{}; {}", view.summary, mark.text));
    let shapes = node::shapes(view, props.graph.direction, mark, None);
    let words: Vec<&str> = shapes.iter().filter_map(Shape::text).collect();
    // Its accessible name begins with its visible text, which is what people say to a voice control.
    let label = format!("{}, {summary}", words.join(" "));
    html! {
        <g key={at} class={node::classes(view, mark)} id={format!("entry-{at}")} role="button"
            tabindex={if props.stop == Some(at) { "0" } else { "-1" }} aria-label={label}
            aria-pressed={view.fold.is_none().then(|| (props.selected == Some(at)).to_string())}
            data-testid="graph-node" data-index={at.to_string()} data-name={view.key.name.clone()}
            data-channel={view.key.channel.clone()} aria-expanded={view.fold.map(|_| "false")}>
            <title>{ summary }</title>
            { for (view.form != EntryForm::Box).then(|| hit_area(view)) }
            { for shapes.into_iter().map(spaced) }
        </g>
    }
}

/// What receives the pointer around a station, up to the stations beside it.
fn hit_area(view: &NodeView) -> Html {
    const SIZE: i32 = 26;
    let corner = |at: i32| (at - SIZE / 2).to_string();
    html! { <rect class="hit" x={corner(view.at.x)} y={corner(view.at.y)} width={SIZE.to_string()}
    height={SIZE.to_string()} /> }
}

/// A shape; a space separates its text from that of the shape before.
fn spaced(shape: Shape) -> Html {
    if shape.text().is_none() {
        return shape.html();
    }
    html! { <>{ " " }{ shape.html() }</> }
}

/// Edges as one path for each class: the hit test is computed, so edges need no elements of their own.
fn lines(graph: &GraphView, content: &Content, tips: bool) -> Vec<Shape> {
    let edges = || content.edges.iter().filter_map(|&at| graph.edges.get(at as usize));
    let of_class = |class| edges().filter(move |view| edge::class(view) == class).peekable();
    let mut shapes = Vec::new();
    for class in edge::CLASSES {
        let mut edges = of_class(class);
        if edges.peek().is_some() {
            shapes.extend(edge::merged(class, edges, tips));
        }
    }
    shapes
}

/// A far tile: boxes and lines without labels, one path for all of the same class. If it is `tiny`, entries side by
/// side are one bar, which hides the lines between them.
fn far(graph: &GraphView, content: &Content, tiny: bool) -> Vec<Shape> {
    let mut shapes = lines(graph, content, false);
    if tiny {
        // Entries side by side hide the lines between them, but not what a change adds or removes.
        let is_change = |class: &str| class.ends_with("added") || class.ends_with("removed");
        shapes.retain(|shape| matches!(shape, Shape::Path { class, .. } if is_change(class)));
    }
    let mut fills = Fills::default();
    for band in content.bands.iter().filter_map(|&at| graph.bands.get(at as usize)) {
        let d = fills.of(if band.warns { "far-band warns" } else { "far-band" });
        for (left, right) in &band.stretches {
            push(d, format_args!("M{left} {}H{right}v16H{left}z", band.y - 8));
        }
    }
    for (class, Bar { left, right, top, height }) in bars(graph, content, if tiny { APART } else { i32::MIN }) {
        push(fills.of(class), format_args!("M{left} {top}H{right}v{height}H{left}z"));
    }
    shapes.extend(fills.0.into_iter().map(|(class, d)| Shape::path(class, d)));
    shapes
}

/// The box of some entries of the same class.
#[derive(Clone, Copy)]
struct Bar {
    left: i32,
    right: i32,
    top: i32,
    height: i32,
}

/// The entries as bars; entries of the same class that are at most `apart` from each other share one. A bar that
/// continues in the next tile extends up to its first entry there.
fn bars(graph: &GraphView, content: &Content, apart: i32) -> Vec<(&'static str, Bar)> {
    let place = |view: &NodeView| (far_class(view), view.at.x - view.width / 2, view.at.y - view.height / 2);
    let mut bars: Vec<(&'static str, Bar)> = Vec::new();
    for view in content.nodes.iter().filter_map(|&at| graph.nodes.get(at as usize)) {
        let ((class, left, top), height) = (place(view), view.height);
        let right = left + view.width;
        match bars.iter_mut().rfind(|(of, bar)| *of == class && bar.top == top) {
            Some((_, bar)) if left.saturating_sub(bar.right) <= apart => bar.right = bar.right.max(right),
            _ => bars.push((class, Bar { left, right, top, height })),
        }
    }
    let Some(last) = content.nodes.last().and_then(|&at| graph.nodes.get(at as usize)) else { return bars };
    let after = graph.nodes.iter().skip(content.nodes.last().map_or(0, |&at| at as usize + 1));
    let near =
        |view: &&NodeView| view.lane == last.lane && view.at.x.saturating_sub(last.at.x) <= apart.saturating_mul(2);
    let mut looks = Vec::new();
    for (of, left, at_top) in after.take_while(near).map(place) {
        if looks.contains(&(of, at_top)) {
            continue;
        }
        looks.push((of, at_top));
        let bar = bars.iter_mut().rfind(|(class, bar)| *class == of && bar.top == at_top);
        if let Some((_, bar)) = bar.filter(|(_, bar)| (1..=apart).contains(&left.saturating_sub(bar.right))) {
            bar.right = left;
        }
    }
    bars
}

/// Paths by class, in the order of their first use.
#[derive(Default)]
struct Fills(Vec<(&'static str, String)>);

impl Fills {
    fn of(&mut self, class: &'static str) -> &mut String {
        let at = self.0.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            self.0.push((class, String::new()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

fn far_class(node: &NodeView) -> &'static str {
    let has = |mark: Mark| node.marks.contains(&mark);
    if has(Mark::Added) {
        "far-node added"
    } else if has(Mark::Removed) {
        "far-node removed"
    } else if has(Mark::Harmed) {
        "far-node harmed"
    } else if has(Mark::AtRisk) {
        "far-node at-risk"
    } else if has(Mark::Head) {
        "far-node head"
    } else if has(Mark::Stranded) || has(Mark::NoBundle) || has(Mark::BadRange) {
        "far-node wrong"
    } else if has(Mark::Ghost) || has(Mark::Pruned) {
        "far-node faint"
    } else {
        "far-node"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::graph;

    #[test]
    fn tiny_entries_side_by_side_are_one_bar() {
        let mut graph = graph(&[(0, 0), (0, 70), (0, 140), (0, 900), (0, 970)]);
        graph.nodes[2].at.y = 40;
        graph.nodes[4].marks = vec![Mark::Head];
        let content = Content { nodes: (0..5).collect(), ..Content::default() };
        let drawn = |apart| {
            let bars = bars(&graph, &content, apart);
            bars.into_iter().map(|(class, bar)| (class, bar.left, bar.right)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(i32::MIN).len(), 5);
        let expected =
            [("far-node", -25, 95), ("far-node", 115, 165), ("far-node", 875, 925), ("far-node head", 945, 995)];
        assert_eq!(drawn(APART), expected);
    }

    #[test]
    fn zoomed_out_the_marks_of_a_change_come_first() {
        let mut graph = graph(&[(0, 0)]);
        let mut class = |marks: &[Mark]| {
            graph.nodes[0].marks = marks.to_vec();
            far_class(&graph.nodes[0])
        };
        assert_eq!(class(&[Mark::Head, Mark::Added]), "far-node added");
        assert_eq!(class(&[Mark::Ghost, Mark::Removed, Mark::Harmed]), "far-node removed");
        assert_eq!(class(&[Mark::Head, Mark::Harmed]), "far-node harmed");
    }

    #[test]
    fn a_bar_continues_into_the_next_tile() {
        let graph = graph(&[(0, 0), (0, 70), (0, 140), (0, 400), (1, 420)]);
        let drawn = |nodes: &[u32]| {
            let content = Content { nodes: nodes.to_vec(), ..Content::default() };
            bars(&graph, &content, APART).into_iter().map(|(_, bar)| (bar.left, bar.right)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(&[0]), [(-25, 45)], "up to the first entry of the next tile");
        assert_eq!(drawn(&[1, 2]), [(45, 165)], "which is too far away, or in another lane");
        assert_eq!(drawn(&[3]), [(375, 425)]);
    }
}
