//! What is about CSVs and OperatorGroups (operator-lifecycle-manager `pkg/controller/operators/olm/`).

use super::*;

pub(super) const FORMS: &[Form] = &[
    // CSVs.
    of_state("operator is not upgradeable: (?:the operator is not upgradeable: )?(?<text>.+)", StateId::NotUpgradeable),
    form(
        r"CSV version requirement not met: minKubeVersion \((?<version>[^)]*)\) > server version \((?<server>[^)]*)\)",
        Some(Verdict::Stuck),
        "the CSV requires Kubernetes {version}, and the cluster has {server}",
        "update the cluster, or choose an older version of the operator",
        "",
    ),
    form(
        "CSV version parsing error",
        Some(Verdict::Stuck),
        "OLM cannot parse the `minKubeVersion` of the CSV, so that no cluster meets it",
        "release a version whose `minKubeVersion` has three numbers, as in `1.27.0`",
        "do not wait for an update of the cluster: it does not help",
    ),
    form(
        r"CRD installed alongside other CSV\(s\): (?<csvs>.+)",
        Some(Verdict::Stuck),
        "the InstallPlan has not updated a CustomResourceDefinition that {csvs} installed: it is not that far yet, or it failed",
        "look at the InstallPlan of the CSV",
        KEEP_CRD,
    ),
    form(
        "CRD version not served",
        Some(Verdict::Stuck),
        "the CustomResourceDefinition does not serve a version that the CSV needs, as for an older CSV after an update changed it",
        "let the newer CSV take over",
        "do not set the CustomResourceDefinition back",
    ),
    form(
        "Policy rule not satisfied for service account",
        Some(Verdict::Stuck),
        "a ServiceAccount of the CSV lacks rights that the CSV asks for",
        "give the ServiceAccount the rights again; OLM grants them only once, with the InstallPlan",
        "",
    ),
    of_state(
        "one or more requirements couldn't be found|requirements no longer met|requirements not met",
        StateId::CsvRequirements,
    ),
    form(
        r"(?:being|to be) replaced by csv: (?<csv>\S+)",
        Some(Verdict::Passes),
        "{csv} takes the place of this CSV, which runs until then",
        "look at the phase of {csv}: it decides",
        "do not delete this CSV: its operator still runs",
    ),
    form(
        "has been replaced by a newer ClusterServiceVersion that has successfully installed",
        Some(Verdict::Passes),
        "the CSV is removed; the newer one runs",
        "",
        "",
    ),
    form(
        r"deployment (?<deployment>\S+) not ready before timeout: (?<text>.+)",
        Some(Verdict::Stuck),
        "the Deployment {deployment} does not become available; OLM tries again: {text}",
        PODS,
        KEEP_CSV,
    ),
    form("install timeout", Some(Verdict::Stuck), NOT_AVAILABLE, PODS, KEEP_CSV),
    form(
        r#"install strategy failed: Deployment\.apps "(?<deployment>[^"]+)" is invalid: spec\.selector: .*?field is immutable"#,
        Some(Verdict::Stuck),
        "the new version selects the pods of the Deployment {deployment} by other labels than the old one, which Kubernetes does not let \
         anybody change; OLM tries again",
        "delete the Deployment {deployment}, which OLM then makes anew: the operator is away for a moment, and what it manages stays; then \
         see whether the CSV goes on",
        KEEP_CSV,
    ),
    form(
        "install strategy failed: (?<text>.*forbidden.*)",
        Some(Verdict::Stuck),
        "the ServiceAccount of the OperatorGroup lacks rights, and OLM does not try again by itself: {text}",
        "give the ServiceAccount the rights that the message names",
        "",
    ),
    of_state(
        "Cluster resources changed state|all requirements found, attempting install|waiting for install components to report healthy|\
         CSV owns resources that require a cert refresh|owned APIServices need cert refresh|\
         InstallModes now support target namespaces|OperatorGroup no longer intersecting with conflicting owner|\
         static OperatorGroup and intersecting groups now support providedAPIs",
        StateId::CsvInstalls,
    ),
    form("requirements not yet checked", Some(Verdict::Passes), NOT_CHECKED, OLDER_CSV, KEEP_CSVS),
    form(
        "no targetNamespaces are matched operatorgroups namespace selection|csv missing olm.targetNamespaces annotation",
        Some(Verdict::Stuck),
        "the OperatorGroup selects no namespace, so the CSV has no targets",
        GROUP,
        KEEP_CSVS,
    ),
    form(
        "APIService install failed: (?<text>.+)",
        Some(Verdict::Stuck),
        "OLM could not install an APIService of the CSV and tries again: {text}",
        API_PODS,
        "",
    ),
    form(
        "conflicting CRD owner in namespace|crd owner conflict: CRD owned by another ClusterServiceVersion|unable to adopt APIService",
        Some(Verdict::Stuck),
        OWNED_API,
        ONE_OWNER,
        KEEP_CRD,
    ),
    form(
        "CSV contains repeated WebhookDescription name|webhook rules cannot include |InstallMode list contains duplicates|\
         install strategy invalid: .+",
        Some(Verdict::Stuck),
        INVALID,
        OTHER_BUNDLE,
        "",
    ),
    form("install strategy completed with no errors", Some(Verdict::Acts), "the operator runs", "", ""),
    form(
        r"The operator is running in (?<namespace>\S+) but is managing this namespace",
        Some(Verdict::Acts),
        "this is a copy: the operator is installed in namespace {namespace}",
        "",
        "",
    ),
    // OperatorGroups.
    of_state("csv in namespace with no operatorgroups|found 0 operatorGroups, expected 1", StateId::NoOperatorGroup),
    of_state(
        r"csv created in namespace with multiple operatorgroups|Multiple OperatorGroup found in the same namespace|found (?<count>\d+) operatorGroups, expected 1",
        StateId::SeveralOperatorGroups,
    ),
    form(
        r"(?<mode>\w+) InstallModeType not supported, (?<text>cannot configure to watch .+)",
        Some(Verdict::Stuck),
        "the CSV does not support the targets of its OperatorGroup ({mode}): {text}",
        "change the target namespaces of the OperatorGroup so that they fit the install modes of the CSV, which then goes on by itself; if \
         other operators share the OperatorGroup, install this one in a namespace of its own",
        KEEP_CSVS,
    ),
    form(
        "intersecting operatorgroups provide the same apis",
        Some(Verdict::Stuck),
        SHARED_API,
        ONE_OPERATOR,
        KEEP_GROUP,
    ),
    form(
        "static provided api operatorgroup cannot be modified by these apis",
        Some(Verdict::Stuck),
        STATIC_APIS,
        GROUP,
        "",
    ),
    of_state(r"ServiceAccount (?<account>\S+) not found", StateId::OperatorGroupAccount),
    of_state(
        r"failed to parse unpack (?:timeout|retry) annotation\((?<annotation>[^:)]+)(?:: [^)]*)?\)(?:: (?<text>.+))?",
        StateId::OperatorGroupAnnotation,
    ),
];
