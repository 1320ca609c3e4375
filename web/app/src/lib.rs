//! The page of Opscope: a reducer over [`views`], and functions from its state to markup.
//!
//! Nothing is computed here that a catalog means; the worker does that. `store` knows no browser, `dom` and `client`
//! are all that touches it, and `panels`, `graph`, `parts` and `kit` are functions from data to markup.

mod app;
mod client;
mod dom;
mod graph;
mod kit;
mod panels;
mod parts;
pub mod store;

/// Mounts the page in the document's body.
pub fn start() {
    dom::report_panic();
    yew::Renderer::<app::App>::new().render();
}
