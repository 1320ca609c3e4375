//! What a change to a catalog does to installed versions.

use opscope_app::store::{Action, CatalogsAction, CompareAction, Direction, LayoutAction, SimulationAction, Tab};
use views::{Presence, RepairsView};

use crate::page::Page;

/// The new head skips the old one, whose own `skips` no longer count then.
const STUCK: &str = "kettle: 2 of 3 installed versions get stuck, 1 moves on to 1.3.0 as expected; 2 other changes.";
const HEADLINE: &str = ".compare .answer > h2";

/// Drops both states of the catalog, and shows what changed.
fn compare_releases() -> Page {
    let mut page = Page::open();
    page.drop_fixture("release-after");
    page.drop_fixture("release-before");
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts(HEADLINE), [STUCK]);
    page
}

#[test]
fn two_drops_are_compared() {
    let mut page = compare_releases();
    let counts = "[data-testid='compare-tally'] li";
    assert_eq!(page.texts(counts), ["2 break", "1 change without harm"]);
    let first = "[data-testid='row-group'][data-rule='v0-stranded']";
    assert_eq!(page.texts(&format!("{first} .strip h4")), ["Beforereach the head", "Afterstuck"]);
    let drawn = page.all(&format!("{first} .strip svg"), "aria-label");
    assert_eq!(
        drawn,
        ["1.0.0 – 1.1.0; then 1.2.0, the head", "1.0.0 – 1.1.0, stuck; nothing leads to 1.3.0, the head"]
    );
    let causes = ["stable", "kettle.v1.3.0", "kettle.v1.2.0", "kettle.v1.2.0", "kettle.v1.2.0", "skips", "skipRange"];
    assert_eq!(page.texts(&format!("{first} [data-testid='cause'] code")), causes);
    page.act(Action::Compare(CompareAction::Swapped));
    assert!(page.texts(HEADLINE).concat().contains("2 get updates again"), "{:?}", page.texts(HEADLINE));
    page.act(Action::Compare(CompareAction::Swapped));
    assert_eq!(page.texts(HEADLINE), [STUCK]);
    let before = page.state.overview.catalogs.iter().find(|row| row.name == "release-before").unwrap().id;
    page.act(Action::Compare(CompareAction::BaselineSet { catalog: before, baseline: true }));
    let role = page.all("[data-testid='catalog-chip'][data-name='release-before']", "title").join(" ");
    assert!(role.contains("only compared"), "{role}");
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts(HEADLINE), [STUCK]);
}

#[test]
fn both_states_are_one_drawing() {
    let mut page = compare_releases();
    let drawing = "[data-testid='compare-drawing']";
    assert_eq!(page.texts(&format!("{drawing} .before-label")), ["1.2.0"], "the head before");
    assert_eq!(page.texts(&format!("{drawing} text.bracket")), ["2 stuck"]);
    // The graph shows one state, and the tab still both.
    page.act(CompareAction::GraphShown(Some(Presence::Before)).into());
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts(&format!("{drawing} .before-label")), ["1.2.0"]);
    page.choose_tab(Tab::Graph);
    assert_eq!(page.state.graph.as_ref().and_then(|graph| graph.compares), Some(Presence::Before));
    page.choose_tab(Tab::Compare);
    // Of what is presented, the arrows show another state.
    page.act(LayoutAction::Presented { on: true }.into());
    let shown = |page: &Page| (page.state.tab, page.state.graph_changes);
    assert_eq!(shown(&page), (Tab::Graph, Some(Presence::Both)));
    for expected in [Presence::Before, Presence::Before, Presence::Both, Presence::After, Presence::After] {
        let direction = if expected == Presence::Before { Direction::Earlier } else { Direction::Later };
        page.act(CompareAction::GraphStepped(direction).into());
        assert_eq!(shown(&page), (Tab::Graph, Some(expected)));
    }
}

/// An installed version that the change leaves stuck.
const CLUSTER: &str = "apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: kettle, namespace: kitchen}
spec: {name: kettle, channel: stable, source: release-after, sourceNamespace: olm}
status: {installedCSV: kettle.v1.1.0, currentCSV: kettle.v1.1.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: kettle.v1.1.0, namespace: kitchen}
spec: {version: 1.1.0}
status: {phase: Succeeded}
";

#[test]
fn the_subscriptions_of_a_cluster_are_compared() {
    let mut page = compare_releases();
    page.paste(CLUSTER);
    page.choose_tab(Tab::Compare);
    let row = "✕ breaking kitchen/kettle kettle.v1.1.0 The operator is stuck; before, it was updated or was the head. Before: updated to 1.2.0. After: no update, below the head.";
    assert_eq!(page.texts("[data-testid='compared-subscription']"), [row]);
}

/// The new state of `a` has a channel without entries, for which `opm` rejects the catalog; the head of `b` strands a version.
#[test]
fn a_change_beside_the_one_that_opm_rejects_keeps_its_own_answer() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let catalog = |b: &str| fixture::yaml(&format!("package a\nc: 1.0.0\npackage b\nc: {b}\npackage d\nc: 1.0.0"));
    let (sound, stuck) = (catalog(older), catalog(&format!("1.3.0 (replaces 1.2.0; skips 1.2.0), {older}")));
    let rejected = stuck.replacen("entries:\n- {name: a.v1.0.0}\n", "entries: []\n", 1);
    assert_ne!(rejected, stuck);
    page.drop_texts(&[("before.yaml", &sound)]);
    page.drop_texts(&[("after.yaml", &rejected)]);
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts("[data-testid='not-comparable'] li").len(), 1);
    page.shows("2 more packages (4 installed versions) can no longer be resolved for this reason alone");
    let rows = "[data-testid='compared-list'] section";
    assert_eq!(page.all(rows, "aria-label"), ["Packages: Breaking", "Packages: No change of their own"]);
    page.shows("2 of 3 installed versions get stuck, 1 moves on to 1.3.0 as expected");
}

#[test]
fn the_channels_of_a_package_are_repaired_together() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let newer = format!("1.3.0 (replaces 1.2.0; skips 1.2.0), {older}");
    let catalog = |entries: &str| fixture::yaml(&format!("package cup\nstable: {entries}\nfast: {entries}"));
    page.drop_texts(&[("before.yaml", &catalog(older))]);
    page.drop_texts(&[("after.yaml", &catalog(&newer))]);
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts("button.primary"), ["Repair both"]);
    assert_eq!(page.texts("[data-testid='fix-card']").len(), 2);
}

#[test]
fn a_repair_is_applied_and_undone() {
    let mut page = compare_releases();
    assert_eq!(page.texts(".compare [data-testid='apply-repair']").first().unwrap(), "Apply repair");
    page.select_catalog("release-after");
    let (_, edit) = RepairsView::together(&page.state.explore.repairs.1).unwrap();
    page.act(Action::Catalogs(CatalogsAction::FixApplied { what: "repair".to_owned(), edit, is_tried: false }));
    page.select_package("kettle");
    page.choose_tab(Tab::Compare);
    let mended = "kettle: 3 of 3 installed versions move on to 1.3.0 as expected; 2 other changes.";
    assert_eq!(page.texts(HEADLINE), [mended]);
    assert_eq!(page.texts("[data-testid='compare-after'] option[selected]"), ["release-after with your edits"]);
    let undo = page.state.notices.iter().find_map(|notice| notice.kind.edit_undo()).unwrap().clone();
    page.act(Action::Simulation(SimulationAction::FixUndone(undo)));
    assert_eq!(page.texts(HEADLINE), [STUCK]);
}
