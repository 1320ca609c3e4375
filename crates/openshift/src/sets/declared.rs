//! What Dockerfiles say of the paths of a folder: what they serve, and for which versions.

use crate::sets::dockerfile::{self, is_dockerfile};
use crate::sets::recognise::Place;
use regex_lite::Regex;
use source::OpenShift;
use std::collections::BTreeSet;

/// What a Dockerfile serves.
pub(super) struct Declared {
    pub(super) dockerfile: String,
    pub(super) versions: Vec<OpenShift>,
    /// Where its text names a version, in bytes.
    pub(super) at: u32,
    /// The folders and files that it copies.
    pub(super) served: Vec<Box<str>>,
    /// Whether any of them is there.
    pub(super) is_there: bool,
}

impl Declared {
    /// Whether it serves a place or a part of it.
    pub(super) fn is_of(&self, place: &str) -> bool {
        self.served.iter().any(|served| is_below(served, place))
    }

    /// The folder or file of what it serves.
    pub(super) fn path(&self) -> &str {
        common(self.served.iter().map(|served| &**served))
    }

    /// The places that it serves if no folder or file is named for a version.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.versions.iter().map(move |version| self.place(*version, self.path()))
    }

    pub(super) fn place(&self, version: OpenShift, path: &str) -> Place {
        Place { version, path: path.into(), served: self.served.clone(), templates: Vec::new() }
    }
}

/// What Dockerfiles serve. The build context is the folder of the Dockerfile or one above it: the nearest that has
/// something of what is copied.
pub(super) fn declared(existing: &BTreeSet<&str>, dockerfiles: &[(&str, &str)]) -> Vec<Declared> {
    let of_file = |(path, text): &(&str, &str)| {
        let read = dockerfile::read(text);
        let copied = |context: &str| -> Vec<Vec<Box<str>>> {
            read.served.iter().map(|source| matching(existing, context, source)).collect()
        };
        let has_any = |found: &Vec<Vec<Box<str>>>| found.iter().any(|found| !found.is_empty());
        let found = above(path).map(|context| (context, copied(context))).find(|(_, found)| has_any(found));
        let is_there = found.is_some();
        let (context, found) =
            found.unwrap_or_else(|| (above(path).next().unwrap_or_default(), vec![Vec::new(); read.served.len()]));
        let of_source = |(source, found): (&String, Vec<Box<str>>)| match &found[..] {
            [] => vec![below(context, source).into()],
            _ => found,
        };
        let mut served: Vec<Box<str>> = read.served.iter().zip(found).flat_map(of_source).collect();
        served.sort();
        served.dedup();
        Declared { dockerfile: (*path).to_owned(), versions: read.versions, at: read.at, served, is_there }
    };
    dockerfiles
        .iter()
        .filter(|(path, _)| is_dockerfile(path))
        .map(of_file)
        .filter(|declared| !declared.served.is_empty())
        .collect()
}

/// The path of something in a folder.
fn below(folder: &str, path: &str) -> String {
    [folder, path].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// The folders and files of a build context that `COPY` takes: the one with this path, or those that a pattern of Go's
/// `filepath.Match` names.
pub(super) fn matching(existing: &BTreeSet<&str>, context: &str, source: &str) -> Vec<Box<str>> {
    let path = below(context, source);
    if !source.contains(['*', '?', '[']) {
        return existing.get(&*path).map(|path| (*path).into()).into_iter().collect();
    }
    let unescaped = [(r"\*", "[^/]*"), (r"\?", "[^/]"), (r"\[", "["), (r"\]", "]"), (r"\-", "-"), (r"\^", "^")];
    let pattern = unescaped.iter().fold(regex_lite::escape(&path), |text, (from, to)| text.replace(from, to));
    let Ok(pattern) = Regex::new(&format!("^{pattern}$")) else { return Vec::new() };
    existing.iter().filter(|path| pattern.is_match(path)).map(|path| (*path).into()).collect()
}

/// The folder of a file, and those above it.
pub(super) fn above(path: &str) -> impl Iterator<Item = &str> {
    let home = path.rsplit_once('/').map_or("", |(home, _)| home);
    std::iter::successors(Some(home), |folder| {
        Some(folder.rsplit_once('/').map_or("", |(above, _)| above)).filter(|_| !folder.is_empty())
    })
}

/// Whether a path is a place or below it.
pub(super) fn is_below(path: &str, place: &str) -> bool {
    place.is_empty() || path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder that all paths have in common; the only path itself.
pub(super) fn common<'p>(paths: impl Iterator<Item = &'p str> + Clone) -> &'p str {
    let mut folder = paths.clone().next().unwrap_or_default();
    while !paths.clone().all(|path| is_below(path, folder)) {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    }
    folder
}
