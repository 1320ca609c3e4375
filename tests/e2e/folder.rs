//! A dropped folder: its packages, their graphs and findings.

use suite::browser::{Page, Result};

use crate::steps::{click, drop_fixture, read, see, see_packages, see_texts, select_package, texts};

/// The entries drawn in a channel that match `class`, by name.
async fn entries(page: &Page, channel: &str, class: &str) -> Result<Vec<String>> {
    let css = format!("[data-testid='graph-node'][data-channel='{channel}']{class}");
    let mut found = read(page, &css, "e.dataset.name").await?;
    found.sort();
    Ok(found)
}

journey!(a_folder_becomes_a_catalog_of_packages, async |page| {
    drop_fixture(page, "kitchen").await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    let rows = texts(page, "[data-testid='package-row'] small").await?;
    assert_eq!(rows, ["1.3.0", "1.0.0"], "the head of each default channel");
    let chip = read(page, "[data-testid='catalog-chip']", "e.title").await?;
    assert_eq!(chip, ["kitchen: 2 packages, priority 0, 4 warnings"]);
    Ok(())
});

journey!(the_graph_has_all_channels_with_their_edges_and_heads, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    let stable = ["kettle.v1.0.0", "kettle.v1.1.0", "kettle.v1.2.0", "kettle.v1.3.0"];
    assert_eq!(entries(page, "stable", ":not(.ghost)").await?, stable, "the entries of `stable`");
    assert_eq!(entries(page, "fast", ":not(.ghost)").await?, ["kettle.v2.0.0"], "the entries of `fast`");
    assert_eq!(entries(page, "fast", ".ghost").await?, stable, "what the range of `fast` covers");
    let heads = read(page, "[data-testid='graph-node'].head", "e.dataset.channel + ' ' + e.dataset.name").await?;
    assert_eq!(heads, ["stable kettle.v1.3.0", "fast kettle.v2.0.0"], "the heads, the default channel first");
    let skipped = read(page, "[data-testid='graph-node'].skipped", "e.dataset.name").await?;
    assert_eq!(skipped, ["kettle.v1.1.0"], "what is skipped");
    for (kind, count) in [("replaces", 2), ("skips", 1)] {
        let drawn = read(page, &format!("[data-testid='graph'] path.edge.{kind}"), "e.getAttribute('d')").await?;
        let edges = drawn.iter().map(|d| d.matches('M').count()).sum::<usize>();
        assert_eq!(
            edges, count,
            "the `{kind}` edges: 1.2.0 and 1.3.0 replace, 1.2.0 skips 1.1.0, whose own edge matters to nobody"
        );
    }
    see_texts(page, ".band text", &["<2.0.0 · covers 4 versions"]).await?;
    let words =
        read(page, ".lane-name", "[...e.querySelectorAll('.count')].map((e) => e.textContent).join(' ')").await?;
    assert_eq!(words, ["default 4 entries", "1 entry"], "`stable` comes first and is marked as the default");
    Ok(())
});

journey!(a_finding_leads_to_its_line_and_its_entry, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see_texts(page, "[data-testid='tab-findings'] .number", &["2"]).await?;
    click(page, "tab-findings").await?;
    see_texts(page, "[data-testid='findings-count']", &["2 findings"]).await?;
    let places = ["kettle/catalog.yaml:12:14", "kettle/catalog.yaml:61:3"];
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
