//! What a simulation starts from, a form of Subscriptions or manifests, and the answer to it.

use super::Shared;
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use views::{
    ClusterForm, ClusterInput, EntryKey, PackageKey, SimulationView, SubscriptionForm, TextSplice, TimelineView,
    WhyNotView,
};

/// Subscriptions and what becomes of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// Whether the form counts or the manifests; both are kept.
    pub mode: Mode,
    /// The Subscriptions of the form.
    pub cluster: ClusterForm,
    /// The text of the manifests.
    pub manifests: Rc<str>,
    /// The namespace of the manifests that was chosen; empty takes the first.
    pub namespace: String,
    /// Manifests were typed that the worker was not told.
    pub typed: bool,
    /// They were run once, so that every change runs them again.
    pub ran: bool,
    /// The answer.
    pub view: Option<Shared<SimulationView>>,
    /// The outcome shown, an index.
    pub outcome: usize,
    /// So many plans that wait for an approval were approved.
    pub approved: usize,
    /// How many steps are completed at the point of the outcome that is shown; limited by [`shown_step`](super::shown_step).
    pub step: usize,
    /// Whether the playback runs.
    pub playing: bool,
    /// Every event is shown rather than hops alone.
    pub every_event: bool,
    /// The events of the outcome shown, once they were asked for.
    pub timeline: Option<Shared<TimelineView>>,
    /// What becomes of an entry that the user asked about.
    pub why_not: Option<WhyNot>,
    /// A form and manifests that say the same, as far as the form can.
    pub pair: Option<Pair>,
    /// The form is shown as soon as the manifests are read.
    pub turning: bool,
    /// The form is put on the clipboard as soon as it is written as manifests.
    pub copying: bool,
    /// What was replaced last and can be put back.
    pub replaced: Option<Replaced>,
    /// The Subscription that was removed last, and its index.
    pub removed: Option<(usize, SubscriptionForm)>,
    /// A Subscription whose package is being typed anew, as it is, and as it was before.
    pub retyped: Option<(SubscriptionForm, SubscriptionForm)>,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            cluster: ClusterForm::default(),
            manifests: "".into(),
            namespace: String::new(),
            typed: false,
            ran: false,
            view: None,
            outcome: 0,
            approved: 0,
            step: 0,
            playing: false,
            every_event: false,
            timeline: None,
            why_not: None,
            pair: None,
            turning: false,
            copying: false,
            replaced: None,
            removed: None,
            retyped: None,
        }
    }
}

/// What a simulation starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// The form.
    #[default]
    Form,
    /// Manifests.
    Manifests,
}

/// A form and manifests that say the same, as far as the form can.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The form.
    pub form: ClusterForm,
    /// The manifests.
    pub text: Rc<str>,
    /// The namespace of the manifests that was chosen.
    pub namespace: String,
    /// What the manifests say beyond the form, in a few words.
    pub beyond: String,
}

impl Pair {
    /// Whether the manifests, if they were kept, say more than the form.
    fn says_more(&self) -> bool {
        !self.beyond.is_empty() && !self.text.trim().is_empty()
    }

    /// Whether the form is what the manifests say now.
    pub(crate) fn is_of(&self, simulation: &Simulation) -> bool {
        self.text == simulation.manifests && self.namespace == simulation.namespace
    }
}

/// Why OLM does or does not choose an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyNot {
    /// The package of the entry.
    pub package: PackageKey,
    /// The entry.
    pub entry: EntryKey,
    /// The answer.
    pub view: Shared<WhyNotView>,
}

/// What a simulation started from before it was replaced.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The mode.
    pub mode: Mode,
    /// The form.
    pub cluster: ClusterForm,
    /// The manifests.
    pub manifests: Rc<str>,
    /// The chosen namespace.
    pub namespace: String,
    /// `outcome`, `approved` and `step` of the simulation.
    pub at: (usize, usize, usize),
}

impl Simulation {
    /// What the worker is asked about.
    #[must_use]
    pub fn input(&self) -> ClusterInput {
        match self.mode {
            // Nothing gets lost by looking at the form.
            Mode::Form => match self.pair.as_ref().filter(|pair| pair.form == self.cluster && pair.says_more()) {
                Some(Pair { text, namespace, .. }) => {
                    ClusterInput::Manifests { text: text.to_string(), namespace: namespace.clone() }
                }
                None => ClusterInput::Form(self.cluster.clone()),
            },
            Mode::Manifests => {
                ClusterInput::Manifests { text: self.manifests.to_string(), namespace: self.namespace.clone() }
            }
        }
    }

    /// Whether there is nothing to run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.mode {
            Mode::Form => self.cluster.subscriptions.is_empty(),
            Mode::Manifests => self.manifests.trim().is_empty(),
        }
    }

    /// The form and the manifests, if they say the same.
    #[must_use]
    pub(crate) fn paired(&self) -> Option<&Pair> {
        self.pair.as_ref().filter(|pair| pair.form == self.cluster && pair.is_of(self))
    }

    /// Takes the form and the manifests for the same, but for what the manifests say beyond.
    pub(crate) fn pair_up(&mut self, beyond: String) {
        let (form, text) = (self.cluster.clone(), self.manifests.clone());
        self.pair = Some(Pair { form, text, namespace: self.namespace.clone(), beyond });
    }

    /// Gives the form back what it said when it was last the same as the manifests.
    pub(crate) fn take_back(&mut self) {
        if let Some(pair) = &self.pair {
            self.cluster = pair.form.clone();
        }
    }

    /// Takes other manifests; what was there before can be put back.
    pub(crate) fn replace_manifests(&mut self, text: &str) {
        self.rewrite_manifests(text);
        self.begin_again();
    }

    /// Says the form as manifests: another text of the same cluster. What was there before can be put back.
    pub(crate) fn rewrite_manifests(&mut self, text: &str) {
        self.keep();
        self.mode = Mode::Manifests;
        self.manifests = with_unix_line_ends(text).into();
        self.namespace.clear();
    }

    /// Takes another form; what was there before can be put back.
    pub(crate) fn replace_form(&mut self, form: ClusterForm) {
        self.keep();
        self.begin_again();
        self.mode = Mode::Form;
        self.cluster = form;
    }

    /// Edits the manifests; what was there before can be put back.
    pub(crate) fn edit_manifests(&mut self, splices: &[TextSplice]) {
        self.keep();
        self.begin_again();
        let mut text = self.manifests.to_string();
        for TextSplice { start, end, text: new } in splices.iter().rev() {
            let range = *start as usize..*end as usize;
            if text.get(range.clone()).is_some() {
                text.replace_range(range, new);
            }
        }
        self.manifests = text.into();
    }

    fn keep(&mut self) {
        self.replaced = Some(Replaced {
            mode: self.mode,
            cluster: self.cluster.clone(),
            manifests: self.manifests.clone(),
            namespace: self.namespace.clone(),
            at: (self.outcome, self.approved, self.step),
        });
    }

    /// Another cluster has other plans and other moments. One that is only told in another way has the same.
    pub(crate) fn begin_again(&mut self) {
        (self.approved, self.step, self.playing) = (0, 0, false);
    }

    /// Puts back what was replaced last.
    pub(crate) fn put_back(&mut self) {
        if let Some(Replaced { mode, cluster, manifests, namespace, at }) = self.replaced.take() {
            (self.mode, self.cluster, self.manifests, self.namespace) = (mode, cluster, manifests, namespace);
            (self.outcome, self.approved, self.step) = at;
            self.playing = false;
        }
    }

    /// The Subscription to a package, added when there is none.
    pub(crate) fn subscription_to(&mut self, package: &str) -> &mut SubscriptionForm {
        let forms = &mut self.cluster.subscriptions;
        let index = forms.iter().position(|form| form.package == package).unwrap_or_else(|| {
            forms.push(SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() });
            forms.len() - 1
        });
        &mut forms[index]
    }

    /// Takes a Subscription out, to be put back by [`Simulation::restore`].
    pub(crate) fn remove(&mut self, index: usize) -> Option<String> {
        if index >= self.cluster.subscriptions.len() {
            return None;
        }
        let form = self.cluster.subscriptions.remove(index);
        let package = form.package.clone();
        self.removed = Some((index, form));
        Some(package)
    }

    /// Puts the Subscription back that was removed last.
    pub(crate) fn restore(&mut self) {
        if let Some((index, form)) = self.removed.take() {
            let index = index.min(self.cluster.subscriptions.len());
            self.cluster.subscriptions.insert(index, form);
        }
    }
}

/// The text with the line ends that a text area gives it: `\r\n` and `\r` become `\n`. Places in the manifests count this
/// text.
pub(super) fn with_unix_line_ends(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_subscription_comes_back_where_it_was() {
        let mut simulation = Simulation::default();
        for package in ["a", "b", "c"] {
            simulation.subscription_to(package);
        }
        assert_eq!(simulation.remove(1).as_deref(), Some("b"));
        assert_eq!(simulation.remove(7), None);
        simulation.restore();
        let packages: Vec<_> = simulation.cluster.subscriptions.iter().map(|form| form.package.as_str()).collect();
        assert_eq!(packages, ["a", "b", "c"]);
    }
}
