//! Texts that are not catalogs as they should be: each gets a message, and the rest is shown.

use opscope_app::store::{Action, FindingsAction, Tab};

use suite::inputs::{bomb, deep};

use crate::page::{Page, fixture};

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
