//! What is about OLM v1 (operator-controller `internal/operator-controller/controllers/common_controller.go`,
//! `internal/catalogd/controllers/core/`).

use super::*;

pub(super) const FORMS: &[Form] = &[
    form(
        r#"error for resolved bundle "(?<csv>[^"]+)" with version "(?<version>[^"]+)": (?:validating upgrade for CRD "(?<crd>[^"]+)": )(?<text>.+)"#,
        Some(Verdict::Stuck),
        "OLM v1 chooses {csv} and refuses it, because its CustomResourceDefinition {crd} would break objects: {text}",
        "pin an older version with `spec.source.catalog.version`; `opscope crd` compares both CustomResourceDefinitions",
        "do not delete the CustomResourceDefinition: that deletes all its objects",
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
        r#"no bundles found for package "(?<package>[^"]+)"(?<text>.*)"#,
        Some(Verdict::Stuck),
        "no catalog that the ClusterExtension selects has a fitting bundle of package {package}{text}",
        "compare `version`, `channels` and the selector of the ClusterExtension with the catalogs",
        "",
    ),
    form(
        r#"found bundles for package "(?<package>[^"]+)" in multiple catalogs with the same priority \[?(?<text>[^\]]*)"#,
        Some(Verdict::Stuck),
        "several ClusterCatalogs of the same priority have package {package}: {text}",
        "select one of them in the ClusterExtension, or change a priority",
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
        "source catalog content: (?<text>.+)|error storing fbc: (?<other>.+)",
        Some(Verdict::Passes),
        "catalogd cannot get the new content of the ClusterCatalog and serves the old one: [{text}|{other}]",
        "look at the image of the ClusterCatalog and its pull secret",
        "",
    ),
];
