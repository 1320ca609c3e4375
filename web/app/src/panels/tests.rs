//! Tests of panels in a real browser: each mounts a panel with a view, clicks and reads the page.

use super::result::{Props as ResultProps, SimulationResult};
use super::{Findings, FindingsProps};
use crate::graph::{Canvas, CanvasProps};
use crate::store::{self, Action, BoardOf, BoardPart, NavigationAction, Shared, SimulationAction, Trial, Tried};
use opscope_drawing::{SimulatedEntries, testing};
use std::cell::RefCell;
use std::rc::Rc;
use views::{
    BoardLane, BoardMark, BoardView, CatalogId, EntryKey, FileKey, FindingGroup, FindingView, FindingsView, GraphView,
    Mark, MarkKind, NodeView, OutcomeView, Place, PlanColumn, Severity, SimulationView, StepView, TriedChange,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement, KeyboardEvent, KeyboardEventInit};
use yew::Callback;

wasm_bindgen_test_configure!(run_in_browser);

const PLACE: Place = Place { file: FileKey(1), start: 0, end: 1, line: 7, column: 3 };

type Heard = Rc<RefCell<Vec<Action>>>;

fn listen() -> (Heard, Callback<Action>) {
    let heard = Heard::default();
    let into = heard.clone();
    (heard, Callback::from(move |action| into.borrow_mut().push(action)))
}

fn place_for_panel() -> Element {
    let document = web_sys::window().unwrap().document().unwrap();
    let root = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&root).unwrap();
    root
}

fn find<T: JsCast>(root: &Element, selector: &str) -> T {
    root.query_selector(selector).unwrap().expect(selector).dyn_into().ok().unwrap()
}

fn finding(message: &str) -> FindingView {
    FindingView {
        rule: "invalid-name".to_owned(),
        severity: Severity::Error,
        is_habit: false,
        message: message.to_owned(),
        help: None,
        opm: None,
        opm_since: None,
        opm_next: false,
        opm_notes: Vec::new(),
        catalog: CatalogId(1),
        path: "a.yaml".to_owned(),
        place: PLACE,
        package: None,
        entry: None,
        labels: Vec::new(),
        fixes: Vec::new(),
        repaired_channel: None,
        is_consequence: false,
        follow: 0,
        consequences: Vec::new(),
    }
}

#[wasm_bindgen_test]
async fn a_message_is_text_and_its_place_is_a_link() {
    let (heard, send) = listen();
    let row = finding("name `<script>alert(1)</script>` is no name");
    let group = FindingGroup { rule: row.rule.clone(), severity: row.severity, help: None, rows: vec![row.clone()] };
    let view = Shared::new(FindingsView { total: 1, groups: vec![group], ..FindingsView::default() });
    let findings = store::Findings { view, ..store::Findings::default() };
    let root = place_for_panel();
    yew::Renderer::<Findings>::with_root_and_props(
        root.clone(),
        FindingsProps { findings, is_loading: false, elsewhere: Some(0), whole: false, send },
    )
    .render();
    gloo_timers::future::TimeoutFuture::new(0).await;
    assert!(root.query_selector("script").unwrap().is_none());
    assert_eq!(find::<Element>(&root, ".message code").text_content().unwrap(), "<script>alert(1)</script>");
    let link: HtmlElement = find(&root, "[data-testid='finding-row'] .link:not(.rule)");
    assert_eq!(link.text_content().unwrap(), "a.yaml:7:3");
    link.click();
    let followed = NavigationAction::FindingFollowed(None, None, row.place);
    assert_eq!(*heard.borrow(), [Action::Navigation(followed)]);
}

fn node(name: &str, x: i32) -> NodeView {
    NodeView {
        key: EntryKey { channel: Some("stable".to_owned()), name: name.to_owned() },
        label: name.to_owned(),
        marks: vec![Mark::Head],
        summary: format!("{name}, head of stable"),
        ..testing::node(0, x, 40)
    }
}

fn graph() -> GraphView {
    GraphView {
        width: 300,
        height: 80,
        gutter: 100,
        lanes: vec![testing::lane(0)],
        nodes: vec![node("v1", 150), node("v2", 250)],
        ..testing::graph(&[])
    }
}

#[wasm_bindgen_test]
async fn arrow_keys_lead_from_entry_to_entry_and_enter_selects() {
    let (heard, send) = listen();
    let root = place_for_panel();
    let props = CanvasProps {
        editing: false,
        held: None,
        changes: None,
        graph: Shared::new(graph()),
        simulated: SimulatedEntries::default(),
        selected: None,
        subject: None,
        pointed: None,
        followed: None,
        path_entries: None,
        highlight: Rc::default(),
        visible: true,
        outdated: false,
        split: false,
        printing: false,
        send,
    };
    yew::Renderer::<Canvas>::with_root_and_props(root.clone(), props).render();
    gloo_timers::future::TimeoutFuture::new(0).await;
    let first: Element = find(&root, "[data-name='v1']");
    assert_eq!(first.get_attribute("aria-label").as_deref(), Some("v1, v1, head of stable"));
    press(&first, "ArrowRight");
    let focused = web_sys::window().unwrap().document().unwrap().active_element().unwrap();
    assert_eq!(focused.get_attribute("data-name").as_deref(), Some("v2"));
    press(&focused, "Enter");
    assert_eq!(heard.borrow().last(), Some(&Action::Navigation(NavigationAction::EntrySelected(node("v2", 250).key))));
}

fn press(element: &Element, key: &str) {
    let init = KeyboardEventInit::new();
    init.set_key(key);
    init.set_bubbles(true);
    element.dispatch_event(&KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init).unwrap()).unwrap();
}

/// A simulation of an operator with two updates; the second one waits for approval.
fn played() -> store::Simulation {
    let mark = |label: &str, column: u32, kind: MarkKind| BoardMark {
        csv: format!("p.v{label}"),
        label: label.to_owned(),
        column,
        kind,
        is_head: false,
        note: String::new(),
        is_direct: true,
    };
    let lane = BoardLane {
        name: "p".to_owned(),
        package: "p".to_owned(),
        channel: "stable".to_owned(),
        catalog: String::new(),
        added_for: None,
        status: None,
        note: String::new(),
        marks: vec![
            mark("1.0.0", 0, MarkKind::Installed),
            mark("1.1.0", 1, MarkKind::Next),
            mark("1.2.0", 2, MarkKind::Next),
        ],
    };
    let board =
        BoardView { plans: vec![PlanColumn::Automatic, PlanColumn::Manual], lanes: vec![lane], ..BoardView::default() };
    let step = |waits_for_approval| StepView { plan_created: true, waits_for_approval, ..StepView::default() };
    let outcome = OutcomeView {
        steps: vec![step(false), step(true)],
        subscriptions: Vec::new(),
        csv_failures: Vec::new(),
        board,
        when: String::new(),
    };
    let view = SimulationView { outcomes: vec![outcome], ..SimulationView::default() };
    store::Simulation { view: Some(Shared::new(view)), ..store::Simulation::default() }
}

async fn result(simulation: store::Simulation) -> (Heard, Element) {
    let (heard, send) = listen();
    let root = place_for_panel();
    let props = ResultProps { simulation, ready: true, has_v1: false, channels: None, pressed: None, send };
    yew::Renderer::<SimulationResult>::with_root_and_props(root.clone(), props).render();
    gloo_timers::future::TimeoutFuture::new(0).await;
    (heard, root)
}

#[wasm_bindgen_test]
async fn the_board_is_stepped_approved_and_pressed_by_mouse_and_keys() {
    let (heard, root) = result(played()).await;
    let spot = |label: &str| find::<Element>(&root, &format!(".wide .spot[aria-label='{label}']"));
    let heard_last = || heard.borrow().last().cloned().unwrap();
    press(&spot("Show the cluster after plan 1"), "Enter");
    assert_eq!(heard_last(), Action::Simulation(SimulationAction::PlanChosen(1)));
    press(&spot("Approve plan 2"), " ");
    assert_eq!(heard_last(), Action::Simulation(SimulationAction::PlanApproved));
    let version = spot("p, plan 1: 1.1.0");
    let part = BoardPart { of: BoardOf::Namespace, lane: "p".to_owned(), csv: Some("p.v1.1.0".to_owned()) };
    press(&version, "Enter");
    assert_eq!(heard_last(), Action::Simulation(SimulationAction::BoardPressed(part)));
    let focused = || web_sys::window().unwrap().document().unwrap().active_element().unwrap();
    press(&spot("Show the cluster as it stands, which is shown"), "ArrowRight");
    assert_eq!(focused().get_attribute("aria-label").as_deref(), Some("Show the cluster after plan 1"));
    press(&focused(), "End");
    assert_eq!(focused().get_attribute("aria-label").as_deref(), Some("p, plan 2: 1.2.0"));
    let count = heard.borrow().len();
    press(&version, "Tab");
    assert_eq!(heard.borrow().len(), count, "only what presses a button presses it");
}

#[wasm_bindgen_test]
async fn a_tried_change_is_drawn_and_kept_or_undone() {
    let mut simulation = played();
    let mut after = SimulationView::clone(simulation.view.as_deref().unwrap());
    after.outcomes[0].board.lanes[0].marks[1].label = "1.1.5".to_owned();
    after.outcomes[0].board.lanes[0].marks[1].csv = "p.v1.1.5".to_owned();
    let change = TriedChange::Form(Vec::new());
    let result_of = Some(Ok(Shared::new(after)));
    simulation.tried =
        Some(Tried { trial: Trial { what: "try `it`".to_owned(), change, later: None }, result: result_of });
    let (heard, root) = result(simulation).await;
    let ghost: Element = find(&root, ".wide .with-fix .label");
    assert_eq!(ghost.text_content().as_deref(), Some("1.1.5"));
    find::<HtmlElement>(&root, "[data-testid='tried-undo']").click();
    find::<HtmlElement>(&root, "[data-testid='tried-keep']").click();
    let expected = [SimulationAction::TriedDropped, SimulationAction::TriedKept].map(Action::Simulation);
    assert_eq!(*heard.borrow(), expected);
}
