//! Severity labels, badges and dots.

use crate::kit::plural;
use views::{Counts, Severity};
use yew::prelude::*;

/// The label of a severity.
pub(crate) fn severity(severity: Severity) -> Html {
    let name = severity.as_str();
    html! { <span class={classes!("badge", name)}>{ name }</span> }
}

/// For each severity that there is, a badge with its sign and the number of findings: a shape beside the colour.
pub(crate) fn counts(counts: Counts) -> Html {
    let badge = |(count, severity): (u32, Severity)| {
        let title = counted(count, severity);
        html! {
            <span class={classes!("badge", severity.as_str())} title={title.clone()} role="img" aria-label={title}>
                { sign(severity) }{ count }
            </span>
        }
    };
    html! { <span class="counts">{ for each(counts).map(badge) }</span> }
}

/// The sign of a severity, which differs in shape.
const fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "✕ ",
        Severity::Warning => "▲ ",
        Severity::Hint => "i ",
    }
}

/// The numbers of findings in words: `1 error, 2 warnings`.
pub(crate) fn words(counts: Counts) -> String {
    each(counts).map(|(count, severity)| counted(count, severity)).collect::<Vec<_>>().join(", ")
}

/// The severities of which there are findings, the worst first.
fn each(counts: Counts) -> impl Iterator<Item = (u32, Severity)> {
    let of = [(counts.errors, Severity::Error), (counts.warnings, Severity::Warning), (counts.hints, Severity::Hint)];
    of.into_iter().filter(|(count, _)| *count > 0)
}

fn counted(count: u32, severity: Severity) -> String {
    format!("{count} {}{}", severity.as_str(), plural(count as usize))
}
