//! Extensions that several catalogs have bundles for.

use crate::extension::is_selectable;
use crate::path::{Path, PathErrorKind};
use crate::row::{Row, UpdatedBy};
use crate::rule::Rule;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, ChannelName, Package};
use cluster::{ClusterExtension, InstalledBundle, Selector};
use extension::{CatalogState, resolve};
use std::collections::BTreeSet;

/// The rows of one package for which OLM v1 can no longer choose between the catalogs of a cluster after the change. Any of
/// the catalogs may have given the installed version. There are none if no other catalog has the package. `selectors` are the
/// catalog selectors of the extensions that there may be.
#[must_use]
pub fn ambiguous_extensions(
    old: CatalogState<'_>,
    new: CatalogState<'_>,
    others: &[CatalogState<'_>],
    name: &PackageName,
    selectors: &[Selector],
) -> Vec<Row> {
    let has_package = |state: &CatalogState<'_>| package(state, name).is_some();
    if !has_package(&new) || !others.iter().any(has_package) {
        return Vec::new();
    }
    let with = |state| std::iter::once(state).chain(others.iter().copied()).collect::<Vec<_>>();
    let (before, after) = (with(old), with(new));
    let row = |updated_by: UpdatedBy, channel: &ChannelName, bundle: &Bundle, selector: &Selector| {
        let mut extension = ClusterExtension::new(name.as_str().into(), name.clone());
        let is_named = updated_by == UpdatedBy::ExtensionOfChannel;
        extension.channels = if is_named { vec![channel.clone()] } else { Vec::new() };
        extension.selector = selector.clone();
        extension.installed = Some(InstalledBundle::of(bundle));
        let installed = &bundle.name.value;
        let [old, new] =
            [&before, &after].map(|catalogs| Path::of_answer(installed, resolve(&extension, catalogs).outcome));
        let is_new = is_ambiguous(&new) && !is_ambiguous(&old) && (!is_named || is_selectable(channel));
        let (channel, installed, version) = (channel.clone(), installed.clone(), bundle.version().cloned());
        Row { updated_by, channel, installed, version, old, new, rule: is_new.then_some(Rule::V1Ambiguous) }
    };
    let mut rows = Vec::new();
    for (channel, bundle) in listed(&before, name) {
        for updated_by in [UpdatedBy::Extension, UpdatedBy::ExtensionOfChannel] {
            let mut rows_of = selectors.iter().map(|selector| row(updated_by, channel, bundle, selector));
            rows.extend(rows_of.find(|row| row.rule.is_some()));
        }
    }
    let mut known = BTreeSet::new();
    rows.retain(|row| row.updated_by != UpdatedBy::Extension || known.insert(row.installed.clone()));
    rows
}

/// The bundles of a package that the catalogs list, once for each channel.
fn listed<'c>(catalogs: &[CatalogState<'c>], name: &PackageName) -> Vec<(&'c ChannelName, &'c Bundle)> {
    let mut known: BTreeSet<(&ChannelName, &BundleName)> = BTreeSet::new();
    let mut found = Vec::new();
    for package in catalogs.iter().filter_map(|state| package(state, name)) {
        for channel in &package.channels {
            let bundles = channel.entries.iter().filter_map(|entry| package.bundle(entry.name.value.as_str()));
            let channel = &channel.name.value;
            found.extend(bundles.filter(|bundle| known.insert((channel, &bundle.name.value))).map(|b| (channel, b)));
        }
    }
    found
}

fn package<'c>(state: &CatalogState<'c>, name: &PackageName) -> Option<&'c Package> {
    state.content?.package(name.as_str())
}

fn is_ambiguous(path: &Path) -> bool {
    path.error.as_ref().is_some_and(|error| error.kind == PathErrorKind::Ambiguous)
}
