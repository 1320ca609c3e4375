//! An ImageSetConfiguration on a catalog: which installed versions its mirror strands.

use crate::steps::{click, drop_fixture, fill, is_accessible, see, see_texts, texts};

/// Mirrors the head of one channel alone.
const CONFIG: &str = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n  - catalog: example.com/kitchen:v1\n    packages:\n    - name: kettle\n";

journey!(a_configuration_shows_whom_its_mirror_strands, async |page| {
    drop_fixture(page, "release-after").await?;
    page.drop_texts("body", &[("imageset-config.yaml", CONFIG)]).await?;
    page.test_id("mirror").await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["release-after", "release-after-mirrored"]).await?;
    let answers = async || texts(page, "[data-testid='min-versions'] li").await;
    let strands = "kettle: the mirror strands no installed version";
    see(page, "whom it strands", true, async || Ok(answers().await?.concat().starts_with(strands))).await?;
    page.test_id("compare-summary").await?;
    is_accessible(page).await?;
    // Mirrors everything.
    page.css("[data-testid='mirror'] summary").await?.click().await?;
    let full = CONFIG.replace("    packages:\n    - name: kettle\n", "    full: true\n");
    fill(&page.test_id("image-set-text").await?, &full).await?;
    click(page, "image-set-apply").await?;
    see(page, "that nobody else is stuck", true, async || {
        Ok(texts(page, "[data-testid='compare-summary']")
            .await?
            .concat()
            .contains("2 of 4 installed versions are still stuck"))
    })
    .await?;
    click(page, "image-set-remove").await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["release-after"]).await
});
