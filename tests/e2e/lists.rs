//! Lists that grow with a catalog: the search, the list of packages, and the table of entries.

use suite::browser::{Key, Page, Result};

use crate::steps::{click, drop_fixture, paste, read, see, see_packages, see_texts};

journey!(a_version_is_searched_and_opened_by_keys_alone, async |page| {
    drop_fixture(page, "kitchen").await?;
    page.test_id("search").await?.send_keys("1.3.0").await?;
    see_texts(page, "[data-testid='search-group'] h2", &["Versions 1", "Images 1"]).await?;
    let hits = ["kettle.v1.3.0kettle 1.3.0", "registry.example.com/kettle:v1.3.0kettle 1.3.0"];
    see_texts(page, "[data-testid='search-hit']", &hits).await?;
    see_packages(page, &[]).await?;
    page.press(&Key::Down.to_string()).await?;
    let focused = async || read(page, ":focus", "e.dataset.testid").await;
    see(page, "the focus on the result", ["search-hit"].as_slice(), focused).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.3.0"]).await?;
    page.press(&Key::Up.to_string()).await?;
    see(page, "the focus in the field", ["search"].as_slice(), focused).await?;
    page.press(&Key::Escape.to_string()).await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    // Enter in the field opens the first result.
    page.press("teap").await?;
    see_packages(page, &["teapot"]).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='package-title']", &["teapot"]).await
});

journey!(packages_with_errors_are_listed_alone, async |page| {
    paste(page, &fixture::yaml("package bad, default none\npackage good\nc: 1.0.0")).await?;
    see_packages(page, &["bad", "good"]).await?;
    click(page, "packages-errors").await?;
    see_packages(page, &["bad"]).await?;
    click(page, "packages-all").await?;
    see_packages(page, &["bad", "good"]).await
});

async fn first_row(page: &Page) -> Result<String> {
    Ok(read(page, "#row-0", "e.textContent").await?.concat())
}

journey!(the_table_is_sorted_by_version_and_filtered, async |page| {
    click(page, "example").await?;
    click(page, "tab-table").await?;
    let first = async || first_row(page).await;
    see(page, "the head of the default channel", "2.0.0", first).await?;
    let head = page.css(".entries thead th:first-child button").await?;
    head.click().await?;
    see(page, "the oldest version", "1.0.0", first).await?;
    page.css(".entries thead th:first-child button").await?.click().await?;
    see(page, "the newest version", "2.1.0", first).await?;
    page.test_id("table-text").await?.send_keys("fast").await?;
    let channels = async || {
        let mut channels = read(page, ".entries tbody tr:not(.spacer) td:nth-child(2)", "e.textContent").await?;
        channels.dedup();
        Ok(channels)
    };
    see(page, "the channels shown", ["fast"].as_slice(), channels).await?;
    page.test_id("table-text").await?.send_keys(" nothing").await?;
    click(page, "table-all").await?;
    see(page, "the newest version", "2.1.0", first).await
});
