//! The rule `skip-range-excludes-replaced`.
//!
#![doc = include_str!("skip_range_excludes_replaced.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule};
use std::collections::BTreeSet;

/// One finding for the package: a bound that was not raised once was not raised in later releases either.
pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let excluding: Vec<_> = indexed
        .skip_ranges()
        .filter_map(|skip| {
            let (replaces, older) = indexed.replaced(&skip)?;
            let excludes = skip.range.matches(older) == Ok(false);
            // A range that begins above the replaced version is for the versions in between.
            let begins_below = skip.range.lowest().is_some_and(|lowest| lowest <= *older);
            (excludes && begins_below).then_some((skip, replaces, older))
        })
        .collect();
    let Some((skip, replaces, older)) = excluding.first() else { return };
    let names: BTreeSet<_> = excluding.iter().map(|(skip, ..)| &skip.entry.name.value).collect();
    let (name, text, matching) = (&skip.entry.name, skip.text(), skip.matching(indexed));
    let mut message =
        format!("the skipRange `{text}` of `{name}` does not contain {older}, which `{name}` replaces; {matching}");
    if names.len() > 1 {
        message.push_str(&format!("; the same is true of {} more in the package", names.len() - 1));
    }
    let help = "`replaces` allows this update anyway; check the bounds of the range";
    findings.push(
        Diagnostic::new(Rule::SkipRangeExcludesReplaced, skip.span(), message)
            .with_label(replaces.span, "replaced here")
            .with_help(help),
    );
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the range ends before the replaced version
            c: 1.1.0 <- 1.2.0 (skipRange >=1.0.0 <1.1.0)
                                         ^^^^^^^^^^^^^^ skip-range-excludes-replaced: the skipRange `>=1.0.0 <1.1.0` of `p.v1.2.0` does not contain 1.1.0, which `p.v1.2.0` replaces; it matches none of 2 versions
            == the range begins above the replaced version
            c: 1.1.0 <- 1.2.0 (skipRange >=1.1.1 <1.2.0)
            == one finding for the package
            c: 1.1.0 <- 1.2.0 (skipRange <1.1.0) <- 1.3.0 (skipRange <1.1.0)
                                         ^^^^^^ skip-range-excludes-replaced: the skipRange `<1.1.0` of `p.v1.2.0` does not contain 1.1.0, which `p.v1.2.0` replaces; it matches none of 3 versions; the same is true of 1 more in the package
            d: 1.1.0 <- 1.2.0
            == the replaced version is inside
            c: 1.1.0 <- 1.2.0 (skipRange >=1.1.0 <1.2.0)
        ";
        check(Rule::SkipRangeExcludesReplaced, cases);
    }
}
