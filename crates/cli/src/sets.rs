//! Reads the catalogs for several versions of OpenShift.

use crate::folder;
use crate::output::Failure;
use crate::parallel::EXECUTOR;
use crate::paths::shown_path;
use catalog_set::{Candidate, CatalogSet, Loading, Place, candidates, is_dockerfile};
use std::path::Path;
use views::OpenShift;
use workbench::NewText;

/// The sets at a path; none if it holds no catalogs for several versions.
///
/// # Errors
/// When nothing can be read there.
pub(crate) fn sets(files: &mut [NewText]) -> Vec<CatalogSet> {
    let text = |file: &NewText| Some(String::from_utf8_lossy(file.content.as_ref().ok()?).into_owned());
    let dockerfiles: Vec<(String, String)> = files
        .iter()
        .filter(|file| is_dockerfile(&file.path))
        .filter_map(|file| Some((file.path.clone(), text(file)?)))
        .collect();
    let dockerfiles: Vec<(&str, &str)> = dockerfiles.iter().map(|(path, text)| (&**path, &**text)).collect();
    let found = candidates(files.iter().map(|file| &*file.path), &dockerfiles);
    found.into_iter().filter_map(|candidate| read(candidate, files).finish(EXECUTOR)).collect()
}

/// The only set at a path, or its only catalog for each of these versions.
///
/// # Errors
/// When nothing can be read there, or it holds several sets.
pub(crate) fn set_or_catalog(path: &Path, versions: &[OpenShift]) -> Result<CatalogSet, Failure> {
    let mut files = folder::files(path)?;
    let mut found = sets(&mut files);
    match found.pop() {
        Some(only) if found.is_empty() => Ok(only),
        Some(last) => {
            let patterns = found.iter().chain([&last]).map(|set| format!("  {}", set.pattern));
            let first = format!("`{}` holds the catalogs of several publishers; name one of:", shown_path(path));
            Err(Failure::of_lines(std::iter::once(first).chain(patterns)))
        }
        None => {
            let places = versions.iter().map(|version| Place { version: *version, path: "".into() });
            let candidate = Candidate { pattern: "".into(), places: places.collect(), mismatches: Vec::new() };
            let set = read(candidate, &mut files).preview();
            if set.packages().is_empty() {
                return Err(format!("`{}` holds no catalog", shown_path(path)).into());
            }
            Ok(set)
        }
    }
}

fn read(candidate: Candidate, files: &mut [NewText]) -> Loading {
    let mut loading = Loading::new(candidate);
    for file in files {
        if loading.wants(&file.path) {
            loading.add_file(&file.path, std::mem::replace(&mut file.content, Ok(Vec::new())));
        }
    }
    loading.read(EXECUTOR);
    loading
}
