//! Extensions that several catalogs have bundles for.

use crate::extension::{ExtensionCase, ExtensionRow, is_selectable};
use crate::extension_rule::ExtensionRule;
use crate::path::{Path, PathErrorKind};
use catalog::{ChannelName, Package};
use extension::{CatalogState, ClusterExtension, InstalledBundle, Selector, resolve};
use predicate::PackageName;
use std::collections::BTreeSet;
use std::sync::Arc;

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
) -> Vec<ExtensionRow> {
    let has_package = |state: &CatalogState<'_>| package(state, name).is_some();
    if !has_package(&new) || !others.iter().any(has_package) {
        return Vec::new();
    }
    let with = |state| std::iter::once(state).chain(others.iter().copied()).collect::<Vec<_>>();
    let (before, after) = (with(old), with(new));
    let mut known = BTreeSet::new();
    let mut rows = Vec::new();
    for package in before.iter().filter_map(|state| package(state, name)) {
        let entries =
            package.channels.iter().flat_map(|channel| channel.entries.iter().map(move |entry| (channel, entry)));
        for (channel, entry) in entries {
            let (channel, installed) = (&channel.name.value, &entry.name.value);
            let Some(bundle) = package.bundle(installed.as_str()).filter(|_| known.insert((channel, installed))) else {
                continue;
            };
            let selected = |channels: &[ChannelName], selector: &Selector| {
                let mut extension = ClusterExtension::new(name.as_str().into(), name.clone());
                extension.channels = channels.to_vec();
                extension.selector = selector.clone();
                extension.installed = Some(InstalledBundle::of(bundle));
                let [old, new] = [&before, &after]
                    .map(|catalogs| Arc::new(Path::of_answer(installed, resolve(&extension, catalogs).outcome)));
                let is_new = is_ambiguous(&new) && !is_ambiguous(&old) && channels.iter().all(is_selectable);
                ExtensionCase { old, new, rule: is_new.then_some(ExtensionRule::Ambiguous) }
            };
            let case = |channels| {
                let mut cases = selectors.iter().map(|selector| selected(channels, selector));
                let first = cases.next()?;
                let with_rule = if first.rule.is_none() { cases.find(|case| case.rule.is_some()) } else { None };
                Some(with_rule.unwrap_or(first))
            };
            let Some((all, one)) = case(&[]).zip(case(std::slice::from_ref(channel))) else { continue };
            let (channel, installed, version) = (channel.clone(), installed.clone(), bundle.version().cloned());
            rows.push(ExtensionRow { channel, installed, version, all, one });
        }
    }
    rows.retain(|row| row.rule().is_some());
    rows
}

fn package<'c>(state: &CatalogState<'c>, name: &PackageName) -> Option<&'c Package> {
    state.content?.package(name.as_str())
}

fn is_ambiguous(path: &Path) -> bool {
    path.error.as_ref().is_some_and(|error| error.kind == PathErrorKind::Ambiguous)
}
