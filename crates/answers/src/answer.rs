//! The headline over the drawing of a package: whether OLM updates what is installed to the heads of the channels.

use super::findings::repaired_channel;
use super::overview::{rank, rejection, worst};
use session::CatalogInput;
use session::Finding;
use source::Rule;
use std::collections::BTreeMap;
use views::{AnswerView, GraphView, Mark, NodeView, Runtime, Severity, first_and_more};

/// How many versions a sentence names.
const NAMED: usize = 3;

/// The answer for a package; `view` has the updates of the runtime.
pub(super) fn answer(view: &GraphView, catalog: &CatalogInput, runtime: Runtime) -> AnswerView {
    let package = view.package.package.as_str();
    let is_own = |found: &Finding| found.subject.as_ref().is_some_and(|of| of.package.as_str() == package);
    // What is found about updates is about those of OLM v0.
    let is_meant = |found: &Finding| runtime != Runtime::V1 || rank(found) != 2;
    let findings = catalog.analysis.roots(|found| is_own(found) && is_meant(found));
    let warnings = findings.iter().filter(|found| found.worst == Severity::Warning).count();
    let problem = worst(findings.iter().copied());
    let clause = |found: &Finding| sentence(&with_short_names(&found.diagnostic.message, package));
    if let Some(rejected) = rejection(catalog) {
        return match problem.filter(|found| found.worst == Severity::Error) {
            Some(found) => AnswerView {
                repaired_channel: repaired_channel(found).filter(|_| runtime != Runtime::V1),
                ..bad("`opm` rejects this package: no cluster gets it".to_owned(), clause(found))
            },
            None => {
                let cause = rejected.package.unwrap_or(rejected.path);
                bad("No cluster gets this package".to_owned(), format!("`opm` rejects the catalog for `{cause}`."))
            }
        };
    }
    if let Some(found) = stuck(view) {
        return AnswerView { repaired_channel: found.repaired_channel.filter(|_| runtime != Runtime::V1), ..found };
    }
    let reached = reached(view, runtime);
    let (severity, title, reason) = match (problem, &view.deprecated) {
        (Some(found), _) if found.worst == Severity::Error => (Some(Severity::Error), reached, clause(found)),
        (Some(found), _) => {
            let count = if warnings == 1 { "1 warning".to_owned() } else { format!("{warnings} warnings") };
            (Some(Severity::Warning), format!("{reached}, with {count}"), clause(found))
        }
        (None, Some(message)) => {
            (Some(Severity::Hint), format!("{reached}, but the package is deprecated"), sentence(message))
        }
        (None, None) => {
            let dead_end = findings.iter().find(|found| found.diagnostic.rule == Rule::DeadEndChannel);
            let fine = || "`opm` accepts the catalog, and nothing is stuck.".to_owned();
            (None, reached, dead_end.map_or_else(fine, |found| clause(found)))
        }
    };
    AnswerView { severity, title, reason, repaired_channel: None }
}

fn bad(title: String, reason: String) -> AnswerView {
    AnswerView { severity: Some(Severity::Error), title, reason, repaired_channel: None }
}

/// A message about a package with the versions in place of its bundles' names: within a package its name says nothing.
pub(super) fn with_short_names(message: &str, package: &str) -> String {
    message.replace(&format!("`{package}.v"), "`")
}

/// The part of a message before its first semicolon, as a sentence.
fn sentence(message: &str) -> String {
    let clause = message.split("; ").next().unwrap_or(message);
    let end = if clause.ends_with(['.', '!', '?']) { "" } else { "." };
    capitalized(clause) + end
}

/// The text with its first letter in upper case.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// What is said of a package in which nothing is stuck.
fn reached(view: &GraphView, runtime: Runtime) -> String {
    let target = if runtime == Runtime::V1 { "highest version" } else { "head" };
    match &view.lanes[..] {
        [] => "No channel lists a version".to_owned(),
        lanes if lanes.iter().all(|lane| lane.entries <= 1) => "Each channel has one version".to_owned(),
        [_] => format!("Every version reaches the {target}"),
        _ => format!("Every version reaches the {target} of its channel"),
    }
}

/// The versions that OLM does not update to the end of their channel: how many, and what that means for clusters.
fn stuck(view: &GraphView) -> Option<AnswerView> {
    let mut by_lane: BTreeMap<u32, Vec<&NodeView>> = BTreeMap::new();
    for node in view.nodes.iter().filter(|node| node.marks.contains(&Mark::Stranded)) {
        by_lane.entry(node.lane).or_default().push(node);
    }
    let nodes: Vec<&NodeView> = by_lane.values().flatten().copied().collect();
    let stays = nodes.iter().all(|node| node.next.is_none());
    let one = nodes.len() == 1;
    let what = match (stays, one) {
        (true, true) => "never updates again",
        (true, false) => "never update again",
        (false, true) => "never reaches the end",
        (false, false) => "never reach the end",
    };
    let (lane, of) = by_lane.first_key_value()?;
    let lane = view.lanes.get(*lane as usize)?;
    let title = match by_lane.len() {
        1 => format!("{} of {} versions in `{}` {what}", of.len(), lane.entries, lane.channel),
        _ => format!("{} versions in {} channels {what}", nodes.len(), by_lane.len()),
    };
    let labels = labels(view, by_lane.into_values().next()?.as_slice(), nodes.len());
    let stops = if stays { "stays where it is" } else { "stops before the end of its channel" };
    let reason = format!("Installed at {labels}, an operator {stops}, and OLM reports no error.");
    Some(AnswerView { repaired_channel: Some(lane.channel.clone()), ..bad(title, reason) })
}

/// `0.1.1 to 0.2.2` if these entries follow each other in their channel, else the first of them.
fn labels(view: &GraphView, of: &[&NodeView], total: usize) -> String {
    let ([first, .., last], true) = (of, of.len() == total) else {
        return first_and_more(of.iter().map(|node| format!("`{}`", node.label)), NAMED);
    };
    let between = view.nodes.iter().filter(|node| node.lane == first.lane && node.place.is_some());
    let between = between.filter(|node| (first.column..=last.column).contains(&node.column)).count();
    match between == of.len() && of.len() > 2 {
        true => format!("`{}` to `{}`", first.label, last.label),
        false => first_and_more(of.iter().map(|node| format!("`{}`", node.label)), NAMED),
    }
}

#[cfg(test)]
mod tests {
    use crate::graph;
    use session::testing::workbench;
    use views::{CatalogId, GraphOptions, PackageKey, Runtime, Severity};

    fn answer(sketch: &str, runtime: Runtime) -> (Option<Severity>, String, String) {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let options = GraphOptions { runtime, ..GraphOptions::default() };
        let answer = graph(&workbench(&[("c", sketch)]), &key, &options).unwrap().answer;
        (answer.severity, answer.title, answer.reason)
    }

    fn bundles(versions: &[&str]) -> String {
        versions.iter().map(|version| format!("\nbundle p {version}")).collect()
    }

    #[test]
    fn the_stuck_versions_of_a_channel_are_counted_and_named() {
        let channel = "package p c\nchannel p c p.v5.0.0>p.v4.0.0-p.v4.0.0 p.v4.0.0-p.v1.0.0,p.v2.0.0,p.v3.0.0 p.v3.0.0 p.v2.0.0 p.v1.0.0";
        let sketch = channel.to_owned() + &bundles(&["1.0.0", "2.0.0", "3.0.0", "4.0.0", "5.0.0"]);
        let (severity, title, reason) = answer(&sketch, Runtime::V0);
        assert_eq!((severity, &*title), (Some(Severity::Error), "3 of 5 versions in `c` never update again"));
        assert_eq!(reason, "Installed at `1.0.0` to `3.0.0`, an operator stays where it is, and OLM reports no error.");
        // OLM v1 follows the edges of the skipped entry.
        assert_eq!(answer(&sketch, Runtime::V1).1, "Every version reaches the highest version");
    }

    #[test]
    fn a_package_at_fault_and_its_neighbour_are_told_apart() {
        let other =
            "\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0\npackage p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let (_, title, reason) = answer(&("package r none".to_owned() + other), Runtime::V0);
        let expected = ("No cluster gets this package", "`opm` rejects the catalog for `r`.");
        assert_eq!((&*title, &*reason), expected);
        let (_, title, reason) = answer("package p none", Runtime::V0);
        assert_eq!(title, "`opm` rejects this package: no cluster gets it");
        assert_eq!(reason, "Default channel `none` of package `p` does not exist.");
    }

    #[test]
    fn a_package_without_problems_says_that_its_versions_move_on() {
        let sketch = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0".to_owned() + &bundles(&["1.0.0", "2.0.0"]);
        let (severity, title, reason) = answer(&sketch, Runtime::V0);
        assert_eq!((severity, &*title), (None, "Every version reaches the head"), "{reason}");
        let lone = "package p c\nchannel p c p.v1.0.0".to_owned() + &bundles(&["1.0.0"]);
        assert_eq!(answer(&lone, Runtime::V0).1, "Each channel has one version");
        let downgrade =
            "package p c\nchannel p c p.v1.0.0>p.v2.0.0 p.v2.0.0".to_owned() + &bundles(&["1.0.0", "2.0.0"]);
        let (severity, title, _) = answer(&downgrade, Runtime::V0);
        assert_eq!((severity, &*title), (Some(Severity::Warning), "Every version reaches the head, with 1 warning"));
    }

    #[test]
    fn a_channel_without_a_way_on_is_told_below_a_good_answer() {
        let sketch = "package p c\nchannel p c p.v2.0.0>p.v1.5.0 p.v1.5.0\nchannel p old p.v1.0.0".to_owned();
        let (severity, title, reason) = answer(&(sketch + &bundles(&["1.0.0", "1.5.0", "2.0.0"])), Runtime::V0);
        assert_eq!((severity, &*title), (None, "Every version reaches the head of its channel"));
        assert_eq!(reason, "No update leads from `old` to another channel, though `c` has 2.0.0.");
    }
}
