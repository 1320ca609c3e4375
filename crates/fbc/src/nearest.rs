//! Finds the known word that a misspelt one is nearest to.

/// Longer words get no suggestion: comparing takes time in proportion to their length.
const LONGEST: usize = 64;

/// The candidate that `word` differs from by few edits: one in short words, two in longer ones.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let most = if word.chars().count() <= 4 { 1 } else { 2 };
    let near =
        candidates.into_iter().map(|candidate| (strsim::osa_distance(&word, &candidate.to_lowercase()), candidate));
    near.filter(|&(edits, _)| edits <= most).min_by_key(|&(edits, _)| edits).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_what_is_near_only() {
        let fields = ["name", "defaultChannel", "schema"];
        for (word, expected) in [
            ("nmae", Some("name")),
            ("DefaultChanel", Some("defaultChannel")),
            ("shcema", Some("schema")),
            ("icon", None),
            ("x", None),
            (&"name".repeat(1_000_000), None),
        ] {
            assert_eq!(nearest(word, fields), expected, "{word}");
        }
    }
}
