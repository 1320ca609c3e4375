//! The overview of a catalog: what opens after a drop.

use opscope_app::store::{Action, CompareAction, Tab};

use crate::page::Page;

const TITLE: &str = "[data-testid='package-title']";

#[test]
fn a_catalog_of_one_package_opens_with_it() {
    let mut page = Page::open();
    page.drop_texts(&[("shelf.yaml", &fixture::yaml("package cup\nstable: 1.0.0"))]);
    assert_eq!(page.texts(TITLE), ["cup"]);
    page.select_catalog("shelf");
    assert_eq!(page.texts("[data-testid='large-package'] b"), ["cup"]);
}

#[test]
fn the_overview_says_what_changed_and_compare_is_about_the_whole() {
    let teapot = format!("---\n{}", fixture::yaml("package teapot\nc: 1.0.0"));
    let before = fixture::yaml("package kettle\nc: 1.0.0 <- 1.1.0") + &teapot;
    let after = fixture::yaml("package kettle\nc: 1.1.0") + &teapot;
    let mut page = Page::open();
    page.drop_texts(&[("kitchen-1.yaml", &before), ("kitchen-2.yaml", &after)]);
    let change = page.texts("[data-testid='catalog-change']").concat();
    assert!(change.starts_with("kitchen-1 → kitchen-2"), "{change}");
    assert!(change.contains("1 of 2 packages breaks clusters"), "{change}");
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts(TITLE), ["kitchen-2"]);
    assert_eq!(page.texts("[data-testid='compared-package'] .name"), ["kettle", "teapot"]);
    let key = page.package("kettle");
    page.act(Action::Compare(CompareAction::PackageChosen(key)));
    assert_eq!(page.texts(TITLE), ["kettle"]);
}
