//! Parts of explanations: refused candidates, candidate counts by filter, fixes.

use super::{place_after, reasons};
use crate::graph::small_chain;
use crate::kit::{choice, plural, press_once, prose, prose_items};
use crate::store::{Action, Audience, CatalogsAction, SimulationAction, Trial};
use views::{
    DiffLine, DiffSign, FixView, FunnelView, InputEdit, PathStrip, RefusalView, RepairsView, Severity, StageView,
    TriedChange, with_short_names,
};
use yew::prelude::*;

/// Number of refusals that are not folded.
const SHOWN: usize = 3;

/// Better candidates and why they were refused.
pub(crate) fn refusals(rows: &[RefusalView], unexplained: u32, send: &Callback<Action>) -> Html {
    if rows.is_empty() && unexplained == 0 {
        return Html::default();
    }
    let item = |row: &RefusalView| {
        html! {
            <li><p>{ "not " }{ prose(&row.title) }{ ":" }</p>{ reasons(&row.because, send) }</li>
        }
    };
    let (first, rest) = rows.split_at(rows.len().min(SHOWN));
    let more = rest.len() + usize::from(unexplained > 0);
    html! {
        <details data-testid="refused">
            <summary>{ "Why not a newer one?" }</summary>
            <ul class="plain">{ for first.iter().map(item) }</ul>
            if more > 0 {
                <details>
                    <summary>{ format!("{more} more") }</summary>
                    <ul class="plain">
                        { for rest.iter().map(item) }
                        if unexplained > 0 {
                            <li class="mute">{ format!("{unexplained} more that were not analysed") }</li>
                        }
                    </ul>
                </details>
            }
        </details>
    }
}

/// The filters of a search with the number of candidates each leaves.
pub(crate) fn funnel(view: &FunnelView, send: &Callback<Action>) -> Html {
    let most = view.stages.iter().map(|stage| stage.left).max().unwrap_or(0).max(1);
    html! {
        <figure class="funnel" data-testid="funnel">
            <figcaption>{ prose(&view.title) }</figcaption>
            <ol>{ for view.stages.iter().map(|row| stage(row, most)) }</ol>
            if !view.hints.is_empty() { <ul class="hints">{ for view.hints.iter().map(|row| hint(row, send)) }</ul> }
        </figure>
    }
}

fn stage(row: &StageView, most: u32) -> Html {
    let dry = row.left == 0;
    html! { <li class={classes!(dry.then_some("dry"))}>
        <meter min="0" max={most.to_string()} value={row.left.to_string()} aria-hidden="true"></meter>
        <b>{ row.left }</b><span>{ prose(&row.text) }if dry { <em>{ " 0 candidates left" }</em> }</span>
    </li> }
}

fn hint(row: &FixView, send: &Callback<Action>) -> Html {
    html! { <li>{ prose(&row.text) }{ " " }{ fix_button(row, TryFix::Beside, send) }</li> }
}

/// Fixes under a title, each with what OLM does after it. What the user can do stands first: an admin changes the
/// cluster, a publisher the catalog.
pub(crate) fn fixes(
    title: &'static str,
    rows: &[FixView],
    tries: TryFix,
    audience: Audience,
    send: &Callback<Action>,
) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    let (of_catalog, of_cluster): (Vec<&FixView>, Vec<&FixView>) =
        rows.iter().partition(|fix| matches!(fix.edit, Some(InputEdit::Catalog { .. })));
    let is_both = !of_catalog.is_empty() && !of_cluster.is_empty();
    let mut groups = [("On the cluster", of_cluster), ("In the catalog, by its publisher", of_catalog)];
    if audience == Audience::Publishes {
        groups.reverse();
    }
    let item = |row: &FixView| {
        html! {
            <li data-testid="fix">
                <p>{ prose(&row.text) }{ place_after(row.place, send) }{ " " }{ fix_button(row, tries, send) }</p>
                if !row.effects.is_empty() {
                    <ul class="effects">{ prose_items(&row.effects) }</ul>
                }
            </li>
        }
    };
    html! {
        <div class="simulated-fixes" data-testid="fixes">
            <h4>{ title }</h4>
            if is_both {
                { choice("Who you are", &AUDIENCES, audience, send, SimulationAction::AudienceChosen) }
            }
            { for groups.into_iter().filter(|(_, rows)| !rows.is_empty()).map(|(name, rows)| html! { <>
                if is_both { <p class="label">{ name }</p> }
                <ul>{ for rows.into_iter().map(item) }</ul>
            </> }) }
        </div>
    }
}

const AUDIENCES: [(Audience, &str); 2] =
    [(Audience::Runs, "I run clusters"), (Audience::Publishes, "I publish this catalog")];

/// How a fix is tried.
#[derive(Clone, Copy)]
pub(crate) enum TryFix {
    /// Its effect is shown beside the simulation without it.
    Beside,
    /// It is made, and can be undone.
    Made,
}

/// The button that tries a fix in the simulation or the comparison.
fn fix_button(fix: &FixView, tries: TryFix, send: &Callback<Action>) -> Html {
    let Some(edit) = fix.edit.clone() else { return Html::default() };
    let what = fix.text.clone();
    let action = match tries {
        TryFix::Beside => {
            let trial = Trial { what, change: TriedChange::Edit(edit), later: fix.later.clone() };
            Action::Simulation(SimulationAction::ChangeTried(trial))
        }
        TryFix::Made => Action::Catalogs(CatalogsAction::FixApplied { what, edit, is_tried: true }),
    };
    let label = format!("Try: {}", fix.text.replace('`', ""));
    html! {
        <button type="button" class={classes!("try", fix.removes.then_some("danger"))} data-testid="try"
            aria-label={label} onclick={press_once(send, action)}>
            { "Try" }</button>
    }
}

/// The updates of an installed version in two states with these names; it stands for `versions`, if they are given.
pub(crate) fn strips(names: [&'static str; 2], paths: [&PathStrip; 2], versions: &[String]) -> Html {
    let strips = names.into_iter().zip(paths).map(|(name, path)| strip(name, path, versions));
    html! { <div class="strips">{ for strips }</div> }
}

/// The installed version and its updates, and how they end.
fn strip(label: &'static str, path: &PathStrip, versions: &[String]) -> Html {
    let mut steps = path.steps();
    if let (Some(step), [first, .., last]) = (steps.first_mut(), versions) {
        step.label = format!("{first} – {last}");
    }
    let class = if path.is_fine { "mute" } else { "stuck" };
    let is_at_head = path.is_fine && path.head.is_some();
    html! { <div class="strip">
        <h4>{ label }<small {class}>{ if is_at_head { "reach the head" } else { &path.end } }</small></h4>
        <div class="scroll-x" tabindex="0" role="group" aria-label={format!("Updates {}", label.to_lowercase())}>
            { small_chain(&steps) }</div>
    </div> }
}

/// Lines of a unified diff with their numbers where they are known, the last of them about how many more there are.
pub(crate) fn diff(lines: &[(Option<u32>, DiffLine)], more: Option<String>) -> Html {
    let line = |(number, line): &(Option<u32>, DiffLine)| {
        let (class, sign, name) = match line.sign {
            DiffSign::Same => ("same", " ", None),
            DiffSign::Gap => ("gap", " ", None),
            DiffSign::Removed => ("removed", "−", Some("removed: ")),
            DiffSign::Added => ("added", "+", Some("added: ")),
        };
        html! { <span class={classes!("line", class)}>if let Some(number) = number { <i>{ number }</i> }<span
        aria-hidden="true">{ sign }{ " " }</span>if let Some(name) = name { <span class="unseen">{ name }</span> }{
        &line.text }{ "\n" }</span> }
    };
    // Where the first part begins, its numbers say.
    let is_numbered = lines.iter().any(|(number, _)| number.is_some());
    let lines = &lines[usize::from(is_numbered && lines.first().is_some_and(|(number, _)| number.is_none()))..];
    html! { <pre class="diff" tabindex="0">{ for lines.iter().map(line) }{ more }</pre> }
}

// The answer of a screen, and the signs of severities.

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

// What helps a channel: the best repair on a card, with what it brings and its diff, and the others folded below it.

/// What is wrong with some channels, and what helps.
pub(crate) fn repairs(views: &[RepairsView], send: &Callback<Action>) -> Html {
    let is_alone = RepairsView::together(views).is_none_or(|(count, _)| count == 1);
    let one = |(at, view): (usize, &RepairsView)| {
        // Within a package its name says nothing.
        let title = with_short_names(&view.title(), &view.package);
        html! { <section data-testid="repairs">
            <p role="status" tabindex="-1">{ prose(&title) }</p>
            { repair_card(view, is_alone && at == 0, send) }
        </section> }
    };
    html! { { for views.iter().enumerate().map(one) } }
}

/// The button that applies the best repair of each channel; none if fewer than `least` channels have a repair.
pub(crate) fn repair_all(views: &[RepairsView], least: usize, send: &Callback<Action>) -> Option<Html> {
    let (count, edit) = RepairsView::together(views).filter(|(count, _)| *count >= least)?;
    let title = match count {
        1 => "Apply repair".to_owned(),
        2 => "Repair both".to_owned(),
        _ => format!("Repair all {count}"),
    };
    let what = if count == 1 { "the repair".to_owned() } else { format!("the repairs of {count} channels") };
    let action = Action::Catalogs(CatalogsAction::FixApplied { what, edit, is_tried: false });
    Some(html! { <button type="button" class="primary" data-testid="repair-all"
    title="Apply the first repair of each channel" onclick={press_once(send, action)}>{ title }</button> })
}

/// The best repair of a channel and the others, or why there is none.
pub(crate) fn repair_card(view: &RepairsView, is_primary: bool, send: &Callback<Action>) -> Html {
    let card = |fix: &FixView, is_best: bool| repair(&view.package, fix, is_best && is_primary, send);
    let others = view.fixes.get(1..).unwrap_or_default();
    html! { <section class="fix-card" aria-label="Repair" data-testid="fix-card">
        { view.fixes.first().map_or_else(
            || html! { <h3>{ "No edit of the channel helps" }</h3> },
            |best| card(best, true),
        ) }
        if view.reason.is_some() {
            <ul class="effects" data-testid="no-repair">{ prose_items(&view.refusal()) }</ul>
        }
        if !others.is_empty() {
            <details data-testid="other-repairs">
                <summary>{ format!("{} other way{}", others.len(), plural(others.len())) }</summary>
                { for others.iter().map(|fix| card(fix, false)) }
            </details>
        }
    </section> }
}

fn repair(package: &str, fix: &FixView, is_primary: bool, send: &Callback<Action>) -> Html {
    // Within a package its name says nothing.
    let title = prose(&with_short_names(&fix.text, package));
    let apply = |edit| {
        let action = Action::Catalogs(CatalogsAction::FixApplied { what: fix.text.clone(), edit, is_tried: false });
        let label = format!("Apply repair: {}", fix.text.replace('`', ""));
        html! { <button type="button" class={if is_primary { "primary" } else { "" }} data-testid="apply-repair"
        aria-label={label} onclick={press_once(send, action)}>{ "Apply repair" }</button> }
    };
    html! { <>
        <h3>{ title }</h3>
        { for fix.effects.iter().map(|text| html! { <p>{ prose(text) }{ "." }</p> }) }
        if let Some(repair) = &fix.repair {
            { diff(&DiffLine::numbered(&repair.diff), None) }
            if !repair.paths.is_empty() {
                <details>
                    <summary>{ "Now and repaired" }</summary>
                    { for repair.paths.iter().map(|paths| html! { <>
                        <p>{ &paths.title }</p>
                        { strips(["Now", "Repaired"], [&paths.before, &paths.after], &[]) }
                    </> }) }
                </details>
            }
        }
        <p class="actions">{ for fix.edit.clone().map(apply) }{ place_after(fix.place, send) }</p>
    </> }
}
