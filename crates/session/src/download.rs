//! Catalogs as files to keep: what `opm render` prints of them, and the files that were edited.

use crate::render::Documents;
use crate::{CatalogInput, FileInput, Workbench};
use catalog::OpmPhase;
use source::FileId;
use std::collections::BTreeSet;
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
