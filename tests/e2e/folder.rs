//! A dropped folder: the way from a finding to its line and its entry.

use crate::steps::{click, drop_fixture, read, see, see_texts, select_package};

journey!(a_finding_leads_to_its_line_and_its_entry, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see_texts(page, "[data-testid='tab-findings'] .number", &["2"]).await?;
    click(page, "tab-findings").await?;
    see_texts(page, "[data-testid='findings-count']", &["2 findings"]).await?;
    let places = ["kettle/catalog.yaml:61:3", "kettle/catalog.yaml:12:14"];
    see_texts(page, "[data-testid='finding-row'] .where .link:not(.rule)", &places).await?;
    page.text("kettle/catalog.yaml:12:14").await?.click().await?;
    page.test_id("source-text").await?;
    let selected = async || read(page, "[data-testid='source-text']", "e.targetText").await;
    see(page, "the range that is marked in the source", ["\"<2.0.0\""].as_slice(), selected).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v2.0.0"]).await?;
    click(page, "tab-graph").await?;
    let pressed = read(page, "[data-testid='graph-node'][aria-pressed='true']", "e.dataset.name").await?;
    assert_eq!(pressed, ["kettle.v2.0.0"], "the entry selected in the graph");
    Ok(())
});
