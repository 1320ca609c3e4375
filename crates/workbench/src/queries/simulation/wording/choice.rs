//! Why a bundle is there: the way to it from what was asked for.

use super::Wording;
use super::requirement::{requirement, witness};
use resolver::{Fact, How, Link, Subscription, Why};
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
        ReasonView { text: format!("{} meets that: {how}", self.name(link.to)), place }
    }
}
