//! Simulates in pieces: between two of them other queries are answered, and the page gets the outcomes found so far.

use crate::inbox::Inbox;
use crate::on_demand::{self, Loaded};
use crate::server::Server;
use views::{Answer, AnyQuery, Ask, Event, Query, RequestId, query};
use workbench::SimulationProgress;

/// Messages are polled after this many milliseconds of work.
const SLICE: f64 = 20.0;
/// The least time between two events with outcomes, in milliseconds, because the page renders for each.
const BATCH: f64 = 250.0;

impl Server {
    /// Answers what OLM does with a cluster. A later simulation, cluster or command makes the answer out of date: then
    /// this simulation ends, and that request is the next one.
    pub(crate) async fn simulate(&mut self, inbox: &mut Inbox, id: RequestId, query: query::Simulate) {
        if self.simulate_in_pieces(inbox, id, query).await.is_err() {
            self.reply(id, Answer::NotLoaded);
        }
    }

    async fn simulate_in_pieces(&mut self, inbox: &mut Inbox, id: RequestId, query: query::Simulate) -> Loaded<()> {
        let mut run = on_demand::begin_simulation(&self.workbench, &query.namespace).await?;
        let mut outcomes = Vec::new();
        let mut polled = js_sys::Date::now();
        let mut sent = polled;
        loop {
            match on_demand::continue_simulation(&self.workbench, &mut run).await? {
                SimulationProgress::Working => {}
                SimulationProgress::First(view) => {
                    self.send_event(Event::FirstOutcome { id, view: Box::new(view) });
                    sent = js_sys::Date::now();
                }
                SimulationProgress::Outcome(outcome) => outcomes.push(outcome),
                SimulationProgress::Done(view) => {
                    self.reply(id, Answer::Query(query::Simulate::answer(view)));
                    return Ok(());
                }
            }
            let now = js_sys::Date::now();
            if now - sent >= BATCH && !outcomes.is_empty() {
                self.send_event(Event::MoreOutcomes { id, outcomes: std::mem::take(&mut outcomes) });
                sent = now;
            }
            if now - polled < SLICE {
                continue;
            }
            inbox.pause().await;
            while let Some(incoming) = inbox.try_next() {
                match incoming.ask {
                    Ok(Ask::Query(AnyQuery::Simulate(_)) | Ask::Command(_) | Ask::SetCluster(_)) => {
                        self.reply(id, Answer::Superseded);
                        inbox.put_back(incoming);
                        return Ok(());
                    }
                    Ok(Ask::Query(query)) => self.answer(incoming.id, query).await,
                    Ok(Ask::Cancel) => {
                        run.stop();
                        self.reply(incoming.id, Answer::Cancelled);
                    }
                    Err(reason) => self.reply(incoming.id, Answer::Refused { reason }),
                }
            }
            polled = js_sys::Date::now();
        }
    }
}
