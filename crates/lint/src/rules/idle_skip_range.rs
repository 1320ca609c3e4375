//! A skipRange that matches no version of the package, in whatever channel.
//!
//! It may be meant for versions that other catalogs had. If not, its bounds are wrong: mostly those of another stream.
//!
//! ```yaml
//! - {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: '>=0.1.0 <0.2.0'}   # fails; passes with '>=1.0.0 <2.0.0'
//! ```
//!
//! Says nothing of an entry that has no older version beside it. Source: fbc-semantics 4.5 ("skipRange matching nothing").

use crate::operator::Operator;
use source::{Diagnostic, Rule};

pub(super) fn check(operator: &Operator<'_>, found: &mut Vec<Diagnostic>) {
    for skip in operator.skip_ranges() {
        let lowest = operator.ascending.first();
        let first = skip.version.zip(lowest).is_none_or(|(own, lowest)| *lowest >= own);
        if first || skip.range.never_matches() || operator.has_any_in(skip.range) {
            continue;
        }
        let name = &skip.entry.name;
        let message = format!("the skipRange `{}` of `{name}` matches no version of the package", skip.text());
        let help = "check its bounds; remove it if it is not meant for versions that other catalogs list";
        found.push(Diagnostic::new(Rule::IdleSkipRange, skip.span(), message).with_help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn replacing(range: &str) -> String {
        let entries = format!(
            "- {{name: p.v2.0.0, replaces: p.v1.0.0, skipRange: '{range}'}}\n- {{name: p.v1.0.0, skipRange: <1.0.0}}\n"
        );
        package(&entries, &["1.0.0", "2.0.0"])
    }

    #[test]
    fn of_another_stream() {
        let expected = "9:51 the skipRange `>=0.1.0 <0.2.0` of `p.v2.0.0` matches no version of the package";
        check(Rule::IdleSkipRange, &replacing(">=0.1.0 <0.2.0"), &[expected]);
    }

    #[test]
    fn of_this_one() {
        check(Rule::IdleSkipRange, &replacing(">=1.0.0 <2.0.0"), &[]);
    }
}
