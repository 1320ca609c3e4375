//! Clusters of forms, for tests.

use crate::set_form;
use session::Workbench;
use views::{ClusterForm, SubscriptionForm};

/// A form with these Subscriptions.
pub(crate) fn form(subscriptions: &[SubscriptionForm]) -> ClusterForm {
    ClusterForm { subscriptions: subscriptions.to_vec(), ..ClusterForm::default() }
}

/// A workbench with the cluster of a form.
pub(crate) fn with_form(mut workbench: Workbench, form: &ClusterForm) -> Workbench {
    workbench.set_cluster("");
    set_form(&mut workbench, form);
    workbench
}
