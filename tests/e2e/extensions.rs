//! ClusterExtensions in the form, and what updates do to CustomResourceDefinitions.

use suite::browser::{BrowserError, Key, Page, Result};
use tempfile::TempDir;

use crate::steps::{add_operator, click, drop_fixture, fill, is_accessible, press_lane, see, see_texts, texts, visit};

const VERDICT: &str = "[data-testid='extension'] > p:first-of-type";

/// Chooses versions of OLM by their place in the menu.
async fn choose_runtime(page: &Page, place: u8) -> Result {
    click(page, "page-menu").await?;
    page.css(&format!(".runtimes button:nth-of-type({place})")).await?.send_keys(" ").await?;
    page.press(&Key::Escape.to_string()).await
}

journey!(an_extension_is_entered_in_the_form, async |page| {
    drop_fixture(page, "release-after").await?;
    assert!(page.all("[data-testid='add-kind']").await?.is_empty(), "nobody asked for it");
    choose_runtime(page, 3).await?;
    click(page, "tab-simulate").await?;
    page.test_id("add-kind").await?.select_by_value("extension").await?;
    add_operator(page, "kettle").await?;
    see_texts(page, VERDICT, &["kettle installs kettle.v1.3.0"]).await?;
    fill(&page.test_id("extension-version").await?, "<1.3.0 ").await?;
    see_texts(page, VERDICT, &["kettle installs kettle.v1.2.0"]).await?;
    fill(&page.test_id("extension-installed").await?, "1.0.0").await?;
    see_texts(page, VERDICT, &["kettle goes to kettle.v1.2.0"]).await?;
    fill(&page.test_id("extension-version").await?, "1.0 - 1.2").await?;
    see(page, "the fault at the field", true, async || {
        Ok(texts(page, "[data-testid='field-fault']").await?.concat().contains("invalid version expression"))
    })
    .await?;
    let described =
        "document.activeElement.closest('fieldset').querySelector('[aria-invalid]').getAttribute('aria-describedby')";
    let id = page.eval(&format!("return {described}"), vec![]).await?;
    assert_eq!(id, "extension-0-extension-version-fault");
    is_accessible(page).await?;
    fill(&page.test_id("extension-version").await?, ">=1.0.0").await?;
    choose_runtime(page, 1).await?;
    see(page, "no word of OLM v1", true, async || {
        let forms = page.all("[data-testid='extension-row'], [data-testid='extension']").await?;
        Ok(forms.is_empty() && !texts(page, "main").await?.concat().contains("OLM v1"))
    })
    .await?;
    choose_runtime(page, 3).await?;
    see_texts(page, VERDICT, &["kettle goes to kettle.v1.3.0"]).await?;
    page.reload().await?;
    see_texts(page, VERDICT, &["kettle goes to kettle.v1.3.0"]).await?;
    press_lane(page, "kettle").await?;
    click(page, "extension-row-remove").await?;
    page.css("[data-testid='tried-keep']:not([disabled])").await?.click().await?;
    see(page, "no extension", 0, async || Ok(texts(page, VERDICT).await?.len())).await?;
    page.css(".notice button").await?.click().await?;
    see_texts(page, VERDICT, &["kettle goes to kettle.v1.3.0"]).await
});

/// The files of a bundle in a repository, with a CustomResourceDefinition whose field has this schema.
fn bundle(version: &str, replaces: &str, schema: &str) -> [(String, String); 3] {
    let csv = format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: kettle.v{version}\nspec:\n  version: {version}\n{replaces}  customresourcedefinitions:\n    owned:\n    - {{name: teas.example.com, kind: Tea, version: v1}}\n"
    );
    let crd = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: teas.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {{kind: Tea, plural: teas}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          leaves: {schema}\n"
    );
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n  operators.operatorframework.io.bundle.package.v1: kettle\n  operators.operatorframework.io.bundle.channels.v1: stable\n";
    let path = |file: &str| format!("repository/operators/kettle/{version}/{file}");
    [
        (path("manifests/kettle.yaml"), csv),
        (path("manifests/teas.yaml"), crd),
        (path("metadata/annotations.yaml"), annotations.to_owned()),
    ]
}

#[tokio::test]
async fn crd_changes_of_updates_are_listed() -> Result {
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = TempDir::new().map_err(failed)?;
    let bundles = [
        bundle("1.0.0", "", "{type: string}"),
        bundle("1.1.0", "  replaces: kettle.v1.0.0\n", "{type: string}"),
        bundle("1.2.0", "  replaces: kettle.v1.1.0\n", "{type: string, maxLength: 3}"),
    ];
    for (path, text) in bundles.into_iter().flatten() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(failed)?;
        std::fs::write(&path, text).map_err(failed)?;
    }
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&folder.path().join("repository")]).await?;
        click(page, "crds-ask").await?;
        let hops = async || texts(page, "[data-testid='crd-hop']").await;
        see(page, "what OLM v0 finds", true, async || {
            let hops = hops().await?.concat();
            Ok(hops.starts_with("kettle.v1.1.0 → kettle.v1.2.0")
                && hops.contains("maxLength")
                && !hops.contains("v1 refuses"))
        })
        .await?;
        choose_runtime(page, 3).await?;
        see(page, "what OLM v1 finds", true, async || {
            Ok(hops().await?.concat().contains("OLM v1 refuses the upgrade"))
        })
        .await?;
        is_accessible(page).await?;
        page.css("[data-testid='graph-node'][data-name='kettle.v1.0.0']").await?.click().await?;
        see(page, "the update from the first bundle", true, async || {
            let hops = hops().await?;
            Ok(hops.len() == 1 && hops[0].ends_with("Nothing found."))
        })
        .await?;
        drop_fixture(page, "release-after").await?;
        click(page, "crds-ask").await?;
        page.text("open the folder of the bundles").await.map(drop)
    })
    .await
}
