//! What oc-mirror keeps of a catalog (catalog-filter, `pkg/filter/mirror-config/v1alpha1/mirror-filter.go`).

use crate::channel::{Bound, Bounds, ChannelOrder};
use crate::config::{MirroredCatalog, MirroredChannel, MirroredPackage, Text, limit};
use crate::kept::{Kept, KeptPackage};
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Package};
use fbc::quoted;
use go_semver::blang::Version;
use source::{Diagnostic, OcMirror, Rule, Severity, Span, first_and_more};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The limit on findings about one catalog.
const FINDINGS: usize = 200;
/// How many names a finding lists.
const NAMES: usize = 3;

/// What oc-mirror does with a catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtering {
    /// What the mirror has of it; absent if oc-mirror stops with an error.
    pub kept: Option<Kept>,
    /// Why oc-mirror stops, and what is lost or added without an error; at places of the configuration.
    pub diagnostics: Vec<Diagnostic>,
}

/// Filters a catalog. The configuration is one that oc-mirror accepts.
#[must_use]
pub fn filter(catalog: &Catalog, wanted: &MirroredCatalog, release: OcMirror) -> Filtering {
    let mut diagnostics = unknown_names(catalog, wanted);
    let configured: BTreeMap<&str, &MirroredPackage> =
        wanted.packages.iter().map(|package| (&*package.name.value, package)).collect();
    let mut kept = Kept {
        packages: BTreeMap::new(),
        is_selection: !configured.is_empty(),
        has_all_schemas: release.keeps_all_schemas(),
    };
    let mut stopped = false;
    for package in &catalog.packages {
        let config = configured.get(package.name.as_str()).copied();
        if config.is_none() && !configured.is_empty() {
            continue;
        }
        let request = PackageRequest { config, full: wanted.full, place: wanted.catalog.span, release };
        match filter_package(package, request) {
            Ok((found, notes)) => {
                kept.packages.insert(package.name.clone(), found);
                diagnostics.extend(notes);
            }
            Err(errors) => {
                stopped = true;
                diagnostics.extend(errors.into_iter().map(Stop::finding));
            }
        }
    }
    diagnostics.extend(lost_metadata(catalog, &kept, wanted, release));
    diagnostics.sort_by_key(|finding| (finding.span, finding.severity));
    limit(&mut diagnostics, FINDINGS);
    Filtering { kept: (!stopped).then_some(kept), diagnostics }
}

/// Packages and channels of the configuration that the catalog does not have.
fn unknown_names(catalog: &Catalog, wanted: &MirroredCatalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for config in wanted.packages.iter().filter(|config| !config.name.value.is_empty()) {
        let Some(package) = catalog.package(&config.name.value) else {
            let message = format!("the catalog has no package `{}`", config.name);
            let help = "oc-mirror warns and mirrors the other packages; check the name";
            found.push(Diagnostic::new(Rule::UnknownMirrored, config.name.span, message).with_help(help));
            continue;
        };
        let is_unknown = |channel: &&MirroredChannel| package.channel(&channel.name.value).is_none();
        for channel in config.channels.iter().filter(is_unknown) {
            let message = format!("package `{}` has no channel `{}`", config.name, channel.name);
            let channels: Vec<String> =
                package.channels.iter().take(10).map(|known| format!("`{}`", known.name.value)).collect();
            let help = format!("oc-mirror says nothing; the package has {}", channels.join(", "));
            found.push(Diagnostic::new(Rule::UnknownMirrored, channel.name.span, message).with_help(help));
        }
    }
    found
}

/// That the mirror has no `olm.deprecations` and no lifecycle data, because this oc-mirror writes only packages, channels and
/// bundles.
fn lost_metadata(catalog: &Catalog, kept: &Kept, wanted: &MirroredCatalog, release: OcMirror) -> Option<Diagnostic> {
    let is_lost = |package: &&Arc<Package>| {
        let has_some = !package.deprecations.is_empty() || !package.lifecycles.is_empty();
        has_some && kept.packages.contains_key(&package.name)
    };
    let names: Vec<&Arc<Package>> = catalog.packages.iter().filter(is_lost).collect();
    if kept.has_all_schemas || names.is_empty() {
        return None;
    }
    let names = first_and_more(names.iter().map(|package| format!("`{}`", package.name)), NAMES);
    let message = format!(
        "the mirror lacks the deprecations or lifecycle data of {names}: oc-mirror of OpenShift {} drops `olm.deprecations` and all schemas that opm does not know",
        release.versions()
    );
    let help = "oc-mirror of OpenShift 5.0 and later keeps them";
    Some(Diagnostic::new(Rule::MirrorDropsMetadata, wanted.catalog.span, message).with_help(help))
}

/// What the configuration wants of a package.
#[derive(Clone, Copy)]
pub(crate) struct PackageRequest<'c> {
    /// Its item in the configuration.
    pub(crate) config: Option<&'c MirroredPackage>,
    /// Whether all entries are kept instead of the heads alone.
    pub(crate) full: bool,
    /// Where to report what has no item.
    pub(crate) place: Span,
    pub(crate) release: OcMirror,
}

impl<'c> PackageRequest<'c> {
    fn channel(self, name: &ChannelName) -> Option<&'c MirroredChannel> {
        self.config?.channels.iter().find(|channel| *channel.name.value == *name.as_str())
    }

    /// The bounds of a channel: its own, else those of the package.
    fn bounds(self, channel: &ChannelName) -> Option<&'c Bounds> {
        let own = self.channel(channel).map(|channel| &channel.bounds);
        let package = self.config.map(|package| &package.bounds);
        [own, package].into_iter().flatten().find(|bounds| !bounds.is_empty())
    }

    /// Where to report what concerns a channel.
    fn place_of(self, channel: &ChannelName) -> Span {
        let bounds = self.bounds(channel).and_then(|bounds| bounds.min.as_ref().or(bounds.max.as_ref()));
        let own = self.channel(channel).map(|channel| channel.name.span);
        bounds.map(|bound| bound.span).or(own).unwrap_or_else(|| self.name_place())
    }

    fn name_place(self) -> Span {
        self.config.map_or(self.place, |package| package.name.span)
    }
}

/// An error of oc-mirror, which stops it.
pub(crate) struct Stop {
    error: String,
    place: Span,
    help: &'static str,
}

impl Stop {
    fn finding(self) -> Diagnostic {
        let message = format!("oc-mirror stops: {}", self.error.replace('\n', "; "));
        Diagnostic::new(Rule::FailedMirror, self.place, message).with_help(self.help)
    }
}

const HELP_ORDER: &str = "correct the channel in the catalog, or leave the package out";

/// Filters one package. oc-mirror stops at the first error; here each channel has its own.
pub(crate) fn filter_package(
    package: &Package,
    request: PackageRequest<'_>,
) -> Result<(KeptPackage, Vec<Diagnostic>), Vec<Stop>> {
    let stop = |error: String, place: Span, help: &'static str| Stop { error, place, help };
    let selected = |channel: &&Channel| {
        request.config.is_none_or(|config| config.channels.is_empty()) || request.channel(&channel.name.value).is_some()
    };
    let channels: Vec<&Channel> = package.channels.iter().filter(selected).collect();
    let mut errors = Vec::new();
    if let Some(error) = unversioned(package) {
        errors.push(stop(error, request.name_place(), "correct the bundle in the catalog, or leave the package out"));
    }
    let own_default = package.default_channel.as_ref().map(|channel| &channel.value);
    let wanted_default = request.config.and_then(|config| config.default_channel.as_ref());
    if let Some((error, help)) = request.config.and_then(|_| default_fault(&channels, own_default, wanted_default)) {
        let place = wanted_default.map_or_else(|| request.name_place(), |channel| channel.span);
        let name = quoted(package.name.as_str());
        errors.push(stop(format!("invalid default channel configuration for package {name}: {error}"), place, help));
    }
    let mut kept = KeptPackage {
        default_channel: wanted_default.map(|channel| ChannelName::from(&*channel.value)),
        selected: channels.iter().map(|channel| channel.name.value.clone()).collect(),
        channels: BTreeMap::new(),
        bundles: BTreeSet::new(),
    };
    let mut notes = Vec::new();
    for channel in channels {
        match filter_channel(package, channel, request, &mut notes) {
            Ok(Some(names)) => {
                kept.bundles.extend(names.iter().cloned());
                kept.channels.insert(channel.name.value.clone(), names);
            }
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok((kept, notes)) } else { Err(errors) }
}

/// The names that remain of a channel, some of which may be no entries; `None` if the mirror lacks the channel.
fn filter_channel(
    package: &Package,
    channel: &Channel,
    request: PackageRequest<'_>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Option<BTreeSet<BundleName>>, Stop> {
    let name = &channel.name.value;
    let place = request.place_of(name);
    let stop = |error: String, help: &'static str| Stop { error, place, help };
    let channel_text = || format!("package {} channel {}", quoted(package.name.as_str()), quoted(name.as_str()));
    let Some(bounds) = request.bounds(name) else {
        if request.full {
            return Ok(Some(channel.entries.iter().map(|entry| entry.name.value.clone()).collect()));
        }
        let order = ChannelOrder::of(channel).map_err(|error| {
            stop(format!("{} unable to filter head of channel: {error}", channel_text()), HELP_ORDER)
        })?;
        return Ok(Some(BTreeSet::from([order.head().clone()])));
    };
    if request.full {
        let help = "remove `full`, or the bounds of the package and its channels";
        return Err(stop("Full: true cannot be mixed with versionRange".to_owned(), help));
    }
    if let Some(version) = bounds.one_version().filter(|_| request.release.keeps_one_version()) {
        let found = one_bundle(package, channel, version, place, notes).ok_or_else(|| {
            let error = format!("error finding specific bundle: specific version {version} not found in bundles");
            stop(error, "choose a version of the package as `minVersion` and `maxVersion`")
        })?;
        return Ok(Some(BTreeSet::from([found.clone()])));
    }
    let order = ChannelOrder::of(channel).map_err(|error| stop(error, HELP_ORDER))?;
    let found = order.within(bounds, &|name| version_of(package, name));
    notes.extend(prereleases(package, channel, bounds, &found.names, place));
    if !found.names.is_empty() {
        let out_of_range = |note: &String| {
            let help = "an update path to the versions of the range leads through it; oc-mirror does not print this";
            Diagnostic::new(Rule::MirroredOutOfRange, place, note.clone()).with_help(help)
        };
        notes.extend(found.notes.iter().map(out_of_range));
        return Ok(Some(found.names));
    }
    if package.default_channel.as_ref().is_some_and(|default| default.value == *name) {
        let range = quoted(&bounds.range());
        let error = format!("{} has version range {range} that results in an empty channel", channel_text());
        return Err(stop(error, "choose bounds that contain a version of the default channel"));
    }
    let range = bounds.range();
    let message = format!(
        "no version of channel `{name}` is in the range `{}`, so the mirror does not have it",
        range.trim_start()
    );
    let help = "clusters with a Subscription to the channel lose it, and oc-mirror does not say so";
    notes.push(Diagnostic::new(Rule::EmptyMirroredChannel, place, message).with_help(help));
    Ok(None)
}

/// The bundle of a version that is kept for a channel, which may not list it. Build metadata do not count, and of several
/// bundles oc-mirror takes one at random: here the first that the channel lists.
fn one_bundle<'p>(
    package: &'p Package,
    channel: &Channel,
    version: &Bound,
    place: Span,
    notes: &mut Vec<Diagnostic>,
) -> Option<&'p BundleName> {
    let is_it = |bundle: &&Bundle| bundle.version().is_some_and(|own| own == version.version());
    let names: Vec<&BundleName> = package.bundles.iter().filter(is_it).map(|bundle| &bundle.name.value).collect();
    let is_listed = |name: &&BundleName| channel.entries.iter().any(|entry| entry.name.value == **name);
    let listed = names.iter().copied().find(is_listed);
    let name = &channel.name.value;
    if listed.is_none() && !names.is_empty() {
        notes.push(emptied(name, version, place));
    } else if names.len() > 1 {
        let all = first_and_more(names.iter().map(|name| format!("`{name}`")), NAMES);
        let otherwise = match names.iter().all(is_listed) {
            true => String::new(),
            false => format!("; channel `{name}` does not list all of them, so it may have no entries"),
        };
        let message = format!("{all} all have version {version}, and oc-mirror keeps one of them at random{otherwise}");
        let finding = Diagnostic::new(Rule::RandomMirrored, place, message);
        notes.push(finding.with_help(
            "the mirror shown here has the first that the channel lists; bounds that differ keep all of them",
        ));
    }
    listed.or(names.first().copied())
}

/// That a channel does not list the only version that is kept.
fn emptied(channel: &ChannelName, version: &Bound, place: Span) -> Diagnostic {
    let message = format!(
        "channel `{channel}` does not list version {version}, so it has no entries in the mirror and opm cannot serve the catalog: channel must contain at least one bundle"
    );
    let mut finding = Diagnostic::new(Rule::EmptyMirroredChannel, place, message);
    finding.severity = Severity::Error;
    finding.with_help("choose a version of the channel, or name under `channels` only those that list the version")
}

/// The version by which oc-mirror judges a bundle.
fn version_of(package: &Package, name: &BundleName) -> Option<Version> {
    package.bundle(name.as_str())?.version().cloned()
}

/// The error about the first bundle without a version that oc-mirror can read.
fn unversioned(package: &Package) -> Option<String> {
    package.bundles.iter().find_map(|bundle| {
        let is_given = bundle.properties.iter().any(|property| property.value.kind() == "olm.package");
        match &bundle.version {
            Some(version) => version.value.version.is_err().then(|| "Invalid Semantic Version".to_owned()),
            None if is_given => None,
            None => Some(format!(
                "bundle {} in package {} has no package property",
                quoted(bundle.name.value.as_str()),
                quoted(package.name.as_str())
            )),
        }
    })
}

/// What is wrong with the default channel after filtering, and what to do (`setDefaultChannel`).
fn default_fault(
    channels: &[&Channel],
    own: Option<&ChannelName>,
    wanted: Option<&Text>,
) -> Option<(String, &'static str)> {
    let is_kept = |name: &str| channels.iter().any(|channel| channel.name.value.as_str() == name);
    match (wanted, own) {
        (Some(wanted), _) => (!is_kept(&wanted.value)).then(|| {
            let name = quoted(&wanted.value);
            let error = format!("specified default channel override {name} does not exist in the filtered output");
            (error, "name a channel that is mirrored")
        }),
        (None, Some(own)) => (!is_kept(own.as_str())).then(|| {
            let name = quoted(own.as_str());
            let error = format!(
                "the default channel {name} was filtered out, a new default channel must be configured for this package"
            );
            (error, "add the channel to `channels`, or set `defaultChannel` to a channel that is mirrored")
        }),
        (None, None) => None,
    }
}

/// Versions between the bounds that are left out because they are pre-releases and the bounds are not.
fn prereleases(
    package: &Package,
    channel: &Channel,
    bounds: &Bounds,
    kept: &BTreeSet<BundleName>,
    place: Span,
) -> Option<Diagnostic> {
    let entries = channel.entries.iter().map(|entry| &entry.name.value).filter(|name| !kept.contains(*name));
    let lost =
        entries.filter_map(|name| version_of(package, name)).filter(|version| bounds.leave_out_as_prerelease(version));
    let lost: Vec<Version> = lost.collect();
    (!lost.is_empty()).then(|| {
        let message = format!(
            "channel `{}` has pre-releases between the bounds that are not mirrored: {}",
            channel.name.value,
            first_and_more(lost.iter().map(|version| format!("`{version}`")), NAMES)
        );
        let finding = Diagnostic::new(Rule::PrereleaseNotMirrored, place, message);
        finding.with_help("a bound without a pre-release matches none; write it with one, such as `1.2.0-0`")
    })
}
