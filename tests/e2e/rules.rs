//! Rules: their texts, and how their findings are switched off and on.

use suite::browser::{Key, Page, Result};

use crate::steps::{click, drop_fixture, read, see, see_texts, select_package, texts};

/// Opens the findings of the kettle: one about its skipRange, one about a requirement.
async fn kettle(page: &Page) -> Result {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    click(page, "tab-findings").await?;
    see_rules(page, &["unsatisfiable-requirement", "open-skip-range"]).await
}

async fn see_rules(page: &Page, expected: &[&str]) -> Result {
    see(page, "the rules", expected, async || read(page, "[data-testid='finding-row']", "e.dataset.rule").await).await
}

async fn see_count(page: &Page, expected: &str) -> Result {
    see_texts(page, "[data-testid='findings-count']", &[expected]).await
}

async fn click_css(page: &Page, css: &str) -> Result {
    page.css(css).await?.click().await?;
    Ok(())
}

const OPEN_RANGE: &str = "[data-testid='rule-row'][data-rule='open-skip-range']";

journey!(a_rule_is_switched_off_by_keys_and_stays_off, async |page| {
    kettle(page).await?;
    click_css(page, "[data-testid='rules'] summary").await?;
    see_texts(page, &format!("{OPEN_RANGE} > .mute"), &["1 finding"]).await?;
    let total = texts(page, "[data-testid='tab-findings'] .number").await?;
    page.eval(&format!("document.querySelector(\"{OPEN_RANGE} input\").focus()"), vec![]).await?;
    page.press(&Key::Space.to_string()).await?;
    see_rules(page, &["unsatisfiable-requirement"]).await?;
    see_count(page, "1 finding · 1 hidden").await?;
    see_texts(page, "[data-testid='tab-findings'] .number", &["1"]).await?;
    assert_eq!(total, ["2"]);
    page.reload().await?;
    see_count(page, "1 finding · 1 hidden").await?;
    see_rules(page, &["unsatisfiable-requirement"]).await?;
    click_css(page, "[data-testid='rules'] summary").await?;
    click(page, "rules-on").await?;
    see_count(page, "2 findings").await
});
