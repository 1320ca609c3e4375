//! What the ClusterServiceVersions of new heads say, compared with those of the old heads.

use super::{Case, Change, ChangeRule};
use blang_semver::Version;
use catalog::{Bundle, BundleDetails, BundleName, CsvDetails, bundle_details};
use source::FileId;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The details of bundles by name. Each bundle is read once, because channels often share their heads, and so is each text,
/// because `text` may have to take back edits.
pub(super) fn read<'c, 't>(
    bundles: impl Iterator<Item = &'c Bundle>,
    text: &dyn Fn(FileId) -> Option<Cow<'t, str>>,
) -> BTreeMap<&'c BundleName, BundleDetails> {
    let mut texts: BTreeMap<FileId, Option<Cow<'t, str>>> = BTreeMap::new();
    let bundles: BTreeMap<&BundleName, &Bundle> = bundles.map(|bundle| (&bundle.name.value, bundle)).collect();
    let details = bundles.into_iter().filter_map(|(name, bundle)| {
        let file = bundle.span.file;
        let text = texts.entry(file).or_insert_with(|| text(file)).as_deref()?;
        Some((name, bundle_details(bundle, text)?))
    });
    details.collect()
}

/// Heads with a higher `minKubeVersion`. The resolver does not look at it (`pkg/controller/operators/olm/requirements.go`
/// of OLM).
pub(super) fn min_kube(case: &Case<'_>) -> Vec<Change> {
    of_csv(case, ChangeRule::MinKubeRaised, |head, old, new| {
        let (before, now) = (old.min_kube_version.as_deref(), new.min_kube_version.as_deref()?);
        let version = |text| Version::parse_tolerant(text).ok();
        if before.and_then(version) >= Some(version(now)?) {
            return None;
        }
        let instead = before.map(|before| format!(" instead of `{before}`")).unwrap_or_default();
        Some(format!(
            "`{head}` needs Kubernetes `{now}`{instead}: on older clusters its CSV stays Pending with `CSV version \
             requirement not met: minKubeVersion ({now}) > server version (<version>)`"
        ))
    })
}

/// Heads without an install mode that the old head supports (`InstallModeSet` in operator-framework/api
/// `pkg/operators/v1alpha1/clusterserviceversion.go`).
pub(super) fn install_modes(case: &Case<'_>) -> Vec<Change> {
    of_csv(case, ChangeRule::InstallModeDropped, |head, old, new| {
        let dropped = old.install_modes.difference(&new.install_modes);
        let dropped: Vec<String> = dropped.map(|mode| format!("`{mode}`")).collect();
        let (modes, them) = match dropped.len() {
            0 => return None,
            1 => ("the install mode", "it"),
            _ => ("the install modes", "them"),
        };
        Some(format!(
            "`{head}` no longer supports {modes} {}: in namespaces that use {them} its CSV fails with \
             `UnsupportedOperatorGroup`",
            dropped.join(", ")
        ))
    })
}

/// The changes between the ClusterServiceVersions of old and new heads, in the words of `describe`.
fn of_csv(
    case: &Case<'_>,
    rule: ChangeRule,
    describe: impl Fn(&BundleName, &CsvDetails, &CsvDetails) -> Option<String>,
) -> Vec<Change> {
    let found = case.exchanges.iter().filter_map(|exchange| {
        let old = case.old_heads.get(exchange.before)?.csv.as_ref()?;
        let new = case.new_heads.get(exchange.after)?.csv.as_ref()?;
        Some(Change { rule, message: describe(exchange.after, old, new)?, edit: exchange.edit() })
    });
    found.collect()
}
