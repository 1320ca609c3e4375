//! Why an entry is not chosen, in words.

use super::fact::requirement;
use super::{Wording, listed};
use catalog::BundleName;
use resolver::{EntryRef, Excluded, Fact, FactId, GaveUp, Subscription, WhyNot};
use views::{Fate, ReasonView, WhyNotRow};

impl Wording<'_> {
    /// What a Subscription says of an entry.
    pub(in super::super) fn why_not(
        &self,
        wish: &Subscription,
        step: u32,
        entry: &EntryRef,
        answer: Result<WhyNot, GaveUp>,
    ) -> WhyNotRow {
        self.row(format!("Subscription `{}`", wish.name), step, entry, answer)
    }

    /// What the choice for a requirement says of an entry.
    pub(in super::super) fn why_not_provider(
        &self,
        rule: FactId,
        step: u32,
        entry: &EntryRef,
        answer: Result<WhyNot, GaveUp>,
    ) -> WhyNotRow {
        let who = match self.problem.fact(rule) {
            Fact::Requires { bundle, requirement: wanted, .. } => {
                format!("{}, which requires {}", self.name(*bundle), requirement(wanted))
            }
            _ => String::new(),
        };
        self.row(who, step, entry, answer)
    }

    fn row(&self, who: String, step: u32, entry: &EntryRef, answer: Result<WhyNot, GaveUp>) -> WhyNotRow {
        let (fate, reason, because) = match answer {
            Err(gave_up) => (Fate::Unknown, self.gave_up(&gave_up), Vec::new()),
            Ok(WhyNot::Refused(refusal)) => {
                let because = self.refusal(&refusal);
                let text = "it is tried, and breaks a rule".to_owned();
                (Fate::PassedOver, ReasonView { text, place: self.entry_place(refusal.refused) }, because)
            }
            Ok(answer) => (fate(&answer), self.verdict(&answer, entry), Vec::new()),
        };
        WhyNotRow { who, first: step, last: step, fate, reason, because }
    }

    fn verdict(&self, answer: &WhyNot, entry: &EntryRef) -> ReasonView {
        let (text, place) = match answer {
            WhyNot::Chosen => ("it is chosen".to_owned(), None),
            WhyNot::Unknown => ("no catalog that the namespace sees serves it".to_owned(), None),
            WhyNot::Excluded(excluded) => (excluded_text(excluded, entry), None),
            WhyNot::Refused(refusal) => (String::new(), self.entry_place(refusal.refused)),
            WhyNot::Worse { than } => {
                let text = format!("{} stands before it, and nothing rules that out", self.var(*than));
                (text, self.entry_place(*than))
            }
            WhyNot::Served { by } => {
                let text = format!("{} is selected already and will do: OLM looks for no better one", self.var(*by));
                (text, self.entry_place(*by))
            }
            WhyNot::NothingChosen => {
                ("it is a candidate, but nothing is chosen in the whole namespace".to_owned(), None)
            }
        };
        ReasonView { text, place }
    }
}

const fn fate(answer: &WhyNot) -> Fate {
    match answer {
        WhyNot::Chosen => Fate::Chosen,
        WhyNot::Unknown | WhyNot::Excluded(_) => Fate::Excluded,
        WhyNot::Refused(_) | WhyNot::Worse { .. } | WhyNot::Served { .. } | WhyNot::NothingChosen => Fate::PassedOver,
    }
}

fn excluded_text(excluded: &Excluded, entry: &EntryRef) -> String {
    let EntryRef { channel, name, .. } = entry;
    match excluded {
        Excluded::OtherCatalog(key) => format!("it names catalog `{}`, not `{}`", key.name, entry.catalog.name),
        Excluded::OtherPackage(other) => format!("it names package `{other}`"),
        Excluded::OtherChannel(other) => format!("it follows channel `{other}`, and this is `{channel}`"),
        Excluded::OtherStart(other) => format!("nothing is installed, and startingCSV names `{other}`"),
        Excluded::Unordered(error) => format!("channel `{channel}` has no order: {error}"),
        Excluded::SkippedBy(by) => {
            let skips = if by.len() == 1 { "skips" } else { "skip" };
            format!("{} {skips} it, and OLM never installs what is skipped in its channel", names(by))
        }
        Excluded::Stranded { replaced_by } if replaced_by.is_empty() => {
            format!("the chain of `replaces` from the head of `{channel}` does not come to it: nothing replaces it")
        }
        Excluded::Stranded { replaced_by } => format!(
            "the chain of `replaces` from the head of `{channel}` does not come to it: {} would lead to it, off the chain itself",
            names(replaced_by)
        ),
        Excluded::NoEdge { from } if from == name => "it is what the update begins with".to_owned(),
        Excluded::NoEdge { from } => {
            format!(
                "no edge leads to it from `{from}`: it neither replaces nor skips that, and its skipRange does not cover it"
            )
        }
        Excluded::Unmet(wanted) => format!("it is not {}", requirement(wanted)),
    }
}

fn names(names: &[BundleName]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")), "and")
}
