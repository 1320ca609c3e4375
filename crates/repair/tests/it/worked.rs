//! Repairs that were worked out by hand, most of them for real channels of community-operators-prod, with their weights.

use catalog::{BundleName, Catalog, ParsedFile, lower};
use repair::{Question, Repair, Search, is_harmless};
use sat::Budget;
use source::FileId;
use std::collections::BTreeSet;

/// A package in the notation of `fixture`.
fn read(notation: &str) -> Catalog {
    let text = fixture::yaml(notation);
    let parse = fbc::parse(FileId(0), &text);
    lower(&[ParsedFile { text: &text, parse: &parse }]).0
}

/// What is asked about the first channel.
#[derive(Default)]
struct Case {
    before: &'static str,
    after: &'static str,
    avoid: &'static [&'static str],
    installed: &'static [&'static str],
}

/// What the search found: the stranded versions, the repairs as `WEIGHT/WIDENING: EDITS`, and the reason.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    stranded: usize,
    repairs: Vec<String>,
    reason: Option<&'static str>,
}

fn shown(repair: &Repair) -> String {
    let edits = repair.edits.iter().map(|edit| {
        let value = edit.change.value().map(|value| format!(" {}", value.trim_start_matches("p.v")));
        let entry = edit.entry.as_str().trim_start_matches("p.v");
        format!("{entry} {}{}", edit.change.kind(), value.unwrap_or_default())
    });
    format!("{}/{}: {}", repair.weight, repair.widening, edits.collect::<Vec<_>>().join(", "))
}

fn answer(case: &Case) -> Answer {
    let (before, after) = (read(case.before), read(case.after));
    let names = |versions: &[&str]| -> BTreeSet<BundleName> {
        versions.iter().map(|version| BundleName::from(format!("p.v{version}").as_str())).collect()
    };
    let (installed, avoid) = (names(case.installed), names(case.avoid));
    let package = &after.packages[0];
    let question = Question {
        before: before.packages.first().map(|package| &**package),
        after: package,
        channel: &package.channels[0],
        installed: &installed,
        avoid: &avoid,
        budget: &Budget::default(),
    };
    let mut search = Search::new(question);
    while !search.advance() {}
    for repair in search.repairs() {
        assert!(is_harmless(&question, &update_graph::applied(question.channel, &repair.edits)), "{}", shown(repair));
    }
    Answer {
        stranded: search.stranded().len(),
        repairs: search.repairs().iter().map(shown).collect(),
        reason: search.refusal().map(|refusal| refusal.reason.id()),
    }
}

#[track_caller]
fn check(case: &Case, stranded: usize, repairs: &[&str], reason: Option<&'static str>) {
    let repairs = repairs.iter().map(|&repair| repair.to_owned()).collect();
    assert_eq!(answer(case), Answer { stranded, repairs, reason });
}

const GRAFANA: &str = "c: 5.6.3 (replaces 5.6.2; skips 5.6.1), 5.6.2 (replaces 5.6.1), 5.6.1 (replaces 5.6.0), \
    5.0.0 <- 5.0.1 <- 5.0.2 <- 5.1.0 <- 5.2.0 <- 5.3.0 <- 5.4.0 <- 5.4.1 <- 5.4.2 <- 5.5.1 <- 5.5.2 <- 5.6.0";

#[test]
fn case_1_grafana_operator() {
    check(
        &Case { after: GRAFANA, avoid: &["5.6.1"], ..Case::default() },
        12,
        &["5/0: 5.6.2 replace 5.6.0", "5/0: 5.6.3 replace 5.6.0, 5.6.3 skip 5.6.2"],
        None,
    );
}

#[test]
fn case_3_pruned_versions_of_replaces_mode() {
    let before = "c: 5.9.2 (skips 5.6.1, 5.6.2, 5.6.3, 5.7.0, 5.8.0), 5.0.0 <- 5.0.1 <- 5.1.0 <- 5.6.0";
    let after = "c: 5.9.2 (skips 5.6.1, 5.6.2, 5.6.3, 5.7.0, 5.8.0)";
    check(&Case { before, after, ..Case::default() }, 4, &["1/0: 5.9.2 range >=5.0.0 <5.9.2"], None);
}

const CLUSTERPULSE: &str =
    "c: 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0, 0.2.1, 0.2.2), 0.2.2 (skips 0.2.0, 0.2.1), 0.2.1, 0.2.0, 0.1.1";

#[test]
fn case_4_clusterpulse() {
    let after = "c: 0.3.0 (replaces 0.2.3; skips 0.2.3), 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0, 0.2.1, 0.2.2), \
        0.2.2 (skips 0.2.0, 0.2.1), 0.2.1, 0.2.0, 0.1.1";
    check(
        &Case { before: CLUSTERPULSE, after, ..Case::default() },
        4,
        &["1/4: 0.3.0 range >=0.1.1 <0.3.0", "2/0: 0.3.0 unskip 0.2.3"],
        None,
    );
}

#[test]
fn case_5_kubernaut_operator() {
    let before = "c: 1.3.4 (skips 1.3.2, 1.3.3), 1.3.3, 1.3.2";
    let after = "c: 1.5.0 (replaces 1.4.1; skips 1.4.1), 1.4.1 (replaces 1.3.4; skips 1.3.4), \
        1.3.4 (skips 1.3.2, 1.3.3), 1.3.3, 1.3.2";
    check(
        &Case { before, after, ..Case::default() },
        3,
        &["1/2: 1.5.0 range >=1.3.2 <1.5.0", "6/0: 1.5.0 unskip 1.4.1, 1.4.1 unskip 1.3.4"],
        None,
    );
}

#[test]
fn case_6_dell_csm_operator() {
    let before = "c: 1.8.1 (replaces 1.8.0), 1.8.0 (replaces 1.7.0), 1.7.0 (skips 1.6.1), 1.6.1";
    let after = "c: 1.9.0 (skips 1.8.1), 1.8.1 (skips 1.7.0), 1.7.0 (skips 1.6.1), 1.6.1";
    let repairs = [
        "1/3: 1.9.0 range >=1.6.1 <1.9.0",
        "17/0: 1.9.0 replace 1.8.1, 1.9.0 unskip 1.8.1, 1.8.1 replace 1.7.0, 1.8.1 unskip 1.7.0, 1.8.1 range >=1.8.0 <1.8.1",
    ];
    check(&Case { before, after, ..Case::default() }, 3, &repairs, None);
}

#[test]
fn case_7_visionone_containersecurity() {
    check(
        &Case { before: "c: 0.0.1", after: "c: 0.0.2", ..Case::default() },
        1,
        &["1/0: 0.0.2 range >=0.0.1 <0.0.2", "2/0: 0.0.2 skip 0.0.1", "3/0: 0.0.2 replace 0.0.1"],
        None,
    );
}

#[test]
fn case_8_two_heads() {
    let after = "c: 1.2.0 (replaces 1.0.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    check(&Case { after, ..Case::default() }, 3, &["2/0: 1.2.0 skip 1.1.0", "3/0: 1.2.0 replace 1.1.0"], None);
}

#[test]
fn case_9_a_hotfix_after_the_fact() {
    let after = "c: 1.8.0 (replaces 1.5.5), 1.5.5";
    check(
        &Case { after, installed: &["1.5.6"], ..Case::default() },
        1,
        &["1/0: 1.8.0 range >=1.5.6 <1.8.0", "2/0: 1.8.0 skip 1.5.6"],
        None,
    );
}

#[test]
fn case_10_a_range_that_goes_down() {
    let after = "c: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0; skipRange <2.0.0), 1.0.0";
    let repairs = [
        "3/0: 1.1.0 range <1.1.0",
        "4/1: 1.2.0 skip 1.0.0, 1.2.0 skip 1.1.0",
        "5/1: 1.2.0 replace 1.0.0, 1.2.0 skip 1.1.0",
    ];
    check(&Case { after, ..Case::default() }, 3, &repairs, None);
}

#[test]
fn case_11_a_head_that_was_withdrawn() {
    let before = "c: 24.10.1 (replaces 24.10.0), 24.10.0 (replaces 24.6.0), 24.6.0";
    let after = "c: 24.6.0 (replaces 24.2.0), 24.2.0";
    check(&Case { before, after, ..Case::default() }, 2, &[], Some("head-withdrawn"));
}

#[test]
fn case_12_versions_without_any_edge() {
    let before = "c: 4.4.0 (replaces 4.3.0), 4.3.0 (replaces 4.1.0), 4.1.0 (replaces 4.0.1), 4.0.1";
    let after = "c: 4.4.0 (replaces 4.3.0), 4.3.0";
    check(
        &Case { before, after, ..Case::default() },
        2,
        &["1/2: 4.4.0 range >=4.0.1 <4.4.0", "3/0: 4.3.0 range >=4.0.1 <4.3.0"],
        None,
    );
}

#[test]
fn case_13_multi_nic_cni_operator() {
    let before = "c: 1.2.2 <- 1.2.7 <- 1.2.8 <- 1.2.9 <- 1.3.0";
    let after = "c: 1.2.2 <- 1.2.8 <- 1.2.9 <- 1.3.0";
    let repairs = [
        "1/1: 1.3.0 range >=1.2.7 <1.2.8",
        "2/1: 1.3.0 skip 1.2.7",
        "3/0: 1.2.8 range >=1.2.7 <1.2.8",
        "3/1: 1.2.9 range >=1.2.7 <1.2.9",
    ];
    check(&Case { before, after, ..Case::default() }, 1, &repairs, None);
}

/// The name that `replaces` has now may be a version that clusters have, unless the state before does not know it.
#[test]
fn a_misspelt_replaces_is_written_as_it_was_meant() {
    for (after, both) in [
        ("c: 0.7.1 (replaces 0.7.9), 0.6.0 <- 0.7.0", "5/0: 0.7.1 replace 0.7.0, 0.7.1 skip 0.7.9"),
        ("c: 0.7.1 (replaces 0.7.0x), 0.6.0 <- 0.7.0", "5/0: 0.7.1 replace 0.7.0, 0.7.1 skip 0.7.0x"),
    ] {
        let alone = answer(&Case { after, ..Case::default() });
        assert_eq!((alone.stranded, alone.repairs.contains(&both.to_owned())), (4, true), "{:?}", alone.repairs);
        let since = answer(&Case { before: "c: 0.6.0 <- 0.7.0", after, ..Case::default() });
        assert!(since.repairs.contains(&"3/0: 0.7.1 replace 0.7.0".to_owned()), "{:?}", since.repairs);
        assert_eq!(since.stranded, 3);
    }
}

/// In a long channel only edits near to what is wrong are considered. The repairs are the same as in a short one.
#[test]
fn long_channels_have_the_repairs_of_short_ones() {
    let below: Vec<String> = (0..60).map(|patch| format!("4.0.{patch}")).collect();
    let grafana = GRAFANA.replacen("5.0.0 <-", &format!("{} <- 5.0.0 <-", below.join(" <- ")), 1).leak();
    let repairs = ["5/0: 5.6.2 replace 5.6.0", "5/0: 5.6.3 replace 5.6.0, 5.6.3 skip 5.6.2"];
    check(&Case { after: grafana, avoid: &["5.6.1"], ..Case::default() }, 72, &repairs, None);
    let below: Vec<String> = (1..60).map(|patch| format!("1.0.{patch}")).collect();
    let below = below.join(" <- ");
    let before = format!("c: {below} <- 1.2.2 <- 1.2.7 <- 1.2.8 <- 1.2.9 <- 1.3.0").leak();
    let after = format!("c: {below} <- 1.2.2 <- 1.2.8 <- 1.2.9 <- 1.3.0").leak();
    let repairs = ["1/1: 1.3.0 range >=1.2.7 <1.2.8", "2/1: 1.3.0 skip 1.2.7", "3/0: 1.2.8 range >=1.2.7 <1.2.8"];
    check(&Case { before, after, ..Case::default() }, 1, &repairs, None);
}

#[test]
fn a_channel_of_heads_is_repaired_one_head_after_the_other() {
    let heads: Vec<String> = (0..30).map(|minor| format!("1.{minor}.0")).collect();
    let after = format!("c: {}", heads.join(", ")).leak();
    let skips: Vec<String> = (0..29).rev().map(|minor| format!("1.29.0 skip 1.{minor}.0")).collect();
    let found = answer(&Case { after, ..Case::default() });
    let mut edits: Vec<&str> = found.repairs[0].trim_start_matches("58/0: ").split(", ").collect();
    edits.sort_unstable();
    let mut expected: Vec<&str> = skips.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!((edits, found.repairs.len(), found.stranded, found.reason), (expected, 1, 30, None));
}

/// The skipRange of 1.9.0 is the only way into the channel for a version of another one: to skip 1.9.0 would take it away.
#[test]
fn a_version_of_another_channel_keeps_its_way_into_the_channel() {
    let after = "fast: 2.0.0 (replaces 1.9.0), 1.9.0 (skipRange >=1.0.0)\nold: 1.0.0";
    let repairs = [
        "3/0: 1.9.0 range >=1.0.0 <1.9.0",
        "3/1: 2.0.0 skip 1.9.0, 2.0.0 range >=1.0.0 <2.0.0",
        "4/1: 2.0.0 skip 1.0.0, 2.0.0 skip 1.9.0",
        "5/1: 2.0.0 replace 1.0.0, 2.0.0 skip 1.9.0",
    ];
    check(&Case { after, ..Case::default() }, 3, &repairs, None);
    // A version that the range would take down has no way in.
    let after = "fast: 2.0.0 (replaces 1.9.0), 1.9.0 (skipRange >=1.0.0 <1.9.0)\nold: 3.0.0, 0.9.0";
    check(&Case { after, ..Case::default() }, 0, &[], None);
}
