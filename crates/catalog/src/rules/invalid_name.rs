//! The rule `invalid-name`.
//!
#![doc = include_str!("invalid_name.md")]

use crate::OpmPhase;
use blang_semver::Quoted;
use fbc::raw::Text;
use source::{Diagnostic, OpmVersion, Rule};

const FORM: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                    and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// Judges the name of an `olm.package` document.
pub(crate) fn check(text: &Text) -> Option<Diagnostic> {
    let name = &*text.value;
    let wrong = wrong(name);
    if wrong.is_empty() {
        return None;
    }
    let opm = format!("invalid package name {}: [{}]", Quoted(name), wrong.join(" "));
    let message = format!("`{name}` is not a valid package name");
    Some(
        Diagnostic::new(Rule::InvalidName, text.span, message)
            .with_help("use lower-case letters, digits and `-`, at most 63 characters, a letter or digit at both ends")
            .with_opm_at(OpmPhase::Packages, opm)
            .since(OpmVersion(1, 41, 0)),
    )
}

fn wrong(name: &str) -> Vec<&'static str> {
    let mut wrong = Vec::new();
    if name.len() > 63 {
        wrong.push("must be no more than 63 characters");
    }
    if !is_label(name) {
        let is_subdomain = name.len() <= 253 && name.split('.').all(is_label);
        wrong.push(if is_subdomain { "must not contain dots" } else { FORM });
    }
    wrong
}

/// The form of a label, whatever its length.
fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for name in ["etcd", "3scale", "a-b"] {
            assert_eq!(wrong(name), Vec::<&str>::new(), "{name}");
        }
        assert_eq!(wrong("a.b"), ["must not contain dots"]);
        assert_eq!(wrong("-a"), [FORM]);
        assert_eq!(wrong("Etcd"), [FORM]);
        assert_eq!(wrong(&"a".repeat(64)), ["must be no more than 63 characters"]);
    }
}
