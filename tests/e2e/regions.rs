//! The regions of the page at every width: none overlaps another, and popovers stay within theirs.

use serde_json::json;
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, select_package, visit};

/// The regions that overlap another one or have no room, by their class.
async fn misplaced(page: &Page) -> Result<serde_json::Value> {
    const MISPLACED: &str = "
        const boxes = [...document.querySelectorAll('.app > :is(.top, .packages, .package, .simulate), .dock > :is(.inspector, .simulation)')]
            .filter((region) => getComputedStyle(region).display !== 'none').map((region) => [region.className, region.getBoundingClientRect()]);
        const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return boxes.filter(([name, box]) => box.width < 40 || box.height < 30 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1
            || boxes.some(([other, rect]) => other !== name && overlap(box, rect))).map(([name]) => name)";
    page.eval(MISPLACED, vec![]).await
}

#[tokio::test]
async fn regions_do_not_overlap_at_any_width() -> Result {
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        select_package(page, "kettle").await?;
        for width in [1024, 1440, 2199, 2200, 2560, 3440] {
            page.look(Viewport { width, height: 1000 }, Scheme::Light).await?;
            assert_eq!(misplaced(page).await?, json!([]), "without a Subscription, {width} pixels wide");
        }
        page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
        click(page, "mark-installed").await?;
        for width in [1024, 1440, 2199, 2200, 2560, 3440] {
            page.look(Viewport { width, height: 1000 }, Scheme::Light).await?;
            assert_eq!(misplaced(page).await?, json!([]), "with a simulation, {width} pixels wide");
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn popovers_of_the_graph_stay_within_its_region() -> Result {
    const OUTSIDE: &str = "
        const [popover, region] = [arguments[0], '.package .canvas'].map((one) => document.querySelector(one).getBoundingClientRect());
        return popover.height < 60 || popover.top < region.top || popover.left < region.left || popover.right > region.right + 1";
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        select_package(page, "kettle").await?;
        page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
        click(page, "mark-installed").await?;
        for (width, height) in [(1440, 900), (1280, 720), (2560, 1300), (390, 844)] {
            page.look(Viewport { width, height }, Scheme::Light).await?;
            if width < 900 {
                click(page, "pane-graph").await?;
            }
            page.css("[data-testid='legend-all'] > summary").await?.click().await?;
            let outside = page.eval(OUTSIDE, vec![json!("[data-testid='legend-all'] > dl")]).await?;
            assert_eq!(outside, json!(false), "all marks, {width} x {height}");
            page.css("[data-testid='legend-all'] > summary").await?.click().await?;
        }
        Ok(())
    })
    .await
}
