//! Rules: how their findings are switched off and on.

use opscope_app::store::{Action, FindingsAction, PageAction, Tab};

use crate::page::Page;

/// The findings of the kettle: one about its skipRange, one about a requirement.
fn kettle() -> Page {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.choose_tab(Tab::Findings);
    assert_eq!(rules(&page), ["skip-range-pruning", "unsatisfiable-requirement"]);
    page
}

fn rules(page: &Page) -> Vec<String> {
    page.all("[data-testid='finding-row']", "data-rule")
}

#[test]
fn the_comment_of_a_rule_switches_its_finding_off() {
    let mut page = kettle();
    page.act(Action::Findings(FindingsAction::CommentCopied("skip-range-pruning".to_owned())));
    assert_eq!(page.texts("[data-testid='notice'] b"), ["Copied # opscope-ignore: skip-range-pruning"]);
}

#[test]
fn a_rule_is_explained_from_its_finding() {
    let mut page = kettle();
    page.act(Action::Findings(FindingsAction::RuleExplained("skip-range-pruning".to_owned())));
    assert_eq!(page.texts("[data-testid='rule-dialog'] h3"), ["Fails", "Passes"]);
    assert_eq!(page.texts("[data-testid='rule-dialog'] h2"), ["skip-range-pruning"]);
    let marks = page.texts("[data-testid='rule-dialog'] .mark");
    assert!(marks[0].ends_with("^ warning[skip-range-pruning]"), "{marks:?}");
    let switch = FindingsAction::RuleSwitched { rule: "skip-range-pruning".to_owned(), on: false };
    page.act(Action::Findings(switch));
    assert_eq!(page.texts("[data-testid='rule-switch']"), ["Switch on"]);
    page.act(Action::Page(PageAction::DialogClosed));
    assert_eq!(rules(&page), ["unsatisfiable-requirement"]);
}
