//! Why a resolution failed.

use crate::kit::prose;
use crate::parts::{funnel, reason, reasons};
use crate::store::Action;
use views::{ConflictView, FailureKind, FailureView, MessageView, TermView};
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
