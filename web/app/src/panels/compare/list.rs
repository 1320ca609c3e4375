//! The packages of a comparison by what the change does to clusters, in the place of the list of packages.

use super::super::set::set_list;
use super::{is_side_missing, severity};
use crate::kit::press;
use crate::parts::sign_of;
use crate::store::{Action, CompareAction, Shared, State, Tab, compared, shown_package};
use std::collections::BTreeSet;
use views::{CatalogId, ComparedPackage, ComparisonView, Level, Overview, PackageKey};
use yew::prelude::*;

/// The list in the Compare tab; `None` if nothing is compared.
pub(crate) fn compared_list(state: &State, send: &Callback<Action>) -> Option<Html> {
    let asked = compared(state).filter(|_| state.tab == Tab::Compare)?;
    let view = state.compare.view(&asked).filter(|view| view.is_read && !is_side_missing(state, &asked))?;
    Some(html! { <ComparedPackages view={view.clone()} overview={state.overview.clone()} after={asked.after.catalog}
    shown={shown_package(state)} send={send.clone()} /> })
}

#[derive(Clone, PartialEq, Properties)]
struct Props {
    view: Shared<ComparisonView>,
    overview: Shared<Overview>,
    /// The catalog after the change.
    after: CatalogId,
    /// The package that is shown.
    shown: Option<String>,
    send: Callback<Action>,
}

#[component]
fn ComparedPackages(props: &Props) -> Html {
    let Props { view, overview, after, .. } = props;
    let known: BTreeSet<&str> = view.packages.iter().map(|row| row.key.package.as_str()).collect();
    let (new, same): (Vec<&PackageKey>, Vec<&PackageKey>) = overview
        .packages
        .iter()
        .map(|row| &row.key)
        .filter(|key| key.catalog == *after && !known.contains(key.package.as_str()))
        .partition(|key| view.added.contains(&key.package));
    let changed = |title: &'static str, levels: &[Level]| {
        let rows = view.packages.iter().filter(|row| row.levels.worst().is_none_or(|worst| levels.contains(&worst)));
        group(title, rows.map(|row| changed_row(row, props)).collect())
    };
    let unchanged = |title, keys: &[&PackageKey]| {
        group(title, keys.iter().map(|key| row(key, html! { <i></i> }, String::new(), None, props)).collect())
    };
    let rest = if view.following.is_some() { "No change of their own" } else { "Nothing changes" };
    html! {
        <nav id="packages" class="packages" aria-label="Packages" data-testid="compared-list">
            { set_list(&overview.sets, &props.send) }
            <div class="list">
                { changed("Breaking", &[Level::Breaking]) }
                { changed("Risky", &[Level::Risky]) }
                { changed("As expected", &[Level::Neutral, Level::Good]) }
                { unchanged("New", &new) }
                { unchanged(rest, &same) }
            </div>
        </nav>
    }
}

fn group(title: &'static str, rows: Vec<Html>) -> Html {
    html! { if !rows.is_empty() {
        <section aria-label={format!("Packages: {title}")}>
            <h2>{ title }<span>{ rows.len() }</span></h2>
            <ul>{ for rows }</ul>
        </section>
    } }
}

/// A package with differences: how many of its installed versions and changes have the worst level.
fn changed_row(of: &ComparedPackage, props: &Props) -> Html {
    let worst = of.levels.worst();
    let count = worst.and_then(|worst| of.levels.0.get(Level::ALL.iter().position(|level| *level == worst)?));
    let words = match worst {
        Some(Level::Breaking) => "break",
        Some(Level::Risky) => "at risk",
        Some(Level::Neutral | Level::Good) | None => "changed",
    };
    let count = count.map(|count| format!("{count} {words}")).unwrap_or_default();
    row(&of.key, sign_of(severity(of.levels)), count, Some(of.sentence.clone()), props)
}

fn row(key: &PackageKey, sign: Html, count: String, title: Option<String>, props: &Props) -> Html {
    let onclick = press(&props.send, CompareAction::PackageChosen(key.clone()));
    let current = props.shown.as_ref() == Some(&key.package);
    html! { <li key={key.package.clone()}>
        <button type="button" data-testid="compared-package" aria-current={current.then_some("true")} {title} {onclick}>
            { sign }<span class="name">{ &key.package }</span><small>{ count }</small>
        </button>
    </li> }
}
