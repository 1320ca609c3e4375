//! Why a bundle is there: the way to it from what was asked for.

use super::Wording;
use super::fact::{requirement, witness};
use resolver::{CatalogKey, Fact, How, Link, Subscription, Why};
use update_graph::Via;
use views::ReasonView;

impl Wording<'_> {
    /// The way to a bundle, a sentence a choice and one for what meets a requirement.
    pub(in super::super) fn why(&self, why: &Why) -> Vec<ReasonView> {
        let freestanding = self.problem.entry(why.anchor).map(|_| ReasonView {
            text: format!("{} is installed without a Subscription and must stay", self.var(why.anchor)),
            place: None,
        });
        freestanding.into_iter().chain(why.links.iter().flat_map(|link| self.link(link))).collect()
    }

    fn link(&self, link: &Link) -> Vec<ReasonView> {
        match self.problem.fact(link.choice) {
            Fact::Wants { subscription, .. } => {
                let Some(wish) = self.problem.subscription(*subscription) else { return Vec::new() };
                vec![ReasonView { text: self.served(wish, link), place: self.entry_place(link.to) }]
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

    fn served(&self, wish: &Subscription, link: &Link) -> String {
        let (name, to) = (&wish.name, self.name(link.to));
        let alternatives = match self.problem.fact(link.choice) {
            Fact::Wants { alternatives, .. } => alternatives.len(),
            _ => 0,
        };
        let installed = wish.installed_csv.as_ref().map(ToString::to_string).unwrap_or_default();
        match &link.how {
            How::Listed if alternatives < 2 => format!("Subscription `{name}` takes {to}, the only candidate"),
            How::Listed => {
                format!("Subscription `{name}` takes {to}, the nearest to the channel head that nothing rules out")
            }
            How::Started => format!("Subscription `{name}` asks for {to} by startingCSV"),
            How::Follows(Some(via)) => {
                let edge = match via {
                    Via::Replaces => "which it replaces",
                    Via::Skips => "which it skips",
                    Via::SkipRange => "whose version its skipRange covers",
                };
                // The installed one is an alternative too.
                let best = match alternatives {
                    0..=2 => "",
                    _ => "; of all such entries it is the nearest to the channel head that nothing rules out",
                };
                format!("Subscription `{name}` updates to {to} from `{installed}`, {edge}{best}")
            }
            How::Follows(None) => format!(
                "Subscription `{name}` names no channel, and {to} stands in this channel too, though nothing leads to it here from `{installed}`"
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
                    text: format!("{} meets that", self.name(link.to)),
                    place: self.entry_place(link.to),
                };
            }
        };
        let place = span.and_then(|span| self.place_of(span)).or_else(|| self.entry_place(link.to));
        let first = self.first(link).map(|reason| format!("; {reason}")).unwrap_or_default();
        ReasonView { text: format!("{} meets that: {how}{first}", self.name(link.to)), place }
    }

    /// Why what meets a requirement comes before what would in another catalog.
    fn first(&self, link: &Link) -> Option<String> {
        let Fact::Requires { bundle, alternatives, .. } = self.problem.fact(link.choice) else { return None };
        let (own, to) = (self.problem.catalog(*bundle)?, self.problem.catalog(link.to)?);
        let after = alternatives.iter().skip_while(|id| **id != link.to);
        let other = after.filter_map(|id| self.problem.catalog(*id)).find(|key| *key != to)?;
        let priority = |key: &CatalogKey| {
            self.problem.namespace().catalogs.iter().find(|snapshot| snapshot.key == *key).map(|found| found.priority)
        };
        let (name, beside) = (&to.name, &other.name);
        Some(match (priority(to), priority(other)) {
            _ if to.is_existing() => "what is installed comes before what a catalog has".to_owned(),
            _ if to == own => format!(
                "catalog `{beside}` has something that meets it, too, but OLM looks into the catalog of {} first",
                self.name(*bundle)
            ),
            (Some(mine), Some(others)) if mine != others => format!(
                "catalog `{beside}` has something that meets it, too, but `{name}` has priority {mine} and `{beside}` {others}"
            ),
            _ => format!(
                "catalog `{beside}` has something that meets it, too: the two have the same priority, so OLM takes the first by name; `spec.priority` of a CatalogSource decides otherwise"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{form, workbench};
    use views::SubscriptionForm;

    /// The last reason for what is chosen for a requirement of package a.
    fn because(catalogs: &[(&str, &str)], priority: i32) -> String {
        let mut workbench = workbench(catalogs);
        workbench.set_metadata(views::CatalogId(2), "third", "olm", priority);
        let wish = SubscriptionForm { package: "a".to_owned(), ..SubscriptionForm::default() };
        let view = workbench.simulate(&form(&[wish]));
        let chosen = view.outcomes[0].steps[0].selected.iter().find(|row| row.csv.package == "b").cloned();
        chosen.and_then(|row| row.because.last().map(|reason| reason.text.clone())).unwrap_or_default()
    }

    #[test]
    fn of_several_catalogs_it_is_told_why_this_one() {
        let (a, b) = (
            "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0 requires b >=1.0.0",
            "package b c\nchannel b c b.v1.0.0\nbundle b 1.0.0",
        );
        let both = format!("{a}\n{b}");
        let said = |catalogs: &[(&str, &str)], priority: i32, words: &str| {
            let text = because(catalogs, priority);
            assert!(text.contains(words), "`{words}` in `{text}`");
        };
        said(
            &[("first", a), ("second", b), ("third", b)],
            0,
            "the two have the same priority, so OLM takes the first by name",
        );
        said(&[("first", a), ("second", b), ("third", b)], 5, "`third` has priority 5 and `second` 0");
        said(&[("first", &both), ("second", b), ("third", b)], 5, "OLM looks into the catalog of `a.v1.0.0` first");
        let alone = because(&[("first", a), ("second", b), ("third", a)], 0);
        assert!(alone.ends_with("its version is `1.0.0`"), "{alone}");
    }
}
