//! Which files of a folder may be a set: catalogs whose paths differ in a version of OpenShift alone.
//!
//! Paths and Dockerfiles make candidates; whether one is a set, its content decides
//! ([`Loading::finish`](crate::sets::Loading::finish)).

use crate::sets::dockerfile::{self, is_dockerfile};
use crate::sets::script::{Rendering, is_script, renderings};
use regex_lite::Regex;
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A version in a segment of a path. A major version alone is none.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?:^|[^0-9.])(v?([45])([.-])(0|[1-9][0-9]?))(?:$|[^0-9.])").expect("it is valid"));

/// Extensions that are no part of a version.
const EXTENSIONS: [&str; 9] = [".yaml", ".yml", ".json", ".gz", ".tgz", ".tar", ".zip", ".zst", ".xz"];

/// Catalogs that may be a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What their paths have in common, with `*` for the version, such as `catalogs/*`.
    pub pattern: Box<str>,
    /// By version, and by path.
    pub places: Vec<Place>,
    /// Folders that name another version than their Dockerfiles, by path.
    pub mismatches: Vec<Mismatch>,
}

/// Where a catalog, or a part of one, is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The version of OpenShift that it is for.
    pub version: OpenShift,
    /// The folder, or the file.
    pub path: Box<str>,
    /// The folders and files that a Dockerfile copies into the image: they are the catalog, and what is beside them is
    /// not. Empty if no Dockerfile says so; then it is the path.
    pub served: Vec<Box<str>>,
    /// The templates from which a Makefile or a script renders the catalog, wherever they are.
    pub templates: Vec<Box<str>>,
}

impl Place {
    /// Whether a file is the place, or below it, or a template that it is rendered from. An empty path is the folder of all files.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        is_below(path, &self.path) || self.templates.iter().any(|template| **template == *path)
    }

    /// Whether a file is of the catalog.
    #[must_use]
    pub fn serves(&self, path: &str) -> bool {
        self.roots().any(|root| is_below(path, root))
    }

    fn add_templates(&mut self, rendered: &[(String, Rendering)]) {
        let own = rendered.iter().filter(|(_, rendering)| self.serves(&rendering.catalog));
        self.templates = own.map(|(_, rendering)| rendering.template.as_str().into()).collect();
        self.templates.sort();
        self.templates.dedup();
    }

    /// The folders and files that are the catalog.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        let path = self.served.is_empty().then_some(&self.path);
        path.into_iter().chain(&self.served).map(|root| &**root)
    }
}

/// A folder or file that names another version than its Dockerfile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mismatch {
    /// The folder or file.
    pub path: Box<str>,
    /// The version in the path.
    pub named: OpenShift,
    pub dockerfile: Box<str>,
    /// The versions that it names, which count.
    pub declared: Vec<OpenShift>,
}

/// A version in a path.
struct Named {
    version: OpenShift,
    /// The path up to the segment with the version, with `*` for it.
    pattern: String,
    /// The path up to and with that segment.
    place: String,
}

/// Whether a file says how images or catalogs are made, by its name: a Dockerfile, a Makefile or a shell script.
#[must_use]
pub fn is_recipe(path: &str) -> bool {
    is_dockerfile(path) || is_script(path)
}

/// The candidates among files with these paths, by pattern. `recipes` are paths and texts of those that [`is_recipe`] tells: they
/// name the version of the folder that they serve, and the templates of catalogs.
#[must_use]
pub fn candidates<'p>(paths: impl IntoIterator<Item = &'p str> + Clone, recipes: &[(&str, &str)]) -> Vec<Candidate> {
    let named: Vec<Vec<Named>> = paths.clone().into_iter().map(versions_in).collect();
    let mut known: BTreeMap<&str, BTreeSet<OpenShift>> = BTreeMap::new();
    for Named { version, pattern, .. } in named.iter().flatten() {
        known.entry(pattern).or_default().insert(*version);
    }
    let varies = |named: &&Named| known[&*named.pattern].len() > 1;
    let mut groups: BTreeMap<&str, BTreeMap<&str, OpenShift>> = BTreeMap::new();
    for found in named.iter().filter_map(|found| found.iter().find(varies)) {
        groups.entry(&found.pattern).or_default().insert(&found.place, found.version);
    }
    let existing = existing(paths);
    let declared = declared(&existing, recipes);
    let mut found: Vec<Candidate> =
        groups.iter().map(|(pattern, places)| candidate(pattern, places, &declared)).collect();
    let is_of_group =
        |declared: &&Declared| groups.values().flat_map(BTreeMap::keys).any(|place| declared.is_of(place));
    let others = declared.iter().filter(|declared| declared.is_there && !is_of_group(declared));
    let mut places: Vec<Place> = others.flat_map(Declared::places).collect();
    places.sort();
    places.dedup();
    let pattern = common(places.iter().map(|place| &*place.path)).into();
    found.push(Candidate { pattern, places, mismatches: Vec::new() });
    found.retain(|candidate| candidate.places.iter().any(|place| place.version != candidate.places[0].version));
    let rendered = rendered(&existing, recipes);
    let places = found.iter_mut().flat_map(|candidate| &mut candidate.places);
    places.for_each(|place| place.add_templates(&rendered));
    found
}

impl Candidate {
    /// All files with these paths as one catalog, which is the same for all versions.
    #[must_use]
    pub fn of_all<'p>(
        versions: &[OpenShift],
        paths: impl IntoIterator<Item = &'p str>,
        recipes: &[(&str, &str)],
    ) -> Self {
        let rendered = rendered(&existing(paths), recipes);
        let place = |version: &OpenShift| {
            let mut place = Place { version: *version, path: "".into(), served: Vec::new(), templates: Vec::new() };
            place.add_templates(&rendered);
            place
        };
        Self { pattern: "".into(), places: versions.iter().map(place).collect(), mismatches: Vec::new() }
    }
}

/// The templates from which recipes render files at or below a path, with the recipes.
#[must_use]
pub fn templates_of<'p>(
    path: &str,
    paths: impl IntoIterator<Item = &'p str>,
    recipes: &[(&str, &str)],
) -> Vec<(String, String)> {
    let rendered = rendered(&existing(paths), recipes);
    let own = rendered.into_iter().filter(|(_, rendering)| is_below(&rendering.catalog, path));
    own.map(|(recipe, rendering)| (rendering.template, recipe)).collect()
}

/// What Makefiles and scripts render, each with the path of the recipe. They run in their own folder or in one above it: the nearest
/// that has both the template and what is rendered.
fn rendered(existing: &BTreeSet<&str>, recipes: &[(&str, &str)]) -> Vec<(String, Rendering)> {
    let of_file = |(path, text): &(&str, &str)| {
        let found = above(path).map(|folder| renderings(path, text, existing, folder)).find(|found| !found.is_empty());
        found.unwrap_or_default().into_iter().map(|rendering| ((*path).to_owned(), rendering)).collect::<Vec<_>>()
    };
    recipes.iter().filter(|(path, _)| is_script(path)).flat_map(of_file).collect()
}

/// The folder of a file, and those above it.
fn above(path: &str) -> impl Iterator<Item = &str> {
    let home = path.rsplit_once('/').map_or("", |(home, _)| home);
    std::iter::successors(Some(home), |folder| {
        Some(folder.rsplit_once('/').map_or("", |(above, _)| above)).filter(|_| !folder.is_empty())
    })
}

/// How many versions of a path are looked at: for each, most of the path is kept.
const MOST_VERSIONS: usize = 8;

/// The versions in a path, from the root on. Those with a hyphen count only where no segment has one with a dot.
fn versions_in(path: &str) -> Vec<Named> {
    // Each with its range, the end of its segment, and whether it has a dot.
    let mut found: Vec<(OpenShift, std::ops::Range<usize>, usize, bool)> = Vec::new();
    let mut start = 0;
    for segment in path.split('/') {
        let mut stem = segment;
        while let Some(shorter) = EXTENSIONS.iter().find_map(|extension| stem.strip_suffix(extension)) {
            stem = shorter;
        }
        if let Some(captures) = VERSION.captures(stem)
            && let Some(version) = captures.get(1)
            && let Ok(minor) = captures[4].parse()
        {
            let major = if &captures[2] == "4" { 4 } else { 5 };
            let range = start + version.start()..start + version.end();
            found.push((OpenShift { major, minor }, range, start + segment.len(), &captures[3] == "."));
        }
        start += segment.len() + 1;
    }
    let has_dots = found.iter().any(|(.., is_dotted)| *is_dotted);
    let counts = found.into_iter().filter(|(.., is_dotted)| *is_dotted || !has_dots);
    let named = counts.take(MOST_VERSIONS).map(|(version, range, end, _)| Named {
        version,
        pattern: format!("{}*{}", &path[..range.start], &path[range.end..end]),
        place: path[..end].to_owned(),
    });
    named.collect()
}

/// What a Dockerfile serves.
struct Declared {
    dockerfile: String,
    versions: Vec<OpenShift>,
    /// The folders and files that it copies.
    served: Vec<Box<str>>,
    /// Whether any of them is there.
    is_there: bool,
}

impl Declared {
    /// Whether it serves a place or a part of it.
    fn is_of(&self, place: &str) -> bool {
        self.served.iter().any(|served| is_below(served, place))
    }

    /// The places that it serves if no folder or file is named for a version.
    fn places(&self) -> impl Iterator<Item = Place> {
        let path = common(self.served.iter().map(|served| &**served));
        self.versions.iter().map(move |version| self.place(*version, path))
    }

    fn place(&self, version: OpenShift, path: &str) -> Place {
        Place { version, path: path.into(), served: self.served.clone(), templates: Vec::new() }
    }
}

/// What Dockerfiles serve. The build context is the folder of the Dockerfile or one above it: the nearest that has
/// something of what is copied.
fn declared(existing: &BTreeSet<&str>, recipes: &[(&str, &str)]) -> Vec<Declared> {
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
        Declared { dockerfile: (*path).to_owned(), versions: read.versions, served, is_there }
    };
    let dockerfiles = recipes.iter().filter(|(path, _)| is_dockerfile(path));
    dockerfiles.map(of_file).filter(|declared| !declared.served.is_empty()).collect()
}

/// The path of something in a folder.
fn below(folder: &str, path: &str) -> String {
    [folder, path].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

/// The folders and files of a build context that `COPY` takes: the one with this path, or those that a pattern of Go's
/// `filepath.Match` names.
pub(crate) fn matching(existing: &BTreeSet<&str>, context: &str, source: &str) -> Vec<Box<str>> {
    let path = below(context, source);
    if !source.contains(['*', '?', '[']) {
        return existing.get(&*path).map(|path| (*path).into()).into_iter().collect();
    }
    let unescaped = [(r"\*", "[^/]*"), (r"\?", "[^/]"), (r"\[", "["), (r"\]", "]"), (r"\-", "-"), (r"\^", "^")];
    let pattern = unescaped.iter().fold(regex_lite::escape(&path), |text, (from, to)| text.replace(from, to));
    let Ok(pattern) = Regex::new(&format!("^{pattern}$")) else { return Vec::new() };
    existing.iter().filter(|path| pattern.is_match(path)).map(|path| (*path).into()).collect()
}

/// All these files, and their folders.
fn existing<'p>(paths: impl IntoIterator<Item = &'p str>) -> BTreeSet<&'p str> {
    let mut found = BTreeSet::from([""]);
    for path in paths {
        let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
        found.extend(ends.chain([path]));
    }
    found
}

/// A group with the versions that Dockerfiles name instead, and what they serve.
fn candidate(pattern: &str, places: &BTreeMap<&str, OpenShift>, declared: &[Declared]) -> Candidate {
    let (mut found, mut mismatches) = (Vec::new(), Vec::new());
    for (&path, &named) in places {
        let own: Vec<&Declared> = declared.iter().filter(|declared| declared.is_of(path)).collect();
        if own.is_empty() {
            found.push(Place { version: named, path: path.into(), served: Vec::new(), templates: Vec::new() });
        }
        for declared in &own {
            let says_version = |other: &&&Declared| other.served == declared.served && !other.versions.is_empty();
            if declared.versions.is_empty() && own.iter().any(|other| says_version(&other)) {
                continue;
            }
            let versions = if declared.versions.is_empty() { &[named] } else { &declared.versions[..] };
            found.extend(versions.iter().map(|version| declared.place(*version, path)));
            if !versions.contains(&named) {
                mismatches.push(Mismatch {
                    path: path.into(),
                    named,
                    dockerfile: declared.dockerfile.as_str().into(),
                    declared: declared.versions.clone(),
                });
            }
        }
    }
    found.sort();
    found.dedup();
    Candidate { pattern: pattern.into(), places: found, mismatches }
}

/// Whether a path is a place or below it.
pub(crate) fn is_below(path: &str, place: &str) -> bool {
    place.is_empty() || path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder that all paths have in common; the only path itself.
fn common<'p>(paths: impl Iterator<Item = &'p str> + Clone) -> &'p str {
    let mut folder = paths.clone().next().unwrap_or_default();
    while !paths.clone().all(|path| is_below(path, folder)) {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates as lines: the pattern, and each version with its path, and what a Dockerfile serves of it.
    #[track_caller]
    fn check(paths: &[&str], dockerfiles: &[(&str, &str)], expected: &[&str]) {
        let paths = paths.iter().copied().chain(dockerfiles.iter().map(|(path, _)| *path));
        let mut lines = Vec::new();
        for found in candidates(paths.collect::<Vec<_>>(), dockerfiles) {
            let places = found.places.iter().map(|place| {
                let served: String = place.served.iter().map(|served| format!("[{served}]")).collect();
                format!(" {}={}{served}", place.version, place.path)
            });
            lines.push(format!("{}:{}", found.pattern, places.collect::<String>()));
        }
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_pipeline_repository_has_a_folder_for_each_version() {
        let paths = [
            "catalogs/v4.9/p/catalog.yaml",
            "catalogs/v4.10/p/catalog.yaml",
            "catalogs/v4.10/q/catalog.yaml",
            "operators/p/4.5.0/manifests/p.yaml",
            "operators/p/ci.yaml",
        ];
        check(&paths, &[], &["catalogs/*: 4.9=catalogs/v4.9 4.10=catalogs/v4.10"]);
    }

    #[test]
    fn a_major_version_alone_is_no_member() {
        let index = ".konflux/olm-catalog/index";
        let paths = ["v4", "v4.22", "v4.23", "v5", "v5.0"].map(|name| format!("{index}/{name}/catalog/p/catalog.json"));
        let expected =
            ["4.22=", "4.23=", "5.0="].map(|version| format!("{version}{index}/v{}", version.trim_end_matches('=')));
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        check(&paths, &[], &[&format!("{index}/*: {}", expected.join(" "))]);
    }

    #[test]
    fn a_dockerfile_names_the_version_of_its_folder() {
        let from = |version: &str| format!("FROM registry/x:v{version}\nADD catalog /configs\n");
        let (one, other) = (from("4.13"), from("4.15"));
        let dockerfiles = [("v4.13/Containerfile", &*one), ("v4.14/Containerfile", &*other)];
        let paths = ["v4.13/catalog/p/catalog.json", "v4.14/catalog/p/catalog.json"];
        check(&paths, &dockerfiles, &["*: 4.13=v4.13[v4.13/catalog] 4.15=v4.14[v4.14/catalog]"]);
        let all: Vec<&str> = paths.into_iter().chain(dockerfiles.map(|(path, _)| path)).collect();
        let mismatches = &candidates(all, &dockerfiles)[0].mismatches;
        assert_eq!((mismatches.len(), &*mismatches[0].dockerfile), (1, "v4.14/Containerfile"));
    }

    #[test]
    fn the_version_may_be_a_suffix_with_a_dockerfile_beside_the_folder() {
        let text = "FROM x:v4.16\nCOPY op-catalog-4.16 /configs\n";
        let paths = ["op-catalog-4.16/index.yaml", "op-catalog-4.17/index.yaml", "op-catalog/index.yaml"];
        let expected = "op-catalog-*: 4.16=op-catalog-4.16[op-catalog-4.16] 4.17=op-catalog-4.17";
        check(&paths, &[("op-catalog-4.16.Dockerfile", text)], &[expected]);
    }

    #[test]
    fn a_label_names_several_versions_of_one_folder() {
        let text =
            "FROM scratch\nLABEL com.redhat.fbc.openshift.version='[\"v4.18\",\"v4.21\"]'\nADD fragment /configs/p\n";
        let expected = "fragment: 4.18=fragment[fragment] 4.21=fragment[fragment]";
        check(&["fragment/catalog.yaml"], &[("Dockerfile", text)], &[expected]);
    }

    #[test]
    fn what_is_copied_is_looked_for_in_the_folder_of_the_dockerfile_and_above() {
        let paths = ["ci/v4.18/configs/p/c.yaml", "ci/v4.18/graph.yaml", "ci/v4.19/configs/p/c.yaml", "shared/q.yaml"];
        let one = "COPY configs /configs\n";
        let other = "FROM x:v4.19\nCOPY ci/v4.19/conf* /configs\nCOPY shared /configs/q\n";
        let expected = "ci/*: 4.18=ci/v4.18[ci/v4.18/configs] 4.19=ci/v4.19[ci/v4.19/configs][shared]";
        check(&paths, &[("ci/v4.18/Dockerfile", one), ("ci/v4.19/Dockerfile", other)], &[expected]);
        // All of the context, and something that is not there.
        let (one, other) = ("COPY . /configs\n", "COPY catalog /configs\n");
        let expected = "ci/*: 4.18=ci/v4.18[ci/v4.18] 4.19=ci/v4.19[ci/v4.19/catalog]";
        check(&paths, &[("ci/v4.18/Dockerfile", one), ("ci/v4.19/Dockerfile", other)], &[expected]);
    }

    #[test]
    fn two_images_of_a_folder_are_two_places() {
        let paths = ["v4.18/a/c.yaml", "v4.18/b/c.yaml", "v4.19/a/c.yaml"];
        let (a, b) = ("FROM x:v4.18\nCOPY a /configs\n", "FROM x:v4.18\nCOPY b /configs\n");
        let dockerfiles = [("v4.18/Dockerfile.a", a), ("v4.18/Dockerfile.b", b), ("v4.18/Dockerfile.c", &a[13..])];
        check(&paths, &dockerfiles, &["*: 4.18=v4.18[v4.18/a] 4.18=v4.18[v4.18/b] 4.19=v4.19"]);
    }

    #[test]
    fn names_of_files_have_versions() {
        let paths =
            ["x/community-v4.18.yaml", "x/community-v4.19.yaml", "x/certified-v4.18.yaml", "x/index-v5.1.tar.gz"];
        let expected = "x/community-*.yaml: 4.18=x/community-v4.18.yaml 4.19=x/community-v4.19.yaml";
        check(&paths, &[], &[expected]);
    }

    #[test]
    fn of_two_versions_the_one_that_varies_counts() {
        let paths = ["fbc-4.18/v4.2/c.yaml", "fbc-4.19/v4.2/c.yaml"];
        check(&paths, &[], &["fbc-*: 4.18=fbc-4.18 4.19=fbc-4.19"]);
        check(&["4.5/v4.1/c.yaml", "4.5/v4.2/c.yaml"], &[], &["4.5/*: 4.1=4.5/v4.1 4.2=4.5/v4.2"]);
    }

    #[test]
    fn a_hyphen_counts_only_without_a_dot() {
        check(&["index-v4-18/c.yaml", "index-v4-19/c.yaml"], &[], &["index-*: 4.18=index-v4-18 4.19=index-v4-19"]);
        check(&["op-4-1/v4.18/c.yaml", "op-4-1/v4.19/c.yaml"], &[], &["op-4-1/*: 4.18=op-4-1/v4.18 4.19=op-4-1/v4.19"]);
    }

    #[test]
    fn a_long_path_is_not_kept_for_each_of_its_versions() {
        assert_eq!(versions_in(&"v4.10/".repeat(1000)).len(), MOST_VERSIONS);
    }

    #[test]
    fn other_numbers_are_no_versions() {
        check(&["a4.18.1/c", "a4.19.1/c", "14.18/c", "14.19/c", "4.018/c", "4.019/c", "3.11/c", "3.12/c"], &[], &[]);
    }
}
