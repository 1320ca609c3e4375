//! Types and reasons of conditions, and phases of CSVs, whose message says nothing more.

use super::*;

pub(super) const FORMS: &[Form] = &[
    of_state(r"\bRequiresApproval\b", StateId::PlanWaits),
    form(
        "^(?:Upgrade(?:Pending|Available)|InstallPlanPending(?:=True)?)$",
        None,
        "an installation or an update is planned; its InstallPlan decides: it waits for approval, is being executed, or failed",
        PENDING,
        "",
    ),
    form(
        "^AtLatestKnown$",
        None,
        "OLM has made the CSV of the Subscription, in whatever phase; this tells nothing about newer versions",
        LATEST,
        "",
    ),
    form(
        r"\bInstallPlanNotYetReconciled\b",
        Some(Verdict::Passes),
        "the InstallPlan was made a moment ago",
        "if it stays for more than a minute, delete the InstallPlan; OLM makes a new one",
        "",
    ),
    of_state("InstallPlanPending=True/Installing", StateId::PlanExecutes),
    form("^Installing$", Some(Verdict::Passes), "the installation is under way", "", ""),
    of_state("^InstallPlanFailed|Installed=False/InstallComponentFailed", StateId::PlanFailed),
    form(
        r"\bReferencedInstallPlanNotFound\b|^InstallPlanMissing(?:=True)?$",
        Some(Verdict::Acts),
        "an old InstallPlan was removed, which is harmless if the state of the Subscription is `AtLatestKnown`",
        "",
        "",
    ),
    of_state(
        r"\bUnpackingInProgress\b|^Bundle(?:Unpacking|Lookup(?:Pending|NotPersisted))(?:=True(?:/[^C]\w*)?)?$|\b(?:Job(?:Incomplete|NotStarted)|BundleNotUnpacked)$",
        StateId::Unpacking,
    ),
    of_state(
        "^BundleLookupFailed(?:=True|$)|^(?:DeadlineExceeded|BackoffLimitExceeded)$|^BundleUnpackFailed(?:=True(?:/[^E][A-Za-z]*)?)?$",
        StateId::UnpackFailed,
    ),
    form(
        r"\bUnhealthyCatalogSourceFound\b|^CatalogSourcesUnhealthy(?:=True(?:/CatalogSources\w+)?)?$",
        Some(Verdict::Acts),
        "a CatalogSource that the namespace sees is not healthy; by itself this stops nothing",
        "see `status.catalogHealth` of the Subscription for the one that is not healthy",
        "",
    ),
    form(
        r"\bTRANSIENT_FAILURE\b",
        Some(Verdict::Stuck),
        "the CatalogSource does not answer. OLM resolves nothing in any namespace that sees it, once what it knows of the catalog is \
         30 minutes old",
        CATALOG_POD,
        "",
    ),
    form(
        r"\b(?:ImagePullBackOff|ErrImagePull)\b",
        Some(Verdict::Stuck),
        "the image of a pod cannot be pulled",
        "see its message, which names the image and why: the registry may not have it, a mirror may lack it, a pull secret or the \
         platform may be wrong; Kubernetes tries again by itself. A default catalog of OpenShift that is not needed can be disabled in the \
         OperatorHub `cluster`",
        "",
    ),
    form(
        r"\bCrashLoopBackOff\b",
        Some(Verdict::Stuck),
        "a container of a pod ends again and again after its start",
        "look why it ended: `kubectl describe pod` has its exit code and the probes that fail, `kubectl logs --previous` its last words; with \
         the namespace",
        "",
    ),
    of_state(r"\bCONNECTING\b", StateId::CatalogConnects),
    of_state(
        r"^ResolutionFailed(?:=True(?:/(?<reason>\w+))?)?$|^(?:ConstraintsNotSatisfiable|ErrorPreventedResolution)$",
        StateId::ResolutionFails,
    ),
    form(
        "^constraints not satisfiable",
        Some(Verdict::Stuck),
        "no choice of bundles fits all Subscriptions of the namespace and what is installed, so OLM resolves nothing there; what runs goes on",
        "read what stands behind the colon: those sentences contradict each other. `opscope explain` takes the whole message, and `opscope \
         cluster` tries what helps",
        "",
    ),
    form(
        "^(?:Package|Channel|Bundle)?Deprecated(?:=True|$)",
        Some(Verdict::Acts),
        "the catalog deprecates what is installed or subscribed to; OLM updates it nevertheless",
        "",
        "",
    ),
    form(r"\bRequirementsUnknown\b", Some(Verdict::Passes), NOT_CHECKED, OLDER_CSV, KEEP_CSVS),
    form(
        "^(?:Failed/)?ComponentUnhealthy$",
        Some(Verdict::Stuck),
        "a Deployment of the CSV is not healthy; OLM tries again",
        PODS,
        KEEP_CSV,
    ),
    form(
        r"\bInstallComponentFailedNoRetry\b",
        Some(Verdict::Stuck),
        "the ServiceAccount of the OperatorGroup lacks rights, and OLM does not try again by itself",
        "give the ServiceAccount the rights that the message names",
        "",
    ),
    of_state(r"\bNoOperatorGroup\b", StateId::NoOperatorGroup),
    of_state(r"\b(?:TooManyOperatorGroups|MultipleOperatorGroup(?:sFound)?)\b", StateId::SeveralOperatorGroups),
    form(r"\bInterOperatorGroupOwnerConflict\b", Some(Verdict::Stuck), SHARED_API, ONE_OPERATOR, KEEP_GROUP),
    form(r"\bCannotModifyStaticOperatorGroupProvidedAPIs\b", Some(Verdict::Stuck), STATIC_APIS, GROUP, ""),
    form(r"\bOwnerConflict\b", Some(Verdict::Stuck), OWNED_API, ONE_OWNER, KEEP_CRD),
    of_state(r"\bRequirementsNotMet\b", StateId::CsvRequirements),
    form("Failed/InstallCheckFailed", Some(Verdict::Stuck), NOT_AVAILABLE, PODS, KEEP_CSV),
    form(
        r"\bInvalid(?:InstallStrategy|WebhookDescription|InstallModes)\b",
        Some(Verdict::Stuck),
        INVALID,
        OTHER_BUNDLE,
        "",
    ),
    form(
        r"\b(?:APIServiceInstallFailed|APIServiceResourceIssue)\b",
        Some(Verdict::Stuck),
        "an APIService of the CSV does not work; OLM tries again",
        API_PODS,
        "",
    ),
    form(r"\b(?:NoTargetNamespaces|UnsupportedOperatorGroup)\b", Some(Verdict::Stuck), UNFIT_GROUP, GROUP, KEEP_CSVS),
    form(
        r"(?:\b|_)IncompatibleOperatorsInstalled\b|^InstalledOLMOperatorsUpgradeable=False$",
        Some(Verdict::Waits),
        "operators that OLM installed stop updates of OpenShift to another minor version",
        "the message of the condition names them: `oc get clusteroperator operator-lifecycle-manager olm -o yaml`",
        "",
    ),
    of_state(r"\bOperatorConditionNotUpgradeable\b", StateId::NotUpgradeable),
    of_state(
        "Pending/Needs(?:Reinstall|CertRotation)|Pending/DetectedClusterChange|InstallReady|Installing/",
        StateId::CsvInstalls,
    ),
    form(
        "^(?:Progressing=False/)?(?<reason>InvalidConfiguration|Blocked)$",
        Some(Verdict::Stuck),
        "OLM v1 does not try again: {reason}",
        "correct the object",
        "",
    ),
    form(
        "^(?:Progressing=True/)?Retrying$",
        Some(Verdict::Stuck),
        "OLM v1 fails and tries again; its text tells whether that can help",
        "",
        "",
    ),
    form(
        "^Serving=False(?:/(?<reason>[^U][A-Za-z]*|Unavailable))?$|^Unavailable$",
        Some(Verdict::Stuck),
        "the ClusterCatalog is not served[ ({reason})]: extensions that select it are not resolved, unless its `availabilityMode` says so",
        "look at its condition `Progressing`",
        "",
    ),
];
