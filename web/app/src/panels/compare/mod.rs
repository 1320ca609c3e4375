//! The Compare tab: what a change to a catalog does to installed versions.

mod group;
mod sides;

use super::set::set_list;
use crate::graph::whole;
use crate::kit::{on_input, plural, press, prose};
use crate::parts::{answer, diff, place_link, repair_all, repairs, rule_link, sign_of, tally};
use crate::store::{
    Action, CompareAction, NavigationAction, Shared, State, Tab, compared, edits, running, shown_package, shows_change,
};
use group::{Rows, cluster, group};
use opscope_drawing::SimulatedEntries;
use sides::{is_side_missing, mirror, missing_side, side_tools};
use std::collections::BTreeSet;
use views::{
    CatalogId, ChangeView, ComparedPackage, ComparisonView, DocumentDiff, GroupView, Level, LevelCounts, LineView,
    Overview, PackageComparisonView, PackageKey, Presence, Severity, SideKey, SourceDiff,
};
use yew::prelude::*;

pub(super) use group::comparison_rule;
pub(crate) use sides::release;

/// The most packages that are told at once.
const TOLD: usize = 20;

pub(crate) fn compare(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let Some(asked) = compared(state) else { return html! { <p class="mute waiting">{ "No package is loaded." }</p> } };
    let view = state.compare.view(&asked);
    let shown = shown_package(state);
    let detail = shown.as_deref().and_then(|package| state.compare.detail(&asked, package));
    html! {
        <section class="compare" role="tabpanel" aria-label="Compare" data-testid="compare">
            { side_tools(state, &asked, view.is_some(), send, picked) }
            <div class="scroll" tabindex="-1">
                if let Some(found) = &state.image_set { { mirror(state, found, send) } }
                { progress(state, view.map(|view| &**view), detail, send) }
                { match view {
                    Some(view) => all(state, &asked, view, shown.as_deref(), detail, send, picked),
                    None => outdated(state, send, picked),
                } }
            </div>
        </section>
    }
}

/// The comparison of other states, until that of the chosen ones arrives.
fn outdated(state: &State, send: &Callback<Action>, picked: &Callback<Event>) -> Html {
    let Some((of, view)) = state.compare.last().filter(|_| !running(state).is_empty()) else { return Html::default() };
    let shown = shown_package(state);
    let detail = shown.as_deref().and_then(|package| state.compare.detail(of, package));
    html! { <div class="outdated" inert=true aria-busy="true">{
        all(state, of, view, shown.as_deref(), detail, send, picked)
    }</div> }
}

/// That the worker compares, with the button that stops it; or that it was stopped. A screen reader announces the
/// comparison once, and not each package.
fn progress(
    state: &State,
    view: Option<&ComparisonView>,
    detail: Option<&Shared<PackageComparisonView>>,
    send: &Callback<Action>,
) -> Html {
    let left = view.map_or(0, |view| view.left as usize);
    if running(state).is_empty() {
        let were = if left == 1 { " was" } else { "s were" };
        return html! { if left > 0 {
            <p class="remark" role="status" data-testid="compare-stopped">
                { format!("Stopped: {left} package{were} not compared.") }</p>
        } };
    }
    // A comparison that takes only a moment keeps the previous answer on the screen.
    if left == 0 && view.is_some() && detail.is_some_and(|detail| detail.left == 0) {
        return Html::default();
    }
    let stop = press(send, CompareAction::Stopped);
    let text = if detail.is_some() && left == 0 { "Looking for causes and fixes…" } else { "Comparing…" };
    html! {
        <p class={if view.is_some() { "remark" } else { "waiting" }} data-testid="comparing">
            <span role="status">{ text }</span>
            <span aria-live="off">
                { if left > 0 { format!(" {left} package{} left ", plural(left)) } else { " ".to_owned() } }</span>
            <button type="button" data-testid="stop-comparing" title="Show what was found so far" onclick={stop}>
                { "Stop" }</button>
        </p>
    }
}

fn all(
    state: &State,
    asked: &views::Compared,
    view: &ComparisonView,
    shown: Option<&str>,
    detail: Option<&Shared<PackageComparisonView>>,
    send: &Callback<Action>,
    picked: &Callback<Event>,
) -> Html {
    let is_missing = is_side_missing(state, asked) && view.not_comparable.is_empty();
    // Then the tab is about this package alone.
    let is_alone = shown.is_some_and(|shown| view.packages.iter().all(|row| row.key.package == shown));
    html! { <>
        if !view.not_comparable.is_empty() {
            <div class="not-comparable" role="status" data-testid="not-comparable">
                <ul>{ for view.not_comparable.iter().map(|text| html! { <li>{ prose(text) }</li> }) }</ul>
                if let Some(text) = &view.following { <p data-testid="compare-following">{ prose(text) }{ "." }</p> }
            </div>
        }
        if is_missing {
            { missing_side(send, picked) }
        } else if view.is_read {
            <div class="summary" data-testid="compare-summary">
                if is_alone {
                    { headline(view, shown.unwrap_or_default(), detail, send) }
                } else {
                    { answer(
                        severity(view.levels), &format!("{}.", view.sentence), Html::default(), None, "compare-answer",
                    ) }
                }
                { bar(view) }
            </div>
            if let Some(view) = state.compare.cluster(asked) { { cluster(view, send) } }
            { packages(view, shown.is_none(), send) }
            if let Some(shown) = shown.filter(|_| !is_alone) {
                <div class="of-package" data-testid="compared-headline">
                    { headline(view, shown, detail, send) }
                </div>
            }
            { for detail.and_then(|detail| drawing(state, &detail.package)) }
            { for detail.map(|detail| package(state, detail, send)) }
        }
        { levels(state, view, send) }
    </> }
}

/// What happens to the installed versions of the shown package, in one sentence.
fn headline(
    view: &ComparisonView,
    shown: &str,
    detail: Option<&Shared<PackageComparisonView>>,
    send: &Callback<Action>,
) -> Html {
    let sentence = detail.map(|detail| detail.sentence.as_str());
    let listed = view.packages.iter().find(|row| row.key.package == shown);
    let sentence = sentence.or_else(|| listed.map(|row| row.sentence.as_str()));
    let sentence = sentence.unwrap_or("no effect on clusters");
    let levels = listed.map(|row| row.levels).unwrap_or_default();
    let actions = html! { <span class="acts">
        { for detail.and_then(|detail| repair_all(&detail.repairs, 2, send)) }{ for show_in_graph(detail, send) }
    </span> };
    answer(severity(levels), &format!("`{shown}`: {sentence}."), Html::default(), Some(actions), "compare-answer")
}

/// How the worst level looks.
fn severity(levels: LevelCounts) -> Option<Severity> {
    match levels.worst() {
        Some(Level::Breaking) => Some(Severity::Error),
        Some(Level::Risky) => Some(Severity::Warning),
        Some(Level::Neutral | Level::Good) | None => None,
    }
}

/// The installed versions of the packages with differences as one bar.
fn bar(view: &ComparisonView) -> Html {
    let LevelCounts([breaking, risky, neutral, good]) = view.rows;
    let parts = [
        (breaking, "error", "break".to_owned()),
        (risky, "warning", if risky == 1 { "is at risk" } else { "are at risk" }.to_owned()),
        (neutral + good, "fine", "change without harm".to_owned()),
        (view.rows_unchanged, "rest", "unchanged".to_owned()),
    ];
    html! { if breaking + risky + neutral + good > 0 { { tally(&parts, "compare-tally") } } }
}

/// Both states in one drawing, which the groups below say in words.
fn drawing(state: &State, package: &str) -> Option<Html> {
    let graph = state.compare.drawing.as_ref().or(state.graph.as_ref())?;
    if graph.compares != Some(Presence::Both) || graph.package.package != package {
        return None;
    }
    let drawn = whole(graph, &SimulatedEntries::default())?;
    Some(html! {
        <div class="whole-drawing" tabindex="0" role="img" data-testid="compare-drawing"
            aria-label={format!("The updates of {} before and after the change", graph.package.package)}>
            { drawn }
        </div>
    })
}

/// The button that shows the changes in the graph.
fn show_in_graph(detail: Option<&Shared<PackageComparisonView>>, send: &Callback<Action>) -> Option<Html> {
    detail.filter(|detail| detail.is_shown_in_graph())?;
    let onclick = press(send, CompareAction::GraphShown(Some(Presence::Both)));
    Some(html! { <button type="button" data-testid="compare-graph" {onclick}>{ "Show in graph" }</button> })
}

/// What happens to the packages with differences while none of them is shown, the worst first, and how many others
/// there are.
fn packages(view: &ComparisonView, is_none_shown: bool, send: &Callback<Action>) -> Html {
    let row = |row: &ComparedPackage| {
        let onclick = press(send, CompareAction::PackageChosen(row.key.clone()));
        html! { <li><button type="button" data-testid="compared-sentence" {onclick}>
            { sign_of(severity(row.levels)) }<b>{ &row.key.package }</b><span>{ prose(&row.sentence) }</span>
        </button></li> }
    };
    let (first, rest) = view.packages.split_at(view.packages.len().min(TOLD));
    let unchanged = view.unchanged as usize;
    let verb = if view.unmirrored == 1 { " is" } else { "s are" };
    html! { <section class="compared-packages" aria-label="Packages with differences">
        if is_none_shown {
            <ul class="packages-of">{ for first.iter().map(row) }</ul>
            if !rest.is_empty() { <p class="mute">{ format!("{} more packages are in the list.", rest.len()) }</p> }
        }
        if !view.added.is_empty() { <p>{ new_packages(&view.added) }</p> }
        if view.unmirrored > 0 { <p class="mute">
            { format!("{} package{verb} not mirrored.", view.unmirrored) }</p> }
        if view.beside_fragment > 0 { <p class="mute" data-testid="compare-fragment">
            { format!("{} of the packages before are not compared: what is compared with them is a fragment.",
                view.beside_fragment) }</p> }
        if unchanged > 0 && !(view.packages.is_empty() && unchanged == 1) {
            <p class="mute" data-testid="compare-unchanged">
                { format!("{unchanged} package{}: no effect on clusters.", plural(unchanged)) }</p>
        }
    </section> }
}

fn new_packages(names: &[String]) -> String {
    const FEW: usize = 5;
    let more = match names.len().saturating_sub(FEW) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let some = names.iter().take(FEW).map(String::as_str).collect::<Vec<_>>().join(", ");
    format!("New package{}: {some}{more}.", plural(names.len()))
}

fn package(state: &State, view: &Shared<PackageComparisonView>, send: &Callback<Action>) -> Html {
    let (under_v1, under_v0): (Vec<&GroupView>, Vec<&GroupView>) =
        view.different_groups().partition(|group| group.is_v1);
    html! { <div class="compared">
        { groups("What happens to installed versions", "Installed versions", &under_v0, send) }
        { repairs(&view.repairs, send) }
        { groups("What happens under OLM v1", "Installed versions under OLM v1", &under_v1, send) }
        if !view.changes.is_empty() {
            <section aria-label="Other changes"><h3>{ "What else changed" }</h3>
                <ul class="changes">{ for view.changes.iter().map(|row| change(row, send)) }</ul></section>
        }
        { source(&view.source) }
        if !view.rows.is_empty() {
            <details class="all-rows" data-testid="compare-rows"><summary>
                { all_rows(view.rows.len()) }</summary>
                <Rows view={view.clone()} filter={state.compare.filter.clone()} send={send.clone()} /></details>
        }
    </div> }
}

/// The title of the table of all installed versions.
fn all_rows(count: usize) -> String {
    if count == 1 { "The only installed version".to_owned() } else { format!("All {count} installed versions") }
}

/// The groups of one runtime. The first one is open if it is that of OLM v0.
fn groups(title: &'static str, name: &'static str, rows: &[&GroupView], send: &Callback<Action>) -> Html {
    let row = |(at, row): (usize, &&GroupView)| group(row, at == 0 && !row.is_v1, send);
    html! {
        if !rows.is_empty() {
            <section class="groups" aria-label={name}><h3>{ title }</h3>
                { for rows.iter().enumerate().map(row) }</section>
        }
    }
}

/// What differs in the text, document by document.
fn source(source: &SourceDiff) -> Html {
    let document = |document: &DocumentDiff| {
        let more = (document.more > 0).then(|| format!("… {} more lines", document.more));
        html! { <section aria-label={document.title.clone()}><h4>{ &document.title }</h4>
        { diff(&document.lines.iter().map(|line| (None, line.clone())).collect::<Vec<_>>(), more) }</section> }
    };
    if source.documents.is_empty() {
        return Html::default();
    }
    let count = source.documents.len() + source.more as usize;
    html! { <details class="all-rows" data-testid="compare-source"><summary>
        { format!("{count} changed document{}, as a diff", plural(count)) }</summary>
        { for source.documents.iter().map(document) }
        if source.more > 0 { <p class="mute">{ format!("{} more documents changed.", source.more) }</p> }
    </details> }
}

fn change(row: &ChangeView, send: &Callback<Action>) -> Html {
    html! { <li data-testid="change">{ level(row.level) }{ " " }{ prose(&row.text) }
    { for row.place.as_ref().map(|place| html! { <>{ " " }{ line_link(place, send) }</> }) }
    { " " }{ rule_link(&row.rule, "rule", send) }</li> }
}

/// A link to a line; a line before edits is named only.
fn line_link(line: &LineView, send: &Callback<Action>) -> Html {
    if line.is_present {
        place_link(Some(&line.path), line.place, send)
    } else {
        html! { <span class="mute">{ format!("{}:{} as opened", line.path, line.place.line) }</span> }
    }
}

/// The user's levels for the rules.
fn levels(state: &State, view: &ComparisonView, send: &Callback<Action>) -> Html {
    let oninput = on_input(send, CompareAction::LevelsTyped);
    html! { <details class="levels" data-testid="compare-levels"><summary>{ "Levels" }</summary>
        <label>{ "YAML, a rule in each line, such as " }<code>{ "v0-next-changed: breaking" }</code>
            { ", with breaking, risky, neutral, good or off. " }<code>{ "opscope compare --levels" }</code>
            { " takes the same text." }
            <textarea rows="4" spellcheck="false" data-testid="levels-text" value={state.compare.levels.clone()}
                {oninput} /></label>
        if !view.level_faults.is_empty() {
            <ul class="error" role="alert" data-testid="level-faults">
                { for view.level_faults.iter().map(|text| html! { <li>{ prose(text) }</li> }) }</ul>
        }
    </details> }
}

/// The name of a level, with a sign of its own shape.
const fn level_words(level: Level) -> (&'static str, &'static str, &'static str) {
    match level {
        Level::Breaking => ("breaking", "✕", "error"),
        Level::Risky => ("risky", "▲", "warning"),
        Level::Neutral => ("neutral", "·", "plain"),
        Level::Good => ("good", "✓", "fine"),
    }
}

pub(super) fn level(level: Level) -> Html {
    let (name, sign, class) = level_words(level);
    html! { <span class={classes!("badge", "level", class)}>{ sign }{ " " }{ name }</span> }
}

// The line below the editor that says what the edits do to installed versions.

/// What the edits of the open catalog do to installed versions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EditEffect {
    /// Of what: the edits, or the compared change that the graph shows.
    subject: &'static str,
    worst: Option<Level>,
    /// What happens to the worst package.
    text: String,
}

/// The effect of the edits of the open catalog, once it is known.
pub(crate) fn edit_effect(state: &State) -> Option<EditEffect> {
    let edits = edits(state).filter(|_| state.tab != Tab::Compare)?;
    let asked = compared(state)?;
    let view = state.compare.view(&asked).filter(|view| view.left == 0)?;
    let subject = if (asked.before, asked.after) == edits { "Your edits" } else { "The change" };
    let worst = view.packages.split_first().map(|(worst, rest)| {
        let more = if rest.is_empty() { String::new() } else { format!("; {} more changed", rest.len()) };
        let harmed = if worst.harmed.is_empty() { String::new() } else { format!(". Harmed: {}", worst.harmed) };
        format!("`{}`: {}{more}{harmed}", worst.key.package, worst.sentence)
    });
    let text = sentences(view.not_comparable.first(), worst, view);
    let text = if text.is_empty() { "no effect on clusters".to_owned() } else { text };
    Some(EditEffect { subject, worst: view.levels.worst(), text })
}

/// What a change does by itself, after why the catalog is not served and before what follows from that.
fn sentences(cause: Option<&String>, change: Option<String>, view: &ComparisonView) -> String {
    let said = cause.cloned().into_iter().chain(change).chain(view.following.clone());
    said.collect::<Vec<_>>().join(". ")
}

/// The line, with a button that shows the comparison.
pub(crate) fn edit_effect_line(effect: &EditEffect, send: &Callback<Action>) -> Html {
    let onclick = press(send, CompareAction::EditsShown);
    html! { <div class="tools effect" role="status" data-testid="edit-effect">
        <span class="mute">{ effect.subject }</span>{ for effect.worst.map(level) }<span>{ prose(&effect.text) }</span>
        <button type="button" class="link" data-testid="compare-edits" {onclick}>{ "Compare" }</button>
    </div> }
}

/// Why a catalog is not served, unless the overview says it already.
fn cause<'v>(state: &State, after: SideKey, view: &'v ComparisonView) -> Option<&'v String> {
    let is_said = state.selection.whole == Some(after.catalog)
        && state.catalog(after.catalog).is_some_and(|row| row.rejection.is_some());
    view.not_comparable.first().filter(|_| !is_said)
}

/// What changed between the states of the catalog whose overview is shown, in one line with a button that shows the
/// comparison.
pub(crate) fn change_line(state: &State, send: &Callback<Action>) -> Html {
    let Some(asked) = compared(state).filter(|_| shows_change(state)) else { return Html::default() };
    let name = |side: SideKey| state.catalog(side.catalog).map(|row| row.name.clone()).unwrap_or_default();
    let subject = match asked.before.catalog == asked.after.catalog {
        true => "Your edits".to_owned(),
        false => format!("{} → {}", name(asked.before), name(asked.after)),
    };
    let onclick = press(send, NavigationAction::TabChosen(Tab::Compare));
    let view = state.compare.view(&asked).filter(|view| view.left == 0);
    html! { <p class="change-line" data-testid="catalog-change">
        <b>{ subject }</b>
        <span role="status">{ match view {
            None => html! { "Comparing…" },
            Some(view) if !view.is_read => html! { "One of the two states cannot be read." },
            Some(view) => {
                let change = match view.packages.as_slice() {
                    [only] if state.selection.whole.is_none() => format!("`{}`: {}", only.key.package, only.sentence),
                    _ => view.sentence.clone(),
                };
                let text = sentences(cause(state, asked.after, view), Some(change), view);
                html! { <>{ for view.levels.worst().map(level) }{ " " }{ prose(&text) }{ "." }</> }
            }
        } }</span>
        <button type="button" class="link" data-testid="catalog-compare" {onclick}>{ "Compare" }</button>
    </p> }
}

// The packages of a comparison by what the change does to clusters, in the place of the list of packages.

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
    after: CatalogId,
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
        list_group(title, rows.map(|row| changed_row(row, props)).collect())
    };
    let unchanged = |title, keys: &[&PackageKey]| {
        list_group(title, keys.iter().map(|key| row(key, html! { <i></i> }, String::new(), None, props)).collect())
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

fn list_group(title: &'static str, rows: Vec<Html>) -> Html {
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
