//! The overview of a catalog: what opens after a drop.

use opscope_app::store::{Action, CatalogsAction, CompareAction, PageAction, Tab, commands};
use views::{RepairsView, Runtime};

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

/// OLM v0 ignores the edges of the skipped entry, OLM v1 follows them.
#[test]
fn what_is_stuck_is_so_for_the_chosen_runtime() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let cup = format!("package cup\nc: 1.3.0 (replaces 1.2.0; skips 1.2.0), {older}");
    page.drop_texts(&[("shelf.yaml", &fixture::yaml(&cup))]);
    page.select_catalog("shelf");
    let groups = |page: &Page| (page.texts(".stuck-cards b"), page.texts(".packages .list h2"));
    let shown = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(groups(&page), (shown(&["cup"]), shown(&["Stuck versions1"])));
    page.act(Action::Page(PageAction::RuntimeChosen(Runtime::V1)));
    assert_eq!(groups(&page), (Vec::new(), shown(&["Warnings1"])));
}

#[test]
fn all_packages_are_repaired_at_once() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let stuck = |name| fixture::yaml(&format!("package {name}\nc: 1.3.0 (replaces 1.2.0; skips 1.2.0), {older}"));
    page.drop_texts(&[("shelf.yaml", &format!("{}---\n{}", stuck("cup"), stuck("pot")))]);
    page.select_catalog("shelf");
    assert_eq!(page.texts("[data-testid='repair-all']"), ["Repair both"]);
    assert_eq!(page.texts(".stuck-cards .proof"), ["1 line repairs it", "1 line repairs it"]);
    let (_, edit) = RepairsView::together(&page.state.explore.repairs.1).unwrap();
    page.act(Action::Catalogs(CatalogsAction::FixApplied { what: String::new(), edit, is_tried: false }));
    assert_eq!(page.texts(".stuck-cards b, [data-testid='repair-all']"), Vec::<String>::new());
}

#[test]
fn the_palette_lists_what_is_possible_for_an_entry() {
    let mut page = Page::open();
    page.drop_texts(&[("shelf.yaml", &fixture::yaml("package cup\nc: 1.0.0 (no bundle) <- 1.1.0"))]);
    let installs = |page: &mut Page, name: &str| {
        page.select_entry("c", name);
        let titles = commands(&page.state).into_iter().map(|command| command.title);
        titles.filter(|title| title.to_lowercase().contains("install")).collect::<Vec<_>>()
    };
    assert_eq!(installs(&mut page, "cup.v1.1.0"), ["Install this version", "Mark as installed"]);
    assert_eq!(installs(&mut page, "cup.v1.0.0"), [""; 0]);
}
