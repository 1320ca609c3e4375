//! A folder in which sets are looked for: each file begins with `=== PATH`, and only Dockerfiles, Makefiles
//! and scripts have a text that counts.

use openshift::sets::{Candidate, candidates, is_recipe};
use std::collections::BTreeSet;

use super::text::text;
use crate::memory::bounded;
use crate::parts::parts;

/// Memory of a search, whatever the folder.
const FLOOR: usize = 4 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    let (_, files) = parts(&input);
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let recipes: Vec<(&str, &str)> = files.iter().copied().filter(|(path, _)| is_recipe(path)).collect();
    let found = bounded(input.len(), 100, FLOOR, || candidates(paths.clone(), &recipes));
    for candidate in &found {
        check_candidate(candidate, &paths);
    }
    let reversed: Vec<&str> = paths.iter().rev().copied().collect();
    assert_eq!(candidates(reversed, &recipes), found, "the order of files matters");
}

fn check_candidate(Candidate { pattern, places, mismatches }: &Candidate, paths: &[&str]) {
    let versions: BTreeSet<_> = places.iter().map(|place| place.version).collect();
    assert!(versions.len() > 1, "`{pattern}` is for one version");
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "the places of `{pattern}` are not sorted");
    for place in places {
        assert!(paths.iter().any(|path| place.has(path)), "nothing is at `{}`", place.path);
        let start = pattern.split('*').next().unwrap_or_default();
        assert!(place.path.starts_with(start), "`{}` is not one of `{pattern}`", place.path);
    }
    for mismatch in mismatches {
        assert!(places.iter().any(|place| place.path == mismatch.path), "`{}` is no place", mismatch.path);
        assert!(!mismatch.declared.contains(&mismatch.named), "`{}` is as its Dockerfile says", mismatch.path);
    }
}
