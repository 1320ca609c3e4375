//! Simulation of Subscriptions: the chosen bundles, hop by hop, or the conflict.

use opscope_app::store::{
    Action, BoardOf, BoardPart, CatalogsAction, ClusterAction, PageAction, SimulationAction, Tab, Trial,
};
use views::SubscriptionField::{Catalog, Channel, Installed, Package};
use views::{ExtensionField, FormChange, FormPlace, Runtime, TriedChange};

use crate::page::{Page, fixture};

const VERDICT: &str = "[data-testid='verdict'] > p";
const HOPS: &str = "[data-testid='board'] .wide .version .label";

fn kitchen() -> Page {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page
}

#[test]
fn an_installed_csv_is_updated_hop_by_hop() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0")]);
    page.shows("ends at 1.3.0");
    // 1.2.0 skips 1.1.0 and 1.3.0 replaces 1.2.0; nothing leads from 1.1.0 to 1.3.0 at once.
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.0", "1.3.0"]);
    let steps = page.all("[data-testid='selected']", "data-name");
    assert_eq!(steps, ["kettle.v1.2.0", "kettle.v1.3.0"], "what each step selects");
    // Every entry can be asked why it was not chosen.
    page.select_package("kettle");
    page.select_entry("stable", "kettle.v1.3.0");
    page.act(Action::Simulation(SimulationAction::WhyNotAsked));
    assert_eq!(page.texts("[data-testid='why-not-answer'] .badge"), ["not a candidate", "yes"]);
    page.shows("neither replaces nor skips it");
    let details = page.texts(".inspector").concat();
    let at = |text: &str| details.find(text).expect(text);
    assert!(at("Why (not) this one?") < at("Head of stable"), "what was asked comes first: {details}");
}

#[test]
fn a_second_subscription_to_a_package_gets_a_number() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle")]);
    page.subscribe(&[(Package, "kettle")]);
    assert_eq!(page.texts("[data-testid='verdict'] > p > b"), ["kettle", "kettle-2"]);
}

#[test]
fn a_package_without_a_subscription_is_played_from_its_channels() {
    let mut page = kitchen();
    page.select_package("kettle");
    page.choose_tab(Tab::Simulate);
    let answer = "A new Subscription to stable installs 1.3.0";
    assert_eq!(page.texts("[data-testid='channels-answer'] h2"), [answer]);
    assert_eq!(page.texts(".wide text.operator"), ["stable", "fast"]);
    let press = SimulationAction::Subscribed { channel: "stable".to_owned(), installed: "kettle.v1.1.0".to_owned() };
    page.act(Action::Simulation(press));
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.0", "1.3.0"]);
    page.act(Action::Page(PageAction::UndoAsked));
    assert_eq!(page.texts("[data-testid='channels-answer'] h2"), [answer]);
    page.act(Action::Page(PageAction::RedoAsked));
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.0", "1.3.0"]);
}

#[test]
fn a_change_is_tried_before_it_is_made() {
    const TRIED: &str = "[data-testid='tried'] li";
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0")]);
    let press = |csv: Option<&str>| {
        let part = BoardPart { of: BoardOf::Namespace, lane: "kettle".to_owned(), csv: csv.map(str::to_owned) };
        Action::Simulation(SimulationAction::BoardPressed(part))
    };
    let channels = page.texts("[data-testid='subscription-channel'] option");
    assert_eq!(channels, ["any channel", "fast", "stable"]);
    let before = page.state.simulation.manifests.clone();
    let at = FormPlace::Subscription(0, views::SubscriptionField::Approval);
    let change = TriedChange::Form(vec![FormChange::Set { at, text: "Manual".to_owned() }]);
    page.act(Action::Simulation(SimulationAction::ChangeTried(Trial {
        what: "it waits".to_owned(),
        change,
        later: None,
    })));
    assert_eq!(page.texts("[data-testid='subscription'] .choice [aria-pressed='true']"), ["Manual"], "what is tried");
    assert_eq!(page.texts(TRIED), ["kettle ends at 1.3.0 after 2 approvals"]);
    assert_eq!(page.state.simulation.manifests, before, "nothing is changed");
    page.act(Action::Simulation(SimulationAction::TriedDropped));
    assert_eq!(page.texts(TRIED), [""; 0]);
    // What a version that is pressed leads to is drawn beside the course without it.
    page.act(press(Some("kettle.v1.2.0")));
    let choices = page.state.pressed().unwrap().choices;
    assert_eq!(
        choices.iter().map(|one| &*one.label).collect::<Vec<_>>(),
        ["Set 1.2.0 as installed", "Why, or why not?"]
    );
    page.act(choices[0].action.clone());
    assert_eq!(page.texts("[data-testid='board'] .wide .with-fix .label"), ["1.2.0", "1.3.0"]);
    page.act(Action::Simulation(SimulationAction::TriedKept));
    assert_eq!(page.texts(HOPS), ["1.2.0", "1.3.0"]);
    assert!(page.state.simulation.manifests.contains("installedCSV: kettle.v1.2.0"));
    page.act(Action::Page(PageAction::UndoAsked));
    assert_eq!(page.state.simulation.manifests, before);
}

#[test]
fn undo_and_redo_go_through_all_changes() {
    let mut page = kitchen();
    page.subscribe(&[(Channel, "stable"), (Package, "kettle")]);
    let first = page.state.simulation.manifests.clone();
    page.set_field(0, Channel, "fast");
    page.set_field(0, Installed, "kettle");
    page.set_field(0, Installed, "kettle.v1.1.0");
    page.act(Action::Cluster(ClusterAction::ManifestsTyped(CLUSTER.to_owned())));
    page.act(Action::Cluster(ClusterAction::ManifestsCleared));
    let undo = |page: &mut Page, count: usize| (0..count).for_each(|_| page.act(Action::Page(PageAction::UndoAsked)));
    undo(&mut page, 1);
    assert_eq!(&*page.state.simulation.manifests, CLUSTER);
    undo(&mut page, 3);
    assert_eq!(page.state.simulation.manifests, first, "what was typed into one field is one change");
    (0..4).for_each(|_| page.act(Action::Page(PageAction::RedoAsked)));
    assert_eq!(&*page.state.simulation.manifests, "");
}

// OLM takes a Subscription without a channel to mean all of them, not the default one.
#[test]
fn a_subscription_without_a_channel_updates_through_all_channels() {
    let mut page = Page::open();
    page.act(Action::Catalogs(CatalogsAction::ExampleChosen));
    page.subscribe(&[(Package, "kettle-operator"), (Channel, ""), (Installed, "kettle-operator.v1.1.0")]);
    // The last one is what OLM adds for it.
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.1", "2.0.0", "2.1.0", "0.3.1"]);
    assert_eq!(page.texts("[data-testid='subscription-channel'] option[selected]"), ["any channel"]);
}

#[test]
fn a_skip_range_is_one_hop_from_anywhere_in_it() {
    let mut page = Page::open();
    page.drop_fixture("pantry");
    page.subscribe(&[(Package, "kettle"), (Installed, "kettle.v1.0.7")]);
    page.shows("ends at 1.4.0");
    // The last one is what OLM adds for it.
    assert_eq!(page.texts(HOPS), ["1.0.7", "1.4.0", "1.1.0"]);
}

// Keeping what is installed is a solution too, so an impossible update is not a conflict.
#[test]
fn an_update_with_an_unmet_requirement_is_not_made() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "fast"), (Installed, "kettle.v1.3.0")]);
    page.shows("stays at 1.3.0");
    assert_eq!(page.texts("[data-testid='conflict']"), [""; 0]);
}

/// What `kubectl` prints of a cluster.
const CLUSTER: &str = "apiVersion: v1
kind: List
items:
- apiVersion: operators.coreos.com/v1alpha1
  kind: Subscription
  metadata: {name: mine, namespace: apps}
  spec:
    channel: stable
    name: kettle
    source: kitchen
    sourceNamespace: olm
";

#[test]
fn form_and_manifests_say_the_same() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "stable")]);
    assert!(page.state.simulation.manifests.contains("channel: stable"), "the form as manifests");
    page.paste(CLUSTER);
    assert_eq!(page.texts(VERDICT), ["mine installs kettle.v1.3.0"]);
    let part = BoardPart { of: BoardOf::Namespace, lane: "mine".to_owned(), csv: None };
    page.act(Action::Simulation(SimulationAction::BoardPressed(part)));
    assert_eq!(page.all("[data-testid='subscription-package']", "value"), ["kettle"], "the manifests as fields");
    // The form edits the manifests in place: what it has no field for stays.
    page.set_field(0, Channel, "fast");
    assert_eq!(page.texts(VERDICT), ["mine is not installed: OLM finds no solution"]);
    let expected = CLUSTER.replace("channel: stable", "channel: fast");
    assert_eq!(&*page.state.simulation.manifests, &*expected, "the manifests with one change");
}

#[test]
fn the_graph_marks_what_a_plan_installed() {
    const SAID: &str = "[data-testid='playback-label']";
    const NOW: &str = "[data-testid='board'] .wide .version.current .label";
    const INSTALLED: &str = "[data-testid='graph-node'].installed[data-channel='stable']";
    let mut page = kitchen();
    page.select_package("kettle");
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0")]);
    for (step, said, now) in [
        (0, "Before the first plan", "1.1.0"),
        (1, "After plan 1 of 2: kettle.v1.2.0", "1.2.0"),
        (2, "After plan 2 of 2: kettle.v1.3.0", "1.3.0"),
    ] {
        if step > 0 {
            page.act(Action::Simulation(SimulationAction::PlanChosen(step)));
            assert_eq!(page.all(INSTALLED, "data-name"), [format!("kettle.v{now}")], "what is installed in the graph");
        }
        assert_eq!(page.texts(SAID), [said]);
        assert_eq!(page.texts(NOW), [now]);
    }
}

#[test]
fn a_misspelt_package_gets_a_suggestion() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettel"), (Catalog, "")]);
    page.shows("no solution");
    assert_eq!(page.texts("[data-testid='funnel'] .dry").len(), 1);
}

// A catalog of which opm rejects one package: the other one would be installed if it were served.
#[test]
fn a_catalog_that_is_not_served_blocks_its_namespace() {
    let mut page = Page::open();
    page.paste(&fixture::yaml("package cup\nstable: 1.0.0\npackage mug, default none"));
    page.subscribe(&[(Package, "cup")]);
    page.shows("OLM cannot resolve anything in this namespace.");
    let line = "opm rejects pasted: default channel none of package mug does not exist. It prints channel must contain at least one bundle pasted.yaml of pasted, line 21";
    assert_eq!(page.texts("[data-testid='unserved'] li"), [line]);
    assert_eq!(
        page.texts("[data-testid='as-if-served'] [data-testid='verdict'] > p"),
        ["cup is not resolved, because a catalog is not served; otherwise it installs 1.0.0"]
    );
}

#[test]
fn a_conflict_lists_its_rules_and_the_ways_out() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Catalog, "kitchen"), (Channel, "fast")]);
    assert_eq!(page.texts(VERDICT), ["kettle is not installed: OLM finds no solution"]);
    assert_eq!(page.texts("[data-testid='clash'] h5"), ["Conflict: kettle"]);
    let rules = page.texts("[data-testid='clash'] .argument li");
    for part in ["kettle.v2.0.0", "Teapot"] {
        assert!(rules.iter().any(|rule| rule.contains(part)), "expected `{part}` in one of {rules:?}");
    }
    // operator-lifecycle-manager, pkg/controller/registry/resolver/solver: the parts sorted, joined by commas.
    let error = "constraints not satisfiable: bundle kettle.v2.0.0 requires an operator providing an API with group: \
                 example.com, version: v1, kind: Teapot, subscription kettle exists, subscription kettle requires \
                 kitchen/olm/fast/kettle.v2.0.0";
    assert_eq!(page.texts("[data-testid='conflict'] pre"), [error]);
    let ways = page.all("[data-testid='try']", "aria-label");
    assert!(ways.iter().any(|way| way.contains("channel stable")), "a way out over channel stable among {ways:?}");
    page.set_field(0, Channel, "stable");
    assert_eq!(page.texts(VERDICT), ["kettle installs 1.3.0"]);
    assert_eq!(page.texts("[data-testid='conflict']"), [""; 0]);
}

#[test]
fn manifests_dropped_with_a_catalog_fill_the_manifest_field() {
    let spring = std::fs::read_to_string(fixture("spring/catalog.yaml")).unwrap();
    let source =
        "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: spring, namespace: olm}\n";
    let mut page = Page::open();
    page.drop_texts(&[("spring.yaml", &spring), ("cluster.yaml", source)]);
    assert_eq!(page.texts("[data-testid='catalog-chip'] b"), ["spring"]);
    assert_eq!(&*page.state.simulation.manifests, source);
    page.shows("the manifests have no Subscription");
}

#[test]
fn a_form_with_extensions_is_the_manifests_that_it_becomes() {
    let mut page = Page::open();
    page.drop_fixture("release-after");
    page.act(Action::Page(PageAction::RuntimeChosen(Runtime::Both)));
    page.choose_tab(Tab::Simulate);
    page.act(Action::Cluster(ClusterAction::ExtensionAdded(String::new())));
    let select = |page: &mut Page, text: &str| {
        let (at, text) = (FormPlace::Extension(0, ExtensionField::Selector), text.to_owned());
        page.act(Action::Cluster(ClusterAction::FormChanged(FormChange::Set { at, text })));
    };
    let verdict = |page: &Page| page.html().all("[data-testid='extension']")[0].all("p")[0].text();
    select(&mut page, "tier=silver");
    assert_eq!(verdict(&page), "kettle gets a bundle that cannot be known here");
    select(&mut page, "olm.operatorframework.io/metadata.name=release-after");
    assert_eq!(verdict(&page), "kettle installs kettle.v1.3.0");
    let text = &page.state.simulation.manifests;
    assert!(text.contains("kind: ClusterExtension") && text.contains("metadata.name: release-after"), "{text}");
    assert_eq!(verdict(&page), "kettle installs kettle.v1.3.0");
}

#[test]
fn what_cannot_be_read_stays_in_the_dialog() {
    let mut page = Page::open();
    let entered = |text: &str| CatalogsAction::TextEntered { text: text.to_owned(), name: String::new() };
    page.act(Action::Catalogs(entered("hello world")));
    assert_eq!(page.state.unread.as_ref().map(|unread| &*unread.text), Some("hello world"));
    assert_eq!(page.texts("[data-testid='paste-fault']").len(), 1);
    page.act(Action::Catalogs(entered(&fixture::yaml("package cup\nstable: 1.0.0"))));
    assert_eq!((page.state.unread.clone(), page.state.dialog), (None, None));
}

#[test]
fn what_is_said_follows_the_approvals() {
    let mut page = kitchen();
    let manual = (views::SubscriptionField::Approval, "Manual");
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0"), manual]);
    assert_eq!(page.texts(VERDICT), ["kettle ends at 1.3.0 after 2 approvals"]);
    for said in ["kettle ends at 1.3.0 after 1 approval", "kettle ends at 1.3.0"] {
        page.act(Action::Simulation(SimulationAction::PlanApproved));
        assert_eq!(page.texts(VERDICT), [said]);
    }
}

#[test]
fn a_version_that_no_catalog_has_gets_no_advice() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v9.9.9")]);
    assert_eq!(page.texts(VERDICT), ["kettle is not judged: no loaded catalog has what is installed"]);
    assert_eq!(page.texts("[data-testid='repairs'], [data-testid='fixes']"), [""; 0]);
}

#[test]
fn a_plan_that_waits_already_is_approved_before_the_steps() {
    const NOW: &str = "[data-testid='board'] .wide .version.current .label";
    let object =
        |kind: &str, rest: &str| format!("apiVersion: operators.coreos.com/v1alpha1\nkind: {kind}\n{rest}\n---\n");
    let subscription = "metadata: {name: kettle, namespace: tea}\nspec: {name: kettle, channel: stable, source: kitchen, \
                        sourceNamespace: olm, installPlanApproval: Manual}\nstatus: {currentCSV: kettle.v1.2.0, \
                        installedCSV: kettle.v1.1.0, installPlanRef: {name: install-abc12}, state: UpgradePending}";
    let csv = "metadata: {name: kettle.v1.1.0, namespace: tea}\nspec: {version: 1.1.0}\nstatus: {phase: Succeeded}";
    let plan = "metadata: {name: install-abc12, namespace: tea}\nspec: {approval: Manual, approved: false, generation: 1, \
                clusterServiceVersionNames: [kettle.v1.2.0]}\nstatus: {phase: RequiresApproval}";
    let group =
        "apiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: {name: all, namespace: tea}\n---\n";
    let mut page = kitchen();
    page.paste(&format!(
        "{group}{}{}{}",
        object("Subscription", subscription),
        object("ClusterServiceVersion", csv),
        object("InstallPlan", plan)
    ));
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.0", "1.3.0"]);
    for (said, now, verdict) in [
        ("After plan 1 of 1; the next plan waits for approval", "1.2.0", "kettle ends at 1.3.0 after 1 approval"),
        ("After plan 2 of 2: kettle.v1.3.0", "1.3.0", "kettle ends at 1.3.0"),
    ] {
        assert_eq!(page.texts("[data-testid='approve']"), ["Approve"]);
        page.act(Action::Simulation(SimulationAction::PlanApproved));
        assert_eq!(page.texts("[data-testid='playback-label']"), [said]);
        assert_eq!((page.texts(NOW), page.texts(VERDICT)), (vec![now.to_owned()], vec![verdict.to_owned()]));
    }
    assert_eq!(page.texts("[data-testid='approve']"), [""; 0]);
    // The plan that the cluster has would still wait there.
    assert_eq!(page.texts("[data-testid='start-from-here']"), [""; 0]);
    let before = page.state.simulation.manifests.clone();
    page.act(Action::Simulation(SimulationAction::StartedFromHere));
    assert_eq!(page.state.simulation.manifests, before);
}

#[test]
fn a_fix_of_two_steps_tells_the_second_one_once_the_first_is_made() {
    let mut page = Page::open();
    page.act(Action::Catalogs(CatalogsAction::ExampleOpened("two-hops-deadlock".into())));
    let failure = page.state.simulation.view.as_ref().and_then(|view| view.outcomes[0].steps.last()?.failure.as_ref());
    let fix = failure.and_then(|failure| failure.fixes.iter().find(|fix| fix.later.is_some())).cloned().unwrap();
    let trial = Trial { what: fix.text, change: TriedChange::Edit(fix.edit.unwrap()), later: fix.later };
    page.act(Action::Simulation(SimulationAction::ChangeTried(trial)));
    page.act(Action::Simulation(SimulationAction::TriedKept));
    page.shows("the first step; now add Subscription app again once cache.v3.0.0 is installed");
}

#[test]
fn the_way_to_a_newer_channel_is_said_before_it_closes() {
    let mut page = Page::open();
    let catalog = "package p, default new\nold: 1.0.0 <- 1.1.0 <- 1.2.0\nnew: 2.0.0 (skipRange >=1.0.0 <1.2.0)";
    page.paste(&fixture::yaml(catalog));
    page.subscribe(&[(Package, "p"), (Channel, "old"), (Installed, "p.v1.0.0")]);
    let way = page.texts("[data-testid='way-on']");
    assert!(way[0].starts_with("To come to 2.0.0 of new, switch at 1.1.0"), "{way:?}");
}

#[test]
fn the_point_that_is_shown_becomes_the_cluster() {
    let mut page = kitchen();
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0")]);
    page.act(Action::Simulation(SimulationAction::PlanChosen(1)));
    page.act(Action::Simulation(SimulationAction::StartedFromHere));
    assert_eq!(page.texts(HOPS), ["1.2.0", "1.3.0"]);
    assert!(page.state.simulation.manifests.contains("installedCSV: kettle.v1.2.0"));
    page.act(Action::Page(PageAction::UndoAsked));
    assert_eq!(page.texts(HOPS), ["1.1.0", "1.2.0", "1.3.0"]);
}

#[test]
fn a_fix_of_two_steps_is_followed_to_its_end() {
    let mut page = Page::open();
    page.act(Action::Catalogs(CatalogsAction::ExampleOpened("two-hops-deadlock".into())));
    let out = TriedChange::Form(vec![FormChange::RemoveSubscription(
        page.state.simulation.cluster.subscriptions.iter().position(|row| row.package == "app").unwrap() as u32,
    )]);
    page.act(Action::Simulation(SimulationAction::ChangeTried(Trial {
        what: String::new(),
        change: out,
        later: None,
    })));
    page.act(Action::Simulation(SimulationAction::TriedKept));
    page.act(Action::Simulation(SimulationAction::PlanChosen(2)));
    page.act(Action::Simulation(SimulationAction::StartedFromHere));
    page.act(Action::Cluster(ClusterAction::SubscriptionAdded("app".to_owned())));
    assert_eq!(page.texts("[data-testid='simulation-answer'] h2"), ["cache stays at 3.0.0; app installs 1.0.0"]);
}
