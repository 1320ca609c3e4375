//! Installed versions with the same fate: the paths before and after, what the cluster shows, the cause and fixes.

use super::{level, line_link};
use crate::kit::prose;
use crate::parts::{fixes, rule_link};
use crate::store::Action;
use views::{CauseView, LevelView, LineView, PathStrip, RowGroup};
use yew::prelude::*;

/// A group; the first one is open.
pub(super) fn group(row: &RowGroup, open: bool, send: &Callback<Action>) -> Html {
    let is_bad = matches!(row.level, LevelView::Breaking | LevelView::Risky);
    html! {
        <details class="row-group" key={format!("{} {} {}", row.rule, row.channel, row.title)} open={open || row.level == LevelView::Breaking} data-testid="row-group" data-rule={row.rule.clone()}>
            <summary>{ level(row.level) }<b>{ &row.title }</b><span>{ " in channel " }<b>{ &row.channel }</b></span><span class="outcome">{ outcome(row) }</span></summary>
            <p>{ prose(&row.about) }{ " " }{ rule_link(&row.rule, send) }</p>
            if row.versions.len() > 1 { <p class="mute">{ row.versions.join(", ") }</p> }
            <div class="strips">
                { strip("Before", &row.before) }
                { strip("After", &row.after) }
            </div>
            <p class="shows"><b>{ "The cluster shows: " }</b>{ prose(&row.shows) }</p>
            if let Some(text) = &row.simulated { <p data-testid="with-dependencies"><b>{ "But " }</b>{ prose(text) }</p> }
            { causes(&row.cause, send) }
            if is_bad || !row.fixes.is_empty() { { fixes("Fixes (each one verified)", &row.fixes, send) } }
        </details>
    }
}

/// How the updates of the versions end, in a few words.
fn outcome(row: &RowGroup) -> String {
    match row.after.versions.last() {
        Some(last) if row.after.versions.len() > 1 => format!("→ {last}, {}", row.after.end),
        _ => row.after.end.clone(),
    }
}

/// The installed version and its updates; the first hop that differs from the other strip is marked.
fn strip(label: &'static str, path: &PathStrip) -> Html {
    let hop = |(at, version): (usize, &String)| {
        let differs = path.differs.is_some_and(|from| at >= from as usize);
        html! { <li class={classes!(differs.then_some("differs"))}>
            if at > 0 { <span aria-hidden="true">{ "→ " }</span> }<span class="mono">{ version }</span>if differs { <span class="unseen">{ " (differs)" }</span> }
        </li> }
    };
    let more = if path.more > 0 { format!("→ … {} more ", path.more) } else { String::new() };
    let class = if path.reaches_head { "fine" } else { "stuck" };
    html! { <div class="strip"><h4>{ label }</h4>
    <ol aria-label={format!("Updates {}", label.to_lowercase())}>{ for path.versions.iter().enumerate().map(hop) }<li class={classes!("end", class)}>{ more }{ &path.end }</li></ol></div> }
}

/// The edits that a group is due to.
pub(super) fn causes(rows: &[CauseView], send: &Callback<Action>) -> Html {
    html! {
        if !rows.is_empty() {
            <div data-testid="cause"><h4>{ "Cause" }</h4><ul class="cause">{ for rows.iter().map(|row| cause(row, send)) }</ul></div>
        }
    }
}

/// An edit with the lines that it changed.
fn cause(row: &CauseView, send: &Callback<Action>) -> Html {
    let line = |sign: &'static str, name: &'static str, line: &LineView| {
        html! { <li><span class="sign" aria-label={name} role="img">{ sign }</span><code>{ &line.text }</code>{ " " }{ line_link(line, send) }</li> }
    };
    html! { <li>{ prose(&row.text) }<ul class="lines">
        { for row.before.as_ref().map(|row| line("−", "before", row)) }{ for row.after.as_ref().map(|row| line("+", "after", row)) }
    </ul></li> }
}
