//! The window, its document and elements: focus, scrolling, events and the clipboard.

use crate::store::{FocusTarget, Millis, Theme};
use gloo_events::{EventListener, EventListenerOptions};
use std::borrow::Cow;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    ClipboardEvent, Element, Event, EventTarget, FormData, HtmlDetailsElement, HtmlDialogElement, HtmlElement,
    HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, KeyboardEvent, MouseEvent, Node,
    PointerEvent, SvgElement,
};
use yew::NodeRef;

/// Milliseconds since the page was opened.
pub(crate) fn now() -> Millis {
    let now = window().and_then(|window| window.performance()).map(|clock| clock.now());
    now.map_or(0, |now| now as Millis)
}

/// The date where the browser is, `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    let now = js_sys::Date::new_0();
    format!("{:04}-{:02}-{:02}", now.get_full_year(), now.get_month() + 1, now.get_date())
}

/// Sets the attribute by which the style sheet selects the colour scheme.
pub(crate) fn apply_theme(theme: Theme) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        // It fails only for names that are no attribute names.
        drop(root.set_attribute("data-theme", theme.name()));
    }
}

/// Adds a listener to the window. It is not passive, so that it may prevent the browser's default action. Dropping it
/// removes it.
pub(crate) fn listen(
    event: impl Into<Cow<'static, str>>,
    handler: impl FnMut(&Event) + 'static,
) -> Option<EventListener> {
    let window: EventTarget = window()?.into();
    Some(EventListener::new_with_options(&window, event, EventListenerOptions::enable_prevent_default(), handler))
}

/// The page is as narrow as a phone. Not while it is printed, on a sheet that may be narrow.
pub(crate) const NARROW: &str = "screen and (max-width: 759px)";

/// The page has room for the graph and the source side by side.
pub(crate) const WIDE: &str = "screen and (min-width: 1600px)";

/// Says whether a media query is true, now and whenever that changes.
pub(crate) fn on_media(query: &str, handler: impl Fn(bool) + 'static) -> Option<EventListener> {
    let query = window()?.match_media(query).ok()??;
    handler(query.matches());
    let list = query.clone();
    Some(EventListener::new(&query, "change", move |_| handler(list.matches())))
}

/// Runs a function before the next frame is painted. Code that reads sizes of elements runs here: right after rendering
/// it would force an extra layout within the same task.
pub(crate) fn next_frame(run: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let run = Closure::once_into_js(run);
        // It fails only if the argument is not a function.
        drop(window.request_animation_frame(run.unchecked_ref()));
    }
}

/// Gives the focus to the element with a test id.
pub(crate) fn focus(test_id: &str) {
    if let Some(element) = find(&format!("[data-testid='{test_id}']")).and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // It fails only for an element that cannot have the focus, which then stays where it is.
        drop(element.focus());
    }
}

/// Gives the focus to the element with an id, without scrolling. Returns whether there is such an element.
pub(crate) fn focus_id(id: &str) -> bool {
    let element = by_id(id);
    let there = element.is_some();
    element.into_iter().for_each(give_focus);
    there
}

/// Gives the focus to an element, without scrolling.
pub(super) fn give_focus(element: Element) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    match element.dyn_into::<SvgElement>() {
        // As above.
        Ok(drawn) => drop(drawn.focus_with_options(&options)),
        Err(element) => {
            element.dyn_ref::<HtmlElement>().into_iter().for_each(|html| drop(html.focus_with_options(&options)));
        }
    }
}

/// The position of the pointer in the nearest element that matches, as fractions of its size. The element captures the
/// pointer until its button is released.
pub(crate) fn captured_position(event: &PointerEvent, selector: &str) -> Option<(f64, f64)> {
    let element = target::<Element>(event)?.closest(selector).ok().flatten()?;
    // If capturing fails, a drag only ends at the edge of the element.
    drop(element.set_pointer_capture(event.pointer_id()));
    let rect = element.get_bounding_client_rect();
    let share = |at: i32, start: f64, size: f64| ((f64::from(at) - start) / size.max(1.0)).clamp(0.0, 1.0);
    Some((share(event.client_x(), rect.left(), rect.width()), share(event.client_y(), rect.top(), rect.height())))
}

/// Whether an element that matches has the focus.
pub(crate) fn has_focus(selector: &str) -> bool {
    let focused = document().and_then(|document| document.active_element());
    focused.is_some_and(|element| element.matches(selector).unwrap_or(false))
}

/// Gives the focus to the element with an id, and scrolls to it.
pub(crate) fn focus_into_view(id: &str) {
    let element = by_id(id);
    if let Some(Ok(element)) = element.map(JsCast::dyn_into::<HtmlElement>) {
        // As above.
        drop(element.focus());
    }
}

/// An attribute of the nearest element that matches a selector: the target of an event or one that contains it.
pub(crate) fn closest_data(event: &Event, selector: &str, attribute: &str) -> Option<String> {
    target::<Element>(event)?.closest(selector).ok().flatten()?.get_attribute(attribute)
}

/// Scrolls the frame with an id to the element in it that matches. If nothing has the focus, because the link that the
/// user followed was removed, the frame takes it.
pub(crate) fn reveal_in_frame(selector: &str, frame: &str) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Center);
    if let Some(element) = find(&format!("#{frame} {selector}")) {
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
    if has_focus("body") {
        focus_id(frame);
    }
}

/// Scrolls as little as is needed to see the first element that matches.
pub(crate) fn reveal_nearest(selector: &'static str) {
    next_frame(|| {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        if let Some(row) = find(selector) {
            row.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

/// Scrolls to the verdict of the Subscription with a name.
pub(crate) fn reveal_verdict(name: String) {
    next_frame(move || {
        let verdicts = document().and_then(|document| document.query_selector_all("[data-testid='verdict']").ok());
        let Some(verdicts) = verdicts else { return };
        let mut verdicts = (0..verdicts.length()).filter_map(|at| verdicts.item(at)?.dyn_into::<Element>().ok());
        if let Some(verdict) =
            verdicts.find(|verdict| verdict.get_attribute("data-subscription").as_ref() == Some(&name))
        {
            verdict.scroll_into_view();
        }
    });
}

/// The text of the input or text area that an event comes from.
pub(crate) fn input_text(event: &Event) -> String {
    let area = || target::<HtmlTextAreaElement>(event).map(|area| area.value());
    target::<HtmlInputElement>(event).map(|input| input.value()).or_else(area).unwrap_or_default()
}

/// Whether the checkbox that an event comes from is on.
pub(crate) fn is_checked(event: &Event) -> bool {
    target::<HtmlInputElement>(event).is_some_and(|input| input.checked())
}

/// The value of the `select` that an event comes from.
pub(crate) fn select_text(event: &Event) -> String {
    target::<HtmlSelectElement>(event).map(|select| select.value()).unwrap_or_default()
}

/// The text of a named field of the form that an event comes from; of radio buttons the value of the chosen one.
pub(crate) fn form_text(event: &Event, name: &str) -> String {
    let data = target::<HtmlFormElement>(event).and_then(|form| FormData::new_with_form(&form).ok());
    data.and_then(|data| data.get(name).as_string()).unwrap_or_default()
}

/// The pasted text, unless it is pasted into a text field.
pub(crate) fn pasted(event: &Event) -> Option<String> {
    if super::typing(event.target()) {
        return None;
    }
    let text = event.dyn_ref::<ClipboardEvent>()?.clipboard_data()?.get_data("text/plain").ok()?;
    (!text.trim().is_empty()).then_some(text)
}

/// Copies a text to the clipboard, and reports whether the browser permitted it.
pub(crate) fn copy_and(text: &str, done: impl FnOnce(bool) + 'static) {
    let clipboard = window().map(|window| window.navigator().clipboard());
    let Some(clipboard) = clipboard.filter(|clipboard| !clipboard.is_undefined()) else { return done(false) };
    let written = clipboard.write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(written).await.is_ok());
    });
}

/// The version of the app, with the commit that it was built from.
pub(crate) fn version() -> String {
    meta("opscope-version").unwrap_or_default()
}

/// Selects the text of the input that an event comes from.
pub(crate) fn select_all(event: &Event) {
    target::<HtmlInputElement>(event).into_iter().for_each(|input| input.select());
}

/// Reports panics on the console: a browser shows nothing of them otherwise.
pub(crate) fn report_panic() {
    std::panic::set_hook(Box::new(|info| web_sys::console::error_1(&info.to_string().into())));
}

/// The content of the `meta` element with a name.
pub(crate) fn meta(name: &str) -> Option<String> {
    find(&format!("meta[name='{name}']"))?.get_attribute("content")
}

/// What went wrong, in words.
pub(crate) fn error_text(error: &JsValue) -> String {
    let text = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    text.unwrap_or_else(|| format!("{error:?}"))
}

pub(super) fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

fn by_id(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

pub(super) fn find(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok().flatten()
}

/// `None` where the page is rendered without a browser.
pub(super) fn window() -> Option<web_sys::Window> {
    if cfg!(target_arch = "wasm32") { web_sys::window() } else { None }
}

pub(super) fn document() -> Option<web_sys::Document> {
    window()?.document()
}

// Moving the focus when the control that has it is removed from the page.

/// A control that may be removed from the page, and the target that gets the focus then.
#[derive(Debug)]
pub(crate) struct WatchedControl {
    control: Element,
    to: FocusTarget,
}

pub(crate) fn watch_focus(to: FocusTarget) -> Option<WatchedControl> {
    focused().map(|control| WatchedControl { control, to })
}

/// Moves the focus if the control was removed or hidden. Returns what to watch until the next rendering: the control
/// that has the focus now, or the removed one if its target is not on the page yet.
pub(crate) fn move_focus(watched: WatchedControl) -> Option<WatchedControl> {
    let WatchedControl { control, to } = watched;
    match focused() {
        Some(control) if !to.is_wanted() => Some(WatchedControl { control, to }),
        // The control can still be seen: the user clicked an element that cannot have the focus.
        None if !to.is_wanted() && is_visible(&control) => None,
        _ => match places(to).iter().find_map(|place| find(place).filter(is_visible)) {
            Some(place) => {
                // A dialog that closes meanwhile gives the focus back to what opened it.
                next_frame(|| give_focus(place));
                None
            }
            None => Some(WatchedControl { control, to }),
        },
    }
}

fn is_visible(element: &Element) -> bool {
    element.get_bounding_client_rect().width() > 0.0
}

fn focused() -> Option<Element> {
    document()?.active_element().filter(|element| element.tag_name() != "BODY")
}

/// The selectors of a target; the first that matches counts. Some are headings, which screen readers read out.
const fn places(to: FocusTarget) -> &'static [&'static str] {
    match to {
        FocusTarget::Result => &["#result", "#package"],
        FocusTarget::Step => &["[data-testid='step'][aria-current] h4", "#result"],
        FocusTarget::Cluster => &["[data-testid='cluster']", "#package"],
        FocusTarget::NewRow => &[".form-card.pressed :is(select, input)"],
        FocusTarget::WhyNot => &["[data-testid='why-not-answer']"],
        FocusTarget::Crds => &["[data-testid='crd-changes'] > p"],
        FocusTarget::Repairs => &["[data-testid='repairs'] > p"],
        FocusTarget::Opener => &["#package :is(.entry, th button, td)[tabindex='0']", "#package"],
        FocusTarget::Entry => &["#package .entry[aria-pressed='true']"],
        FocusTarget::Package => &["#package", "#simulation"],
    }
}

// Closing menus, and detecting the pointer or the focus in an element.

/// Closes the open menu if `event` is Escape or a pointer event outside of it. Escape also gives the focus back to its
/// button. Returns whether Escape closed a menu.
pub(crate) fn close_menu(event: &Event) -> bool {
    let key = event.dyn_ref::<KeyboardEvent>().map(KeyboardEvent::key);
    let Some(menu) = open_menu().filter(|_| key.as_ref().is_none_or(|key| key == "Escape")) else { return false };
    if key.is_none() && menu.contains(target::<Node>(event).as_ref()) {
        return false;
    }
    close_details(&menu, key.is_some());
    key.is_some()
}

/// Closes the menu in which a button was clicked. Its own button gets the focus: a dialog that opens now gives it back
/// when it is closed.
pub(crate) fn close_menu_of(event: &Event) {
    let button = target::<Element>(event).and_then(|target| target.closest("button, label").ok().flatten());
    let menu = button.and_then(|button| button.closest("details[name='menu']").ok().flatten());
    menu.and_then(|menu| menu.dyn_into().ok()).iter().for_each(|menu| close_details(menu, true));
}

fn close_details(menu: &HtmlDetailsElement, focus: bool) {
    menu.set_open(false);
    let button = menu.first_element_child().filter(|_| focus).and_then(|child| child.dyn_into::<HtmlElement>().ok());
    // It fails only for an element that cannot have the focus, which then stays where it is.
    button.into_iter().for_each(|button| drop(button.focus()));
}

/// Whether the pointer or the focus is in the element with an id.
pub(crate) fn is_attended(id: &str) -> bool {
    let element = by_id(id);
    element.is_some_and(|element: Element| element.matches(":hover, :focus-within").unwrap_or(false))
}

/// The open menu. There is at most one: of `details` elements with the same name the browser opens one at a time.
fn open_menu() -> Option<HtmlDetailsElement> {
    find("details[name='menu'][open]")?.dyn_into().ok()
}

// Opening and closing `<dialog>` elements.

/// Opens a modal dialog. The browser keeps the focus inside, and restores it afterwards.
pub(crate) fn show(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|dialog| !dialog.open()) {
        // It fails only for an element outside the document, which has nothing to show.
        drop(dialog.show_modal());
    }
}

/// Closes a dialog. This has to happen before its element is removed: otherwise the browser does not restore the focus.
pub(crate) fn close(node: &NodeRef) {
    node.cast::<HtmlDialogElement>().into_iter().for_each(|dialog| dialog.close());
}

/// Closes a dialog if the click was outside of its box. Clicks on the backdrop have the dialog as their target.
pub(crate) fn close_on_backdrop(event: &MouseEvent) {
    let Some(dialog) = target::<HtmlDialogElement>(event) else { return };
    let rect = dialog.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    if x < rect.left() || x > rect.right() || y < rect.top() || y > rect.bottom() {
        dialog.close();
    }
}

// The sizes of the page's regions.

/// The width of the region with an id in CSS pixels; of its frame if the region itself is hidden.
pub(crate) fn region_width(id: &str) -> i32 {
    let region = by_id(id);
    let frame = region.as_ref().and_then(|region| region.parent_element());
    let widths = [region, frame].into_iter().flatten().map(|element| element.get_bounding_client_rect().width() as i32);
    widths.into_iter().find(|width| *width > 0).unwrap_or_default()
}

/// Sets the variable of the style sheet for a region's width, or removes it.
pub(crate) fn set_region_width(id: &str, width: Option<u32>) {
    let root = document().and_then(|document| document.document_element()?.dyn_into::<HtmlElement>().ok());
    let Some(style) = root.map(|root| root.style()) else { return };
    let name = format!("--{id}-chosen");
    let set = match width {
        Some(width) => style.set_property(&name, &format!("{width}px")),
        None => style.remove_property(&name).map(drop),
    };
    // It fails only for a read-only style.
    drop(set);
}

/// Sends the pointer's events to the target of an event until the pointer is released.
pub(crate) fn capture_pointer(event: &PointerEvent) {
    // It fails only for a pointer that is released already.
    target::<Element>(event).into_iter().for_each(|target| drop(target.set_pointer_capture(event.pointer_id())));
}

// Text areas.

/// Selects a range of UTF-16 units in a text area, scrolls its line to the upper third and gives the text area the
/// focus. Browsers do not scroll to a selection that a script sets.
pub(crate) fn reveal_in_field(area: &str, start: u32, end: u32) {
    let area = by_id(area).and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok());
    let Some(area) = area else { return };
    super::focus_id(area.id().as_str());
    // It fails only for input types without a selection.
    drop(area.set_selection_range(start, end));
    let text = area.value();
    let line_end = |unit: &u16| *unit == u16::from(b'\n');
    let line = text.encode_utf16().take(start as usize).filter(line_end).count();
    let lines = text.encode_utf16().filter(line_end).count() + 1;
    let above = f64::from(area.scroll_height()) * line as f64 / lines as f64;
    area.set_scroll_top((above - f64::from(area.client_height()) / 3.0).max(0.0) as i32);
}
