//! One package from a drop to a chosen bundle and past a reload: the real one if the machine has it, and an extract.

use std::path::Path;

use suite::browser::{Page, Result};

use crate::steps::{click, fixture, kept, press_lane, read, see, select_package, subscribe, visit};

const PACKAGE: &str = "dell-csm-operator";

async fn see_head(page: &Page) -> Result {
    select_package(page, PACKAGE).await?;
    let heads = "[data-testid='graph-node'].head[data-channel='stable']";
    let heads = async || read(page, heads, "e.dataset.name").await;
    see(page, "the head of `stable`", ["dell-csm-operator.v1.11.3"].as_slice(), heads).await
}

/// The package of the community, below the folder that `OPSCOPE_CATALOGS` names; it is too large to be kept in the
/// repository.
#[tokio::test]
#[expect(clippy::print_stderr, reason = "nothing else says that the test did nothing")]
async fn a_real_package_from_drop_to_reload() -> Result {
    let Some(catalogs) = std::env::var_os("OPSCOPE_CATALOGS") else {
        eprintln!("skipped: set `OPSCOPE_CATALOGS` to a folder with a folder for each package");
        return Ok(());
    };
    visit(async |page| through(page, &Path::new(&catalogs).join(PACKAGE)).await).await
}

/// The same steps with an extract of the package among two others, which every checkout has.
#[tokio::test]
async fn an_extract_of_three_packages_from_drop_to_reload() -> Result {
    visit(async |page| through(page, &fixture("community")).await).await
}

async fn through(page: &Page, folder: &Path) -> Result {
    page.test_id("empty").await?;
    page.drop_paths(&[folder]).await?;
    see_head(page).await?;
    subscribe(page, &[("package", PACKAGE), ("channel", "stable")]).await?;
    page.text("installs 1.11.3").await?;
    let chosen = read(page, "[data-testid='selected']", "e.dataset.name").await?;
    assert_eq!(chosen, ["dell-csm-operator.v1.11.3"], "the chosen bundles");

    kept(page, "name: dell-csm-operator.v1.11.3").await?;
    page.reload().await?;
    page.text("installs 1.11.3").await?;
    page.test_id("tab-graph").await?.click().await?;
    see_head(page).await?;
    click(page, "tab-simulate").await?;
    press_lane(page, PACKAGE).await?;
    let form = "[data-testid='subscription'] :is(input, select)";
    let fields = async || read(page, form, "e.value").await;
    let catalog = folder.file_name().unwrap_or_default().to_string_lossy();
    see(page, "the Subscription after the reload", ["stable", &catalog, "", "", PACKAGE].as_slice(), fields).await
}
