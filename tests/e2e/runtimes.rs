//! OLM v1 beside OLM v0: extensions in manifests, and the switch of the versions of OLM.

use suite::browser::{Key, Page, Result};

use crate::cluster::{SUBSCRIPTION, VERDICT};
use crate::steps::{click, drop_fixture, is_accessible, paste, see, see_texts, texts};

const EXTENSIONS: &str = "\
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: boiling}
spec:
  namespace: kitchen
  source: {sourceType: Catalog, catalog: {packageName: kettle, channels: [stable]}}
status: {install: {bundle: {name: kettle.v1.0.0, version: 1.0.0}}}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: pinned}
spec:
  namespace: kitchen
  source: {sourceType: Catalog, catalog: {packageName: kettle, version: 9.0.0}}
";

journey!(pasted_extensions_are_followed_and_explained, async |page| {
    drop_fixture(page, "release-after").await?;
    paste(page, EXTENSIONS).await?;
    let verdicts = "[data-testid='extension'] > p:first-of-type";
    see(page, "what becomes of both", true, async || {
        let found = texts(page, verdicts).await?;
        Ok(found.len() == 2
            && found[0].starts_with("boiling goes to kettle.v1.3.0")
            && found[1].starts_with("pinned installs nothing, and the resolution fails"))
    })
    .await?;
    let error = "no bundles found for package \"kettle\" matching version \"9.0.0\"";
    see_texts(page, "[data-testid='extension-error'] code", &[error]).await?;
    page.text("outside the version range").await?;
    page.text("the manifests have no ClusterCatalog, so each loaded catalog is taken for one").await?;
    is_accessible(page).await
});

async fn headline(page: &Page) -> Result<String> {
    Ok(texts(page, ".compare .answer > h2").await?.concat())
}

/// The number of groups of OLM v1.
async fn groups(page: &Page) -> Result<usize> {
    Ok(texts(page, "[data-testid='extension-group'] summary").await?.len())
}

journey!(a_comparison_tells_both_runtimes_once_they_are_chosen, async |page| {
    drop_fixture(page, "release-before").await?;
    drop_fixture(page, "release-after").await?;
    click(page, "tab-compare").await?;
    let headline = async || headline(page).await;
    see(page, "the comparison", true, async || Ok(headline().await?.contains("kettle"))).await?;
    let body = texts(page, "main").await?.concat();
    assert!(!body.contains("OLM v1"), "nobody asked for it:\n{body}");
    click(page, "page-menu").await?;
    page.css(".runtimes button:nth-of-type(3)").await?.click().await?;
    page.press(&Key::Escape.to_string()).await?;
    see(page, "OLM v1 in the headline", true, async || Ok(headline().await?.contains("OLM v1: "))).await?;
    // One direction withdraws the highest version, which OLM v1 answers with an error.
    let groups = async || groups(page).await;
    see(page, "the groups of OLM v1", true, async || Ok(groups().await? > 0)).await?;
    const WITHDRAWN: &str = "OLM v1 finds no bundle for the version any more.";
    if !texts(page, "main").await?.concat().contains(WITHDRAWN) {
        click(page, "compare-swap").await?;
    }
    page.text(WITHDRAWN).await?;
    is_accessible(page).await?;
    page.reload().await?;
    see(page, "the choice after a reload", true, async || Ok(headline().await?.contains("OLM v1: "))).await
});

journey!(a_subscription_is_shown_as_the_extension_that_it_becomes, async |page| {
    drop_fixture(page, "kitchen").await?;
    paste(page, SUBSCRIPTION).await?;
    see_texts(page, VERDICT, &["boiling ends at kettle.v1.3.0"]).await?;
    assert!(page.all("[data-testid='migration'], [data-testid='readiness']").await?.is_empty(), "nobody asked for it");
    click(page, "page-menu").await?;
    page.css(".runtimes button:nth-of-type(3)").await?.send_keys(" ").await?;
    page.press(&Key::Escape.to_string()).await?;
    let row = "[data-testid='migration-row']";
    see(page, "the extension", 1, async || Ok(texts(page, row).await?.len())).await?;
    page.css("[data-testid='migration-catalogs'] summary").await?.click().await?;
    page.text("the image of the CatalogSource is not known").await?;
    page.css("[data-testid='migration-manifests'] summary").await?.click().await?;
    page.text("kind: ClusterExtension").await?;
    page.text("packageName: kettle").await?;
    is_accessible(page).await
});
