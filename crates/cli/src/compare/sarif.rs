//! A comparison as SARIF: what is breaking as errors, what is risky as warnings.

use crate::places::Inputs;
use crate::sarif::{self, Configuration, Descriptor, Log, Message, Outcome, location};
use compare::words::{fix_text, group_text};
use compare::{Edit, Level, Rule, VerifiedFix};
use views::{ClusterComparisonView, Place};
use workbench::comparison::words::{following, subscription_text};
use workbench::comparison::{Compared, Comparison, Finding};

/// The id of the rule about what cannot be compared.
const NOT_COMPARABLE: &str = "not-comparable";

/// The most edits of a cause that a result lists.
const CAUSES: usize = 12;

/// The id of the rule about Subscriptions of a cluster.
const IN_CLUSTER: &str = "cluster-subscription";

pub(super) fn log(inputs: &Inputs, comparison: &Comparison<'_>, cluster: Option<&ClusterComparisonView>) -> Log {
    let mut results: Vec<Outcome> = Vec::new();
    for known in &comparison.not_comparable {
        results.push(outcome(inputs, (Level::Breaking, NOT_COMPARABLE), comparison.start(), known.text()));
    }
    let following = following(comparison).into_iter();
    results.extend(following.map(|text| outcome(inputs, (Level::Breaking, NOT_COMPARABLE), comparison.start(), text)));
    for found in comparison.packages.iter().filter(|found| !found.follows) {
        results.extend(of_package(inputs, comparison, found));
    }
    let rows = cluster.iter().flat_map(|cluster| &cluster.subscriptions).filter(|row| row.level >= Level::Risky);
    for row in rows {
        results.push(outcome(inputs, (row.level, IN_CLUSTER), comparison.start(), subscription_text(row)));
    }
    let named = |id: &str| results.iter().any(|result| result.rule_id == id);
    let lost = (NOT_COMPARABLE, "One of the states cannot be compared.", Level::Breaking);
    let in_cluster = (IN_CLUSTER, "A Subscription of the cluster is harmed by the change.", Level::Breaking);
    let all = Rule::all().into_iter().map(|rule| (rule.id(), rule.about(), rule.level())).chain([lost, in_cluster]);
    let rules: Vec<Descriptor> = all
        .filter(|(id, ..)| named(id))
        .map(|(id, about, level)| Descriptor {
            id,
            short_description: Message { text: about.to_owned() },
            full_description: None,
            help: None,
            default_configuration: Configuration { level: level_name(level) },
        })
        .collect();
    for result in &mut results {
        result.rule_index = rules.iter().position(|rule| rule.id == result.rule_id).unwrap_or_default();
    }
    sarif::log(rules, results)
}

fn of_package(inputs: &Inputs, comparison: &Comparison<'_>, found: &Compared) -> Vec<Outcome> {
    let is_shown = |level: Level| level >= Level::Risky;
    let result = |rule: (Level, &str), text: String, cause: &[Edit], fixes: &[VerifiedFix]| {
        let help = fixes.first().map(|fix| format!(". Help: {}", fix_text(fix))).unwrap_or_default();
        let place = comparison.place_after(found, cause.first()).or_else(|| comparison.start());
        let mut outcome = outcome(inputs, rule, place, text + &help);
        let causes = cause.iter().take(CAUSES).filter_map(|edit| {
            let (text, place) = comparison.cause(found, edit);
            let place = place?;
            let message = Some(Message { text });
            Some(location(&inputs.path(place), place, message, &inputs.workbench))
        });
        outcome.related_locations = causes.collect();
        outcome
    };
    let findings = comparison.findings(found).into_iter().filter(|finding| is_shown(finding.level));
    let rows = findings.map(|Finding { group, level, explanation: found }| {
        result((level, group.rule.id()), group_text(&group), &found.cause, &found.fixes)
    });
    let changes = comparison.changes(found).into_iter().filter(|(level, _)| is_shown(*level));
    let changes = changes.map(|(level, change)| {
        let place = comparison.place_after(found, Some(&change.edit)).or_else(|| comparison.start());
        outcome(inputs, (level, change.rule.id()), place, change.message.clone())
    });
    rows.chain(changes).collect()
}

fn outcome(inputs: &Inputs, (level, rule): (Level, &str), place: Option<Place>, text: String) -> Outcome {
    let place = place.map(|place| location(&inputs.path(place), place, None, &inputs.workbench));
    Outcome {
        rule_id: rule.to_owned(),
        rule_index: 0,
        level: level_name(level),
        message: Message { text },
        locations: place.into_iter().collect(),
        related_locations: Vec::new(),
    }
}

const fn level_name(level: Level) -> &'static str {
    match level {
        Level::Breaking => "error",
        Level::Risky => "warning",
        Level::Neutral | Level::Good => "note",
    }
}
