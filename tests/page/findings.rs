//! Findings, and the packages that have some.

use opscope_app::store::{Action, NavigationAction, Tab};

use crate::page::{Page, kettle};

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
