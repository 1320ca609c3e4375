//! A template beside the catalog that is served: what is written into the template is judged by the catalog, which may be ahead.

use crate::side::{Comparison, Side};
use crate::{CatalogInput, Workbench};
use catalog::{Catalog, Entry, Package};
use compare::{Levels, Scope};
use source::name_list;
use std::collections::BTreeSet;
use views::CatalogId;

impl Workbench {
    /// Says which catalog is served of what a template expands to.
    pub fn set_served(&mut self, template: CatalogId, served: CatalogId) {
        self.inputs.iter_mut().filter(|input| input.id == template).for_each(|input| input.served = Some(served));
    }

    /// The catalog that is served of what a template expands to.
    #[must_use]
    pub fn served(&self, template: CatalogId) -> Option<CatalogId> {
        self.catalog(template)?.served
    }

    /// The catalog that clusters have, if a template expands to other entries than this one has.
    fn served_beside(&self, template: &CatalogInput) -> Option<&CatalogInput> {
        let served = self.catalog(template.served?)?;
        let [today, known] = [Side::opened(template).catalog(), &served.analysis.catalog];
        let is_known = !template.needs_registry() && !known.is_partial;
        let differs = |package: &Package| {
            let edges = |catalog| entries(catalog, package).into_iter().map(edges).collect::<Vec<_>>();
            edges(known) != edges(today)
        };
        today.packages.iter().any(|package| differs(package)).then_some(served).filter(|_| is_known)
    }

    /// That a catalog is ahead of the template that it is made of, which loses versions if it is rendered again.
    #[must_use]
    pub fn outgrown(&self, template: CatalogId) -> Option<String> {
        let template = self.catalog(template)?;
        let served = self.served_beside(template)?;
        let today = Side::opened(template).catalog();
        let lost: BTreeSet<&str> = (today.packages.iter())
            .flat_map(|package| {
                let names = |of| entries(of, package).into_iter().map(|(_, entry)| entry.name.value.as_str());
                let kept: BTreeSet<&str> = names(today).collect();
                names(&served.analysis.catalog).filter(move |name| !kept.contains(name))
            })
            .collect();
        let files = template.files.iter().filter(|file| file.expanded_from.is_none());
        let names = name_list(files.map(|file| file.path.rsplit('/').next().unwrap_or_default()));
        let lost = (!lost.is_empty()).then(|| name_list(lost))?;
        Some(format!("the catalog is ahead of its template {names}, and loses {lost} when it is rendered again"))
    }

    /// The catalog of clusters as it is before an edit, beside the present one.
    pub(crate) fn comparison_of_edits<'c>(&'c self, catalog: &'c CatalogInput, levels: &'c Levels) -> Comparison<'c> {
        let packages = Side::opened(catalog).catalog().packages.iter().map(|package| package.name.as_str());
        let (before, packages) = match self.served_beside(catalog) {
            Some(served) => (Side::present(served), packages.collect()),
            None => (Side::opened(catalog), Vec::new()),
        };
        Comparison::of(before, Side::present(catalog), levels, Scope { packages, is_whole: true, ..Scope::default() })
    }
}

/// The entries of a package in a catalog with their channels, in an order that does not depend on the text.
fn entries<'c>(catalog: &'c Catalog, package: &Package) -> Vec<(&'c str, &'c Entry)> {
    let found = catalog.package(package.name.as_str());
    let channels = found.into_iter().flat_map(|package| &package.channels);
    let mut entries: Vec<_> =
        channels.flat_map(|channel| channel.entries.iter().map(|entry| (channel.name.value.as_str(), entry))).collect();
    entries.sort_by_key(|(channel, entry)| (*channel, entry.name.value.as_str()));
    entries
}

/// What an entry says, apart from where it stands.
fn edges<'c>((channel, entry): (&'c str, &'c Entry)) -> (&'c str, &'c str, Option<&'c str>, Vec<&'c str>, &'c str) {
    let replaces = entry.replaces.as_ref().map(|name| name.value.as_str());
    let skips = entry.skips.iter().map(|name| name.value.as_str()).collect();
    let range = entry.skip_range.as_ref().map_or("", |range| &*range.value.text);
    (channel, entry.name.value.as_str(), replaces, skips, range)
}
