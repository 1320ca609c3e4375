//! Loads the parts of the worker that the catalogs need, and the others when there is nothing else to do.

use crate::inbox::{Inbox, Urgent};
use crate::on_demand::{self, Loaded};
use crate::server::Server;
use futures_util::future::{Either, select};
use std::pin::pin;
use views::{Answer, Event};
use wasm_bindgen_futures::spawn_local;

impl Server {
    /// Starts the checks if that takes no time; otherwise the catalogs that are loaded meanwhile have no findings at
    /// first.
    pub(crate) async fn start_checks_if_loaded(&mut self) {
        if !self.workbench.has_checks() && on_demand::has_analysis() {
            drop(on_demand::start_checks(&mut self.workbench).await);
        }
    }

    /// Expands and checks the catalogs, if this could not be done yet because the code was missing.
    pub(crate) async fn complete_catalogs(&mut self, inbox: &mut Inbox) {
        if self.workbench.needs_expansion() {
            let started = on_demand::start_expansion(&mut self.workbench).await;
            self.report(started);
        }
        if self.workbench.needs_checks() {
            // The graph need not wait for the findings.
            self.send_event(Event::Partial { revision: self.revision, overview: self.workbench.overview() });
            self.answer_until(inbox, on_demand::preload_analysis()).await;
            let started = on_demand::start_checks(&mut self.workbench).await;
            self.report(started);
        }
    }

    /// Answers queries until something is done.
    async fn answer_until<T>(&mut self, inbox: &mut Inbox, done: impl Future<Output = T>) {
        let mut done = pin!(done);
        while let Either::Right((Some(urgent), _)) = select(done.as_mut(), pin!(inbox.next_urgent())).await {
            match urgent {
                Urgent::Query(id, query) => self.answer(id, query).await,
                Urgent::SetCluster(id, manifests) => self.set_cluster(id, &manifests),
                Urgent::SetComparison(id, compared) => self.set_comparison(id, compared),
                Urgent::Cancel(id) => self.reply(id, Answer::Cancelled),
            }
        }
    }

    /// Says that a part could not be loaded, if that is so.
    pub(crate) fn report<T>(&self, loaded: Loaded<T>) -> Option<T> {
        if loaded.is_err() {
            self.send_event(Event::NotLoaded);
        }
        loaded.ok()
    }

    /// Loads all parts, so that later requests need not wait and the browser keeps them for offline use.
    pub(crate) fn preload(&mut self) {
        if !std::mem::replace(&mut self.has_preloaded, true) {
            spawn_local(on_demand::preload());
        }
    }
}
