//! Why a resolution failed.

use super::result::{standing, verdict_look};
use crate::kit::{press, prose};
use crate::parts::{funnel, place_after, reason, reasons};
use crate::store::{Action, SimulationAction, WhyNot};
use views::{
    ConflictView, EntryKey, EntryStatus, ExplainedMessage, ExplainedSentence, FailureKind, FailureView, MessageView,
    MessagesView, TermView, WhyNotRow,
};
use yew::prelude::*;

/// One card for each conflict, and OLM's own message. The fixes are in the verdict.
pub(super) fn conflict(view: &FailureView, send: &Callback<Action>) -> Html {
    html! {
        <div class="conflict" data-testid="conflict">
            <div>
                { for view.conflicts.iter().map(|row| card(row, view.conflicts.len(), send)) }
                if view.bounded { <p class="mute">{ "There may be more conflicts; the search stopped here." }</p> }
                if !view.rules.is_empty() {
                    <section class="finding error">
                        <p class="message">{ heading(view.kind) }</p>
                        { reasons(&view.rules, send) }
                    </section>
                }
            </div>
            { message(&view.message) }
        </div>
    }
}

fn heading(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Conflict => "These rules conflict:",
        FailureKind::Refused => "OLM refuses to resolve this namespace:",
        FailureKind::Unknown => "Opscope cannot tell what OLM would do:",
    }
}

fn card(view: &ConflictView, of: usize, send: &Callback<Action>) -> Html {
    let title = if of > 1 { "One of the conflicts: " } else { "Conflict: " };
    html! { <section class="finding error" data-testid="clash">
        <h5>{ title }{ prose(&view.title) }</h5>
        <ol class="argument">{ for view.lines.iter().map(|row| reason(row, send)) }</ol>
        if !view.more.is_empty() { { reasons(&view.more, send) } }
        { for view.funnels.iter().map(|row| funnel(row, send)) }
    </section> }
}

/// OLM's message, its decoded identifiers and the other texts it may have.
fn message(view: &MessageView) -> Html {
    if view.text.is_empty() {
        return Html::default();
    }
    let term = |term: &TermView| html! { <><dt><code>{ &term.text }</code></dt><dd>{ prose(&term.meaning) }</dd></> };
    // What is reported is among the messages of the cluster.
    let title = match view.is_reported {
        true => "The cluster reports what follows from this",
        false => "The message of OLM that follows from this",
    };
    html! {
        <details class="message-block" open=true data-testid="olm-message">
            <summary>{ title }</summary>
            { for view.differs.iter().map(|text| html! {
                <p>{ "The cluster reports another one: " }{ prose(text) }{ "." }</p> }) }
            if !view.is_reported { <pre>{ annotated(view) }</pre> }
            if !view.terms.is_empty() {
                <dl class="terms">{ for view.terms.iter().map(term) }</dl>
            }
            if !view.others.is_empty() && !view.is_reported {
                <details>
                    <summary>{ "OLM may print this instead" }</summary>
                    { for view.others.iter().map(|text| html! { <pre>{ text }</pre> }) }
                </details>
            }
        </details>
    }
}

/// The message with a tooltip on each identifier.
fn annotated(view: &MessageView) -> Html {
    // Without identifiers the message is one text.
    let mut parts = vec![html! { { view.text.clone() } }];
    let mut rest = view.text.as_str();
    let next = |rest: &str| {
        let found = view.terms.iter().filter_map(|term| Some((rest.find(&term.text)?, term)));
        // Try longer identifiers first: one may be a prefix of another.
        found.min_by_key(|(at, term)| (*at, std::cmp::Reverse(term.text.len())))
    };
    let mut cut = Vec::new();
    while let Some((at, term)) = next(rest) {
        cut.push(html! { { rest[..at].to_owned() } });
        cut.push(html! { <abbr title={term.meaning.replace('`', "")}>{ &term.text }</abbr> });
        rest = &rest[at + term.text.len()..];
    }
    if !cut.is_empty() {
        cut.push(html! { { rest.to_owned() } });
        parts = cut;
    }
    html! { <>{ for parts }</> }
}

// Why OLM does or does not choose the selected entry.

/// The button that asks, or the answer.
pub(super) fn why_not(entry: &EntryKey, answer: Option<&WhyNot>, send: &Callback<Action>) -> Html {
    let Some(WhyNot { view, .. }) = answer.filter(|answer| answer.entry == *entry) else {
        let ask = press(send, SimulationAction::WhyNotAsked);
        return html! {
            <p class="actions">
                <button type="button" data-testid="why-not" onclick={ask}
                    title="How each Subscription and requirement treats this entry, step by step">
                    { "Why (not) this one?" }
                </button>
            </p>
        };
    };
    html! { <section class="why-not" data-testid="why-not-answer" tabindex="-1" aria-live="polite">
        <h3>{ "Why (not) this one?" }</h3>
        if view.rows.is_empty() {
            <p>{ "OLM never looks at this package: no Subscription names it, and no chosen bundle requires it." }</p>
        }
        { for view.rows.chunk_by(|one, other| one.who == other.who).map(|rows| group(rows, send)) }
        if view.bounded { <p class="mute">{ "The list is not complete." }</p> }
    </section> }
}

fn group(rows: &[WhyNotRow], send: &Callback<Action>) -> Html {
    html! { <>
        <p class="who">{ prose(&rows[0].who) }</p>
        <ul class="fates">{ for rows.iter().map(|row| item(row, send)) }</ul>
    </> }
}

fn item(row: &WhyNotRow, send: &Callback<Action>) -> Html {
    let (class, word) = match row.status {
        EntryStatus::Chosen => ("chosen", "yes"),
        EntryStatus::PassedOver => ("passed", "no"),
        EntryStatus::Excluded => ("excluded", "not a candidate"),
        EntryStatus::Unknown => ("unknown", "cannot tell"),
    };
    html! {
        <li class={class}>
            <p>
                <span class="mute">{ &row.when }</span>{ " " }<span class="badge">{ word }</span>{ " " }
                { prose(&row.reason.text) }
                { place_after(row.reason.place, send) }
            </p>
            if !row.because.is_empty() { { reasons(&row.because, send) } }
        </li>
    }
}

// What messages of a cluster mean.

/// What the cluster says; folded where something else is the answer.
pub(super) fn said(view: &MessagesView, is_answer: bool, send: &Callback<Action>) -> Html {
    match is_answer || view.messages.is_empty() {
        true => messages(view, send),
        false => html! {
            <details><summary>{ "Each condition and message" }</summary>{ messages(view, send) }</details>
        },
    }
}

/// The messages, and what would tell more; nothing without messages.
fn messages(view: &MessagesView, send: &Callback<Action>) -> Html {
    html! { if !view.messages.is_empty() {
        <section data-testid="messages">
            <h3>{ "What the cluster says" }</h3>
            { for view.messages.iter().map(|one| pasted_message(one, send)) }
            if !view.more.is_empty() {
                <h4>{ "What would tell more" }</h4>
                <ul>{ for view.more.iter().map(|text| html! { <li>{ prose(text) }</li> }) }</ul>
            }
        </section>
    } }
}

fn pasted_message(view: &ExplainedMessage, send: &Callback<Action>) -> Html {
    let (class, lead) = view.verdict.map_or(("hint", "It depends"), verdict_look);
    let lead = if view.about.is_empty() { lead.to_owned() } else { format!("{lead}: {}", view.about) };
    let sentence = |one: &ExplainedSentence| html! { <li title={one.text.clone()}>{ prose(&one.meaning) }</li> };
    html! { <>
        { standing(class, &lead, &view.meaning, view.first.as_deref(), view.never.as_deref(), send) }
        if !view.sentences.is_empty() { <ol>{ for view.sentences.iter().map(sentence) }</ol> }
        if !view.text.is_empty() {
            <details><summary>{ "As the cluster has it" }</summary><pre>{ &view.text }</pre></details>
        }
    </> }
}
