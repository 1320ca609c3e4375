//! What a Dockerfile of a catalog image says: the versions of OpenShift that the image is for, and what it serves.

use crate::sets::recognise::Place;
use regex_lite::Regex;
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};

/// The label with the versions, which Konflux reads before the tag of the base image (konflux-test `test/utils.sh`).
const LABEL: &str = "com.redhat.fbc.openshift.version";
/// The label with the folder that the image serves (operator-registry `pkg/containertools/labels.go`).
const CONFIGS_LABEL: &str = "operators.operatorframework.io.index.configs.v1";
/// The folder that images serve without this label (operator-registry `alpha/action/generate_dockerfile.go`).
const CONFIGS: &str = "configs";

/// What a Dockerfile says of its image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dockerfile {
    /// The versions in the label; without a label, the one in the tag of the base image.
    pub(crate) versions: Vec<OpenShift>,
    /// Where the text names them, in bytes.
    pub(crate) at: u32,
    /// What is copied to the folder that the image serves: paths in the build context, empty for all of it. Nothing if
    /// the text alone does not tell.
    pub(crate) served: Vec<String>,
}

/// Whether a file is a Dockerfile, by its name.
#[must_use]
pub fn is_dockerfile(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    ["Dockerfile", "Containerfile"].iter().any(|kind| name.contains(kind))
}

pub(crate) fn read(text: &str) -> Dockerfile {
    let (mut labelled, mut base, mut configs) = (Vec::new(), None, CONFIGS.to_owned());
    let (mut folder, mut copies): (String, Vec<(String, Vec<String>)>) = Default::default();
    let mut variables: BTreeMap<String, String> = BTreeMap::new();
    let (mut at, mut is_written) = (0, false);
    for (start, line) in instructions(text) {
        let Some((instruction, rest)) = line.split_once(char::is_whitespace) else { continue };
        let rest = substituted(rest.trim(), &variables);
        match instruction.to_ascii_uppercase().as_str() {
            "ARG" | "ENV" => {
                let given = rest.split_whitespace().filter_map(|word| word.split_once('='));
                variables.extend(given.map(|(name, value)| (name.to_owned(), unquoted(value).to_owned())));
            }
            "FROM" => {
                if let Some(version) = tag(&rest) {
                    base = Some(version);
                    at = if labelled.is_empty() { start } else { at };
                }
                folder.clear();
            }
            "LABEL" => {
                if let Some(versions) = label(&rest) {
                    (labelled, at) = (versions, start);
                }
                configs = configs_label(&rest).unwrap_or(configs);
            }
            "WORKDIR" => folder = joined(&folder, unquoted(&rest)),
            "COPY" | "ADD" => copies.extend(copied(&rest, &folder)),
            // What a command adds to the catalog is not known before it runs.
            "RUN" => {
                is_written |= rest.split('>').skip(1).any(|rest| is_below(&joined("", first_word(rest)), &configs));
            }
            _ => {}
        }
    }
    let copies = copies.into_iter().filter(|(target, _)| is_below(target, &configs));
    let served: Vec<String> = copies.flat_map(|(_, sources)| sources).collect();
    let is_known = !is_written && served.iter().all(|source| !source.contains('$'));
    Dockerfile {
        at,
        versions: if labelled.is_empty() { base.into_iter().collect() } else { labelled },
        served: if is_known { served.iter().map(|source| joined("", source)).collect() } else { Vec::new() },
    }
}

/// The instructions, each on one line with where it begins, without comments: these may also stand between lines that `\`
/// continues.
fn instructions(text: &str) -> Vec<(u32, String)> {
    let (mut found, mut open, mut start, mut end) = (Vec::new(), String::new(), 0, 0);
    for whole in text.split_inclusive('\n') {
        let (at, line) = (end, whole.trim());
        end += whole.len();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        start = if open.is_empty() { at } else { start };
        match line.strip_suffix('\\') {
            Some(part) => open += &format!("{part} "),
            None => found.push((start as u32, std::mem::take(&mut open) + line)),
        }
    }
    found.extend((!open.is_empty()).then_some((start as u32, open)));
    found
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A text with the values of the variables that have one.
fn substituted(text: &str, variables: &BTreeMap<String, String>) -> String {
    // The longest name first, since `$A` is the beginning of `$AB`.
    let mut known: Vec<(&String, &String)> = variables.iter().collect();
    known.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    known.into_iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("${{{name}}}"), value).replace(&format!("${name}"), value)
    })
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// A path below a folder, or an absolute one, without `.`, `..` and the first and last slash.
pub(crate) fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty() && *part != ".");
    parts.join("/")
}

/// The tag of an image, if it is a version.
fn tag(from: &str) -> Option<OpenShift> {
    let image = from.split_whitespace().find(|word| !word.starts_with("--"))?;
    let (_, tag) = image.split('@').next()?.rsplit_once(':')?;
    tag.parse().ok()
}

/// The versions in a label: a JSON array.
fn label(rest: &str) -> Option<Vec<OpenShift>> {
    let (_, behind) = rest.split_once(LABEL)?;
    let behind = behind.trim_start_matches('"').trim_start().strip_prefix('=')?;
    let array = &behind[behind.find('[')?..];
    let array = &array[..=array.find(']')?];
    let versions: Vec<String> = serde_json::from_str(&array.replace("\\\"", "\"")).ok()?;
    versions.iter().map(|version| version.parse().ok()).collect()
}

/// The folder that the image serves.
fn configs_label(rest: &str) -> Option<String> {
    let (_, behind) = rest.split_once(CONFIGS_LABEL)?;
    let value = behind.trim_start_matches(['"', '\'']).strip_prefix('=')?.split_whitespace().next()?;
    Some(joined("", unquoted(value)))
}

/// The place in the image, and what is copied there from the build context: as words, or as a JSON array.
fn copied(rest: &str, folder: &str) -> Option<(String, Vec<String>)> {
    let mut rest = rest;
    while let Some(flag) = rest.strip_prefix("--") {
        // Another stage or image is not the build context.
        if flag.starts_with("from=") {
            return None;
        }
        rest = flag.split_once(char::is_whitespace)?.1.trim_start();
    }
    let words = || rest.split_whitespace().map(|word| unquoted(word).to_owned()).collect();
    let mut words: Vec<String> = serde_json::from_str(rest).unwrap_or_else(|_| words());
    let target = words.pop()?;
    // What ADD downloads and texts in the Dockerfile itself are no files of the build context either.
    words.retain(|source| !source.contains("://") && !source.starts_with("<<"));
    Some((joined(folder, &target), words))
}

// What Dockerfiles say of the paths of a folder: what they serve, and for which versions.

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
        let read = read(text);
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
fn matching(existing: &BTreeSet<&str>, context: &str, source: &str) -> Vec<Box<str>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(text: &str) -> Vec<String> {
        read(text).versions.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_label_comes_before_the_tag() {
        let from = "FROM registry.redhat.io/openshift4/ose-operator-registry-rhel9:v4.13@sha256:00\n";
        assert_eq!(versions(from), ["4.13"]);
        let label = "LABEL com.redhat.fbc.openshift.version='[\"v4.18\",\"v4.21\"]'\n";
        assert_eq!(versions(&format!("{from}{label}")), ["4.18", "4.21"]);
        let escaped = "LABEL a=b \\\n  \"com.redhat.fbc.openshift.version\"=\"[\\\"4.18\\\"]\"\n";
        assert_eq!(versions(&format!("{from}{escaped}")), ["4.18"]);
        assert_eq!(versions("FROM scratch\nLABEL x=y\n"), [""; 0]);
        assert_eq!(versions("FROM a:v4\n"), [""; 0]);
        assert_eq!(versions("LABEL com.redhat.fbc.openshift.version=]x['v4.18'\n"), [""; 0]);
        assert_eq!(versions("LABEL com.redhat.fbc.openshift.version=]x[\"v4.18\"]\n"), ["4.18"]);
    }

    #[track_caller]
    fn check_served(text: &str, expected: &[&str]) {
        assert_eq!(read(text).served, expected, "{text}");
    }

    #[test]
    fn what_is_copied_to_configs_is_served() {
        let text = "FROM --platform=x a:v4.16 AS b\nADD ./catalog /configs\ncopy --from=b /configs /configs\n";
        check_served(text, &["catalog"]);
        check_served("COPY a b/ /configs/p\nCOPY c /bin\nadd d /configs/d/\n", &["a", "b", "d"]);
        check_served("COPY --chown=1001:0 [\"my catalog\", \"/configs\"]\n", &["my catalog"]);
        check_served("COPY \\\n  # the catalog\n  \"catalog\" \\\r\n  /configs/\n", &["catalog"]);
        check_served("# COPY old /configs\nCOPY . /configs\n", &[""]);
        check_served("WORKDIR /configs\nCOPY x/../catalog ./\nWORKDIR ..\nCOPY other .\n", &["catalog"]);
        check_served("COPY configs /configs\nRUN opm render x >> /configs/index.yaml\n", &[]);
        check_served("COPY configs /configs\nRUN opm serve /configs > /dev/null\n", &["configs"]);
        check_served("ADD https://x/catalog.yaml /configs/\nCOPY catalog /configs2\n", &[]);
    }

    #[test]
    fn the_label_names_the_folder_that_is_served() {
        let label = "LABEL a=b \"operators.operatorframework.io.index.configs.v1\"=\"/data/catalogs\"\n";
        check_served(&format!("COPY catalog /data/catalogs\nCOPY other /configs\n{label}"), &["catalog"]);
    }

    #[test]
    fn variables_have_the_values_of_the_text() {
        let args = "ARG DIR\nARG DIR_OF=\"catalog\" X=4.18\nFROM a:v${X}\n";
        let read = read(&format!("{args}COPY $DIR_OF/p /configs\n"));
        assert_eq!((read.versions.len(), read.served), (1, vec!["catalog/p".to_owned()]));
        // Nobody knows what is given on the command line.
        check_served(&format!("{args}COPY $DIR /configs\nCOPY catalog /configs\n"), &[]);
    }

    #[test]
    fn names_tell_dockerfiles() {
        assert!(["a/Containerfile.catalog", "Dockerfile", "x-4.16.Dockerfile"].iter().all(|path| is_dockerfile(path)));
        assert!(!is_dockerfile("Dockerfile/catalog.yaml"));
    }
}
