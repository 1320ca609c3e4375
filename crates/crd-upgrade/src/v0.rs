//! OLM v0's checks of an InstallPlan that updates a CRD: operator-lifecycle-manager `pkg/lib/crd/storage.go` and
//! `pkg/controller/operators/catalog/{step,operator}.go`. The plan has the CSV before its CRDs, so the new CSV exists when a
//! check fails.

use crate::checks;
use crate::compare::counterparts;
use crate::crd::Crd;
use crate::finding::{FieldChange, Finding, Place, SchemaChange};
use crate::schema::{Schema, SchemaOrBool};
use views::{ApiLoss, LostApi};

/// What OLM v0 checks when a cluster has one CRD and an InstallPlan the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstallPlanChecks {
    /// OLM's error for a version that is gone although objects are stored in it. The InstallPlan fails.
    pub stored_versions: Option<String>,
    /// What rejects values that were accepted before, in versions that are served before and after. The InstallPlan fails if
    /// an object on the cluster has such a value.
    pub restrictions: Vec<Finding>,
    /// Whether OLM only warns of objects that the new schema rejects, because the new CRD has a conversion webhook.
    pub has_waiver: bool,
}

/// Compares two CRDs as OLM v0 does, without the objects of the cluster.
///
/// The restrictions are those of properties that both schemas have; OLM validates objects without CEL rules and defaults.
#[must_use]
pub fn install_plan_checks(old: &Crd, new: &Crd) -> InstallPlanChecks {
    let versions: Vec<Box<str>> = new.versions.iter().map(|version| version.name.clone()).collect();
    InstallPlanChecks {
        stored_versions: stored_versions_error(&new.name, &old.stored(), &versions),
        restrictions: restrictions(old, new),
        has_waiver: new.has_conversion_webhook,
    }
}

/// OLM's error for a CRD of a plan whose new manifest has `versions`, where the cluster has objects `stored` in some; `None`
/// if it is updated. Of several versions that are gone OLM names any.
///
/// ```
/// let error = crd_upgrade::stored_versions_error("etcds.example.com", &["v1alpha1".into(), "v1".into()], &["v1".into()]);
/// let expected = "risk of data loss updating \"etcds.example.com\": new CRD removes version v1alpha1 that is listed as a \
///     stored version on the existing CRD";
/// assert_eq!(error.as_deref(), Some(expected));
/// assert_eq!(crd_upgrade::stored_versions_error("etcds.example.com", &["v1".into()], &["v1".into(), "v2".into()]), None);
/// ```
#[must_use]
pub fn stored_versions_error(name: &str, stored: &[Box<str>], versions: &[Box<str>]) -> Option<String> {
    if versions.is_empty() {
        return Some(format!(
            "checking CRD for potential data loss updating \"{name}\": could not find any versions in the new CRD"
        ));
    }
    let gone = stored.iter().find(|stored| !versions.contains(stored))?;
    Some(format!(
        "risk of data loss updating \"{name}\": new CRD removes version {gone} that is listed as a stored version on the existing CRD"
    ))
}

fn restrictions(old: &Crd, new: &Crd) -> Vec<Finding> {
    let mut found = Vec::new();
    for before in old.versions.iter().filter(|version| version.is_served) {
        let Some(after) = new.version(&before.name).filter(|version| version.is_served) else { continue };
        for (path, old, new) in counterparts(before, after) {
            // A property that is gone is pruned from objects.
            let Some(new) = new else { continue };
            for change in checks::of_property(old, new).into_iter().filter_map(|change| restriction(change, old, new)) {
                let place = Place::Version { version: before.name.clone(), path: path.clone() };
                found.push(Finding { place, change });
            }
        }
    }
    found
}

/// The change as far as it rejects values that were accepted before.
fn restriction(change: SchemaChange, old: &Schema, new: &Schema) -> Option<SchemaChange> {
    let restricts = match &change {
        SchemaChange::EnumAdded(_)
        | SchemaChange::Maximum { .. }
        | SchemaChange::Minimum { .. }
        | SchemaChange::Required(_) => true,
        SchemaChange::EnumRemoved(_) => !new.allowed.is_empty(),
        // A number may be a whole one.
        SchemaChange::Type { old, new } => !new.is_empty() && (&**old, &**new) != ("integer", "number"),
        SchemaChange::Pattern { new, .. } => !new.is_empty(),
        SchemaChange::Nullable { is_nullable } => !is_nullable,
        SchemaChange::OneOf { .. } => !new.one_of.is_empty(),
        SchemaChange::Unhandled(changes) => {
            let changes: Vec<FieldChange> =
                changes.iter().filter(|change| may_restrict(change.name, old, new)).cloned().collect();
            return (!changes.is_empty()).then_some(SchemaChange::Unhandled(changes));
        }
        SchemaChange::Scope { .. }
        | SchemaChange::StoredVersions(_)
        | SchemaChange::Field { .. }
        | SchemaChange::Default { .. } => false,
    };
    restricts.then_some(change)
}

/// Whether a field, which changed, may reject values now. What changed inside the schemas of both is found at their own paths.
fn may_restrict(field: &str, old: &Schema, new: &Schema) -> bool {
    match field {
        "format" => !new.format.is_empty(),
        "exclusiveMaximum" => new.exclusive_maximum,
        "exclusiveMinimum" => new.exclusive_minimum,
        "uniqueItems" => new.unique_items,
        "multipleOf" => new.multiple_of.is_some(),
        "allOf" => new.all_of.len() > old.all_of.len(),
        "anyOf" => !new.any_of.is_empty() && (old.any_of.is_empty() || new.any_of.len() < old.any_of.len()),
        "not" => old.not.is_none(),
        "additionalProperties" => {
            rank(new.additional_properties.as_deref()) > rank(old.additional_properties.as_deref())
        }
        "additionalItems" => rank(new.additional_items.as_deref()) > rank(old.additional_items.as_deref()),
        "patternProperties" => new.pattern_properties.keys().any(|key| !old.pattern_properties.contains_key(key)),
        "dependencies" => !new.dependencies.is_empty(),
        "x-kubernetes-int-or-string" => new.int_or_string && old.kind.is_empty(),
        _ => false,
    }
}

/// How strict a rule for additional values is: any value, those of a schema, none.
fn rank(rule: Option<&SchemaOrBool>) -> u8 {
    match rule {
        Some(SchemaOrBool { schema: Some(_), .. }) => 1,
        Some(SchemaOrBool { allows: false, .. }) => 2,
        Some(SchemaOrBool { allows: true, .. }) | None => 0,
    }
}

// The APIs that an upgrade takes away from other operators and from users.
//
// OLM v0 does not look at them when it updates a CRD. A CSV that owns or requires a version that is not served any more
// becomes `Failed` with `requirements no longer met` (operator-lifecycle-manager
// `pkg/controller/operators/olm/operator.go`). The resolver reads `olm.gvk` properties, which also list versions that
// are not served: it only notices removed ones.

/// The APIs that the old CRD has and the new one does not have or not serve.
#[must_use]
pub fn lost_apis(old: &Crd, new: &Crd) -> Vec<LostApi> {
    let is_same = (&old.group, &old.kind) == (&new.group, &new.kind);
    let lost = old.versions.iter().filter_map(|version| {
        let kept = new.version(&version.name).filter(|_| is_same);
        let loss = match kept {
            None => ApiLoss::Removed,
            Some(kept) if version.is_served && !kept.is_served => ApiLoss::NotServed,
            Some(_) => return None,
        };
        Some(LostApi {
            group: old.group.to_string(),
            version: version.name.to_string(),
            kind: old.kind.to_string(),
            loss,
        })
    });
    lost.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use serde_json::{Value, json};

    fn crd(schema: &Value, is_served: bool) -> Crd {
        let schema = Some(Schema::of(schema));
        let version = Version { name: "v1".into(), is_served, is_storage: true, schema };
        Crd { name: "as.b".into(), versions: vec![version], ..Crd::default() }
    }

    #[track_caller]
    fn check(old: &Value, new: &Value, expected: &[&str]) {
        let found = install_plan_checks(&crd(old, true), &crd(new, true)).restrictions;
        let checks: Vec<&str> = found.iter().map(|finding| finding.change.check()).collect();
        assert_eq!(checks, expected, "{old} -> {new}");
    }

    #[test]
    fn changes_that_reject_values_are_restrictions() {
        check(&json!({"type": "string"}), &json!({"type": "integer"}), &["type"]);
        check(&json!({"enum": [1, 2]}), &json!({"enum": [1]}), &["enum"]);
        check(
            &json!({}),
            &json!({"required": ["a"], "maximum": 1, "pattern": "a"}),
            &["maximum", "required", "pattern"],
        );
        check(&json!({"nullable": true}), &json!({}), &["nullable"]);
        check(&json!({}), &json!({"format": "date", "anyOf": [{}]}), &["unhandled"]);
        check(&json!({"additionalProperties": {}}), &json!({"additionalProperties": false}), &["unhandled"]);
        check(&json!({}), &json!({"oneOf": [{}]}), &["oneOf"]);
    }

    #[test]
    fn changes_that_accept_more_or_the_same_are_none() {
        check(&json!({"enum": [1], "pattern": "a", "type": "string"}), &json!({}), &[]);
        check(&json!({"type": "integer"}), &json!({"type": "number", "nullable": true, "default": 1}), &[]);
        check(&json!({"format": "date", "anyOf": [{}]}), &json!({"x-kubernetes-validations": [{"rule": "true"}]}), &[]);
        check(&json!({"properties": {"a": {"type": "string"}}}), &json!({"properties": {}}), &[]);
        check(
            &json!({"additionalProperties": {"type": "string"}, "anyOf": [{}]}),
            &json!({"additionalProperties": {"type": "string", "description": "d"}, "anyOf": [{}, {}]}),
            &[],
        );
    }

    #[test]
    fn of_unhandled_fields_only_those_that_reject_values_are_shown() {
        let new = json!({"format": "date", "title": "a date"});
        let found = install_plan_checks(&crd(&json!({}), true), &crd(&new, true)).restrictions;
        let texts: Vec<String> = found.iter().map(|finding| finding.change.to_string()).collect();
        assert_eq!(texts, ["unhandled changes found: `format` added: \"date\""]);
    }

    #[test]
    fn versions_that_are_not_served_are_not_validated() {
        let (old, new) = (crd(&json!({}), true), crd(&json!({"maximum": 1}), false));
        assert_eq!(install_plan_checks(&old, &new).restrictions, []);
        assert_eq!(install_plan_checks(&new, &old).restrictions, []);
    }

    #[test]
    fn a_stored_version_may_not_go_and_a_webhook_waives_the_validation() {
        let old = crd(&json!({}), true);
        let new = Crd { versions: vec![Version::default()], has_conversion_webhook: true, ..old.clone() };
        let found = install_plan_checks(&old, &new);
        let error = "risk of data loss updating \"as.b\": new CRD removes version v1 that is listed as a stored version on the \
                     existing CRD";
        assert_eq!((found.stored_versions.as_deref(), found.has_waiver), (Some(error), true));
        let new = Crd { versions: Vec::new(), ..old.clone() };
        let error =
            "checking CRD for potential data loss updating \"as.b\": could not find any versions in the new CRD";
        assert_eq!(install_plan_checks(&old, &new).stored_versions.as_deref(), Some(error));
    }

    fn crd_api(kind: &str, versions: &[(&str, bool)]) -> Crd {
        let version = |(name, is_served): &(&str, bool)| Version {
            name: (*name).into(),
            is_served: *is_served,
            ..Version::default()
        };
        Crd { kind: kind.into(), versions: versions.iter().map(version).collect(), ..Crd::default() }
    }

    #[track_caller]
    fn check_api(old: &Crd, new: &Crd, expected: &[(&str, ApiLoss)]) {
        let found = lost_apis(old, new);
        assert_eq!(found.iter().map(|api| (&*api.version, api.loss)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn versions_are_removed_or_no_longer_served() {
        let old = crd_api("A", &[("v1alpha1", false), ("v1beta1", true), ("v1", true)]);
        check_api(
            &old,
            &crd_api("A", &[("v1beta1", false), ("v1", true), ("v2", true)]),
            &[("v1alpha1", ApiLoss::Removed), ("v1beta1", ApiLoss::NotServed)],
        );
        check_api(&old, &old, &[]);
    }

    #[test]
    fn another_kind_is_another_api() {
        check_api(&crd_api("A", &[("v1", true)]), &crd_api("B", &[("v1", true)]), &[("v1", ApiLoss::Removed)]);
    }
}
