//! Several catalogs: each is a CatalogSource with a name and a priority, which decide the chosen bundles.

use serde_json::json;
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{
    add_operator, click, drop_fixture, edit_catalog, fill, fixture, forgotten, kept, read, see, see_packages, see_texts,
};

journey!(two_dropped_folders_are_two_catalogs, async |page| {
    page.test_id("empty").await?;
    page.drop_paths(&[&fixture("kitchen"), &fixture("pantry")]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen", "pantry"]).await?;
    see_packages(page, &["kettle", "kettle", "teapot", "water"]).await?;
    let rows = ["kitchen1.3.0", "pantry1.4.0", "teapot1.0.0", "water1.1.0"];
    let names_and_heads = "[...e.querySelectorAll('.name, small')].map((part) => part.textContent).join('')";
    see(page, "the rows", rows.as_slice(), async || read(page, "[data-testid='package-row']", names_and_heads).await)
        .await?;
    // The name leads to the first of them.
    click(page, "package-name").await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await?;
    let current =
        async || read(page, "[data-testid='package-row'][aria-current]", "e.querySelector('.name').textContent").await;
    see(page, "the selected row", ["kitchen"].as_slice(), current).await
});

journey!(names_that_differ_at_their_ends_are_told_apart_in_a_narrow_header, async |page| {
    const ENDS: &str = "
        return [...document.querySelectorAll('.two-parts > :last-child')].map((end) => {
            const { left, right } = end.getBoundingClientRect();
            const chip = end.closest('button').getBoundingClientRect();
            return left >= chip.left && right <= chip.right ? end.textContent : 'cut';
        })";
    page.look(Viewport { width: 1024, height: 768 }, Scheme::Light).await?;
    for (name, long) in
        [("kitchen", "catalog-of-certified-operators-v4.18"), ("pantry", "catalog-of-certified-operators-v4.19")]
    {
        drop_fixture(page, name).await?;
        rename(page, name, long, "0").await?;
    }
    let ends = async || page.eval(ENDS, vec![]).await;
    see(page, "the ends of the names", json!(["tors-v4.18", "tors-v4.19"]), ends).await
});

// Every answer of the worker redraws the page, which must not change a field in use.
journey!(typed_text_survives_a_redraw_of_the_page, async |page| {
    const REDRAW: &str = "for (const type of ['dragover', 'dragleave']) window.dispatchEvent(new DragEvent(type))";
    drop_fixture(page, "kitchen").await?;
    click(page, "tab-simulate").await?;
    add_operator(page, "kettle").await?;
    let field = page.test_id("subscription-installed").await?;
    field.send_keys("kettle.v1").await?;
    page.eval(REDRAW, vec![]).await?;
    field.send_keys(".1.0").await?;
    assert_eq!(field.prop("value").await?.as_deref(), Some("kettle.v1.1.0"), "what was typed as installed CSV");
    edit_catalog(page, "kitchen").await?;
    let field = page.test_id("catalog-name").await?;
    field.send_keys("-two").await?;
    page.eval(REDRAW, vec![]).await?;
    field.send_keys("-three").await?;
    assert_eq!(field.prop("value").await?.as_deref(), Some("kitchen-two-three"), "what was typed as name");
    Ok(())
});

/// Gives a catalog another name and priority.
async fn rename(page: &Page, name: &str, new: &str, priority: &str) -> Result {
    edit_catalog(page, name).await?;
    fill(&page.test_id("catalog-name").await?, new).await?;
    fill(&page.test_id("catalog-priority").await?, priority).await?;
    click(page, "catalog-save").await
}

journey!(a_removed_catalog_is_gone_after_a_reload, async |page| {
    drop_fixture(page, "kitchen").await?;
    drop_fixture(page, "spring").await?;
    see_packages(page, &["kettle", "teapot", "water"]).await?;
    kept(page, "teapot.v1.0.0").await?;
    edit_catalog(page, "kitchen").await?;
    click(page, "catalog-remove").await?;
    see_packages(page, &["water"]).await?;
    forgotten(page, "teapot.v1.0.0").await?;
    page.reload().await?;
    see_packages(page, &["water"]).await
});
