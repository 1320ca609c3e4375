//! Findings: the packages that have some, what they say of pruning, and texts that are not catalogs as they should be.

use opscope_app::store::{Action, FindingsAction, NavigationAction, Tab};
use suite::inputs::{bomb, deep};

use crate::page::{Page, fixture, kettle};

/// A catalog with a misspelt channel.
fn misspelt() -> String {
    kettle(&["1.0.0", "1.1.0"]).replacen("defaultChannel: stable", "defaultChannel: stabel", 1)
}

#[test]
fn a_misspelt_name_and_the_one_that_was_meant_have_their_difference_marked() {
    let mut page = Page::open();
    page.paste(&misspelt());
    page.choose_tab(Tab::Findings);
    // There are two findings about it.
    assert_eq!(page.texts("[data-testid='finding-row'] .message mark"), ["el", "el"]);
    assert_eq!(page.texts("[data-testid='finding-row'] .help mark"), ["le", "le"]);
}

#[test]
fn a_group_of_findings_begins_with_what_is_wrong() {
    // Without updates between them, each channel has two heads.
    let heads = kettle(&["1.0.0", "1.1.0"]).replace("  replaces: kettle.v1.0.0\n", "");
    let mut page = Page::open();
    page.paste(&format!("{heads}---\n{}", heads.replace("kettle", "teapot")));
    page.select_catalog("pasted");
    page.choose_tab(Tab::Findings);
    let html = page.html();
    let rows = html.all("[data-testid='finding-group'] .rows > *");
    let parts = |row: usize| {
        let parts = rows[row].all("*").into_iter().map(|part| part.attribute("class"));
        parts.filter(|class| ["message", "help"].contains(class)).collect::<Vec<_>>()
    };
    assert_eq!(rows.len(), 2);
    assert_eq!([parts(0), parts(1)], [vec!["message", "help"], vec!["message"]]);
}

#[test]
fn packages_are_listed_by_what_is_wrong_with_them() {
    let mut page = Page::open();
    page.paste(&fixture::yaml("package good\nc: 1.0.0\npackage worse, default none"));
    assert_eq!(page.all("[data-testid='package-row']", "data-name"), ["worse", "good"]);
    assert_eq!(page.texts(".packages h2"), ["Rejected by opm1", "Warnings1"]);
}

#[test]
fn a_stuck_entry_leads_to_the_repairs_of_its_channel() {
    // The head skips the version before it, so that nothing leads on from older ones.
    let sound = kettle(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    let mut page = Page::open();
    page.paste(&sound.replacen("replaces: kettle.v1.2.0", "skips: [kettle.v1.2.0]", 1));
    // The finding stands at another entry.
    page.select_entry("stable", "kettle.v1.1.0");
    let offers = |page: &Page| [page.texts("button.primary"), page.texts("[data-testid='repair']")].concat();
    assert_eq!(offers(&page), ["Apply repair"]);
    page.act(Action::Navigation(NavigationAction::EntryLeft));
    assert_eq!(offers(&page), ["Repair channel"]);
    let key = page.package("kettle");
    page.act(Action::Navigation(NavigationAction::RepairsAsked(key, "stable".to_owned())));
    assert_eq!(page.texts("[data-testid='subject-title']"), ["stable"]);
    assert_eq!(page.texts("[data-testid='repairs'] button.primary"), ["Apply repair"]);
}

// A skipRange in place of `replaces`: what the finding says and what the graph shows.

#[test]
fn a_range_that_other_channels_cover_is_only_reported_as_open() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.choose_tab(Tab::Findings);
    // The head also requires an API that nothing in the folder provides.
    let rules = page.all("[data-testid='finding-row']", "data-rule");
    assert_eq!(rules, ["unsatisfiable-requirement", "open-skip-range"]);
    let message = page.texts("[data-testid='finding-row'] .message").join("\n");
    assert!(message.contains("the skipRange <2.0.0 of 2.0.0 has no lower bound"), "{message}");
}

#[test]
fn the_graph_draws_the_range_as_a_band_that_warns() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    assert_eq!(page.texts(".band.warns text"), ["<2.0.0 → 2.0.0 · covers 4 versions"]);
    assert_eq!(page.texts(".band.warns .arrow").len(), 1, "an arrow from the band to the entry");
    let below = page.texts("[data-testid='graph'] .band.warns > .rim").len();
    assert_eq!(below, 1, "an arrow says that the range goes on below");
}

// Texts that are not catalogs as they should be: each gets a message, and the rest is shown.

#[test]
fn each_bad_file_of_a_folder_gets_a_message_and_the_healthy_package_stays() {
    let (deep, bomb) = (deep(), bomb());
    // The name of a file, its content, the rule that reports it and a part of the message.
    let bad: [(&str, &[u8], &str, &str); 7] = [
        ("README.md", b"# Kitchen\n\nHow to *boil* water: slowly.\n", "not-a-catalog", "this is no catalog"),
        ("binary.yaml", b"\x7fELF\x02\x01\x00\x00\xff", "unreadable-file", "not a text file: byte 6 is NUL"),
        ("truncated.yaml", b"schema: olm.bundle\nname: \"cup.v9\n", "broken-document", "unexpected end of stream"),
        ("tabs.yaml", b"schema: olm.package\nname: cup\nicon:\n\tdata: x\n", "broken-document", "a tab, where YAML"),
        ("twice.yaml", b"schema: olm.package\nname: cup\nname: mug\n", "duplicate-key", "name occurs twice"),
        ("deep.yaml", deep.as_bytes(), "broken-document", "nested too deeply"),
        ("bomb.yaml", bomb.as_bytes(), "broken-document", "aliases of this document expand"),
    ];
    let water = std::fs::read(fixture("spring/catalog.yaml")).unwrap();
    let healthy: [(&str, &[u8]); 2] = [("empty.yaml", b""), ("water.yaml", &water)];
    let mut page = Page::open();
    page.drop_folder("untidy", bad.iter().map(|(name, content, ..)| (*name, *content)).chain(healthy));
    page.select_package("water");
    assert_eq!(page.texts("[data-testid='package-title']"), ["water"]);
    assert_eq!(page.texts("[data-testid='graph-node'] .label"), ["1.0.0"]);
    page.choose_tab(Tab::Findings);
    assert_eq!(page.all("[data-testid='finding-row']", "data-rule").first().unwrap(), "not-a-catalog");
    page.act(Action::Findings(FindingsAction::ScopeChosen { everything: true }));
    for (name, _, rule, says) in bad {
        let rows = page.texts(&format!("[data-rule='{rule}']"));
        let is_about = |row: &String| row.contains(&format!("{name}:")) && row.contains(says);
        assert!(rows.iter().any(is_about), "a finding of `{rule}` that says `{says}` of `{name}` in {rows:#?}");
    }
}

// Without a message the page would look as if nothing had happened.
#[test]
fn a_file_without_a_package_gets_a_message() {
    let mut page = Page::open();
    page.drop_texts(&[("notes.yaml", "schema: example.com/notes\n")]);
    page.shows("notes.yaml cannot be read as a catalog: 1 error");
    assert_eq!(page.texts("[data-testid='tab-findings'] .number"), ["1"]);
    page.choose_tab(Tab::Findings);
    assert_eq!(page.texts("[data-testid='findings-count']"), ["1 finding"]);
    let elsewhere = "[data-testid='findings-elsewhere'], [data-testid='findings'] [aria-label='Which findings']";
    assert_eq!(page.texts(elsewhere), [""; 0]);
    page.choose_tab(Tab::Graph);
    page.paste(&std::fs::read_to_string(fixture("spring/catalog.yaml")).unwrap());
    assert_eq!(page.all("[data-testid='package-row']", "data-name"), ["water"]);
}

// A few of many places are shown, each with its name.
#[test]
fn a_finding_with_many_places_folds_them() {
    let entries: Vec<String> = (0..20).map(|at| format!("cup.v{at} (no bundle)")).collect();
    let mut page = Page::open();
    page.paste(&fixture::yaml(&format!("package cup\nc: {}", entries.join(", "))));
    page.choose_tab(Tab::Findings);
    let row = "[data-testid='finding-row'][data-rule='missing-bundle']";
    assert_eq!(page.texts(&format!("{row} .labels summary")), ["19 more places"]);
    assert_eq!(page.texts(&format!("{row} .labels li code")).len(), 19);
}

/// Files that are no catalogs, each with what the notice says.
const TEXTS: [(&str, &str, &str); 6] = [
    ("README.md", "# Kitchen\n\nHow to *boil* water: slowly.\n", "no document in it has a schema"),
    ("build.sh", "#!/bin/sh\nset -e\nopm validate catalog\n", "no document in it has a schema"),
    (
        "deployment.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kettle}\n",
        "manifests of Kubernetes without objects of OLM",
    ),
    ("empty.yaml", "", "there is nothing in it; a catalog is a YAML or JSON file"),
    ("comment.yaml", "# not yet\n", "there is nothing in it; a catalog is a YAML or JSON file"),
    (
        "dependencies.yaml",
        "dependencies:\n- type: olm.package\n  value: {packageName: cup, version: 1.0.0}\n",
        "no open catalog has the bundle; open its catalog first",
    ),
];

#[test]
fn a_text_that_is_no_catalog_changes_nothing() {
    let mut page = Page::open();
    page.drop_texts(&[(TEXTS[0].0, TEXTS[0].1)]);
    assert_eq!(page.texts("[data-testid='empty']").len(), 1);
    page.drop_fixture("kitchen");
    page.select_package("teapot");
    for (name, text, reason) in TEXTS {
        page.drop_texts(&[(name, text)]);
        let notices = page.texts("[data-testid='notice']");
        let notice = notices.iter().find(|notice| notice.contains(name)).expect(name);
        assert!(notice.contains(reason) && !notice.contains(".indexignore"), "{notice}");
    }
    page.paste("just some words");
    assert!(page.texts("[data-testid='notice']").concat().contains("the pasted text"));
    assert_eq!(page.texts("[data-testid='catalog-chip'] b"), ["kitchen"]);
    assert_eq!(page.texts("[data-testid='package-title']"), ["teapot"]);
}

#[test]
fn a_catalog_with_mistakes_opens_to_be_mended() {
    let mut page = Page::open();
    page.drop_texts(&[("typo.yaml", "shema: olm.package\nname: kettle\n")]);
    page.drop_texts(&[("quote.yaml", "schema: olm.package\nname: \"kettle\n")]);
    assert_eq!(page.texts("[data-testid='catalog-chip'] b"), ["typo", "quote"]);
    assert_eq!(page.texts("[data-testid='notice']"), [""; 0]);
}
