//! Exports the drawing as SVG, PNG, Mermaid, DOT or JSON, to a file or the clipboard.

use super::canvas::Props;
use super::lane::ShapeHtml;
use super::print_layout::{PAPER, PrintPart, Sheet, parts};
use super::shape::{Frame, Shape};
use super::simulation_marks::{SimulatedEntries, SimulationMarks, simulation_marks};
use crate::dom;
use crate::kit::{choice, press};
use crate::store::{Action, CatalogsAction, ExploreAction, PageAction, TextPurpose};
use opscope_drawing::{Area, content, picture};
use std::rc::Rc;
use views::{CatalogFormat, Download, GraphFormat, GraphView};
use yew::prelude::*;

/// A PNG has two pixels for each drawing unit, but no side longer than this: browsers refuse larger canvases.
const LARGEST: f64 = 12_000.0;

/// Returns the visible area.
type ExportedArea = Callback<(), Option<(f64, f64, f64, f64)>>;

/// The user's choices for pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choices {
    /// Whether only the visible area is exported.
    view: bool,
    /// Dark or light colours; those of the page if not chosen.
    dark: Option<bool>,
}

/// The choices and formats.
pub(super) fn export(
    props: &Props,
    marks: &Rc<SimulationMarks>,
    area: &ExportedArea,
    choices: &UseStateHandle<Choices>,
) -> Html {
    let now = **choices;
    let dark = now.dark.unwrap_or_else(dom::is_dark);
    let setter = choices.setter();
    let set = Callback::from(move |choices| setter.set(choices));
    let picture = |format| {
        let (marks, area) = (marks.clone(), area.clone());
        move |purpose| draw(props, &marks, &area, (format, purpose), (now.view, dark))
    };
    let text = |format| move |purpose| press(&props.send, ExploreAction::GraphTextAsked { format, purpose });
    let document = |id: &'static str, name: &'static str, format| {
        let what = Download::Package { package: props.graph.package.clone(), format };
        let onclick = press(&props.send, CatalogsAction::DownloadAsked(what));
        html! { <button type="button" data-testid={id} {onclick}>{ name }</button> }
    };
    html! {
        <>
            <h3>{ "Export" }</h3>
                { choice("Part", &[(false, "Everything"), (true, "View")], now.view, &set, |view| {
                    Choices { view, ..now }
                }) }
                { choice("Colours", &[(false, "Light"), (true, "Dark")], dark, &set, |dark| {
                    Choices { dark: Some(dark), ..now }
                }) }
                { row("SVG", &picture(Format::Svg)) }
                { row("PNG", &picture(Format::Png)) }
                <p class="mute">{ "The whole package as text:" }</p>
                { row("Mermaid", &text(GraphFormat::Mermaid)) }
                { row("DOT", &text(GraphFormat::Dot)) }
                { row("JSON", &text(GraphFormat::Json)) }
                <p class="mute">{ "The documents of the package, as opm render prints them:" }</p>
                <div class="row">
                    { document("save-documents-yaml", "Save YAML", CatalogFormat::Yaml) }
                    { document("save-documents-json", "Save JSON", CatalogFormat::Json) }
                </div>
        </>
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

fn row(name: &'static str, act: &dyn Fn(TextPurpose) -> Callback<MouseEvent>) -> Html {
    let id = name.to_lowercase();
    html! {
        <div class="row">
            <span>{ name }</span>
            <button type="button" aria-label={format!("Save {name}")} data-testid={format!("save-{id}")}
                onclick={act(TextPurpose::Save)}>
                { "Save" }
            </button>
            <button type="button" aria-label={format!("Copy {name}")} data-testid={format!("copy-{id}")}
                onclick={act(TextPurpose::Copy)}>
                { "Copy" }
            </button>
        </div>
    }
}

fn draw(
    props: &Props,
    marks: &Rc<SimulationMarks>,
    area: &ExportedArea,
    (format, purpose): (Format, TextPurpose),
    (view, dark): (bool, bool),
) -> Callback<MouseEvent> {
    let (graph, simulated, area, send) =
        (props.graph.clone(), props.simulated.clone(), area.clone(), props.send.clone());
    let marks = marks.clone();
    Callback::from(move |_: MouseEvent| {
        let made = picture(&graph, (&marks, &simulated), dark, if view { area.emit(()) } else { None });
        let name = |ending: &str| format!("{}.{ending}", graph.package.package);
        match (format, purpose) {
            (Format::Svg, TextPurpose::Save) => {
                dom::save_text(&name("svg"), "image/svg+xml", &made.svg);
                send.emit(PageAction::FileSaved(name("svg")).into());
            }
            (Format::Svg, TextPurpose::Copy) => {
                send.emit(PageAction::CopyAsked(made.svg.as_str().into()).into());
            }
            (Format::Png, purpose) => {
                let (width, height) = (f64::from(made.width), f64::from(made.height));
                let scale = (LARGEST / width.max(height)).min(2.0);
                let size = ((width * scale) as u32, (height * scale) as u32);
                let name = (purpose == TextPurpose::Save).then(|| name("png"));
                let (send, made_as) =
                    (send.clone(), name.clone().map_or(PageAction::PictureCopied, PageAction::FileSaved));
                dom::save_picture(name, made.svg, size, move |done| {
                    send.emit(Action::Page(if done { made_as } else { PageAction::CopyBlocked }));
                });
            }
        }
    })
}

// Prints the drawing in parts that fit a sheet, each with its lane names and its axis. If there are too many entries,
// only the visible area is printed, with a note about the rest and the minimap.

/// The most entries that are printed: more would need more than a dozen sheets.
const MOST: usize = 750;
/// A drawing unit is this share of a CSS pixel, or less where the sheet is narrower.
const SHARE: (i32, i32) = (17, 20);

/// The parts of a drawing that are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Printout {
    /// In the order of the sheets.
    parts: Vec<PrintPart>,
    /// A note about entries that are not printed, and how to print them.
    left_out: Option<String>,
}

impl Printout {
    /// Everything or, if that is too much, the visible area.
    pub(super) fn of(graph: &GraphView, area: Option<Area>) -> Self {
        let all: usize = graph.nodes.len();
        if all <= MOST {
            return Self { parts: parts(graph, None, PAPER), left_out: None };
        }
        let mut parts = parts(graph, area, PAPER);
        let count: usize = parts.iter().map(|print_part| print_part.entries(graph).len()).sum();
        let seen = if count == 0 || count > MOST {
            parts.clear();
            format!("zoom in until at most {MOST} entries are visible to print those")
        } else {
            format!("the {count} entries that are visible on the screen follow")
        };
        let text = format!(
            "This graph has {all} entries, too many to print. The overview above shows all of them; {seen}. To get \
             everything, export it as SVG."
        );
        Self { parts, left_out: Some(text) }
    }
}

/// The printed drawing. The style sheet shows it only on paper.
pub(super) fn printout(graph: &GraphView, marks: &SimulationMarks, area: Option<Area>) -> Html {
    let Printout { parts, left_out } = Printout::of(graph, area);
    html! { <div class={if left_out.is_some() { "paper part" } else { "paper" }} data-testid="graph-paper">
        <p>{ left_out }</p>
        { for parts.iter().map(|print_part| sheet(graph, marks, print_part)) }
    </div> }
}

fn sheet(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> Html {
    let (part, shapes) = content(graph, marks, print_part);
    let share = |units: i32| units * SHARE.0 / SHARE.1;
    let at = Frame { width: share(part.width), height: share(part.height), ..part };
    Shape::Window { class: "drawing sheet", at, part, shapes }.html()
}

/// The most entries that are drawn as a whole, within one task of the browser; the largest package in use has some 300.
const MOST_WHOLE: usize = 400;

/// The whole drawing, to look at beside other things, unless it is too large for that.
pub(crate) fn whole(graph: &GraphView, simulated: &SimulatedEntries) -> Option<Html> {
    if graph.nodes.len() > MOST_WHOLE {
        return None;
    }
    let all = Sheet { widest: i32::MAX, tallest: i32::MAX };
    let marks = simulation_marks(graph, simulated);
    let picture = |print_part: PrintPart| {
        let (part, shapes) = content(graph, &marks, &print_part);
        html! {
            <svg class="drawing whole" viewBox={part.view_box()} width={part.width.to_string()}
                height={part.height.to_string()} preserveAspectRatio="xMinYMin" aria-hidden="true">
                { for shapes.into_iter().map(Shape::html) }
            </svg>
        }
    };
    Some(html! { <>{ for parts(graph, None, all).into_iter().map(picture) }</> })
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::{graph, lane as lane_at};
    use views::AxisColumn;

    /// Lanes of 150 entries each.
    fn drawn(lanes: u32) -> GraphView {
        let nodes: Vec<_> = (0..lanes).flat_map(|lane| (0..150).map(move |at| (lane, 160 + 70 * at))).collect();
        let mut graph = graph(&nodes);
        graph.gutter = 110;
        graph.columns = (0..150).map(|at| AxisColumn { x: 160 + 70 * at, width: 50, label: at.to_string() }).collect();
        graph.nodes.iter_mut().for_each(|node| node.column = ((node.at.x - 160) / 70) as u32);
        graph.lanes = (0..i32::try_from(lanes).unwrap()).map(lane_at).collect();
        graph
    }

    fn printed(graph: &GraphView, printout: &Printout) -> usize {
        printout.parts.iter().map(|print_part| print_part.entries(graph).len()).sum()
    }

    #[test]
    fn a_small_graph_is_printed_as_a_whole() {
        let graph = drawn(5);
        let printout = Printout::of(&graph, Some((500, 0, 600, 100)));
        assert_eq!((printed(&graph, &printout), printout.left_out), (750, None));
    }

    #[test]
    fn of_a_large_graph_the_visible_area_is_printed() {
        let graph = drawn(6);
        let printout = Printout::of(&graph, Some((500, 100, 1200, 300)));
        assert_eq!(printed(&graph, &printout), 33);
        let text = printout.left_out.unwrap();
        assert!(text.starts_with("This graph has 900 entries") && text.contains("the 33 entries"), "{text}");
        let all = Printout::of(&graph, Some((0, 0, 90_000, 9000)));
        assert_eq!(all.parts, []);
        assert!(all.left_out.unwrap().contains("at most 750"));
    }
}
