//! Disabling and explaining rules.

use super::*;
use views::{OlmV1Release, OpmVersion, Rulebook};

fn switched(page: &Page) -> Vec<&[String]> {
    let off = |ask: &&Ask| matches!(ask, Ask::Command(Command::SwitchRules { .. }));
    let asks = page.asks().into_iter().filter(off);
    asks.map(|ask| if let Ask::Command(Command::SwitchRules { off }) = ask { &off[..] } else { &[] }).collect()
}

#[test]
fn a_disabled_rule_is_sent_to_the_worker_and_saved() {
    let off = |on| Action::Findings(FindingsAction::RuleSwitched { rule: "downgrade".to_owned(), on });
    let page = Page::with(&["a"]).on(off(false));
    assert_eq!(switched(&page), [["downgrade".to_owned()]]);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.rules_off.len() == 1)));
    let page = page.on(off(false));
    assert!(page.effects.is_empty());
    let page = page.on(off(true));
    assert_eq!(switched(&page), [&[] as &[String]]);
    // Clearing the catalogs does not enable rules.
    let page = page.on(off(false)).on(CatalogsAction::Cleared);
    assert_eq!(page.state.rules.off.len(), 1);
}

#[test]
fn descriptions_of_rules_are_fetched_once_and_again_after_a_failure() {
    let asked = || Action::Findings(FindingsAction::RuleExplained("downgrade".to_owned()));
    let fetches = |page: &Page| page.effects.iter().filter(|effect| **effect == Effect::FetchRules).count();
    let page = Page::with(&["a"]).on(asked());
    assert_eq!((page.state.dialog, fetches(&page)), (Some(Dialog::Rule), 1));
    let page = page.on(asked());
    assert_eq!(fetches(&page), 0, "they are on their way");
    let page = page.on(FindingsAction::RulesFetched(Err("gone".to_owned()))).on(asked());
    assert_eq!(fetches(&page), 1);
    let page = page.on(FindingsAction::RulesFetched(Ok(Rulebook::default()))).on(asked());
    assert_eq!(fetches(&page), 0);
}

#[test]
fn the_comment_that_disables_a_rule_is_copied() {
    let page = Page::with(&["a"]).on(FindingsAction::RuleExplained("downgrade".to_owned()));
    let page = page.on(FindingsAction::CommentCopied("downgrade".to_owned()));
    assert!(page.effects.contains(&Effect::Copy("# opscope-ignore: downgrade".into())));
    assert_eq!(page.state.dialog, None);
}

/// Chosen, and of the last visit.
#[test]
fn the_release_of_opm_that_judges_is_sent_to_the_worker() {
    let old = OpmVersion(1, 57, 0);
    let chosen = |page: &Page| {
        let asks = page.asks().into_iter();
        asks.filter_map(|ask| if let Ask::Command(Command::JudgeAs { opm }) = ask { Some(*opm) } else { None })
            .collect::<Vec<_>>()
    };
    let choose = || Action::Page(PageAction::OpmChosen(old));
    let page = Page::with(&["a"]).on(choose());
    assert_eq!(chosen(&page), [old]);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.opm == Some(old))));
    let page = page.on(choose());
    assert_eq!(chosen(&page), []);
    let page = page.on(CatalogsAction::Cleared);
    assert_eq!(page.state.opm, old, "clearing the catalogs does not choose another one");

    let page = Page::open(Draft { opm: Some(old), ..Draft::default() }).event(Event::Ready);
    assert_eq!(page.asks(), [&Ask::Command(Command::JudgeAs { opm: old }), &Ask::Command(Command::Restore)]);
}

/// The same of the OLM v1 that answers are about.
#[test]
fn the_olm_v1_of_the_cluster_is_sent_to_the_worker() {
    let old = Some(OlmV1Release(1, 8));
    let sent = Ask::Command(Command::AnswerAs { olm_v1: old });
    let page = Page::with(&["a"]).on(PageAction::OlmV1Chosen(old));
    assert_eq!(page.asks().iter().filter(|ask| ***ask == sent).count(), 1);
    assert!(page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(draft) if draft.olm_v1 == old)));
    let page = page.on(CatalogsAction::Cleared);
    assert_eq!(page.state.olm_v1, old, "clearing the catalogs does not choose another one");
    let page = Page::open(Draft { olm_v1: old, ..Draft::default() }).event(Event::Ready);
    assert_eq!(page.asks(), [&sent, &Ask::Command(Command::Restore)]);
}

#[test]
fn disabled_rules_are_sent_before_catalogs_are_restored() {
    let draft = Draft { rules_off: ["downgrade".to_owned()].into(), ..Draft::default() };
    let page = Page::open(draft).event(Event::Ready);
    let off = vec!["downgrade".to_owned()];
    assert_eq!(page.asks(), [&Ask::Command(Command::SwitchRules { off }), &Ask::Command(Command::Restore)]);
    let page = page.answer(1, changed(Overview::default())).answer(2, changed(overview(1, &["a"])));
    assert_eq!(page.selected(), Some("a"));
    let page = page.on(WorkerAction::Died { reason: String::new(), at: 1 }).event(Event::Ready);
    assert_eq!(switched(&page), [["downgrade".to_owned()]]);
}
