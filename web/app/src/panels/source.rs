//! The text of a file, an excerpt at a time.

use crate::dom;
use crate::store::{Action, Direction, Editor, Shared};
use std::collections::BTreeMap;
use views::{FileKey, Overview, Severity, SourceMark};
use yew::prelude::*;

/// What the editor shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The excerpt.
    pub(crate) editor: Option<Editor>,
    /// The files.
    pub(crate) overview: Shared<Overview>,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// So many columns are wide enough; longer lines scroll by themselves.
const WIDEST: usize = 1_000;

/// The editor with its file and line selectors.
#[component]
pub(crate) fn Source(props: &Props) -> Html {
    let Props { editor, overview, send } = props;
    html! {
        <section class="source" role="tabpanel" aria-label="Source" data-testid="source">
            <div class="tools">
                { files(overview, editor.as_ref().map(Editor::file), send) }
                if let Some(editor) = editor { { place_tools(editor, send) } }
            </div>
            if let Some(editor) = editor { { text(editor, send) } } else { <p class="mute waiting">{ "No file is open." }</p> }
        </section>
    }
}

fn files(overview: &Overview, open: Option<FileKey>, send: &Callback<Action>) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |event: Event| {
        if let Ok(file) = dom::select_text(&event).parse() {
            send.emit(Action::FileChosen(FileKey(file)));
        }
    });
    let groups = overview.catalogs.iter().map(|catalog| {
        let options = catalog.files.iter().map(|row| {
            html! { <option value={row.file.0.to_string()} selected={open == Some(row.file)}>{ &row.path }</option> }
        });
        html! { <optgroup label={catalog.name.clone()}>{ for options }</optgroup> }
    });
    html! { <select aria-label="File" data-testid="source-file" {onchange}>{ for groups }</select> }
}

fn place_tools(editor: &Editor, send: &Callback<Action>) -> Html {
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
        if editor.view.made_of.is_some() { <span class="badge hint" data-testid="source-made">{ "made from the template: edit that" }</span> }
        if editor.dirty() { <span class="badge hint" data-testid="source-dirty">{ "evaluating…" }</span> }
    </> }
}

fn text(editor: &Editor, send: &Callback<Action>) -> Html {
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
                readonly={editor.view.made_of.is_some()} rows={lines.to_string()} cols={(widest + 8).min(WIDEST).to_string()}
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
