//! The fields of a Subscription while its package is typed.

use super::*;
use views::{SubscriptionField, SubscriptionForm};

/// Packages `cache` and `cache-2`, both with channel `stable`, and a Subscription to the first with all its fields.
fn filled() -> Page {
    let mut overview = overview(1, &["cache", "cache-2"]);
    overview.packages.iter_mut().for_each(|row| row.channels = vec!["stable".to_owned()]);
    let mut page = Page::open(Draft::default()).event(Event::Ready).answer(1, changed(overview));
    page.state.simulation.cluster.subscriptions.push(before());
    page
}

fn before() -> SubscriptionForm {
    SubscriptionForm {
        package: "cache".to_owned(),
        channel: "stable".to_owned(),
        catalog: "mine".to_owned(),
        starting_csv: "cache.v1".to_owned(),
        installed: "cache.v2".to_owned(),
        ..SubscriptionForm::default()
    }
}

fn typed(page: Page, package: &str) -> Page {
    page.on(ClusterAction::SubscriptionEdited { index: 0, field: SubscriptionField::Package, text: package.to_owned() })
}

fn form(page: &Page) -> &SubscriptionForm {
    &page.state.simulation.cluster.subscriptions[0]
}

#[test]
fn a_typing_error_in_the_package_clears_nothing() {
    let page = typed(filled(), "cachex");
    assert_eq!(*form(&page), SubscriptionForm { package: "cachex".to_owned(), ..before() });
    let page = page.on(ClusterAction::PackageEntered(0));
    assert_eq!(*form(&page), SubscriptionForm { package: "cachex".to_owned(), ..before() }, "the field was left");
    let page = typed(page, "cache").on(ClusterAction::PackageEntered(0));
    assert_eq!((form(&page), page.notices()), (&before(), vec![]));
}

#[test]
fn a_package_name_passed_while_typing_clears_nothing() {
    let page = typed(typed(typed(filled(), "cache-"), "cache-2"), "cache-").on(ClusterAction::PackageEntered(0));
    assert_eq!(*form(&typed(page, "cache")), before());
}

#[test]
fn another_package_clears_the_csvs_which_can_be_undone() {
    let page = typed(typed(filled(), "nothing"), "cache-2").on(ClusterAction::PackageEntered(0));
    let settled = SubscriptionForm {
        package: "cache-2".to_owned(),
        starting_csv: String::new(),
        installed: String::new(),
        ..before()
    };
    assert_eq!(*form(&page), settled, "it has the channel, and the catalog has it");
    assert_eq!(page.notices(), [&NoticeKind::FieldsEmptied { package: "cache".to_owned() }]);
    let page = page.on(PageAction::UndoAsked);
    assert_eq!((form(&page), page.notices()), (&before(), vec![]));
}

#[test]
fn channel_and_catalog_that_the_new_package_lacks_are_cleared() {
    let mut page = filled();
    let form_of = &mut page.state.simulation.cluster.subscriptions[0];
    (form_of.channel, form_of.catalog) = ("beta".to_owned(), "other".to_owned());
    let page = typed(page, "cache-2").on(ClusterAction::PackageEntered(0));
    assert_eq!(*form(&page), SubscriptionForm { package: "cache-2".to_owned(), ..SubscriptionForm::default() });
}
