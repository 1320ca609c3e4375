//! A boundary between two regions that can be moved by dragging and by keys.

use crate::dom;
use yew::prelude::*;

/// How far a key moves the boundary, in CSS pixels.
const STEP: i32 = 24;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The id of the region whose size the boundary determines; the style sheet's variable is named after it.
    pub(crate) region: &'static str,
    /// The name of the boundary for screen readers.
    pub(crate) label: &'static str,
    /// Whether the region is on the left of the boundary.
    pub(crate) leads: bool,
    /// The size of the region in CSS pixels; `None` if it is as the style sheet has it.
    pub(crate) size: Option<u32>,
    /// Receives the size when the boundary was moved, and `None` when it was reset.
    pub(crate) on_move: Callback<Option<u32>>,
}

/// A vertical boundary. While it is dragged only the style sheet's variable changes, and nothing is rendered.
#[component]
pub(crate) fn Splitter(props: &Props) -> Html {
    let Props { region, leads, on_move, .. } = props.clone();
    // The pointer's position and the region's size when dragging began.
    let grip = use_mut_ref(|| None::<(i32, i32)>);
    let at = move |grip: (i32, i32), x: i32| (grip.1 + if leads { x - grip.0 } else { grip.0 - x }).max(0);
    let onpointerdown = {
        let grip = grip.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                event.prevent_default();
                dom::capture_pointer(&event);
                *grip.borrow_mut() = Some((event.client_x(), dom::region_width(region)));
            }
        })
    };
    let onpointermove = {
        let grip = grip.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(grip) = *grip.borrow() {
                dom::set_region_width(region, Some(at(grip, event.client_x()).unsigned_abs()));
            }
        })
    };
    let onpointerup = {
        let on_move = on_move.clone();
        Callback::from(move |event: PointerEvent| {
            let moved = grip.borrow_mut().take().filter(|grip| grip.0 != event.client_x());
            if moved.is_some() {
                // The style sheet bounds the size, so that no region vanishes.
                on_move.emit(Some(dom::region_width(region).unsigned_abs()));
            }
        })
    };
    let onkeydown = {
        let on_move = on_move.clone();
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowLeft" if leads => -STEP,
                "ArrowRight" if leads => STEP,
                "ArrowLeft" => STEP,
                "ArrowRight" => -STEP,
                "Enter" => 0,
                _ => return,
            };
            event.prevent_default();
            let size = (dom::region_width(region) + step).max(0).unsigned_abs();
            on_move.emit((step != 0).then_some(size));
        })
    };
    let ondblclick = on_move.reform(|_: MouseEvent| None);
    let text = props.size.map_or_else(|| "automatic".to_owned(), |size| format!("{size} pixels"));
    html! {
        <div class="splitter" data-region={region} role="separator" tabindex="0" aria-orientation="vertical"
            aria-label={props.label} aria-controls={region} aria-valuenow={props.size.unwrap_or_default().to_string()}
            aria-valuetext={text} title="Drag, or press the arrow keys; double-click or Enter resets"
            data-testid={format!("splitter-{region}")} {onpointerdown} {onpointermove} {onpointerup} {onkeydown}
            {ondblclick}></div>
    }
}
