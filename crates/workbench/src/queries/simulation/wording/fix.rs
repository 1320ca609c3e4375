//! Ways out that were tried, and what OLM does then.

use super::{Wording, listed};
use catalog::BundleName;
use resolver::{Change, Fix, Install, Stuck, StuckAt, Subscription};
use source::Span;
use std::sync::Arc;
use views::{ClusterForm, FixView, SubscriptionForm};

/// A row of the form, with the name that its Subscription has.
type Row = (Arc<str>, SubscriptionForm);

impl Wording<'_> {
    /// A fix; with the form after it, if a form is what it started from and has fields for all of it.
    pub(in super::super) fn fix(&self, fix: &Fix) -> FixView {
        let texts: Vec<String> = fix.changes.iter().map(|change| self.change(change)).collect();
        FixView {
            text: texts.join("; and "),
            effects: self.effects(&fix.installs),
            place: fix.changes.iter().find_map(span).and_then(|span| self.place_of(span)),
            form: self.fixed(&fix.changes),
        }
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
            return vec!["then OLM has an answer, and all stays as it is".to_owned()];
        }
        vec![format!("then OLM installs {}", listed(installs.iter().map(install), "and"))]
    }

    /// The Subscriptions that have something, with what they have.
    fn installed(&self) -> impl Iterator<Item = (&Arc<str>, &BundleName)> {
        let wishes = self.problem.anchors().iter().filter_map(|&id| self.problem.subscription(id));
        wishes.filter_map(|wish| Some((&wish.name, wish.installed_csv.as_ref()?)))
    }

    fn fixed(&self, changes: &[Change]) -> Option<ClusterForm> {
        let form = self.staged.form.as_ref()?;
        let name = |at: usize| self.staged.rows.iter().find(|(_, row)| **row == at).map(|(name, _)| Arc::clone(name));
        let rows = form.subscriptions.iter().enumerate();
        let mut rows: Vec<Row> = rows.map(|(at, row)| (name(at).unwrap_or_default(), row.clone())).collect();
        changes
            .iter()
            .all(|change| apply(&mut rows, change))
            .then(|| ClusterForm { subscriptions: rows.into_iter().map(|(_, row)| row).collect() })
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

/// Where a catalog is to be changed.
fn span(change: &Change) -> Option<Span> {
    match change {
        Change::WidenRange { span, .. } | Change::AddEdge { span, .. } => *span,
        _ => None,
    }
}

/// Makes a change to the rows; false if the form has no field for it.
fn apply(rows: &mut Vec<Row>, change: &Change) -> bool {
    let edit = |rows: &mut Vec<Row>, name: &Arc<str>, set: &dyn Fn(&mut SubscriptionForm)| {
        let row = rows.iter_mut().find(|(of, _)| of == name);
        row.map(|(_, form)| set(form)).is_some()
    };
    match change {
        Change::Channel { subscription, channel } => {
            edit(rows, subscription, &|form| form.channel = channel.to_string())
        }
        Change::Package { subscription, package } => {
            edit(rows, subscription, &|form| form.package = package.to_string())
        }
        Change::Swap { subscription } => {
            edit(rows, subscription, &|form| std::mem::swap(&mut form.package, &mut form.channel))
        }
        Change::Catalog { subscription, catalog } => {
            edit(rows, subscription, &|form| form.catalog = catalog.name.to_string())
        }
        Change::StartingCsv { subscription, csv } => edit(rows, subscription, &|form| {
            form.starting_csv = csv.as_ref().map(ToString::to_string).unwrap_or_default();
        }),
        Change::AdoptCsv { csv, subscription } => edit(rows, subscription, &|form| form.installed = csv.to_string()),
        Change::AddSubscription(added) => {
            rows.push((Arc::clone(&added.name), row(added)));
            true
        }
        Change::DropSubscription { subscription } => {
            // With its row the form would lose the CSV too, which stays.
            let at = rows.iter().position(|(name, form)| name == subscription && form.installed.is_empty());
            at.map(|at| rows.remove(at)).is_some()
        }
        Change::DeleteCsv { .. } | Change::WidenRange { .. } | Change::AddEdge { .. } => false,
    }
}

fn row(added: &Subscription) -> SubscriptionForm {
    SubscriptionForm {
        name: added.name.to_string(),
        package: added.package.to_string(),
        channel: added.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        catalog: added.catalog.as_ref().map(|key| key.name.to_string()).unwrap_or_default(),
        starting_csv: added.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default(),
        ..SubscriptionForm::default()
    }
}
