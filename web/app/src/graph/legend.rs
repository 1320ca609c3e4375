//! What the marks of the drawing mean.

use yew::prelude::*;

/// The legend; its colours for heads and installed entries are those of OLM's documentation.
pub(crate) fn legend() -> Html {
    const BOXES: [(&str, &str, &str); 7] = [
        ("head", "head", "Nothing in the channel replaces or skips it"),
        ("installed", "installed", "Installed before the simulation"),
        ("chosen", "chosen", "Chosen by the simulation, in that hop"),
        ("skipped", "skipped", "Another entry skips it by name: it is never installed on the way"),
        ("pruned", "pruned", "No update leads to it; only a skipRange leads out of it"),
        ("ghost", "not in channel", "Named by an edge, but no entry of the channel"),
        ("deprecated", "deprecated", "olm.deprecations names it"),
    ];
    const EDGES: [(&str, &str, &str); 4] = [
        ("replaces", "M1 6H19", "replaces"),
        ("skips", "M1 6H19", "skips"),
        ("ignored", "M1 6H19", "unused by OLM"),
        ("range", "M1 2V10H19", "skipRange covers"),
    ];
    let boxes = BOXES.iter().map(|(class, name, help)| {
        html! { <li title={*help}><svg class="swatch" viewBox="0 0 22 12" aria-hidden="true"><g class={classes!("entry", *class)}>
            <rect class="box" x="1" y="1" width="18" height="10" rx="3" /><rect class="hatched" x="1" y="1" width="18" height="10" rx="3" />
        </g></svg>{ *name }</li> }
    });
    let edges = EDGES.iter().map(|(class, d, name)| {
        html! { <li><svg class="swatch" viewBox="0 0 22 12" aria-hidden="true"><path class={classes!("edge", *class)} d={*d} /></svg>{ *name }</li> }
    });
    html! { <ul class="legend" aria-label="Legend">{ for boxes }{ for edges }</ul> }
}
