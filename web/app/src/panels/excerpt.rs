//! The text of a file in a text area, an excerpt at a time: for browsers that cannot load the code editor.

use crate::dom;
use crate::store::{Action, Direction, Editor};
use std::collections::BTreeMap;
use views::{Severity, SourceMark};
use yew::prelude::*;

/// So many columns are wide enough; longer lines scroll by themselves.
const WIDEST: usize = 1_000;

/// The line selector, and the way to the excerpts before and after.
pub(crate) fn tools(editor: &Editor, send: &Callback<Action>) -> Html {
    let (start, end) = editor.range();
    let whole = start == 0 && end >= editor.view.bytes;
    let turn = |direction| send.reform(move |_: MouseEvent| Action::PageTurned(direction));
    let lines = editor.view.lines;
    let go = {
        let send = send.clone();
        Callback::from(move |event: Event| {
            if let Ok(line) = dom::input_text(&event).parse() {
                send.emit(Action::LineChosen(line));
            }
        })
    };
    let last = editor.first_line as usize + editor.text.matches('\n').count();
    html! { <>
        <label class="line">{ "Line" }<input type="number" min="1" max={lines.to_string()} data-testid="source-line" onchange={go} /></label>
        if !whole {
            <button type="button" data-testid="source-earlier" disabled={start == 0} onclick={turn(Direction::Earlier)}>{ "Earlier" }</button>
            <button type="button" data-testid="source-later" disabled={end >= editor.view.bytes} onclick={turn(Direction::Later)}>{ "Later" }</button>
        }
        <span class="mute">{ format!("lines {} to {last} of {}", editor.first_line, lines.max(u32::try_from(last).unwrap_or(0))) }</span>
        if editor.dirty() { <span class="badge hint" data-testid="source-dirty">{ "evaluating…" }</span> }
    </> }
}

/// The excerpt.
pub(crate) fn text(editor: &Editor, send: &Callback<Action>) -> Html {
    let oninput = {
        let send = send.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(text) = dom::typed_text(&event) {
                send.emit(Action::Typed(text));
            }
        })
    };
    let lines = editor.text.matches('\n').count() + 1;
    let widest = editor.text.split('\n').map(str::len).max().unwrap_or(0);
    html! {
        <div class="scroll" id="source-frame" tabindex="-1"><div class="page">
            <div class="gutter" aria-hidden="true">{ gutter(editor, lines) }</div>
            <textarea id="source-text" data-testid="source-text" aria-label={format!("Text of {}", editor.view.path)}
                wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
                rows={lines.to_string()} cols={(widest + 8).min(WIDEST).to_string()}
                value={AttrValue::from(editor.text.clone())} {oninput} />
        </div></div>
    }
}

/// The line numbers; those with findings, and the one that was jumped to, are marked. Others are one text, as there may
/// be thousands.
fn gutter(editor: &Editor, lines: usize) -> Html {
    let target = editor.target_line();
    let mut by_line: BTreeMap<u32, Vec<&SourceMark>> = target.map(|line| (line, Vec::new())).into_iter().collect();
    for mark in &editor.view.marks {
        by_line.entry(mark.line).or_default().push(mark);
    }
    let mut parts: Vec<Html> = Vec::new();
    let mut plain = String::new();
    for line in (editor.first_line..).take(lines) {
        let Some(here) = by_line.get(&line) else {
            plain.push_str(&format!("{line}\n"));
            continue;
        };
        let class = match here.iter().map(|mark| mark.severity).min() {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            Some(Severity::Hint) => "hint",
            None => "plain",
        };
        let class = classes!(class, (target == Some(line)).then_some("target"));
        let messages: Vec<&str> = here.iter().map(|mark| mark.message.as_str()).collect();
        parts.push(html! { { std::mem::take(&mut plain) } });
        parts.push(html! { <span {class} title={(!messages.is_empty()).then(|| messages.join("\n"))}>{ format!("{line}\n") }</span> });
    }
    html! { <>{ for parts }{ plain }</> }
}
