//! The fields of a Subscription as they are typed.

use super::Simulation;
use views::{Overview, PackageRow, SubscriptionForm};

/// A text field of a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `metadata.name`
    Name,
    /// `spec.name`
    Package,
    /// `spec.channel`
    Channel,
    /// `spec.source`
    Catalog,
    /// `spec.startingCSV`
    StartingCsv,
    /// `status.installedCSV`
    Installed,
}

impl Simulation {
    /// Changes a field. A package that is being typed leaves the others as they are: see [`Simulation::settle`].
    pub(crate) fn set(&mut self, index: usize, field: Field, text: String) {
        let before = self.before(index).cloned();
        let Some(form) = self.cluster.subscriptions.get_mut(index) else { return };
        match field {
            Field::Name => form.name = text,
            Field::Package => {
                let before = before.unwrap_or_else(|| form.clone());
                form.package = text;
                self.retyped = Some((form.clone(), before));
            }
            Field::Channel => form.channel = text,
            Field::Catalog => form.catalog = text,
            Field::StartingCsv => form.starting_csv = text,
            Field::Installed => form.installed = text,
        }
    }

    /// What a Subscription was before its package was typed anew, if nothing else of it was changed since.
    fn before(&self, index: usize) -> Option<&SubscriptionForm> {
        let now = self.cluster.subscriptions.get(index)?;
        self.retyped.as_ref().filter(|(typed, _)| typed == now).map(|(_, before)| before)
    }

    /// The field of a package was left. If it is another one now that is loaded, fields that belong to the one before are
    /// emptied, and can be put back; tells whose they were. A name that nothing has may be a slip.
    pub(crate) fn settle(&mut self, index: usize, overview: &Overview) -> Option<String> {
        let before = self.before(index)?.clone();
        let typed = &self.cluster.subscriptions[index];
        if [&typed.package, &before.package].into_iter().any(|name| rows(overview, name).next().is_none()) {
            return None;
        }
        self.retyped = None;
        let settled = settled(typed, overview);
        if settled == *typed || before.package == typed.package {
            return None;
        }
        let mut cluster = self.cluster.clone();
        cluster.subscriptions[index] = settled;
        let package = before.package.clone();
        self.cluster.subscriptions[index] = before;
        self.replace_form(cluster);
        Some(package)
    }
}

/// Without what its package has not: a CSV belongs to the package before.
fn settled(typed: &SubscriptionForm, overview: &Overview) -> SubscriptionForm {
    let is_named = |row: &&PackageRow| {
        overview.catalogs.iter().any(|catalog| catalog.id == row.key.catalog && catalog.name == typed.catalog)
    };
    let mut own: Vec<&PackageRow> = rows(overview, &typed.package).filter(is_named).collect();
    let catalog = if own.is_empty() { String::new() } else { typed.catalog.clone() };
    if own.is_empty() {
        own = rows(overview, &typed.package).collect();
    }
    let channel = if own.iter().any(|row| row.channels.contains(&typed.channel)) { &*typed.channel } else { "" };
    SubscriptionForm {
        catalog,
        channel: channel.to_owned(),
        starting_csv: String::new(),
        installed: String::new(),
        ..typed.clone()
    }
}

fn rows<'a>(overview: &'a Overview, package: &'a str) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(move |row| row.key.package == package)
}
