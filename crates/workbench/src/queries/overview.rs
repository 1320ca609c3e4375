//! All catalogs and packages.

use crate::input::{CatalogInput, FileInput, Workbench};
use catalog::{Chain, Package};
use std::collections::BTreeMap;
use views::{CatalogRow, Counts, FileRow, Overview, PackageKey, PackageRow};

impl Workbench {
    /// Everything loaded.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let mut packages: Vec<PackageRow> = self.catalogs().iter().flat_map(packages).collect();
        packages.sort_by(|a, b| (&a.key.package, a.key.catalog).cmp(&(&b.key.package, b.key.catalog)));
        let catalogs: Vec<CatalogRow> = self.catalogs().iter().map(catalog_row).collect();
        let findings = catalogs.iter().fold(Counts::default(), |sum, row| add(sum, row.findings));
        Overview { catalogs, packages, findings }
    }
}

const fn add(a: Counts, b: Counts) -> Counts {
    Counts { errors: a.errors + b.errors, warnings: a.warnings + b.warnings, hints: a.hints + b.hints }
}

fn catalog_row(catalog: &CatalogInput) -> CatalogRow {
    CatalogRow {
        id: catalog.id,
        name: catalog.name.clone(),
        namespace: catalog.namespace.clone(),
        priority: catalog.priority,
        files: catalog.files.iter().map(|file| file_row(catalog, file)).collect(),
        packages: catalog.built.catalog.packages.len() as u32,
        findings: catalog.built.counts(|_| true),
    }
}

fn file_row(catalog: &CatalogInput, file: &FileInput) -> FileRow {
    FileRow {
        file: file.key,
        path: file.path.clone(),
        bytes: file.text.len() as u32,
        ignored: file.ignored,
        findings: catalog.built.counts(|found| found.diagnostic.span.file.0 == file.key.0),
    }
}

fn packages(catalog: &CatalogInput) -> Vec<PackageRow> {
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    for found in &catalog.built.findings {
        let Some(subject) = &found.subject else { continue };
        let count = counts.entry(subject.package.as_str()).or_default();
        match found.diagnostic.severity {
            source::Severity::Error => count.errors += 1,
            source::Severity::Warning => count.warnings += 1,
            source::Severity::Hint => count.hints += 1,
        }
    }
    let row = |package: &Package| PackageRow {
        key: PackageKey { catalog: catalog.id, package: package.name.as_str().to_owned() },
        default_channel: package.default_channel.as_ref().map(|name| name.to_string()),
        head: head(package),
        channels: package.channels.iter().map(|channel| channel.name.to_string()).collect(),
        bundles: package.bundles.len() as u32,
        findings: counts.get(package.name.as_str()).copied().unwrap_or_default(),
        place: package.span().map(|span| catalog.place(span)),
    };
    catalog.built.catalog.packages.iter().map(row).collect()
}

/// The version of the default channel's head, else its name.
fn head(package: &Package) -> Option<String> {
    let channel = package.channel(package.default_channel.as_ref()?.value.as_str())?;
    let name = Chain::of(channel).head()?;
    let version = package.bundle(name).and_then(|bundle| bundle.version());
    Some(version.map_or_else(|| name.to_owned(), ToString::to_string))
}
