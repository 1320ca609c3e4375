//! What has room: nothing on the page stands on the drawing, or leaves its frame because another part grows.

use serde_json::Value;
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, see, select_package, visit};

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

#[tokio::test]
async fn the_drawing_stays_in_sight_when_the_simulation_takes_room() -> Result {
    visit(async |page| {
        page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
        drop_fixture(page, "kitchen").await?;
        select_package(page, "kettle").await?;
        see(page, "whether the drawing has room", Value::Bool(true), async || has_room(page).await).await?;
        page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
        let height = "return document.querySelector(\"[data-testid='graph']\").getBoundingClientRect().height";
        let before = page.eval(height, vec![]).await?.as_f64().unwrap_or_default();
        click(page, "mark-installed").await?;
        let lower = async || Ok(page.eval(height, vec![]).await?.as_f64().unwrap_or_default() < before - 50.0);
        see(page, "whether the frame is lower", true, lower).await?;
        see(page, "whether the drawing has room in it", Value::Bool(true), async || has_room(page).await).await
    })
    .await
}
