//! Templates in place of catalogs: shown as the catalog that they expand to, with bundles of the other catalogs.

use suite::browser::{Key, Page, Result};

use crate::steps::{click, kept, kettle, read, see, texts};

const SEMVER: &str = "schema: olm.semver
generateMinorChannels: true
fast:
  bundles:
  - image: registry.example.com/kettle:v1.0.0
  - image: registry.example.com/kettle:v1.1.0
";

/// The drawn entries, each with its channel, without those that are only referred to.
async fn entries(page: &Page) -> Result<Vec<String>> {
    let mut found =
        read(page, "[data-testid='graph-node']:not(.ghost)", "e.dataset.channel + ' ' + e.dataset.name").await?;
    found.sort();
    Ok(found)
}

journey!(a_semver_template_becomes_channels_and_follows_its_edits, async |page| {
    page.test_id("empty").await?;
    page.drop_texts("body", &[("kitchen.yaml", &kettle(&["1.0.0", "1.1.0"]))]).await?;
    page.test_id("package-title").await?;
    page.drop_texts("body", &[("versions.yaml", SEMVER)]).await?;
    let minor = ["fast-v1.0 kettle.v1.0.0", "fast-v1.1 kettle.v1.1.0"];
    see(page, "the channels of the template", minor.as_slice(), async || entries(page).await).await?;

    click(page, "tab-source").await?;
    // The template is shown first; what it became is not edited.
    page.test_id("source-text").await?;
    let files = page.test_id("source-file").await?;
    files.select_by_label("versions.yaml (expanded)").await?;
    page.test_id("source-read-only").await?;
    let text = async || read(page, "[data-testid='source-text']", "e.value").await;
    let made = text().await?;
    page.test_id("source-text").await?.click().await?;
    page.press("x").await?;
    assert_eq!(text().await?, made, "what the template became is not edited");
    let path = texts(page, "[data-testid='source-file'] option:checked").await?;
    assert_eq!(path, ["versions.yaml (expanded)"]);

    let files = page.test_id("source-file").await?;
    files.select_by_label("versions.yaml").await?;
    let label = "e.shadowRoot.querySelector('.cm-content').ariaLabel";
    let name = async || read(page, "[data-testid='source-text']", label).await;
    see(page, "the file shown", ["Text of versions.yaml"].as_slice(), name).await?;
    page.test_id("source-text").await?.click().await?;
    page.press(&(Key::Control + &Key::End)).await?;
    page.press("generateMajorChannels: true").await?;
    kept(page, "generateMajorChannels").await?;
    click(page, "tab-graph").await?;
    let major = ["fast-v1 kettle.v1.0.0", "fast-v1 kettle.v1.1.0", minor[0], minor[1]];
    see(page, "the channels of the template", major.as_slice(), async || entries(page).await).await?;

    page.reload().await?;
    see(page, "the channels after a reload", major.as_slice(), async || entries(page).await).await
});
