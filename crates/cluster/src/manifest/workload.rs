//! Reads the pods and Jobs that OLM runs beside operators (operator-lifecycle-manager `pkg/controller/registry/reconciler/`,
//! `pkg/controller/bundle/bundle_unpacker.go`).

use super::fields::Fields;
use crate::workload::{FailingWorkload, WorkloadFault};

/// Why a pod or a Job of OLM fails; an empty answer if it does not fail. `None` for an object that OLM did not make.
pub(super) fn read(fields: &Fields<'_, '_>, kind: &str, api_version: &str) -> Option<Option<FailingWorkload>> {
    let is_job = match (kind, api_version) {
        ("Pod", "" | "v1") => false,
        ("Job", "" | "batch/v1") => true,
        _ => return None,
    };
    let metadata = fields.part("metadata");
    let (labels, status) = (metadata.part("labels"), fields.part("status"));
    let serves = labels.non_empty("olm.catalogSource");
    let containers = [status.parts("initContainerStatuses"), status.parts("containerStatuses")].concat();
    // The container of this name pulls the bundle.
    let is_pull = |container: &Fields<'_, '_>| container.text("name") == Some("pull");
    let unpacks = match is_job {
        true => labels.place("operatorframework.io/bundle-unpack-ref").is_some(),
        false => labels.place("job-name").is_some() && containers.iter().any(is_pull),
    };
    if serves.is_none() && !unpacks {
        return None;
    }
    let fault = if is_job {
        let pull = fields.part("spec").part("template").part("spec").parts("initContainers").into_iter().find(is_pull);
        let image = pull.and_then(|pull| pull.text("image")).unwrap_or_default();
        condition(&status, "Failed", "True").map(|(fault, message)| (fault, image, message))
    } else {
        let unscheduled = condition(&status, "PodScheduled", "False").map(|(fault, message)| (fault, "", message));
        containers.iter().find_map(container_fault).or(unscheduled)
    };
    Some(fault.map(|(fault, image, message)| FailingWorkload {
        namespace: metadata.text("namespace").unwrap_or_default().into(),
        name: metadata.text("name").unwrap_or_default().into(),
        serves: serves.map(Into::into),
        is_job,
        image: image.into(),
        fault,
        message:
            message.trim_start_matches(&format!("Back-off pulling image \"{image}\"")).trim_start_matches(": ").into(),
    }))
}

fn condition<'n>(status: &Fields<'n, '_>, kind: &str, of: &str) -> Option<(WorkloadFault, &'n str)> {
    let mut conditions = status.parts("conditions").into_iter();
    let found = conditions.find(|one| one.text("type") == Some(kind) && one.text("status") == Some(of))?;
    let reason = found.text("reason").unwrap_or_default();
    Some((WorkloadFault::Other(reason.into()), found.text("message").unwrap_or_default()))
}

/// Why a container does not run, with its image and what Kubernetes says.
fn container_fault<'n>(container: &Fields<'n, '_>) -> Option<(WorkloadFault, &'n str, &'n str)> {
    let waiting = container.part("state").part("waiting");
    let ended = |state: &str| container.part(state).part("terminated").text("reason") == Some("OOMKilled");
    let out_of_memory = ended("state") || ended("lastState");
    let fault = match waiting.text("reason") {
        Some("ImagePullBackOff" | "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull") => WorkloadFault::Pull,
        _ if out_of_memory && !container.is_true("ready") => WorkloadFault::OutOfMemory,
        Some("CrashLoopBackOff") => WorkloadFault::Restarts,
        None | Some("ContainerCreating" | "PodInitializing") => return None,
        Some(other) => WorkloadFault::Other(other.into()),
    };
    // Of a container that was started, Kubernetes says only how long it waits.
    let was_started = matches!(fault, WorkloadFault::Restarts | WorkloadFault::OutOfMemory);
    let message = if was_started { None } else { waiting.text("message") };
    Some((fault, container.text("image").unwrap_or_default(), message.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use crate::{FailingWorkload, WorkloadFault};
    use source::FileId;

    /// What the manifest of a pod with this label and the state of its only container says.
    fn pod(label: &str, container: &str) -> Option<FailingWorkload> {
        let text = format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: c-x, namespace: m, labels: {{{label}}}}}\n\
             status: {{initContainerStatuses: [{{name: pull, image: i, {container}}}]}}\n"
        );
        crate::read(FileId(0), &text).cluster.failing_workloads.pop()
    }

    #[test]
    fn pods_of_catalogs_and_bundles_say_why_they_fail() {
        let fault = |label: &str, container: &str| {
            pod(label, container).map(|pod| (pod.serves.is_some(), pod.fault, pod.message))
        };
        let waits = |reason: &str| {
            format!("state: {{waiting: {{reason: {reason}, message: 'Back-off pulling image \"i\": denied'}}}}")
        };
        let (catalog, bundle) = ("olm.catalogSource: c", "job-name: c");
        assert_eq!(fault(catalog, &waits("ImagePullBackOff")), Some((true, WorkloadFault::Pull, "denied".into())));
        assert_eq!(fault(bundle, &waits("ErrImagePull")), Some((false, WorkloadFault::Pull, "denied".into())));
        assert_eq!(fault("app: c", &waits("ErrImagePull")), None, "it is none of OLM's");
        assert_eq!(fault(catalog, &waits("ContainerCreating")), None);
        assert_eq!(fault(catalog, "state: {running: {}}, ready: true"), None);
        let crash = waits("CrashLoopBackOff");
        assert_eq!(fault(catalog, &crash), Some((true, WorkloadFault::Restarts, "".into())));
        let killed = format!("{crash}, lastState: {{terminated: {{reason: OOMKilled}}}}");
        assert_eq!(fault(catalog, &killed).map(|(_, fault, _)| fault), Some(WorkloadFault::OutOfMemory));
        let other = fault(catalog, &waits("CreateContainerConfigError")).map(|(_, fault, _)| fault);
        assert_eq!(other, Some(WorkloadFault::Other("CreateContainerConfigError".into())));
    }
}
