//! The rule `slash-in-channel`.
//!
#![doc = include_str!("slash_in_channel.md")]

use crate::operator::Operator;
use source::{Diagnostic, Findings, Rule};

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    for channel in &operator.package.channels {
        if channel.name.value.as_str().contains('/') {
            let message =
                format!("nothing of channel `{}` can be installed: OLM cannot cope with its `/`", channel.name);
            let help = "write `-` or `.` instead; opm accepts the name";
            found.push(Diagnostic::new(Rule::SlashInChannel, channel.name.span, message).with_help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[test]
    fn a_slash() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"]);
        check(Rule::SlashInChannel, &text, &[]);
        let expected = "7:7 nothing of channel `c/1` can be installed: OLM cannot cope with its `/`";
        check(Rule::SlashInChannel, &text.replace("name: c\n", "name: c/1\n"), &[expected]);
    }
}
