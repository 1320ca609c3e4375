//! Room for every part: nothing covers the graph or leaves its frame when another part grows.

use serde_json::{Value, json};
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, paste, see, see_texts, select_package, texts};

/// Whether all boxes, bands and words are within the frame of the drawing, and none of them is under something else.
async fn has_room(page: &Page) -> Result<Value> {
    const ROOM: &str = "
        const frame = document.querySelector(\"[data-testid='graph']\"), around = frame.getBoundingClientRect();
        const parts = [...frame.querySelectorAll('.tiles :is(.box, .fill, .word)')].map((part) => part.getBoundingClientRect()).filter((part) => part.width > 0);
        const within = ({ left, right, top, bottom }) => left >= around.left && right <= around.right && top >= around.top && bottom <= around.bottom;
        const free = ({ left, right, top, bottom }) => [[left + 2, top + 2], [right - 2, bottom - 2]].every(([x, y]) => frame.contains(document.elementFromPoint(x, y)));
        return parts.length > 0 && parts.every((part) => within(part) && free(part))";
    page.eval(ROOM, vec![]).await
}

journey!(an_open_simulation_does_not_cover_the_drawing, async |page| {
    page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see(page, "whether the drawing has room", Value::Bool(true), async || has_room(page).await).await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
    click(page, "mark-installed").await?;
    page.css(".board-picture.wide .spot[aria-label='kettle']").await?;
    click(page, "tab-graph").await?;
    see(page, "whether the drawing has room in it", Value::Bool(true), async || has_room(page).await).await
});

/// A package with a long range, a name of 253 characters and a long chain of entries.
fn long() -> String {
    let name = "n".repeat(253);
    fixture::yaml(&format!("c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0-rc.1 <1.1.0-rc.12) <- {name} (version 1.2.0)"))
}

journey!(table_cells_show_their_whole_content, async |page| {
    const CUT: &str = "
        const cells = [...document.querySelectorAll(\".entries tbody tr:not(.spacer) :is(th, td)\")];
        return cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.length)";
    paste(page, &long()).await?;
    click(page, "tab-table").await?;
    see_texts(page, ".entries tbody tr:nth-of-type(2) td:nth-of-type(6)", &[">=1.0.0-rc.1 <1.1.0-rc.12"]).await?;
    assert_eq!(page.eval(CUT, vec![]).await?, json!([]), "what is cut off, by its length");
    Ok(())
});

journey!(a_filter_without_matches_gets_a_message, async |page| {
    paste(page, &long()).await?;
    click(page, "tab-reach").await?;
    page.test_id("reach").await?;
    click(page, "reach-stuck").await?;
    see_texts(page, "[data-testid='reach-none']", &["No version is stuck in its own channel. Show all versions"])
        .await?;
    click(page, "reach-all").await?;
    see_texts(page, "[data-testid='reach-none']", &[]).await?;
    assert_eq!(texts(page, "[data-testid='reach'] tbody th").await?.len(), 3);
    assert_eq!(page.eval("return document.activeElement.dataset.testid", vec![]).await?, "reach-stuck");
    Ok(())
});

journey!(the_facts_about_an_entry_are_in_one_column, async |page| {
    const LEFT: &str = "
        const values = [...document.querySelectorAll('.inspector .rows dt')].map((dt) => Math.round(dt.getBoundingClientRect().left));
        return new Set(values).size";
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
    crate::steps::open_folds(page).await?;
    page.test_id("arrivals").await?;
    assert_eq!(page.eval(LEFT, vec![]).await?, 1, "left edges of labels");
    Ok(())
});
