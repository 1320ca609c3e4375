//! A range that takes in one more version.

use go_semver::blang::{Comparator, Op, Range, Version};

/// The least that has to be written differently for the range to contain the version; `None` if nothing helps.
pub(super) fn widened(range: &Range, text: &str, version: &Version) -> Option<String> {
    let moved = match range.groups().collect::<Vec<_>>()[..] {
        [group] => moved(group, version),
        _ => None,
    };
    let text = moved.unwrap_or_else(|| format!("{text} || ={version}"));
    let widened = Range::parse(&text).ok()?;
    (widened.matches(version) == Ok(true)).then_some(text)
}

/// The one alternative with the bounds that exclude the version moved to it.
fn moved(group: &[Comparator], version: &Version) -> Option<String> {
    let words = group.iter().map(|comparator| match comparator.op {
        _ if comparator.matches(version) => Some(comparator.to_string()),
        Op::Ge | Op::Gt => Some(format!(">={version}")),
        Op::Le | Op::Lt => Some(format!("<={version}")),
        Op::Eq | Op::Ne => None,
    });
    words.collect::<Option<Vec<_>>>().map(|words| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_moved_and_points_added() {
        for (range, version, expected) in [
            (">=3.0.0", "2.0.0", Some(">=2.0.0")),
            (">2.0.0 <3.0.0", "2.0.0", Some(">=2.0.0 <3.0.0")),
            (">=1.0.0 <2.0.0", "2.5.0", Some(">=1.0.0 <=2.5.0")),
            ("1.0.0", "2.0.0", Some("1.0.0 || =2.0.0")),
            (">=1.0.0 <2.0.0 || >=4.0.0", "3.0.0", Some(">=1.0.0 <2.0.0 || >=4.0.0 || =3.0.0")),
            ("!=2.0.0", "2.0.0", Some("!=2.0.0 || =2.0.0")),
        ] {
            let found = widened(&Range::parse(range).unwrap(), range, &Version::parse(version).unwrap());
            assert_eq!(found.as_deref(), expected, "{range}");
        }
    }
}
