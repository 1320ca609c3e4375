//! The gallery of examples, and how one is opened.

use answers::simulate;
use session::gallery::gallery;
use session::{CatalogInput, Expand};
use session::{Workbench, examples};
use views::ExampleRow;
use views::{Compared, SideKey};

#[test]
fn every_example_has_a_verdict_and_the_package_that_it_shows() {
    let rows: Vec<ExampleRow> = examples().into_iter().flat_map(|theme| theme.examples).collect();
    assert!(rows.len() > 40);
    for row in rows {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let opened = workbench.open_example(&row.slug).unwrap();
        let packages = workbench.catalogs().iter().map(|catalog| &catalog.analysis.catalog);
        assert!(packages.clone().any(|catalog| catalog.package(&opened.package).is_some()), "{}", row.slug);
        let has_subscription = opened.cluster.contains("kind: Subscription\n");
        let has_extension = opened.cluster.contains("kind: ClusterExtension\n");
        workbench.set_cluster(&opened.cluster);
        let view = simulate(&workbench, "");
        assert!(has_subscription || has_extension, "{}", row.slug);
        let shown = (!view.outcomes.is_empty(), !view.extensions.is_empty());
        assert_eq!(shown, (has_subscription, has_extension), "{}", row.slug);
        let read = view.manifests.unwrap();
        assert_eq!((read.findings, read.skipped), (vec![], vec![]), "{}", row.slug);
        assert!(read.sources.iter().all(|source| source.catalog.is_some()), "{}", row.slug);
    }
}

#[test]
fn the_page_says_of_extensions_what_their_example_says() {
    let mut checked = 0;
    for example in gallery().iter().filter(|example| !example.extensions.is_empty()) {
        let extensions = simulate(&session::testing::example(example.slug), "").extensions;
        for line in example.extensions.lines() {
            let (name, expected) = line.split_once(": ").unwrap();
            let view = extensions.iter().find(|view| view.name == name).unwrap();
            let is_said = match expected.split_once(' ').unwrap() {
                ("fails:", error) => view.error.as_deref() == Some(error),
                ("cannot", rest) => {
                    // Behind OLM's words stands the feature gate that lifts it.
                    let mut words = view.refusals.iter().filter_map(|refusal| refusal.split(" (supported").next());
                    words.any(|words| rest.ends_with(words))
                }
                (_, rest) => rest
                    .split(' ')
                    .any(|word| view.board.lanes.iter().flat_map(|lane| &lane.marks).any(|mark| mark.csv == word)),
            };
            assert!(is_said, "{}: {line}, but {view:?}", example.slug);
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
    assert_eq!(examples().last().unwrap().title, "OLM v1", "users of Subscriptions can pass them by");
}

#[test]
fn the_lifecycle_data_of_an_example_has_one_mistake() {
    let workbench = session::testing::example("support-ends-earlier");
    let found = &workbench.catalogs()[0].analysis.findings;
    let of_lifecycle = found.iter().filter(|found| found.diagnostic.rule == source::Rule::LifecyclePhases);
    let found: Vec<&str> = of_lifecycle.map(|found| &*found.diagnostic.message).collect();
    assert_eq!(found, ["there is a gap of one day between phase `Full support` and phase `Maintenance support`"]);
}

#[test]
fn the_comparison_of_a_change_says_what_its_example_says() {
    let mut compared = 0;
    for example in gallery() {
        let Some(change) = example.change else { continue };
        let mut workbench = Workbench::expanding(Expand::Templates);
        workbench.open_example(example.slug).unwrap();
        let side = |catalog: &CatalogInput| SideKey { catalog: catalog.id, is_opened: false };
        let (before, after) = (side(&workbench.baselines()[0]), side(&workbench.catalogs()[0]));
        let view = answers::compare(workbench.comparing(&Compared::between(before, after))).unwrap();
        let sentence = view.packages.first().map_or("", |package| &*package.sentence);
        assert_eq!(sentence.split(';').next(), Some(change.sentence), "{}", example.slug);
        assert_eq!((view.unchanged, view.not_comparable), (0, Vec::new()), "{}", example.slug);
        compared += 1;
    }
    assert!(compared > 5);
}

/// Such a catalog never gets as far as OLM's resolver; whoever reads the text is to know before they see the result.
#[test]
fn what_opm_rejects_is_said_of_an_example_and_of_no_other() {
    let rows: Vec<ExampleRow> = examples().into_iter().flat_map(|theme| theme.examples).collect();
    let (mut silent, mut wrong) = (Vec::new(), Vec::new());
    for row in rows {
        match (
            simulate(&session::testing::example(&row.slug), "").blocked.is_some(),
            row.says.contains("`opm` rejects"),
        ) {
            (true, false) => silent.push(row.slug),
            (false, true) => wrong.push(row.slug),
            (true, true) | (false, false) => {}
        }
    }
    assert_eq!((silent, wrong), (Vec::<String>::new(), Vec::<String>::new()));
}

#[test]
fn an_example_takes_the_place_of_what_was_loaded() {
    let mut workbench = session::testing::workbench(&[("mine", "package p c")]);
    assert_eq!(workbench.open_example("no-such-example"), None);
    assert_eq!(workbench.catalogs().len(), 1);
    workbench.open_example("higher-priority").unwrap();
    let sources: Vec<_> =
        workbench.catalogs().iter().map(|catalog| (catalog.name.as_str(), catalog.priority)).collect();
    assert!(sources.iter().all(|(name, _)| *name != "mine"), "{sources:?}");
    assert!(sources.iter().any(|(_, priority)| *priority > 0), "{sources:?}");
}
