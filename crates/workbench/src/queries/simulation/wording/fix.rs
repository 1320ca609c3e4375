//! Ways out that were tried, and what OLM does then.

use super::fact::{api, requirement};
use super::{Wording, listed};
use crate::queries::simulation::fix_edit::{catalog_span, edit};
use catalog::BundleName;
use resolver::{CatalogKey, Change, Filter, Fix, Funnel, Hint, Install, Stuck, StuckAt, Subscription};
use std::sync::Arc;
use views::{FixView, FunnelView, HintView, StageView};

impl Wording<'_> {
    /// A fix; with the way to try it, if what it started from can say all of it.
    pub(in super::super) fn fix(&self, fix: &Fix) -> FixView {
        let texts: Vec<String> = fix.changes.iter().filter_map(|change| self.told(change, &fix.changes)).collect();
        FixView {
            text: texts.join("; and "),
            effects: self.effects(&fix.installs),
            place: fix.changes.iter().find_map(catalog_span).and_then(|span| self.place_of(span)),
            trial: edit(self.workbench, self.scenario, &fix.changes),
        }
    }

    /// One of several changes; nothing for a CSV that is deleted with its Subscription, which is told as one.
    fn told(&self, change: &Change, all: &[Change]) -> Option<String> {
        let installed = |name: &Arc<str>| self.installed().find(|(other, _)| *other == name).map(|(_, csv)| csv);
        let dropped = |other: &Change| match other {
            Change::DropSubscription { subscription } => installed(subscription).cloned(),
            _ => None,
        };
        match change {
            Change::DropSubscription { subscription } => {
                let csv =
                    installed(subscription).filter(|csv| all.contains(&Change::DeleteCsv { csv: (*csv).clone() }));
                csv.map(|csv| {
                    format!("delete Subscription `{subscription}` and its CSV `{csv}`, which uninstalls the operator")
                })
            }
            Change::DeleteCsv { csv } if all.iter().any(|other| dropped(other).as_ref() == Some(csv)) => return None,
            _ => None,
        }
        .or_else(|| Some(self.change(change)))
    }

    /// Why a Subscription silently stays where it is.
    pub(in super::super) fn stuck(&self, stuck: &Stuck) -> String {
        let Stuck { installed, head, .. } = stuck;
        match stuck.at {
            StuckAt::NotListed => format!(
                "its channel has `{head}` at the head and does not list `{installed}`: nothing leads on from there, and OLM says nothing about it"
            ),
            StuckAt::Listed => format!(
                "its channel has `{head}` at the head, but no entry on the way there updates from `{installed}`: OLM says nothing about it"
            ),
        }
    }

    fn change(&self, change: &Change) -> String {
        match change {
            Change::Channel { subscription, channel } => {
                format!("switch Subscription `{subscription}` to channel `{channel}`")
            }
            Change::Package { subscription, package } => {
                format!("let Subscription `{subscription}` name package `{package}`")
            }
            Change::Swap { subscription } => format!("exchange package and channel of Subscription `{subscription}`"),
            Change::Catalog { subscription, catalog } => {
                format!("let Subscription `{subscription}` name catalog `{}` in `{}`", catalog.name, catalog.namespace)
            }
            Change::StartingCsv { subscription, csv: Some(csv) } => {
                format!("start Subscription `{subscription}` at `{csv}`")
            }
            Change::StartingCsv { subscription, csv: None } => {
                format!("take startingCSV out of Subscription `{subscription}`")
            }
            Change::AddSubscription(added) => added_text(added),
            Change::DropSubscription { subscription } => {
                let stays = if self.installed().any(|(name, _)| name == subscription) { "; its CSV stays" } else { "" };
                format!("delete Subscription `{subscription}`{stays}")
            }
            Change::AdoptCsv { csv, subscription } => format!(
                "let Subscription `{subscription}` take over `{csv}`: set its `status.installedCSV` and `status.currentCSV`"
            ),
            Change::DeleteCsv { csv } => format!("delete the CSV `{csv}`, which uninstalls the operator"),
            Change::WidenRange { bundle, required, from, to, .. } => {
                format!("in the catalog, let `{bundle}` require `{required}` in range `{to}` instead of `{from}`")
            }
            Change::AddEdge { channel, entry, via, value, .. } => {
                format!("in the catalog, give `{entry}` of channel `{channel}` the edge `{}: {value}`", via.as_str())
            }
        }
    }

    fn effects(&self, installs: &[Install]) -> Vec<String> {
        let is_installed = |old: &&BundleName| self.installed().any(|(_, csv)| csv == *old);
        let install = |install: &Install| match install.replaces.as_ref().filter(is_installed) {
            Some(old) => format!("`{}` in place of `{old}`", install.name),
            None => format!("`{}`", install.name),
        };
        if installs.is_empty() {
            return vec!["then OLM can resolve the namespace, and all stays as it is".to_owned()];
        }
        vec![format!("then OLM installs {}", listed(installs.iter().map(install), "and"))]
    }

    /// The Subscriptions that have something, with what they have; a CSV that is gone is nothing.
    fn installed(&self) -> impl Iterator<Item = (&Arc<str>, &BundleName)> {
        let wishes = self.problem.anchors().iter().filter_map(|&id| self.problem.subscription(id));
        wishes.filter_map(|wish| Some((&wish.name, self.problem.installed(wish)?)))
    }
}

fn added_text(added: &Subscription) -> String {
    let mut text = format!("add a Subscription to package `{}`", added.package);
    if let Some(channel) = &added.channel {
        text += &format!(", channel `{channel}`");
    }
    if let Some(key) = &added.catalog {
        text += &format!(", from catalog `{}`", key.name);
    }
    text
}

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
            trial: wish
                .and_then(|wish| meant(wish, hint))
                .and_then(|change| edit(self.workbench, self.scenario, &[change])),
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
