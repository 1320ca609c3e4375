//! What `opm render` prints of catalogs, bundle directories and folders of them, and the files that were edited.

use crate::{CatalogInput, FileInput, NewText, Workbench};
use bundle::{Document, File, RenderOutcome, Rendering, catalog_document, in_order, is_bundle};
use catalog::OpmPhase;
use fbc::{Decoded, OpenError, decode_bytes};
use source::{Diagnostic, FileId, LineIndex, Severity};
use std::collections::{BTreeMap, BTreeSet};
use views::{CatalogFormat, CatalogId};

/// The most changed lines of a file in a patch.
const MOST_CHANGED: usize = 20_000;

/// Why a catalog has no documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRendered {
    /// `opm` cannot load the catalog: its error.
    Opm(String),
    /// A value cannot be written.
    Value(String),
    /// Nobody knows what `opm` prints.
    Unknown(String),
}

impl CatalogInput {
    /// The documents that `opm render` prints of the catalog; those of the expansions in place of templates.
    ///
    /// # Errors
    /// When `opm` cannot load the catalog, or a value cannot be written.
    pub fn documents(&self) -> Result<Documents, NotRendered> {
        let fault = self.rejection().filter(|fault| fault.opm_rank == u8::from(OpmPhase::Load));
        if let Some(error) = fault.and_then(|fault| fault.opm.clone()) {
            return Err(NotRendered::Opm(error));
        }
        let mut documents = Documents::default();
        for file in self.files.iter().filter(|file| !file.served().docs.is_empty()) {
            let of_file = Documents::of(FileId(file.key.0), &file.text);
            documents.append(of_file.map_err(|error| NotRendered::Value(error.to_string()))?);
        }
        Ok(documents)
    }

    /// The files that differ from what was opened.
    pub fn edited_files(&self) -> impl Iterator<Item = &FileInput> {
        self.files.iter().filter(|file| file.difference.is_some())
    }

    /// Its edits as a patch for `git apply`.
    ///
    /// # Errors
    /// When a file differs in too many lines to be compared.
    pub fn patch(&self) -> Result<String, String> {
        let patch = |file: &FileInput| {
            let opened = file.opened_text();
            if changed_lines(&opened, &file.text) > MOST_CHANGED {
                return Err(format!("`{}` has too many edits for a patch: save the edited files", file.path));
            }
            Ok(release::patch(&file.path, &opened, &file.text))
        };
        self.edited_files().map(patch).collect()
    }
}

/// How many lines of two texts only one of them has. A comparison takes time with the square of that.
fn changed_lines(old: &str, new: &str) -> usize {
    let [old, new] = [old, new].map(|text| text.lines().collect::<BTreeSet<_>>());
    old.symmetric_difference(&new).count()
}

/// What `opm render` prints of a catalog, or of one of its packages, with the name of a file for it. `None` if there is no
/// such catalog.
///
/// # Errors
/// When there is nothing to print: why.
#[must_use]
pub fn rendered(
    workbench: &Workbench,
    id: CatalogId,
    package: Option<&str>,
    format: CatalogFormat,
) -> Option<Result<(String, String), String>> {
    let catalog = workbench.catalog(id)?;
    Some(match catalog.documents() {
        Ok(documents) => {
            let documents = documents.of_package(package);
            let (written, ending) = match format {
                CatalogFormat::Yaml => (documents.to_yaml(), "yaml"),
                CatalogFormat::Json => (Ok(documents.to_json()), "json"),
            };
            let name =
                package.map_or_else(|| file_name(&catalog.name), |package| format!("{}-catalog", file_name(package)));
            written.map(|text| (format!("{name}.{ending}"), text))
        }
        Err(NotRendered::Opm(error)) => Err(format!("opm cannot load the catalog: {error}")),
        Err(NotRendered::Value(error) | NotRendered::Unknown(error)) => Err(error),
    })
}

/// A name without what file systems do not allow, and without the ending of the file that the catalog was opened from.
fn file_name(name: &str) -> String {
    let stem = [".yaml", ".yml", ".json"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    stem.replace(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c), "-")
}

// What `opm render` prints of bundle directories and of folders of them.

/// Documents as `opm` prints them.
#[derive(Default)]
pub struct Documents(Vec<Document>);

impl Documents {
    /// The documents of a text.
    ///
    /// # Errors
    /// When a value cannot be opened.
    pub fn of(file: FileId, text: &str) -> Result<Self, OpenError> {
        let nodes = fbc::untyped_values(file, text).nodes;
        nodes.iter().map(|node| catalog_document(node, text)).collect::<Result<_, _>>().map(Self)
    }

    /// Those of a package, if one is given.
    pub(crate) fn of_package(mut self, package: Option<&str>) -> Self {
        self.0.retain(|document| package.is_none_or(|name| document.package == name));
        self
    }

    /// Those of these packages, in the order of `opm`.
    pub(crate) fn of_packages(self, packages: &BTreeSet<String>) -> Vec<Document> {
        let mut documents = in_order(self.0);
        documents.retain(|document| packages.contains(&document.package));
        documents
    }

    /// Adds others.
    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// The same after the migration of `opm` to `olm.csv.metadata`.
    ///
    /// # Errors
    /// When `opm` does not decode the CSV of a bundle.
    pub fn migrated(self) -> Result<Self, String> {
        self.0.into_iter().map(Document::migrated).collect::<Result<_, _>>().map(Self)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The documents in the order of `opm`, as JSON.
    #[must_use]
    pub fn to_json(self) -> String {
        in_order(self.0).iter().map(Document::to_json).collect()
    }

    /// The same as YAML.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn to_yaml(self) -> Result<String, String> {
        in_order(self.0).iter().map(Document::to_yaml).collect()
    }
}

/// Documents that were made, with what was found on the way.
pub struct Rendered {
    pub documents: Result<Documents, NotRendered>,
    pub findings: Vec<RenderFinding>,
    /// Whether no bundle and no package of a folder of bundles is missing because it cannot be made.
    pub are_all: bool,
}

/// A finding in a file of a bundle.
pub struct RenderFinding {
    pub severity: Severity,
    pub rule: String,
    pub message: String,
    pub help: Option<String>,
    /// The path of the file below the folder.
    pub path: String,
    pub line: u32,
    pub column: u32,
}

/// Whether files are those of a bundle directory.
#[must_use]
pub fn is_bundle_directory(files: &[NewText]) -> bool {
    is_bundle(files.iter().map(|file| &*file.path))
}

/// The document of a bundle directory, or of this bundle image, if `opm` prints one.
///
/// # Errors
/// The path of a file that cannot be read, and why.
pub fn render_bundle(files: Vec<NewText>, image: Option<&str>) -> Result<Rendered, (String, String)> {
    let mut decoded = Vec::new();
    for (number, file) in (0..).zip(files) {
        let bytes = file.content.map_err(|reason| (file.path.clone(), reason))?;
        decoded.push((file.path, decode_bytes(FileId(number), bytes)));
    }
    let mut files = Vec::new();
    for (number, (path, Decoded { text, fault })) in (0..).zip(&decoded) {
        files.push(File { id: FileId(number), path, text, fault: fault.as_ref() });
    }
    let Rendering { outcome, findings, .. } = bundle::render(&files);
    let documents = match outcome {
        RenderOutcome::Bundle(bundle) => Ok(Documents(vec![match image {
            Some(image) => bundle.clone().in_image(image).document(),
            None => bundle.document(),
        }])),
        RenderOutcome::Nothing => Ok(Documents::default()),
        RenderOutcome::Rejected(error) => Err(NotRendered::Opm(error)),
        RenderOutcome::Unknown(why) => Err(NotRendered::Unknown(why.clone())),
    };
    let file_of = |id: FileId| files.get(id.0 as usize).copied();
    let findings = findings.iter().filter_map(|found| Some(finding(found, file_of(found.span.file)?))).collect();
    Ok(Rendered { documents, findings, are_all: true })
}

impl CatalogInput {
    /// The documents that `opm render` prints of the catalog, or that a folder of bundle directories becomes.
    #[must_use]
    pub fn rendered(&self) -> Rendered {
        if self.bundle_tree.is_none() {
            return Rendered { documents: self.documents(), findings: Vec::new(), are_all: true };
        }
        let files = self.files.iter().filter(|file| file.expanded_from.is_none());
        let files: BTreeMap<u32, File<'_>> = files
            .map(|file| (file.key.0, File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: None }))
            .collect();
        let found = self.analysis.findings.iter().map(|found| &found.diagnostic);
        let found: Vec<&Diagnostic> = found.filter(|finding| files.contains_key(&finding.span.file.0)).collect();
        let refused = found.iter().find(|finding| finding.severity == Severity::Error);
        let made = self.files.iter().find(|file| file.expanded_from.is_some());
        let why = || refused.map_or("its bundles make no catalog", |finding| &*finding.message).to_owned();
        let documents = made.ok_or_else(|| NotRendered::Unknown(why())).and_then(|made| {
            Documents::of(FileId(made.key.0), &made.text).map_err(|error| NotRendered::Value(error.to_string()))
        });
        let findings = found.iter().filter_map(|found| Some(finding(found, *files.get(&found.span.file.0)?))).collect();
        Rendered { documents, findings, are_all: refused.is_none() }
    }
}

fn finding(found: &Diagnostic, file: File<'_>) -> RenderFinding {
    let at = LineIndex::new(file.text).position(file.text, found.span.start);
    RenderFinding {
        severity: found.severity,
        rule: found.rule.to_string(),
        message: found.message.clone(),
        help: found.help.clone(),
        path: file.path.to_owned(),
        line: at.line,
        column: at.column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expand;

    const TEXT: &str = "name: q\nschema: olm.package\ndefaultChannel: stable\n---\nschema: olm.package\nname: p\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- name: p.v1.0.0\n";

    fn opened(name: &str, text: &str) -> (Workbench, CatalogId) {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let id = workbench.add_text(name, "c.yaml", text);
        (workbench, id)
    }

    #[test]
    fn a_catalog_or_a_package_is_written_as_opm_prints_it() {
        let (workbench, id) = opened("c.yaml", TEXT);
        let of = |package, format| rendered(&workbench, id, package, format).unwrap().unwrap();
        let package = "---\ndefaultChannel: \"\"\nname: p\nschema: olm.package\n---\nentries:\n- name: p.v1.0.0\nname: stable\npackage: p\nschema: olm.channel\n";
        assert_eq!(of(Some("p"), CatalogFormat::Yaml), ("p-catalog.yaml".to_owned(), package.to_owned()));
        let (name, all) = of(None, CatalogFormat::Json);
        assert_eq!((name.as_str(), all.matches("\"schema\"").count()), ("c.json", 3), "{all}");
        assert!(all.find("\"p\"") < all.find("\"q\""), "{all}");
    }

    #[test]
    fn what_opm_cannot_load_is_not_written() {
        let (workbench, id) = opened("a/b", "schema: olm.package\nname: [\n");
        let found = rendered(&workbench, id, None, CatalogFormat::Yaml).unwrap();
        assert!(found.as_ref().is_err_and(|why| why.starts_with("opm cannot load the catalog: ")), "{found:?}");
        assert!(rendered(&workbench, CatalogId(7), None, CatalogFormat::Yaml).is_none());
        assert_eq!(file_name("quay.io/c:v1"), "quay.io-c-v1");
    }

    #[test]
    fn edited_files_are_those_that_differ() {
        let (mut workbench, id) = opened("c", TEXT);
        let key = workbench.catalog(id).unwrap().files[0].key;
        assert_eq!(workbench.catalog(id).unwrap().edited_files().count(), 0);
        workbench.edit(key, 0..0, "# mine\n");
        assert_eq!(workbench.catalog(id).unwrap().edited_files().count(), 1);
        let patch = workbench.catalog(id).unwrap().patch().unwrap();
        assert!(patch.contains("\n+# mine\n"), "{patch}");
        let other: String = (0..=MOST_CHANGED).map(|line| format!("# {line}\n")).collect();
        workbench.edit(key, 0..0, &other);
        assert!(workbench.catalog(id).unwrap().patch().unwrap_err().contains("too many edits"));
    }
}
