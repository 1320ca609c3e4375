//! What holds for all sets.

use super::{files_of, of_versions, set};
use openshift::sets::{Finding, check};
use proptest::prelude::*;
use source::Executor;

/// The version that is in the middle of the others.
const ADDED: &str = "4.18";

/// A channel: versions, each with an edge to the one before it or without.
fn channel() -> impl Strategy<Value = String> {
    proptest::collection::vec((0..6_u8, any::<bool>()), 1..4).prop_map(|entries| {
        let mut text = String::new();
        let mut known = std::collections::BTreeMap::new();
        entries.into_iter().for_each(|(patch, has_edge)| _ = known.insert(patch, has_edge));
        for (at, (patch, has_edge)) in known.iter().enumerate() {
            let before: Vec<String> = known.keys().take(at).map(|patch| format!("1.0.{patch}")).collect();
            // The last one is the head: it skips all others.
            let is_head = at + 1 == known.len();
            let skips =
                if before.is_empty() || !(*has_edge || is_head) { "1.9.9".to_owned() } else { before.join(", ") };
            text.push_str(if at == 0 { "c: " } else { ", " });
            text.push_str(&format!("1.0.{patch} (skips {skips})"));
        }
        text
    })
}

/// The findings about updates of OpenShift, row by row, so that merging does not matter.
fn rows(findings: &[Finding]) -> Vec<String> {
    let of = |finding: &Finding| {
        let (id, package) = (finding.rule.id(), finding.package.clone());
        finding
            .rows
            .iter()
            .filter(|row| row.from != row.to)
            .map(move |row| format!("{id} {package:?} {row:?}"))
            .collect::<Vec<_>>()
    };
    let mut rows: Vec<String> = findings.iter().flat_map(of).collect();
    rows.sort();
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_member_does_not_change_what_updates_between_others_do(texts in proptest::collection::vec(channel(), 5)) {
        let versions = ["4.15", "4.16", ADDED, "4.20", "4.21"];
        let all: Vec<(&str, &str)> = versions.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let without: Vec<(&str, &str)> = all.iter().copied().filter(|(version, _)| *version != ADDED).collect();
        let found = |members: &[(&str, &str)]| rows(&check(&of_versions(members), Executor::default()));
        prop_assert_eq!(found(&all), found(&without));
    }

    #[test]
    fn the_order_of_files_does_not_matter(texts in proptest::collection::vec(channel(), 3)) {
        let versions = ["4.18", "4.19", "4.20"];
        let files = versions.iter().zip(&texts).flat_map(|(version, text)| files_of(version, text));
        let files: Vec<(String, String)> = files.collect();
        let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let lines = |files: &[(&str, &str)]| {
            let set = set(files);
            let shown = |finding: Finding| {
                let spans: Vec<String> = finding.spans.iter().map(|(version, span)| {
                    format!("{}:{}", set.path(*version, *span), set.position(*span).line)
                }).collect();
                format!("{:?} {spans:?}", Finding { spans: Vec::new(), ..finding })
            };
            check(&set, Executor::default()).into_iter().map(shown).collect::<Vec<_>>()
        };
        let before = lines(&files);
        files.reverse();
        prop_assert_eq!(lines(&files), before);
    }

    #[test]
    fn a_union_of_sets_has_the_findings_of_both(
        one in proptest::collection::vec(channel(), 2),
        other in proptest::collection::vec(channel(), 2),
    ) {
        let members = |name: &str, texts: &[String]| -> Vec<String> {
            texts.iter().map(|text| format!("package {name}\n{text}\n")).collect()
        };
        let (p, q) = (members("p", &one), members("q", &other));
        let both: Vec<String> = p.iter().zip(&q).map(|(p, q)| format!("{p}{q}")).collect();
        let found = |texts: &[String]| {
            let texts = texts.iter().map(String::as_str);
            let members: Vec<(&str, &str)> = ["4.18", "4.19"].into_iter().zip(texts).collect();
            let plain = |finding: Finding| format!("{:?}", Finding { spans: Vec::new(), ..finding });
            check(&of_versions(&members), Executor::default()).into_iter().map(plain).collect::<Vec<_>>()
        };
        let mut together: Vec<String> = [found(&p), found(&q)].concat();
        let mut of_union = found(&both);
        together.sort();
        of_union.sort();
        prop_assert_eq!(of_union, together);
    }
}
