//! Facts as definition lists, folded lists, and source excerpts.

use super::{bundle_link, place_after, place_link};
use crate::dom;
use crate::kit::{folded, on, prose};
use crate::store::{Action, ExploreAction};
use views::{Excerpt, FactLine, FactRow};
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
