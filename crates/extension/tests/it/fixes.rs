//! Changes that help an extension whose resolution fails.

use cluster::{ClusterCatalog, ClusterExtension, ReportedFailure};
use extension::{CatalogState, FixChange, Refusal, Resolved, fixes};

use crate::world::{With, extension, installed, read};

/// The fixes as lines `change: bundle`, where OLM v1 refuses no bundle.
fn told(wish: &ClusterExtension, catalogs: &[(&str, &str)]) -> Vec<String> {
    told_with_refused(wish, catalogs, &[])
}

/// The same where OLM v1 refuses these versions; a change that ends with one of them is marked.
fn told_with_refused(wish: &ClusterExtension, catalogs: &[(&str, &str)], refused: &[&str]) -> Vec<String> {
    let contents: Vec<_> = catalogs.iter().map(|(_, text)| read(text)).collect();
    let objects: Vec<ClusterCatalog> = catalogs.iter().map(|(name, _)| ClusterCatalog::new((*name).into())).collect();
    let states: Vec<CatalogState<'_>> = objects
        .iter()
        .zip(&contents)
        .map(|(object, content)| CatalogState { object, content: Some(content) })
        .collect();
    let refusals = |resolved: &Resolved| {
        let is_refused = refused.contains(&&*resolved.version.to_string());
        is_refused.then(|| Refusal::Reported(reported(resolved, true))).into_iter().collect::<Vec<_>>()
    };
    let found = fixes(wish, &states, &refusals);
    let line = |fix: &extension::Fix| {
        let end = fix.refused.as_ref().map(|(bundle, _)| format!(", {bundle} is refused")).unwrap_or_default();
        format!("{}: {}{end}", fix.change, fix.resolved.version)
    };
    found.iter().map(line).collect()
}

/// What an extension reports of a bundle.
fn reported(resolved: &Resolved, is_about_bundle: bool) -> ReportedFailure {
    ReportedFailure { bundle: resolved.bundle.clone(), text: "no".into(), is_about_bundle, account: None }
}

#[test]
fn no_version_helps_against_what_is_on_the_cluster() {
    let (object, content) = (ClusterCatalog::new("c".into()), read(CHAIN));
    let states = [CatalogState { object: &object, content: Some(&content) }];
    let count = |is_about_bundle: bool| {
        let is_head = |resolved: &Resolved| resolved.version.to_string() == "3.0.0";
        let refusals = |resolved: &Resolved| {
            let failure = Refusal::Reported(reported(resolved, is_about_bundle));
            is_head(resolved).then_some(failure).into_iter().collect::<Vec<_>>()
        };
        fixes(&extension(), &states, &refusals).len()
    };
    assert_eq!([count(true), count(false)], [1, 0]);
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

#[test]
fn a_change_that_ends_with_a_refused_bundle_is_no_fix() {
    let wish = installed("1.0.0").version("3.0.0");
    let certified = format!("{}: 3.0.0", FixChange::SelfCertified);
    // The next bundle is refused, so that one is told last.
    let told = told_with_refused(&wish, &[("c", CHAIN)], &["2.0.0"]);
    assert_eq!(told, [certified.clone(), "remove `version`: 2.0.0, p.v2.0.0 is refused".to_owned()]);
    // A later one is refused: the change leads there, too.
    let told = told_with_refused(&wish, &[("c", CHAIN)], &["3.0.0"]);
    let refused = format!("{certified}, p.v3.0.0 is refused");
    assert_eq!(told, ["remove `version`: 2.0.0, p.v3.0.0 is refused".to_owned(), refused]);
}

#[test]
fn a_refused_bundle_is_avoided_by_an_older_version() {
    let told = told_with_refused(&extension(), &[("c", CHAIN)], &["3.0.0", "2.0.0"]);
    assert_eq!(told, ["set `version: 1.0.0`: 1.0.0"]);
    let told = told_with_refused(&installed("1.0.0"), &[("c", CHAIN)], &["2.0.0"]);
    assert_eq!(told, ["set `version: 1.0.0`: 1.0.0"], "it stays");
    assert_eq!(told_with_refused(&extension(), &[("c", CHAIN)], &["1.0.0", "2.0.0", "3.0.0"]), [""; 0]);
}
