//! Where the objects of an operator go (library-olm `migration/pkg/migration/namespace.go`, `system_namespace.go`).

use super::object_set::{Collected, ObjectId};
use super::options::InstallNamespace;
use crate::dump::{CRDS, Dump, annotation, is_true, list_at, text_at};
use extension::is_dns_label;
use fbc::quoted;
use serde_json::{Map, Value};
use sha2::{Digest, Sha224};

const TEMPLATE: &str = "operatorframework.io/suggested-namespace-template";
const SUGGESTED: &str = "operatorframework.io/suggested-namespace";
const LONGEST: usize = 63;
const HASH_LENGTH: usize = 8;
const SUFFIX: &str = "system";
const EXTENSIONS: &str = "clusterextensions.olm.operatorframework.io";
const ENFORCE: &str = "pod-security.kubernetes.io/enforce";
const ENFORCE_VERSION: &str = "pod-security.kubernetes.io/enforce-version";
/// The annotation of a Namespace that the tool created for a Subscription.
pub(super) const OWNER: &str = "olm.operatorframework.io/migration-system-managed-namespace-owner";

/// The namespace that the objects go to, or the error of the tool. `csv` is the installed one.
pub(super) fn target(wanted: &InstallNamespace, source: &str, package: &str, csv: &Value) -> Result<String, String> {
    match wanted {
        InstallNamespace::Source => Ok(source.to_owned()),
        InstallNamespace::Named(name) => Ok(name.to_string()),
        InstallNamespace::SystemManaged => {
            let name = system_managed(package, csv)?;
            if name != source {
                return Ok(name);
            }
            Err(format!(
                "system-managed install namespace resolves to source namespace {}; use standard migration without --system-managed-install-namespace",
                quoted(source)
            ))
        }
    }
}

/// The namespace that OLM v1 names itself: of the template of the CSV, else its suggestion, else one of the package.
fn system_managed(package: &str, csv: &Value) -> Result<String, String> {
    let template = annotation(csv, TEMPLATE).filter(|text| !text.is_empty());
    let template: Option<Value> = match template.map(serde_json::from_str) {
        None => None,
        Some(Ok(value)) => Some(value),
        Some(Err(error)) => {
            let text = template.and_then(fbc::go_syntax_error).unwrap_or_else(|| error.to_string());
            return Err(format!("parse suggested namespace template: {text}"));
        }
    };
    let named = template.as_ref().map(|template| text_at(template, "/metadata/name")).unwrap_or_default();
    let suggested = annotation(csv, SUGGESTED).unwrap_or_default();
    let name = match (named, suggested) {
        ("", "") => of_package(package),
        ("", suggested) => suggested.to_owned(),
        (named, _) => named.to_owned(),
    };
    let form = (!is_dns_label(&name)).then_some(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    );
    let length = (name.len() > LONGEST).then_some("must be no more than 63 bytes");
    let faults: Vec<&str> = length.into_iter().chain(form).collect();
    if faults.is_empty() {
        return Ok(name);
    }
    Err(format!("resolved system-managed namespace {} is invalid: {}", quoted(&name), faults.join("; ")))
}

/// `<package>-system`; with a part of a hash if the name of the package has to be changed for that.
fn of_package(package: &str) -> String {
    let base = sanitized(package);
    if !base.is_empty() && base == package && base.len() + 1 + SUFFIX.len() <= LONGEST {
        return format!("{base}-{SUFFIX}");
    }
    let hash = &hash(package)[..HASH_LENGTH];
    let longest = LONGEST - SUFFIX.len() - HASH_LENGTH - 2;
    // The text is ASCII.
    match base[..base.len().min(longest)].trim_matches('-') {
        "" => format!("{hash}-{SUFFIX}"),
        base => format!("{base}-{hash}-{SUFFIX}"),
    }
}

/// The text in lower case with one hyphen for each run of other characters than letters and digits.
fn sanitized(text: &str) -> String {
    let mut out = String::new();
    for c in text.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches('-').to_owned()
}

/// The SHA-224 of the text as JSON with a line feed, as a number to the base 36.
fn hash(text: &str) -> String {
    let json = fbc::json_for_html(&Value::from(text));
    let mut number: Vec<u8> = Sha224::digest(format!("{json}\n")).to_vec();
    let mut digits = Vec::new();
    while number.iter().any(|byte| *byte != 0) {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            *byte = u8::try_from(value / 36).unwrap_or_default();
            rest = value % 36;
        }
        digits.extend(char::from_digit(rest, 36));
    }
    digits.into_iter().rev().collect()
}

/// What the tool checks before it moves objects to another namespace: its error, or what the manifests do not tell.
pub(super) fn faults(
    dump: &Dump,
    wanted: &InstallNamespace,
    (source, subscription): (&str, &str),
    target: &str,
    collected: &Collected,
    unknown: &mut Vec<String>,
) -> Option<String> {
    if *wanted == InstallNamespace::SystemManaged
        && let Some(error) = support(dump, unknown)
    {
        return Some(error);
    }
    if source == target {
        return None;
    }
    let moved = collected.objects().filter(|object| object.namespace == source);
    let mut moved = moved.map(|object| ObjectId { namespace: target.to_owned(), ..object.clone() });
    if let Some(taken) = moved.find(|object| dump.find(&object.group, &object.kind, target, &object.name).is_some()) {
        let ObjectId { group, version, kind, name, .. } = taken;
        return Some(format!(
            "target namespace resource collision: {group}/{version}, Kind={kind} {target}/{name} already exists"
        ));
    }
    unknown.push(format!("whether namespace `{target}` has objects of the same names"));
    let Some(old) = dump.find("", "Namespace", "", source) else {
        unknown.push(format!("the labels of namespace `{source}`, which `{target}` gets"));
        return None;
    };
    let Some(new) = dump.find("", "Namespace", "", target) else {
        unknown.push(format!("whether namespace `{target}` exists"));
        return None;
    };
    if *wanted == InstallNamespace::SystemManaged {
        let is_own = annotation(new, OWNER) == Some(&format!("{source}/{subscription}"));
        return (!is_own).then(|| {
            format!(
                "system-managed install namespace {} already exists and is not owned by this migration; refusing to adopt it",
                quoted(target)
            )
        });
    }
    weakens(label(old), label(new)).then(|| {
        format!(
            "source namespace PSA enforcement may weaken existing target namespace {}; choose a target with an explicit equal or weaker enforcement label",
            quoted(target)
        )
    })
}

/// The level and the version that a Namespace enforces.
type Enforced<'n> = (Option<&'n str>, Option<&'n str>);

fn label(namespace: &Value) -> Enforced<'_> {
    let labels = namespace.pointer("/metadata/labels");
    let text = |key| labels.and_then(|labels| labels.get(key)).and_then(Value::as_str);
    (text(ENFORCE), text(ENFORCE_VERSION))
}

/// Whether the labels of the source would weaken what the target enforces.
fn weakens((source, source_version): Enforced<'_>, (target, target_version): Enforced<'_>) -> bool {
    let level = |name: &str| ["privileged", "baseline", "restricted"].iter().position(|level| *level == name);
    match (source, target) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(source), Some(target)) if source == target => {
            source_version.is_some() && source_version != target_version
        }
        (Some(source), Some(target)) => level(source).unwrap_or(0) < level(target).unwrap_or(0),
    }
}

/// Whether the API of ClusterExtensions lets `spec.namespace` be absent.
fn support(dump: &Dump, unknown: &mut Vec<String>) -> Option<String> {
    let crd = quoted(EXTENSIONS);
    let Some(found) = dump.find(CRDS, "CustomResourceDefinition", "", EXTENSIONS) else {
        if dump.is_complete {
            return Some(format!(
                "system-managed install namespace requires ClusterExtension CRD {crd} with optional spec.namespace: customresourcedefinitions.apiextensions.k8s.io {crd} not found"
            ));
        }
        unknown.push(format!("whether CustomResourceDefinition `{EXTENSIONS}` lets `spec.namespace` be absent"));
        return None;
    };
    if !is_true(found, "Established") {
        return Some(format!("system-managed install namespace requires established ClusterExtension CRD {crd}"));
    }
    const SPEC: &str = "/schema/openAPIV3Schema/properties/spec";
    let declares = |version: &&Value| {
        text_at(version, "/name") == "v1"
            && version["served"] == Value::Bool(true)
            && version.pointer(&format!("{SPEC}/properties/namespace")).is_some()
    };
    match list_at(found, "/spec/versions").iter().find(declares) {
        None => Some("system-managed install namespace requires a ClusterExtension CRD schema that declares optional spec.namespace".to_owned()),
        Some(version) if list_at(version, &format!("{SPEC}/required")).iter().any(|field| *field == "namespace") => Some(
            "system-managed install namespace requires an operator-controller experimental CRD with optional spec.namespace; the installed ClusterExtension CRD requires it".to_owned(),
        ),
        Some(_) => None,
    }
}

/// The Namespace that the tool creates for the objects, if the manifests show that it does not exist and which labels it gets.
pub(super) fn labels(dump: &Dump, source: &str) -> Option<Map<String, Value>> {
    let labels = dump.find("", "Namespace", "", source)?.pointer("/metadata/labels").and_then(Value::as_object);
    let is_copied = |key: &str| {
        key.starts_with("pod-security.kubernetes.io/") || key == "security.openshift.io/scc.podSecurityLabelSync"
    };
    let kept = labels.into_iter().flatten().filter(|(key, _)| is_copied(key));
    Some(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::of_package;

    #[test]
    fn a_package_that_is_no_label_gets_a_hash() {
        assert_eq!(of_package("widgets"), "widgets-system");
        // The example of the tool's own tests.
        assert_eq!(of_package("Widget.Operator"), "widget-operator-31z2emwi-system");
        // 57 characters and "-system" are one too many; the hash takes the place of the end.
        assert_eq!(of_package(&"a".repeat(56)).len(), 63);
        let long = of_package(&"a".repeat(57));
        assert!(long.starts_with(&format!("{}-", "a".repeat(47))) && long.len() == 63, "{long}");
    }
}
