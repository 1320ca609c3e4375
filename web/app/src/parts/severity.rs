//! Severity labels, badges and dots.

use crate::kit::plural;
use views::{Counts, Severity};
use yew::prelude::*;

/// The label of a severity.
pub(crate) fn severity(severity: Severity) -> Html {
    let name = name(severity);
    html! { <span class={classes!("badge", name)}>{ name }</span> }
}

/// A badge with the number of findings in the colour of the most severe one; nothing if there are none.
pub(crate) fn counts(counts: Counts) -> Html {
    let Some(worst) = worst(counts) else { return Html::default() };
    let title = words(counts);
    html! { <span class={classes!("badge", name(worst))} title={title.clone()} aria-label={title}>{ counts.total() }</span> }
}

/// A dot in the colour of the most severe finding.
pub(crate) fn dot(counts: Counts) -> Html {
    let class = worst(counts).map_or("fine", name);
    let title = if counts.total() == 0 { "no findings".to_owned() } else { words(counts) };
    html! { <span class={classes!("dot", class)} role="img" aria-label={title.clone()} {title}></span> }
}

/// The name of a severity, also its class in the style sheet.
const fn name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

fn worst(counts: Counts) -> Option<Severity> {
    let of = [(counts.errors, Severity::Error), (counts.warnings, Severity::Warning), (counts.hints, Severity::Hint)];
    of.into_iter().find(|(count, _)| *count > 0).map(|(_, severity)| severity)
}

fn words(counts: Counts) -> String {
    let of = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.hints, "hint")];
    let words: Vec<String> = of
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}{}", plural(count as usize)))
        .collect();
    words.join(", ")
}
