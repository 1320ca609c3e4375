//! Several catalogs: each is a CatalogSource with a name and a priority, which decide the chosen bundles.

use opscope_app::store::{
    Action, CatalogsAction, CompareAction, FindingsAction, LayoutAction, NavigationAction, PageAction, SetAction,
    SimulationAction, Tab, commands,
};
use suite::inputs::CLUSTER;
use views::SubscriptionField::{Catalog, Channel, Installed, Package};
use views::{RepairsView, Runtime};

use crate::html::Element;
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
    page.set_field(0, Catalog, "pantry");
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
            "kitchen: 2 packages, priority 0, 2 warnings, 1 hint",
            "pantry: 2 packages, priority 0, no findings",
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

#[test]
fn a_small_set_says_what_is_wrong_and_what_has_its_last_chance() {
    let mut page = Page::open();
    page.drop_fixture("set");
    assert_eq!(
        page.all("[data-testid='set'] .set-findings > li > p", "title"),
        ["set-channel-ends", "set-default-differs", "set-package-ends"]
    );
    page.act(Action::Set(SetAction::PackageChosen("kettle".to_owned())));
    assert_eq!(page.all("[data-testid='set'] .set-findings > li > p", "title"), ["set-package-ends"], "it is folded");
    page.act(Action::Set(SetAction::PlanChosen(true)));
    let heads = page.texts(".plans thead small");
    assert_eq!(heads[..2], ["1 step by you, OLM updates 1, last chance for spoon", "1 gets no updates"]);
    let last = "last chance before 4.19: change or remove the Subscription";
    assert_eq!(page.texts("[data-testid='plan-row'][data-name='spoon'] .todo"), [last]);
}

// The overview of a catalog: what opens after a drop.

const TITLE: &str = "[data-testid='package-title']";

#[test]
fn a_catalog_of_one_package_opens_with_it() {
    let mut page = Page::open();
    page.drop_texts(&[("shelf.yaml", &fixture::yaml("package cup\nstable: 1.0.0"))]);
    assert_eq!(page.texts(TITLE), ["cup"]);
    page.select_catalog("shelf");
    assert_eq!(page.texts(TITLE), ["shelf"]);
}

#[test]
fn the_overview_says_what_changed_and_compare_is_about_the_whole() {
    let teapot = format!("---\n{}", fixture::yaml("package teapot\nc: 1.0.0"));
    let before = fixture::yaml("package kettle\nc: 1.0.0 <- 1.1.0") + &teapot;
    let after = fixture::yaml("package kettle\nc: 1.1.0") + &teapot;
    let mut page = Page::open();
    page.drop_texts(&[("kitchen-1.yaml", &before), ("kitchen-2.yaml", &after)]);
    let change = page.texts("[data-testid='catalog-change']").concat();
    assert!(change.starts_with("kitchen-1 → kitchen-2"), "{change}");
    assert!(change.contains("1 installed version breaks (1 of 2 packages)"), "{change}");
    page.choose_tab(Tab::Compare);
    assert_eq!(page.texts(TITLE), ["kitchen-2"]);
    assert_eq!(page.texts("[data-testid='compared-package'] .name"), ["kettle", "teapot"]);
    let key = page.package("kettle");
    page.act(Action::Compare(CompareAction::PackageChosen(key)));
    assert_eq!(page.texts(TITLE), ["kettle"]);
}

/// OLM v0 ignores the edges of the skipped entry, OLM v1 follows them.
#[test]
fn what_is_stuck_is_so_for_the_chosen_runtime() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let cup = format!("package cup\nc: 1.3.0 (replaces 1.2.0; skips 1.2.0), {older}");
    page.drop_texts(&[("shelf.yaml", &fixture::yaml(&cup))]);
    page.select_catalog("shelf");
    let groups = |page: &Page| (page.texts(".stuck-cards b"), page.texts(".packages .list h2"));
    let shown = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(groups(&page), (shown(&["cup"]), shown(&["Stuck versions1"])));
    page.act(Action::Page(PageAction::RuntimeChosen(Runtime::V1)));
    assert_eq!(groups(&page), (Vec::new(), shown(&["Warnings1"])));
}

#[test]
fn all_packages_are_repaired_at_once() {
    let mut page = Page::open();
    let older = "1.2.0 (replaces 1.0.0; skips 1.0.0, 1.1.0), 1.1.0, 1.0.0";
    let stuck = |name| fixture::yaml(&format!("package {name}\nc: 1.3.0 (replaces 1.2.0; skips 1.2.0), {older}"));
    page.drop_texts(&[("shelf.yaml", &format!("{}---\n{}", stuck("cup"), stuck("pot")))]);
    page.select_catalog("shelf");
    assert_eq!(page.texts("[data-testid='repair-all']"), ["Repair both"]);
    assert_eq!(page.texts(".stuck-cards .proof"), ["1 line repairs it", "1 line repairs it"]);
    let (_, edit) = RepairsView::together(&page.state.explore.repairs.1).unwrap();
    page.act(Action::Catalogs(CatalogsAction::FixApplied { what: String::new(), edit, is_tried: false }));
    assert_eq!(page.texts(".stuck-cards b, [data-testid='repair-all']"), Vec::<String>::new());
}

#[test]
fn the_palette_lists_what_is_possible_for_an_entry() {
    let mut page = Page::open();
    page.drop_texts(&[("shelf.yaml", &fixture::yaml("package cup\nc: 1.0.0 (no bundle) <- 1.1.0"))]);
    let installs = |page: &mut Page, name: &str| {
        page.select_entry("c", name);
        let titles = commands(&page.state).into_iter().map(|command| command.title);
        titles.filter(|title| title.to_lowercase().contains("install")).collect::<Vec<_>>()
    };
    assert_eq!(installs(&mut page, "cup.v1.1.0"), ["Install this version", "Mark as installed"]);
    assert_eq!(installs(&mut page, "cup.v1.0.0"), [""; 0]);
}

// A package as its graph and its inspector show it.

#[test]
fn a_folder_becomes_a_catalog_of_packages() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    assert_eq!(page.all("[data-testid='package-row']", "data-name"), ["kettle", "teapot"]);
    assert_eq!(page.texts("[data-testid='package-row'] small"), ["1.3.0", "1.0.0"], "the head of each default channel");
    let chip = "kitchen: 2 packages, priority 0, 3 warnings, 1 hint";
    assert_eq!(page.all("[data-testid='catalog-chip']", "title"), [chip]);
}

#[test]
fn the_graph_has_all_channels_with_their_edges_and_heads() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    let html = page.html();
    let entries = |class: &str| {
        let nodes = html.all("[data-testid='graph-node']").into_iter();
        let of_class = nodes.filter(|node| node.attribute("class").split(' ').any(|one| one == class));
        let name = |node: &Element| format!("{} {}", node.attribute("data-channel"), node.attribute("data-name"));
        let mut found: Vec<String> = of_class.map(name).collect();
        found.sort();
        found
    };
    let covered = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"].map(|version| format!("fast kettle.v{version}"));
    assert_eq!(entries("ghost"), covered, "what the range of `fast` covers");
    assert_eq!(entries("head"), ["fast kettle.v2.0.0", "stable kettle.v1.3.0"]);
    assert_eq!(entries("skipped"), ["stable kettle.v1.1.0"]);
    assert_eq!(
        html.all("[data-testid='graph-node']").len(),
        9,
        "four entries of `stable`, one of `fast`, and the ghosts"
    );
    // 1.2.0 and 1.3.0 replace, 1.2.0 skips 1.1.0, whose own edge matters to nobody.
    for (kind, count) in [("replaces", 2), ("skips", 1)] {
        let drawn = page.all(&format!("[data-testid='graph'] path.edge.{kind}"), "d").concat();
        assert_eq!(drawn.matches('M').count(), count, "the `{kind}` edges");
    }
}

/// 1.0.0 has no update in `stable`: only `fast` lists it, so it must go through `fast`.
const GAP: &str = "
package kettle
stable: 2.0.0 (replaces 1.1.0; no bundle)
fast: 1.0.0 <- 1.1.0
---
schema: olm.bundle
package: kettle
name: kettle.v2.0.0
image: registry.example.com/kettle:2.0.0
relatedImages:
- {name: boiler, image: registry.example.com/boiler:2}
properties:
- {type: olm.package, value: {packageName: kettle, version: 2.0.0}}
- {type: olm.package.required, value: {packageName: kettle, versionRange: 1.x}}
- type: olm.csv.metadata
  value:
    description: <img src=x onerror=alert(1)>Boils water
    links:
    - {name: Handbook, url: 'https://example.com/kettle'}
    - {name: Trap, url: 'javascript:alert(1)'}
";

#[test]
fn the_inspector_shows_every_part_of_a_bundle() {
    let mut page = Page::open();
    page.paste(&fixture::yaml(GAP));
    page.select_entry("stable", "kettle.v2.0.0");
    let shown = page.texts("[data-testid='inspector']").concat();
    for part in [
        "<img src=x onerror=alert(1)>Boils water",
        "boiler: registry.example.com/boiler:2",
        "is package kettle in range 1.x, parsed as >=1.0.0 <2.0.0: 1.0.0 to 1.1.0, 2 of 3 loaded versions",
    ] {
        assert!(shown.contains(part), "expected `{part}` in `{shown}`");
    }
    let links = page.all("[data-testid='inspector'] a", "href");
    assert_eq!(links, ["https://example.com/kettle"], "only the web can be followed");
    let arrivals = ["kettle.v1.1.0 (replaces)", "no other version", "kettle.v1.0.0"];
    assert_eq!(page.texts("[data-testid='arrivals'] dd"), arrivals);
    assert_eq!(page.texts("[data-testid='entry-standing']"), ["Head of stable · 1 version reaches it"]);
    assert_eq!(page.texts("[data-testid='departures'] dd"), ["No further updates (channel head)"]);
    let rows = ["Updates tono update", "Updates from1 version", "In fastahead of head", "Sourceline 10"];
    assert_eq!(page.texts("[data-testid='entry-rows'] > div"), rows);
    assert_eq!(page.texts("[data-testid='excerpt'] i"), ["10"], "the line of the entry");
}

#[test]
fn the_question_below_a_drawing_says_where_updates_end() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    assert_eq!(page.texts(".ending option")[..3], ["choose a version", "1.3.0 in stable", "1.2.0 in stable"]);
    assert_eq!(page.texts(".ending b"), [""]);
    page.select_entry("stable", "kettle.v1.2.0");
    assert_eq!(page.texts(".ending b"), ["1 update to 1.3.0, the head"]);
    page.select_entry("stable", "kettle.v1.3.0");
    assert_eq!(page.texts(".ending b"), ["no update from 1.3.0, the head"]);
}

#[test]
fn a_wide_page_shows_the_drawing_beside_the_source() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.choose_tab(Tab::Source);
    let drawing = ".views.split > .canvas";
    assert_eq!(page.texts(drawing).len(), 0);
    page.act(PageAction::Widened { is_wide: true }.into());
    assert_eq!((page.texts(drawing).len(), page.texts("[data-testid='package-answer']").len()), (1, 1));
    page.choose_tab(Tab::Graph);
    assert_eq!(page.texts(".views.split").len(), 0, "the graph has the whole width");
    page.choose_tab(Tab::Source);
    page.act(LayoutAction::SplitSwitched { on: false }.into());
    assert_eq!(page.texts(drawing).len(), 0, "the user chose");
}

#[test]
fn escape_ends_presenting_before_it_leaves_a_version() {
    let mut page = Page::open();
    page.drop_fixture("kitchen");
    page.select_package("kettle");
    page.select_entry("stable", "kettle.v1.2.0");
    page.act(LayoutAction::Presented { on: true }.into());
    assert_eq!(page.texts("[data-testid='end-presenting']"), ["End presenting (Esc)"]);
    page.act(NavigationAction::EntryLeft.into());
    assert_eq!(page.texts("[data-testid='end-presenting']"), [""; 0]);
    assert_eq!(page.texts(".ending b"), ["1 update to 1.3.0, the head"], "the version is still selected");
}
