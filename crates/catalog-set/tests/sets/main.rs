//! Sets that are read from files with paths, as a folder has them.

mod loading;

use catalog_set::{CatalogSet, Loading, candidates, is_dockerfile};
use source::Executor;

/// The sets of these files.
fn sets(files: &[(&str, &str)]) -> Vec<CatalogSet> {
    let dockerfiles: Vec<(&str, &str)> = files.iter().copied().filter(|(path, _)| is_dockerfile(path)).collect();
    let found = candidates(files.iter().map(|(path, _)| *path).collect::<Vec<_>>(), &dockerfiles);
    let read = |candidate| {
        let mut loading = Loading::new(candidate);
        files.iter().for_each(|(path, text)| loading.add_file(path, Ok((*text).into())));
        loading.read(Executor::default());
        loading.finish(Executor::default())
    };
    found.into_iter().filter_map(read).collect()
}

/// The only set of these files.
#[track_caller]
fn set(files: &[(&str, &str)]) -> CatalogSet {
    let mut found = sets(files);
    assert_eq!(found.len(), 1);
    found.remove(0)
}
