//! Bundle directories: a new one that is tried on an open catalog, and a repository of them. Also PackageManifests.

use serde_json::json;
use suite::browser::{BrowserError, Key, Page, Result, Scheme, Viewport};
use tempfile::TempDir;

use crate::steps::{
    click, drop_fixture, is_accessible, read, see, see_packages, see_texts, select_package, texts, visit,
};

const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: kettle.v1.4.0\n  annotations:\n    olm.skipRange: '>=1.0.0 <1.4.0'\nspec:\n  version: 1.4.0\n  install:\n    strategy: deployment\n    spec:\n      deployments: []\n";
const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n  operators.operatorframework.io.bundle.package.v1: kettle\n  operators.operatorframework.io.bundle.channels.v1: stable, fast\n";

/// A bundle directory that replaces nothing: its skipRange covers all other versions.
fn bundle(channels: &str) -> Result<TempDir> {
    bundle_of("1.4.0", channels)
}

/// The same with this version.
pub(crate) fn bundle_of(version: &str, channels: &str) -> Result<TempDir> {
    let folder = TempDir::new();
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = folder.map_err(failed)?;
    let annotations = ANNOTATIONS.replace("stable, fast", channels);
    let csv = CSV.replace("1.4.0", version);
    for (path, text) in [("manifests/kettle.yaml", &csv), ("metadata/annotations.yaml", &annotations)] {
        let path = folder.path().join("kettle-bundle").join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    Ok(folder)
}

/// The bundle, the worst level and what happens to installed versions.
const VERDICT: &str = "kettle.v1.4.0: · neutral 2 of 4 installed versions get updates again, 2 move on to 1.4.0 as \
                       expected; 2 other changes.";

/// Whether elements are whole in the window, without scrolling.
const IN_SIGHT: &str = "
    return arguments[0].every((css) => {
        const { top, bottom, left, right, height } = document.querySelector(css).getBoundingClientRect();
        return height > 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    })";

/// Drops the bundle where another package is selected, and tries it.
async fn try_beside_another_package(page: &Page, folder: &TempDir) -> Result {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "teapot").await?;
    page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
    click(page, "new-bundle-try").await
}

#[tokio::test]
async fn a_release_is_about_its_own_bundle() -> Result {
    let folder = bundle("stable")?;
    visit(async |page| {
        page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
        try_beside_another_package(page, &folder).await?;
        see_texts(page, "[data-testid='package-title']", &["kettle"]).await?;
        let headline = "[data-testid='release'] .headline";
        see(page, "the verdict about the bundle", true, async || {
            let said = texts(page, headline).await?.concat();
            Ok(said.starts_with("kettle.v1.4.0: ") && said.contains("installed version"))
        })
        .await?;
        let edges = texts(page, "[data-testid='release-edges']").await?.concat();
        assert!(edges.starts_with("kettle 1.4.0 · stable: ") && edges.contains("skipRange >=1.0.0 <1.4.0"), "{edges}");
        // The change is in the graph, and all of it is in sight.
        page.css("[data-testid='graph'][data-changes='both'] [data-testid='graph-node'][aria-pressed='true']").await?;
        let node = "[data-testid='graph-node'][aria-pressed='true']";
        see(page, "what is in sight", json!(true), async || page.eval(IN_SIGHT, vec![json!([headline, node])]).await)
            .await
    })
    .await
}

#[tokio::test]
async fn a_trial_is_undone() -> Result {
    let folder = bundle("stable")?;
    visit(async |page| {
        try_beside_another_package(page, &folder).await?;
        let release = async || Ok(texts(page, "[data-testid='release']").await?.len());
        // In the notice.
        see(page, "the release", 1, release).await?;
        page.css(".notice button:not(.quiet)").await?.click().await?;
        see(page, "the release", 0, release).await?;
        click(page, "tab-source").await?;
        let bundles = async || {
            let text = read(page, "[data-testid='source-text']", "e.value").await?.concat();
            Ok(["kettle.v1.3.0", "kettle.v1.4.0"].map(|name| text.contains(name)))
        };
        see(page, "which bundles the text has", [true, false], bundles).await?;
        // By the keyboard.
        page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
        click(page, "new-bundle-try").await?;
        see(page, "the release", 1, release).await?;
        page.test_id("package-title").await?.click().await?;
        page.press(&(Key::Control + "z")).await?;
        see(page, "the release", 0, release).await?;
        // To try other edges.
        page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
        click(page, "new-bundle-try").await?;
        // Until then, what was tried stays.
        click(page, "release-revise").await?;
        page.test_id("new-bundle").await?;
        page.press(&Key::Escape.to_string()).await?;
        see(page, "the release", 1, release).await?;
        click(page, "release-revise").await?;
        click(page, "channel-0").await?;
        click(page, "new-bundle-try").await?;
        see(page, "both channels", true, async || {
            let edges = texts(page, "[data-testid='release-edges']").await?.concat();
            Ok(edges.contains("stable: ") && edges.contains("fast: "))
        })
        .await?;
        click(page, "release-undo").await?;
        click(page, "tab-source").await?;
        see(page, "which bundles the text has", [true, false], bundles).await?;
        see_texts(page, "[data-testid='source-changes']", &[]).await
    })
    .await
}

#[tokio::test]
async fn a_new_bundle_is_tried_on_a_catalog() -> Result {
    let folder = bundle("stable, fast")?;
    visit(async |page| {
        drop_fixture(page, "release-after").await?;
        page.drop_paths(&[&folder.path().join("kettle-bundle")]).await?;
        let dialog = page.test_id("new-bundle").await?;
        // The blank before the second channel is kept by opm, which is said.
        let said = dialog.text().await?;
        for part in ["New bundle: kettle 1.4.0", "kettle.v1.4.0", "What opm render loses of it"] {
            assert!(said.contains(part), "{said}");
        }
        let edge = texts(page, "[data-testid='edge-0']").await?;
        assert!(edge.concat().contains("skipRange >=1.0.0 <1.4.0"), "{edge:?}");
        is_accessible(page).await?;
        // A policy says which edges the entry gets; the first one is what the bundle says.
        let policy = page.test_id("new-bundle-policy").await?;
        policy.select_by_index(1).await?;
        see(page, "the edge of the policy", true, async || {
            let edge = texts(page, "[data-testid='edge-0']").await?.concat();
            Ok(edge.contains("replaces kettle.v") && !edge.contains("skipRange"))
        })
        .await?;
        policy.select_by_index(0).await?;
        see(page, "its own edge again", true, async || {
            Ok(texts(page, "[data-testid='edge-0']").await?.concat().contains("skipRange >=1.0.0 <1.4.0"))
        })
        .await?;
        click(page, "new-bundle-try").await?;
        see_texts(page, "[data-testid='release'] .headline", &[VERDICT]).await?;
        is_accessible(page).await?;
        click(page, "tab-compare").await?;
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

journey!(package_manifests_are_listed, async |page| {
    const PACKAGES: &str = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: packages.operators.coreos.com/v1\n  kind: PackageManifest\n  metadata: {name: kettle, namespace: olm}\n  status:\n    catalogSource: kitchen\n    catalogSourceNamespace: olm\n    packageName: kettle\n    defaultChannel: stable\n    channels:\n    - name: stable\n      currentCSV: kettle.v1.3.0\n      currentCSVDesc: {version: 1.3.0}\n      entries:\n      - {name: kettle.v1.3.0, version: 1.3.0}\n      - {name: kettle.v1.2.0, version: 1.2.0}\n";
    page.test_id("empty").await?;
    page.drop_texts("body", &[("packages.yaml", PACKAGES)]).await?;
    page.test_id("list").await?;
    see(page, "the versions", true, async || {
        let row = texts(page, "[data-testid='list'] tbody tr").await?.concat();
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
        click(page, "package-row").await?;
        see(page, "the entries of the chain", 2, async || Ok(entries().await?.len())).await?;
        click(page, "tab-findings").await?;
        page.text("pruned-bundle").await?;
        click(page, "catalog-chip").await?;
        click(page, "catalog-edit").await?;
        page.test_id("bundle-rules").await?.select_by_value("1").await?;
        page.press(&Key::Escape.to_string()).await?;
        click(page, "package-row").await?;
        see(page, "all entries", 3, async || Ok(entries().await?.len())).await
    })
    .await
}
