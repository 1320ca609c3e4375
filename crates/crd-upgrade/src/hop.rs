//! The CRDs of two bundles, for an update that OLM makes from one to the other.

use crate::compare::{SafetyCheck, safety_check};
use crate::crd::{self, Crd};
use crate::finding::Finding;
use crate::v0::{InstallPlanChecks, install_plan_checks, lost_apis};
use fbc::Node;
use source::FileId;
use views::LostApi;

/// The CRDs of a bundle, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BundleCrds {
    /// The CRDs, in the order of the bundle.
    pub listed: Vec<ListedCrd>,
    /// Whether these are all. Otherwise the bundle may have others.
    pub is_complete: bool,
}

/// A CRD of a bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedCrd {
    pub name: Box<str>,
    /// What is known of it.
    pub body: Body,
}

/// What is known of a CRD.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Known(Box<Crd>),
    /// The bundle has the name alone, as in bundles that were migrated to `olm.csv.metadata`.
    Missing,
    /// The manifest is there and cannot be read, for this reason.
    Unreadable(String),
}

impl BundleCrds {
    /// The CRDs among the manifests of a bundle: the content of its `olm.bundle.object` properties, or the files of a bundle
    /// directory, of which `opm` reads the first document. Other objects and texts that are no YAML are left out.
    #[must_use]
    pub fn of_manifests<'t>(manifests: impl IntoIterator<Item = &'t str>) -> Self {
        let listed = manifests.into_iter().filter_map(|text| {
            // Most manifests are others, and schemas are large.
            text.contains(crd::KIND).then_some(())?;
            let node = fbc::untyped_values(FileId(0), text).nodes.into_iter().next()?;
            (node.get("kind")?.as_str()? == crd::KIND).then_some(())?;
            let name = node.get("metadata").and_then(|metadata| metadata.get("name")).and_then(Node::as_str);
            let body = match crd::of_node(&node, text) {
                Ok(crd) => Body::Known(Box::new(crd)),
                Err(error) => Body::Unreadable(error.message),
            };
            Some(ListedCrd { name: name.unwrap_or_default().into(), body })
        });
        Self { listed: listed.collect(), is_complete: true }
    }

    /// The CRDs of a bundle of which only the names are known, from `olm.gvk` properties or descriptions of CRDs.
    #[must_use]
    pub fn of_names<'t>(names: impl IntoIterator<Item = &'t str>) -> Self {
        let listed = names.into_iter().map(|name| ListedCrd { name: name.into(), body: Body::Missing });
        Self { listed: listed.collect(), is_complete: false }
    }

    fn find(&self, name: &str) -> Option<&ListedCrd> {
        self.listed.iter().find(|crd| *crd.name == *name)
    }
}

/// What becomes of a CRD.
#[derive(Clone, Debug, PartialEq)]
pub struct CrdUpgrade {
    pub name: Box<str>,
    /// What can be said of it.
    pub outcome: UpgradeOutcome,
}

/// What can be said of a CRD in an update.
#[derive(Clone, Debug, PartialEq)]
pub enum UpgradeOutcome {
    /// In both bundles, and compared.
    Compared(Box<Comparison>),
    /// In the new bundle only. OLM compares it only if the cluster has it from somewhere else.
    New,
    /// Only the old bundle has it.
    Gone,
    /// Cannot be checked.
    Unknown(Unknown),
}

/// Two states of a CRD.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What OLM v1 refuses. Nothing: it upgrades the CRD.
    pub v1: Vec<Finding>,
    /// What OLM v1 finds in some runs and not in others, because it prints the names of required properties in any order.
    pub v1_by_chance: Vec<Finding>,
    pub v0: InstallPlanChecks,
    pub lost: Vec<LostApi>,
    /// Whether the versions that objects are stored in are not known, and the version with `storage: true` is taken for them.
    /// A cluster that has had older bundles may have others, too.
    pub assumes_stored_versions: bool,
}

/// Why a CRD cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The old bundle has only its name.
    NoOldBody,
    /// The new bundle has only its name.
    NoNewBody,
    /// Not all CRDs of the old bundle are known, so it may have this one, too.
    NoOldList,
    /// Not all CRDs of the new bundle are known, so it may have this one, too.
    NoNewList,
    /// The manifest in the old bundle cannot be read, for this reason.
    OldUnreadable(String),
    /// The manifest in the new bundle cannot be read, for this reason.
    NewUnreadable(String),
}

/// Compares two CRDs by the rules of OLM v1 and v0.
#[must_use]
pub fn compare(old: &Crd, new: &Crd) -> Comparison {
    let SafetyCheck { findings, by_chance } = safety_check(old, new);
    Comparison {
        v1: findings,
        v1_by_chance: by_chance,
        v0: install_plan_checks(old, new),
        lost: lost_apis(old, new),
        assumes_stored_versions: old.stored_versions.is_none(),
    }
}

/// What becomes of the CRDs of a bundle when OLM updates it to the next one: those of the new bundle in its order, then
/// those that only the old one has. CRDs are paired by name.
#[must_use]
pub fn upgrade_findings(old: &BundleCrds, new: &BundleCrds) -> Vec<CrdUpgrade> {
    let of_new = new.listed.iter().map(|crd| {
        let outcome = match old.find(&crd.name) {
            Some(before) => pair(before, crd),
            None if old.is_complete => UpgradeOutcome::New,
            None => UpgradeOutcome::Unknown(Unknown::NoOldList),
        };
        CrdUpgrade { name: crd.name.clone(), outcome }
    });
    let only_old = old.listed.iter().filter(|crd| new.find(&crd.name).is_none()).map(|crd| {
        let outcome = if new.is_complete { UpgradeOutcome::Gone } else { UpgradeOutcome::Unknown(Unknown::NoNewList) };
        CrdUpgrade { name: crd.name.clone(), outcome }
    });
    of_new.chain(only_old).collect()
}

fn pair(old: &ListedCrd, new: &ListedCrd) -> UpgradeOutcome {
    UpgradeOutcome::Unknown(match (&old.body, &new.body) {
        (Body::Known(old), Body::Known(new)) => return UpgradeOutcome::Compared(Box::new(compare(old, new))),
        (_, Body::Missing) => Unknown::NoNewBody,
        (_, Body::Unreadable(reason)) => Unknown::NewUnreadable(reason.clone()),
        (Body::Missing, _) => Unknown::NoOldBody,
        (Body::Unreadable(reason), _) => Unknown::OldUnreadable(reason.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, field: &str) -> String {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}}}\nspec: {{versions: \
             [{{name: v1, storage: true, schema: {{openAPIV3Schema: {field}}}}}]}}\n"
        )
    }

    fn bundle(manifests: &[(&str, &str)]) -> BundleCrds {
        let texts: Vec<String> = manifests.iter().map(|(name, field)| manifest(name, field)).collect();
        BundleCrds::of_manifests(texts.iter().map(String::as_str))
    }

    /// The outcomes, a line for each CRD.
    #[track_caller]
    fn check(old: &BundleCrds, new: &BundleCrds, expected: &[&str]) {
        let outcome = |outcome: &UpgradeOutcome| match outcome {
            UpgradeOutcome::Compared(compared) => format!("{} findings", compared.v1.len()),
            UpgradeOutcome::New => "new".to_owned(),
            UpgradeOutcome::Gone => "gone".to_owned(),
            UpgradeOutcome::Unknown(why) => format!("{why:?}"),
        };
        let found = upgrade_findings(old, new);
        let lines: Vec<String> = found.iter().map(|crd| format!("{}: {}", crd.name, outcome(&crd.outcome))).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn crds_are_paired_by_name() {
        let old = bundle(&[("a", "{type: string}"), ("b", "{type: object}"), ("c", "{}")]);
        let new = bundle(&[("d", "{}"), ("b", "{type: object}"), ("a", "{type: integer}")]);
        check(&old, &new, &["d: new", "b: 0 findings", "a: 1 findings", "c: gone"]);
    }

    #[test]
    fn nothing_is_said_where_a_body_is_missing() {
        let (known, named) = (bundle(&[("a", "{}"), ("b", "{}")]), BundleCrds::of_names(["a"]));
        check(&known, &named, &["a: NoNewBody", "b: NoNewList"]);
        check(&named, &known, &["a: NoOldBody", "b: NoOldList"]);
        check(&named, &named, &["a: NoNewBody"]);
    }

    #[test]
    fn a_manifest_that_does_not_fit_cannot_be_checked() {
        let (known, broken) = (bundle(&[("a", "{}")]), bundle(&[("a", "{maxLength: x}")]));
        let reason = "json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.maxLength of type int64";
        check(&known, &broken, &[&format!("a: NewUnreadable({reason:?})")]);
        check(&broken, &known, &[&format!("a: OldUnreadable({reason:?})")]);
    }

    #[test]
    fn stored_versions_are_assumed_without_a_status() {
        let crds = bundle(&[("a", "{}")]);
        let [CrdUpgrade { outcome: UpgradeOutcome::Compared(compared), .. }] = &upgrade_findings(&crds, &crds)[..]
        else {
            panic!()
        };
        assert!(compared.assumes_stored_versions);
        assert_eq!(compared.v0, InstallPlanChecks::default());
    }

    #[test]
    fn other_manifests_are_left_out() {
        let texts = ["kind: Service\n", "kind: [", "# CustomResourceDefinition\nkind: ConfigMap\n", ""];
        assert_eq!(BundleCrds::of_manifests(texts), BundleCrds { listed: Vec::new(), is_complete: true });
    }
}
