//! Checks image pull specs as `opm` does: the docker reference grammar with Docker Hub's defaults.
//!
//! Follows `ParseNormalizedNamed` of `github.com/containers/image` (`docker/reference`):
//! `[domain/]path[:tag][@digest]`, where the first segment is a domain if it has a `.` or `:` or is `localhost`. No
//! crate gives Go's error texts, which `opm` prints.

use std::borrow::Cow;

/// The maximum length of domain and path together, in bytes.
const MAX_NAME: usize = 255;

const INVALID: &str = "invalid reference format";

/// Go's error for a text that is not a pull spec; `None` if it is one.
pub(crate) fn error(text: &str) -> Option<String> {
    if text.len() == 64 && text.bytes().all(is_lower_hex) {
        return Some(format!("invalid repository name ({text}), cannot specify 64-byte hexadecimal strings"));
    }
    let (domain, remainder) = split_domain(text);
    let remote = remainder.split_once(':').map_or(&*remainder, |(remote, _)| remote);
    if !is_lower_case(remote) {
        return Some(format!("{INVALID}: repository name must be lowercase"));
    }
    let full = match text.strip_prefix(domain) {
        // No default was added, so the text is already complete.
        Some(rest) if rest.len() == remainder.len() + 1 => Cow::Borrowed(text),
        _ => Cow::Owned(format!("{domain}/{remainder}")),
    };
    let Some(parts) = Parts::of(&full) else {
        let lower = Parts::of(&full.to_lowercase()).is_some();
        return Some(if lower { "repository name must be lowercase" } else { INVALID }.to_owned());
    };
    if parts.name.len() > MAX_NAME {
        return Some(format!("repository name must not be more than {MAX_NAME} characters"));
    }
    parts.digest.and_then(digest_error).map(str::to_owned)
}

/// What tells an image from others: its digest, the hash of its manifest wherever it is pulled from; without a digest the whole text.
#[must_use]
pub fn image_identity(image: &str) -> &str {
    image.split_once('@').filter(|(_, digest)| is_digest(digest)).map_or(image, |(_, digest)| digest)
}

/// Splits off the registry. Docker Hub is the default.
fn split_domain(text: &str) -> (&str, Cow<'_, str>) {
    const HUB: &str = "docker.io";
    let (domain, remainder) = match text.split_once('/') {
        Some((first, rest)) if first.contains(['.', ':']) || first == "localhost" => (first, rest),
        _ => (HUB, text),
    };
    let domain = if domain == "index.docker.io" { HUB } else { domain };
    match domain == HUB && !remainder.contains('/') {
        true => (domain, Cow::Owned(format!("library/{remainder}"))),
        false => (domain, Cow::Borrowed(remainder)),
    }
}

fn is_lower_case(text: &str) -> bool {
    match text.is_ascii() {
        true => all_bytes(text, |byte| !byte.is_ascii_uppercase()),
        false => text.to_lowercase() == text,
    }
}

/// Whether all bytes are such. It does not stop at the first that is not, so that many are looked at at once.
fn all_bytes(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(true, |all, byte| all & is(byte))
}

/// The parts of a reference that have a length limit or more rules.
struct Parts<'t> {
    name: &'t str,
    digest: Option<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (left, digest) = match text.split_once('@') {
            Some((left, digest)) => (left, Some(digest)),
            None => (text, None),
        };
        let path = left.rfind('/').map_or(0, |slash| slash + 1);
        let (name, tag) = match left[path..].find(':') {
            Some(colon) => (&left[..path + colon], Some(&left[path + colon + 1..])),
            None => (left, None),
        };
        let fits = is_name(name) && tag.is_none_or(is_tag) && digest.is_none_or(is_digest);
        fits.then_some(Self { name, digest })
    }
}

fn is_name(name: &str) -> bool {
    let (first, rest) = match name.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (name, None),
    };
    let are_components = |path: &str| path.split('/').all(is_component);
    match rest {
        Some(rest) => (is_component(first) || is_domain(first)) && are_components(rest),
        None => is_component(first),
    }
}

/// `[a-z0-9]+` parts with `.`, `_`, `__` or any number of `-` between them.
fn is_component(text: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut separators = text.as_bytes().split(|&byte| is_alphanumeric(byte));
    let ends = |byte: Option<&u8>| byte.is_some_and(|&byte| is_alphanumeric(byte));
    ends(text.as_bytes().first())
        && ends(text.as_bytes().last())
        && separators.all(|between| matches!(between, b"." | b"_" | b"__") || between.iter().all(|&byte| byte == b'-'))
}

/// Labels of letters, digits and inner `-`, separated by `.`, and optionally a port.
fn is_domain(text: &str) -> bool {
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && all_bytes(label, |byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.split('.').all(is_label)
        && port.is_none_or(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= 128
        && text.as_bytes().first().is_some_and(|&first| is_word(first))
        && all_bytes(text, |byte| is_word(byte) || matches!(byte, b'.' | b'-'))
}

/// `algorithm:hex`, at least 32 digits; the algorithm is letters and digits after a letter, joined by `-_+.`.
fn is_digest(text: &str) -> bool {
    let Some((algorithm, hex)) = text.split_once(':') else { return false };
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && all_bytes(part, |byte| byte.is_ascii_alphanumeric())
    };
    algorithm.split(['-', '_', '+', '.']).all(is_part)
        && hex.len() >= 32
        && all_bytes(hex, |byte| byte.is_ascii_hexdigit())
}

/// go-digest's error for a digest that has the form of [`is_digest`].
fn digest_error(digest: &str) -> Option<&'static str> {
    let (algorithm, hex) = digest.split_once(':')?;
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ if algorithm.bytes().any(|byte| byte.is_ascii_uppercase()) => return Some("invalid checksum digest format"),
        _ => return Some("unsupported digest algorithm"),
    };
    if hex.len() != length {
        return Some("invalid checksum digest length");
    }
    (!all_bytes(hex, is_lower_hex)).then_some("invalid checksum digest format")
}

/// What is wrong with the digest of a text that is not a pull spec: Go's errors do not say it. `None` if it has no digest, or
/// one that is right.
pub(crate) fn digest_fault(text: &str) -> Option<String> {
    let (_, digest) = text.split_once('@')?;
    let Some((algorithm, hex)) = digest.split_once(':') else {
        return Some(format!("the digest `{digest}` has no algorithm; write `sha256:` before its digits"));
    };
    if let Some(at) = digest.find(char::is_whitespace) {
        let place = match at {
            0 => "begins with".to_owned(),
            _ if digest.trim_end().len() == at => "ends with".to_owned(),
            _ => format!("has, behind `{}`,", &digest[..at]),
        };
        return Some(format!("the digest {place} a blank"));
    }
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Some(format!("`{algorithm}` is no algorithm of digests; known are sha256, sha384 and sha512")),
    };
    if let Some(wrong) = hex.chars().find(|digit| !digit.is_ascii_hexdigit()) {
        return Some(format!("the digest has `{wrong}`, which is no hexadecimal digit"));
    }
    if hex.len() != length {
        return Some(format!("the digest has {} hexadecimal digits; one of {algorithm} has {length}", hex.len()));
    }
    let upper = hex.chars().find(char::is_ascii_uppercase)?;
    Some(format!("the digest has `{upper}`; its letters must be lower case"))
}

const fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    #[track_caller]
    fn check(texts: &[&str], expected: Option<&str>) {
        for text in texts {
            assert_eq!(error(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn valid_pull_specs() {
        check(&["Foo.io/a", "foo_bar.io/a", "a__b", "a--b", "quay.io", "quay.io/p/p:v1.0.0", "localhost:5000/a"], None);
        check(&["index.docker.io/a", "a/b:_T.1-x", "127.0.0.1:1/a", "a"], None);
        check(&[&format!("quay.io/a@sha256:{SHA}"), &format!("quay.io:443/a/b:t@sha256:{SHA}")], None);
        check(&[&format!("quay.io/a@sha512:{SHA}{SHA}")], None);
    }

    #[test]
    fn invalid_pull_specs() {
        let texts =
            ["docker://a", "https://x/y", "http://x/y", "a:", "a@", "a//b", "a_", "a..b", "a___b", "a b", ":tag"];
        check(&texts, Some(INVALID));
        check(&["example.com/x@sha256:123", "quay.io/", "-a/b", "", "a:b:c", "quay.io:x/a"], Some(INVALID));
        check(
            &["UPPER/case", "$IMG", "quay.io/A"],
            Some("invalid reference format: repository name must be lowercase"),
        );
        check(&["Foo_bar.io/a"], Some("repository name must be lowercase"));
    }

    #[test]
    fn names_that_are_too_long_or_look_like_digests() {
        check(&[&"a".repeat(300)], Some("repository name must not be more than 255 characters"));
        let message = format!("invalid repository name ({SHA}), cannot specify 64-byte hexadecimal strings");
        check(&[SHA], Some(&message));
    }

    #[test]
    fn what_is_wrong_with_a_digest() {
        let fault = |digest: &str| digest_fault(&format!("quay.io/a@{digest}")).unwrap_or_default();
        let with_blank = format!("sha256:{} {}", &SHA[..4], &SHA[4..]);
        assert_eq!(fault(&with_blank), "the digest has, behind `sha256:0123`, a blank");
        assert_eq!(fault(&format!("sha256:{SHA} ")), "the digest ends with a blank");
        assert_eq!(fault(&format!(" sha256:{SHA}")), "the digest begins with a blank");
        assert_eq!(
            fault(&SHA.replace('0', "o")),
            format!("the digest `{}` has no algorithm; write `sha256:` before its digits", SHA.replace('0', "o"))
        );
        assert_eq!(
            fault(&format!("sha256:{}", SHA.replace('0', "o"))),
            "the digest has `o`, which is no hexadecimal digit"
        );
        assert_eq!(
            fault(&format!("sha256:{}", &SHA[1..])),
            "the digest has 63 hexadecimal digits; one of sha256 has 64"
        );
        assert_eq!(fault(&format!("sha512:{SHA}")), "the digest has 64 hexadecimal digits; one of sha512 has 128");
        assert_eq!(
            fault(&format!("sha256:{}", SHA.to_uppercase())),
            "the digest has `A`; its letters must be lower case"
        );
        assert_eq!(
            fault(&format!("md5:{SHA}")),
            "`md5` is no algorithm of digests; known are sha256, sha384 and sha512"
        );
        assert_eq!((digest_fault("quay.io/a:1"), fault(&format!("sha256:{SHA}"))), (None, String::new()));
    }

    #[test]
    fn digests() {
        let with = |digest: &str| format!("quay.io/a@{digest}");
        check(&[&with(&format!("md5:{SHA}"))], Some("unsupported digest algorithm"));
        check(&[&with(&format!("sha256:{}", &SHA[..40]))], Some("invalid checksum digest length"));
        check(&[&with(&format!("sha256:{}", SHA.to_uppercase()))], Some("invalid checksum digest format"));
    }
}
