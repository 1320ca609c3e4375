//! The rule `slash-in-channel`.
//!
#![doc = include_str!("slash_in_channel.md")]

use crate::index::IndexedPackage;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    for channel in &indexed.package.channels {
        if channel.name.value.as_str().contains('/') {
            let message =
                format!("OLM can install nothing from channel `{}`, because its name contains `/`", channel.name);
            let help = "use `-` or `.` instead; opm accepts the name, OLM does not";
            findings.push(Diagnostic::new(Rule::SlashInChannel, channel.name.span, message).with_help(help));
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
            == a slash
            c/1: 1.0.0
            ^^^ slash-in-channel: OLM can install nothing from channel `c/1`, because its name contains `/`
            == no slash
            c: 1.0.0
        ";
        check(Rule::SlashInChannel, cases);
    }
}
