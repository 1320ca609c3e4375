//! The rule `several-providers`.
//!
#![doc = include_str!("several_providers.md")]

use crate::supply::Supply;
use predicate::{Gvk, Property};
use source::{Diagnostic, Findings, Rule, Span, name_list};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn check(catalog: usize, supply: &Supply<'_>, found: &mut Findings) {
    let mut shared: BTreeMap<BTreeSet<&str>, Vec<(&Gvk, &[usize])>> = BTreeMap::new();
    for (gvk, offers) in supply.gvks() {
        let here = offers.iter().map(|&at| &supply.offers[at]).filter(|offer| offer.catalog == catalog);
        let names: BTreeSet<&str> = here.map(|offer| offer.package.name.as_str()).collect();
        if names.len() > 1 {
            shared.entry(names).or_default().push((gvk, offers));
        }
    }
    for (packages, gvks) in shared {
        let Some((gvk, offers)) = gvks.first() else { continue };
        let more = match gvks.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more APIs"),
        };
        let listed = name_list(packages.iter().copied());
        let message = format!("packages {listed} all provide {gvk}{more}: one namespace can have one of them");
        let mut places = packages.iter().filter_map(|name| newest(catalog, supply, name, gvk, offers));
        let Some(first) = places.next() else { continue };
        let mut finding = Diagnostic::new(Rule::SeveralProviders, first, message)
            .with_help("whoever requires the API should name the package that is meant");
        for place in places.take(4) {
            finding = finding.with_label(place, "provided here, too");
        }
        found.push(finding);
    }
}

/// Where the newest bundle of a package says that it provides the API.
fn newest(catalog: usize, supply: &Supply<'_>, package: &str, gvk: &Gvk, offers: &[usize]) -> Option<Span> {
    let offers = offers.iter().map(|&at| &supply.offers[at]);
    let own = offers.filter(|offer| offer.catalog == catalog && offer.package.name.as_str() == package);
    let bundle = crate::operator::Operator::newest(own.map(|offer| offer.bundle))?;
    let property =
        bundle.properties.iter().find(|property| matches!(&property.value, Property::Gvk(own, ..) if own == gvk));
    property.map(|property| property.span)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_together, operator};
    use source::Rule;

    const API: &str = "{type: olm.gvk, value: {group: g, version: v1, kind: K}}";

    #[test]
    fn in_one_catalog() {
        let both = operator("p", "1.0.0", API) + "---\n" + &operator("q", "1.0.0", API);
        let expected = "8:4 packages `p`, `q` all provide K (g/v1): one namespace can have one of them";
        check_together(Rule::SeveralProviders, &[&both], &[expected]);
        check_together(Rule::SeveralProviders, &[&operator("p", "1.0.0", API), &operator("q", "1.0.0", API)], &[]);
    }
}
