//! The rule `head-without-csv`.
//!
#![doc = include_str!("head_without_csv.md")]

use crate::index::{IndexedPackage, Input};
use catalog::{Bundle, Chain, CsvPresence, csv_presence};
use source::{Diagnostic, Findings, Rule, name_list};
use std::collections::BTreeMap;

pub(super) fn check(input: Input<'_>, indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let package = indexed.package;
    // The channels by name, as the package server sorts them, each with its head.
    let heads: Vec<(&str, &Bundle)> = (package.channels.iter())
        .filter_map(|channel| {
            let head = Chain::of(channel).head()?;
            Some((channel.name.value.as_str(), package.bundle(head)?))
        })
        .collect();
    let names: BTreeMap<&str, &Bundle> =
        heads.iter().map(|(_, bundle)| (bundle.name.value.as_str(), *bundle)).collect();
    let presences: BTreeMap<&str, CsvPresence> = (names.into_iter())
        .filter_map(|(name, bundle)| {
            let (raw, text) = input.bundle(bundle.span)?;
            Some((name, csv_presence(raw, text)))
        })
        .collect();
    let presence = |bundle: &Bundle| presences.get(bundle.name.value.as_str()).copied();
    let with = |wanted: CsvPresence| -> Vec<(&str, &Bundle)> {
        heads.iter().filter(|(_, bundle)| presence(bundle) == Some(wanted)).copied().collect()
    };
    findings.extend(without_metadata(indexed, &with(CsvPresence::Absent), heads.len()));
    findings.extend(without_name(&with(CsvPresence::WithoutName)));
}

/// The heads that the package server leaves out.
fn without_metadata(indexed: &IndexedPackage<'_>, hidden: &[(&str, &Bundle)], heads: usize) -> Option<Diagnostic> {
    let package = indexed.package;
    let &(_, first) = hidden.first()?;
    let is_hidden = |name: &str| hidden.iter().any(|(channel, _)| *channel == name);
    let effect = if hidden.len() == heads && heads == package.channels.len() {
        format!("so OperatorHub does not show package `{}`", package.name)
    } else {
        let default = package.default_channel.as_ref().map(|name| name.value.as_str());
        let shown = package.channels.iter().map(|channel| channel.name.value.as_str()).find(|name| !is_hidden(name));
        match (default.filter(|name| is_hidden(name)), shown) {
            (Some(default), Some(shown)) => {
                format!(
                    "so OperatorHub does not show its channel, and has `{shown}` as the default instead of `{default}`"
                )
            }
            _ => "so OperatorHub does not show its channel".to_owned(),
        }
    };
    let help =
        "render the bundle again with `opm render`, which prints `olm.csv.metadata`; a Subscription works without it";
    let message = format!("{} no CSV metadata, {effect}", who(hidden));
    Some(Diagnostic::new(Rule::HeadWithoutCsv, first.name.span, message).with_help(help))
}

fn without_name(unnamed: &[(&str, &Bundle)]) -> Option<Diagnostic> {
    let &(_, first) = unnamed.first()?;
    let message = format!("{} no `displayName`, so OperatorHub has no name to show", who(unnamed));
    let help = "set `spec.displayName` in the ClusterServiceVersion, and render the bundle again";
    Some(Diagnostic::new(Rule::HeadWithoutCsv, first.name.span, message).with_help(help))
}

/// Heads with their channels, as the subject of a sentence with a verb.
fn who(heads: &[(&str, &Bundle)]) -> String {
    match heads {
        [(channel, head)] => format!("`{}`, the head of channel `{channel}`, has", head.name),
        _ => format!("the heads of the channels {} have", name_list(heads.iter().map(|(channel, _)| *channel))),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn heads_without_metadata() {
        let cases = "
            == the only channel
            c: 1.0.0 <- 1.1.0
            bundle 1.1.0
                   ^^^^^ head-without-csv: `p.v1.1.0`, the head of channel `c`, has no CSV metadata, so OperatorHub does not show package `p`
            == all channels
            c: 1.1.0
            d: 1.2.0
            bundle 1.1.0
                   ^^^^^ head-without-csv: the heads of the channels `c`, `d` have no CSV metadata, so OperatorHub does not show package `p`
            == another channel becomes the default
            package p, default a
            a: 1.1.0
            b: 1.2.0 (property olm.csv.metadata {displayName: P})
            bundle 1.1.0
                   ^^^^^ head-without-csv: `p.v1.1.0`, the head of channel `a`, has no CSV metadata, so OperatorHub does not show its channel, and has `b` as the default instead of `a`
            == a channel that is not the default
            package p, default b
            a: 1.1.0
            b: 1.2.0 (property olm.csv.metadata {displayName: P})
            bundle 1.1.0
                   ^^^^^ head-without-csv: `p.v1.1.0`, the head of channel `a`, has no CSV metadata, so OperatorHub does not show its channel
            == an older entry
            c: 1.0.0 <- 1.1.0 (property olm.csv.metadata {displayName: P})
        ";
        check(Rule::HeadWithoutCsv, cases);
    }

    #[test]
    fn manifests_are_metadata_if_one_is_a_cluster_service_version() {
        // {"kind":"ClusterServiceVersion","spec":{"displayName":"P"}} and {"kind":"ConfigMap"}
        let cases = "
            == a ClusterServiceVersion
            c: 1.0.0 (property olm.bundle.object {data: eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJkaXNwbGF5TmFtZSI6IlAifX0=})
            == another manifest
            c: 1.0.0 (property olm.bundle.object {data: eyJraW5kIjoiQ29uZmlnTWFwIn0=})
            bundle 1.0.0
                   ^^^^^ head-without-csv: `p.v1.0.0`, the head of channel `c`, has no CSV metadata, so OperatorHub does not show package `p`
        ";
        check(Rule::HeadWithoutCsv, cases);
    }

    #[test]
    fn heads_without_a_name() {
        let cases = "
            == an empty name
            c: 1.0.0 (property olm.csv.metadata {displayName: ''})
            bundle 1.0.0
                   ^^^^^ head-without-csv: `p.v1.0.0`, the head of channel `c`, has no `displayName`, so OperatorHub has no name to show
            == no name but that of an API
            c: 1.0.0 (property olm.csv.metadata {crdDescriptions: {owned: [{displayName: A}]}})
            bundle 1.0.0
                   ^^^^^ head-without-csv: `p.v1.0.0`, the head of channel `c`, has no `displayName`, so OperatorHub has no name to show
            == a name
            c: 1.0.0 (property olm.csv.metadata {DisplayName: P})
        ";
        check(Rule::HeadWithoutCsv, cases);
    }
}
