//! The overview of a catalog: what opens after a drop.

use crate::steps::{click, drop_fixture, is_accessible, see, see_texts, texts};

const TITLE: &str = "[data-testid='package-title']";

/// Two packages: the default channel of the second one does not exist.
fn rejected() -> String {
    fixture::yaml("package cup\nstable: 1.0.0\npackage mug, default none")
}

journey!(a_dropped_catalog_opens_with_its_overview, async |page| {
    page.test_id("empty").await?;
    page.drop_texts("body", &[("shelf.yaml", &rejected())]).await?;
    see_texts(page, TITLE, &["shelf"]).await?;
    let verdict = texts(page, "[data-testid='catalog-verdict']").await?.concat();
    assert!(verdict.starts_with("No cluster gets this catalog: the newest opm rejects it"), "{verdict}");
    assert!(verdict.contains("The cause is in mug:") && verdict.contains("shelf.yaml:21:"), "{verdict}");
    see_texts(page, "[data-testid='troubled-package'] b", &["mug", "cup"]).await?;
    is_accessible(page).await?;
    click(page, "troubled-package").await?;
    see_texts(page, TITLE, &["mug"]).await?;
    see(page, "its findings", true, async || Ok(!texts(page, "[data-testid='finding-row']").await?.is_empty())).await?;
    click(page, "catalog-chip").await?;
    see_texts(page, TITLE, &["shelf"]).await?;
    // The address and a reload lead to the same.
    let address = async || Ok(page.eval("return location.hash", vec![]).await?.as_str().map(str::to_owned));
    see(page, "the address", Some("#/shelf//graph".to_owned()), address).await?;
    page.reload().await?;
    see_texts(page, TITLE, &["shelf"]).await?;
    page.test_id("catalog-overview").await.map(drop)
});

journey!(a_catalog_is_left_for_a_package_and_found_again_with_the_back_button, async |page| {
    drop_fixture(page, "pantry").await?;
    let packages = texts(page, TITLE).await?;
    click(page, "catalog-chip").await?;
    see_texts(page, TITLE, &["pantry"]).await?;
    page.eval("history.back()", vec![]).await?;
    let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
    see_texts(page, TITLE, &packages).await
});
