//! The fields of a Subscription as they are typed.

use super::{FormStatus, Simulation};
use views::{Overview, PackageRow, SubscriptionField, SubscriptionForm};

impl Simulation {
    /// Changes a field. While a package is typed, the other fields stay as they are; see
    /// [`Simulation::leave_package_field`].
    pub(crate) fn set(&mut self, index: usize, field: SubscriptionField, text: String) {
        let before = self.before(index).cloned();
        let Some(form) = self.cluster.subscriptions.get_mut(index) else { return };
        match field {
            SubscriptionField::Name => form.name = text,
            SubscriptionField::Package => {
                let before = before.unwrap_or_else(|| form.clone());
                form.package = text;
                self.package_edit = Some((form.clone(), before));
            }
            SubscriptionField::Channel => form.channel = text,
            SubscriptionField::Catalog => form.catalog = text,
            SubscriptionField::StartingCsv => form.starting_csv = text,
            SubscriptionField::Installed => form.installed = text,
        }
    }

    /// The Subscription before its package was edited, if nothing else of it was changed since.
    fn before(&self, index: usize) -> Option<&SubscriptionForm> {
        let now = self.cluster.subscriptions.get(index)?;
        self.package_edit.as_ref().filter(|(typed, _)| typed == now).map(|(_, before)| before)
    }

    /// Handles that the user left the package field. If it names another loaded package now, this clears the fields
    /// that belong to the package before, and returns its name. A name that no loaded package has may be a typing error
    /// and clears nothing.
    pub(crate) fn leave_package_field(&mut self, index: usize, overview: &Overview) -> Option<String> {
        let before = self.before(index)?.clone();
        let typed = &self.cluster.subscriptions[index];
        if [&typed.package, &before.package].into_iter().any(|name| rows(overview, name).next().is_none()) {
            return None;
        }
        self.package_edit = None;
        let settled = without_foreign_fields(typed, overview);
        if settled == *typed || before.package == typed.package {
            return None;
        }
        let mut cluster = self.cluster.clone();
        cluster.subscriptions[index] = settled;
        let package = before.package.clone();
        self.cluster.subscriptions[index] = before;
        self.form_status = FormStatus::Ahead;
        self.replace_form(cluster);
        Some(package)
    }
}

/// The Subscription without the catalog and channel that its package does not have, and without CSVs, which belong to
/// the package before.
fn without_foreign_fields(typed: &SubscriptionForm, overview: &Overview) -> SubscriptionForm {
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

/// The rows of the packages with a name, one of each catalog that has it.
pub(super) fn rows<'a>(overview: &'a Overview, package: &'a str) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(move |row| row.key.package == package)
}
