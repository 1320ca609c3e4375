//! A pod or a Job that keeps a catalog or a bundle from coming up, in words.

use cluster::{FailingWorkload, WorkloadFault};
use source::{ShellCommand, one_line};

/// Why it fails.
pub(super) fn sentence(workload: &FailingWorkload) -> String {
    let FailingWorkload { namespace, name, serves, is_job, image, fault, message } = workload;
    let kind = if *is_job { "Job" } else { "pod" };
    let what = match serves {
        Some(_) => format!("its {kind} `{name}`"),
        None => format!("the {kind} `{name}` in namespace `{namespace}`"),
    };
    let image = if image.is_empty() { String::new() } else { format!(" `{image}`") };
    let fails = match fault {
        WorkloadFault::Pull if image.is_empty() => "cannot pull its image".to_owned(),
        WorkloadFault::Pull => format!("cannot pull{image}"),
        WorkloadFault::OutOfMemory => {
            "was ended, because it needed more memory than it may have (`OOMKilled`)".to_owned()
        }
        WorkloadFault::Restarts => "ends again and again after its start (`CrashLoopBackOff`)".to_owned(),
        WorkloadFault::Other(reason) if *is_job => format!("could not unpack{image} (`{reason}`)"),
        WorkloadFault::Other(reason) => format!("does not run (`{reason}`)"),
    };
    let message = if message.is_empty() { String::new() } else { format!(": {}", one_line(message)) };
    format!("{what} {fails}{message}")
}

/// What helps it. `first` is what helps in general.
pub(super) fn advice(workload: &FailingWorkload, first: Option<&str>) -> String {
    let FailingWorkload { namespace, name, serves, is_job, image, fault, .. } = workload;
    let of = |command: &'static str| ShellCommand::new(command).word(name).with("-n").word(namespace);
    let describe = || of(if *is_job { "kubectl describe job" } else { "kubectl describe pod" });
    match (fault, serves) {
        (WorkloadFault::Pull, Some(_)) => format!(
            "let it pull `{image}`: correct `spec.image` of the CatalogSource, or name a pull secret in its `spec.secrets`; OLM then goes \
             on by itself: `{}`",
            describe()
        ),
        (WorkloadFault::OutOfMemory, Some(_)) => format!(
            "give it more memory with `spec.grpcPodConfig.memoryTarget` of the CatalogSource; OLM then goes on by itself: `{}`",
            describe()
        ),
        (WorkloadFault::Restarts, Some(_)) => format!(
            "look why it ended; a large catalog that is ended before it listens needs more memory \
             (`spec.grpcPodConfig.memoryTarget` of the CatalogSource): `{}`",
            of("kubectl logs").with("--previous")
        ),
        (_, Some(_)) => format!("look at its events: `{}`", describe()),
        (_, None) => format!("{}: `{}`", first.unwrap_or("look at its events"), describe()),
    }
}
