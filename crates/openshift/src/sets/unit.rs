//! Units: the files of a catalog that have packages in common. A unit is lowered and checked once, for all catalogs
//! with it.

use catalog::predicate::PackageName;
use catalog::{
    BundleName, Catalog, Lifecycle, OpmPhase, Package, ParsedFile, errors_in_order, lower, rejection_text,
    retain_certain,
};
use fbc::Parse;
use fbc::raw::RawDoc;
use source::{Diagnostic, FileId, OpmVersion};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use template::{Expansion, Images, RenderStatus, TemplateKind, expand, kind_of};

/// What tells a unit from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UnitKey {
    /// Its files, in the order in which `opm` walks them.
    pub(crate) files: Vec<FileId>,
    /// Whether its member was not read completely: the same files then say less.
    pub(crate) is_partial: bool,
    /// Whether a template among its files has images that no catalog has, which may be bundles of any of its packages.
    pub(crate) has_unknown_images: bool,
}

/// What the files of a unit say.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) files: Vec<FileId>,
    pub(crate) packages: Vec<Arc<Package>>,
    pub(crate) unmatched_lifecycles: Vec<Lifecycle>,
    /// Why `opm` rejects it, with the rank of the check that says so.
    pub(crate) rejected: Option<Rejected>,
    /// The errors of all releases of `opm`, in the order in which it finds them.
    errors: Vec<Diagnostic>,
    /// `minKubeVersion` of the bundles that have one.
    pub(crate) min_kube: BTreeMap<(PackageName, BundleName), Box<str>>,
}

/// The error that `opm validate` stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// All that `opm` prints.
    pub text: Box<str>,
    pub finding: Diagnostic,
}

impl Rejected {
    /// The first error in a line: of a tree the first leaf, since the lines above it only say where it is.
    #[must_use]
    pub fn error(&self) -> &str {
        self.finding.opm.as_deref().unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct ReadFile<'f> {
    pub(crate) id: FileId,
    pub(crate) text: &'f str,
    pub(crate) parse: &'f Parse,
    /// Why it is not read as this text.
    pub(crate) fault: Option<&'f Diagnostic>,
}

impl Unit {
    /// Whether `opm` stops before it has read all documents.
    pub(crate) fn is_unread(&self) -> bool {
        self.rejected.as_ref().is_some_and(|rejected| rejected.finding.opm_rank == u8::from(OpmPhase::Load))
    }

    pub(crate) fn of(files: &[ReadFile<'_>], &UnitKey { is_partial, has_unknown_images, .. }: &UnitKey) -> Self {
        let parsed: Vec<(FileId, ParsedFile<'_>)> =
            files.iter().map(|file| (file.id, ParsedFile { text: file.text, parse: file.parse })).collect();
        let inputs: Vec<ParsedFile<'_>> = parsed.iter().map(|(_, file)| *file).collect();
        let (mut catalog, mut findings) = catalog::lower(&inputs);
        if is_partial {
            catalog.set_partial();
        } else if has_unknown_images {
            catalog.packages.iter_mut().for_each(|package| Arc::make_mut(package).has_unknown_bundles = true);
        }
        findings.extend(files.iter().filter_map(|file| file.fault.cloned()));
        findings.extend(files.iter().flat_map(|file| file.parse.diagnostics.iter().cloned()));
        findings.extend(catalog::check_for_all(&catalog));
        retain_certain(&catalog, &inputs, &mut findings);
        let errors: Vec<Diagnostic> = errors_in_order(&parsed, &findings).into_iter().cloned().collect();
        let rejected = rejected(&catalog, &errors);
        let Catalog { packages, unmatched_lifecycles, .. } = catalog;
        Self {
            files: files.iter().map(|file| file.id).collect(),
            packages,
            unmatched_lifecycles,
            rejected,
            errors,
            min_kube: files.iter().flat_map(min_kube_versions).collect(),
        }
    }

    /// The same as a release of `opm` judges it. Why bundle directories make no catalog does not depend on it.
    pub(crate) fn judged_by(this: &Arc<Self>, opm: OpmVersion) -> Arc<Self> {
        if this.errors.is_empty() {
            return Arc::clone(this);
        }
        let catalog = Catalog { packages: this.packages.clone(), opm, ..Catalog::default() };
        Arc::new(Self { rejected: rejected(&catalog, &this.errors), ..Self::clone(this) })
    }
}

/// The first of the errors that the release of `opm` that judges a catalog prints.
fn rejected(catalog: &Catalog, errors: &[Diagnostic]) -> Option<Rejected> {
    let found = errors.iter().find(|error| error.is_printed_by(catalog.opm))?;
    Some(Rejected { text: rejection_text(catalog, found).unwrap_or_default().into(), finding: found.clone() })
}

fn min_kube_versions(file: &ReadFile<'_>) -> impl Iterator<Item = ((PackageName, BundleName), Box<str>)> {
    let (text, docs) = (file.text, &file.parse.docs);
    docs.iter().filter_map(move |doc| {
        let RawDoc::Bundle(raw) = &doc.raw else { return None };
        let (package, name) = (raw.package.as_ref()?, raw.name.as_ref()?);
        let key = (PackageName::from(&*package.value), BundleName::from(&*name.value));
        Some((key, catalog::min_kube_version(raw, text)?))
    })
}

pub(crate) const fn is_of_catalog(doc: &RawDoc) -> bool {
    !matches!(doc, RawDoc::Other(_))
}

/// The packages that the documents of a file name.
pub(crate) fn packages_of(parse: &Parse) -> BTreeSet<&str> {
    parse.docs.iter().filter_map(|doc| package_of(&doc.raw)).collect()
}

fn package_of(doc: &RawDoc) -> Option<&str> {
    let name = match doc {
        RawDoc::Package(raw) => raw.name.as_ref(),
        RawDoc::Channel(raw) => raw.package.as_ref(),
        RawDoc::Bundle(raw) => raw.package.as_ref(),
        RawDoc::Deprecations(raw) => raw.package.as_ref(),
        RawDoc::Other(raw) => raw.package.as_ref(),
    };
    name.map(|name| &*name.value)
}

/// The units of files with these packages, each by the indices of its files, in their order.
pub(crate) fn units(packages: &[BTreeSet<&str>]) -> Vec<Vec<usize>> {
    // The unit of each package, and the files of each unit; a file joins all units that it names packages of.
    let mut of_package: BTreeMap<&str, usize> = BTreeMap::new();
    let mut units: Vec<Vec<usize>> = Vec::new();
    for (file, named) in packages.iter().enumerate() {
        let known: BTreeSet<usize> = named.iter().filter_map(|name| of_package.get(name).copied()).collect();
        let joined = known.iter().flat_map(|unit| std::mem::take(&mut units[*unit]));
        let mut files: Vec<usize> = joined.chain([file]).collect();
        files.sort_unstable();
        let unit = units.len();
        units.push(files);
        of_package.values_mut().filter(|of| known.contains(of)).for_each(|of| *of = unit);
        of_package.extend(named.iter().map(|name| (*name, unit)));
    }
    units.retain(|files| !files.is_empty());
    units.sort_unstable();
    units
}

// Templates in the folders of catalogs: what they give today, with the bundles of the other catalogs in place of a
// registry.

/// What a template gives today.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    /// The packages with their channels. Bundles of images that no catalog has are missing.
    pub(crate) packages: Vec<Arc<Package>>,
    pub(crate) images: BTreeSet<Box<str>>,
}

/// Expands a text to compare it with a catalog, if it is a template; else `None`. An error is why nobody knows what it
/// gives.
pub(crate) fn rendered(file: FileId, text: &str, images: &Images<'_>) -> Option<Result<Rendered, String>> {
    let kind = kind_of(&fbc::parse(file, text))?;
    Some(rendered_as(kind, file, text, images))
}

fn rendered_as(kind: TemplateKind, file: FileId, text: &str, images: &Images<'_>) -> Result<Rendered, String> {
    // A template that lists its channels itself needs no bundles to be compared.
    let none = Images::default();
    let expansion = expand(file, text, if kind == TemplateKind::Basic { &none } else { images });
    let text = text_of(&expansion)?;
    let parse = fbc::parse(file, &text);
    let (catalog, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    let own = parse.docs.iter().filter_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) => raw.image.as_ref().map(|image| image.value.clone()),
        _ => None,
    });
    let images = own.chain(expansion.missing.into_iter().map(|image| image.value)).collect();
    Ok(Rendered { packages: catalog.packages, images })
}

/// The catalog of a template as text, without the bundles of images that no catalog has.
///
/// # Errors
/// Why nobody knows what it gives.
pub(crate) fn text_of(expansion: &Expansion) -> Result<String, String> {
    let is_computed = expansion.kind == TemplateKind::Semver;
    match (&expansion.status, expansion.missing.split_first()) {
        (RenderStatus::Rejected(lines), _) => {
            Err(format!("`opm` does not render it: {}", lines.first().map_or("", |line| &**line)))
        }
        (_, Some((first, more))) if is_computed => {
            let more = if more.is_empty() { String::new() } else { format!(" and {} more images", more.len()) };
            Err(format!("no catalog of the set has the bundle of `{first}`{more}"))
        }
        (RenderStatus::TooLarge, _) => Err("it or its catalog is too large".to_owned()),
        (RenderStatus::Accepted | RenderStatus::NeedsRegistry(_), _) => {
            Ok(expansion.catalog.as_ref().map(template::ExpandedCatalog::to_yaml).unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_name_a_package_in_common_are_one_unit() {
        let packages = [["a"].into(), ["b"].into(), ["c"].into(), ["a", "c"].into(), BTreeSet::new()];
        assert_eq!(units(&packages), [vec![0, 2, 3], vec![1], vec![4]]);
    }
}
