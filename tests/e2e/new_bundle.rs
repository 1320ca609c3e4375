//! Bundle directories: a new one that is tried on an open catalog, and a repository of them. Also PackageManifests.

use suite::browser::{BrowserError, Key, Result};
use tempfile::TempDir;

use crate::steps::{click, drop_fixture, is_accessible, see, see_packages, texts, visit};

const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: kettle.v1.4.0\n  annotations:\n    olm.skipRange: '>=1.0.0 <1.4.0'\nspec:\n  version: 1.4.0\n  install:\n    strategy: deployment\n    spec:\n      deployments: []\n";
const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n  operators.operatorframework.io.bundle.package.v1: kettle\n  operators.operatorframework.io.bundle.channels.v1: stable, fast\n";

/// A bundle directory that replaces nothing: its skipRange covers all other versions.
fn bundle() -> Result<TempDir> {
    let folder = TempDir::new();
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = folder.map_err(failed)?;
    for (path, text) in [("manifests/kettle.yaml", CSV), ("metadata/annotations.yaml", ANNOTATIONS)] {
        let path = folder.path().join("kettle-bundle").join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    Ok(folder)
}

#[tokio::test]
async fn a_new_bundle_is_tried_on_a_catalog() -> Result {
    let folder = bundle()?;
    visit(async |page| {
        drop_fixture(page, "release-after").await?;
        page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
        let dialog = page.test_id("new-bundle").await?;
        // The blank before the second channel is kept by opm, which is said.
        let said = dialog.text().await?;
        assert!(said.contains("Try kettle.v1.4.0") && said.contains("What opm render loses of it"), "{said}");
        is_accessible(page).await?;
        click(page, "new-bundle-try").await?;
        see(page, "what the release does", true, async || {
            Ok(texts(page, "[data-testid='compare-summary']").await?.concat().contains("1.4.0"))
        })
        .await?;
        page.test_id("compare-source").await?.click().await?;
        let diff = texts(page, ".diff").await?.concat();
        assert!(diff.contains("kettle.v1.4.0"), "{diff}");
        // The same bundle again.
        page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
        click(page, "new-bundle-try").await?;
        see(page, "why it is not added", true, async || {
            Ok(texts(page, ".notice p").await?.concat().contains("has a bundle kettle.v1.4.0 already"))
        })
        .await
    })
    .await
}

journey!(package_manifests_are_an_inventory, async |page| {
    const PACKAGES: &str = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: packages.operators.coreos.com/v1\n  kind: PackageManifest\n  metadata: {name: kettle, namespace: olm}\n  status:\n    catalogSource: kitchen\n    catalogSourceNamespace: olm\n    packageName: kettle\n    defaultChannel: stable\n    channels:\n    - name: stable\n      currentCSV: kettle.v1.3.0\n      currentCSVDesc: {version: 1.3.0}\n      entries:\n      - {name: kettle.v1.3.0, version: 1.3.0}\n      - {name: kettle.v1.2.0, version: 1.2.0}\n";
    page.test_id("empty").await?;
    page.drop_texts("body", &[("packages.yaml", PACKAGES)]).await?;
    page.test_id("inventory").await?;
    see(page, "the versions", true, async || {
        let row = texts(page, "[data-testid='inventory'] tbody tr").await?.concat();
        Ok(row.contains("kettle") && row.contains("stable (default)") && row.contains("1.3.0, 1.2.0"))
    })
    .await?;
    is_accessible(page).await
});

/// The files of a bundle in a repository.
fn in_repository(version: &str, edges: &str) -> [(String, String); 2] {
    let csv = format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: kettle.v{version}\nspec:\n  version: {version}\n{edges}"
    );
    let annotations = ANNOTATIONS.replace("stable, fast", "stable");
    let path = |file: &str| format!("operators/kettle/{version}/{file}");
    [(path("manifests/kettle.yaml"), csv), (path("metadata/annotations.yaml"), annotations)]
}

#[tokio::test]
async fn a_repository_of_bundles_is_the_catalog_that_it_becomes() -> Result {
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = TempDir::new().map_err(failed)?;
    let bundles = [
        in_repository("1.0.0", ""),
        in_repository("1.1.0", "  replaces: kettle.v1.0.0\n"),
        // It replaces the first one, too, so that the second one is on no chain.
        in_repository("1.2.0", "  replaces: kettle.v1.0.0\n"),
    ];
    let operator = |(path, text): (&str, &str)| (format!("operators/kettle/{path}"), text.to_owned());
    let pipeline = [
        (
            "ci.yaml",
            "fbc:\n  enabled: true\n  catalog_mapping:\n  - {template_name: new.yaml, catalog_names: [v4.18], type: olm.template.basic}\n",
        ),
        (
            "catalog-templates/new.yaml",
            "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: kettle, defaultChannel: stable}\n- {schema: olm.channel, package: kettle, name: stable, entries: [{name: kettle.v1.0.0}]}\n",
        ),
        (
            "1.2.0/release-config.yaml",
            "catalog_templates:\n- {template_name: new.yaml, channels: [stable, fast], replaces: kettle.v1.0.0}\n",
        ),
    ];
    for (path, text) in bundles.into_iter().flatten().chain(pipeline.map(operator)) {
        let path = folder.path().join("repository").join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&folder.path().join("repository")]).await?;
        see_packages(page, &["kettle"]).await?;
        let entries = async || texts(page, "[data-testid='graph-node']").await;
        see(
            page,
            "the entries of both channels of the template, and one that is replaced from outside",
            4,
            async || Ok(entries().await?.len()),
        )
        .await?;
        click(page, "tab-findings").await?;
        page.text("is in no channel of the template").await?;
        click(page, "catalog-chip").await?;
        click(page, "catalog-edit").await?;
        page.test_id("bundle-rules").await?.select_by_value("0").await?;
        page.press(&Key::Escape.to_string()).await?;
        click(page, "large-package").await?;
        see(page, "the entries of the chain", 2, async || Ok(entries().await?.len())).await?;
        click(page, "tab-findings").await?;
        page.text("pruned-bundle").await?;
        click(page, "catalog-chip").await?;
        click(page, "catalog-edit").await?;
        page.test_id("bundle-rules").await?.select_by_value("1").await?;
        page.press(&Key::Escape.to_string()).await?;
        click(page, "large-package").await?;
        see(page, "all entries", 3, async || Ok(entries().await?.len())).await
    })
    .await
}
