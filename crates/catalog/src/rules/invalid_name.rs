//! The rule `invalid-name`.
//!
#![doc = include_str!("invalid_name.md")]

use crate::{OpmPhase, is_dns_label, is_dns_subdomain};
use fbc::raw::Text;
use go_semver::blang::Quoted;
use source::{Diagnostic, OpmVersion, Rule};

const FORM: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
                    and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
                    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// Checks the name of an `olm.package` document.
pub(crate) fn check(text: &Text) -> Option<Diagnostic> {
    let name = &*text.value;
    let errors = errors(name);
    if errors.is_empty() {
        return None;
    }
    let opm = format!("invalid package name {}: [{}]", Quoted(name), errors.join(" "));
    let message = format!("`{name}` is not a valid package name");
    Some(
        Diagnostic::new(Rule::InvalidName, text.span, message)
            .with_help("use lower-case letters, digits and `-`, at most 63 characters, a letter or digit at both ends")
            .with_opm_at(OpmPhase::Packages, opm)
            .since(OpmVersion::PACKAGE_NAMES),
    )
}

/// What Kubernetes' validation (`IsDNS1123Label`) says about the name.
fn errors(name: &str) -> Vec<&'static str> {
    let mut errors = Vec::new();
    if name.len() > 63 {
        errors.push("must be no more than 63 characters");
    }
    if !is_dns_label(name) {
        let is_subdomain = name.len() <= 253 && is_dns_subdomain(name);
        errors.push(if is_subdomain { "must not contain dots" } else { FORM });
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for name in ["etcd", "3scale", "a-b"] {
            assert_eq!(errors(name), Vec::<&str>::new(), "{name}");
        }
        assert_eq!(errors("a.b"), ["must not contain dots"]);
        assert_eq!(errors("-a"), [FORM]);
        assert_eq!(errors("Etcd"), [FORM]);
        assert_eq!(errors(&"a".repeat(64)), ["must be no more than 63 characters"]);
    }
}
