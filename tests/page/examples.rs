//! The examples: each opens with its answer.

use opscope_app::store::{Action, CatalogsAction, ClusterAction, SimulationAction};

use crate::html::Element;
use crate::page::Page;

fn open(slug: &str) -> Page {
    let mut page = Page::open();
    page.act(Action::Catalogs(CatalogsAction::ExampleOpened(slug.to_owned())));
    page
}

#[test]
fn an_example_opens_with_its_answer() {
    let mut page = open("version-deadlock");
    assert_eq!(page.texts("[data-testid='package-title']"), ["a-operator"]);
    let verdicts = ["a-operator ends at 2.0.0", "b-operator ends at 2.0.0"];
    assert_eq!(page.texts("[data-testid='verdict'] > p"), verdicts);
    let note = [
        "Two operators require each other, and both change their APIs. Neither can be updated alone. OLM updates them together.",
        "In the result, both updates are in one step: a-operator.v2.0.0 together with b-operator.v2.0.0.",
    ];
    assert_eq!(page.texts("[data-testid='example-note'] p"), note);
    // An unchanged example is replaced without a question.
    page.act(Action::Catalogs(CatalogsAction::ExampleOpened("unknown-package".to_owned())));
    assert_eq!(page.all("[data-testid='package-row']", "data-name"), ["app", "cache"]);
}

#[test]
fn two_outcomes_are_shown_side_by_side() {
    let mut page = open("exclusive-updates");
    page.shows("OLM may do either.");
    let rows = page.html();
    let rows: Vec<Vec<String>> = rows
        .all("[data-testid='difference']")
        .iter()
        .map(|row| row.all("th, td").iter().map(|cell| cell.text()).collect())
        .collect();
    assert_eq!(rows, [["ingress", "ingress.v2.0.0", "ingress.v1.0.0"], ["mesh", "mesh.v1.0.0", "mesh.v2.0.0"]]);
    let verdicts = |page: &Page| {
        let html = page.html();
        html.all("[data-testid='verdict']").iter().map(|verdict| verdict.all("p")[0].text()).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&page), ["ingress ends at 2.0.0", "mesh stays at 1.0.0"]);
    page.act(Action::Simulation(SimulationAction::OutcomeChosen(1)));
    assert_eq!(verdicts(&page), ["ingress stays at 1.0.0", "mesh ends at 2.0.0"]);
}

#[test]
fn a_plan_waits_for_its_approval() {
    let mut page = open("manual-approval");
    page.shows("waits for approval");
    page.act(Action::Simulation(SimulationAction::EventsChosen { every: true }));
    page.shows("must be approved");
    let csvs = |page: &Page| {
        let html = page.html();
        let is_csv = |event: &&&Element| event.all("*").iter().any(|part| part.text() == "CSV");
        html.all("[data-testid='event']")
            .iter()
            .filter(is_csv)
            .filter(|event| event.text().contains("is created"))
            .count()
    };
    assert_eq!(csvs(&page), 0, "the CSVs that are created before the approval");
    page.act(Action::Simulation(SimulationAction::PlanApproved));
    assert_eq!(csvs(&page), 2, "the CSVs that are created after it");
    page.shows("OLM finds no further update");
    page.act(Action::Simulation(SimulationAction::EventsChosen { every: false }));
    // The approval survives a look at the text.
    for on in [true, false] {
        page.act(Action::Cluster(ClusterAction::TextShown(on)));
        let steps = page.texts("[data-testid='step'] h4");
        assert!(steps[0].ends_with("Step 1: InstallPlan approved"), "{steps:?}");
    }
}

#[test]
fn a_failure_between_two_hops_is_shown_as_temporary() {
    let mut page = open("operator-update");
    assert_eq!(page.texts("[data-testid='verdict'] > p"), ["foo ends at 1.2.3"]);
    page.act(Action::Simulation(SimulationAction::EventsChosen { every: true }));
    let groups = ["Before the first plan", "foo.v1.2.2", "foo.v1.2.3"];
    assert_eq!(page.texts("[data-testid='event-group'] h4"), groups);
    assert_eq!(page.texts("[data-testid='event'].passes .badge"), ["resolves on its own"; 2]);
}
