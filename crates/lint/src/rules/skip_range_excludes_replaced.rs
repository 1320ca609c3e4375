//! The rule `skip-range-excludes-replaced`.
//!
#![doc = include_str!("skip_range_excludes_replaced.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for skip in indexed.skip_ranges() {
        let Some((replaces, older)) = indexed.replaced(&skip) else { continue };
        if skip.range.matches(older) == Ok(false) && !skip.range.never_matches() {
            let name = &skip.entry.name;
            let (text, matching) = (skip.text(), skip.matching(indexed));
            let message = format!(
                "the skipRange `{text}` of `{name}` does not contain {older}, which `{name}` replaces; {matching}"
            );
            let help = "`replaces` allows this update anyway; check the bounds of the range";
            findings.push(
                Diagnostic::new(Rule::SkipRangeExcludesReplaced, skip.span(), message)
                    .with_label(replaces.span, "replaced here")
                    .with_help(help),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == the replaced version is outside
            c: 1.1.0 <- 1.2.0 (skipRange >=1.1.1 <1.2.0)
                                         ^^^^^^^^^^^^^^ skip-range-excludes-replaced: the skipRange `>=1.1.1 <1.2.0` of `p.v1.2.0` does not contain 1.1.0, which `p.v1.2.0` replaces; it matches none of 2 versions
            == the replaced version is inside
            c: 1.1.0 <- 1.2.0 (skipRange >=1.1.0 <1.2.0)
        ";
        check(Rule::SkipRangeExcludesReplaced, cases);
    }
}
