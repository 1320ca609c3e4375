//! What updates do to CustomResourceDefinitions.

use super::*;
use views::CrdChangesView;

fn asked(page: &Page) -> Vec<Option<&str>> {
    let from = |ask: &Ask| match ask {
        Ask::Query(AnyQuery::CrdChanges(query::CrdChanges { from, .. })) => Some(from.clone()),
        _ => None,
    };
    let found = page.state.pending.iter().filter_map(|pending| match &pending.kind {
        PendingKind::Query(AnyQuery::CrdChanges(query::CrdChanges { from, .. })) => Some(from.as_deref()),
        _ => None,
    });
    assert!(page.asks().into_iter().filter_map(from).count() <= 1, "once for each action");
    found.collect()
}

fn answer(page: Page, summary: &str) -> Page {
    page.answer(
        1,
        To::<query::CrdChanges>(Some(CrdChangesView { summary: summary.to_owned(), ..CrdChangesView::default() })),
    )
}

fn shown(page: &Page) -> Option<&str> {
    shown_crds(&page.state).map(|view| &*view.summary)
}

#[test]
fn the_answer_is_that_of_the_selection() {
    let page = Page::with(&["a"]);
    assert_eq!(asked(&page), []);
    let page = page.on(ExploreAction::CrdsAsked);
    assert_eq!(asked(&page), [None]);
    let page = answer(page, "package");
    assert_eq!(shown(&page), Some("package"));
    let page = page.on(PageAction::RuntimeChosen(Runtime::Both));
    let page = answer(page, "both");
    assert_eq!(shown(&page), Some("both"), "it is asked for again");
    let entry = entry("stable", "a.v1");
    let page = page.on(NavigationAction::EntrySelected(entry));
    assert_eq!((asked(&page), shown(&page)), (vec![Some("a.v1")], None));
    let page = answer(page, "entry");
    assert_eq!(shown(&page), Some("entry"));
    let page = page.on(PageAction::RuntimeChosen(Runtime::V1));
    assert_eq!(asked(&page), [Some("a.v1")]);
    let left = page.on(NavigationAction::EntryLeft);
    // The answer about the entry comes too late.
    let left = answer(left, "entry");
    assert_eq!(shown(&left), None);
}
