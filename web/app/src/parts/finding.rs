//! A finding, and the findings of one rule on one card.

use super::{place_link, rule_link, sign_of};
use crate::kit::{NearNames, plural, press, press_once, prose, prose_marking};
use crate::store::{Action, CatalogsAction, NavigationAction};
use views::{Counts, FindingGroup, FindingView, FixView, PackageKey, Severity};
use yew::prelude::*;

/// A finding in the details: what is wrong, where, what to do, and what `opm` prints. Repairs are beside it.
pub(crate) fn finding(finding: &FindingView, send: &Callback<Action>) -> Html {
    let finding = FindingView { repaired_channel: None, ..finding.clone() };
    alone(&finding, finding.severity, finding.help.as_deref(), send)
}

fn alone(finding: &FindingView, severity: Severity, help: Option<&str>, send: &Callback<Action>) -> Html {
    html! {
        <article class={classes!("finding", "alone", severity.as_str())} data-testid="finding-row"
            data-rule={finding.rule.clone()}>
            { sign_of(Some(severity)) }
            { body(finding, true, own_help(help), send) }
        </article>
    }
}

/// The findings of one rule: what they have in common once, then each.
pub(crate) fn finding_group(group: &FindingGroup, send: &Callback<Action>) -> Html {
    if let [row] = &group.rows[..] {
        return alone(row, group.severity, row.help.as_deref().or(group.help.as_deref()), send);
    }
    // What is to be done in common follows what is wrong for the first time.
    let row = |(at, row): (usize, &FindingView)| {
        let common = group.help.as_deref().filter(|_| at == 0).map(|help| ("What to do for each: ", help));
        let body = body(row, false, own_help(row.help.as_deref()).or(common), send);
        html! { <li data-testid="finding-row" data-rule={row.rule.clone()}>{ body }</li> }
    };
    let count = group.rows.len();
    html! {
        <article class={classes!("finding", group.severity.as_str())} data-testid="finding-group"
            data-rule={group.rule.clone()}>
            <p class="where">
                { sign_of(Some(group.severity)) }{ rule_link(&group.rule, &group.rule, send) }
                <span class="mute">{ format!("{count} finding{}", plural(count)) }</span>
            </p>
            <ul class="rows">{ for group.rows.iter().enumerate().map(row) }</ul>
        </article>
    }
}

/// The place, a link to the source and the graph.
fn place(finding: &FindingView, send: &Callback<Action>) -> Html {
    let (package, entry, place) = (package_of(finding), finding.entry.clone(), finding.place);
    let onclick = press(send, NavigationAction::FindingFollowed(package, entry, place));
    let place = format!("{}:{}:{}", finding.path, finding.place.line, finding.place.column);
    html! { <button type="button" class="link" {onclick}>{ place }</button> }
}

fn package_of(finding: &FindingView) -> Option<PackageKey> {
    Some(PackageKey { catalog: finding.catalog, package: finding.package.clone()? })
}

/// What to do, with the words before it.
type Help<'h> = (&'static str, &'h str);

fn own_help(help: Option<&str>) -> Option<Help<'_>> {
    help.map(|help| ("", help))
}

/// The message; the places and, of a finding by itself, the rule; what to do; what follows from it; and `opm`'s text.
fn body(finding: &FindingView, alone: bool, help: Option<Help<'_>>, send: &Callback<Action>) -> Html {
    let labels = finding.labels.iter().map(|label| {
        html! { <>{ prose(&label.message) }{ " " }{ place_link(Some(&label.path), label.place, send) }</> }
    });
    // The labels name what exists.
    let known: Vec<&str> =
        finding.labels.iter().flat_map(|label| label.message.split('`').skip(1).step_by(2)).collect();
    let near = help.and_then(|(_, help)| NearNames::of(&finding.message, help, &known));
    let repaired = finding.repaired_channel.as_ref().zip(package_of(finding));
    let channel = finding.entry.as_ref().and_then(|entry| entry.channel.as_ref());
    let channel = channel.filter(|name| !finding.message.contains(&format!("`{name}`")));
    html! { <>
        { message(&finding.message, near.map(|near| (near.written, near.meant))) }
        <p class="where">
            { place(finding, send) }
            // It may be the only thing in which several findings differ.
            if let Some(name) = channel { <span class="mute">{ "in channel " }{ name }</span> }
            if alone { { rule_link(&finding.rule, &finding.rule, send) } }
        </p>
        if !finding.labels.is_empty() {
            <div class="labels">{ places(&labels.collect::<Vec<_>>()) }</div>
        }
        if let Some((lead, text)) = help {
            <p class="help">if !lead.is_empty() { <b>{ lead }</b> }
                { prose_marking(text, near.map(|near| (near.meant, near.written))) }</p>
        }
        if !finding.fixes.is_empty() || repaired.is_some() {
            <p class="fixes">
                { for finding.fixes.iter().map(|fix| quick_fix(fix, send)) }
                { for repaired.map(|(channel, key)| repair(key, channel, send)) }
            </p>
        }
        { consequences(finding, send) }
        { opm_notes(finding) }
    </> }
}

/// The other places; more than two are folded.
fn places(labels: &[Html]) -> Html {
    let list = html! { <ul class="plain">{ for labels.iter().map(|label| html! { <li>{ label.clone() }</li> }) }</ul> };
    match labels.len() {
        0..=2 => list,
        many => html! { <details><summary>{ format!("{many} more places") }</summary>{ list }</details> },
    }
}

/// What `opm` says, folded; unfolded that only newer releases say something.
fn opm_notes(finding: &FindingView) -> Html {
    if finding.opm_notes.is_empty() {
        return Html::default();
    }
    if finding.opm.is_none() && finding.opm_since.is_some() {
        return html! { <>{ for finding.opm_notes.iter().map(|note| html! { <p class="mute">{ note }</p> }) }</> };
    }
    html! {
        <details>
            <summary>{ "what opm prints" }</summary>
            { for finding.opm_notes.iter().map(|note| html! { <pre>{ note }</pre> }) }
        </details>
    }
}

fn quick_fix(fix: &FixView, send: &Callback<Action>) -> Html {
    let Some(edit) = fix.edit.clone() else { return Html::default() };
    let onclick = press_once(send, CatalogsAction::FixApplied { what: fix.text.clone(), edit, is_tried: false });
    html! { <button type="button" class="fix" data-testid="quick-fix" {onclick}>{ prose(&fix.text) }</button> }
}

/// The button that shows the repairs of the channel.
fn repair(key: PackageKey, channel: &str, send: &Callback<Action>) -> Html {
    let onclick = press(send, NavigationAction::RepairsAsked(key, channel.to_owned()));
    html! { <button type="button" class="fix" data-testid="repair" {onclick}>
    { "Repair channel " }<code>{ channel }</code></button> }
}

/// The findings that have this one as their cause, folded.
fn consequences(finding: &FindingView, send: &Callback<Action>) -> Html {
    let row = |row: &FindingView| {
        html! { <li data-rule={row.rule.clone()}>{ prose(&row.message) }{ " " }{ place(row, send) }</li> }
    };
    let more = finding.follow.saturating_sub(finding.consequences.len() as u32);
    html! {
        if finding.follow > 0 {
            <details class="follow" data-testid="consequences">
                <summary>{ format!("{} from it", follow(finding.follow)) }</summary>
                <ul>
                    { for finding.consequences.iter().map(row) }
                    if more > 0 { <li>{ format!("… and {more} more") }</li> }
                </ul>
            </details>
        }
    }
}

fn follow(count: u32) -> String {
    if count == 1 { "1 more follows".to_owned() } else { format!("{count} more follow") }
}

/// The message: the part before the first semicolon, then one line for each clause after it.
fn message(text: &str, marked: Option<(&str, &str)>) -> Html {
    let clauses: Vec<&str> = text.split("; ").collect();
    // A semicolon between backticks belongs to a name.
    let inside_name = clauses.iter().any(|clause| clause.matches('`').count() % 2 == 1);
    let (first, rest) = if inside_name { (text, &[][..]) } else { (clauses[0], &clauses[1..]) };
    html! { <div class="message">
        <p>{ prose_marking(first, marked) }</p>
        if !rest.is_empty() {
            <ul>{ for rest.iter().map(|clause| html! { <li>{ prose_marking(clause, marked) }</li> }) }</ul>
        }
    </div> }
}

// Severity labels, badges and dots.

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
