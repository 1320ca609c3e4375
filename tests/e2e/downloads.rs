//! Catalogs as files to keep: as `opm render` prints them, and the files that were edited.

use std::io::Read;

use suite::browser::{BrowserError, Result};
use tempfile::TempDir;

use crate::canvas::downloaded;
use crate::steps::{click, drop_fixture, fixture, select_package, type_after, visit};

#[tokio::test]
async fn a_catalog_its_packages_and_its_edited_files_are_saved() -> Result {
    let folder = TempDir::new().map_err(|error| BrowserError::NotReady(error.to_string()))?;
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        select_package(page, "kettle").await?;
        page.download_into(folder.path()).await?;
        let text = async |name: &str| {
            let bytes = downloaded(page, folder.path(), name).await?;
            Ok::<_, BrowserError>(String::from_utf8_lossy(&bytes).into_owned())
        };
        click(page, "save-documents-yaml").await?;
        let yaml = text("kettle-catalog.yaml").await?;
        assert!(yaml.starts_with("---\ndefaultChannel: ") && !yaml.contains("package: teapot"), "{yaml}");

        click(page, "tab-source").await?;
        type_after(page, "- name: kettle.v1.0.0", " # the first").await?;
        click(page, "catalog-chip").await?;
        click(page, "catalog-edit").await?;
        click(page, "download-json").await?;
        let json = text("kitchen.json").await?;
        assert!(json.starts_with("{\n    \"schema\": \"olm.package\",\n    \"name\": \"kettle\""), "{json}");
        assert!(json.contains("\"package\": \"teapot\""), "{json}");

        click(page, "download-edited").await?;
        let bytes = downloaded(page, folder.path(), "kitchen-edited.tar").await?;
        let mut archive = tar::Archive::new(bytes.as_slice());
        let mut found = Vec::new();
        for entry in archive.entries().into_iter().flatten().flatten() {
            let mut entry = entry;
            let path = entry.path().map(|path| path.display().to_string()).unwrap_or_default();
            let mut text = String::new();
            entry.read_to_string(&mut text).map_err(|error| BrowserError::NotReady(error.to_string()))?;
            found.push((path, text));
        }
        let [(path, edited)] = &found[..] else { panic!("{found:?}") };
        let original = std::fs::read_to_string(fixture("kitchen").join(path)).unwrap_or_default();
        assert_eq!(*edited, original.replacen("- name: kettle.v1.0.0", "- name: kettle.v1.0.0 # the first", 1));

        click(page, "download-patch").await?;
        let patch = text("kitchen.patch").await?;
        assert!(patch.starts_with(&format!("--- a/{path}\n+++ b/{path}\n@@ ")), "{patch}");
        assert!(patch.contains("\n-- name: kettle.v1.0.0\n+- name: kettle.v1.0.0 # the first\n"), "{patch}");
        Ok(())
    })
    .await
}
