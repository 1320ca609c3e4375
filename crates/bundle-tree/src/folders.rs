//! Which folders are bundles.

use std::collections::BTreeSet;

/// The folders that are bundles, of files with these paths: they have `manifests/` and `metadata/`. The folder at the top is
/// an empty text.
#[must_use]
pub fn bundle_folders<'a>(paths: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut with: [BTreeSet<&str>; 2] = Default::default();
    for path in paths {
        for (folder, with) in ["manifests", "metadata"].into_iter().zip(&mut with) {
            with.extend(holder(path, folder));
        }
    }
    let [manifests, metadata] = with;
    manifests.intersection(&metadata).copied().collect()
}

/// The outermost folder that has a sub-folder of this name around a path.
fn holder<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        if part == name && end < path.len() {
            return path.get(..start.saturating_sub(1));
        }
        start = end + 1;
    }
    None
}

/// The folder that a file or folder is in.
pub(crate) fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((folder, _)) => Some(folder),
        None if path.is_empty() => None,
        None => Some(""),
    }
}

/// The release that a bundle's folder `NAME/VERSION` is, as its image is named: `NAME:VERSION`.
pub(crate) fn release_name(folder: &str) -> String {
    let (operators, version) = folder.rsplit_once('/').unwrap_or(("", folder));
    format!("{}:{version}", operators.rsplit('/').next().unwrap_or_default())
}

/// The bundle that a file is in, and its path there; `folders` are those of [`bundle_folders`].
#[must_use]
pub fn inside<'a>(folders: &BTreeSet<&'a str>, path: &'a str) -> Option<(&'a str, &'a str)> {
    let folder = ["manifests", "metadata"].into_iter().find_map(|name| holder(path, name))?;
    let folder = folders.get(folder)?;
    let rest = path.get(folder.len()..)?;
    Some((folder, rest.strip_prefix('/').unwrap_or(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_has_both_folders() {
        let table: [(&[&str], &[&str]); 5] = [
            (&["manifests/a", "metadata/b"], &[""]),
            (&["o/n/v1/manifests/a", "o/n/v1/metadata/b", "o/n/ci.yaml", "o/n/v2/manifests/a"], &["o/n/v1"]),
            (&["v1/manifests", "v1/metadata"], &[]),
            (&["v1/manifests/sub/a", "v1/metadata/b", "v2/metadata/x", "v2/manifests/y"], &["v1", "v2"]),
            (&["metadata/x/manifests/a", "metadata/x/metadata/a"], &[]),
        ];
        for (paths, folders) in table {
            let found: Vec<&str> = bundle_folders(paths.iter().copied()).into_iter().collect();
            assert_eq!(found, folders, "{paths:?}");
        }
        let folders = BTreeSet::from(["", "o/v1"]);
        assert_eq!(inside(&folders, "manifests/a/b"), Some(("", "manifests/a/b")));
        assert_eq!(inside(&folders, "o/v1/metadata/a"), Some(("o/v1", "metadata/a")));
        assert_eq!(inside(&folders, "o/v1/tests/a"), None);
        assert_eq!([parent("o/v1"), parent("v1"), parent("")], [Some("o"), Some(""), None]);
    }
}
