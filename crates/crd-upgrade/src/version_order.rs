//! The order of API versions: `CompareKubeAwareVersionStrings` of `k8s.io/apimachinery` `pkg/version/helpers.go`.

use std::cmp::Ordering;

/// Compares two names of versions, the older first: `v1alpha1`, `v1beta1`, `v1beta2`, `v1`, `v2`. All other names are before
/// these, in descending order.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    match (parse(one), parse(other)) {
        (None, None) => other.cmp(one),
        (one, other) => one.cmp(&other),
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

fn parse(name: &str) -> Option<(Stability, i64, i64)> {
    let rest = name.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(digits);
    let (stability, minor) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(minor), _) => (Stability::Alpha, number(minor)?),
        (_, Some(minor)) => (Stability::Beta, number(minor)?),
        _ if rest.is_empty() => (Stability::Stable, 0),
        _ => return None,
    };
    Some((stability, number(major)?, minor))
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    #[test]
    fn stable_versions_are_last_and_foreign_names_first() {
        let expected =
            ["v1x", "foo10", "foo1", "v1alpha1", "v2alpha1", "v1beta2", "v1beta10", "v3beta1", "v1", "v2", "v10"];
        let mut sorted = expected;
        sorted.reverse();
        sorted.sort_by(|one, other| super::compare(one, other));
        assert_eq!(sorted, expected);
    }

    #[test]
    fn numbers_without_digits_and_too_large_ones_are_foreign() {
        for name in ["v", "v1alpha", "v1beta-1", "v+1", "v99999999999999999999", "1", "v1alpha1x"] {
            assert_eq!(super::parse(name), None, "{name}");
        }
    }
}
