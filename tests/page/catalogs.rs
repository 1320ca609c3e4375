//! Several catalogs: each is a CatalogSource with a name and a priority, which decide the chosen bundles.

use opscope_app::store::{
    Action, CatalogsAction, ClusterAction, FindingsAction, NavigationAction, SimulationAction, Tab,
};
use views::SubscriptionField::{Catalog, Channel, Installed, Package};

use suite::inputs::CLUSTER;

use crate::page::{Page, kettle};

/// The chosen bundles, each with its channel and catalog, in their order.
fn chosen(page: &Page) -> Vec<String> {
    let html = page.html();
    let selected = html.all("[data-testid='selected']").into_iter();
    let mut found: Vec<String> =
        selected.map(|row| format!("{} {}", row.attribute("data-name"), row.all(".mute")[0].text())).collect();
    found.sort();
    found
}

#[test]
fn a_subscription_takes_the_package_from_the_catalog_that_it_names() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.drop_fixture("pantry");
    page.subscribe(&[(Package, "kettle"), (Catalog, "kitchen")]);
    assert_eq!(chosen(&page), ["kettle.v1.3.0 stable · kitchen"]);
    let edited = ClusterAction::SubscriptionEdited { index: 0, field: Catalog, text: "pantry".to_owned() };
    page.act(Action::Cluster(edited));
    assert_eq!(chosen(&page), ["kettle.v1.4.0 stable · pantry", "water.v1.1.0 still · pantry"]);
}

#[test]
fn a_dependency_comes_from_the_catalog_of_higher_priority() {
    let mut page = Page::open();
    for name in ["kitchen", "pantry", "spring"] {
        page.drop_fixture(name);
    }
    page.subscribe(&[(Package, "teapot")]);
    // Of equal priority, the catalog whose name comes first is asked first.
    assert_eq!(chosen(&page), ["teapot.v1.0.0 stable · kitchen", "water.v1.1.0 still · pantry"]);
    let row = page.state.overview.catalogs.iter().find(|row| row.name == "spring").unwrap();
    let (catalog, namespace) = (row.id, row.namespace.clone());
    let edited = CatalogsAction::SourceEdited { catalog, name: "well".to_owned(), namespace, priority: 10 };
    page.act(Action::Catalogs(edited));
    assert_eq!(page.texts("[data-testid='catalog-chip'] b"), ["kitchen", "pantry", "well"]);
    assert_eq!(
        page.all("[data-testid='catalog-chip']", "title"),
        [
            "kitchen: 2 packages, priority 0, 3 warnings",
            "pantry: 2 packages, priority 0, 1 warning",
            "well: 1 package, priority 10, no findings"
        ]
    );
    assert_eq!(chosen(&page), ["teapot.v1.0.0 stable · kitchen", "water.v1.0.0 still · well"]);
}

#[test]
fn a_verdict_leads_to_its_package_and_explanation() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("teapot");
    page.subscribe(&[(Package, "kettle"), (Channel, "stable"), (Installed, "kettle.v1.1.0")]);
    assert_eq!(page.texts("[data-testid='verdict-chip']"), ["✓kettle → 1.3.0"]);
    page.act(Action::Simulation(SimulationAction::VerdictFollowed("kettle".to_owned())));
    assert_eq!(page.texts("[data-testid='package-title']"), ["kettle"]);
    assert_eq!(page.texts("[data-testid='verdict'][data-subscription='kettle']").len(), 1);
    assert_eq!(page.texts("[data-testid='entry-name']"), ["kettle.v1.3.0"]);
}

const BASIC: &str = "schema: olm.template.basic
entries:
- {schema: olm.package, name: kettle, defaultChannel: only}
- {schema: olm.channel, package: kettle, name: only, entries: [{name: kettle.v1.1.0}]}
- {schema: olm.bundle, image: registry.example.com/kettle:v1.1.0}
";

#[test]
fn a_basic_template_takes_bundles_from_another_catalog_and_names_the_missing_ones() {
    let mut page = Page::open();
    page.drop_texts(&[("list.yaml", BASIC)]);
    let list = page.package("kettle");
    page.choose_tab(Tab::Findings);
    page.act(Action::Findings(FindingsAction::ScopeChosen { everything: true }));
    page.shows(
        "no loaded catalog has a bundle with the image registry.example.com/kettle:v1.1.0, and opm would ask its registry",
    );
    page.drop_texts(&[("kitchen.yaml", &kettle(&["1.0.0", "1.1.0"]))]);
    page.choose_tab(Tab::Graph);
    assert_eq!(page.all("[data-testid='package-row']", "data-name"), ["kettle"; 2]);
    page.act(Action::Navigation(NavigationAction::PackageSelected(list)));
    let html = page.html();
    let entries = html.all("[data-testid='graph-node']").into_iter();
    let entries: Vec<String> = entries
        .filter(|node| !node.attribute("class").contains("ghost"))
        .map(|node| format!("{} {}", node.attribute("data-channel"), node.attribute("data-name")))
        .collect();
    assert_eq!(entries, ["only kettle.v1.1.0"]);
    assert_eq!(page.texts("[data-testid='catalog-chip'] b"), ["list", "kitchen"]);
}

/// Mirrors the head of one channel alone.
const MIRROR: &str = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n  - catalog: example.com/kitchen:v1\n    packages:\n    - name: kettle\n";

#[test]
fn a_mirror_waits_for_its_catalog() {
    let mut page = Page::open();
    page.drop_texts(&[("imageset-config.yaml", MIRROR)]);
    assert_eq!(page.texts(".notice b"), ["Read an ImageSetConfiguration."]);
    page.drop_fixture("release-after");
    assert_eq!(page.texts("[data-testid='min-versions']").len(), 1);
}

#[test]
fn a_cluster_that_is_added_to_a_set_has_its_plan_shown() {
    let mut page = Page::open();
    page.drop_fixture("set");
    assert_eq!(page.texts("[data-testid='set-answer'] h2").len(), 1);
    page.drop_texts(&[("cluster.yaml", CLUSTER)]);
    assert_eq!(page.texts("[data-testid='plan-answer'] h2"), ["4.18 → 4.19: 1 operator needs you."]);
}
