//! What changes do to extensions of OLM v1: real changes of community-operators-prod, one change for each rule, and that the answers
//! are those of the resolver.

use crate::{catalog, state};
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, ChannelName};
use cluster::{Availability, ClusterCatalog, ClusterExtension, InstalledBundle, NAME_LABEL, Selector};
use compare::{PackageComparison, Path, Row, Rule, Runtime, UpdatedBy, ambiguous_extensions, compare_package, groups};
use extension::{CatalogState, resolve};
use proptest::prelude::*;

fn compared(old: &Catalog, new: &Catalog) -> PackageComparison {
    compare_package(state(old), state(new), &PackageName::from("p"), Runtime::Both)
}

/// The channel that the extension of a row names; `*` for none.
fn channel_of(row: &Row) -> &str {
    row.named_channel().map_or("*", ChannelName::as_str)
}

fn short(name: &BundleName) -> &str {
    name.as_str().trim_start_matches("p.v")
}

/// Lines `channel version: rule, old end -> new end` of the cases with a rule; `*` for extensions without channels.
#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    check_catalogs(&catalog(old), &catalog(new), expected);
}

#[track_caller]
fn check_catalogs(old: &Catalog, new: &Catalog, expected: &[&str]) {
    assert_eq!(lines(&compared(old, new)), expected);
}

fn lines(comparison: &PackageComparison) -> Vec<String> {
    let end = |row: &Row, path: &Path| match &path.error {
        Some(_) => "error".to_owned(),
        None => short(path.end(&row.installed)).to_owned(),
    };
    let mut lines = Vec::new();
    for group in groups(comparison.extensions()) {
        lines.extend(group.rows.iter().map(|row| {
            let (old, new) = (end(row, &row.old), end(row, &row.new));
            format!("{} {}: {}, {old} -> {new}", channel_of(row), short(&row.installed), group.rule.id())
        }));
    }
    lines
}

#[test]
fn a_skipped_old_head_harms_no_extension() {
    // clusterpulse, which strands all older versions under OLM v0.
    let rest = "0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0), 0.2.0, 0.1.1";
    let expected = ["*", "a"].map(|channel| {
        ["0.2.3", "0.2.0", "0.1.1"].map(|version| format!("{channel} {version}: v1-end-higher, 0.2.3 -> 0.3.0"))
    });
    let expected: Vec<&str> = expected.iter().flatten().map(String::as_str).collect();
    check(&format!("a: {rest}"), &format!("a: 0.3.0 (replaces 0.2.3; skips 0.2.3), {rest}"), &expected);
}

#[test]
fn an_exchanged_entry_is_an_error_in_its_channel_alone() {
    // visionone-containersecurity: another channel still has an edge.
    let old = "stable: 0.0.1\nalpha: 0.0.1";
    let new = "stable: 0.0.2\nalpha: 0.0.2 (replaces 0.0.1), 0.0.1";
    let expected = [
        "stable 0.0.1: v1-error, 0.0.1 -> error",
        "* 0.0.1: v1-end-higher, 0.0.1 -> 0.0.2",
        "alpha 0.0.1: v1-end-higher, 0.0.1 -> 0.0.2",
    ];
    check(old, new, &expected);
}

#[test]
fn a_respin_with_a_lower_version_is_never_installed() {
    // slurm-operator: 1.0.1-1 is a prerelease of 1.0.1.
    let expected = ["* 1.0.1: v1-successor-lower, 1.0.1 -> 1.0.1", "c 1.0.1: v1-successor-lower, 1.0.1 -> 1.0.1"];
    check("c: 1.0.1", "c: 1.0.1-1 (replaces 1.0.1), 1.0.1", &expected);
}

#[test]
fn a_withdrawn_head_is_an_error() {
    let old = "c: 1.2.0 (replaces 1.1.0), 1.1.0";
    let new = "c: 1.1.0";
    let expected = [
        "* 1.2.0: v1-error, 1.2.0 -> error",
        "c 1.2.0: v1-error, 1.2.0 -> error",
        "* 1.1.0: v1-end-lower, 1.2.0 -> 1.1.0",
        "c 1.1.0: v1-end-lower, 1.2.0 -> 1.1.0",
    ];
    check(old, new, &expected);
}

#[test]
fn retroactive_changes_of_edges_are_risky() {
    let patches = "c: 1.0.3 (replaces 1.0.2), 1.0.2 (replaces 1.0.1), 1.0.1 (replaces 1.0.0), 1.0.0";
    let new = "c: 1.0.3 (replaces 1.0.2), 1.0.2 (replaces 1.0.1; skips 1.0.0), 1.0.1 (replaces 1.0.0), 1.0.0";
    let expected = ["* 1.0.0: v1-next-changed, 1.0.3 -> 1.0.3", "c 1.0.0: v1-next-changed, 1.0.3 -> 1.0.3"];
    check(patches, new, &expected);
    let old = "c: 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let new = "c: 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.1.0; skips 1.0.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let expected = ["* 1.0.0: v1-jump-widened, 1.3.0 -> 1.3.0", "c 1.0.0: v1-jump-widened, 1.3.0 -> 1.3.0"];
    check(old, new, &expected);
    let new = "c: 1.4.0 (replaces 1.3.0; skips 1.0.0), 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let expected = [
        "* 1.0.0: v1-jump-widened, 1.3.0 -> 1.4.0",
        "c 1.0.0: v1-jump-widened, 1.3.0 -> 1.4.0",
        "* 1.3.0: v1-end-higher, 1.3.0 -> 1.4.0",
        "* 1.2.0: v1-end-higher, 1.3.0 -> 1.4.0",
        "* 1.1.0: v1-end-higher, 1.3.0 -> 1.4.0",
        "c 1.3.0: v1-end-higher, 1.3.0 -> 1.4.0",
        "c 1.2.0: v1-end-higher, 1.3.0 -> 1.4.0",
        "c 1.1.0: v1-end-higher, 1.3.0 -> 1.4.0",
    ];
    check(old, new, &expected);
    let new = "c: 1.3.0 (replaces 1.2.0), 1.2.0, 1.1.0 (replaces 1.0.0), 1.0.0";
    let expected = [
        "* 1.1.0: v1-end-lower, 1.3.0 -> 1.1.0",
        "* 1.0.0: v1-end-lower, 1.3.0 -> 1.1.0",
        "c 1.1.0: v1-end-lower, 1.3.0 -> 1.1.0",
        "c 1.0.0: v1-end-lower, 1.3.0 -> 1.1.0",
    ];
    check(old, new, &expected);
    let expected = ["* 1.0.0: v1-end-behind, 1.0.0 -> 1.0.0", "c 1.0.0: v1-end-behind, 1.0.0 -> 1.0.0"];
    check("c: 1.0.0", "c: 1.1.0, 1.0.0", &expected);
    let expected = ["* 1.0.0: v1-pin-lost, 1.1.0 -> 1.1.0", "c 1.0.0: v1-pin-lost, 1.1.0 -> 1.1.0"];
    check("c: 1.1.0 (replaces 1.0.0), 1.0.0", "c: 1.1.0 (replaces 1.0.0)", &expected);
}

#[test]
fn who_is_updated_further_is_told() {
    // The plainest release.
    let expected = ["* 1.0.0: v1-end-higher, 1.0.0 -> 1.1.0", "c 1.0.0: v1-end-higher, 1.0.0 -> 1.1.0"];
    check("c: 1.0.0", "c: 1.0.0 <- 1.1.0", &expected);
    // The only change is an edge from another channel.
    let edge = ["v1: 1.0.0\nv2: 1.1.0", "v1: 1.0.0\nv2: 1.1.0 (replaces 1.0.0)"];
    check(edge[0], edge[1], &["* 1.0.0: v1-unstranded, 1.0.0 -> 1.1.0"]);
    check(edge[1], edge[0], &["* 1.0.0: v1-end-lower, 1.1.0 -> 1.0.0"]);
    // The only change is an edge of a skipped entry, which does not count under OLM v0.
    let skipped = "c: 1.3.0 (replaces 1.1.0; skips 1.2.0), 1.2.0, 1.1.0 (replaces 1.0.0), 1.0.0";
    let with_edge = skipped.replace(" 1.2.0,", " 1.2.0 (replaces 1.0.0),");
    let next_changed = |rule: &str| ["*", "c"].map(|channel| format!("{channel} 1.0.0: {rule}, 1.3.0 -> 1.3.0"));
    for (old, new, rule) in [(skipped, &*with_edge, "v1-jump-widened"), (&with_edge, skipped, "v1-next-changed")] {
        assert_eq!(lines(&compared(&catalog(old), &catalog(new))), next_changed(rule));
    }
    // A withdrawn version comes back.
    let expected = ["* 1.0.0: v1-unstranded, error -> 1.0.0", "c 1.0.0: v1-unstranded, error -> 1.0.0"];
    let dependent = "c: 1.0.0 (requires g/v1/K)";
    check(dependent, "c: 1.0.0", &expected);
    let ways =
        ["c: 1.0.0 <- 1.1.0 <- 1.2.0 <- 1.3.0", "c: 1.0.0 <- 1.1.0 <- 1.2.0, 1.3.0 (replaces 1.2.0; skips 1.1.0)"];
    let expected = |rule: &str| ["*", "c"].map(|channel| format!("{channel} 1.0.0: v1-path-{rule}, 1.3.0 -> 1.3.0"));
    for (old, new, rule) in [(ways[0], ways[1], "shorter"), (ways[1], ways[0], "longer")] {
        let found = lines(&compared(&catalog(old), &catalog(new)));
        let of_first: Vec<_> = found.into_iter().filter(|line| line.contains(" 1.0.0:")).collect();
        assert_eq!(of_first, expected(rule));
    }
}

#[test]
fn gains_are_counted_in_the_sentence() {
    let say = |old: &str, new: &str| compare::counted(&compared(&catalog(old), &catalog(new)), |_| true);
    let release = say("c: 1.0.0 <- 1.1.0", "c: 1.0.0 <- 1.1.0 <- 1.2.0");
    assert_eq!(release.as_deref(), Some("2 installed versions move on to 1.2.0 as expected"));
    let edge = say("v1: 1.0.0\nv2: 1.1.0", "v1: 1.0.0\nv2: 1.1.0 (replaces 1.0.0)");
    assert_eq!(edge.as_deref(), Some("1 installed version gets updates again"));
    let both = say("c: 1.0.0, 1.1.0", "c: 1.2.0 (replaces 1.1.0), 1.1.0");
    assert_eq!(
        both.as_deref(),
        Some("1 installed version finds no bundle any more, 1 installed version moves on to 1.2.0 as expected")
    );
}

#[test]
fn images_dependencies_and_deprecations_count() {
    let old = catalog("c: 1.1.0 (replaces 1.0.0), 1.0.0");
    let swapped = catalog("c: 1.1.0 (replaces 1.0.0; image k), 1.0.0");
    let expected = ["* 1.1.0: v1-image-swap, 1.1.0 -> 1.1.0", "c 1.1.0: v1-image-swap, 1.1.0 -> 1.1.0"];
    check_catalogs(&old, &swapped, &expected);
    let dependent = catalog("c: 1.1.0 (replaces 1.0.0; requires g/v1/K), 1.0.0");
    let expected = [
        "* 1.1.0: v1-dependency, 1.1.0 -> error",
        "* 1.0.0: v1-dependency, 1.1.0 -> error",
        "c 1.1.0: v1-dependency, 1.1.0 -> error",
        "c 1.0.0: v1-dependency, 1.1.0 -> error",
    ];
    check_catalogs(&old, &dependent, &expected);
    let lower = "c: 1.1.0 (replaces 1.0.0), 1.0.0 (skipRange <1.2.0)";
    let new = catalog(&format!("{lower}\ndeprecated 1.1.0"));
    let expected = ["* 1.1.0: v1-downgrade, 1.1.0 -> 1.0.0", "c 1.1.0: v1-downgrade, 1.1.0 -> 1.0.0"];
    let comparison = compared(&catalog(lower), &new);
    let row = |row: &Row| {
        let next = short(row.new.next().expect("it is updated"));
        format!("{} {}: v1-downgrade, 1.1.0 -> {next}", channel_of(row), short(&row.installed))
    };
    let found: Vec<String> =
        comparison.extensions().filter(|row| row.rule == Some(Rule::V1Downgrade)).map(row).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_channel_that_no_extension_can_name_has_no_rule() {
    let expected = ["* 1.0.0: v1-error, 1.0.0 -> error"];
    check("Stable_1: 1.0.0", "Stable_1: 1.1.0", &expected);
}

/// The rows of package `p` that a second catalog makes ambiguous: its lines, its priority, and the change.
fn ambiguous((other, priority): (&str, i32), old: &str, new: &str) -> Vec<String> {
    let second = ClusterCatalog { priority, ..ClusterCatalog::new("second".into()) };
    selected_ambiguous((other, &second), (old, new), &[Selector::default()])
}

/// The same with these selectors of catalogs.
fn selected_ambiguous(
    (other, second): (&str, &ClusterCatalog),
    (old, new): (&str, &str),
    selectors: &[Selector],
) -> Vec<String> {
    let content = [old, new, other].map(catalog);
    let object = ClusterCatalog::new("mine".into());
    let [old, new] = [&content[0], &content[1]].map(|content| CatalogState { object: &object, content: Some(content) });
    let others = [CatalogState { object: second, content: Some(&content[2]) }];
    let rows = ambiguous_extensions(old, new, &others, &PackageName::from("p"), selectors);
    let line = |row: &&Row| {
        let (error, rule) = (row.new.first_error().expect("it is ambiguous"), row.rule.expect("it has a rule"));
        format!("{} {}: {}: {}", channel_of(row), short(&row.installed), rule.id(), error.text)
    };
    groups(&rows).iter().flat_map(|group| group.rows.iter().map(line)).collect()
}

#[test]
fn a_second_catalog_of_equal_priority_is_ambiguous() {
    // What is installed comes from the other catalog; the change adds an update of it in another channel.
    let (old, new) = ("d: 2.0.0", "d: 2.0.0 (replaces 1.0.0)");
    let expected = "* 1.0.0: v1-ambiguous: error upgrading from currently installed version \"1.0.0\": found bundles for package \"p\" in \
                    multiple catalogs with the same priority [mine second]";
    assert_eq!(ambiguous(("c: 1.0.0", 0), old, new), [expected]);
    assert_eq!(ambiguous(("c: 1.0.0", 1), old, new), [""; 0], "a priority decides");
    assert_eq!(ambiguous(("c: 1.0.0", 0), new, new), [""; 0], "as before");
    assert_eq!(ambiguous(("c: 3.0.0", 0), old, new), [""; 0], "the other catalog has no bundle for it");
}

#[test]
fn a_catalog_that_is_not_selected_or_unavailable_makes_nothing_ambiguous() {
    let (other, change) = ("c: 1.0.0", ("d: 2.0.0", "d: 2.0.0 (replaces 1.0.0)"));
    let tier = |value: &str| -> Selector {
        Selector { match_labels: [("tier".into(), value.into())].into(), ..Selector::default() }
    };
    let named = |name: &str| -> Selector {
        Selector { match_labels: [(NAME_LABEL.into(), name.into())].into(), ..Selector::default() }
    };
    let second = ClusterCatalog::new("second".into());
    let rows = |selectors: &[Selector]| selected_ambiguous((other, &second), change, selectors).len();
    assert_eq!(rows(&[Selector::default()]), 1);
    assert_eq!(rows(&[named("mine")]), 0, "it selects the compared catalog alone");
    assert_eq!(rows(&[tier("gold")]), 0, "no catalog has the label");
    assert_eq!(rows(&[named("second"), Selector::default()]), 1, "one of two extensions selects both");
    let unavailable = ClusterCatalog { availability: Availability::Unavailable, ..second.clone() };
    let found = selected_ambiguous((other, &unavailable), change, &[Selector::default()]);
    assert_eq!(found, [""; 0]);
}

/// Lines `channel version: edits; fixes` of the groups, the edits and fixes in words.
fn explained(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (catalog(old), catalog(new));
    let comparison = compared(&old, &new);
    let (before, after) = (&old.packages[0], &new.packages[0]);
    let groups = groups(comparison.extensions());
    let mut lines = Vec::new();
    for (group, found) in groups.iter().zip(crate::explained((&old, &new), &comparison, &groups, usize::MAX)) {
        let cause: Vec<String> =
            found.cause.iter().map(|edit| edit.describe(before, after, group.first.updated_by)).collect();
        let fixes: Vec<String> = found.fixes.iter().map(|fix| fix.fix.describe()).collect();
        let (channel, first) = (channel_of(group.first), short(&group.first.installed));
        lines.push(format!("{channel} {first}: {}; {}", cause.join(" and "), fixes.join(" or ")));
    }
    lines
}

#[test]
fn an_error_has_its_cause_and_fixes_for_each_choice_of_channels() {
    let fixes = |channel: &str| {
        format!(
            "in channel `{channel}`, add `p.v1.1.0` to `skips` of `p.v1.2.0` or in channel `{channel}`, set `skipRange` of \
             `p.v1.2.0` to `>=1.1.0 <1.2.0`"
        )
    };
    let cause = "`p.v1.2.0` no longer replaces `p.v1.1.0`";
    let expected = ["*", "a"].map(|channel| format!("{channel} 1.1.0: {cause}; {}", fixes("a")));
    assert_eq!(explained("a: 1.2.0 (replaces 1.1.0), 1.1.0", "a: 1.2.0"), expected);
    // An extension that names no channels follows the edge of the other one.
    let other = "b: 1.2.0 (replaces 1.1.0), 1.1.0";
    let [old, new] = ["a: 1.2.0 (replaces 1.1.0), 1.1.0", "a: 1.2.0"].map(|channel| format!("{channel}\n{other}"));
    assert_eq!(explained(&old, &new), [&expected[1..]].concat());
}

#[test]
fn of_several_skippers_the_target_of_the_next_update_is_the_cause() {
    let rest = "1.0.0 <- 1.1.0";
    let old = format!("c: {rest} <- 1.2.0 <- 1.3.0");
    let new = format!("c: {rest} <- 1.2.0 (skips 1.0.0) <- 1.3.0 (skips 1.0.0)");
    let cause = |channel: &str| format!("{channel} 1.0.0: `p.v1.3.0` skips `p.v1.0.0` now; ");
    let found: Vec<String> = explained(&old, &new).into_iter().filter(|line| line.contains(" 1.0.0: ")).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().zip(["*", "c"]).all(|(line, channel)| line.starts_with(&cause(channel))), "{found:?}");
}

#[test]
fn a_version_that_is_skipped_keeps_its_edges() {
    let old = "c: 1.1.0 (replaces 1.0.0; skips 0.9.0), 1.0.0";
    let found = explained(old, &format!("{old}, 1.2.0 (replaces 1.1.0; skips 1.1.0; requires g/v1/K)"));
    let cause = "c 1.1.0: channel `c` lists `p.v1.2.0`, which replaces `p.v1.1.0`, skips `p.v1.1.0`; keep channel `c` as it was";
    assert_eq!(found[1], cause, "OLM v0 would no longer look at the edges of 1.1.0");
}

#[test]
fn a_deprecation_is_a_cause() {
    let old = catalog("c: 1.0.0 <- 1.1.0");
    let new = catalog("c: 1.0.0 <- 1.1.0\ndeprecated 1.1.0");
    let comparison = compared(&old, &new);
    let row = comparison.extensions().find(|row| short(&row.installed) == "1.0.0").expect("it is a row");
    let found = crate::explained((&old, &new), &comparison, &groups([row]), usize::MAX);
    let texts: Vec<String> =
        found[0].cause.iter().map(|edit| edit.describe(&old.packages[0], &new.packages[0], row.updated_by)).collect();
    assert_eq!(
        (row.rule.map(Rule::id), &texts[..]),
        (Some("v1-end-lower"), &["the deprecation of `p.v1.1.0` changed".to_owned()][..])
    );
}

#[test]
fn the_order_of_bundles_decides_between_equal_versions() {
    let of = |[one, other]: [&str; 2]| {
        let bundles = format!("bundle 1.0.0, {one} (version 1.1.0), {other} (version 1.1.0)");
        catalog(&format!("{bundles}\nc: 1.0.0, p.a (replaces 1.0.0), p.b (replaces 1.0.0)"))
    };
    let (old, new) = (of(["p.a", "p.b"]), of(["p.b", "p.a"]));
    let comparison = compared(&old, &new);
    let row = comparison.extensions().find(|row| row.updated_by == UpdatedBy::ExtensionOfChannel).expect("it is a row");
    let next = [&row.old, &row.new].map(|path| path.next().map(BundleName::as_str));
    assert_eq!((row.installed.as_str(), next), ("p.v1.0.0", [Some("p.a"), Some("p.b")]));
}

fn channel(name: &'static str) -> impl Strategy<Value = String> {
    let entry = (
        0..6u32,
        prop::option::of(0..6u32),
        prop::option::of(0..6u32),
        prop::option::weighted(0.3, (0..6u32, 0..6u32)),
    );
    prop::collection::vec(entry, 1..5).prop_map(move |entries| {
        let mut listed = std::collections::BTreeSet::new();
        let mut text = format!("{name}:");
        for (version, replaces, skips, range) in entries.into_iter().filter(|entry| listed.insert(entry.0)) {
            let replaces = replaces.map(|replaced| format!("replaces 1.{replaced}.0"));
            let skips = skips.map(|skipped| format!("skips 1.{skipped}.0"));
            let clauses: Vec<String> = [replaces, skips, range.map(skip_range)].into_iter().flatten().collect();
            text += &format!(" 1.{version}.0 ({}),", clauses.join("; "));
        }
        text
    })
}

/// A range; of two equal versions one that crashes blang when nothing before it matches.
fn skip_range((from, to): (u32, u32)) -> String {
    if from == to { format!("skipRange <1.{from}.0 || || >2.0.0") } else { format!("skipRange >=1.{from}.0 <1.{to}.0") }
}

proptest! {
    #[test]
    fn the_first_update_is_the_answer_of_the_resolver(old in (channel("a"), channel("b")), new in (channel("a"), channel("b"))) {
        let catalogs = [old, new].map(|(a, b)| catalog(&format!("{a}\n{b}")));
        let object = ClusterCatalog::new("c".into());
        let version = |catalog: &Catalog, name: &BundleName| {
            let package = catalog.package("p").expect("it has the package");
            package.bundle(name.as_str()).expect("it has the bundle").version().expect("it has a version").to_string()
        };
        let resolved = |content: &Catalog, channels: &[ChannelName], installed: &BundleName| {
            let mut extension = ClusterExtension::new("p".into(), "p".into());
            extension.channels = channels.to_vec();
            let version = version(&catalogs[0], installed).as_str().into();
            extension.installed = Some(InstalledBundle { name: installed.clone(), version, release: None });
            let state = CatalogState { object: &object, content: Some(content) };
            resolve(&extension, &[state]).outcome.map(|resolved| resolved.bundle).map_err(|error| error.to_string())
        };
        for row in compared(&catalogs[0], &catalogs[1]).extensions() {
            let channels = row.named_channel().map_or(&[][..], std::slice::from_ref);
            for (path, content) in [(&row.old, &catalogs[0]), (&row.new, &catalogs[1])] {
                let answer = match path.first_error() {
                    Some(error) => Err(error.text.to_string()),
                    None => Ok(path.answer().expect("an answer").clone()),
                };
                prop_assert_eq!(answer, resolved(content, channels, &row.installed));
            }
        }
    }

    #[test]
    fn no_change_has_no_rule(one in (channel("a"), channel("b"))) {
        let catalog = catalog(&format!("{}\n{}", one.0, one.1));
        for row in compared(&catalog, &catalog).extensions() {
            prop_assert_eq!(row.rule, None, "{:?}", row);
        }
    }
}
