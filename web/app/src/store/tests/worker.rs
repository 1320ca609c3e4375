//! The worker: that it starts, dies, and is started again.

use super::*;

#[test]
fn a_dead_worker_is_restarted_then_without_catalogs_then_not_at_all() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::with(&["a"]).on(die(10_000));
    assert_eq!(page.effects, [Effect::StartWorker]);
    assert!(matches!(page.notices()[..], [NoticeKind::Restarted { .. }]));
    let page = page.event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::Restore)]);
    let page = page.on(die(12_000));
    assert!(matches!(page.notices()[..], [_, NoticeKind::StartedEmpty { .. }]));
    let page = page.event(Event::Ready);
    assert!(page.asks().is_empty());
    assert!(page.state.overview.packages.is_empty());
    let page = page.on(die(13_000));
    assert_eq!(page.effects, [Effect::EndWorker]);
    assert!(page.state.worker.gone);
}

/// A worker that ended before it was ready has received nothing, whatever it was that waited for it.
#[test]
fn a_worker_that_does_not_start_is_started_again_and_gets_what_waits() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let link = || LinkTarget::Content(views::LinkContent::Session("1.x".to_owned()));
    let opens = Ask::Command(Command::OpenLink { content: views::LinkContent::Session("1.x".to_owned()) });
    let kept = Draft { catalogs: true, ..Draft::default() };
    for draft in [Draft::default(), kept] {
        let page = Page::open(draft).on(SessionAction::LinkFollowed(link()));
        let is_asked = page.state.dialog == Some(Dialog::OpenLink);
        let page = if is_asked { page.on(SessionAction::OpenLinkAnswered { yes: true }) } else { page };
        let page = page.on(die(5_000));
        assert_eq!(page.effects, [Effect::StartWorker]);
        assert!(matches!(page.notices()[..], [NoticeKind::NotStarted { .. }]));
        let page = page.on(die(10_000)).event(Event::Ready);
        assert_eq!(page.asks(), [&Ask::Command(Command::Restore), &opens]);
        assert!(!page.state.worker.not_restored);
        // A later end is the first one again.
        let page = page.on(die(60_000)).on(die(65_000));
        assert_eq!(page.effects, [Effect::StartWorker]);
    }
}

#[test]
fn a_worker_that_never_starts_can_be_started_by_the_user() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::open(Draft::default()).on(CatalogsAction::ExampleOpened("higher-priority".into()));
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, Some(Wait::Long), "the page offers to stop it");
    let page = page.on(die(10)).on(die(20)).on(die(30));
    assert_eq!((&page.effects[..], page.state.worker.gone), (&[Effect::EndWorker][..], true));
    assert!(matches!(page.notices()[..], [NoticeKind::Gone { .. }]));
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, None);
    let page = page.on(WorkerAction::StartedAgain);
    assert_eq!((page.effects.contains(&Effect::StartWorker), page.notices().len()), (true, 0));
    let page = page.on(die(40)).on(WorkerAction::Stopped);
    assert!(page.effects.contains(&Effect::StartWorker));
    let page = page.on(WorkerAction::StartWaited(Wait::Brief)).event(Event::Ready);
    let slug = "higher-priority".to_owned();
    let opens = Ask::Command(Command::OpenExample { slug, keep: false });
    assert_eq!((page.asks(), page.state.wait), (vec![&Ask::Command(Command::Restore), &opens], None));
}

#[test]
fn a_worker_that_nobody_waits_for_starts_silently() {
    let page = Page::open(Draft::default()).on(WorkerAction::Needed);
    let page = page.on(WorkerAction::StartWaited(Wait::Long));
    assert_eq!(page.state.wait, None);
}

#[test]
fn a_worker_that_lived_long_is_restored_again() {
    let die = |at| Action::Worker(WorkerAction::Died { reason: "boom".to_owned(), at });
    let page = Page::with(&["a"]).on(die(10_000)).event(Event::Ready).on(die(20_000)).event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::Restore)]);
}
