//! Simulations and comparisons, which work in pieces: between two of them other requests are handled, and the page gets
//! what was found so far.

use crate::server::Server;
use answers::{ComparisonQuery, ComparisonRun, ReportScope, SimulationRun};
use views::{Answer, AnyAnswer, AnyQuery, Event, Query, RequestId, query};

/// Messages are polled after this many milliseconds of work.
const SLICE: f64 = 20.0;
/// The least time between two events of a comparison, in milliseconds, because the page renders for each.
const BATCH: f64 = 250.0;

pub(crate) struct Job {
    id: RequestId,
    work: Work,
    is_stopped: bool,
    /// When the page got something last, in milliseconds since the epoch.
    sent: f64,
}

enum Work {
    Simulation(Box<SimulationRun>),
    Comparison(ComparisonRun),
}

/// What makes a job out of date.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Catalogs,
    Cluster,
    /// The compared states.
    Comparison,
}

impl Job {
    fn is_outdated_by(&self, change: Change) -> bool {
        match (change, &self.work) {
            (Change::Catalogs, _)
            | (Change::Cluster, Work::Simulation(_))
            | (Change::Comparison, Work::Comparison(_)) => true,
            (Change::Cluster, Work::Comparison(_)) | (Change::Comparison, Work::Simulation(_)) => false,
        }
    }

    /// Whether a later query takes the place of this one.
    fn is_replaced_by(&self, query: &AnyQuery) -> bool {
        match (&self.work, query) {
            (Work::Simulation(_), AnyQuery::Simulate(_)) => true,
            (Work::Comparison(run), query) => matches!(
                (run.query(), query),
                (ComparisonQuery::All, AnyQuery::Compare(_))
                    | (ComparisonQuery::Package(_), AnyQuery::ComparePackage(_))
                    | (ComparisonQuery::Report(_), AnyQuery::CompareReport(_))
            ),
            (Work::Simulation(_), _) => false,
        }
    }
}

impl Server {
    /// Answers a query, or begins to.
    pub(crate) async fn begin_query(&mut self, id: RequestId, query: AnyQuery) {
        self.supersede(|job| job.is_replaced_by(&query));
        let compares = match &query {
            AnyQuery::Simulate(query) => {
                let run = answers::begin_simulation(&self.session.workbench, &query.namespace);
                return self.add_job(id, Work::Simulation(Box::new(run)));
            }
            AnyQuery::Compare(_) => ComparisonQuery::All,
            AnyQuery::ComparePackage(query) => ComparisonQuery::Package(query.package.clone()),
            AnyQuery::CompareReport(query) => {
                ComparisonQuery::Report(ReportScope { with_cluster: query.with_cluster, ..ReportScope::default() })
            }
            _ => return self.answer(id, query).await,
        };
        self.add_job(id, Work::Comparison(ComparisonRun::of(compares)));
    }

    fn add_job(&mut self, id: RequestId, work: Work) {
        self.jobs.push_back(Job { id, work, is_stopped: false, sent: js_sys::Date::now() });
    }

    /// Gives up the jobs that a change makes out of date.
    pub(crate) fn drop_outdated(&mut self, change: Change) {
        self.supersede(|job| job.is_outdated_by(change));
    }

    fn supersede(&mut self, is_outdated: impl Fn(&Job) -> bool) {
        for at in (0..self.jobs.len()).rev() {
            if is_outdated(&self.jobs[at])
                && let Some(job) = self.jobs.remove(at)
            {
                self.reply(job.id, Answer::Superseded);
            }
        }
    }

    /// Stops a comparison: it is answered with what was found so far.
    pub(crate) fn stop(&mut self, id: RequestId, request: RequestId) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == request) {
            job.is_stopped = true;
        }
        self.reply(id, Answer::Cancelled);
    }

    /// Works on the next job for a moment. The others come first afterwards.
    pub(crate) fn work_on_jobs(&mut self) {
        let Some(mut job) = self.jobs.pop_front() else { return };
        let begun = js_sys::Date::now();
        loop {
            if let Some(answer) = self.next_piece(&mut job) {
                return self.reply(job.id, Answer::Query(answer));
            }
            if js_sys::Date::now() - begun >= SLICE {
                break;
            }
        }
        let now = js_sys::Date::now();
        if now - job.sent >= BATCH {
            self.send_found(&job);
            job.sent = now;
        }
        self.jobs.push_back(job);
    }

    /// Does a piece of a job. Returns the answer once it is there.
    fn next_piece(&self, job: &mut Job) -> Option<AnyAnswer> {
        match &mut job.work {
            Work::Simulation(run) => {
                answers::continue_simulation(&self.session.workbench, run).map(query::Simulate::answer)
            }
            Work::Comparison(run) => {
                let goes_on = !job.is_stopped && answers::continue_comparison(&self.session.workbench, run);
                (!goes_on).then(|| answers::finish_comparison(&self.session.workbench, run))
            }
        }
    }

    /// Sends what a comparison has found so far.
    fn send_found(&self, job: &Job) {
        if let Work::Comparison(run) = &job.work
            && let Some(answer) = answers::comparison_so_far(&self.session.workbench, run)
        {
            self.send_event(Event::SoFar { id: job.id, answer: Box::new(answer) });
        }
    }
}
