//! A read-only excerpt of a file with its line numbers: for browsers that cannot load the code editor.

use crate::dom;
use crate::store::{Action, SourceAction};
use std::collections::BTreeMap;
use views::{Severity, SourceMark, SourceView};
use yew::prelude::*;

/// The widest the text area gets, in columns. Longer lines scroll inside it.
const MAX_COLUMNS: usize = 1_000;

/// A field for the line to go to, and the range of lines shown.
pub(crate) fn tools(view: &SourceView, send: &Callback<Action>) -> Html {
    let (first, lines) = (view.first_line, view.lines);
    let last = first + view.text.lines().count().saturating_sub(1) as u32;
    html! {
        <>
            { line_field(lines, send) }
            <span class="mute">{ format!("lines {first} to {last} of {lines}") }</span>
        </>
    }
}

/// The field for the line to go to.
pub(super) fn line_field(lines: u32, send: &Callback<Action>) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Ok(line) = dom::input_text(&event).parse() {
            send.emit(SourceAction::LineChosen(line).into());
        }
    });
    html! { <label class="line">
        { "Line" }<input type="number" min="1" max={lines.to_string()} data-testid="source-line" {onchange} />
    </label> }
}

/// The text. A text area, so that it is selected and searched with the keyboard as in any form.
pub(crate) fn text(view: &SourceView) -> Html {
    let lines = view.text.lines().count().max(1);
    let widest = view.text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    html! {
        <div class="scroll" id="source-frame" tabindex="-1">
            <div class="page">
                <div class="gutter" aria-hidden="true">{ gutter(view, lines) }</div>
                <textarea id="source-text" data-testid="source-text" aria-label={format!("Text of {}", view.path)}
                    readonly=true wrap="off" rows={lines.to_string()} cols={(widest + 8).min(MAX_COLUMNS).to_string()}
                    value={view.text.clone()} />
            </div>
        </div>
    }
}

/// The line numbers. Lines with findings and the target line are elements of their own; the others are text, because
/// there may be thousands.
fn gutter(view: &SourceView, lines: usize) -> Html {
    let mut by_line: BTreeMap<u32, Vec<&SourceMark>> = BTreeMap::from([(view.target_line, Vec::new())]);
    for mark in &view.marks {
        by_line.entry(mark.line).or_default().push(mark);
    }
    let mut parts: Vec<Html> = Vec::new();
    let mut pending = String::new();
    for line in (view.first_line..).take(lines) {
        let Some(marks) = by_line.get(&line) else {
            pending.push_str(&format!("{line}\n"));
            continue;
        };
        // The worst severity is the lowest.
        let class = marks.iter().map(|mark| mark.severity).min().map_or("plain", Severity::as_str);
        let class = classes!(class, (view.target_line == line).then_some("target"));
        let messages: Vec<&str> = marks.iter().map(|mark| mark.message.as_str()).collect();
        parts.push(html! { { std::mem::take(&mut pending) } });
        parts.push(html! {
            <span {class} title={(!messages.is_empty()).then(|| messages.join("\n"))}>{ format!("{line}\n") }</span>
        });
    }
    html! { <>{ for parts }{ pending }</> }
}
