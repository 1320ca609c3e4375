//! Clusters of forms, for tests.

use crate::set_form;
use session::Workbench;
use views::{ClusterForm, SubscriptionForm};

pub(crate) fn form(subscriptions: &[SubscriptionForm]) -> ClusterForm {
    ClusterForm { subscriptions: subscriptions.to_vec(), ..ClusterForm::default() }
}

pub(crate) fn with_form(mut workbench: Workbench, form: &ClusterForm) -> Workbench {
    workbench.set_cluster("");
    set_form(&mut workbench, form);
    workbench
}
