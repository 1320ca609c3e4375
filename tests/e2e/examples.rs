//! The examples: chosen from a dialog, run at once, and opened over the user's own catalogs only on request.

use serde_json::json;
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, read, see, see_packages, see_texts};

async fn open(page: &Page, slug: &str) -> Result {
    page.css("[data-testid='empty'], [data-testid='catalog-chip']").await?;
    click(page, "examples").await?;
    Ok(page.css(&format!("[data-testid='example-row'][data-name='{slug}']")).await?.click().await?)
}

journey!(examples_are_searched, async |page| {
    page.test_id("empty").await?;
    click(page, "examples").await?;
    page.test_id("examples-search").await?.send_keys("manual APPROVAL").await?;
    let found = async || read(page, "[data-testid='example-row']", "e.dataset.name").await;
    see(page, "the examples found", ["manual-approval"].as_slice(), found).await?;
    page.test_id("examples-search").await?.send_keys(" nothing").await?;
    see_texts(page, "[data-testid='examples-dialog'] [role='status']", &["No example has these words."]).await
});

journey!(closing_an_example_restores_the_users_catalogs, async |page| {
    drop_fixture(page, "kitchen").await?;
    open(page, "new-operator").await?;
    see_packages(page, &["foo"]).await?;
    page.text("Undo").await?.click().await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(common_questions_are_one_click_away, async |page| {
    page.test_id("empty").await?;
    let questions = read(page, "[data-testid='featured']", "e.dataset.name").await?;
    assert!(questions.len() >= 4, "{questions:?}");
    for name in questions {
        click(page, "examples").await?;
        page.css(&format!("[data-testid='example-row'][data-name='{name}']")).await?;
        page.press(&suite::browser::Key::Escape.to_string()).await?;
        see_texts(page, "dialog", &[]).await?;
    }
    click(page, "featured").await?;
    page.test_id("verdict").await.map(drop)
});

journey!(an_unknown_example_in_the_address_gets_a_message, async |page| {
    page.follow("example=nonsense").await?;
    page.text("There is no example").await?;
    let offers = "document.querySelector(\"[data-testid='notice'] button\").textContent";
    assert_eq!(page.eval(&format!("return {offers}"), vec![]).await?, "Examples");
    Ok(())
});

journey!(a_fix_of_a_catalog_is_applied_and_undone_with_a_click, async |page| {
    const BAND: &str = "[data-testid='graph-node'][data-name='cache.v3.0.0']";
    const VERDICTS: &str = "[data-testid='verdict'] > p";
    open(page, "two-hops-deadlock").await?;
    let stays = ["app is not installed: OLM finds no solution", "cache stays at 1.0.0, because OLM finds no solution"];
    see_texts(page, VERDICTS, &stays).await?;
    page.css("[data-testid='try'][aria-label*='skipRange of cache.v3.0.0 to >=1.0.0 <3.0.0']").await?.click().await?;
    see_texts(page, "[data-testid='board'] .wide .with-fix .label", &["1.0.0", "3.0.0"]).await?;
    click(page, "tried-keep").await?;
    let done = ["app installs 1.0.0", "cache ends at 3.0.0"];
    see_texts(page, VERDICTS, &done).await?;
    click(page, "tab-graph").await?;
    page.css(BAND).await?.click().await?;
    see_texts(page, "[data-testid='inspector'] h2", &["cache.v3.0.0"]).await?;
    click(page, "undo").await?;
    see_texts(page, VERDICTS, &stays).await
});

journey!(a_new_result_is_scrolled_to_its_start, async |page| {
    const SCROLL: &str = "const result = document.querySelector('.simulation > .result');
        result.scrollTop += arguments[0];
        return result.scrollTop";
    page.look(Viewport { width: 1440, height: 500 }, Scheme::Light).await?;
    open(page, "two-conflicts").await?;
    page.test_id("conflict").await?;
    assert_ne!(page.eval(SCROLL, vec![json!(90)]).await?, 0, "it is longer than its place");
    open(page, "unknown-package").await?;
    page.test_id("funnel").await?;
    see(page, "how far the result is scrolled", json!(0), async || Ok(page.eval(SCROLL, vec![json!(0)]).await?)).await
});
