//! Repairs of channels: from a finding, from the details of a stuck entry, and in a comparison.

use suite::browser::Key;

use crate::steps::{click, is_accessible, kettle, paste, read, see, see_source, see_texts, texts};

/// The head skips the version before it, so that nothing leads on from older ones.
fn stranded() -> String {
    let sound = kettle(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"]);
    sound.replacen("replaces: kettle.v1.2.0", "skips: [kettle.v1.2.0]", 1)
}

const FINDINGS: &str = "[data-testid='findings'] [data-testid='finding-row']";
const REPAIRS: &str = "[data-testid='subject'] [data-testid='repairs']";
const APPLY: &str = "[data-testid='repairs'] [data-testid='apply-repair']";

journey!(stranded_bundles_become_a_green_catalog_in_three_clicks, async |page| {
    let text = stranded();
    paste(page, &text).await?;
    click(page, "tab-findings").await?;
    page.css(&format!("{FINDINGS}[data-rule='stranded-entry'] [data-testid='repair']")).await?.click().await?;
    let stuck = "Channel stable: 2 versions do not reach the head: 1.0.0, 1.1.0";
    see_texts(page, &format!("{REPAIRS} > p"), &[stuck]).await?;
    see_texts(page, &format!("{REPAIRS} .fix-card > .diff .added"), &["15+ added: replaces: kettle.v1.1.0"]).await?;
    page.css(&format!("{REPAIRS} .fix-card > details > summary")).await?.click().await?;
    see_texts(page, &format!("{REPAIRS} details[open] .strip h4"), &["Nowstuck", "Repairedreach the head"]).await?;
    let drawn = read(page, &format!("{REPAIRS} details[open] .strip svg"), "e.getAttribute('aria-label')").await?;
    assert_eq!(drawn, ["1.0.0, stuck; nothing leads to 1.3.0, the head", "1.0.0; then 1.1.0; then 1.3.0, the head"]);
    is_accessible(page).await?;
    page.css(APPLY).await?.click().await?;
    see_texts(page, FINDINGS, &[]).await?;
    see_texts(page, REPAIRS, &[]).await?;
    click(page, "undo").await?;
    let found = async || Ok(!texts(page, FINDINGS).await?.is_empty());
    see(page, "the findings again", true, found).await?;
    page.press(&(Key::Control + (Key::Shift + "z").as_str())).await?;
    see(page, "the repair again", false, found).await?;
    page.press(&(Key::Control + "z")).await?;
    see(page, "the findings once more", true, found).await?;
    click(page, "tab-source").await?;
    see_source(page, &text).await
});

journey!(a_version_is_removed_or_deprecated, async |page| {
    paste(page, &kettle(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"])).await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.2.0']").await?.click().await?;
    click(page, "retire").await?;
    is_accessible(page).await?;
    page.test_id("retire-message").await?.send_keys("Use 1.3.0.").await?;
    click(page, "retire-write").await?;
    see(page, "the deprecation", true, async || {
        Ok(texts(page, ".notice p").await?.concat().contains("deprecated kettle.v1.2.0"))
    })
    .await?;
    see(page, "its message", true, async || {
        Ok(texts(page, "[data-testid='inspector']").await?.concat().contains("Use 1.3.0."))
    })
    .await?;
    click(page, "retire").await?;
    click(page, "retire-remove").await?;
    // Every answer of the worker redraws the page, which must not change what was chosen.
    const REDRAW: &str = "for (const type of ['dragover', 'dragleave']) window.dispatchEvent(new DragEvent(type))";
    page.eval(REDRAW, vec![]).await?;
    click(page, "retire-write").await?;
    page.css("[data-testid='tab-compare'][aria-selected='true']").await?;
    see(page, "the removal", true, async || {
        Ok(texts(page, ".notice p").await?.concat().contains("removed kettle.v1.2.0"))
    })
    .await
});
