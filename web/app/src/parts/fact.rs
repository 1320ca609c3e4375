//! Facts as definition lists, folded lists, and source excerpts.

use crate::dom;
use crate::kit::{folded, on, press, prose};
use crate::store::{Action, ExploreAction, FileNames, FindingsAction, NavigationAction};
use std::rc::Rc;
use views::{CsvRef, EntryKey, Excerpt, FactLine, FactRow, Place, ReasonView};
use yew::prelude::*;

/// Number of items of a long list that are not folded.
const FEW: usize = 5;
/// Texts with more characters than this are folded.
const LONG: usize = 280;

/// A definition list of facts. `day` is the day that some are about.
pub(crate) fn facts(rows: &[FactRow], day: &str, send: &Callback<Action>) -> Html {
    html! { <dl class="pairs">{ for rows.iter().map(|row| fact(row, day, send)) }</dl> }
}

fn fact(row: &FactRow, day: &str, send: &Callback<Action>) -> Html {
    let lines = row.lines.iter().map(|line| fact_line(line, send));
    let body = if row.folded {
        let items = lines.map(|line| html! { <li>{ line }</li> });
        html! {
            <details>
                <summary>{ format!("Show {}", row.lines.len()) }</summary>
                <ul class="plain">{ for items }</ul>
            </details>
        }
    } else {
        folded_list(lines.collect())
    };
    html! { <>
        <dt>{ &row.name }</dt>
        <dd>
            if row.has_day { { day_field(day, send) } }
            { body }
        </dd>
    </> }
}

/// The day that facts are about. It is that of the state, not of the answer, so that it stays while the user types.
fn day_field(day: &str, send: &Callback<Action>) -> Html {
    let chosen = on(send, |event: Event| ExploreAction::DayChosen(dom::input_text(&event)));
    html! {
        <label class="day">
            { "on" }
            <input type="date" value={day.to_owned()} aria-label="Support on this day" data-testid="day"
                onchange={chosen} />
        </label>
    }
}

/// A line of a fact: bundle, text and place.
pub(crate) fn fact_line(line: &FactLine, send: &Callback<Action>) -> Html {
    html! { <>
        { for line.csv.as_ref().map(|csv| html! { <>{ bundle_link(csv, send) }{ " " }</> }) }
        { fact_text(line) }
        { place_after(line.place, send) }
    </> }
}

fn fact_text(line: &FactLine) -> Html {
    if let Some(link) = &line.link {
        return html! { <a href={link.clone()} target="_blank" rel="noopener noreferrer">{ &line.text }</a> };
    }
    if line.text.chars().count() <= LONG {
        return html! { <span class="told">{ prose(&line.text) }</span> };
    }
    let first: String = line.text.chars().take(LONG).collect();
    html! {
        <details class="long">
            <summary><span class="told">{ first }{ "…" }</span></summary>
            <div class="told">{ &line.text }</div>
        </details>
    }
}

/// A list; the items of a long one beyond the first few are folded.
pub(crate) fn folded_list(items: Vec<Html>) -> Html {
    let item = |item: &Html| html! { <li>{ item.clone() }</li> };
    folded(&items, FEW, "", |items| html! { <ul class="plain">{ for items.iter().map(item) }</ul> })
}

/// Numbered lines of a file, with a link to the file.
pub(crate) fn lines(excerpt: &Excerpt, send: &Callback<Action>) -> Html {
    let lines = excerpt.text.lines().zip(excerpt.first_line..).map(|(line, number)| {
        html! { <><i>{ number }</i><span>{ line }</span></> }
    });
    html! { <div data-testid="excerpt">
        { place_link(None, excerpt.place, send) }
        <pre class="excerpt" tabindex="0">{ for lines }</pre>
        if excerpt.more > 0 { <p class="mute">{ format!("{} more lines", excerpt.more) }</p> }
    </div> }
}

// Rows of facts, and folded parts of the details.

/// A folded part: its name, what is in it in a few words, and its body.
pub(crate) fn fold(name: &str, value: &str, open: bool, body: Html) -> Html {
    html! { <details class="fold-row" key={name.to_owned()} {open}>
    <summary><span>{ name }</span><small>{ value }</small></summary>{ body }</details> }
}

pub(crate) fn fact_row(label: Html, value: Html) -> Html {
    html! { <div><dt>{ label }</dt><dd>{ value }</dd></div> }
}

// Links to bundles, places and rules, and lists of reasons.

/// A link from a bundle's name to its entry.
pub(crate) fn bundle_link(csv: &CsvRef, send: &Callback<Action>) -> Html {
    let entry = EntryKey { channel: Some(csv.channel.clone()), name: csv.name.clone() };
    let (catalog, package) = (csv.catalog.clone(), csv.package.clone());
    let onclick = press(send, NavigationAction::BundleFollowed { catalog, package, entry });
    html! { <button type="button" class="link mono" {onclick}>{ &csv.name }</button> }
}

/// A list of reasons with their places; long lists are folded.
pub(crate) fn reasons(reasons: &[ReasonView], send: &Callback<Action>) -> Html {
    const FEW: usize = 4;
    let rows =
        |rows: &[ReasonView]| html! { <ul class="reasons">{ for rows.iter().map(|row| reason(row, send)) }</ul> };
    folded(reasons, FEW, "", rows)
}

/// A reason with its place, as an item of a list.
pub(crate) fn reason(row: &ReasonView, send: &Callback<Action>) -> Html {
    html! { <li>{ prose(&row.text) }{ place_after(row.place, send) }</li> }
}

/// A link to a place; `path` names the file. Without it the file is named if it is not that of the selected package.
pub(crate) fn place_link(path: Option<&str>, place: Place, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::PlaceFollowed(place));
    match path.filter(|path| !path.is_empty()) {
        Some(path) => {
            let text = format!("{path}:{}:{}", place.line, place.column);
            html! { <button type="button" class="link" {onclick}>{ text }</button> }
        }
        None => html! { <LineLink {place} {onclick} /> },
    }
}

#[derive(Clone, PartialEq, Properties)]
struct LineLinkProps {
    place: Place,
    onclick: Callback<MouseEvent>,
}

#[component]
fn LineLink(props: &LineLinkProps) -> Html {
    let LineLinkProps { place, onclick } = props.clone();
    let other = use_context::<FileNames>().and_then(|names| names.other(place.file));
    let text = match other {
        Some(path) => format!("{path}, line {}", place.line),
        None => format!("line {}", place.line),
    };
    html! { <button type="button" class="link" {onclick}>{ text }</button> }
}

/// A space and a link to the place, if there is one.
pub(crate) fn place_after(place: Option<Place>, send: &Callback<Action>) -> Html {
    html! { if let Some(place) = place { { " " }{ place_link(None, place, send) } } }
}

/// A link to the description of a rule, with its id as the tooltip.
pub(crate) fn rule_link(rule: &str, text: &str, send: &Callback<Action>) -> Html {
    let onclick = press(send, FindingsAction::RuleExplained(rule.to_owned()));
    html! {
        <button type="button" class="link rule" title={rule.to_owned()} data-testid="rule-link" {onclick}>
            { text }
        </button>
    }
}

// The icon of a package.

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct IconProps {
    pub(crate) name: AttrValue,
    /// The `data:` URL of the icon, if the package has one.
    pub(crate) url: Option<Rc<str>>,
}

/// The icon as an `img` element (never as markup), or the initials of the name: also where the browser cannot read the
/// icon.
#[component]
pub(crate) fn Icon(IconProps { name, url }: &IconProps) -> Html {
    let unread = use_state(|| None::<Rc<str>>);
    match url.as_ref().filter(|url| unread.as_ref() != Some(*url)) {
        Some(url) => {
            let (setter, failed) = (unread.setter(), url.clone());
            let onerror = Callback::from(move |_: Event| setter.set(Some(failed.clone())));
            html! { <img class="icon" src={AttrValue::from(url.clone())} alt="" loading="lazy" {onerror} /> }
        }
        None => {
            let initials: String = name.chars().take(2).collect();
            html! { <span class="icon initials" aria-hidden="true">{ initials }</span> }
        }
    }
}
