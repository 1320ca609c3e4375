//! The rule `several-providers`.
//!
#![doc = include_str!("several_providers.md")]

use crate::candidates::Candidates;
use catalog::predicate::{Gvk, Property};
use source::{Diagnostic, Findings, Rule, Span, name_list};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(catalog: usize, candidates: &Candidates<'_>, findings: &mut Findings) {
    let mut shared: BTreeMap<BTreeSet<&str>, Vec<(&Gvk, &[usize])>> = BTreeMap::new();
    for (gvk, providers) in candidates.gvks() {
        let own = providers.iter().map(|&at| &candidates.all[at]).filter(|provider| provider.catalog == catalog);
        let names: BTreeSet<&str> = own.map(|provider| provider.package.name.as_str()).collect();
        if names.len() > 1 {
            shared.entry(names).or_default().push((gvk, providers));
        }
    }
    for (packages, gvks) in shared {
        let Some((gvk, providers)) = gvks.first() else { continue };
        let more = match gvks.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more APIs"),
        };
        let names = name_list(packages.iter().copied());
        let message =
            format!("packages {names} all provide {gvk}{more}: OLM installs at most one of them in a namespace");
        let mut places = packages.iter().filter_map(|name| newest(catalog, candidates, name, gvk, providers));
        let Some(first) = places.next() else { continue };
        let mut finding = Diagnostic::new(Rule::SeveralProviders, first, message)
            .with_help("bundles that require the API should also require the package that they mean");
        for place in places.take(4) {
            finding = finding.with_label(place, "also provided here");
        }
        findings.push(finding);
    }
}

/// The property by which the newest bundle of a package provides the API.
fn newest(catalog: usize, candidates: &Candidates<'_>, package: &str, gvk: &Gvk, providers: &[usize]) -> Option<Span> {
    let providers = providers.iter().map(|&at| &candidates.all[at]);
    let own = providers.filter(|provider| provider.catalog == catalog && provider.package.name.as_str() == package);
    let bundle = crate::index::newest(own.map(|provider| provider.bundle))?;
    let property =
        bundle.properties.iter().find(|property| matches!(&property.value, Property::Gvk(own, ..) if own == gvk));
    property.map(|property| property.span)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_across_catalogs;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two packages of one catalog
            c: 1.0.0 (provides g/v1/K)
                      ^^^^^^^^^^^^^^^ several-providers: packages `p`, `q` all provide K (g/v1): OLM installs at most one of them in a namespace
            package q
            c: 1.0.0 (provides g/v1/K)
            == packages of two catalogs
            c: 1.0.0 (provides g/v1/K)
            //- package q
            c: 1.0.0 (provides g/v1/K)
        ";
        check_across_catalogs(Rule::SeveralProviders, cases);
    }
}
