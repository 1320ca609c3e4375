//! Sets that are read from files with paths, as a folder has them.

mod loading;
mod properties;
mod rules;

use compare::Settings;
use openshift::sets::{CatalogSet, Loading, Paths, is_dockerfile, recognise};
use source::Executor;

fn sets(files: &[(&str, &str)]) -> Vec<CatalogSet> {
    let dockerfiles: Vec<(&str, &str)> = files.iter().copied().filter(|(path, _)| is_dockerfile(path)).collect();
    let settings = files.iter().find(|(path, _)| *path == ".opscope.yaml");
    let settings = settings.map(|(_, text)| Settings::parse(text).expect("right settings")).unwrap_or_default();
    let paths = Paths::new(files.iter().map(|(path, _)| *path).collect(), dockerfiles);
    let found = recognise(&Paths { rendered: settings.rendered, ..paths }).sets;
    let read = |candidate| {
        let mut loading = Loading::new(candidate);
        files.iter().for_each(|(path, text)| loading.add_file(path, Ok((*text).into())));
        loading.read(Executor::default());
        loading.finish(Executor::default())
    };
    found.into_iter().filter_map(|candidate| read(candidate).ok()).collect()
}

/// The only set of these files.
#[track_caller]
fn set(files: &[(&str, &str)]) -> CatalogSet {
    let mut found = sets(files);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// The set with these members, each in the notation of fixtures: a file for each of its packages.
#[track_caller]
fn of_versions(members: &[(&str, &str)]) -> CatalogSet {
    let files: Vec<(String, String)> =
        members.iter().flat_map(|(version, notation)| files_of(version, notation)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    set(&files)
}

/// The files of a member: one for each package.
fn files_of(version: &str, notation: &str) -> Vec<(String, String)> {
    let mut packages: Vec<String> = Vec::new();
    for line in notation.lines() {
        if packages.is_empty() || line.starts_with("package ") {
            packages.push(String::new());
        }
        if let Some(package) = packages.last_mut() {
            package.push_str(line);
            package.push('\n');
        }
    }
    let path = |at: usize| format!("catalogs/v{version}/{at}/catalog.yaml");
    packages.iter().enumerate().map(|(at, package)| (path(at), fixture::yaml(package))).collect()
}
