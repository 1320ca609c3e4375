//! Words why a bundle is installed: the chain of choices from a Subscription to it.

use super::Wording;
use super::fact::{requirement, witness};
use cluster::{CatalogKey, SubscriptionSpec};
use resolver::{Fact, How, Link, Why};
use update_graph::Via;
use views::ReasonView;

impl Wording<'_> {
    /// The choices that lead to a bundle, a sentence each, and one for how a requirement is met.
    pub(in super::super) fn why(&self, why: &Why) -> Vec<ReasonView> {
        let freestanding = self.problem.entry(why.anchor).map(|_| ReasonView {
            text: format!("{} is installed without a SubscriptionSpec, so OLM must keep it", self.var(why.anchor)),
            place: None,
        });
        freestanding.into_iter().chain(why.links.iter().flat_map(|link| self.link(link))).collect()
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
                format!(
                    "Subscription `{name}` installs {to}, the candidate nearest to the channel head that causes no conflict"
                )
            }
            How::Started => format!("Subscription `{name}` installs {to}, its startingCSV"),
            How::Follows(Some(via)) => {
                let edge = match via {
                    Via::Replaces => "which replaces it",
                    Via::Skips => "which skips it",
                    Via::SkipRange => "whose skipRange covers its version",
                };
                // One of the alternatives is to keep the installed bundle.
                let best = match alternatives {
                    0..=2 => "",
                    _ => "; of all such updates it is the one nearest to the channel head that causes no conflict",
                };
                format!("Subscription `{name}` updates `{installed}` to {to}, {edge}{best}")
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
