//! The page of Opscope: a reducer over [`views`], and functions from its state to markup.
//!
//! The worker computes what catalogs mean; the page only shows it. `store` does not know the browser. `dom` and
//! `client` contain the calls to it. `panels`, `graph`, `parts` and `kit` are functions from data to markup.

mod app;
mod client;
mod dom;
mod graph;
mod kit;
mod panels;
mod parts;
pub mod store;

pub use app::{Shown, ShownProps};

/// Mounts the page in the document's body, in a task of its own, because the browser has just started the module.
pub fn start() {
    dom::report_panic();
    gloo_timers::callback::Timeout::new(0, || drop(yew::Renderer::<app::App>::new().render())).forget();
}
