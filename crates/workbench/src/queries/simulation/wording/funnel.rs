//! Where candidates are lost, filter by filter, and what may have been meant.

use super::requirement::{api, requirement};
use super::{Wording, listed};
use resolver::{CatalogKey, Change, Filter, Funnel, Hint, Subscription};
use std::sync::Arc;
use views::{FunnelView, HintView, StageView};

/// Above so many versions, only the first and the last are named.
const VERSIONS: usize = 4;

/// The title of a Subscription's funnel.
pub(in super::super) fn asks(wish: &Subscription) -> String {
    format!("Candidates of Subscription `{}`", wish.name)
}

impl Wording<'_> {
    /// A funnel; its hints can be tried if they are about a Subscription.
    pub(in super::super) fn funnel(&self, title: String, funnel: &Funnel, wish: Option<&Subscription>) -> FunnelView {
        let stages = funnel.stages.iter().map(|stage| StageView {
            text: filter(&stage.filter),
            left: u32::try_from(stage.left).unwrap_or(u32::MAX),
        });
        let hints = funnel.hints.iter().map(|hint| HintView {
            text: question(hint),
            trial: wish.and_then(|wish| meant(wish, hint)).and_then(|change| self.trial(&[change])),
        });
        FunnelView { title, stages: stages.collect(), hints: hints.collect() }
    }
}

fn filter(filter: &Filter) -> String {
    match filter {
        Filter::Catalog(Some(key)) => format!("in catalog `{}`", catalog(key)),
        Filter::Catalog(None) => "in any catalog in sight, or installed".to_owned(),
        Filter::Package(name) => format!("of package `{name}`"),
        Filter::Channel(name) => format!("in channel `{name}`"),
        Filter::StartingCsv(name) => format!("named `{name}` by startingCSV"),
        Filter::Chain { broken: None } => "on the chain of `replaces` from the head, not skipped".to_owned(),
        Filter::Chain { broken: Some(error) } => format!("on the chain from the head, but there is none: {error}"),
        Filter::Follows(name) => format!("with an update edge from `{name}`"),
        Filter::Provides(gvk) => format!("provides {}", api(gvk)),
        Filter::InRange { range, versions } => {
            let have = match versions.as_slice() {
                [] => String::new(),
                [first, .., last] if versions.len() > VERSIONS => {
                    format!("; there are `{first}` to `{last}`, {} versions", versions.len())
                }
                [one] => format!("; there is `{one}`"),
                few => format!("; there are {}", listed(few.iter().map(|version| format!("`{version}`")), "and")),
            };
            format!("version in `{range}`{have}")
        }
        Filter::Meets(wanted) => format!("meets: {}", requirement(wanted)),
        Filter::Allowed => "not deprecated, and something meets each of its requirements".to_owned(),
    }
}

fn question(hint: &Hint) -> String {
    match hint {
        Hint::Catalog(key) => format!("Is catalog `{}` meant?", catalog(key)),
        Hint::Package(name) => format!("Is package `{name}` meant?"),
        Hint::Channel(name) => format!("Is channel `{name}` meant?"),
        Hint::DefaultChannel(name) => format!("The default channel is `{name}`."),
        Hint::Bundle(name) => format!("Is `{name}` meant?"),
        Hint::InCatalog(key) => format!("Catalog `{}` has it.", catalog(key)),
        Hint::InChannel(name) => format!("Channel `{name}` has it."),
        Hint::Swapped => "Package and channel seem to be the wrong way round.".to_owned(),
        Hint::Api(gvk) => format!("There is {}.", api(gvk)),
    }
}

fn catalog(key: &CatalogKey) -> &str {
    &key.name
}

/// What may have been meant as a change of a Subscription.
fn meant(wish: &Subscription, hint: &Hint) -> Option<Change> {
    let subscription = Arc::clone(&wish.name);
    Some(match hint {
        Hint::Catalog(key) | Hint::InCatalog(key) => Change::Catalog { subscription, catalog: key.clone() },
        Hint::Package(name) => Change::Package { subscription, package: name.clone() },
        Hint::Channel(name) | Hint::DefaultChannel(name) | Hint::InChannel(name) => {
            Change::Channel { subscription, channel: name.clone() }
        }
        Hint::Bundle(name) => Change::StartingCsv { subscription, csv: Some(name.clone()) },
        Hint::Swapped => Change::Swap { subscription },
        Hint::Api(_) => return None,
    })
}
