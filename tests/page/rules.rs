//! Rules: how their findings are switched off and on.

use opscope_app::store::{Action, FindingsAction, PageAction, Tab};

use views::OpmVersion;

use crate::page::{self, Page};

/// The findings of the kettle: one about its skipRange, one about a requirement.
fn kettle() -> Page {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.choose_tab(Tab::Findings);
    assert_eq!(rules(&page), ["unsatisfiable-requirement", "open-skip-range"]);
    page
}

fn rules(page: &Page) -> Vec<String> {
    page.all("[data-testid='finding-row']", "data-rule")
}

#[test]
fn the_comment_of_a_rule_switches_its_finding_off() {
    let mut page = kettle();
    page.act(Action::Findings(FindingsAction::CommentCopied("open-skip-range".to_owned())));
    assert_eq!(page.texts("[data-testid='notice'] b"), ["Copied # opscope-ignore: open-skip-range"]);
}

#[test]
fn a_rule_is_explained_from_its_finding() {
    let mut page = kettle();
    page.act(Action::Findings(FindingsAction::RuleExplained("open-skip-range".to_owned())));
    assert_eq!(page.texts("[data-testid='rule-dialog'] h3"), ["Fails", "Passes"]);
    assert_eq!(page.texts("[data-testid='rule-dialog'] h2"), ["open-skip-range"]);
    let marks = page.texts("[data-testid='rule-dialog'] .mark");
    assert!(marks[0].ends_with("^ hint[open-skip-range]"), "{marks:?}");
    let switch = FindingsAction::RuleSwitched { rule: "open-skip-range".to_owned(), on: false };
    page.act(Action::Findings(switch));
    assert_eq!(page.texts("[data-testid='rule-switch']"), ["Switch on"]);
    page.act(Action::Page(PageAction::DialogClosed));
    assert_eq!(rules(&page), ["unsatisfiable-requirement"]);
}

#[test]
fn another_release_of_opm_judges_what_is_open() {
    let skipped = ("  replaces: kettle.v1.1.0\n", "  replaces: kettle.v1.1.0\n  skips: [kettle.v1.1.0]\n");
    let mut page = Page::open();
    page.paste(&page::kettle(&["1.0.0", "1.1.0", "1.2.0"]).replace(skipped.0, skipped.1));
    page.choose_tab(Tab::Findings);
    let row = "[data-testid='finding-row'][data-rule='stranded-entry']";
    let told = "opm validate says (since v1.58.0): channel contains one or more stranded bundles: kettle.v1.0.0";
    assert_eq!(page.texts(&format!("{row} pre")), [told]);
    assert_eq!(page.texts("[data-testid='judging-opm']"), [""; 0]);
    page.act(Action::Page(PageAction::OpmChosen(OpmVersion(1, 47, 0))));
    assert_eq!(page.texts("[data-testid='judging-opm']"), ["opm v1.47 to v1.57"]);
    assert_eq!(page.texts(&format!("{row} pre")), [""; 0]);
    assert_eq!(
        page.texts(&format!("{row} p.mute")),
        ["opm validate rejects it since v1.58.0, which OpenShift 4.21 has"]
    );
}
