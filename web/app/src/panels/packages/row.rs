//! The packages of one name in the list: a row, or a name with a row for each catalog that has it.

use super::Props;
use crate::kit::{press, prose};
use crate::parts::sign_of;
use crate::store::NavigationAction;
use views::{PackageRow, Severity};
use yew::prelude::*;

/// The packages of one name, each with the rank of the name.
pub(super) fn rows(props: &Props, group: &[(u32, &PackageRow)]) -> Html {
    let [(_, first), ..] = group else { return Html::default() };
    let name = &first.key.package;
    if let [(_, row)] = group {
        return html! { <li key={key(row)}>{ row_button(props, row, true) }</li> };
    }
    let pills = group.iter().map(|(_, row)| html! { <li key={key(row)}>{ row_button(props, row, false) }</li> });
    // The name leads to the selected one of them, else to the first.
    let chosen =
        group.iter().map(|(_, row)| row).find(|row| props.selected.as_ref() == Some(&row.key)).unwrap_or(first);
    let onclick = press(&props.send, NavigationAction::PackageSelected(chosen.key.clone()));
    html! { <li key={name.clone()} class="group">
        <button type="button" data-testid="package-name" {onclick}><i></i><span class="name">{ name }</span></button>
        <ul aria-label={format!("Catalogs with {name}")}>{ for pills }</ul>
    </li> }
}

fn key(row: &PackageRow) -> String {
    format!("{} {}", row.key.catalog.0, row.key.package)
}

/// The button that selects a package: its worst problem as a sign, its name and the head of its default channel. One
/// of several with the same name shows its catalog instead of the name.
fn row_button(props: &Props, row: &PackageRow, is_alone: bool) -> Html {
    let onclick = press(&props.send, NavigationAction::PackageSelected(row.key.clone()));
    let current = props.selected.as_ref() == Some(&row.key);
    let catalog = props.overview.catalogs.iter().find(|catalog| catalog.id == row.key.catalog);
    let name = if is_alone { Some(&row.key.package) } else { catalog.map(|catalog| &catalog.name) };
    let problem = row.problem(props.runtime);
    let message = problem.message.as_deref().and_then(|text| text.split("; ").next());
    let sign = match problem.rank {
        // Versions that OLM never updates are as bad as an error.
        0..=2 => sign_of(Some(Severity::Error)),
        3 => sign_of(Some(Severity::Warning)),
        _ => html! { <i></i> },
    };
    let channel = row.default_channel.as_deref().unwrap_or("no default channel");
    html! {
        <button type="button" data-testid="package-row" data-name={row.key.package.clone()}
            class={classes!((!is_alone).then_some("pill"))} aria-current={current.then_some("true")}
            title={message.map(str::to_owned)} {onclick}>
            { sign }<span class="name">{ name }</span>
            { for message.map(|text| html! { <span class="problem">{ prose(text) }</span> }) }
            <small class="mono" title={channel.to_owned()}>{ row.head.as_deref().unwrap_or("no head") }</small>
        </button>
    }
}
