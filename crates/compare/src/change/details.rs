//! What the ClusterServiceVersions and related images of new heads say, compared with those of the old heads.

use super::case::{Case, Change};
use super::exchange::Exchange;
use crate::rule::Rule;
use catalog::{Bundle, BundleDetails, BundleName, CsvDetails, bundle_details};
use go_semver::blang::Version;
use source::FileId;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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
    of_csv(case, Rule::MinKubeRaised, |head, old, new| {
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
    of_csv(case, Rule::InstallModeDropped, |head, old, new| {
        let supported = new.install_modes.supported();
        let dropped = old.install_modes.supported().into_iter().filter(|mode| !supported.contains(mode));
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
    rule: Rule,
    describe: impl Fn(&BundleName, &CsvDetails, &CsvDetails) -> Option<String>,
) -> Vec<Change> {
    let found = case.exchanges.iter().filter_map(|exchange| {
        let old = case.old_heads.get(exchange.before)?.csv.as_ref()?;
        let new = case.new_heads.get(exchange.after)?.csv.as_ref()?;
        Some(Change { rule, message: describe(exchange.after, old, new)?, edit: exchange.edit() })
    });
    found.collect()
}

/// Images of new heads that no old head has. One change for the package, because nearly every release has some.
pub(super) fn related_images(case: &Case<'_>) -> Vec<Change> {
    let heads = case.exchanges.iter().filter_map(|exchange| {
        let (old, new) = (case.old_heads.get(exchange.before)?, case.new_heads.get(exchange.after)?);
        Some((exchange, &old.related_images, &new.related_images))
    });
    let known: BTreeSet<_> = heads.clone().flat_map(|(_, old, _)| old).collect();
    let added = heads.map(|(exchange, _, new)| (exchange, new.iter().filter(|image| !known.contains(image))));
    let added: Vec<(&Exchange<'_>, Vec<_>)> = added.map(|(exchange, images)| (exchange, images.collect())).collect();
    let adding: Vec<_> = added.iter().filter(|(_, images)| !images.is_empty()).collect();
    let Some(((first, _), others)) = adding.split_first() else { return Vec::new() };
    let images: BTreeSet<_> = adding.iter().flat_map(|(_, images)| images).collect();
    let heads = match others.iter().all(|(other, _)| other.after == first.after) {
        true => format!("`{}` has", first.after),
        false => "the new heads have".to_owned(),
    };
    let images = match images.len() {
        1 => "a related image".to_owned(),
        count => format!("{count} related images"),
    };
    let message = format!("{heads} {images} that no old head has: mirrors have to be refreshed");
    vec![Change { rule: Rule::RelatedImages, message, edit: first.edit() }]
}
