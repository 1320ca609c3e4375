//! What `convert`, `rollback` and `cleanup` of the migration tool do.

use ::migration::{Cleanup, Conversion, Recovery};
use views::{ConversionView, RecoveryRow, RecoveryView};

pub(super) fn view(conversion: &Conversion) -> ConversionView {
    let Conversion { refusal, unknown, namespace, object_set, plan, .. } = conversion;
    let phases = object_set.iter().flat_map(|set| &set.phases);
    ConversionView {
        refusal: refusal.clone(),
        unknown: unknown.clone(),
        namespace: namespace.clone(),
        object_set: object_set.as_ref().map(|set| set.name.clone()),
        phases: phases.map(|phase| (phase.name.to_owned(), phase.objects.clone())).collect(),
        plan: plan.clone(),
    }
}

pub(super) fn recovery(recovery: &Recovery) -> RecoveryRow {
    let rollback = &recovery.rollback;
    let acknowledge = rollback.acknowledge.iter().map(|text| format!("without `--acknowledge-installed`: `{text}`"));
    let namespace = recovery.subscription.split('/').next().unwrap_or_default();
    let unknown = rollback.is_namespace_unknown.then(|| {
        format!("whether namespace `{namespace}` exists is not known, and without it the tool refuses: `source namespace \"{namespace}\" must exist before rollback can restore Subscription: …`")
    });
    let restored = rollback.restored.is_some().then(|| {
        "the Subscription gets the spec that was kept, and nothing else; no OperatorGroup and no ClusterServiceVersion is created again, and OLM v0 resolves the Subscription anew".to_owned()
    });
    let more = rollback.restored.is_some().then(|| {
        "further ClusterObjectSets of the extension, which the manifests may lack, are deleted, too".to_owned()
    });
    RecoveryRow {
        extension: recovery.extension.clone(),
        subscription: recovery.subscription.clone(),
        rollback: RecoveryView {
            refusal: rollback.refusal.clone(),
            deleted: rollback.deleted.clone(),
            notes: acknowledge.chain(unknown).chain(restored).chain(more).collect(),
        },
        restored: rollback.restored.as_ref().map(fbc::to_yaml),
        cleanup: recovery.cleanup.as_ref().map(cleanup),
    }
}

fn cleanup(cleanup: &Cleanup) -> RecoveryView {
    match cleanup {
        Cleanup::Refused(text) => RecoveryView { refusal: Some(text.clone()), deleted: Vec::new(), notes: Vec::new() },
        Cleanup::Deletes(deleted) => RecoveryView {
            refusal: None,
            deleted: deleted.clone(),
            notes: vec![
                "the ClusterExtension stays, and so do InstallPlans, the OperatorGroup, CustomResourceDefinitions and what runs; of the objects to delete, those that do not exist are passed over".to_owned(),
            ],
        },
    }
}
