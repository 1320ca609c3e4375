//! One pair or more for each rule; the examples of the documentation are tests, too.

use super::{of_versions, set};
use openshift::sets::{CatalogSet, Finding, check, harmful, matrix, sentence};
use source::{Executor, Rule};

fn findings(set: &CatalogSet) -> Vec<Finding> {
    check(set, Executor::default())
}

/// A finding in a line: its rule, severity, versions, subject, the installed versions with `!` for ends, and the way
/// out.
fn line(found: &Finding) -> String {
    let rows = found.rows.iter().map(|row| {
        let end = if row.is_end { "!" } else { "" };
        format!(" {}{end}", row.installed.as_str().split_once(".v").map_or("", |(_, version)| version))
    });
    let rows: String = rows.collect();
    let way_out = found.way_out.as_ref().map(|way| format!(" => {way}")).unwrap_or_default();
    let subject = found.subject().replace('`', "");
    format!("{} {} {}: {subject}:{rows}{way_out}", found.severity.as_str(), found.rule, found.versions())
}

/// Checks the findings about members in the notation of fixtures.
#[track_caller]
fn check_lines(members: &[(&str, &str)], expected: &[&str]) {
    let found: Vec<String> = findings(&of_versions(members)).iter().map(line).collect();
    assert_eq!(found, expected);
}

const Q: &str = "package q\nc: 1.0.0";

#[test]
fn identical_members_have_no_finding() {
    let text = "c: 1.0.0 <- 1.1.0 <- 2.0.0\nd: 2.0.0";
    check_lines(&[("4.18", text), ("4.19", text), ("4.20", text)], &[]);
}

#[test]
fn what_is_normal_has_no_finding() {
    // Later members start later, have newer bundles only, and drop the oldest ones.
    let text = |entries: &str| format!("{Q}\npackage p\n{entries}");
    let members = [text("c: 1.0.0 <- 1.1.0"), text("c: 1.1.0 <- 1.2.0"), text("c: 1.1.0 <- 1.2.0 <- 1.3.0")];
    check_lines(&[("4.17", Q), ("4.18", &members[0])], &[]);
    check_lines(&[("4.19", &members[1]), ("4.20", &members[2])], &[]);
}

#[test]
fn a_package_that_ends_is_an_error() {
    let both = format!("{Q}\npackage p\nc: 1.0.0 <- 1.1.0");
    let ends = "error set-package-ends 4.19 → 4.20: p: 1.0.0 1.1.0!";
    check_lines(&[("4.19", &both), ("4.20", Q)], &[ends]);
    let found = findings(&of_versions(&[("4.19", &both), ("4.20", Q), ("4.21", &both)]));
    assert_eq!(found.iter().map(line).collect::<Vec<_>>(), [ends]);
    assert!(found[0].message.ends_with("; 4.21 has it again"), "{}", found[0].message);
}

#[test]
fn a_member_that_is_being_filled_is_told_once() {
    let text = |count: usize| (0..count).map(|at| format!("package p{at}\nc: 1.0.0\n")).collect::<String>();
    let found = findings(&of_versions(&[("4.22", &text(5)), ("5.0", &text(1))]));
    let lines: Vec<String> =
        found.iter().map(|found| format!("{} {}", found.severity.as_str(), found.message)).collect();
    assert_eq!(lines, ["hint 5.0 is being filled: 4 of 5 packages of 4.22 are not there yet"]);
    assert_eq!(findings(&of_versions(&[("4.22", &text(5)), ("5.0", &text(3))])).len(), 2);
}

#[test]
fn a_channel_that_ends_has_a_way_out() {
    let next = "s: 2.0.0 <- 2.1.0";
    let cases = [
        // The same head in a channel that goes on.
        (
            "s: 2.0.0\nv2: 2.0.0",
            "hint",
            "2.0.0!",
            "change the channel to `s` before the update of OpenShift, which leads to `p.v2.0.0`",
        ),
        // A channel with an edge from it.
        (
            "s: 1.0.0 <- 2.0.0\nv1: 1.0.0",
            "error",
            "1.0.0!",
            "change the channel to `s` before the update of OpenShift, which leads to `p.v2.0.0`",
        ),
        (
            "s: 1.5.0\nv2: 2.0.0",
            "error",
            "2.0.0!",
            "change the channel to `s` after the update of OpenShift; until then OLM resolves nothing in the namespace",
        ),
        ("s: 2.0.0\nv1: 1.0.0", "error", "1.0.0!", "none but to install the operator again"),
    ];
    for (before, severity, rows, way_out) in cases {
        let found = findings(&of_versions(&[("4.19", before), ("4.20", next)]));
        let ended = found.iter().map(line).find(|line| line.contains("set-channel-ends")).unwrap();
        let channel = if before.contains("v1") { "v1" } else { "v2" };
        let expected = format!("{severity} set-channel-ends 4.19 → 4.20: p, channel {channel}: {rows} => {way_out}");
        assert_eq!(ended, expected, "{before}");
    }
}

#[test]
fn a_channel_for_a_minor_version_may_end() {
    let severity = |name: &str, before: &str| {
        let before = format!("package p, default s\ns: {before}\n{name}: 1.0.0");
        let found = findings(&of_versions(&[("4.19", &before), ("4.20", "s: 2.0.0 <- 2.1.0")]));
        found.iter().find(|found| found.rule == Rule::SetChannelEnds).unwrap().severity.as_str()
    };
    for name in ["stable-1.0", "v1.0", "1.0.x", "acm-2.6"] {
        assert_eq!(severity(name, "1.0.0 <- 2.0.0"), "hint", "{name}");
        // Nothing but a new installation helps.
        assert_eq!(severity(name, "2.0.0"), "error", "{name}");
    }
    for name in ["fast", "v1", "stable-1.0.1"] {
        assert_eq!(severity(name, "1.0.0 <- 2.0.0"), "error", "{name}");
    }
}

#[test]
fn channels_that_end_in_turn_are_one_finding() {
    let text = |old: u32| {
        let channels: String = (old..old + 2).map(|minor| format!("v{minor}: 1.{minor}.0\n")).collect();
        format!("package p, default stable\nstable: 1.{}.0\n{channels}", old + 1)
    };
    let members: Vec<String> = (1..6).map(text).collect();
    let versions = ["4.15", "4.16", "4.17", "4.18", "4.19"];
    let members: Vec<(&str, &str)> = versions.into_iter().zip(members.iter().map(String::as_str)).collect();
    let found = findings(&of_versions(&members));
    let ended: Vec<&Finding> = found.iter().filter(|found| found.rule.id() == "set-channel-ends").collect();
    assert_eq!((ended.len(), ended[0].versions()), (1, "4.15 → 4.19".to_owned()));
    assert!(ended[0].message.starts_with("each channel of this package lasts 1 to 2 catalogs, and 4 have ended"));
    assert!(ended[0].message.ends_with("`stable` is in all catalogs"), "{}", ended[0].message);
}

#[test]
fn what_is_installed_may_be_lost() {
    check_lines(
        &[("4.19", "c: 1.0.0"), ("4.20", "c: 1.1.0")],
        &["error set-installed-lost 4.19 → 4.20: p, channel c: 1.0.0!"],
    );
    check_lines(
        &[("4.19", "c: 1.0.0 <- 1.1.0"), ("4.20", "c: 1.1.0")],
        &[
            "warning set-installed-lost 4.19 → 4.20: p, channel c: 1.0.0 => update the operator to `p.v1.1.0` before OpenShift",
        ],
    );
    check_lines(&[("4.19", "c: 1.0.0"), ("4.20", "c: 1.1.0 (skipRange <1.1.0)")], &[]);
    let text = |version: &str| format!("package p, default c\nc: {version}\nd: {version}");
    let found = findings(&of_versions(&[("4.19", &text("1.0.0")), ("4.20", &text("1.1.0"))]));
    assert_eq!(found.iter().map(line).collect::<Vec<_>>(), ["error set-installed-lost 4.19 → 4.20: p: 1.0.0! 1.0.0!"]);
    assert!(found[0].message.starts_with("in channels `c`, `d`, nothing in the next catalog"), "{}", found[0].message);
}

#[test]
fn the_same_in_several_steps_is_one_finding() {
    let texts = ["c: 1.0.0", "c: 1.1.0", "c: 1.2.0"];
    let members: Vec<(&str, &str)> = ["4.18", "4.19", "4.20"].into_iter().zip(texts).collect();
    check_lines(&members, &["error set-installed-lost 4.18 → 4.20: p, channel c: 1.0.0! 1.1.0!"]);
}

#[test]
fn what_is_installed_may_be_ahead() {
    check_lines(
        &[("4.19", "c: 1.0.0 <- 1.1.0"), ("4.20", "c: 1.0.0")],
        &["warning set-installed-ahead 4.19 → 4.20: p, channel c: 1.1.0!"],
    );
}

#[test]
fn an_update_to_a_lower_version_is_told_if_it_is_new() {
    let down = "c: 1.1.0 <- 1.0.0";
    check_lines(
        &[("4.19", "c: 1.1.0"), ("4.20", down)],
        &["warning set-moves-lower 4.19 → 4.20: p, channel c: 1.1.0!"],
    );
    check_lines(
        &[("4.19", down), ("4.20", "c: 1.1.0 <- 1.0.0\nbundle 1.0.0 (image other)")],
        &["warning set-image-differs 4.19 to 4.20: p:"],
    );
}

#[test]
fn an_old_version_stuck_before_and_after_is_told_of_the_member() {
    let stuck = "c: 1.0.0, 1.1.0 (skips 1.0.0) <- 1.2.0 (skips 1.1.0)";
    check_lines(
        &[("4.19", stuck), ("4.20", stuck)],
        &["warning member-stuck 4.19 to 4.20: p, channel c: 1.0.0! 1.0.0!"],
    );
}

#[test]
fn a_hole_is_between_members_that_have_the_bundle() {
    let (with, without) = ("c: 1.0.0, 1.1.0 (skips 1.0.0)", "c: 1.1.0 (skips 1.0.0)");
    check_lines(&[("4.18", with), ("4.19", without), ("4.20", with)], &["warning set-bundle-hole 4.19: p:"]);
    check_lines(&[("4.18", with), ("4.19", without), ("4.20", without)], &[]);
}

#[test]
fn a_bundle_is_the_same_everywhere() {
    let bundle = |clauses: &str| format!("c: 1.0.0{clauses}");
    let cases = [
        (bundle(" (image other)"), "warning set-image-differs"),
        (bundle(" (version 1.0.1; image example.com/p:1.0.0)"), "error set-version-differs"),
        (bundle(" (property olm.maxOpenShiftVersion '5.1')"), "hint set-max-differs"),
        ("c: p-x.v1.0.0 (version 1.0.0; skips 1.0.0)".to_owned(), "warning set-name-differs"),
    ];
    for (other, expected) in cases {
        check_lines(
            &[("4.18", &bundle("")), ("4.19", &bundle("")), ("4.20", &other)],
            &[&format!("{expected} 4.18 to 4.20: p:")],
        );
    }
}

#[test]
fn a_default_channel_may_change() {
    let text = |default: &str| format!("package p, default {default}\nc: 1.0.0\nd: 1.0.0");
    check_lines(&[("4.19", &text("c")), ("4.20", &text("d"))], &["hint set-default-differs 4.19 → 4.20: p:"]);
}

#[test]
fn a_gap_that_no_update_leads_into_is_told() {
    let both = format!("{Q}\npackage p\nc: 1.0.0");
    check_lines(&[("4.16", &both), ("4.18", Q), ("4.20", &both)], &["warning set-gap 4.18: p:"]);
}

#[test]
fn bundles_have_the_form_of_their_member() {
    let text = "c: 1.0.0 (property olm.bundle.object {data: eyJhcGlWZXJzaW9uIjoidjEiLCJraW5kIjoiQ29uZmlnTWFwIn0=})";
    check_lines(&[("4.16", text), ("4.17", text), ("4.18", text)], &["error member-bundle-object 4.17 to 4.18: p:"]);
    // The migration of the format alone is no finding.
    let migrated = "c: 1.0.0 (property olm.csv.metadata {maturity: alpha})";
    check_lines(&[("4.16", text), ("4.17", migrated), ("4.18", migrated)], &[]);
    check_lines(&[("4.15", migrated), ("4.16", migrated)], &["error member-csv-metadata 4.15 to 4.16: p:"]);
    let bare = format!("{migrated} <- 1.1.0");
    check_lines(&[("4.17", &bare), ("4.18", &bare)], &["warning member-csv-metadata 4.17 to 4.18: p:"]);
}

#[test]
fn kubernetes_is_that_of_the_member() {
    let bundle =
        |version: &str, minimum: &str| format!("{version} (property olm.csv.metadata {{minKubeVersion: {minimum}}})");
    let text = format!("c: {} <- {}", bundle("1.0.0", "1.31.0"), bundle("1.1.0", "1.32.0"));
    check_lines(
        &[("4.17", &text), ("4.18", &text), ("4.19", &text)],
        &["error member-min-kube 4.17 to 4.18: p:", "warning member-min-kube 4.17: p:"],
    );
}

#[test]
fn the_highest_openshift_is_compared_with_that_of_the_member() {
    let bundle = |version: &str, max: &str| format!("{version} (property olm.maxOpenShiftVersion {max})");
    let text = format!("c: {} <- {}", bundle("1.0.0", "'4.19'"), bundle("1.1.0", "'4.20'"));
    check_lines(
        &[("4.19", &text), ("4.20", &text), ("4.21", &text)],
        &[
            "error member-max-ocp-below 4.21: p:",
            "warning member-max-ocp-below 4.20 to 4.21: p:",
            "warning member-max-ocp-equal 4.20: p:",
            "hint member-max-ocp-equal 4.19: p:",
        ],
    );
    // 4.23 and 5.0 are one release.
    let text = format!("c: {}", bundle("1.0.0", "'4.23'"));
    check_lines(&[("4.22", &text), ("5.0", &text)], &["hint member-max-ocp-equal 5.0: p:"]);
    for invalid in ["4.20", "'4.20.1'", "''"] {
        let text = format!("c: {}", bundle("1.0.0", invalid));
        check_lines(&[("4.17", &text), ("4.18", &text)], &["error member-max-ocp-invalid 4.17 to 4.18: p:"]);
    }
}

#[test]
fn what_an_entry_replaces_may_be_elsewhere() {
    let (older, newer) = ("c: 1.0.0 <- 1.1.0", "c: 1.1.0 (replaces 1.0.0)");
    check_lines(&[("4.18", older), ("4.19", newer)], &[]);
    check_lines(&[("4.18", newer), ("4.19", older)], &["warning member-replaces-elsewhere 4.18: p, channel c:"]);
    check_lines(&[("4.18", newer), ("4.19", newer)], &["warning member-replaces-nowhere 4.18 to 4.19: p, channel c:"]);
    let other = "package p, default c\nc: 1.1.0 (replaces 1.0.0; skips 1.0.1), 1.0.1\nd: 1.0.0";
    check_lines(
        &[("4.18", other), ("4.19", other)],
        &["hint member-replaces-other-channel 4.18 to 4.19: p, channel c:"],
    );
    let first = "package p, default c\nc: 1.1.0 (replaces 1.0.0)\nd: 1.0.0";
    check_lines(&[("4.18", first), ("4.19", first)], &[]);
}

#[test]
fn a_folder_and_its_dockerfile_agree() {
    let text = fixture::yaml("c: 1.0.0");
    let files = |version: &str| format!("FROM x:v{version}\nADD catalog /configs\n");
    let rules = |version: &str| {
        let dockerfile = files(version);
        let found = set(&[
            ("v4.20/catalog/c.yaml", &text),
            ("v4.21/catalog/c.yaml", &text),
            ("v4.21/Containerfile", &dockerfile),
        ]);
        findings(&found).iter().map(|found| found.rule.id()).collect::<Vec<_>>()
    };
    assert_eq!(rules("4.21"), [""; 0]);
    assert_eq!(rules("4.22"), ["set-version-mismatch"]);
}

#[test]
fn what_opm_rejects_is_not_judged_by_its_updates() {
    let broken = "c: 1.0.0, 1.1.0";
    let set = of_versions(&[("4.18", "c: 1.0.0"), ("4.19", broken)]);
    assert!(set.members[1].rejected.is_some());
    assert_eq!(findings(&set), []);
}

/// One rejected catalog, several of them, and one beside a package that leaves somebody behind.
#[test]
fn no_good_news_while_opm_rejects_a_catalog() {
    let told = |versions: &[(&str, &str)]| {
        let set = of_versions(versions);
        sentence(&set, &findings(&set))
    };
    let (good, broken) = ("c: 1.0.0", "c: 1.0.0, 1.1.0");
    assert_eq!(
        told(&[("4.21", good), ("4.22", broken)]),
        "No cluster gets an update from the catalog of 4.22: `opm` rejects it."
    );
    assert_eq!(
        told(&[("4.17", good), ("4.18", broken), ("4.19", broken)]),
        "No cluster gets an update from the catalogs of 4.18 to 4.19: `opm` rejects them."
    );
    assert_eq!(
        told(&[("4.17", "c: 1.1.0"), ("4.18", good), ("4.19", broken)]),
        "No cluster gets an update from the catalog of 4.19: `opm` rejects it. \
         The operator stops updating on the way from 4.17 to 4.19."
    );
}

/// Units are shared by members: each is judged by the releases of their versions of OpenShift, and again as another release.
#[test]
fn a_set_is_judged_again_as_another_release_of_opm() {
    let stranded = "c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)";
    let mut set = of_versions(&[("4.20", stranded), ("4.21", stranded), ("4.22", "c: 1.0.0")]);
    let rejected = |set: &CatalogSet| set.members.iter().map(|member| member.rejected.is_some()).collect::<Vec<_>>();
    let newest = set.clone();
    assert_eq!(rejected(&set), [false, true, false]);
    set.judge(source::OpmVersion(1, 57, 0));
    assert_eq!(rejected(&set), [false; 3]);
    set.judge(source::OpmVersion(1, 58, 0));
    assert_eq!(rejected(&set), [true, true, false]);
    set.judge(source::OpmVersion::NEWEST);
    let texts = |set: &CatalogSet| set.members.iter().map(|member| member.rejected.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&set), texts(&newest));
}

#[test]
fn siblings_are_no_update() {
    check_lines(&[("4.23", "c: 1.0.0"), ("5.0", "c: 1.1.0")], &[]);
}

#[test]
fn a_matrix_merges_members_with_the_same_text() {
    let both = format!("{Q}\npackage p\nc: 1.0.0 <- 1.1.0");
    let set = of_versions(&[("4.17", Q), ("4.18", &both), ("4.19", &both), ("4.20", Q)]);
    let found = findings(&set);
    let rows = matrix(&set, &found).into_iter().map(|row| {
        let cells = row.cells.iter().map(|cell| {
            let worst = cell.worst.as_ref().map_or("-", |(harm, _)| harm.as_str());
            let head = cell.head.as_ref().map_or("none", |head| head.as_str());
            format!(" {}..{} {head} {worst}", cell.from, cell.to)
        });
        format!("{}:{}", row.package, cells.collect::<String>())
    });
    let expected = ["p: 4.17..4.17 none - 4.18..4.19 p.v1.1.0 error 4.20..4.20 none -", "q: 4.17..4.20 q.v1.0.0 -"];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    assert_eq!(harmful(&found).len(), 1);
    assert_eq!(sentence(&set, &found), "Operators of 1 of 2 packages stop updating on the way from 4.17 to 4.20.");
}

#[test]
fn an_operator_may_wait_for_a_review_before_the_newest_catalog() {
    let text = |package: &str| fixture::yaml(&format!("package {package}\nc: 1.0.0"));
    let ci = |more: &str, catalogs: &str| {
        let mapping = format!("{{template_name: t.yaml, type: olm.template.basic, catalog_names: [{catalogs}]}}");
        format!("fbc: {{enabled: true{more}, catalog_mapping: [{mapping}]}}\n")
    };
    // What is found of `p` when the newest member does not have it.
    let found = |more: &str, catalogs: &str| {
        let (p, q, ci) = (text("p"), text("q"), ci(more, catalogs));
        let set = set(&[
            ("catalogs/v4.19/p/c.yaml", &p),
            ("catalogs/v4.19/q/c.yaml", &q),
            ("catalogs/v4.20/q/c.yaml", &q),
            ("operators/p/ci.yaml", &ci),
        ]);
        let hints = findings(&set).into_iter().filter(|found| found.rule != Rule::SetPackageEnds);
        hints.map(|found| line(&found)).collect::<Vec<_>>()
    };
    assert_eq!(found("", "v4.19"), ["hint set-promotion-stuck 4.20: p:"]);
    assert_eq!(found(", version_promotion_strategy: never", "v4.19"), [""; 0]);
    assert_eq!(found("", "v4.19, v4.20"), ["warning set-mapping-missing 4.20: p:"]);
}

#[test]
fn a_template_of_an_unknown_type_makes_no_catalog() {
    let p = fixture::yaml("package p\nc: 1.0.0");
    let mapping = "{template_name: t.yaml, type: olm.template.raw, catalog_names: [v4.19]}";
    let ci = format!("fbc: {{enabled: true, catalog_mapping: [{mapping}]}}\n");
    let set = set(&[("catalogs/v4.19/p/c.yaml", &*p), ("catalogs/v4.20/p/c.yaml", &p), ("operators/p/ci.yaml", &ci)]);
    let found: Vec<String> =
        findings(&set).iter().map(|found| format!("{} {}", found.rule, found.versions())).collect();
    assert_eq!(found, ["set-catalog-unmapped 4.19 to 4.20"]);
}

#[test]
fn nobody_waits_for_a_review_while_a_catalog_is_being_filled() {
    let texts = ["a", "b", "c", "d"].map(|name| (name, fixture::yaml(&format!("package {name}\nc: 1.0.0"))));
    let mut files: Vec<(String, &str)> =
        texts.iter().map(|(name, text)| (format!("catalogs/v4.22/{name}/c.yaml"), &**text)).collect();
    files.push(("catalogs/v5.0/a/c.yaml".to_owned(), &texts[0].1));
    let mapping = "{template_name: t.yaml, type: olm.template.basic, catalog_names: [v4.22]}";
    let ci = format!("fbc: {{enabled: true, catalog_mapping: [{mapping}]}}\n");
    files.push(("operators/b/ci.yaml".to_owned(), &ci));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let rules: Vec<Rule> = findings(&set(&files)).iter().map(|found| found.rule).collect();
    assert_eq!(rules, [Rule::SetPackageEnds]);
}

#[test]
fn what_leaves_somebody_behind_is_an_error_in_the_matrix() {
    // 1.1.0 is above the head of 4.19: a warning, and nobody who has it gets an update.
    let set = of_versions(&[("4.18", "c: 1.0.0 <- 1.1.0"), ("4.19", "c: 1.0.0")]);
    let found = findings(&set);
    assert_eq!(
        found.iter().map(line).collect::<Vec<_>>(),
        ["warning set-installed-ahead 4.18 → 4.19: p, channel c: 1.1.0!"]
    );
    let worst = matrix(&set, &found).remove(0).cells.remove(0).worst.map(|(harm, _)| harm);
    assert_eq!(worst, Some(source::Severity::Error));
    assert_eq!(sentence(&set, &found), "The operator stops updating on the way from 4.18 to 4.19.");
}

#[test]
fn neighbours_with_the_same_head_say_what_differs() {
    let set = of_versions(&[("4.18", "c: 1.0.0 <- 1.1.0"), ("4.19", "c: 1.1.0 (skips 1.0.0)\nd: 1.1.0")]);
    let cells = &matrix(&set, &findings(&set))[0].cells;
    let expected = "1 bundle removed, 1 channel added, 1 channel with other edges";
    assert_eq!((&cells[0].differs, cells[1].differs.as_deref()), (&None, Some(expected)));
}
