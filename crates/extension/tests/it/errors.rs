//! The error texts, letter for letter.

use cluster::{ClusterExtension, Expression, InstalledBundle, Selector};
use extension::ResolveError;

use crate::world::{With, answer, check, extension, installed, of_text, read};

#[test]
fn ranges_that_are_none() {
    let catalog = read("bundle 1.0.0");
    let text = |range: &str| answer(&extension().version(range), &catalog).outcome.unwrap_err().to_string();
    assert_eq!(text("foobar"), "desired version range \"foobar\" is invalid: improper constraint: foobar");
    assert_eq!(text("|"), "desired version range \"|\" is invalid: constraint parser error");
}

#[test]
fn selectors_come_before_ranges() {
    let expression = Expression { key: "a".into(), operator: "Like".into(), values: Vec::new() };
    let selector = Selector { match_expressions: vec![expression], ..Selector::default() };
    let extension = ClusterExtension { selector, ..extension().version("foobar") };
    let text = "desired catalog selector is invalid: \"Like\" is not a valid label selector operator";
    check(&extension, &read("bundle 1.0.0"), text);
}

#[test]
fn nothing_found() {
    let catalog = read("alpha: 1.0.0");
    let missing = ClusterExtension { package: "q".into(), ..extension() };
    check(&missing, &catalog, "no bundles found for package \"q\"");
    check(&extension().version("4.0.0"), &catalog, "no bundles found for package \"p\" matching version \"4.0.0\"");
    check(&extension().channels(&["stable"]), &catalog, "no bundles found for package \"p\" in channels [stable]");
    check(
        &installed("1.0.0").version("9.0.0").channels(&["x", "y"]),
        &catalog,
        "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\" matching version \"9.0.0\" in channels [x y]",
    );
    // The policy does not change the text.
    check(
        &installed("1.0.0").version("9.0.0").self_certified(),
        &catalog,
        "error upgrading from currently installed version \"1.0.0\": no bundles found for package \"p\" matching version \"9.0.0\"",
    );
}

#[test]
fn installed_versions_that_cannot_be_read() {
    let catalog = read("bundle 1.0.0");
    let prefix =
        "error walking catalogs: error finding upgrade edges: failed to get version and release of installed bundle: ";
    check(&installed("1.0"), &catalog, &format!("{prefix}No Major.Minor.Patch elements found"));
    let bundle = InstalledBundle { name: "p".into(), version: "1.0".into(), release: Some("1".into()) };
    let explicit = ClusterExtension { installed: Some(bundle), ..extension() };
    check(&explicit, &catalog, &format!("{prefix}error parsing version \"1.0\": No Major.Minor.Patch elements found"));
    // Nobody asks as long as no catalog has the package.
    let other = ClusterExtension { package: "q".into(), ..installed("1.0") };
    check(
        &other,
        &catalog,
        "error upgrading from currently installed version \"1.0\": no bundles found for package \"q\"",
    );
}

#[test]
fn versions_of_the_winner_that_cannot_be_read() {
    let text = "error getting resolved bundle version for bundle \"p.v1.0\": No Major.Minor.Patch elements found";
    check(&extension(), &read("bundle 1.0 (version '1.0')"), text);
    let catalog = of_text("schema: olm.bundle\npackage: p\nname: b\nimage: i\n");
    let text = "error getting resolved bundle version for bundle \"b\": no package property found in bundle \"b\"";
    check(&extension(), &catalog, text);
}

#[test]
fn a_skip_range_that_crashes_blang() {
    let catalog = read("c: 2.0.0 (skipRange >=3.0.0 || || >=4.0.0)");
    assert_eq!(answer(&installed("1.0.0"), &catalog).outcome, Err(ResolveError::SkipRangePanic));
    check(&extension(), &catalog, "2.0.0");
}
