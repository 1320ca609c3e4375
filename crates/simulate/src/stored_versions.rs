//! The check of an InstallPlan that a CustomResourceDefinition keeps every version that objects are stored in.
//!
//! Follows operator-lifecycle-manager `pkg/lib/crd/storage.go` and `pkg/controller/operators/catalog/step.go`. The plan has the
//! CSV before its CustomResourceDefinitions, so the new CSV exists when this check fails.

/// OLM's error for a CustomResourceDefinition of a plan whose new manifest has `versions`, where the cluster has objects
/// `stored` in some; `None` if it is updated. Of several versions that are gone OLM names any.
///
/// ```
/// let error = simulate::stored_versions_error("etcds.example.com", &["v1alpha1".into(), "v1".into()], &["v1".into()]);
/// let expected = "risk of data loss updating \"etcds.example.com\": new CRD removes version v1alpha1 that is listed as a \
///     stored version on the existing CRD";
/// assert_eq!(error.as_deref(), Some(expected));
/// assert_eq!(simulate::stored_versions_error("etcds.example.com", &["v1".into()], &["v1".into(), "v2".into()]), None);
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
