//! The editing mode of the drawing: edges by drag, by keys and by its form.

use crate::steps::{click, is_accessible, kettle, paste, read, see, see_texts, texts};
use suite::browser::{Page, Result};

const EFFECT: &str = "[data-testid='edge-effect']";
const SKIPPED: &str = "✕ let kettle.v1.3.0 replace kettle.v1.1.0: 4 installed versions are updated in another way.";

fn node(version: &str) -> String {
    format!("[data-testid='graph-node'][data-name='kettle.v{version}']")
}

async fn middle(page: &Page, version: &str) -> Result<(f64, f64)> {
    const MIDDLE: &str = "const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect(); \
                          return [left + width / 2, top + height / 2];";
    let at = page.eval(MIDDLE, vec![node(version).into()]).await?;
    let part = |index: usize| at[index].as_f64().unwrap_or_default();
    Ok((part(0), part(1)))
}

async fn edit(page: &Page) -> Result {
    paste(page, &kettle(&["1.0.0", "1.1.0", "1.2.0", "1.3.0"])).await?;
    page.css(&node("1.3.0")).await?;
    click(page, "edges-edit").await?;
    page.test_id("edges").await.map(drop)
}

/// Whether the text has what the head replaces now.
async fn see_replaced(page: &Page, version: &str) -> Result {
    click(page, "tab-source").await?;
    let wanted = format!("name: kettle.v1.3.0\n  replaces: kettle.v{version}\n");
    see(page, &format!("that it replaces {version}"), true, async || {
        Ok(read(page, "[data-testid='source-text']", "e.value").await?.concat().contains(&wanted))
    })
    .await?;
    click(page, "tab-graph").await
}

journey!(an_entry_is_dragged_to_another_one_that_it_replaces_then, async |page| {
    edit(page).await?;
    is_accessible(page).await?;
    page.drag(middle(page, "1.1.0").await?, middle(page, "1.3.0").await?).await?;
    see(page, "the notice", true, async || {
        Ok(texts(page, ".notice p").await?.concat().contains("changed the edges of kettle.v1.3.0"))
    })
    .await?;
    see_replaced(page, "1.1.0").await?;
    page.test_id("package-title").await?.click().await?;
    page.press(&(suite::browser::Key::Control + "z")).await?;
    see_replaced(page, "1.2.0").await
});

journey!(edges_are_changed_with_keys_and_with_a_form, async |page| {
    edit(page).await?;
    page.css(&node("1.3.0")).await?.click().await?;
    page.press(&suite::browser::Key::Left.to_string().repeat(2)).await?;
    page.css(&format!("{}:focus", node("1.1.0"))).await?;
    page.press("r").await?;
    see_texts(page, EFFECT, &[SKIPPED]).await?;
    page.css(&format!("{}:focus", node("1.1.0"))).await?;
    page.press(&suite::browser::Key::Escape.to_string()).await?;
    see_texts(page, EFFECT, &[]).await?;
    // The form begins with the newest other entry: the head no longer replaces it.
    page.test_id("edge-to").await?.select_by_index(1).await?;
    click(page, "edge-hold").await?;
    see_texts(page, EFFECT, &[SKIPPED]).await?;
    page.test_id("edge-held").await?;
    is_accessible(page).await?;
    click(page, "edge-make").await?;
    see_replaced(page, "1.1.0").await
});
