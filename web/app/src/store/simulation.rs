//! The form of Subscriptions and the answer to it.

use super::Shared;
use views::{ClusterForm, SimulationView, SubscriptionForm};

/// Subscriptions and what becomes of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    /// The Subscriptions.
    pub cluster: ClusterForm,
    /// They were run once, so that every change runs them again.
    pub ran: bool,
    /// The answer.
    pub view: Option<Shared<SimulationView>>,
    /// The outcome shown, an index.
    pub outcome: usize,
    /// The Subscription that was removed last, and its index.
    pub removed: Option<(usize, SubscriptionForm)>,
}

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
    /// Changes a field. Another package takes the fields with it that belong to the old one.
    pub(crate) fn set(&mut self, index: usize, field: Field, text: String) {
        let Some(form) = self.cluster.subscriptions.get_mut(index) else { return };
        match field {
            Field::Name => form.name = text,
            Field::Package if form.package != text => {
                *form = SubscriptionForm {
                    name: std::mem::take(&mut form.name),
                    package: text,
                    approval: form.approval,
                    ..SubscriptionForm::default()
                };
            }
            Field::Package => {}
            Field::Channel => form.channel = text,
            Field::Catalog => form.catalog = text,
            Field::StartingCsv => form.starting_csv = text,
            Field::Installed => form.installed = text,
        }
    }

    /// The Subscription to a package, added when there is none.
    pub(crate) fn subscription_to(&mut self, package: &str) -> &mut SubscriptionForm {
        let forms = &mut self.cluster.subscriptions;
        let index = forms.iter().position(|form| form.package == package).unwrap_or_else(|| {
            forms.push(SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() });
            forms.len() - 1
        });
        &mut forms[index]
    }

    /// Takes a Subscription out, to be put back by [`Simulation::restore`].
    pub(crate) fn remove(&mut self, index: usize) -> Option<String> {
        if index >= self.cluster.subscriptions.len() {
            return None;
        }
        let form = self.cluster.subscriptions.remove(index);
        let package = form.package.clone();
        self.removed = Some((index, form));
        Some(package)
    }

    /// Puts the Subscription back that was removed last.
    pub(crate) fn restore(&mut self) {
        if let Some((index, form)) = self.removed.take() {
            let index = index.min(self.cluster.subscriptions.len());
            self.cluster.subscriptions.insert(index, form);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_package_forgets_the_channel() {
        let mut simulation = Simulation::default();
        simulation.subscription_to("a").channel = "stable".to_owned();
        simulation.set(0, Field::Package, "b".to_owned());
        assert_eq!(simulation.cluster.subscriptions[0].package, "b");
        assert_eq!(simulation.cluster.subscriptions[0].channel, "");
    }

    #[test]
    fn a_removed_subscription_comes_back_where_it_was() {
        let mut simulation = Simulation::default();
        for package in ["a", "b", "c"] {
            simulation.subscription_to(package);
        }
        assert_eq!(simulation.remove(1).as_deref(), Some("b"));
        assert_eq!(simulation.remove(7), None);
        simulation.restore();
        let packages: Vec<_> = simulation.cluster.subscriptions.iter().map(|form| form.package.as_str()).collect();
        assert_eq!(packages, ["a", "b", "c"]);
    }
}
