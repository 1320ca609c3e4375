//! Tests of panels in a real browser: each mounts a panel with a view, clicks and reads the page.

use super::{Findings, FindingsProps};
use crate::graph::{Canvas, CanvasProps};
use crate::store::{self, Action, NavigationAction, Shared};
use opscope_drawing::{SimulatedEntries, testing};
use std::cell::RefCell;
use std::rc::Rc;
use views::{
    CatalogId, EntryKey, FileKey, FindingGroup, FindingView, FindingsView, GraphView, Mark, NodeView, Place, Severity,
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
    assert_eq!(first.get_attribute("aria-label").as_deref(), Some("v1 head, v1, head of stable"));
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
