//! Words fixes with their effects, and where candidates are lost, with what may have been meant.

use super::Wording;
use super::fact::{api, listed, requirement};
use crate::simulation::Scenario;
use crate::simulation::fix_edit::{catalog_span, edit};
use catalog::BundleName;
use cluster::{CatalogKey, Csv, InputChange, InstalledCsv, OperatorGroup, SubscriptionSpec};
use resolver::{Filter, Fix, Funnel, Hint, Install, Stuck, StuckAt};
use simulate::OPENSHIFT_OPERATORS;
use source::name_list;
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{FixView, FunnelView, InstallView, RepairsView, StageView};

impl Wording<'_> {
    /// A fix, with the edit that applies it if the input has a field for each change.
    pub(in super::super) fn fix(&self, fix: &Fix) -> FixView {
        let texts: Vec<String> = fix.changes.iter().filter_map(|change| self.change_in(change, &fix.changes)).collect();
        let mut view = FixView {
            text: texts.join("; and "),
            effects: self.effects(&fix.installs),
            place: fix.changes.iter().find_map(catalog_span).and_then(|span| self.place_of(span)),
            edit: edit(self.workbench, self.scenario, &fix.changes),
            removes: fix
                .changes
                .iter()
                .any(|change| matches!(change, InputChange::DropSubscription { .. } | InputChange::DeleteCsv { .. })),
            installs: fix.installs.iter().map(install_view).collect(),
            ..FixView::default()
        };
        if let Some((csv, why)) = self.never_runs(&fix.installs) {
            view.effects.push(format!("`{csv}` then never runs (`{why}`)"));
            view.fails = true;
        }
        view
    }

    /// The first of these bundles that never runs in the namespace, and why.
    fn never_runs(&self, installs: &[Install]) -> Option<(BundleName, String)> {
        let Scenario { cluster, namespace, .. } = self.scenario;
        let names: Vec<BundleName> = installs.iter().map(|install| install.name.clone()).collect();
        if let Some((csv, obstacle)) = self.scenario.look_up(self.workbench, &names) {
            return Some((csv, obstacle.short()));
        }
        // One that is assumed fits whatever there is.
        let is_known = |group: &OperatorGroup| !group.is_assumed() || **namespace == *OPENSHIFT_OPERATORS;
        if !cluster.groups_of(namespace).iter().any(is_known) {
            return None;
        }
        let mut after = cluster.clone();
        after.csvs.retain(|csv| csv.namespace == *namespace && !names.contains(&csv.installed.name));
        after.csvs.retain(|csv| !installs.iter().any(|install| install.replaces.as_ref() == Some(&csv.installed.name)));
        let modes = self.scenario.modes(self.workbench);
        after.csvs.extend(installs.iter().map(|install| Csv {
            install_modes: modes(&install.catalog, &install.package, &install.name),
            ..Csv::running(namespace, InstalledCsv::of_name(&install.name))
        }));
        simulate::sync_with_group(&mut after, namespace);
        let mut failures = simulate::csv_failures(&after, namespace).into_iter();
        failures.find(|failure| names.contains(&failure.csv)).map(|failure| (failure.csv, failure.message.into()))
    }

    /// A fix of a Subscription that is stuck, with whom it leaves behind.
    pub(in super::super) fn own_fix(&self, fix: &Fix, stuck: &Stuck, repairs: Option<&RepairsView>) -> FixView {
        let mut view = self.fix(fix);
        let stranded = repairs.map(|repairs| &repairs.stranded[..]).unwrap_or_default();
        let left: Vec<&str> =
            stranded.iter().map(String::as_str).filter(|name| *name != stuck.installed.as_str()).collect();
        let (others, stay) = match left.len() {
            0 => return view,
            1 => (name_list(left), "stays"),
            _ => (name_list(left), "stay"),
        };
        view.effects
            .push(format!("this helps only this cluster: in channel `{}`, {others} {stay} stuck", stuck.channel));
        view
    }

    /// One of several changes. `None` for a CSV that is deleted with its Subscription: one sentence covers both.
    fn change_in(&self, change: &InputChange, all: &[InputChange]) -> Option<String> {
        let installed = |name: &Arc<str>| self.installed().find(|(other, _)| *other == name).map(|(_, csv)| csv);
        let dropped = |other: &InputChange| match other {
            InputChange::DropSubscription { subscription } => installed(subscription).cloned(),
            _ => None,
        };
        match change {
            InputChange::DropSubscription { subscription } => {
                let csv =
                    installed(subscription).filter(|csv| all.contains(&InputChange::DeleteCsv { csv: (*csv).clone() }));
                csv.map(|csv| {
                    format!("delete Subscription `{subscription}` and its CSV `{csv}`, which uninstalls the operator")
                })
            }
            InputChange::DeleteCsv { csv } if all.iter().any(|other| dropped(other).as_ref() == Some(csv)) => {
                return None;
            }
            _ => None,
        }
        .or_else(|| Some(self.change(change)))
    }

    /// Why a Subscription is stuck without an error. `has_detour`: whether other channels lead to the head.
    pub(in super::super) fn stuck(&self, stuck: &Stuck, has_detour: bool) -> String {
        let Stuck { installed, head, catalog, .. } = stuck;
        match stuck.at {
            StuckAt::NotListed => {
                let catalog = self.scenario.snapshots.values().filter(|snapshot| snapshot.key == *catalog);
                let others: BTreeSet<&str> = catalog
                    .flat_map(|snapshot| snapshot.listing.named(installed))
                    .map(|entry| entry.channel.as_str())
                    .collect();
                let names = listed(others.iter().map(|channel| format!("`{channel}`")), "and");
                let (channels, list) = match others.len() {
                    1 => ("Channel", "lists it and updates it"),
                    _ => ("Channels", "list it and update it"),
                };
                let anew = if has_detour { "" } else { ", and all else is installed anew, as its publisher describes" };
                let takes = "this channel only updates what an entry of it replaces, skips or has in a range";
                let others = if others.is_empty() {
                    String::new()
                } else {
                    format!(" {channels} {names} {list}; {takes}{anew}.")
                };
                format!(
                    "Stuck: the channel does not list `{installed}`, so there is no update to its head `{head}`. OLM reports no error.{others}"
                )
            }
            StuckAt::Listed => format!(
                "Stuck: no entry of the channel updates `{installed}` towards the head `{head}`. OLM reports no error."
            ),
        }
    }

    fn change(&self, change: &InputChange) -> String {
        match change {
            InputChange::Channel { subscription, channel } => {
                format!("switch Subscription `{subscription}` to channel `{channel}`")
            }
            InputChange::Manual { subscription } => format!("set approval Manual of Subscription `{subscription}`"),
            InputChange::Package { subscription, package } => {
                format!("set the package of Subscription `{subscription}` to `{package}`")
            }
            InputChange::Swap { subscription } => format!("swap package and channel of Subscription `{subscription}`"),
            InputChange::Catalog { subscription, catalog } => {
                format!(
                    "set the catalog of Subscription `{subscription}` to `{}` in `{}`",
                    catalog.name, catalog.namespace
                )
            }
            InputChange::StartingCsv { subscription, csv: Some(csv) } => {
                format!("set startingCSV of Subscription `{subscription}` to `{csv}`")
            }
            InputChange::StartingCsv { subscription, csv: None } => {
                format!("remove startingCSV from Subscription `{subscription}`")
            }
            InputChange::AddSubscription(added) => added_text(added),
            InputChange::DropSubscription { subscription } => {
                let kept =
                    if self.installed().any(|(name, _)| name == subscription) { " and keep its CSV" } else { "" };
                format!("delete Subscription `{subscription}`{kept}")
            }
            InputChange::AdoptCsv { csv, subscription } => format!(
                "set `status.installedCSV` and `status.currentCSV` of Subscription `{subscription}` to `{csv}`, so that it owns the CSV"
            ),
            InputChange::DeleteCsv { csv } => format!("delete the CSV `{csv}`, which uninstalls the operator"),
            InputChange::WidenRange { bundle, required, from, to, .. } => {
                format!(
                    "in the catalog, change the range in which `{bundle}` requires `{required}` from `{from}` to `{to}`"
                )
            }
            InputChange::EditEntry { channel, edit, .. } => {
                format!("in the catalog, {} in channel `{channel}`", edit.describe())
            }
        }
    }

    fn effects(&self, installs: &[Install]) -> Vec<String> {
        let is_installed = |old: &&BundleName| self.installed().any(|(_, csv)| csv == *old);
        let install = |install: &Install| match install.replaces.as_ref().filter(is_installed) {
            Some(old) => format!("`{}` (in place of `{old}`)", install.name),
            None => format!("`{}`", install.name),
        };
        if installs.is_empty() {
            return vec!["OLM can then resolve the namespace, and nothing else changes".to_owned()];
        }
        vec![format!("OLM then installs {}", listed(installs.iter().map(install), "and"))]
    }

    /// The Subscriptions with an installed CSV, and that CSV.
    fn installed(&self) -> impl Iterator<Item = (&Arc<str>, &BundleName)> {
        let wishes = self.problem.anchors().iter().filter_map(|&id| self.problem.subscription(id));
        wishes.filter_map(|spec| Some((&spec.name, self.problem.installed(spec)?)))
    }
}

fn install_view(install: &Install) -> InstallView {
    let label = install.version.as_ref().map_or_else(|| install.name.to_string(), ToString::to_string);
    InstallView { package: install.package.to_string(), label }
}

fn added_text(added: &SubscriptionSpec) -> String {
    let mut text = format!("add a Subscription for package `{}`", added.package);
    if let Some(channel) = &added.channel {
        text += &format!(", channel `{channel}`");
    }
    if let Some(key) = &added.catalog {
        text += &format!(", from catalog `{}`", key.name);
    }
    text
}

/// More versions than this are shown as the first and the last.
const VERSIONS: usize = 4;

pub(in super::super) fn funnel_title(spec: &SubscriptionSpec) -> String {
    format!("Candidates of Subscription `{}`", spec.name)
}

impl Wording<'_> {
    /// A funnel. Hints about a Subscription come with the edit that applies them.
    pub(in super::super) fn funnel(
        &self,
        title: String,
        funnel: &Funnel,
        spec: Option<&SubscriptionSpec>,
    ) -> FunnelView {
        let stages = funnel.stages.iter().map(|stage| StageView {
            text: filter(&stage.filter),
            left: u32::try_from(stage.left).unwrap_or(u32::MAX),
        });
        let hints = funnel.hints.iter().map(|hint| FixView {
            text: question(hint),
            edit: spec
                .and_then(|spec| meant(spec, hint))
                .and_then(|change| edit(self.workbench, self.scenario, &[change])),
            ..FixView::default()
        });
        FunnelView { title, stages: stages.collect(), hints: hints.collect() }
    }
}

fn filter(filter: &Filter) -> String {
    match filter {
        Filter::Catalog(Some(key)) => format!("in catalog `{}`", catalog(key)),
        Filter::Catalog(None) => "in any available catalog, or installed".to_owned(),
        Filter::Package(name) => format!("of package `{name}`"),
        Filter::Channel(name) => format!("in channel `{name}`"),
        Filter::StartingCsv(name) => format!("that are the startingCSV `{name}`"),
        Filter::Chain { broken: None } => {
            "in the update chain: reached by `replaces` from the head, not skipped".to_owned()
        }
        Filter::Chain { broken: Some(error) } => format!("in the update chain, which OLM cannot determine: {error}"),
        Filter::Follows(name) => format!("that update `{name}`"),
        Filter::Provides(gvk) => format!("that provide {}", api(gvk)),
        Filter::InRange { range, versions } => {
            let have = match versions.as_slice() {
                [] => String::new(),
                [first, .., last] if versions.len() > VERSIONS => {
                    format!("; available are `{first}` to `{last}`, {} versions", versions.len())
                }
                [one] => format!("; available is `{one}`"),
                few => format!("; available are {}", listed(few.iter().map(|version| format!("`{version}`")), "and")),
            };
            format!("with a version in `{range}`{have}")
        }
        Filter::Meets(wanted) => format!("that match {}", requirement(wanted)),
        Filter::Allowed => "not deprecated, and each requirement is met by some bundle".to_owned(),
    }
}

fn question(hint: &Hint) -> String {
    match hint {
        Hint::Catalog(key) => format!("Did you mean catalog `{}`?", catalog(key)),
        Hint::Package(name) => format!("Did you mean package `{name}`?"),
        Hint::Channel(name) => format!("Did you mean channel `{name}`?"),
        Hint::DefaultChannel(name) => format!("The default channel is `{name}`."),
        Hint::Bundle(name) => format!("Did you mean `{name}`?"),
        Hint::InCatalog(key) => format!("Catalog `{}` has it.", catalog(key)),
        Hint::InChannel(name) => format!("Channel `{name}` has it."),
        Hint::Swapped => "Package and channel may be swapped.".to_owned(),
        Hint::Api(gvk) => format!("Did you mean the API {}?", api(gvk)),
        Hint::Apart(names) => {
            let names: BTreeSet<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "One bundle has to meet all of it; its parts are met by {}. The author can require each part in an `olm.constraint` of its \
                 own.",
                listed(names.into_iter().collect::<Vec<_>>().into_iter(), "and")
            )
        }
    }
}

fn catalog(key: &CatalogKey) -> &str {
    &key.name
}

/// A hint as a change of the Subscription.
fn meant(spec: &SubscriptionSpec, hint: &Hint) -> Option<InputChange> {
    let subscription = Arc::clone(&spec.name);
    Some(match hint {
        Hint::Catalog(key) | Hint::InCatalog(key) => InputChange::Catalog { subscription, catalog: key.clone() },
        Hint::Package(name) => InputChange::Package { subscription, package: name.clone() },
        Hint::Channel(name) | Hint::DefaultChannel(name) | Hint::InChannel(name) => {
            InputChange::Channel { subscription, channel: name.clone() }
        }
        Hint::Bundle(name) => InputChange::StartingCsv { subscription, csv: Some(name.clone()) },
        Hint::Swapped => InputChange::Swap { subscription },
        Hint::Api(_) | Hint::Apart(_) => return None,
    })
}
