//! What is about OLM v1 (operator-controller `internal/operator-controller/controllers/common_controller.go`,
//! `internal/catalogd/controllers/core/`).

use super::*;

/// What OLM v1 writes before what it says about the bundle that it chose; some releases leave it out.
macro_rules! of_bundle {
    ($rest:literal) => {
        of_bundle!("", $rest)
    };
    ($between:literal, $rest:literal) => {
        concat!(
            r#"(?:error for resolved bundle "(?<csv>[^"]+)" with version "(?<version>[^"]+)": "#,
            $between,
            ")?",
            $rest
        )
    };
}

pub(super) const FORMS: &[Form] = &[
    form(
        of_bundle!(r#"validating upgrade for CRD "(?<crd>[^"]+)"(?: failed)?: (?<text>.+)"#),
        Some(Verdict::Stuck),
        "[OLM v1 chooses {csv} and refuses it|OLM v1 refuses the bundle that it chooses], because its CustomResourceDefinition {crd} would \
         break objects: {text}",
        "pin an older version with `spec.source.catalog.version`; `opscope crd` compares both CustomResourceDefinitions. If the change \
         harms no object, as that of a description, `spec.install.preflight.crdUpgradeSafety.enforcement: None` lets it pass",
        "do not delete the CustomResourceDefinition: that deletes all its objects",
    ),
    // The ServiceAccount, which OLM v1 uses before v1.11.
    form(
        of_bundle!(
            "pre-authorization failed: (?:service account requires the following permissions to manage cluster extension:? ?)?(?<text>.+)"
        ),
        Some(Verdict::Stuck),
        "the ServiceAccount of the ClusterExtension lacks rights[ to install {csv}]: {text}",
        "give the ServiceAccount that `spec.serviceAccount` of the ClusterExtension names, in its `spec.namespace`, these rules: with a \
         ClusterRole and a ClusterRoleBinding, or a Role and a RoleBinding for rules with a namespace; OLM v1 then goes on by itself. \
         From v1.11 on it needs no such rights",
        "",
    ),
    form(
        of_bundle!(
            ".*?",
            r#"(?:[\w.-]+ "[^"]*" is forbidden: )?User "system:serviceaccount:(?<namespace>[^":]+):(?<account>[^"]+)" cannot (?<verb>[\w*]+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]+)?"(?: in the namespace "(?<target>[^"]+)")?"#
        ),
        Some(Verdict::Stuck),
        "the ServiceAccount {account} of namespace {namespace} may not {verb} {resource}[ of API group {group}][ in namespace {target}][, \
         which the installation of {csv} needs]",
        "give it this rule, with [a Role and a RoleBinding in namespace {target}|a ClusterRole and a ClusterRoleBinding]; OLM then goes on \
         by itself. OLM v1 names one rule at a time: those of the bundle follow, too",
        "",
    ),
    form(
        of_bundle!(
            ".*?",
            r#"(?:[\w.-]+ "[^"]*" is forbidden: )?user "system:serviceaccount:(?<namespace>[^":]+):(?<account>[^"]+)"(?: \(groups=\[[^\]]*\]\))? is attempting to grant RBAC permissions not currently held:\s*(?<text>.+)"#
        ),
        Some(Verdict::Stuck),
        "the ServiceAccount {account} of namespace {namespace} may not grant rights that it lacks itself[, which the installation of {csv} \
         needs]: {text}",
        "give it these rules, with a ClusterRole and a ClusterRoleBinding, or the verbs `bind` and `escalate` for roles; OLM then goes on \
         by itself",
        "",
    ),
    form(
        of_bundle!(
            ".*?",
            r#"(?:installation cannot proceed due to missing ServiceAccount|(?:Unable to authenticate with Kubernetes cluster using ServiceAccount|service ?accounts?) "(?<account>[^"]+)"(?:: +ServiceAccount "[^"]+")? not found(?: in namespace "(?<namespace>[^"]+)")?)"#
        ),
        Some(Verdict::Stuck),
        "the ServiceAccount[ {account}][ of namespace {namespace}] that the ClusterExtension names does not exist",
        "create it in `spec.namespace` of the ClusterExtension, with the rights that the bundle needs; OLM v1 then goes on by itself",
        "",
    ),
    form(
        of_bundle!(
            r#"(?:validating bundle "[^"]+": )?bundle "(?<bundle>[^"]+)" has a dependency declared via property "(?<property>[^"]+)" which is currently not supported"#
        ),
        Some(Verdict::Stuck),
        "OLM v1 chooses {bundle} and refuses it, because it has a dependency (property {property}): OLM v1 installs none, and chooses no \
         other version instead",
        "pin a version without dependencies with `spec.source.catalog.version`, if there is one, or install the operator with a \
         Subscription of OLM v0",
        "",
    ),
    form(
        of_bundle!("(?:unsupported bundle: )?webhookDefinitions are not supported"),
        Some(Verdict::Stuck),
        "[OLM v1 chooses {csv} and cannot install it|the bundle cannot be installed]: it has webhooks, and this OLM v1 has nothing that \
         makes their certificates",
        "use a newer OLM v1, which installs webhooks; until then pin a version without them with `spec.source.catalog.version`, if there \
         is one, or install the operator with a Subscription of OLM v0",
        "",
    ),
    form(
        of_bundle!(r#"invalid ClusterExtension configuration: invalid configuration: unknown field "(?<field>[^"]+)""#),
        Some(Verdict::Stuck),
        "[{csv}|the bundle] has no setting {field}, which the ClusterExtension has: a bundle that only supports all namespaces has no \
         `watchNamespace`",
        "remove {field} from `spec.config.inline` of the ClusterExtension; OLM v1 then goes on by itself",
        "",
    ),
    form(
        r#"error for resolved bundle "(?<csv>[^"]+)" with version "(?<version>[^"]+)": (?<text>unsupported bundle: .+)"#,
        Some(Verdict::Stuck),
        "OLM v1 chooses {csv} and cannot install it: {text}",
        "choose a version that OLM v1 supports, or the configuration that the text asks for",
        "",
    ),
    form(
        r#"error for resolved bundle "(?<csv>[^"]+)" with version "(?<version>[^"]+)": (?<text>.+)"#,
        Some(Verdict::Stuck),
        "OLM v1 chooses {csv}, and its installation fails: {text}. OLM v1 tries again",
        "remove the cause that the text names",
        "",
    ),
    form(
        r#"(?:error upgrading from currently installed version "(?<from>[^"]+)": )?no bundles found for package "(?<package>[^"]+)"(?<text>.*)"#,
        Some(Verdict::Stuck),
        "no catalog that the ClusterExtension selects has a fitting bundle of package {package}{text}[, to which an update leads from the \
         installed version {from}]",
        "compare `version`, `channels` and the selector of the ClusterExtension with the catalogs[; from {from} an update goes to a bundle \
         that replaces or skips it, one step after the other]",
        "",
    ),
    form(
        r#"found bundles for package "(?<package>[^"]+)"(?: matching version "[^"]*")?(?: in channels \[[^\]]*\])? in multiple catalogs with the same priority \[?(?<text>[^\]]*)"#,
        Some(Verdict::Stuck),
        "several ClusterCatalogs of the same priority have package {package}: {text}",
        "give one of them a higher `spec.priority`, or select one with `spec.source.catalog.selector` of the ClusterExtension: its label \
         `olm.operatorframework.io/metadata.name` is its name",
        "",
    ),
    form(
        r#"catalog "(?<catalog>[^"]+)" is not being served|cache for catalog "(?<cached>[^"]+)" not found"#,
        Some(Verdict::Passes),
        "a ClusterCatalog that the ClusterExtension selects is not served yet; OLM v1 tries again",
        "if it stays, look at the conditions of the ClusterCatalog",
        "",
    ),
    form(
        r"Revision has not rolled out for (?<count>\d+) minute\(s\)\. Last status: (?<text>.+)",
        Some(Verdict::Stuck),
        "the new revision has not rolled out for {count} minutes; OLM v1 resolves nothing new until it has: {text}",
        PODS,
        "",
    ),
    form(
        r"revision object collisions in phase \d+(?<text>.*)",
        Some(Verdict::Stuck),
        "objects of the bundle belong to another owner{text}",
        "remove the other owner, or the ownership of these objects",
        "",
    ),
    form("Desired state reached", Some(Verdict::Acts), "the last bundle that was chosen is applied", "", ""),
    form(
        r"Revision (?<revision>\S+) is rolling out",
        Some(Verdict::Passes),
        "revision {revision} is being installed",
        "",
        "",
    ),
    form(
        r#"(?:source catalog content: .*?)?catalog image(?: "(?<image>[^"]+)")? is missing the required label "(?<label>[^"]+)""#,
        Some(Verdict::Stuck),
        "the image[ {image}] of the ClusterCatalog is no file-based catalog: it lacks the label {label}, which names the folder of the \
         files, so catalogd serves nothing new",
        "let the ClusterCatalog name an image of a file-based catalog: its Dockerfile, which `opm generate dockerfile` makes, sets the \
         label; `opm migrate` makes the files of an SQLite catalog",
        "",
    ),
];
