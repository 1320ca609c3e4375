//! What OLM finds when updates change CustomResourceDefinitions.

use super::Props;
use super::links::entry_link;
use crate::kit::{grouped, press, prose};
use crate::parts::{fold, folded_list};
use crate::store::ExploreAction;
use views::{CrdChangesView, CrdHop, CrdRemark, Runtime};
use yew::prelude::*;

/// The list is folded if it is longer.
const OPEN: usize = 4;

/// The section of the package: a button, and then the answer.
pub(super) fn of_package(props: &Props) -> Html {
    let ask = press(&props.send, ExploreAction::CrdsAsked);
    let body = match props.crds.as_deref() {
        None => html! {
            <button type="button" data-testid="crds-ask" onclick={ask}
                title="Compare the CustomResourceDefinitions of all updates of the package">
                { "Compare all updates" }
            </button>
        },
        Some(view) if view.summary.is_empty() => html! { <p tabindex="-1">{ "OLM makes no update." }</p> },
        Some(view) => html! {
            <>
                <p tabindex="-1">{ prose(&view.summary) }{ "." }</p>
                if !view.hops.is_empty() {
                    <details open={view.hops.len() <= OPEN}>
                        <summary>{ "Each update" }</summary>
                        { hops(view, props) }
                    </details>
                }
            </>
        },
    };
    fold(
        "CRD changes",
        "",
        false,
        html! { <section data-testid="crd-changes" aria-label="CRD changes">{ body }
        </section> },
    )
}

/// The section of an entry from which OLM makes an update.
pub(super) fn of_entry(view: &CrdChangesView, props: &Props) -> Html {
    html! { <section data-testid="crd-changes" aria-label="CRD changes of the next update">{ hops(view, props) }
    </section> }
}

fn hops(view: &CrdChangesView, props: &Props) -> Html {
    html! { <ul class="changes crds">{ for view.hops.iter().map(|row| hop(row, props)) }</ul> }
}

fn hop(row: &CrdHop, props: &Props) -> Html {
    let link = |name: &String| entry_link(None, name, &props.send);
    // With OLM v0 alone, the runtime goes without saying.
    let runtime = match row.runtime {
        _ if !props.has_v1 => "",
        Runtime::V0 => " (OLM v0)",
        Runtime::V1 => " (OLM v1)",
        Runtime::Both => " (OLM v0 and v1)",
    };
    html! {
        <li data-testid="crd-hop">
            <div class="hop">
                { folded_list(row.from.iter().map(link).collect()) }{ " → " }{ link(&row.to) }
                <span class="mute">{ runtime }</span>
            </div>
            { for row.unknown.iter().map(|text| html! { <p class="mute">{ prose(text) }{ "." }</p> }) }
            if row.remarks.is_empty() && row.unknown.is_none() {
                <p>{ "Nothing found." }</p>
            } else {
                <ul>{ for grouped(&row.remarks, |row| (&row.crd, row.kind)).into_iter().map(remarks) }</ul>
            }
        </li>
    }
}

/// The remarks of one kind about one CustomResourceDefinition.
fn remarks(rows: Vec<&CrdRemark>) -> Html {
    let Some(first) = rows.first() else { return Html::default() };
    let name = (!first.crd.is_empty()).then(|| html! { <><code>{ &first.crd }</code>{ ": " }</> });
    let text = |row: &&CrdRemark| {
        if row.kind.is_of_olm() {
            html! { <code>{ &row.text }</code> }
        } else {
            prose(&row.text)
        }
    };
    let texts = match &rows[..] {
        [one] if one.text.is_empty() => Html::default(),
        [one] => html! { <>{ ": " }{ text(one) }</> },
        all => html! { <ul>{ for all.iter().map(|row| html! { <li>{ text(row) }</li> }) }</ul> },
    };
    html! { <li>{ for name }{ first.kind.words() }{ texts }</li> }
}
