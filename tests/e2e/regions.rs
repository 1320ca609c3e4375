//! The regions of the page at every width: none overlaps another, popovers stay within theirs, and their boundaries can be
//! moved.

use serde_json::json;
use suite::browser::{Key, Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, paste, read, see, see_texts, select_package};

/// From a phone to a very wide screen.
const WIDTHS: [u32; 9] = [390, 768, 1024, 1440, 1920, 2199, 2200, 2560, 3440];

/// What is misplaced: regions that overlap another one, have no room or can be scrolled sideways, and controls that are
/// covered or out of reach.
async fn misplaced(page: &Page) -> Result<serde_json::Value> {
    const MISPLACED: &str = "
        const name = (element) => element.dataset.testid ?? element.className ?? element.tagName;
        const regions = [...document.querySelectorAll('.app > :is(.top, .packages, .panes), .app > main > *, .dock > .inspector')]
            .filter((region) => region.checkVisibility() && region.getBoundingClientRect().width > 1);
        const boxes = regions.map((region) => [name(region), region.getBoundingClientRect()]);
        const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const wrong = boxes.filter(([one, box]) => box.width < 40 || box.height < 30 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1
            || boxes.some(([other, rect]) => other !== one && overlap(box, rect))).map(([one]) => one);
        const sideways = [document.documentElement, ...regions].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `sideways: ${name(e)}`);
        const controls = [...document.querySelectorAll('.top :is(button, summary), .package > .bar button, .verdicts button, .cluster > .bar button, .panes button, .zoom button')]
            .filter((control) => control.checkVisibility() && !control.closest('details:not([open]) > :not(summary)'));
        const covered = controls.filter((control) => {
            control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            const { left, top, width, height } = control.getBoundingClientRect();
            const there = document.elementFromPoint(left + width / 2, top + height / 2);
            return !(there && (control.contains(there) || there.contains(control) && there.closest('button, summary')));
        }).map((control) => `covered: ${control.textContent || name(control)}`);
        return [...wrong, ...sideways, ...covered]";
    page.eval(MISPLACED, vec![]).await
}

async fn see_order(page: &Page, what: &str, tab: &str) -> Result {
    for width in WIDTHS {
        page.look(Viewport { width, height: 1000 }, Scheme::Light).await?;
        let part = if width <= 900 { "pane" } else { "tab" };
        click(page, &format!("{part}-{tab}")).await?;
        assert_eq!(misplaced(page).await?, json!([]), "{what}, {width} pixels wide");
    }
    Ok(())
}

journey!(regions_do_not_overlap_at_any_width, async |page| {
    for width in WIDTHS {
        page.look(Viewport { width, height: 1000 }, Scheme::Light).await?;
        assert_eq!(misplaced(page).await?, json!([]), "the start page, {width} pixels wide");
    }
    page.look(Viewport { width: 1440, height: 1000 }, Scheme::Light).await?;
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see_order(page, "without a Subscription", "graph").await?;
    page.look(Viewport { width: 1440, height: 1000 }, Scheme::Light).await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
    click(page, "mark-installed").await?;
    page.test_id("verdict").await?;
    see_order(page, "the simulation", "simulate").await?;
    see_order(page, "with a simulation", "graph").await
});

journey!(popovers_of_the_graph_stay_within_its_region, async |page| {
    const OUTSIDE: &str = "
        const [popover, region] = [arguments[0], '.package .canvas'].map((one) => document.querySelector(one).getBoundingClientRect());
        return popover.height < 60 || popover.top < region.top || popover.left < region.left || popover.right > region.right + 1";
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await?.click().await?;
    click(page, "mark-installed").await?;
    click(page, "tab-graph").await?;
    for (width, height) in [(1440, 900), (1280, 720), (2560, 1300), (390, 844)] {
        page.look(Viewport { width, height }, Scheme::Light).await?;
        if width < 900 {
            click(page, "pane-graph").await?;
        }
        page.css("[data-testid='legend'] > summary").await?.click().await?;
        page.css("[data-testid='legend'] > .menu").await?;
        let outside = page.eval(OUTSIDE, vec![json!("[data-testid='legend'] > .menu")]).await?;
        assert_eq!(outside, json!(false), "all marks, {width} x {height}");
        page.css("[data-testid='legend'] > summary").await?.click().await?;
    }
    Ok(())
});

async fn width(page: &Page, id: &str) -> Result<f64> {
    let width =
        page.eval("return document.getElementById(arguments[0]).getBoundingClientRect().width", vec![json!(id)]);
    Ok(width.await?.as_f64().unwrap_or_default().floor())
}

journey!(boundaries_are_moved_by_keys_and_kept, async |page| {
    drop_fixture(page, "kitchen").await?;
    for (region, key, grows) in [("packages", Key::Right, true), ("details", Key::Right, false)] {
        let before = width(page, region).await?;
        let splitter = page.test_id(&format!("splitter-{region}")).await?;
        splitter.send_keys(&key.to_string()).await?;
        splitter.send_keys(&key.to_string()).await?;
        let by = if grows { 48.0 } else { -48.0 };
        see(page, &format!("the width of {region}"), before + by, async || width(page, region).await).await?;
        page.reload().await?;
        page.test_id("package-title").await?;
        see(page, &format!("the width of {region} at the next visit"), before + by, async || width(page, region).await)
            .await?;
        page.test_id(&format!("splitter-{region}")).await?.send_keys(&Key::Enter.to_string()).await?;
        see(page, &format!("the width of {region} after a reset"), before, async || width(page, region).await).await?;
    }
    Ok(())
});

journey!(typing_beside_the_graph_changes_it, async |page| {
    const NODES: &str = "[data-testid='graph-node'][data-channel='stable']";
    paste(page, &crate::steps::kettle(&["1.0.0", "1.1.0"])).await?;
    click(page, "split").await?;
    page.css("source-editor").await?;
    page.css(&format!("{NODES}[data-name='kettle.v1.1.0']")).await?.click().await?;
    let target = async || read(page, "source-editor", "e.targetText.split('\\n')[0]").await;
    see(page, "the lines of the selected entry", ["name: kettle.v1.1.0"].as_slice(), target).await?;
    crate::steps::find_in_source(page, "replaces: kettle.v1.0.0").await?;
    page.press(&Key::Backspace.to_string()).await?;
    see_texts(page, "[data-testid='graph'] .chip.error", &["2 heads"]).await
});

journey!(the_address_follows_the_selection, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "teapot").await?;
    select_package(page, "kettle").await?;
    click(page, "tab-table").await?;
    let address = async || Ok(page.eval("return location.hash", vec![]).await?.as_str().unwrap_or_default().to_owned());
    see(page, "the address", "#/kitchen/kettle/table", address).await?;
    let title = async || Ok(page.eval("return document.title", vec![]).await?.as_str().unwrap_or_default().to_owned());
    see(page, "the title", "kettle · Table – Opscope", title).await?;
    page.eval("history.go(-2)", vec![]).await?;
    see_texts(page, "[data-testid='package-title']", &["teapot"]).await?;
    page.eval("history.go(2)", vec![]).await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await?;
    page.test_id("table").await?;
    page.follow("/kitchen/teapot/findings").await?;
    see_texts(page, "[data-testid='package-title']", &["teapot"]).await?;
    page.test_id("tab-findings").await.map(drop)
});
