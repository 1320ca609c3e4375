//! What a change to a catalog does to the installed versions of its packages.

mod cluster;
mod graph;
mod package;
mod run;

pub use cluster::compare_cluster;
pub use graph::compared_graph;
pub(crate) use package::strips;
pub(crate) use run::before_change_of;
pub use run::{
    ComparisonQuery, ComparisonRun, ReportScope, compare, compare_all, compare_package, compare_report,
    comparison_so_far, continue_comparison, finish_comparison,
};

#[cfg(test)]
mod tests {
    use crate::compare;
    use crate::compare_package;
    use crate::compare_report;
    use crate::compared_graph;
    use session::testing::{click, workbench};
    use session::{Expand, NewText, Workbench};
    use std::collections::BTreeSet;
    use views::{CatalogId, Compared, DiffSign, GraphOptions, LevelCounts, Mark, PackageKey, Presence, SideKey};

    /// The new head replaces and skips the old one, whose own edges no longer count, as in `fast-v0` of clusterpulse.
    const BEFORE: &str = "package p c\nchannel p c p.v1.2.0>p.v1.0.0-p.v1.0.0-p.v1.1.0 p.v1.1.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";
    const AFTER: &str = "package p c\nchannel p c p.v1.3.0>p.v1.2.0-p.v1.2.0 p.v1.2.0>p.v1.0.0-p.v1.0.0-p.v1.1.0 p.v1.1.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\nbundle p 1.3.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    const fn side(catalog: u32, is_opened: bool) -> SideKey {
        SideKey { catalog: CatalogId(catalog), is_opened }
    }

    fn compared(before: SideKey, after: SideKey) -> Compared {
        Compared::between(before, after)
    }

    fn of_two_catalogs() -> (Workbench, Compared) {
        (workbench(&[("before", BEFORE), ("after", AFTER)]), compared(side(0, false), side(1, false)))
    }

    #[test]
    fn the_worst_package_is_first_and_unchanged_ones_are_counted() {
        let (mut workbench, compared) = of_two_catalogs();
        let view = compare(workbench.comparing(&compared)).unwrap();
        assert_eq!((view.packages.len(), view.unchanged, view.added.len()), (1, 1, 0));
        assert_eq!(
            view.packages[0].sentence,
            "2 of 3 installed versions get stuck, 1 moves on to 1.3.0 as expected; 2 other changes"
        );
        assert_eq!((view.levels, view.packages[0].key.catalog), (LevelCounts([2, 0, 3, 0]), CatalogId(1)));
        assert_eq!(
            (view.rows.0[0], view.rows.0.iter().sum::<u32>() + view.rows_unchanged),
            (2, 3),
            "installed versions"
        );
        let levels = "v0-stranded: risky\nhead-changed: off\n".to_owned();
        let view = compare(workbench.comparing(&Compared { levels, ..compared.clone() })).unwrap();
        assert_eq!(view.levels, LevelCounts([0, 2, 2, 0]));
        let view = compare(workbench.comparing(&Compared { levels: "x".to_owned(), ..compared.clone() })).unwrap();
        assert_eq!((view.levels, view.level_faults.len()), (LevelCounts([2, 0, 3, 0]), 1));
        let swapped = Compared { before: compared.after, after: compared.before, ..compared };
        assert_eq!(
            compare(workbench.comparing(&swapped)).unwrap().packages[0].levels.0[3],
            2,
            "they get updates again"
        );
        assert_eq!(compare(workbench.comparing(&super::tests::compared(side(0, false), side(7, false)))), None);
    }

    #[test]
    fn a_template_is_compared_by_what_it_expands_to() {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let mut add = |name: &str, text: &str| {
            let file = NewText { path: format!("{name}.yaml"), content: Ok(text.as_bytes().to_vec()) };
            workbench.add_catalog(name, vec![file], &mut |_| {})
        };
        let bundles: String = ["1.0.0", "1.1.0"]
            .map(|version| {
                session::testing::yaml(&format!("bundle p {version}"))
                    .replace("image: i", &format!("image: p:{version}"))
            })
            .concat();
        add("images", &bundles);
        let text = "schema: olm.semver\ngenerateMinorChannels: true\nstable:\n  bundles:\n  - image: p:1.0.0\n  - image: p:1.1.0\n";
        let template = add("template", text);
        let expanded = workbench.catalog(template).unwrap().files.iter().find(|file| file.expanded_from.is_some());
        let expanded = expanded.unwrap().text.clone();
        let file = NewText { path: "rendered.yaml".to_owned(), content: Ok(expanded.into_bytes()) };
        let rendered = workbench.add_catalog("rendered", vec![file], &mut |_| {});
        let view = compare(workbench.comparing(&compared(side(template.0, false), side(rendered.0, false)))).unwrap();
        assert_eq!((view.packages, view.unchanged, view.not_comparable), (Vec::new(), 1, Vec::new()));
        // An edit of the template shows what it does to the catalog that it expands to.
        let key = workbench.catalog(template).unwrap().files[0].key;
        let at = text.find("  - image: p:1.1.0").unwrap() as u32;
        workbench.edit(key, at..text.len() as u32, "");
        let view = compare(workbench.comparing(&compared(side(template.0, true), side(template.0, false)))).unwrap();
        assert_eq!(view.packages.len(), 1);
        assert!(view.levels.0[0] + view.levels.0[1] > 0, "{:?}", view.packages);
    }

    #[test]
    fn both_runtimes_are_told_side_by_side() {
        let old = "package p c\nchannel p c p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
        let new = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let mut workbench = workbench(&[("before", old), ("after", new)]);
        let mut of = |runtime| {
            let compared = Compared { runtime, ..compared(side(0, false), side(1, false)) };
            let view = compare_package(workbench.comparing(&compared), "p").unwrap();
            let group = |group: &views::GroupView| match group.is_v1 {
                true => format!("{} {} {}", group.rule, group.channel.as_deref().unwrap_or("*"), group.title),
                false => group.rule.clone(),
            };
            (view.sentence, view.groups.iter().map(group).collect::<Vec<_>>())
        };
        let (v0, groups) = of(views::Runtime::V0);
        assert!(!v0.contains("v1") && groups.iter().all(|rule| rule.starts_with("v0-")), "{v0} {groups:?}");
        let (v1, groups) = of(views::Runtime::V1);
        assert_eq!(
            v1,
            "OLM v1: 1 installed version finds no bundle any more, 1 installed version ends at a lower version"
        );
        assert_eq!(groups, ["v1-error * 1.1.0", "v1-error c 1.1.0", "v1-end-lower * 1.0.0", "v1-end-lower c 1.0.0"]);
        let (both, groups) = of(views::Runtime::Both);
        assert!(both.contains("get stuck") || both.contains("gets stuck"), "{both}");
        assert!(both.contains("; OLM v1: 1 installed version finds no bundle any more") && groups.len() > 4, "{both}");
    }

    #[test]
    fn a_group_of_extensions_has_its_cause_and_fixes() {
        let old = "package p c\nchannel p c p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
        let new = "package p c\nchannel p c p.v1.1.0\nbundle p 1.1.0";
        let mut workbench = workbench(&[("before", old), ("after", new)]);
        let compared = Compared { runtime: views::Runtime::V1, ..compared(side(0, false), side(1, false)) };
        let view = compare_package(workbench.comparing(&compared), "p").unwrap();
        let group = view.groups.iter().find(|group| group.rule == "v1-error" && group.channel.is_some()).unwrap();
        assert_eq!(group.cause[0].text, "`p.v1.1.0` no longer replaces `p.v1.0.0`");
        assert!(group.cause[0].after.as_ref().is_some_and(|line| line.text.contains("p.v1.1.0")));
        let fixes: Vec<_> =
            group.fixes.iter().map(|fix| (fix.text.as_str(), &fix.effects[..], fix.edit.is_some())).collect();
        let lost = ["then 1 installed version can no longer be pinned".to_owned()];
        assert_eq!(fixes[0], ("in channel `c`, add `p.v1.0.0` to `skips` of `p.v1.1.0`", &lost[..], true));
        let report = compare_report(workbench.comparing(&compared), false).unwrap();
        assert!(report.contains("\n  - cause: `p.v1.1.0` no longer replaces"), "{report}");
        assert!(report.contains("\n  - fix: in channel `c`, add `p.v1.0.0` to `skips`"), "{report}");
    }

    /// OLM v1 follows the edges of the entry that the new head skips, which OLM v0 ignores.
    #[test]
    fn the_drawing_of_a_change_has_the_updates_of_the_runtime() {
        let (mut workbench, compared) = of_two_catalogs();
        let key = PackageKey { catalog: CatalogId(1), package: "p".to_owned() };
        let drawn = |workbench: &Workbench, runtime| {
            let options = GraphOptions { compares: Some(Presence::Both), runtime, ..GraphOptions::default() };
            let view = compared_graph(workbench, &key, &options).unwrap();
            let harmed = view.nodes.iter().filter(|node| node.marks.contains(&Mark::Harmed)).count();
            (harmed, view.edges.iter().filter(|edge| edge.ignored).count() > 0)
        };
        let with_v1 = Compared { runtime: views::Runtime::V1, ..compared.clone() };
        assert_eq!(drawn(workbench.comparing(&with_v1), views::Runtime::V1), (0, false));
        assert_eq!(drawn(workbench.comparing(&compared), views::Runtime::V0), (2, true));
    }

    /// A chain of three entries, and the same whose head replaces nothing any more.
    const CHAIN: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";
    const CUT: &str =
        "package p c\nchannel p c p.v1.2.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";

    #[test]
    fn the_table_and_the_comments_are_those_of_the_runtime() {
        let mut workbench = workbench(&[("before", CHAIN), ("after", CUT)]);
        let view = |workbench: &mut Workbench, runtime| {
            let compared = Compared { runtime, ..compared(side(0, false), side(1, false)) };
            compare_package(workbench.comparing(&compared), "p").unwrap()
        };
        let found = view(&mut workbench, views::Runtime::V1);
        let rows = |view: &views::PackageComparisonView| {
            let row = |row: &views::RowView| format!("{} {}", row.channel, row.rule.as_deref().unwrap_or_default());
            view.rows.iter().map(row).collect::<Vec<_>>()
        };
        let of_v1 = rows(&found);
        assert!(of_v1.len() == 6 && of_v1[0].starts_with("any channel"), "{of_v1:?}");
        assert!(
            of_v1.iter().all(|row| !row.contains("v0-")) && of_v1.iter().any(|row| row.contains("v1-")),
            "{of_v1:?}"
        );
        let both = rows(&view(&mut workbench, views::Runtime::Both));
        assert!(both.len() == 9 && both[3].starts_with("OLM v1: any channel"), "{both:?}");

        let file = &workbench.catalogs()[1].files[0];
        let (key, start) = (file.key, file.text.find("schema: olm.channel").unwrap() as u32);
        let rule = found.groups[0].rule.clone();
        workbench.edit(key, start..start, &format!("# opscope-ignore: {rule}\n"));
        let ignored = view(&mut workbench, views::Runtime::V1);
        assert!(ignored.groups.iter().all(|group| group.rule != rule), "{:?}", ignored.groups);
        assert!(ignored.sentence.contains("hidden by comments or settings"), "{}", ignored.sentence);
    }

    #[test]
    fn an_extension_may_fail_after_an_update() {
        let mut workbench = workbench(&[("before", CHAIN), ("after", CHAIN)]);
        let file = &workbench.catalogs()[1].files[0];
        let at = file.text.find("version: 1.2.0").unwrap();
        let end = (at + file.text[at..].find('\n').unwrap() + 1) as u32;
        let key = file.key;
        let property = "- {type: olm.package.required, value: {packageName: q, versionRange: '>=1.0.0'}}\n";
        workbench.edit(key, end..end, property);
        let compared = Compared { runtime: views::Runtime::V1, ..compared(side(0, false), side(1, false)) };
        let view = compare_package(workbench.comparing(&compared), "p").unwrap();
        let ends: Vec<_> = view.groups.iter().map(|group| (group.after.versions.len(), &*group.after.end)).collect();
        assert!(ends.contains(&(1, "OLM reports an error")), "{view:?}");
        assert!(ends.contains(&(2, "OLM reports an error")), "{view:?}");
    }

    #[test]
    fn a_package_of_two_catalogs_is_ambiguous_under_olm_v1_alone() {
        let package = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let other = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";
        let both = format!("{package}\n{other}");
        let mut workbench = workbench(&[("before", other), ("after", &both), ("second", package)]);
        let rules = |workbench: &mut Workbench, runtime| {
            let compared = Compared { runtime, ..compared(side(0, false), side(1, false)) };
            let groups =
                compare_package(workbench.comparing(&compared), "p").map(|view| view.groups).unwrap_or_default();
            groups.into_iter().map(|group| (group.rule, group.channel, group.shows)).collect::<Vec<_>>()
        };
        let error = |channels: &str| {
            format!(
                "`Progressing` with reason `Retrying`: error upgrading from currently installed version \"1.0.0\": found bundles \
                 for package \"p\"{channels} in multiple catalogs with the same priority [after second]"
            )
        };
        let id = "v1-ambiguous".to_owned();
        let expected = [(id.clone(), None, error("")), (id, Some("c".to_owned()), error(" in channels [c]"))];
        assert_eq!(rules(&mut workbench, views::Runtime::V1), expected);
        assert_eq!(rules(&mut workbench, views::Runtime::V0), []);
        workbench.set_metadata(CatalogId(2), "second", "olm", 1);
        assert_eq!(rules(&mut workbench, views::Runtime::Both), [], "its priority decides");
    }

    #[test]
    fn a_channel_that_olm_v1_cannot_name_is_told_for_olm_v1() {
        let old = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let new = format!("{old}\nchannel p Fast p.v1.0.0");
        let mut workbench = workbench(&[("before", old), ("after", &new)]);
        let mut rules = |runtime| {
            let compared = Compared { runtime, ..compared(side(0, false), side(1, false)) };
            let changes = compare_package(workbench.comparing(&compared), "p").unwrap().changes;
            changes.into_iter().map(|change| change.rule).collect::<Vec<_>>()
        };
        assert_eq!(rules(views::Runtime::V0), ["channel-added"]);
        assert_eq!(rules(views::Runtime::V1), ["v1-channel-name", "channel-added"]);
    }

    #[test]
    fn the_sentence_names_the_risks() {
        let before = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 provides K";
        let after = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0 provides K\nbundle p 2.0.0";
        let mut workbench = workbench(&[("before", before), ("after", after)]);
        let view = compare_package(workbench.comparing(&compared(side(0, false), side(1, false))), "p").unwrap();
        assert_eq!(
            view.sentence,
            "the installed version moves on to 2.0.0 as expected; 1 risk: `p.v2.0.0` no longer provides K (example.com/v1); 1 other change"
        );
        assert!(view.changes.is_sorted_by_key(|change| std::cmp::Reverse(change.level)), "{:?}", view.changes);
    }

    #[test]
    fn lifecycle_data_is_compared_with_its_text() {
        let catalog = |end: &str| {
            let data = "schema: io.openshift.operators.lifecycles.v1alpha1\npackage: p\nversions:\n- name: '1.0'\n  phases:\n  \
                        - {name: Full support, startDate: 2026-01-01";
            let text = session::testing::yaml("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0");
            format!("{text}---\n{data}, endDate: {end}}}\n")
        };
        let workbench = Workbench::new().with_text("before", "c.yaml", catalog("2027-12-31"));
        let mut workbench = workbench.with_text("after", "c.yaml", catalog("2026-12-31"));
        let view = compare_package(workbench.comparing(&compared(side(0, false), side(1, false))), "p").unwrap();
        assert_eq!(view.sentence, "no effect on clusters; 2 other changes");
        let earlier = &view.changes[0];
        assert_eq!((earlier.level, &*earlier.rule), (views::Level::Neutral, "support-ends-earlier"));
        assert_eq!(earlier.place.as_ref().map(|line| &*line.text), Some("package: p"));
        let documents: Vec<&str> = view.source.documents.iter().map(|document| &*document.title).collect();
        assert_eq!(documents, ["io.openshift.operators.lifecycles.v1alpha1 p"]);
    }

    #[test]
    fn a_comment_ignores_a_rule_where_it_stands() {
        let levels = |at: &str, comment: &str| {
            let mut workbench = workbench(&[("before", BEFORE), ("after", AFTER)]);
            let file = &workbench.catalogs()[1].files[0];
            let (key, start) = (file.key, file.text.find(at).unwrap() as u32);
            workbench.edit(key, start..start, comment);
            let view = compare(workbench.comparing(&compared(side(0, false), side(1, false)))).unwrap();
            let findings = &workbench.catalogs()[1].analysis.findings;
            assert!(findings.iter().all(|found| found.diagnostic.rule != source::Rule::UselessIgnore), "{comment}");
            view.levels.0[0]
        };
        assert_eq!(levels("- {name: p.v1.3.0", "# opscope-ignore: v0-stranded -- announced\n"), 0, "at the head");
        assert_eq!(levels("- {name: p.v1.1.0", "# opscope-ignore: v0-stranded\n"), 1, "at an entry");
        assert_eq!(levels("schema: olm.channel", "# opscope-ignore: v0-stranded\n"), 0, "at the channel");
        assert_eq!(levels("- {name: p.v1.3.0", "# opscope-ignore: v0-loop\n"), 2, "another rule");
    }

    #[test]
    fn a_comment_at_a_bundle_ignores_what_is_found_there() {
        let text = session::testing::yaml("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0");
        let swapped = text.replace("image: ", "image: other/");
        assert_ne!(text, swapped);
        let (document, bundle) = swapped.split_at(swapped.find("schema: olm.bundle").unwrap());
        let rules = |after: String| {
            let mut workbench =
                Workbench::new().with_text("before", "c.yaml", text.clone()).with_text("after", "c.yaml", after);
            let compared = Compared { runtime: views::Runtime::V1, ..compared(side(0, false), side(1, false)) };
            let view = compare_package(workbench.comparing(&compared), "p").unwrap();
            view.groups.into_iter().map(|group| group.rule).collect::<Vec<_>>()
        };
        assert_eq!(rules(swapped.clone()), ["v1-image-swap"; 2]);
        assert_eq!(rules(format!("{document}# opscope-ignore: v1-image-swap\n{bundle}")), [""; 0]);
    }

    #[test]
    fn an_edit_is_compared_with_the_text_as_it_was_opened() {
        let mut workbench = workbench(&[("c", BEFORE)]);
        let key = workbench.catalogs()[0].files[0].key;
        let compared = compared(side(0, true), side(0, false));
        assert_eq!(compare(workbench.comparing(&compared)).unwrap().packages, []);
        let text = session::testing::yaml(AFTER);
        let end = workbench.catalogs()[0].files[0].text.len() as u32;
        workbench.edit(key, 0..end, &text);
        let view = compare(workbench.comparing(&compared)).unwrap();
        assert_eq!((view.levels, view.unchanged), (LevelCounts([2, 0, 3, 0]), 1));
        let package = compare_package(workbench.comparing(&compared), "p").unwrap();
        let cause = &package.groups[0].cause[0];
        assert_eq!(cause.before.as_ref().map(|line| line.place.line), None);
        assert!(cause.after.as_ref().is_some_and(|line| line.is_present && line.text.contains("p.v1.3.0")));
    }

    #[test]
    fn a_group_tells_both_paths_its_cause_and_fixes() {
        let (mut workbench, compared) = of_two_catalogs();
        let view = compare_package(workbench.comparing(&compared), "p").unwrap();
        let stuck = &view.groups[0];
        assert_eq!((stuck.title.as_str(), stuck.rule.as_str()), ("1.0.0 to 1.1.0 (2 versions)", "v0-stranded"));
        assert_eq!(stuck.before.versions, ["1.0.0", "1.2.0"]);
        assert_eq!((&stuck.after.versions[..], stuck.after.is_fine), (&["1.0.0".to_owned()][..], false));
        assert_eq!(stuck.before.differs, Some(1));
        assert!(stuck.shows.starts_with("nothing; "), "{}", stuck.shows);
        assert_eq!(view.rows.len(), 3);
        let documents: Vec<&str> = view.source.documents.iter().map(|document| &*document.title).collect();
        assert_eq!(documents, ["olm.channel c", "olm.bundle p.v1.3.0"]);
        let added: Vec<&str> = (view.source.documents[0].lines.iter())
            .filter(|line| line.sign == DiffSign::Added)
            .map(|line| line.text.trim())
            .collect();
        assert_eq!(added[0], "- name: p.v1.3.0");
        let report = compare_report(workbench.comparing(&compared), false).unwrap();
        assert!(report.contains("- breaking: 1.0.0 to 1.1.0 (2 versions) in c: stuck"), "{report}");
        assert!(
            report.contains(
                "    n0[\"p.v1.0.0\"]:::harmed
"
            ) && report.contains(
                "    n2 ==>|added| n3
"
            ),
            "{report}"
        );
    }

    /// A strip shows some versions only; where the updates end is told of all.
    #[test]
    fn a_long_path_ends_at_its_last_version() {
        let chain = |last: u32| {
            let entries = (0..=last).rev().map(|at: u32| match at.checked_sub(1) {
                Some(before) => format!(" p.v1.{at}.0>p.v1.{before}.0"),
                None => " p.v1.0.0".to_owned(),
            });
            let bundles = (0..=last).map(|at| format!("\nbundle p 1.{at}.0"));
            format!("package p c\nchannel p c{}{}", entries.collect::<String>(), bundles.collect::<String>())
        };
        let mut workbench = workbench(&[("before", &chain(20)), ("after", &chain(21))]);
        let view = compare_package(workbench.comparing(&compared(side(0, false), side(1, false))), "p").unwrap();
        let path = &view.groups.iter().find(|group| group.after.skipped > 0).expect("a long path").after;
        assert_eq!((path.last.as_deref(), path.end.as_str()), (Some("1.21.0"), "the head"));
        // The difference is shown: 1.20.0 is followed by 1.21.0.
        assert_eq!((path.versions[0].as_str(), path.skipped, path.more), ("1.0.0", 15, 0));
        assert_eq!(
            (&path.versions[1..], path.differs),
            (&["1.16.0", "1.17.0", "1.18.0", "1.19.0", "1.20.0", "1.21.0"].map(str::to_owned)[..], Some(6))
        );
    }

    #[test]
    fn one_drawing_has_both_states() {
        let (mut workbench, compared) = of_two_catalogs();
        let key = PackageKey { catalog: CatalogId(1), package: "p".to_owned() };
        let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
        let view = compared_graph(workbench.comparing(&compared), &key, &options).unwrap();
        assert_eq!(view.compares, Some(Presence::Both));
        let marked = |mark: Mark| -> Vec<&str> {
            view.nodes.iter().filter(|node| node.marks.contains(&mark)).map(|node| &*node.label).collect()
        };
        assert_eq!((marked(Mark::Added), marked(Mark::Removed)), (vec!["1.3.0"], Vec::new()));
        assert_eq!((marked(Mark::Harmed), marked(Mark::Head)), (vec!["1.0.0", "1.1.0"], vec!["1.3.0"]));
        let added: Vec<&str> = (view.edges.iter().filter(|edge| edge.presence == Presence::After))
            .map(|edge| &*view.nodes[edge.from as usize].label)
            .collect();
        assert_eq!(added, ["1.2.0", "1.2.0"], "`replaces` and `skips` of the new head");
        let ignored = view.edges.iter().filter(|edge| edge.ignored);
        let ignored: BTreeSet<&str> = ignored.map(|edge| &*view.nodes[edge.to as usize].label).collect();
        assert_eq!(ignored, BTreeSet::from(["1.2.0"]), "the new head skips it");
    }

    /// Before the change, 1.0.0 and 1.1.0 are updated to 1.2.0, the head; after it, both are stuck.
    #[test]
    fn a_channel_whose_updates_change_has_a_row_with_those_before() {
        let unchanged = "channel p d p.v1.0.0\nbundle p 1.0.0";
        let add = |state: &str| state.replace("bundle p 1.0.0", unchanged);
        let mut workbench = workbench(&[("before", &add(BEFORE)), ("after", &add(AFTER))]);
        let key = PackageKey { catalog: CatalogId(1), package: "p".to_owned() };
        let comparing = workbench.comparing(&compared(side(0, false), side(1, false)));
        let drawn = |shown| {
            let options = GraphOptions { compares: Some(shown), ..GraphOptions::default() };
            compared_graph(comparing, &key, &options).unwrap()
        };
        let view = drawn(Presence::Both);
        let changed = view.lanes.iter().find(|lane| lane.channel == "c").unwrap();
        let before = changed.before.as_ref().expect("a row");
        let of = |x: i32| {
            let is_there = |node: &&views::NodeView| node.at.x == x && node.key.channel.as_deref() == Some("c");
            &*view.nodes.iter().find(is_there).expect("an entry above it").label
        };
        let rows = before.entries.iter().map(|entry| (of(entry.x), entry.to.map(of), entry.head.as_deref()));
        let expected = [("1.0.0", Some("1.2.0"), None), ("1.1.0", Some("1.2.0"), None), ("1.2.0", None, Some("1.2.0"))];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        assert!(before.entries.iter().all(|entry| !entry.is_stuck));
        let below = |at: usize| view.lanes[at].y + view.lanes[at].height;
        assert!(before.top < below(0) && below(0) <= view.lanes[1].y && below(1) <= view.height, "{:?}", view.lanes);
        assert!(view.nodes.iter().all(|node| node.lane == 0 || node.at.y > view.lanes[1].y), "the others moved down");
        assert_eq!(view.lanes.iter().filter(|lane| lane.before.is_some()).count(), 1, "d is as it was");
        assert!(drawn(Presence::After).lanes.iter().all(|lane| lane.before.is_none()));
    }

    /// 1.1.0 is only in the channel before, and 1.5.0 only after: in neither state is an entry stuck.
    #[test]
    fn a_drawing_of_both_states_says_what_is_so_in_one() {
        let before = "package p c\nchannel p c p.v2.0.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 2.0.0";
        let after = "package p c\nchannel p c p.v2.0.0>p.v1.5.0~>=1.0.0_<2.0.0 p.v1.5.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.5.0\nbundle p 2.0.0";
        let mut workbench = workbench(&[("before", before), ("after", after)]);
        let key = PackageKey { catalog: CatalogId(1), package: "p".to_owned() };
        let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
        let comparing = workbench.comparing(&compared(side(0, false), side(1, false)));
        let view = compared_graph(comparing, &key, &options).unwrap();
        assert_eq!(view.lanes[0].problem, None);
        let summaries: Vec<&str> = view.nodes.iter().map(|node| &*node.summary).collect();
        let expected = [
            "p.v1.0.0 in channel c, at risk by the change if it is installed",
            "p.v1.1.0 in channel c, replaces p.v1.0.0, removed by the change",
            "p.v1.5.0 in channel c, replaces p.v1.0.0, added by the change",
            "p.v2.0.0 in channel c, channel head, replaces p.v1.5.0, skipRange >=1.0.0 <2.0.0",
        ];
        assert_eq!(summaries, expected);
        assert_eq!(view.bands[0].label, ">=1.0.0 <2.0.0 → 2.0.0 · covers 2 versions");
        // The state before alone has no skipRange.
        let options = GraphOptions { compares: Some(Presence::Before), ..GraphOptions::default() };
        let view = compared_graph(comparing, &key, &options).unwrap();
        assert_eq!((view.bands.len(), view.lanes[0].entries), (0, 3));
        assert_eq!(view.nodes[3].summary, "p.v2.0.0 in channel c, channel head, replaces p.v1.1.0");
    }

    #[test]
    fn everything_of_a_lost_package_is_removed_in_its_drawing() {
        let (_, after) = AFTER.split_once("package q c").expect("the second package");
        let mut workbench = workbench(&[("before", BEFORE), ("after", &format!("package q c{after}"))]);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let options = GraphOptions { compares: Some(Presence::Both), ..GraphOptions::default() };
        let comparing = workbench.comparing(&compared(side(0, false), side(1, false)));
        let view = compared_graph(comparing, &key, &options).expect("the state before has it");
        assert!(view.compares.is_some() && view.nodes.len() == 3);
        assert!(view.nodes.iter().all(|node| node.marks.contains(&Mark::Removed)), "{:?}", view.nodes);
        assert!(view.edges.iter().all(|edge| edge.presence == Presence::Before), "{:?}", view.edges);
    }

    /// Both ways end at the head: the next update of 1.0.0 is 1.0.2 instead of 1.0.1.
    #[test]
    fn a_report_names_the_catalogs_and_the_risk_of_another_way() {
        let head = "p.v2.0.0>p.v1.0.2 p.v1.0.2>p.v1.0.1";
        let bundles = "bundle p 1.0.0\nbundle p 1.0.1\nbundle p 1.0.2\nbundle p 2.0.0";
        let before = format!("package p c\nchannel p c {head} p.v1.0.1>p.v1.0.0 p.v1.0.0\n{bundles}");
        let after = format!("package p c\nchannel p c {head}-p.v1.0.0 p.v1.0.1 p.v1.0.0\n{bundles}");
        let mut workbench = workbench(&[("before", &before), ("after", &after)]);
        let comparing = workbench.comparing(&compared(side(0, false), side(1, false)));
        let report = compare_report(comparing, false).expect("both states are there");
        assert!(report.contains("\nBefore: before. After: after.\n"), "{report}");
        let row = "- risky: 1.0.0 in c: updated to 2.0.0, first to 1.0.2; before: updated to 2.0.0, first to 1.0.1 (`v0-next-changed`)";
        let risk = "\n  - risk: The next update is another one, to a version that was there before\n";
        assert!(report.contains(row) && report.contains(risk), "{report}");
    }

    /// `opm` rejects the catalog because of `p`. The report names that cause once; `q` is unchanged and is only counted.
    #[test]
    fn a_rejected_catalog_is_one_cause() {
        let others =
            "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0\npackage r c\nchannel r c r.v1.0.0\nbundle r 1.0.0";
        let before = format!("package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0\n{others}");
        let after = format!("package p c\nchannel p c\nbundle p 1.0.0\n{others}");
        let mut workbench = workbench(&[("before", &before), ("after", &after)]);
        let sides = (compared(side(0, false), side(1, false)), compared(side(1, false), side(0, false)));
        let view = compare(workbench.comparing(&sides.0)).unwrap();
        let shown: Vec<&str> = view.packages.iter().map(|row| &*row.key.package).collect();
        assert_eq!((shown, view.unchanged), (vec!["p"], 0));
        let following = "2 more packages (2 installed versions) can no longer be resolved for this reason alone";
        assert_eq!(view.following.as_deref(), Some(following));
        let rejected = "Not served after the change: the newest opm rejects the catalog: package \"p\", bundle \"p.v1.0.0\" not found";
        assert!(view.not_comparable[0].starts_with(rejected), "{:?}", view.not_comparable);
        let both = compare(workbench.comparing(&compared(side(1, false), side(1, false)))).unwrap().not_comparable;
        let once = rejected.replace("after", "before and after");
        assert!(both.len() == 1 && both[0].starts_with(&once), "{both:?}");
        assert!(compare_package(workbench.comparing(&sides.0), "q").is_some_and(|view| !view.groups.is_empty()));
        let repaired = compare(workbench.comparing(&sides.1)).unwrap();
        assert!(repaired.not_comparable.is_empty(), "{repaired:?}");
        let following = repaired.following.unwrap_or_default();
        let said = "opm accepts the catalog again; before the change it rejects it: package \"p\", ";
        let more = ". 2 more packages (2 installed versions) can be resolved again for this reason alone";
        assert!(following.starts_with(said) && following.ends_with(more), "{following}");
    }

    /// `opm` rejects the catalog because of `a`, or of a new package. What `p` has of its own is told as if it were served.
    #[test]
    fn a_change_beside_the_one_that_opm_rejects_is_compared_as_if_the_catalog_were_served() {
        let before = format!("{BEFORE}\npackage a c\nchannel a c a.v1.0.0\nbundle a 1.0.0");
        let after = format!("{AFTER}\npackage a c\nchannel a c\nbundle a 1.0.0");
        let with_new = format!("{AFTER}\npackage new c\nchannel new c\nbundle new 1.0.0");
        let mut workbench = workbench(&[("before", &before), ("after", &after), ("plain", BEFORE), ("new", &with_new)]);
        let mut of = |before, after| {
            let comparing = workbench.comparing(&compared(side(before, false), side(after, false)));
            let view = compare(comparing).unwrap();
            let rows = view.packages.iter().map(|row| (row.key.package.clone(), row.sentence.clone()));
            let groups = compare_package(comparing, "p").unwrap().groups;
            (rows.collect::<Vec<_>>(), view.sentence, view.following, groups)
        };
        let (rows, sentence, following, groups) = of(0, 1);
        let own = "2 of 3 installed versions get stuck, 1 moves on to 1.3.0 as expected; 2 other changes";
        let at_fault = "the installed version can no longer be resolved";
        assert_eq!(rows, [("p".to_owned(), own.to_owned()), ("a".to_owned(), at_fault.to_owned())]);
        assert_eq!(sentence, "the newest opm rejects the catalog: its 3 packages stop (5 installed versions)");
        let expected = "2 more packages (4 installed versions) can no longer be resolved for this reason alone. Their own \
            changes are compared as if the catalog were served";
        assert_eq!(following.as_deref(), Some(expected));
        assert!(groups[0].rule == "v0-stranded" && !groups[0].cause.is_empty(), "{groups:?}");
        // The new package has no installed versions that could count.
        let (rows, sentence, ..) = of(2, 3);
        assert_eq!(rows, [("p".to_owned(), own.to_owned())]);
        assert_eq!(sentence, "the newest opm rejects the catalog: its 3 packages stop (4 installed versions)");
        let (rows, ..) = of(1, 0);
        assert!(rows.iter().any(|(name, text)| name == "p" && text.contains("updates again")), "{rows:?}");
    }

    /// A new package harms nobody by itself, so that all packages only follow.
    #[test]
    fn a_new_package_that_opm_rejects_breaks_all_others() {
        let after = format!("{BEFORE}\npackage new c\nchannel new c\nbundle new 1.0.0");
        let mut workbench = workbench(&[("before", BEFORE), ("after", &after)]);
        let view = compare(workbench.comparing(&compared(side(0, false), side(1, false)))).unwrap();
        assert_eq!((view.packages.len(), view.levels.worst()), (0, Some(views::Level::Breaking)), "{view:?}");
        // The three versions of `p` and the one of `q`.
        assert_eq!(view.sentence, "the newest opm rejects the catalog: its 3 packages stop (4 installed versions)");
    }

    #[test]
    fn every_fix_that_is_offered_as_an_edit_helps() {
        let cases = [
            AFTER,
            "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0\nbundle p 1.1.0\nbundle p 1.2.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0",
            "package p d\nchannel p d p.v1.2.0>p.v1.0.0-p.v1.1.0 p.v1.1.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\npackage q c\nchannel q c q.v1.0.0\nbundle q 1.0.0",
            "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0",
        ];
        let mut tried = 0;
        for after in cases {
            let mut workbench = workbench(&[("before", BEFORE), ("after", after)]);
            let compared = compared(side(0, false), side(1, false));
            let view = compare_package(workbench.comparing(&compared), "p").unwrap();
            let fixes = view.groups.iter().flat_map(|group| &group.fixes);
            for fix in fixes.chain(view.repairs.iter().flat_map(|channel| &channel.fixes)) {
                let mut workbench = super::tests::workbench(&[("before", BEFORE), ("after", after)]);
                let text = |workbench: &Workbench| workbench.catalogs()[1].files[0].text.clone();
                let before = text(&workbench);
                let undo = click(&mut workbench, fix);
                let fixed = compare(workbench.comparing(&compared)).unwrap();
                let fixed_text = text(&workbench);
                assert_eq!(fixed.levels.0[0], 0, "{}\n{:?}\n{fixed_text}", fix.text, fixed.packages);
                assert_eq!(fixed.not_comparable, [""; 0], "{}\n{fixed_text}", fix.text);
                workbench.edit_files(&undo);
                assert_eq!(text(&workbench), before);
                tried += 1;
            }
        }
        assert!(tried > 5, "{tried}");
    }
}
