//! A skipRange that leaves out the version that the entry replaces.
//!
//! Nothing breaks, for `replaces` is an edge of its own. But mostly one of the bounds was not moved on with the version, or
//! the range names another stream.
//!
//! ```yaml
//! - {name: p.v1.2.0, replaces: p.v1.1.0, skipRange: '>=1.1.1 <1.2.0'}   # fails; passes with '>=1.1.0 <1.2.0'
//! ```
//!
//! Source: olm-runtime A2.3 (edges are independent of one another).

use crate::operator::Operator;
use source::{Diagnostic, Rule};

pub(super) fn check(operator: &Operator<'_>, found: &mut Vec<Diagnostic>) {
    for skip in operator.skip_ranges() {
        let Some(replaces) = &skip.entry.replaces else { continue };
        let older = operator.package.bundle(replaces.value.as_str()).and_then(|bundle| bundle.version());
        let Some(older) = older.filter(|older| skip.version.is_some_and(|own| *older < own)) else { continue };
        if skip.range.matches(older) == Ok(false) && !skip.range.never_matches() {
            let name = &skip.entry.name;
            let message =
                format!("the skipRange `{}` of `{name}` leaves out {older}, which `{name}` replaces", skip.text());
            let help = "the update itself is there through `replaces`; check the bounds of the range";
            found.push(
                Diagnostic::new(Rule::SkipRangeExcludesReplaced, skip.span(), message)
                    .with_label(replaces.span, "replaced here")
                    .with_help(help),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn replacing(range: &str) -> String {
        let entries = format!("- {{name: p.v1.2.0, replaces: p.v1.1.0, skipRange: '{range}'}}\n- name: p.v1.1.0\n");
        package(&entries, &["1.1.0", "1.2.0"])
    }

    #[test]
    fn left_out() {
        let expected = "9:51 the skipRange `>=1.1.1 <1.2.0` of `p.v1.2.0` leaves out 1.1.0, which `p.v1.2.0` replaces";
        check(Rule::SkipRangeExcludesReplaced, &replacing(">=1.1.1 <1.2.0"), &[expected]);
    }

    #[test]
    fn taken_in() {
        check(Rule::SkipRangeExcludesReplaced, &replacing(">=1.1.0 <1.2.0"), &[]);
    }
}
