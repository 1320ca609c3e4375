//! Exports the drawing as SVG, PNG, Mermaid, DOT or JSON, to a file or the clipboard.

use super::canvas::Props;
use super::simulation_marks::SimulationMarks;
use crate::dom;
use crate::kit::{choice, press};
use crate::store::{Action, CatalogsAction, ExploreAction, PageAction, TextPurpose};
use opscope_drawing::picture;
use std::rc::Rc;
use views::{CatalogFormat, Download, GraphFormat};
use yew::prelude::*;

/// A PNG has two pixels for each drawing unit, but no side longer than this: browsers refuse larger canvases.
const LARGEST: f64 = 12_000.0;

/// Returns the visible area.
type Area = Callback<(), Option<(f64, f64, f64, f64)>>;

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
    area: &Area,
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
    area: &Area,
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
