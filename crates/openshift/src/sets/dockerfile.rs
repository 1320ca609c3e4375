//! What a Dockerfile of a catalog image says: the versions of OpenShift that the image is for, and the folder that it
//! serves.

use std::sync::LazyLock;

use regex_lite::Regex;
use source::OpenShift;

/// The label with the versions, which Konflux reads before the tag of the base image (konflux-test `test/utils.sh`).
const LABEL: &str = "com.redhat.fbc.openshift.version";

/// An instruction, with lines that `\` continues.
static INSTRUCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?im)^[ \t]*(FROM|LABEL|COPY|ADD)[ \t]+((?:[^\\\n]|\\[^\n]|\\\n)*)").expect("it is valid")
});

/// What a Dockerfile says of its image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dockerfile {
    /// The versions in the label; without a label, the one in the tag of the base image.
    pub(crate) versions: Vec<OpenShift>,
    /// What is copied to `/configs`, as written.
    pub(crate) served: Vec<String>,
}

/// Whether a file is a Dockerfile, by its name.
#[must_use]
pub fn is_dockerfile(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    ["Dockerfile", "Containerfile"].iter().any(|kind| name.contains(kind))
}

/// Reads a Dockerfile.
pub(crate) fn read(text: &str) -> Dockerfile {
    let (mut labelled, mut base, mut served) = (Vec::new(), None, Vec::new());
    for found in INSTRUCTION.captures_iter(text) {
        let rest = found[2].replace("\\\n", " ");
        match found[1].to_ascii_uppercase().as_str() {
            "FROM" => base = tag(&rest).or(base),
            "LABEL" => labelled = label(&rest).unwrap_or(labelled),
            _ => served.extend(copied(&rest)),
        }
    }
    Dockerfile { versions: if labelled.is_empty() { base.into_iter().collect() } else { labelled }, served }
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

/// What is copied to `/configs` or into it.
fn copied(rest: &str) -> Vec<String> {
    let words: Vec<&str> = rest.split_whitespace().filter(|word| !word.starts_with("--")).collect();
    match words.split_last() {
        Some((target, sources)) if target.trim_matches('/').split('/').next() == Some("configs") => {
            sources.iter().map(|source| source.trim_start_matches("./").trim_matches('/').to_owned()).collect()
        }
        _ => Vec::new(),
    }
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

    #[test]
    fn the_served_folder_is_what_is_copied_to_configs() {
        let text = "FROM --platform=x a:v4.16 AS b\nADD ./catalog /configs\ncopy --from=b /bin/opm /bin/opm\n";
        assert_eq!(read(text).served, ["catalog"]);
        assert_eq!(read("COPY a b /configs/p\n").served, ["a", "b"]);
    }

    #[test]
    fn names_tell_dockerfiles() {
        assert!(["a/Containerfile.catalog", "Dockerfile", "x-4.16.Dockerfile"].iter().all(|path| is_dockerfile(path)));
        assert!(!is_dockerfile("Dockerfile/catalog.yaml"));
    }
}
