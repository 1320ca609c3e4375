//! What is about InstallPlans, bundles, CatalogSources, and the resolution of a namespace (operator-lifecycle-manager
//! `pkg/controller/operators/catalog/`, `pkg/controller/bundle/`, `pkg/controller/registry/`).

use super::*;

/// What OLM writes before what it found about the objects of a CustomResourceDefinition, with the word as it was spelled once.
macro_rules! existing_crs {
    ($rest:literal) => {
        concat!(
            r#"error validating existing CRs agains?t? new CRD's schema(?:(?: for "|: )(?<crd>[a-z0-9-]+\.[a-z0-9.-]+)"?)?: "#,
            $rest
        )
    };
}

pub(super) const FORMS: &[Form] = &[
    // InstallPlans.
    of_failed_plan(
        r#"risk of data loss updating "(?<crd>[^"]+)": new CRD removes version (?<version>\S+) that is listed as a stored version"#,
        "the InstallPlan cannot update the CustomResourceDefinition {crd}: the new one lacks version {version}, which the cluster \
         lists in `status.storedVersions`",
        "rewrite all objects of that CustomResourceDefinition in a version that stays, take the version out of its \
         `status.storedVersions`",
    ),
    // The newest form names the object in quotation marks, the one before it without them; older ones have the schema in its place.
    of_failed_plan(
        existing_crs!(
            r#"error listing resources in GroupVersionResource schema\.GroupVersionResource\{Group:"(?<group>[^"]*)", Version:"(?<version>[^"]*)", Resource:"(?<resource>[^"]*)"\}: conversion webhook for (?<api>\S+, Kind=\w+) failed: (?<text>(?:.*service "(?<service>[^"]+)" not found)?.*)"#
        ),
        "the cluster cannot read its {resource} of version {version}: the CustomResourceDefinition on the cluster converts them to {api} \
         with a webhook that does not answer[, because its Service {service} is gone]: {text}",
        "bring the webhook[ with its Service {service}] back, as by installing the former version of its operator again, or correct \
         `spec.conversion` of the CustomResourceDefinition [{crd}|on the cluster]",
    ),
    of_failed_plan(
        existing_crs!("error listing resources in GroupVersionResource (?<text>.+)"),
        "OLM cannot list the objects of [the CustomResourceDefinition {crd}|a \
         CustomResourceDefinition] to compare them with its new schema: {text}",
        "remove what keeps the API server from listing them",
    ),
    of_failed_plan(
        existing_crs!(
            r#"error validating (?:custom resource against new schema for (?<kind>\S+) |(?<api>.+?) ")(?<object>[^\s:"]+)"?: (?:updated validation is too restrictive: )?(?<fields>\[?(?:\[\])?\.?[\w.\[\]]+: Required value(?:, (?:\[\])?\.?[\w.\[\]]+: Required value)*\]?)"#
        ),
        "[{kind} ]{object} lacks {fields}, which the new schema of [the CustomResourceDefinition {crd}|its CustomResourceDefinition] requires",
        "add {fields} to {object}, or, if the present schema does not have that, ask the publisher for another bundle",
    ),
    of_failed_plan(
        existing_crs!(
            r#"error validating (?:custom resource against new schema for (?<kind>\S+) |(?<api>.+?) ")(?<object>[^\s:"]+)"?: (?<text>.+)"#
        ),
        "an object on the cluster, [{kind} ]{object}, does not fit the new schema of [the CustomResourceDefinition {crd}|its CustomResourceDefinition]: {text}",
        "change that object so that it fits the new schema",
    ),
    of_failed_plan(
        existing_crs!(r"error validating custom resource against new schema .*?\}: (?<text>.+)"),
        "an object on the cluster, which the text does not name, does not fit the new schema of [the CustomResourceDefinition {crd}|its CustomResourceDefinition]: {text}",
        "look for the object among those of the CustomResourceDefinition, and change it so that it fits the new schema",
    ),
    of_failed_plan(
        r#"(?:checking CRD for potential data loss updating|error finding the) "?(?<crd>[^"\s]+)"?(?: CRD)?: (?<text>.+)"#,
        "OLM cannot read the CustomResourceDefinition {crd} on the cluster, or not compare it with the new one: {text}",
        "remove the cause that the text names",
    ),
    form(
        r"pre-existing CRD owners found for owned CRD\(s\) of dependent CSV (?<csv>\S+)",
        Some(Verdict::Stuck),
        "another CSV owns a CustomResourceDefinition of {csv}",
        "remove one of the two installations",
        KEEP_CRD,
    ),
    form(
        r"Existing CSVs \[(?<csvs>[^\]]*)\] in namespace (?<namespace>\S+) all claim to own CRD (?<crd>\S+)",
        Some(Verdict::Stuck),
        "several CSVs of namespace {namespace} own the CustomResourceDefinition {crd}: {csvs}",
        "remove all but one of these installations",
        KEEP_CRD,
    ),
    form(
        r#"configmap "(?<configmap>[0-9a-f]{63})" not found"#,
        Some(Verdict::Stuck),
        "the unpacked bundle {configmap} of the InstallPlan is gone, as after its CatalogSource was replaced: the InstallPlan cannot \
         succeed",
        "delete the InstallPlan; OLM makes a new one from the present catalog",
        "",
    ),
    of_state(
        "retrying execution due to error: (?<text>.*(?:forbidden|operator group|service account exists).*)",
        StateId::PlanRetriesForever,
    ),
    of_state("retrying execution due to error: (?<text>.+)", StateId::PlanRetries),
    form(
        r"the InstallPlan contains invalid data|error parsing step manifest: \S+|couldn't find unpacked step for \S+",
        Some(Verdict::Stuck),
        "the objects of the bundle cannot be read from the InstallPlan",
        "delete the InstallPlan; if the new one fails in the same way, choose another version",
        "",
    ),
    form(
        "no operator group found that is managing this namespace",
        Some(Verdict::Stuck),
        "the InstallPlan is not executed: the namespace has no OperatorGroup, or the OperatorGroup has no target namespaces yet",
        "create one OperatorGroup that fits the install modes; the InstallPlan then goes on by itself",
        "",
    ),
    of_state(
        r"more than one operator group\(s\) are managing this namespace count=(?<count>\d+)",
        StateId::SeveralOperatorGroups,
    ),
    of_state(
        r"please make sure the service account exists\. sa=(?<account>\S+) operatorgroup=(?<group>\S+)",
        StateId::OperatorGroupAccount,
    ),
    // Bundles. The first one is of an InstallPlan, before OLM 0.25.
    form(
        r"Bundle unpacking failed\. Reason: (?<reason>DeadlineExceeded|BackoffLimitExceeded)",
        Some(Verdict::Stuck),
        "OLM could not unpack a bundle ({reason}); mostly its image could not be pulled. It tries again only once the failed Job and the \
         failed InstallPlan are deleted",
        "make the image of the bundle (not of the catalog) pullable: mirror, pull secret, platform; then delete the failed Job, in the \
         namespace of the CatalogSource, with its ConfigMap",
        "",
    ),
    form(
        r"(?i:bundle unpacking failed)\W.*?(?<reason>DeadlineExceeded|BackoffLimitExceeded)",
        Some(Verdict::Stuck),
        "OLM could not unpack a bundle in time ({reason}); mostly its image cannot be pulled. All Subscriptions of the namespace wait. \
         OLM 0.43 and later try again after about five minutes",
        PULLABLE,
        "",
    ),
    form(
        "Bundle image pull failed",
        Some(Verdict::Stuck),
        "the image of a bundle cannot be pulled; OLM tries for about ten minutes, and again after five more. All Subscriptions of the \
         namespace wait",
        PULLABLE,
        "",
    ),
    form(
        r"bundle CSV (?<csv>\S+) missing (?<field>APIVersion|Kind)",
        Some(Verdict::Stuck),
        "the CSV {csv} in its bundle has no {field}",
        OTHER_BUNDLE,
        "",
    ),
    form(
        "error ensuring InstallPlan: (?<text>.+)",
        Some(Verdict::Passes),
        "OLM could not write the InstallPlan: {text}",
        "",
        "",
    ),
    form(
        "referenced catalogsource not found",
        Some(Verdict::Stuck),
        "the CatalogSource that the InstallPlan takes a bundle from does not exist",
        "delete the InstallPlan; OLM makes a new one from the present catalogs",
        "",
    ),
    // CatalogSources.
    of_state(
        r"error using catalogsource (?<catalog>[^\s:]+): .*(?<connection>no registry client established)",
        StateId::CatalogNotReached,
    ),
    of_state(
        r"error using catalogsource (?<catalog>[^\s:]+): failed to list bundles: (?<text>.+?)\]?(?:,|$)",
        StateId::CatalogNotReached,
    ),
    form(
        r#"(?:\{(?<package>\S+) \S*\s*\{(?<catalog>\S+ \S+)\}\} not found: )?rpc error: code = Unavailable desc = (?<text>[^\n]*dial(?:ing)?:?(?: dial)? tcp \S+:50051[^\n]*)"#,
        Some(Verdict::Stuck),
        "the CatalogSource[ {catalog} (name before namespace), which is to have {package},] does not answer, so OLM resolves nothing in \
         any namespace that sees it: {text}",
        CATALOG_POD,
        "",
    ),
    form(
        r"failed to populate resolver cache from source (?<catalog>[^\s:]+): (?<text>.+)",
        Some(Verdict::Stuck),
        "the CatalogSource {catalog} (name before namespace) does not answer, so OLM resolves nothing in any namespace that sees it: \
         {text}",
        CATALOG_POD,
        "",
    ),
    form(
        r"error using catalogsource @existing\S*: .*in phase (?<phase>\w+) instead of Replacing",
        Some(Verdict::Passes),
        "with fail-forward, OLM waits until the older CSV is `Replacing`; now it is {phase}",
        "",
        KEEP_CSVS,
    ),
    form(
        r"targeted catalogsource (?<catalog>\S+) missing",
        Some(Verdict::Stuck),
        "the namespace does not see the CatalogSource {catalog} that the Subscription names: it sees those of its own and of the global \
         namespace",
        "correct `spec.source` and `spec.sourceNamespace` of the Subscription, or create the CatalogSource",
        "do not delete the Subscription",
    ),
    form(
        r"targeted catalogsource (?<catalog>\S+) unhealthy",
        Some(Verdict::Passes),
        "the objects that serve the CatalogSource {catalog} are not as they should be; OLM repairs them",
        "if it stays, look at its pod",
        "",
    ),
    form(
        "dependency resolution requires at least one catalogsource",
        Some(Verdict::Stuck),
        "the namespace sees no CatalogSource",
        "create the CatalogSource that the Subscription names",
        "",
    ),
    form(
        r"configmap name unset: must be set for sourcetype: \S+|image and address unset: at least one must be set for sourcetype: grpc|(?:unknown sourcetype:|no reconciler for source type) \S*",
        Some(Verdict::Stuck),
        "the CatalogSource is not valid: it names neither an image nor an address, or a `sourceType` that OLM does not know",
        "correct `spec.sourceType`, `spec.image` or `spec.address`",
        "",
    ),
    form(
        r"(?:couldn't ensure registry server - .*)?update pod (?<pod>\S+) in a Failed state: deleted update pod",
        Some(Verdict::Acts),
        "the new image of the catalog does not start (pod {pod}); the old pod serves on",
        "look why the new image of the catalog does not start",
        "",
    ),
    form(
        "couldn't (?:connect to|ensure) registry(?: server)?(?: - (?<text>.+))?",
        Some(Verdict::Stuck),
        "OLM cannot start or reach the pod that serves the CatalogSource[: {text}]",
        "look at the pod of the CatalogSource: image, pull secret, security policy",
        "",
    ),
    form(
        r#"cannot construct catalog image reference, because variable\(s\) "(?<variable>[^"]+)" could not be resolved"#,
        Some(Verdict::Acts),
        "the image of the CatalogSource has the variable {variable}, which OLM cannot fill in; the former image stays",
        "correct the annotation `olm.catalogImageTemplate`",
        "",
    ),
    // The status of a Subscription without a condition that decides.
    form(
        r"state: UpgradePending, currentCSV: (?<csv>[^\s,]+), installedCSV:(?: (?<installed>\S+))?",
        None,
        "[an update from {installed} to {csv}|the installation of {csv}] is planned (`UpgradePending`); its InstallPlan decides, which is \
         not in the text: it waits for approval, is being executed, or failed",
        PENDING,
        "",
    ),
    form(
        r"state: AtLatestKnown, currentCSV: (?<csv>[^\s,]+), installedCSV:(?: (?<installed>\S+))?",
        None,
        "OLM has made the ClusterServiceVersion {csv}, in whatever phase; this tells nothing about newer versions",
        LATEST,
        "",
    ),
    // Errors that stop a resolution.
    form(
        r#"no channel heads \(entries not replaced by another entry\) found in channel "(?<channel>[^"]+)" of package "(?<package>[^"]+)""#,
        Some(Verdict::Stuck),
        "each entry of channel {channel} of package {package} is replaced by another one; OLM resolves nothing in the namespace",
        "choose another channel or catalog until the catalog is corrected",
        "",
    ),
    form(
        r#"a cycle exists in the chain of replacement beginning with "(?<csv>[^"]+)" in channel "(?<channel>[^"]+)" of package "(?<package>[^"]+)""#,
        Some(Verdict::Stuck),
        "the entries of channel {channel} of package {package} replace each other in a circle; OLM resolves nothing in the namespace",
        "choose another channel or catalog until the catalog is corrected",
        "",
    ),
    form(
        r#"a unique replacement chain within a channel is required .*? in channel "(?<channel>[^"]+)" of package "(?<package>[^"]+)""#,
        Some(Verdict::Stuck),
        "channel {channel} of package {package} has several heads; OLM resolves nothing in the namespace",
        "choose another channel or catalog until the catalog is corrected",
        "",
    ),
    form(
        // The next lines show the rule, with a mark below the place.
        r"(?:parse|convert) olm\.constraint[^:]*: (?<text>.+)(?:\n(?: \| |ERROR: ).*)*",
        Some(Verdict::Stuck),
        "OLM cannot read an `olm.constraint` of a bundle that it considers, and resolves nothing in the namespace: {text}",
        "choose another version or catalog; in CEL, OLM knows `semver_compare(a, b)` and not `semver(a)`",
        "",
    ),
    form(
        r#"Could not (?:get version from string|parse Range)[: ]+"?(?<text>[^"]*)"#,
        Some(Verdict::Stuck),
        "a bundle that OLM considers has a version or a range that it cannot read: {text}. It resolves nothing in the namespace",
        "choose another version or catalog",
        "",
    ),
    form(
        "cancelled before a solution could be found|duplicate identifier .+ in input",
        Some(Verdict::Passes),
        "the resolver of OLM stopped; OLM tries again",
        "",
        "",
    ),
];
