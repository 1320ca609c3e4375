//! The forms of names that the API of OLM v1 demands (operator-controller `api/v1/clusterextension_types.go`).

use std::fmt;

/// The maximum length of a DNS subdomain in bytes.
const LONGEST_SUBDOMAIN: usize = 253;

/// Whether a text has the form of a DNS subdomain by RFC 1123: labels joined by dots. Its length, at most 253, is not checked.
#[must_use]
pub fn is_dns_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

/// Whether a text has the form of a DNS label by RFC 1123, in lower case. Its length, at most 63, is not checked.
#[must_use]
pub fn is_dns_label(text: &str) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| is_edge(Some(byte)) || *byte == b'-';
    is_edge(bytes.first()) && is_edge(bytes.last()) && bytes.iter().all(is_inner)
}

/// Why a name is no DNS subdomain. The order is that of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameFault {
    Form,
    Length,
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => {
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
            }
            Self::Length => "must be no more than 253 bytes",
        })
    }
}

/// What is wrong with a name that must be a DNS subdomain (apimachinery `pkg/util/validation`, `IsDNS1123Subdomain`).
pub fn name_faults(name: &str) -> Vec<NameFault> {
    let form = (!is_dns_subdomain(name)).then_some(NameFault::Form);
    let length = (name.len() > LONGEST_SUBDOMAIN).then_some(NameFault::Length);
    form.into_iter().chain(length).collect()
}

#[cfg(test)]
mod tests {
    use super::is_dns_subdomain;

    #[test]
    fn names_have_the_form_of_subdomains() {
        for accepted in ["a", "4.10", "stable-v1", "a.b-c.d"] {
            assert!(is_dns_subdomain(accepted), "{accepted}");
        }
        for rejected in ["", "Stable", "a_b", "-a", "a-", "a..b", ".a", "a/b", "é"] {
            assert!(!is_dns_subdomain(rejected), "{rejected}");
        }
    }
}
