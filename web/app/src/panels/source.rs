//! The source tab: a file in the code editor, or a read-only excerpt where the editor cannot be loaded.

use super::{EditEffect, edit_effect_line};
use crate::dom;
use crate::kit::{button, on_select, plural, press};
use crate::store::{Action, EditorStatus, NavigationAction, OpenFile, Shared, Source as Store, SourceAction};
use std::collections::BTreeMap;
use views::{DefinitionKind, FileKey, Overview, Severity, SourceMark, SourceView, SymbolView};
use web_sys::Node;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The file in the code editor.
    pub(crate) source: Store,
    /// The element of the code editor, once it is loaded.
    pub(crate) editor: Option<Node>,
    /// The loaded catalogs with their files.
    pub(crate) overview: Shared<Overview>,
    /// What the edits of the catalog do to installed versions.
    pub(crate) effect: Option<EditEffect>,
    pub(crate) send: Callback<Action>,
}

/// The text, with tools to search it and to move between its findings.
#[component]
pub(crate) fn Source(props: &Props) -> Html {
    let Props { source, editor, overview, effect, send } = props;
    let open = source.open.as_ref().filter(|_| source.editor == EditorStatus::Ready);
    let file = open.map(|open| open.file).or(source.excerpt.as_ref().map(|excerpt| excerpt.file));
    html! {
        <section id="source" class="source" role="tabpanel" aria-label="Source" data-testid="source">
            <div class="tools">
                { files(overview, file, send) }
                if let Some(open) = open {
                    { tools(open, send) }{ changes(source, send) }{ counted(open) }
                } else if let Some(excerpt) = &source.excerpt {
                    { excerpt_tools(&excerpt.view, send) }
                }
            </div>
            if let Some(symbol) = source.symbol.as_ref().filter(|_| open.is_some()) { { context(symbol, send) } }
            if let EditorStatus::Failed { reason } = &source.editor { { failed(reason, send) } }
            { match (open, editor, &source.excerpt) {
                (Some(_), Some(editor), _) => Html::VRef(editor.clone()),
                (None, _, Some(excerpt)) => excerpt_text(&excerpt.view),
                _ if source.editor == EditorStatus::Loading => waiting("Loading the editor…"),
                _ => waiting("No file is open."),
            } }
            if let Some(effect) = effect { { edit_effect_line(effect, send) } }
        </section>
    }
}

fn waiting(text: &'static str) -> Html {
    html! { <p class="mute waiting">{ text }</p> }
}

fn failed(reason: &str, send: &Callback<Action>) -> Html {
    html! { <p class="tools" role="status" data-testid="source-failed">
        <span>{ format!("The editor could not be loaded ({reason}). The text is read-only.") }</span>
        { button("source-retry", "Retry", send, SourceAction::EditorRetried) }
    </p> }
}

fn files(overview: &Overview, open: Option<FileKey>, send: &Callback<Action>) -> Html {
    let onchange = on_select(send, |file| Some(SourceAction::FileChosen(FileKey(file.parse().ok()?))));
    let groups = overview.catalogs.iter().chain(&overview.baselines).map(|catalog| {
        let options = catalog.files.iter().map(|row| {
            let edited = if row.edited { " · edited" } else { "" };
            html! {
                <option value={row.file.0.to_string()} selected={open == Some(row.file)}>
                    { &row.path }{ edited }
                </option>
            }
        });
        html! { <optgroup label={catalog.name.clone()}>{ for options }</optgroup> }
    });
    html! { <select aria-label="File" data-testid="source-file" {onchange}>{ for groups }</select> }
}

fn command(method: &'static str) -> Callback<MouseEvent> {
    Callback::from(move |_| dom::command_editor(method))
}

/// How much of the file was changed since it was opened, with tools to see and to revert that.
fn changes(source: &Store, send: &Callback<Action>) -> Html {
    let lines = source.changed_lines;
    if lines == 0 {
        return Html::default();
    }
    let shown = source.shows_changes;
    let send = send.clone();
    let toggle = Callback::from(move |_: MouseEvent| {
        send.emit(SourceAction::ChangesToggled.into());
        if !shown {
            dom::command_editor("nextChange");
        }
    });
    let title = "What was changed since the file was opened";
    html! {
        <span class="choice" role="group" aria-label="Changes of this file">
            <button type="button" aria-pressed={shown.to_string()} {title} data-testid="source-changes"
                onclick={toggle}>
                { format!("Show {lines} changed line{}", plural(lines as usize)) }
            </button>
            if shown {
                <button type="button" aria-label="Previous change" title="Shift-Alt-F5"
                    data-testid="source-previous-change" onclick={command("previousChange")}>
                    { "↑" }
                </button>
                <button type="button" aria-label="Next change" title="Alt-F5" data-testid="source-next-change"
                    onclick={command("nextChange")}>
                    { "↓" }
                </button>
                <button type="button" data-testid="source-revert" onclick={command("revertAll")}>
                    { "Revert all" }
                </button>
            }
        </span>
    }
}

/// The number of findings. It is at the end of the tools and gives its place to what is shown while it is counted
/// again, so that no tool moves then.
fn counted(open: &OpenFile) -> Html {
    if open.dirty {
        return html! { <span class="badge hint" data-testid="source-dirty">{ "evaluating…" }</span> };
    }
    let findings = open.findings();
    let marked = open.view.marks.len();
    let count = match findings {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        _ if open.view.unmarked > 0 => format!("{findings} findings, the {marked} most severe marked"),
        _ => format!("{findings} findings"),
    };
    html! { <span class="mute" data-testid="source-findings">{ count }</span> }
}

fn tools(open: &OpenFile, send: &Callback<Action>) -> Html {
    let findings = open.findings();
    html! {
        <>
            { line_field(open.view.lines, send) }
            <button type="button" data-testid="source-save" title="Save this file with your changes"
                onclick={press(send, SourceAction::SaveAsked)}>
                { "Save" }
            </button>
            <button type="button" data-testid="source-find" title="Ctrl-F" onclick={command("find")}>{ "Find" }</button>
            <span class="choice" role="group" aria-label="Findings of this file">
                <button type="button" disabled={findings == 0} aria-label="Previous finding" title="Shift-F8"
                    data-testid="source-previous" onclick={command("previousFinding")}>
                    { "↑" }
                </button>
                <button type="button" disabled={findings == 0} aria-label="Next finding" title="F8"
                    data-testid="source-next" onclick={command("nextFinding")}>
                    { "↓" }
                </button>
            </span>
            if let Some(reason) = &open.view.read_only {
                <span class="badge warning" data-testid="source-read-only">{ format!("read only: {reason}") }</span>
            }
        </>
    }
}

/// The package and entry at the cursor, and links to the definitions of the name there.
fn context(symbol: &SymbolView, send: &Callback<Action>) -> Html {
    let Some(package) = &symbol.package else { return Html::default() };
    let entry = symbol.entry.as_ref();
    let links = symbol.definitions.iter().map(|definition| {
        let place = definition.place;
        let onclick = press(send, NavigationAction::PlaceFollowed(place));
        let title =
            format!("{} in {}, line {} of {}", kind(definition.kind), definition.catalog, place.line, definition.path);
        html! { <button type="button" class="link" {title} {onclick}>{ &definition.name }</button> }
    });
    html! {
        <div class="tools context" data-testid="source-here">
            <span class="path">
                <b>{ &package.package }</b>
                if let Some(channel) = entry.and_then(|entry| entry.channel.as_ref()) { { " › " }{ channel } }
                if let Some(entry) = entry { { " › " }{ &entry.name } }
            </span>
            { button("source-graph", "Show in graph", send, NavigationAction::SymbolShown) }
            if let Some(first) = symbol.definitions.first() {
                <span class="definitions" data-testid="source-definitions">
                    <span class="mute">{ format!("F12: {} ", kind(first.kind)) }</span>{ for links }
                </span>
            }
        </div>
    }
}

const fn kind(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Package => "package",
        DefinitionKind::Channel => "channel",
        DefinitionKind::Entry => "entry",
        DefinitionKind::Bundle => "bundle",
    }
}

// A read-only excerpt of a file with its line numbers: for browsers that cannot load the code editor.

/// The widest the text area gets, in columns. Longer lines scroll inside it.
const MAX_COLUMNS: usize = 1_000;

/// A field for the line to go to, and the range of lines shown.
fn excerpt_tools(view: &SourceView, send: &Callback<Action>) -> Html {
    let (first, lines) = (view.first_line, view.lines);
    let last = first + view.text.lines().count().saturating_sub(1) as u32;
    html! {
        <>
            { line_field(lines, send) }
            <span class="mute">{ format!("lines {first} to {last} of {lines}") }</span>
        </>
    }
}

fn line_field(lines: u32, send: &Callback<Action>) -> Html {
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
fn excerpt_text(view: &SourceView) -> Html {
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
