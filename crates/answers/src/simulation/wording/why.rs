//! Words why a bundle is installed, the chain of choices from a Subscription to it, and why OLM does not choose an
//! entry.

use super::Wording;
use super::fact::{listed, requirement, witness};
use catalog::BundleName;
use cluster::{CatalogKey, SubscriptionSpec};
use resolver::{EntryRef, Excluded, Fact, FactId, GaveUp, How, Link, Why, WhyNot};
use update_graph::Via;
use views::{EntryStatus, ReasonView, WhyNotRow};

impl Wording<'_> {
    /// The choices that lead to a bundle, a sentence each, and one for how a requirement is met.
    pub(in super::super) fn why(&self, why: &Why) -> Vec<ReasonView> {
        let freestanding = self.problem.entry(why.anchor).map(|_| ReasonView {
            text: format!("{} is installed without a SubscriptionSpec, so OLM must keep it", self.var(why.anchor)),
            place: None,
        });
        let left_out = (why.left_out > 0).then(|| ReasonView {
            text: format!("{} more choices lead from {} to the following ones", why.left_out, self.var(why.anchor)),
            place: None,
        });
        freestanding.into_iter().chain(left_out).chain(why.links.iter().flat_map(|link| self.link(link))).collect()
    }

    fn link(&self, link: &Link) -> Vec<ReasonView> {
        match self.problem.fact(link.choice) {
            Fact::Wants { subscription, .. } => {
                let Some(spec) = self.problem.subscription(*subscription) else { return Vec::new() };
                vec![ReasonView { text: self.subscribed(spec, link), place: self.entry_place(link.to) }]
            }
            Fact::Requires { bundle, requirement: wanted, span, .. } => {
                let place = span.and_then(|span| self.place_of(span)).or_else(|| self.entry_place(*bundle));
                let needs =
                    ReasonView { text: format!("{} requires {}", self.name(*bundle), requirement(wanted)), place };
                vec![needs, self.meets(link)]
            }
            _ => Vec::new(),
        }
    }

    fn subscribed(&self, spec: &SubscriptionSpec, link: &Link) -> String {
        let (name, to) = (&spec.name, self.name(link.to));
        let alternatives = match self.problem.fact(link.choice) {
            Fact::Wants { alternatives, .. } => alternatives.len(),
            _ => 0,
        };
        let installed = spec.installed_csv.as_ref().map(ToString::to_string).unwrap_or_default();
        match &link.how {
            How::Listed if alternatives < 2 => format!("Subscription `{name}` installs {to}, the only candidate"),
            How::Listed => {
                format!("Subscription `{name}` installs {to}, the newest one without a conflict")
            }
            How::Started => format!("Subscription `{name}` installs {to}, its startingCSV"),
            How::Follows(Some(via)) => {
                let edge = match via {
                    Via::Replaces => "replaces it",
                    Via::Skips => "skips it",
                    Via::SkipRange => "has a skipRange that covers it",
                };
                // One of the alternatives is to keep the installed bundle.
                let best = match alternatives {
                    0..=2 => "",
                    _ => "; it is the newest such update without a conflict",
                };
                format!("Subscription `{name}`: `{installed}` → {to}, which {edge}{best}")
            }
            How::Follows(None) => format!(
                "Subscription `{name}` names no channel, and {to} is in this channel too, although no entry here updates `{installed}`"
            ),
            How::Kept => format!("Subscription `{name}` keeps {to}"),
            How::Meets(_) => format!("Subscription `{name}` has {to}"),
        }
    }

    fn meets(&self, link: &Link) -> ReasonView {
        let (how, span) = match &link.how {
            How::Meets(Some(found)) => witness(found),
            _ => {
                return ReasonView {
                    text: format!("{} meets this requirement", self.name(link.to)),
                    place: self.entry_place(link.to),
                };
            }
        };
        let place = span.and_then(|span| self.place_of(span)).or_else(|| self.entry_place(link.to));
        let first = self.first(link).map(|reason| format!("; {reason}")).unwrap_or_default();
        ReasonView { text: format!("{} meets this requirement: {how}{first}", self.name(link.to)), place }
    }

    /// Why OLM prefers this bundle to one of another catalog that meets the requirement, too.
    fn first(&self, link: &Link) -> Option<String> {
        let Fact::Requires { bundle, alternatives, .. } = self.problem.fact(link.choice) else { return None };
        let (own, to) = (self.problem.catalog(*bundle)?, self.problem.catalog(link.to)?);
        let after = alternatives.iter().skip_while(|id| **id != link.to);
        let other = after.filter_map(|id| self.problem.catalog(*id)).find(|key| *key != to)?;
        let priority = |key: &CatalogKey| {
            self.problem.namespace().catalogs.iter().find(|snapshot| snapshot.key == *key).map(|found| found.priority)
        };
        let (name, rival) = (&to.name, &other.name);
        Some(match (priority(to), priority(other)) {
            _ if to.is_existing() => "OLM prefers an installed bundle to those of catalogs".to_owned(),
            _ if to == own => format!(
                "catalog `{rival}` also has a bundle that meets it, but OLM looks in the catalog of {} first",
                self.name(*bundle)
            ),
            (Some(mine), Some(others)) if mine != others => format!(
                "catalog `{rival}` also has a bundle that meets it, but `{name}` has priority {mine} and `{rival}` {others}"
            ),
            _ => format!(
                "catalog `{rival}` also has a bundle that meets it; both have the same priority, so OLM takes the first by name (`spec.priority` of a CatalogSource changes that)"
            ),
        })
    }
}

// Words why OLM does not choose an entry.

impl Wording<'_> {
    /// Why a Subscription does not choose an entry.
    pub(in crate::simulation) fn why_not(
        &self,
        spec: &SubscriptionSpec,
        entry: &EntryRef,
        answer: Result<WhyNot, GaveUp>,
    ) -> WhyNotRow {
        self.row(format!("Subscription `{}`", spec.name), entry, answer)
    }

    /// Why the entry is not chosen for a requirement.
    pub(in crate::simulation) fn why_not_provider(
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
        Excluded::NoEdge { from, .. } if from == name => "it is the installed version".to_owned(),
        Excluded::NoEdge { from, has_range } => {
            let range = if *has_range { "its skipRange does not cover it" } else { "it has no skipRange" };
            format!("it does not update `{from}`: it neither replaces nor skips it, and {range}")
        }
        Excluded::Unmet(wanted) => format!("it does not match {}", requirement(wanted)),
    }
}

fn names(names: &[BundleName]) -> String {
    listed(names.iter().map(|name| format!("`{name}`")), "and")
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    /// The last reason for what is chosen for a requirement of package a.
    fn because(catalogs: &[(&str, &str)], priority: i64) -> String {
        let mut workbench = workbench(catalogs);
        workbench.set_metadata(views::CatalogId(2), "third", "olm", priority);
        let spec = SubscriptionForm { package: "a".to_owned(), ..SubscriptionForm::default() };
        let view = simulate(&with_form(workbench, &form(&[spec])), "");
        let chosen = view.outcomes[0].steps[0].selected.iter().find(|row| row.csv.package == "b").cloned();
        chosen.and_then(|row| row.because.last().map(|reason| reason.text.clone())).unwrap_or_default()
    }

    #[test]
    fn the_reason_says_why_this_catalog_is_preferred() {
        let (a, b) = (
            "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0 requires b >=1.0.0",
            "package b c\nchannel b c b.v1.0.0\nbundle b 1.0.0",
        );
        let both = format!("{a}\n{b}");
        let check = |catalogs: &[(&str, &str)], priority: i64, words: &str| {
            let text = because(catalogs, priority);
            assert!(text.contains(words), "`{words}` in `{text}`");
        };
        check(
            &[("first", a), ("second", b), ("third", b)],
            0,
            "both have the same priority, so OLM takes the first by name",
        );
        check(&[("first", a), ("second", b), ("third", b)], 5, "`third` has priority 5 and `second` 0");
        check(&[("first", &both), ("second", b), ("third", b)], 5, "OLM looks in the catalog of `a.v1.0.0` first");
        let alone = because(&[("first", a), ("second", b), ("third", a)], 0);
        assert!(alone.ends_with("its version is `1.0.0`"), "{alone}");
    }
}
