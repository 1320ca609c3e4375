//! The day on which the details tell the support.

use super::*;

#[test]
fn another_day_is_asked_for_what_is_shown() {
    let chosen = |day: &str| Action::Explore(ExploreAction::DayChosen(day.to_owned()));
    let page = Page::with(&["a"]).on(chosen("2026-11-25"));
    let day = "2026-11-25".to_owned();
    let about = Ask::Query(query::Subject { package: key(1, "a"), subject: views::Subject::Package, day }.into());
    assert_eq!(page.asks(), [&about]);
    let one = entry("c", "one");
    let page = page.on(NavigationAction::EntrySelected(one.clone())).on(chosen("2027-01-01"));
    let day = "2027-01-01".to_owned();
    assert_eq!(
        page.asks(),
        [&Ask::Query(query::Entry { package: key(1, "a"), entry: one, day, runtime: Runtime::V0 }.into())]
    );
    // The answer about the day before comes too late.
    let page = page.on(chosen("")).answer(1, To::<query::Entry>(Some(Box::default())));
    assert!(page.state.entry.is_none());
}
