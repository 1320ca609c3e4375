//! Changes that help an extension whose resolution fails.

use extension::{CatalogState, ClusterCatalog, ClusterExtension, FixChange, fixes};

use crate::world::{With, extension, installed, read};

/// The fixes as lines `change: bundle`.
fn told(wish: &ClusterExtension, catalogs: &[(&str, &str)]) -> Vec<String> {
    let contents: Vec<_> = catalogs.iter().map(|(_, text)| read(text)).collect();
    let objects: Vec<ClusterCatalog> = catalogs.iter().map(|(name, _)| ClusterCatalog::new((*name).into())).collect();
    let states: Vec<CatalogState<'_>> = objects
        .iter()
        .zip(&contents)
        .map(|(object, content)| CatalogState { object, content: Some(content) })
        .collect();
    fixes(wish, &states).iter().map(|fix| format!("{}: {}", fix.change, fix.resolved.version)).collect()
}

const CHAIN: &str = "stable: 1.0.0 <- 2.0.0\nfast: 3.0.0 (replaces 2.0.0)";

#[test]
fn each_restriction_that_alone_is_in_the_way_is_a_fix() {
    assert_eq!(told(&installed("1.0.0"), &[("c", CHAIN)]), [""; 0], "it does not fail");
    let wish = installed("1.0.0").version("3.0.0");
    let certified = format!("{}: 3.0.0", FixChange::SelfCertified);
    assert_eq!(told(&wish, &[("c", CHAIN)]), ["remove `version`: 2.0.0".to_owned(), certified]);
    let wish = extension().channels(&["gone"]);
    assert_eq!(told(&wish, &[("c", CHAIN)]), ["remove `channels`: 3.0.0"]);
}

#[test]
fn one_of_several_catalogs_can_be_selected() {
    let expected = ["a", "b"].map(|name| format!("select `olm.operatorframework.io/metadata.name: {name}`: 3.0.0"));
    assert_eq!(told(&extension(), &[("a", CHAIN), ("b", CHAIN)]), expected);
}

#[test]
fn a_version_below_a_dependency_can_be_wanted() {
    let text = "stable: 1.0.0 <- 2.0.0 <- 3.0.0 (property olm.gvk.required {})";
    assert_eq!(told(&extension(), &[("c", text)]), ["set `version: 2.0.0`: 2.0.0"]);
}
