//! A range with the versions that it matches, as a clause of a message.

use blang_semver::{Range, Version};

/// So many versions are named.
const NAMED: usize = 3;

/// `it matches 1.2.0, 1.2.1, 1.2.2 and 3 more of 12 versions`, with what blang makes of the range where that is another
/// text. `ascending` are the versions of the package that the range is about.
pub(crate) fn matching(range: &Range, text: &str, ascending: &[&Version]) -> String {
    let normalised = range.normalised();
    let it = if normalised == text { "it".to_owned() } else { format!("read as `{normalised}` it") };
    let runs = range.runs(ascending);
    let (count, all) = (runs.iter().map(ExactSizeIterator::len).sum::<usize>(), ascending.len());
    let named = runs.into_iter().flat_map(|run| &ascending[run]).take(NAMED);
    let named = named.map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let versions = if all == 1 { "version" } else { "versions" };
    match (count, count.saturating_sub(NAMED)) {
        (_, _) if all == 0 => format!("{it} has no versions to match"),
        (0, _) => format!("{it} matches none of {all} {versions}"),
        (_, 0) => format!("{it} matches {named} of {all} {versions}"),
        (_, more) => format!("{it} matches {named} and {more} more of {all} {versions}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, count: u64, expected: &str) {
        let versions: Vec<Version> = (0..count).map(|minor| Version::new(1, minor, 0)).collect();
        let ascending: Vec<&Version> = versions.iter().collect();
        assert_eq!(matching(&Range::parse(text).unwrap(), text, &ascending), expected);
    }

    #[test]
    fn few_and_many() {
        check(">=1.1.0 <1.3.0", 12, "it matches 1.1.0, 1.2.0 of 12 versions");
        check(">=1.1.0 <1.9.0", 12, "it matches 1.1.0, 1.2.0, 1.3.0 and 5 more of 12 versions");
        check("<1.0.0", 1, "it matches none of 1 version");
        check("<1.0.0", 0, "it has no versions to match");
    }

    #[test]
    fn what_is_read() {
        check("1.x", 2, "read as `>=1.0.0 <2.0.0` it matches 1.0.0, 1.1.0 of 2 versions");
    }
}
