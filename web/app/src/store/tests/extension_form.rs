//! The ClusterExtensions and ClusterCatalogs of the form.

use super::*;
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, EntryView, ExtensionField, ExtensionForm, UpgradePolicy,
};

fn added() -> Page {
    Page::with(&["a"]).on(PageAction::RuntimeChosen(Runtime::Both)).on(ExtensionFormAction::Added)
}

fn edit(page: Page, field: ExtensionField, text: &str) -> Page {
    page.on(ExtensionFormAction::Edited { index: 0, field, text: text.to_owned() })
}

fn rows(page: &Page) -> &[ExtensionForm] {
    &page.state.simulation.cluster.extensions
}

#[test]
fn an_extension_of_the_selected_package_is_simulated_at_once() {
    let page = added();
    assert_eq!(rows(&page), [ExtensionForm { package: "a".to_owned(), ..ExtensionForm::default() }]);
    let page = page.edited("kind: A");
    assert!(page.asks().iter().any(|ask| matches!(ask, Ask::Query(AnyQuery::Simulate(_)))), "{:?}", page.asks());
    let page = edit(page, ExtensionField::Version, "<2 ");
    let page = page.on(ExtensionFormAction::PolicyChosen { index: 0, policy: UpgradePolicy::SelfCertified });
    assert_eq!((&*rows(&page)[0].version, rows(&page)[0].policy), ("<2 ", UpgradePolicy::SelfCertified));
    let page = page.on(ExtensionFormAction::Added);
    assert_eq!(rows(&page)[1], ExtensionForm::default(), "the package has one already");
}

#[test]
fn a_removed_extension_comes_back() {
    let page = edit(added(), ExtensionField::Version, "<2").on(ExtensionFormAction::Removed(0));
    assert_eq!((rows(&page), page.notices()), (&[][..], vec![&NoticeKind::ExtensionRemoved { name: "a".to_owned() }]));
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((&*rows(&page)[0].version, page.notices()), ("<2", vec![]));
}

#[test]
fn without_olm_v1_extensions_are_kept_and_not_simulated() {
    let page = added().on(PageAction::RuntimeChosen(Runtime::V0));
    assert_eq!((rows(&page).len(), page.state.simulation.is_empty(Runtime::V0)), (1, true));
    assert!(!page.state.simulation.is_empty(Runtime::V1));
}

#[test]
fn an_entry_is_installed_by_an_extension_of_its_channel() {
    let entry = entry("stable", "a.v1");
    let view = EntryView { key: entry.clone(), version: Some("1.0.0".to_owned()), ..EntryView::default() };
    let page = Page::with(&["a"])
        .on(NavigationAction::EntrySelected(entry))
        .answer(1, To::<query::Entry>(Some(Box::new(view))))
        .on(ClusterAction::EntryUsed(EntryUse::InstalledBundle))
        .on(ClusterAction::EntryUsed(EntryUse::WantedVersion));
    let row = &rows(&page)[0];
    assert_eq!(
        (&*row.package, &*row.channels, &*row.installed, &*row.version, &*row.selector),
        ("a", "stable", "a.v1", "1.0.0", "")
    );
}

#[test]
fn of_several_catalogs_with_the_package_the_selected_one_is_named() {
    let (mut both, more) = (overview(1, &["a"]), overview(2, &["a"]));
    both.catalogs.extend(more.catalogs);
    both.packages.extend(more.packages);
    both.catalogs[1].name = "other".to_owned();
    let page = Page::open(Draft::default())
        .event(Event::Ready)
        .answer(1, changed(both))
        .on(NavigationAction::PackageSelected(key(2, "a")))
        .on(ExtensionFormAction::Added);
    assert_eq!(rows(&page)[0].selector, "olm.operatorframework.io/metadata.name=other");
}

#[test]
fn a_cluster_catalog_has_a_row_once_it_is_edited() {
    let name = || "mine".to_owned();
    let edited = |field, text: &str| {
        Action::Extensions(ExtensionFormAction::CatalogEdited { name: name(), field, text: text.to_owned() })
    };
    let page = added()
        .on(edited(CatalogField::Priority, "2"))
        .on(edited(CatalogField::Labels, "tier=gold"))
        .on(ExtensionFormAction::AvailabilityChosen { name: name(), availability: CatalogAvailability::Unavailable });
    let expected = ClusterCatalogForm {
        name: name(),
        priority: "2".to_owned(),
        labels: "tier=gold".to_owned(),
        availability: CatalogAvailability::Unavailable,
    };
    assert_eq!(page.state.simulation.cluster.cluster_catalogs, [expected]);
}

/// Packages `a` with channels `stable` and `fast`, and `b` with `fast` and `slow`; an extension of `a` with all its
/// fields.
fn filled() -> Page {
    let mut overview = overview(1, &["a", "b"]);
    overview.packages[0].channels = vec!["stable".to_owned(), "fast".to_owned()];
    overview.packages[1].channels = vec!["fast".to_owned(), "slow".to_owned()];
    let mut page = Page::open(Draft::default()).event(Event::Ready).answer(1, changed(overview));
    page.state.simulation.cluster.extensions.push(before());
    page
}

fn before() -> ExtensionForm {
    ExtensionForm {
        package: "a".to_owned(),
        version: "<2".to_owned(),
        channels: "stable,fast".to_owned(),
        installed: "a.v1".to_owned(),
        ..ExtensionForm::default()
    }
}

fn entered(page: Page, package: &str) -> Page {
    edit(page, ExtensionField::Package, package).on(ExtensionFormAction::PackageEntered(0))
}

#[test]
fn another_package_clears_what_it_does_not_have_which_can_be_undone() {
    let page = entered(edit(filled(), ExtensionField::Package, "bb"), "b");
    let settled =
        ExtensionForm { package: "b".to_owned(), channels: "fast".to_owned(), installed: String::new(), ..before() };
    assert_eq!(rows(&page), [settled]);
    assert_eq!(page.notices(), [&NoticeKind::FieldsEmptied { package: "a".to_owned() }]);
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((rows(&page), page.notices()), (&[before()][..], vec![]));
}

#[test]
fn a_package_that_is_not_loaded_or_the_same_again_clears_nothing() {
    let page = entered(filled(), "ab");
    assert_eq!(rows(&page), [ExtensionForm { package: "ab".to_owned(), ..before() }]);
    let page = entered(page, "a");
    assert_eq!((rows(&page), page.notices()), (&[before()][..], vec![]));
}
