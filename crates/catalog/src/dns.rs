//! The forms that Kubernetes requires of names.

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
