//! Catalogs of the package `p`, and extensions on them.

use catalog::{Catalog, ParsedFile, lower};
use cluster::{ClusterCatalog, ClusterExtension, InstalledBundle, UpgradeConstraintPolicy};
use extension::{CatalogState, DropReason, Resolution, Verdict, resolve};

pub(crate) fn read(notation: &str) -> Catalog {
    of_text(&fixture::yaml(notation))
}

pub(crate) fn of_text(text: &str) -> Catalog {
    let parse = fbc::parse(source::FileId(0), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// A catalog with one bundle and no channels.
pub(crate) fn bundle(version: &str) -> Catalog {
    read(&format!("bundle {version}"))
}

/// An extension without constraints.
pub(crate) fn extension() -> ClusterExtension {
    ClusterExtension::new("e".into(), "p".into())
}

pub(crate) fn installed(version: &str) -> ClusterExtension {
    let bundle = InstalledBundle { name: (&*format!("p.v{version}")).into(), version: version.into(), release: None };
    ClusterExtension { installed: Some(bundle), ..extension() }
}

/// What a test changes of an extension.
pub(crate) trait With: Sized {
    fn channels(self, names: &[&str]) -> Self;
    fn version(self, range: &str) -> Self;
    fn self_certified(self) -> Self;
}

impl With for ClusterExtension {
    fn channels(self, names: &[&str]) -> Self {
        Self { channels: names.iter().map(|name| (*name).into()).collect(), ..self }
    }

    fn version(self, range: &str) -> Self {
        Self { version: range.into(), ..self }
    }

    fn self_certified(self) -> Self {
        Self { policy: UpgradeConstraintPolicy::SelfCertified, ..self }
    }
}

pub(crate) fn answer(extension: &ClusterExtension, catalog: &Catalog) -> Resolution {
    let object = ClusterCatalog::new("a".into());
    resolve(extension, &[CatalogState { object: &object, content: Some(catalog) }])
}

/// Resolves an extension with several catalogs, each with its name and priority.
pub(crate) fn answer_of(extension: &ClusterExtension, catalogs: &[(&str, i32, Catalog)]) -> Resolution {
    let object = |(name, priority, _): &(&str, i32, Catalog)| ClusterCatalog {
        priority: *priority,
        ..ClusterCatalog::new((*name).into())
    };
    let objects: Vec<ClusterCatalog> = catalogs.iter().map(object).collect();
    let states =
        objects.iter().zip(catalogs).map(|(object, (_, _, content))| CatalogState { object, content: Some(content) });
    resolve(extension, &states.collect::<Vec<_>>())
}

/// The chosen bundle, without the `p.v` of its name, or the error.
pub(crate) fn shown(resolution: &Resolution) -> String {
    match &resolution.outcome {
        Ok(resolved) => resolved.bundle.as_str().trim_start_matches("p.v").to_owned(),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
pub(crate) fn check(extension: &ClusterExtension, catalog: &Catalog, expected: &str) {
    assert_eq!(shown(&answer(extension, catalog)), expected);
}

/// Why a bundle was dropped, if it was.
pub(crate) fn dropped(resolution: &Resolution, version: &str) -> Option<DropReason> {
    let name = format!("p.v{version}");
    let candidate = resolution.candidates.iter().find(|candidate| candidate.bundle.as_str() == name);
    match &candidate.expect("a candidate of this version").verdict {
        Verdict::Dropped(reason) => Some(reason.clone()),
        Verdict::Chosen => None,
    }
}
