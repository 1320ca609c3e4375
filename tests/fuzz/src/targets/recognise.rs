//! A folder in which catalogs are looked for: each file begins with `=== PATH`, and only Dockerfiles have a text that counts.

use openshift::sets::{Candidate, Paths, Recognised, is_dockerfile, recognise};
use std::collections::BTreeSet;

use super::text::text;
use crate::memory::bounded;
use crate::seeds::parts;

/// Memory of a search, whatever the folder.
const FLOOR: usize = 4 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    let (_, files) = parts(&input);
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    let dockerfiles: Vec<(&str, &str)> = files.iter().copied().filter(|(path, _)| is_dockerfile(path)).collect();
    let known = Paths::new(paths.clone(), dockerfiles.clone());
    let found = bounded(input.len(), 100, FLOOR, || recognise(&known));
    let Recognised { sets, alone, .. } = &found;
    sets.iter().for_each(|candidate| check_candidate(candidate, &paths));
    for served in alone.iter().flat_map(|alone| &alone.served) {
        assert!(!served.is_empty(), "all of a folder is served");
    }
    let reversed: Vec<&str> = paths.iter().rev().copied().collect();
    assert_eq!(recognise(&Paths::new(reversed, dockerfiles)), found, "the order of files matters");
}

fn check_candidate(Candidate { pattern, places, doubts, .. }: &Candidate, paths: &[&str]) {
    let versions: BTreeSet<_> = places.iter().map(|place| place.version).collect();
    assert!(versions.len() > 1, "`{pattern}` is for one version");
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "the places of `{pattern}` are not sorted");
    for place in places {
        assert!(paths.iter().any(|path| place.has(path)), "nothing is at `{}`", place.path);
        let start = pattern.split('*').next().unwrap_or_default();
        assert!(place.path.starts_with(start), "`{}` is not one of `{pattern}`", place.path);
    }
    for doubt in doubts {
        assert!(paths.contains(&&*doubt.dockerfile), "`{}` is no file", doubt.dockerfile);
        assert!(places.iter().any(|place| place.version == doubt.version), "no place is for {}", doubt.version);
    }
}
