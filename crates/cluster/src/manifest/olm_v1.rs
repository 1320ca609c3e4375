//! The release of OLM v1 and its feature gates, as far as manifests tell.
//!
//! Its Deployments have them in the tag of their image and in arguments (operator-controller
//! `helm/olmv1/templates/deployment-olmv1-system-operator-controller-controller-manager.yml`); a version of OpenShift has a
//! release.

use fbc::{Node, Value};
use source::{FeatureGate, OlmV1, OlmV1Release, OpenShift};

use super::fields::{Fields, Problems};
use super::{Kind, every_object, extension_status, object};
use crate::ReportedCondition;

/// The Deployments of OLM v1. The feature gates of the second one change no answer.
const DEPLOYMENTS: [&str; 2] = ["operator-controller-controller-manager", "catalogd-controller-manager"];
/// The argument with feature gates: a list, which may be repeated.
const GATES: &str = "--feature-gates=";

/// What the objects tell, and a sentence about what is taken for so; none if the user says the release.
pub(super) fn read(nodes: &[Node], stated: Option<OlmV1Release>) -> (OlmV1, Option<String>) {
    let objects = every_object(nodes);
    let (mut told, mut because) = (OlmV1::default(), None);
    let named = |name: &'static str| {
        let is_it =
            move |node: &Node| node.get("metadata").and_then(|metadata| metadata.get("name")?.as_str()) == Some(name);
        objects.iter().find(|(kind, _, node)| *kind == "Deployment" && is_it(node)).map(|(_, _, node)| *node)
    };
    for (name, deployment) in DEPLOYMENTS.into_iter().filter_map(|name| Some((name, named(name)?))) {
        let containers = containers(deployment);
        if told.release.is_none() {
            told.release = containers.iter().find_map(|container| tag(container.get("image")?.as_str()?));
            because = told.release.map(|_| format!("as the image of Deployment `{name}` says"));
        }
        if name == DEPLOYMENTS[0] {
            containers.iter().for_each(|container| read_gates(container, &mut told));
        }
    }
    if told.release.is_none() {
        let is_version = |kind: &str, group: &str| {
            kind == object::CLUSTER_VERSION_KIND
                && (group.is_empty() || group.starts_with(object::CLUSTER_VERSION_GROUP))
        };
        let mut versions = objects.iter().filter(|(kind, group, _)| is_version(kind, group));
        let openshift = versions.find_map(|(_, _, node)| {
            let version = object::read_cluster_version(&Fields::of(node, &Problems::default()))?;
            format!("{}.{}", version.major(), version.minor()).parse::<OpenShift>().ok()
        });
        told.release = openshift.and_then(OlmV1Release::of_openshift);
        because = told.release.and(openshift).map(|openshift| format!("which OpenShift {openshift} has"));
    }
    let extensions = objects.iter().filter(|(kind, group, _)| Kind::of(kind, group) == Some(Kind::ClusterExtension));
    let extensions: Vec<&Node> = extensions.map(|(_, _, node)| *node).collect();
    let mut because = because.map(|because| format!(", {because}")).unwrap_or_default();
    if let Some(name) = extensions.iter().find_map(|node| uses_account(node)).filter(|_| told.release.is_none()) {
        told.release = Some(OlmV1Release::LAST_WITH_SERVICE_ACCOUNT);
        because = format!(", the newest that uses ServiceAccounts, as ClusterExtension `{name}` reports");
    }
    told.release = stated.or(told.release);
    let is_open = told.release.is_none() && extensions.iter().any(|node| account(node).is_some());
    let account = if is_open { "; from v1.11 on `spec.serviceAccount` is ignored, before it is required" } else { "" };
    let gates = match &*told.stated_gates() {
        "" => "the defaults of its feature gates".to_owned(),
        gates => format!("the feature gates {gates}"),
    };
    let notice = format!("OLM v1 is taken for {}{because}, with {gates}{account}", told.release());
    (told, stated.is_none().then_some(notice))
}

/// The name in `spec.serviceAccount` of a ClusterExtension, which may be empty.
fn account(extension: &Node) -> Option<&str> {
    Some(extension.get("spec")?.get("serviceAccount")?.get("name").and_then(Node::as_str).unwrap_or_default())
}

/// The name of a ClusterExtension whose conditions show that OLM v1 installs it as its ServiceAccount.
fn uses_account(extension: &Node) -> Option<&str> {
    let (account, namespace) = (account(extension)?, extension.get("spec")?.get("namespace")?.as_str()?);
    let conditions = extension_status::conditions(extension);
    let shows = |one: &ReportedCondition| extension_status::is_about_account(&one.message, namespace, account);
    conditions.iter().any(shows).then(|| extension.get("metadata")?.get("name")?.as_str()).flatten()
}

fn containers(deployment: &Node) -> &[Node] {
    let list = ["spec", "template", "spec", "containers"].iter().try_fold(deployment, |node, field| node.get(field));
    match list.map(|list| &list.value) {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}

/// The release in the tag of an image.
fn tag(image: &str) -> Option<OlmV1Release> {
    image.split('@').next()?.rsplit_once(":v")?.1.parse().ok()
}

/// Reads the feature gates that change an answer.
fn read_gates(container: &Node, told: &mut OlmV1) {
    let words = |field: &str| match container.get(field).map(|list| &list.value) {
        Some(Value::Sequence(items)) => items.iter().filter_map(Node::as_str).collect(),
        _ => Vec::new(),
    };
    let all = [words("command"), words("args")].concat();
    for pair in all.iter().filter_map(|word| word.strip_prefix(GATES)).flat_map(|list| list.split(',')) {
        let Some((name, Ok(is_on))) = pair.split_once('=').map(|(name, is_on)| (name, is_on.parse())) else { continue };
        let gate = FeatureGate::ALL.into_iter().find(|gate| gate.as_str() == name);
        gate.into_iter().for_each(|gate| told.set(gate, is_on));
    }
}

#[cfg(test)]
mod tests {
    use crate::manifest::{ManifestFacts, Manifests, read_values};
    use source::{FeatureGate, FileId, OlmV1Release};

    const EXTENSION: &str = "kind: ClusterExtension\nmetadata: {name: e}\n";

    fn read(text: &str, olm_v1: Option<OlmV1Release>) -> Manifests {
        read_values(&fbc::untyped_values(FileId(0), text), None, &ManifestFacts { olm_v1, ..ManifestFacts::default() })
            .0
    }

    fn deployment(name: &str, image: &str, args: &[&str]) -> String {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{template: {{spec: {{containers: [{{image: '{image}', args: {args:?}}}]}}}}}}\n"
        )
    }

    #[track_caller]
    fn check(objects: &str, release: (u16, u16), notice: &str) {
        let found = read(&format!("{EXTENSION}{objects}"), None);
        assert_eq!(found.olm_v1.release(), OlmV1Release(release.0, release.1));
        assert_eq!(found.assumed_olm_v1.as_deref(), Some(notice));
    }

    #[test]
    fn the_release_is_that_of_an_image_or_of_openshift() {
        let newest = (u16::MAX, u16::MAX);
        let defaults = "with the defaults of its feature gates";
        check("", newest, &format!("OLM v1 is taken for the newest release, {defaults}"));
        let openshift = |version: &str| {
            format!(
                "---\nkind: ClusterVersion\nmetadata: {{name: version}}\nstatus: {{desired: {{version: {version}}}}}\n"
            )
        };
        let of_openshift = format!("OLM v1 is taken for v1.7, which OpenShift 4.21 has, {defaults}");
        check(&openshift("4.21.3"), (1, 7), &of_openshift);
        check(&openshift("4.17.3"), newest, &format!("OLM v1 is taken for the newest release, {defaults}"));
        let [controller, catalogd] = super::DEPLOYMENTS;
        let image = "example.com/operator-controller:v1.8.0@sha256:0123";
        let of_image = format!("OLM v1 is taken for v1.8, as the image of Deployment `{controller}` says, {defaults}");
        check(&(openshift("4.21.3") + &deployment(controller, image, &[])), (1, 8), &of_image);
        let by_digest = deployment(controller, "example.com/operator-controller@sha256:0123", &[]);
        check(&(openshift("4.21.3") + &by_digest), (1, 7), &of_openshift);
        let of_catalogd = format!("OLM v1 is taken for v1.6, as the image of Deployment `{catalogd}` says, {defaults}");
        check(&(by_digest + &deployment(catalogd, "example.com:5000/catalogd:v1.6.0", &[])), (1, 6), &of_catalogd);
        check(&deployment("other", image, &[]), newest, &format!("OLM v1 is taken for the newest release, {defaults}"));
    }

    #[test]
    fn feature_gates_are_those_of_the_arguments() {
        let (modes, webhooks) =
            (FeatureGate::SingleOwnNamespaceInstallSupport, FeatureGate::WebhookProviderCertManager);
        let args = [
            "--leader-elect",
            "--feature-gates=BoxcutterRuntime=true,SingleOwnNamespaceInstallSupport=true",
            "--feature-gates=WebhookProviderCertManager=false",
        ];
        let text = format!("{EXTENSION}{}", deployment(super::DEPLOYMENTS[0], "i", &args));
        let found = read(&text, None);
        assert_eq!([found.olm_v1.is_on(modes), found.olm_v1.is_on(webhooks)], [true, false]);
        let notice = "OLM v1 is taken for the newest release, with the feature gates SingleOwnNamespaceInstallSupport=true,WebhookProviderCertManager=false";
        assert_eq!(found.assumed_olm_v1.as_deref(), Some(notice));
        let found = read(&text, Some(OlmV1Release(1, 9)));
        assert_eq!([found.olm_v1.is_on(modes), found.olm_v1.is_on(webhooks)], [true, false]);
        assert_eq!((found.olm_v1.release(), found.assumed_olm_v1), (OlmV1Release(1, 9), None));
    }
}
