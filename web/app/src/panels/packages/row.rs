//! The packages of one name in the list: a row, or a name with a row for each catalog that has it.

use super::Props;
use crate::kit::{plural, press, prose};
use crate::parts::{Icon, counts};
use crate::store::{Action, NavigationAction};
use views::PackageRow;
use yew::prelude::*;

/// The packages of one name.
pub(super) fn rows(props: &Props, group: &[&PackageRow]) -> Html {
    let [first, ..] = group else { return Html::default() };
    let name = &first.key.package;
    if let [row] = group {
        return html! { <li key={key(row)}>{ row_button(props, row, true) }</li> };
    }
    let url = group.iter().find_map(|row| props.icons.get(&row.key));
    let pills = group.iter().map(|row| html! { <li key={key(row)}>{ row_button(props, row, false) }</li> });
    // The name leads to the selected one of them, else to the first.
    let chosen = group.iter().find(|row| props.selected.as_ref() == Some(&row.key)).unwrap_or(first);
    let onclick = press(&props.send, Action::Navigation(NavigationAction::PackageSelected(chosen.key.clone())));
    html! { <li key={name.clone()} class="group">
        <button type="button" data-testid="package-name" {onclick}>
            <Icon name={name.clone()} url={url.cloned()} /><span class="name">{ name }</span>
        </button>
        <ul aria-label={format!("Catalogs with {name}")}>{ for pills }</ul>
    </li> }
}

fn key(row: &PackageRow) -> String {
    format!("{} {}", row.key.catalog.0, row.key.package)
}

/// The button that selects a package. One of several with the same name shows its catalog instead of the name.
fn row_button(props: &Props, row: &PackageRow, is_alone: bool) -> Html {
    let onclick = press(&props.send, Action::Navigation(NavigationAction::PackageSelected(row.key.clone())));
    let current = props.selected.as_ref() == Some(&row.key);
    let several = props.overview.catalogs.len() > 1;
    let catalog = props.overview.catalogs.iter().find(|catalog| catalog.id == row.key.catalog).filter(|_| several);
    let channel = row.default_channel.as_deref().unwrap_or("no default channel");
    let bundles = row.bundles as usize;
    let head = html! { <>{ channel }if let Some(head) = &row.head { { " → " }<span class="mono">{ head }</span> }
    <span class="wide-only">{ format!(" · {bundles} bundle{}", plural(bundles)) }</span></> };
    // What follows the first semicolon are details.
    let problem = row.problem.as_deref().and_then(|text| text.split("; ").next());
    let problem =
        problem.map(|text| html! { <span class="problem wide-only" title={text.to_owned()}>{ prose(text) }</span> });
    html! {
        <button type="button" data-testid="package-row" data-name={row.key.package.clone()}
            class={classes!((!is_alone).then_some("pill"))} aria-current={current.then_some("true")} {onclick}>
            if is_alone {
                <Icon name={row.key.package.clone()} url={props.icons.get(&row.key).cloned()} />
                <span class="name">{ &row.key.package }</span>
                { counts(row.findings) }
                <small>{ head }if let Some(catalog) = catalog { { " · " }{ &catalog.name } }</small>
                { for problem }
            } else {
                <small>if let Some(catalog) = catalog { <b>{ &catalog.name }</b>{ " " } }{ head }</small>
                { for problem }
                { counts(row.findings) }
            }
        </button>
    }
}
