//! Which files of a folder may be a set: catalogs whose paths differ in a version of OpenShift alone.
//!
//! Paths and Dockerfiles make candidates. Without a Dockerfile their content decides whether they are a set
//! ([`Loading::finish`](crate::sets::Loading::finish)).

use crate::sets::dockerfile::{Declared, above, common, declared, is_below, is_dockerfile};
use compare::Rendered;
use regex_lite::Regex;
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A version in a segment of a path. A major version alone is none.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?:^|[^0-9.])(v?([45])([.-])(0|[1-9][0-9]?))(?:$|[^0-9.])").expect("it is valid"));

/// Extensions that are no part of a version.
const EXTENSIONS: [&str; 9] = [".yaml", ".yml", ".json", ".gz", ".tgz", ".tar", ".zip", ".zst", ".xz"];

/// What is known of files before they are read: their paths, and what Dockerfiles, settings and the user say of them.
#[derive(Clone, Debug, Default)]
pub struct Paths<'p> {
    pub all: Vec<&'p str>,
    /// The paths and texts of the files that [`is_dockerfile`] tells.
    pub dockerfiles: Vec<(&'p str, &'p str)>,
    /// The catalogs that the settings of the repository say to be rendered from templates.
    pub rendered: Vec<Rendered>,
    /// Files and folders for which the user states a version.
    pub stated: Vec<(&'p str, OpenShift)>,
}

/// The catalogs that files with these paths may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recognised {
    /// Catalogs for several versions of OpenShift, by pattern.
    pub sets: Vec<Candidate>,
    /// Catalogs that a Dockerfile serves a part of the files as, each by itself.
    pub alone: Vec<Alone>,
    /// Whether a Dockerfile serves all files.
    pub serves_all: bool,
}

/// Catalogs that may be a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What their paths have in common, with `*` for the version, such as `catalogs/*`.
    pub pattern: Box<str>,
    /// By version, and by path.
    pub places: Vec<Place>,
    /// What Dockerfiles say about versions that cannot be, by path.
    pub doubts: Vec<Doubt>,
    /// Versions that have several catalogs. The set has none of these catalogs.
    pub repeated: BTreeMap<OpenShift, Vec<Box<str>>>,
    /// Whether Dockerfiles or the user say that the places are catalogs.
    pub is_declared: bool,
}

/// A catalog that is not one of several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alone {
    /// The folder of the Dockerfile, which may also have templates; or what is served.
    pub path: Box<str>,
    /// Absent if nothing tells it.
    pub version: Option<OpenShift>,
    /// The folders and files that are copied into the image.
    pub served: Vec<Box<str>>,
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
    /// The templates from which the settings say that the catalog is rendered, wherever they are.
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

    fn add_templates(&mut self, rendered: &[Rendered]) {
        let is_own = |catalog: &str| self.roots().any(|root| is_below(catalog, root) || is_below(root, catalog));
        let own = rendered.iter().filter(|rendered| is_own(&rendered.catalog));
        self.templates = own.map(|rendered| rendered.template.as_str().into()).collect();
        self.templates.sort();
        self.templates.dedup();
    }

    /// The catalog by itself.
    #[must_use]
    pub fn alone(&self) -> Alone {
        let served = self.roots().map(Into::into).collect();
        Alone { path: self.path.clone(), version: Some(self.version), served }
    }

    /// The folders and files that are the catalog.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        let path = self.served.is_empty().then_some(&self.path);
        path.into_iter().chain(&self.served).map(|root| &**root)
    }
}

/// What a Dockerfile says about a version that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    pub dockerfile: Box<str>,
    /// Where in its text it names the version, in bytes.
    pub at: u32,
    /// The version that counts.
    pub version: OpenShift,
    pub message: String,
}

/// A version in a path.
struct Named {
    version: OpenShift,
    /// The path up to the segment with the version, with `*` for it.
    pattern: String,
    /// The path up to and with that segment.
    place: String,
}

/// The catalogs that files with these paths may be.
#[must_use]
pub fn recognise(paths: &Paths<'_>) -> Recognised {
    let named: Vec<Vec<Named>> = paths.all.iter().map(|path| paths.versions_of(path)).collect();
    let mut known: BTreeMap<&str, BTreeSet<OpenShift>> = BTreeMap::new();
    for Named { version, pattern, .. } in named.iter().flatten() {
        known.entry(pattern).or_default().insert(*version);
    }
    let varies = |named: &&Named| known[&*named.pattern].len() > 1;
    let mut groups: BTreeMap<&str, BTreeMap<&str, OpenShift>> = BTreeMap::new();
    for found in named.iter().filter_map(|found| found.iter().find(varies)) {
        groups.entry(&found.pattern).or_default().insert(&found.place, found.version);
    }
    let existing = existing(&paths.all);
    let declared = declared(&existing, &paths.dockerfiles);
    let serves_all = declared.iter().any(|declared| declared.served.iter().any(|served| served.is_empty()));
    let mut found: Vec<Candidate> =
        groups.iter().map(|(pattern, places)| candidate(pattern, places, &declared)).collect();
    let is_of_group =
        |declared: &&Declared| groups.values().flat_map(BTreeMap::keys).any(|place| declared.is_of(place));
    let others: Vec<&Declared> =
        declared.iter().filter(|declared| declared.is_there && !is_of_group(declared)).collect();
    found.extend(of_dockerfiles(others.iter().flat_map(|declared| declared.places()).collect()));
    let mut alone = Vec::new();
    for candidate in &mut found {
        alone.extend(candidate.take_repeated().iter().map(Place::alone));
        candidate.places.iter_mut().for_each(|place| place.add_templates(&paths.rendered));
        candidate.is_declared |= candidate.places.iter().any(|place| !place.served.is_empty());
    }
    let is_set =
        |candidate: &mut Candidate| candidate.places.iter().any(|place| place.version != candidate.places[0].version);
    let sets: Vec<Candidate> = found.extract_if(.., is_set).collect();
    found.retain(|candidate| candidate.is_declared || !candidate.repeated.is_empty());
    alone.extend(found.iter().flat_map(|candidate| &candidate.places).map(Place::alone));
    alone.extend(others.iter().filter(|declared| declared.versions.is_empty()).map(|declared| Alone {
        path: declared.path().into(),
        version: None,
        served: declared.served.clone(),
    }));
    for alone in &mut alone {
        let own = |declared: &&&Declared| declared.served == alone.served;
        let home = others.iter().find(own).and_then(|declared| above(&declared.dockerfile).next());
        let is_around = |home: &&str| alone.served.iter().all(|served| is_below(served, home));
        if let Some(home) = home.filter(is_around) {
            alone.path = home.into();
        }
    }
    // What an image serves whole is what it is without a Dockerfile.
    alone.retain(|alone| alone.served.iter().all(|served| !served.is_empty()));
    alone.sort();
    alone.dedup_by(|one, other| one.served == other.served && (one.version.is_none() || one.version == other.version));
    Recognised { sets, alone, serves_all }
}

/// Candidates of what Dockerfiles serve in folders that are not named for a version: all of it together, or by folder if several
/// serve something else for the same version.
fn of_dockerfiles(mut places: Vec<Place>) -> Vec<Candidate> {
    places.sort();
    places.dedup();
    let has_repeated = places.windows(2).any(|pair| pair[0].version == pair[1].version);
    let mut groups: BTreeMap<Box<str>, Vec<Place>> = BTreeMap::new();
    for place in places {
        let key = if has_repeated { place.path.clone() } else { "".into() };
        groups.entry(key).or_default().push(place);
    }
    let candidate = |places: Vec<Place>| Candidate {
        pattern: common(places.iter().map(|place| &*place.path)).into(),
        places,
        ..Candidate::default()
    };
    groups.into_values().map(candidate).collect()
}

impl Default for Candidate {
    fn default() -> Self {
        let pattern = "".into();
        Self { pattern, places: Vec::new(), doubts: Vec::new(), repeated: BTreeMap::new(), is_declared: false }
    }
}

impl Alone {
    /// The folder or file that is the catalog.
    #[must_use]
    pub fn root(&self) -> &str {
        common(self.served.iter().map(|served| &**served))
    }

    /// The same as a candidate with one place; if nothing tells its version, that of the place means nothing.
    #[must_use]
    pub fn candidate(&self, paths: &Paths<'_>) -> Candidate {
        let version = self.version.unwrap_or(OpenShift { major: 4, minor: 0 });
        let (path, served) = (self.path.clone(), self.served.clone());
        let mut place = Place { version, path, served, templates: Vec::new() };
        place.add_templates(&paths.rendered);
        Candidate { pattern: self.root().into(), places: vec![place], is_declared: true, ..Candidate::default() }
    }
}

impl Candidate {
    /// All files with these paths as one catalog, which is the same for all versions.
    #[must_use]
    pub fn of_all(versions: &[OpenShift], paths: &Paths<'_>) -> Self {
        let place = |version: &OpenShift| {
            let mut place = Place { version: *version, path: "".into(), served: Vec::new(), templates: Vec::new() };
            place.add_templates(&paths.rendered);
            place
        };
        Self { places: versions.iter().map(place).collect(), ..Self::default() }
    }

    /// Removes the places of versions that have several: nothing says which one is right.
    fn take_repeated(&mut self) -> Vec<Place> {
        let mut count: BTreeMap<OpenShift, usize> = BTreeMap::new();
        for place in &self.places {
            *count.entry(place.version).or_default() += 1;
        }
        let taken: Vec<Place> = self.places.extract_if(.., |place| count[&place.version] > 1).collect();
        for place in &taken {
            let root = place.roots().next().unwrap_or_default().into();
            self.repeated.entry(place.version).or_default().push(root);
        }
        // What a doubt says of a version that counts is of a place that the set does not have.
        self.doubts.retain(|doubt| !self.repeated.contains_key(&doubt.version));
        taken
    }
}

impl<'p> Paths<'p> {
    /// What is known by these paths alone.
    #[must_use]
    pub fn new(all: Vec<&'p str>, dockerfiles: Vec<(&'p str, &'p str)>) -> Self {
        Self { all, dockerfiles, ..Self::default() }
    }

    fn versions_of(&self, path: &str) -> Vec<Named> {
        match self.stated.iter().find(|(place, _)| is_below(path, place)) {
            Some((place, version)) => {
                vec![Named { version: *version, pattern: "*".to_owned(), place: (*place).to_owned() }]
            }
            // A Dockerfile that is named for a version is no catalog.
            None => versions_in(path).into_iter().filter(|named| named.place != path || !is_dockerfile(path)).collect(),
        }
    }
}

/// The version of OpenShift that a name says, such as `v4.18`.
#[must_use]
pub fn version_in(name: &str) -> Option<OpenShift> {
    versions_in(name).last().map(|named| named.version)
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

/// All these files, and their folders.
fn existing<'p>(paths: &[&'p str]) -> BTreeSet<&'p str> {
    let mut found = BTreeSet::from([""]);
    for &path in paths {
        let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
        found.extend(ends.chain([path]));
    }
    found
}

/// A group with the versions that Dockerfiles name instead, and what they serve. A Dockerfile in a folder that is named for
/// another version has the wrong base image; one outside says what the folder is for.
fn candidate(pattern: &str, places: &BTreeMap<&str, OpenShift>, declared: &[Declared]) -> Candidate {
    let mut candidate = Candidate { pattern: pattern.into(), ..Candidate::default() };
    for (&path, &named) in places {
        let own: Vec<&Declared> = declared.iter().filter(|declared| declared.is_of(path)).collect();
        if own.is_empty() {
            candidate.places.push(Place {
                version: named,
                path: path.into(),
                served: Vec::new(),
                templates: Vec::new(),
            });
        }
        let is_right = own.iter().any(|declared| declared.versions.contains(&named));
        for declared in &own {
            let says_version = |other: &&&Declared| other.served == declared.served && !other.versions.is_empty();
            if declared.versions.is_empty() && own.iter().any(|other| says_version(&other)) {
                continue;
            }
            let is_inside = is_below(&declared.dockerfile, path);
            let is_wrong = !declared.versions.is_empty() && !is_right;
            let by_name = declared.versions.is_empty() || is_wrong && is_inside;
            let versions = if by_name { std::slice::from_ref(&named) } else { &declared.versions[..] };
            candidate.places.extend(versions.iter().map(|version| declared.place(*version, path)));
            if is_wrong {
                let says = declared.versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let counts = if is_inside { "the name of the folder counts" } else { "which counts" };
                candidate.doubts.push(Doubt {
                    dockerfile: declared.dockerfile.as_str().into(),
                    at: declared.at,
                    version: versions[0],
                    message: format!(
                        "`{path}` is named for {named}, but `{}` names {says}; {counts}",
                        declared.dockerfile
                    ),
                });
            }
        }
    }
    candidate.places.sort();
    candidate.places.dedup();
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates as lines: the pattern, and each version with its path, and what a Dockerfile serves of it.
    #[track_caller]
    fn check(paths: &[&str], dockerfiles: &[(&str, &str)], expected: &[&str]) {
        let paths = paths.iter().copied().chain(dockerfiles.iter().map(|(path, _)| *path));
        let mut lines = Vec::new();
        let Recognised { sets, alone, .. } = recognise(&Paths::new(paths.collect(), dockerfiles.to_vec()));
        for found in sets {
            let places = found.places.iter().map(|place| {
                let served: String = place.served.iter().map(|served| format!("[{served}]")).collect();
                format!(" {}={}{served}", place.version, place.path)
            });
            lines.push(format!("{}:{}", found.pattern, places.collect::<String>()));
        }
        for Alone { path, version, served } in alone {
            let version = version.map_or_else(|| "?".to_owned(), |version| version.to_string());
            lines.push(format!("{version}={path}[{}]", served.join("][")));
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
    fn the_name_of_a_folder_counts_more_than_the_base_image_in_it() {
        let from = |version: &str| format!("FROM registry/x:v{version}\nADD catalog /configs\n");
        let (one, other) = (from("4.13"), from("4.15"));
        let dockerfiles = [("v4.13/Containerfile", &*one), ("v4.14/Containerfile", &*other)];
        let paths = ["v4.13/catalog/p/catalog.json", "v4.14/catalog/p/catalog.json"];
        check(&paths, &dockerfiles, &["*: 4.13=v4.13[v4.13/catalog] 4.14=v4.14[v4.14/catalog]"]);
        let all: Vec<&str> = paths.into_iter().chain(dockerfiles.map(|(path, _)| path)).collect();
        let doubts = &recognise(&Paths::new(all, dockerfiles.to_vec())).sets[0].doubts;
        let said = "`v4.14` is named for 4.14, but `v4.14/Containerfile` names 4.15; the name of the folder counts";
        assert_eq!(doubts.iter().map(|doubt| &*doubt.message).collect::<Vec<_>>(), [said]);
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
    fn two_images_for_one_version_are_two_catalogs() {
        let paths = ["v4.18/a/c.yaml", "v4.18/b/c.yaml", "v4.19/a/c.yaml"];
        let (a, b) = ("FROM x:v4.18\nCOPY a /configs\n", "FROM x:v4.18\nCOPY b /configs\n");
        let dockerfiles = [("v4.18/Dockerfile.a", a), ("v4.18/Dockerfile.b", b), ("v4.18/Dockerfile.c", &a[13..])];
        check(&paths, &dockerfiles, &["4.18=v4.18[v4.18/a]", "4.18=v4.18[v4.18/b]", "4.19=v4.19[v4.19]"]);
    }

    #[test]
    fn a_folder_with_a_dockerfile_is_for_one_version() {
        let text = "FROM x:v4.18\nADD catalog /configs\n";
        let paths = ["graph.yaml", "catalog/p/c.yaml"];
        check(&paths, &[("Containerfile.catalog", text)], &["4.18=[catalog]"]);
        check(&["v4.18/catalog/c.yaml"], &[("v4.18/Dockerfile", text)], &["4.18=v4.18[v4.18/catalog]"]);
        check(&paths, &[("Dockerfile", "COPY catalog /configs\n")], &["?=[catalog]"]);
        check(&paths, &[("Dockerfile", "FROM x:v4.18\nCOPY . /configs\n")], &[]);
        check(&paths, &[("Dockerfile", "FROM x:v4.18\nCOPY other /configs\n")], &[]);
    }

    #[test]
    fn dockerfiles_elsewhere_say_what_folders_are_for() {
        let text = |version: &str, folder: &str| format!("FROM x:v{version}\nCOPY catalog/{folder} /configs/p\n");
        let texts = [text("4.16", "p"), text("4.17", "p-4.17"), text("4.18", "p-4.17")];
        let names = ["Dockerfile-v4-16", "Dockerfile-v4-17", "Dockerfile-v4-18"];
        let dockerfiles: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let expected = "catalog: 4.16=catalog/p[catalog/p] 4.17=catalog/p-4.17[catalog/p-4.17] 4.18=catalog/p-4.17[catalog/p-4.17]";
        check(&["catalog/p/c.yaml", "catalog/p-4.17/c.yaml"], &dockerfiles, &[expected]);
        // Of two operators each has its own.
        let texts = ["4.17", "4.18"].map(|version| [text(version, "p"), text(version, "q")]).concat();
        let names = ["p-17.Dockerfile", "q-17.Dockerfile", "p-18.Dockerfile", "q-18.Dockerfile"];
        let dockerfiles: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let expected = ["p", "q"].map(|name| {
            let path = format!("catalog/{name}");
            format!("{path}: 4.17={path}[{path}] 4.18={path}[{path}]")
        });
        check(&["catalog/p/c.yaml", "catalog/q/c.yaml"], &dockerfiles, &expected.each_ref().map(String::as_str));
    }

    #[test]
    fn what_the_user_states_counts() {
        let stated = vec![("old", OpenShift { major: 4, minor: 18 }), ("new", OpenShift { major: 4, minor: 19 })];
        let paths = Paths { stated, ..Paths::new(vec!["old/v4.1/c.yaml", "new/v4.1/c.yaml"], Vec::new()) };
        let sets = recognise(&paths).sets;
        let places = sets.iter().flat_map(|set| &set.places).map(|place| format!("{}={}", place.version, place.path));
        assert_eq!(places.collect::<Vec<_>>(), ["4.18=old", "4.19=new"]);
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
