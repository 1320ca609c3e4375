//! Words why OLM does not choose an entry.

use super::Wording;
use super::fact::requirement;
use super::list::listed;
use catalog::BundleName;
use cluster::SubscriptionSpec;
use resolver::{EntryRef, Excluded, Fact, FactId, GaveUp, WhyNot};
use views::{EntryStatus, ReasonView, WhyNotRow};

impl Wording<'_> {
    /// Why a Subscription does not choose an entry.
    pub(in super::super) fn why_not(
        &self,
        spec: &SubscriptionSpec,
        entry: &EntryRef,
        answer: Result<WhyNot, GaveUp>,
    ) -> WhyNotRow {
        self.row(format!("Subscription `{}`", spec.name), entry, answer)
    }

    /// Why the entry is not chosen for a requirement.
    pub(in super::super) fn why_not_provider(
        &self,
        rule: FactId,
        entry: &EntryRef,
        answer: Result<WhyNot, GaveUp>,
    ) -> WhyNotRow {
        let who = match self.problem.fact(rule) {
            Fact::Requires { bundle, requirement: wanted, .. } => {
                format!("{}, which requires {}", self.name(*bundle), requirement(wanted))
            }
            _ => String::new(),
        };
        self.row(who, entry, answer)
    }

    fn row(&self, who: String, entry: &EntryRef, answer: Result<WhyNot, GaveUp>) -> WhyNotRow {
        let (status, reason, because) = match answer {
            Err(gave_up) => (EntryStatus::Unknown, self.gave_up(&gave_up), Vec::new()),
            Ok(WhyNot::Refused(refusal)) => {
                let because = self.refusal(&refusal);
                let text = "OLM tries it and refuses it".to_owned();
                (EntryStatus::PassedOver, ReasonView { text, place: self.entry_place(refusal.refused) }, because)
            }
            Ok(answer) => (entry_status(&answer), self.reason(&answer, entry), Vec::new()),
        };
        WhyNotRow { who, when: String::new(), status, reason, because }
    }

    fn reason(&self, answer: &WhyNot, entry: &EntryRef) -> ReasonView {
        let (text, place) = match answer {
            WhyNot::Chosen => ("OLM chooses it".to_owned(), None),
            WhyNot::Unknown => ("no catalog that is available in the namespace serves it".to_owned(), None),
            WhyNot::Excluded(excluded) => (excluded_text(excluded, entry), None),
            WhyNot::Refused(refusal) => (String::new(), self.entry_place(refusal.refused)),
            WhyNot::Worse { than } => {
                let text = format!("OLM prefers {}, which causes no conflict", self.var(*than));
                (text, self.entry_place(*than))
            }
            WhyNot::Served { by } => {
                let text = format!(
                    "{} is selected already and meets the requirement, so OLM looks for no other",
                    self.var(*by)
                );
                (text, self.entry_place(*by))
            }
            WhyNot::NothingChosen => {
                ("it is a candidate, but OLM finds no solution for the namespace".to_owned(), None)
            }
        };
        ReasonView { text, place }
    }
}

const fn entry_status(answer: &WhyNot) -> EntryStatus {
    match answer {
        WhyNot::Chosen => EntryStatus::Chosen,
        WhyNot::Unknown | WhyNot::Excluded(_) => EntryStatus::Excluded,
        WhyNot::Refused(_) | WhyNot::Worse { .. } | WhyNot::Served { .. } | WhyNot::NothingChosen => {
            EntryStatus::PassedOver
        }
    }
}

fn excluded_text(excluded: &Excluded, entry: &EntryRef) -> String {
    let EntryRef { channel, name, .. } = entry;
    match excluded {
        Excluded::OtherCatalog(key) => {
            format!("the Subscription names catalog `{}`, not `{}`", key.name, entry.catalog.name)
        }
        Excluded::OtherPackage(other) => format!("the Subscription names package `{other}`"),
        Excluded::OtherChannel(other) => format!("the Subscription follows channel `{other}`, not `{channel}`"),
        Excluded::OtherStart(other) => format!("nothing is installed yet, and startingCSV is `{other}`"),
        Excluded::Unordered(error) => format!("OLM cannot order channel `{channel}`: {error}"),
        Excluded::SkippedBy(by) => {
            let skips = if by.len() == 1 { "skips" } else { "skip" };
            format!("{} {skips} it, and OLM never installs an entry that its channel skips", names(by))
        }
        Excluded::Stranded { replaced_by } if replaced_by.is_empty() => {
            format!("it is not in the update chain of channel `{channel}`: nothing replaces it")
        }
        Excluded::Stranded { replaced_by } => format!(
            "it is not in the update chain of channel `{channel}`: it is only replaced by {}, which is not in the chain either",
            names(replaced_by)
        ),
        Excluded::NoEdge { from } if from == name => "it is the installed version".to_owned(),
        Excluded::NoEdge { from } => {
            format!(
                "it does not update `{from}`: it neither replaces nor skips it, and its skipRange does not cover it"
            )
        }
        Excluded::Unmet(wanted) => format!("it does not match {}", requirement(wanted)),
    }
}

fn names(names: &[BundleName]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")), "and")
}
