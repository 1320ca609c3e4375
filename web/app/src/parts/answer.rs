//! The answer of a screen, and the signs of severities.

use crate::kit::prose;
use views::Severity;
use yew::prelude::*;

/// The answer of a screen: its sign, one sentence, and the reason. Screen readers announce it when it changes.
pub(crate) fn answer(
    severity: Option<Severity>,
    title: &str,
    reason: Html,
    action: Option<Html>,
    testid: &'static str,
) -> Html {
    html! {
        <div class={classes!("answer", look(severity))} role="status" data-testid={testid}>
            <span class="sign">{ sign_of(severity) }</span>
            <h2>{ prose(title) }</h2>
            <p>{ reason }</p>
            { for action }
        </div>
    }
}

const fn look(severity: Option<Severity>) -> &'static str {
    match severity {
        Some(severity) => severity.as_str(),
        None => "fine",
    }
}

/// The sign of a severity, which differs in shape: a cross in a circle, a triangle, an `i`, and a tick if nothing is
/// wrong.
pub(crate) fn sign_of(severity: Option<Severity>) -> Html {
    const CIRCLE: &str = "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12";
    let (name, paths) = match severity {
        Some(Severity::Error) => ("error", [CIRCLE, "M6 6l4 4m0-4l-4 4"]),
        Some(Severity::Warning) => ("warning", ["M8 2.5l6 10.5H2z", "M8 6.5v3M8 11.2h.01"]),
        Some(Severity::Hint) => ("hint", [CIRCLE, "M8 7.3V11M8 5h.01"]),
        None => ("no problem", [CIRCLE, "M5.5 8.2l1.8 1.8l3.4-3.8"]),
    };
    html! {
        <svg class={classes!("sign-icon", look(severity))} viewBox="0 0 16 16" role="img" aria-label={name}>
            { for paths.map(|d| html! { <path {d} /> }) }
        </svg>
    }
}
