//! The layout stands still: what comes and goes moves nothing else, and nothing makes the page scroll.

use serde_json::{Value, json};
use suite::browser::{Page, Result, Scheme, Viewport};

use crate::steps::{click, drop_fixture, kettle, paste, read, see, see_texts, select_package};

/// The left edges of matching tabs, CSS pixels.
async fn tabs(page: &Page, css: &str) -> Result<Vec<String>> {
    read(page, css, "String(Math.round(e.getBoundingClientRect().left))").await
}

/// How much longer and wider the page is than the window, CSS pixels.
async fn beyond_the_window(page: &Page) -> Result<Value> {
    const BEYOND: &str = "
        const { scrollWidth, scrollHeight } = document.scrollingElement;
        return [scrollWidth - innerWidth, scrollHeight - innerHeight]";
    page.eval(BEYOND, vec![]).await
}

async fn compare_releases(page: &Page) -> Result {
    drop_fixture(page, "release-after").await?;
    drop_fixture(page, "release-before").await?;
    click(page, "tab-compare").await?;
    page.css(".compare .answer > h2").await.map(drop)
}

journey!(tabs_stay_in_place_while_badges_and_packages_change, async |page| {
    drop_fixture(page, "kitchen").await?;
    for width in [1440, 1920, 2560] {
        page.look(Viewport { width, height: 900 }, Scheme::Light).await?;
        select_package(page, "kettle").await?;
        let places = tabs(page, ".top [role='tab']").await?;
        assert_eq!(places.len(), 4);
        select_package(page, "teapot").await?;
        assert_eq!(tabs(page, ".top [role='tab']").await?, places, "another package at {width}");
        for tab in read(page, ".top [role='tab']", "e.dataset.testid").await? {
            click(page, &tab).await?;
            assert_eq!(tabs(page, ".top [role='tab']").await?, places, "{tab} is selected at {width}");
        }
        click(page, "tab-graph").await?;
    }
    Ok(())
});

journey!(a_badge_that_comes_moves_no_tab, async |page| {
    let whole = kettle(&["1.0.0", "1.1.0"]);
    // Without an update between them, its channel has two heads.
    let broken = whole.replace("  replaces: kettle.v1.0.0\n", "").replace("kettle", "teapot");
    paste(page, &format!("{whole}---\n{broken}")).await?;
    let badge =
        async || Ok(read(page, "[data-testid='tab-findings'] .number", "e.textContent").await?.concat().is_empty());
    select_package(page, "kettle").await?;
    see(page, "that there is no badge", true, badge).await?;
    let places = tabs(page, "[role='tab']").await?;
    select_package(page, "teapot").await?;
    see(page, "that there is no badge", false, badge).await?;
    assert_eq!(tabs(page, "[role='tab']").await?, places);
    Ok(())
});

journey!(compare_does_not_make_the_page_scroll, async |page| {
    compare_releases(page).await?;
    // The whole text of the change, too.
    page.eval("document.querySelectorAll('.compare details').forEach((it) => { it.open = true })", vec![]).await?;
    see(page, "what is beyond the window", json!([0, 0]), async || beyond_the_window(page).await).await
});

journey!(nothing_is_wider_than_the_window, async |page| {
    compare_releases(page).await?;
    for width in [390, 600, 768, 1024, 1440, 2560, 3440] {
        for scheme in [Scheme::Light, Scheme::Dark] {
            page.look(Viewport { width, height: 900 }, scheme).await?;
            let tabs = read(page, "[role='tab']", "e.getClientRects().length ? e.dataset.testid : ''").await?;
            for tab in tabs.iter().filter(|tab| !tab.is_empty()) {
                click(page, tab).await?;
                assert_eq!(beyond_the_window(page).await?, json!([0, 0]), "{tab} at {width}, {scheme:?}");
            }
        }
    }
    Ok(())
});

/// Counts how often the middle of the page has no drawing while another package is selected.
const GAPS: &str = "
    window.gaps = [];
    new MutationObserver(() => {
        if (!document.querySelector(\".views [data-testid='graph-node']\")) {
            window.gaps.push(document.querySelector('.views').textContent);
        }
    }).observe(document.querySelector('.views'), { subtree: true, childList: true })";

journey!(the_graph_before_stays_until_the_next_one_is_there, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    page.test_id("graph-node").await?;
    page.eval(GAPS, vec![]).await?;
    for name in ["teapot", "kettle", "teapot"] {
        select_package(page, name).await?;
        page.css(".canvas:not(.outdated)").await?;
    }
    assert_eq!(page.eval("return window.gaps", vec![]).await?, json!([]));
    Ok(())
});

/// Counts how often a part of the page is empty while another package is selected.
const BLANKS: &str = "
    window.gaps = 0;
    new MutationObserver(() => {
        if (!document.querySelector(arguments[0])) window.gaps += 1;
    }).observe(document.body, { subtree: true, childList: true })";

journey!(details_and_reach_before_stay_until_the_next_ones_are_there, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    for (tab, part, name) in [
        ("tab-graph", "[data-testid='subject-title']", "[data-testid='subject-title']"),
        ("tab-reach", "[data-testid='reach'] tbody", "[data-testid='package-title']"),
    ] {
        click(page, tab).await?;
        page.css(part).await?;
        page.eval(&BLANKS.replace("arguments[0]", &json!(part).to_string()), vec![]).await?;
        for package in ["teapot", "kettle"] {
            page.css(&format!("[data-testid='package-row'][data-name='{package}']")).await?.click().await?;
            see_texts(page, name, &[package]).await?;
            page.css(":is(.inspector, .reach):not(:has([aria-busy])):not([aria-busy])").await?;
        }
        assert_eq!(page.eval("return window.gaps", vec![]).await?, json!(0), "{part}");
    }
    Ok(())
});

/// Keeps what the comparison shows whenever it has no headline.
const HEADLINES: &str = "
    window.gaps = [];
    new MutationObserver(() => {
        if (!document.querySelector('.compare .answer > h2')) {
            window.gaps.push(document.querySelector('.compare')?.textContent);
        }
    }).observe(document.querySelector('.views'), { subtree: true, childList: true })";

journey!(the_comparison_before_stays_until_the_next_one_is_there, async |page| {
    compare_releases(page).await?;
    let headline = async || read(page, ".compare .answer > h2", "e.textContent").await;
    let before = headline().await?;
    page.eval(HEADLINES, vec![]).await?;
    click(page, "compare-swap").await?;
    see(page, "whether the headline is another one", true, async || Ok(headline().await? != before)).await?;
    assert_eq!(page.eval("return window.gaps", vec![]).await?, json!([]));
    Ok(())
});

journey!(the_list_of_packages_is_wide_where_there_is_room, async |page| {
    const WIDTH: &str = "return document.querySelector('.packages').getBoundingClientRect().width >= arguments[0]";
    drop_fixture(page, "kitchen").await?;
    for (width, least) in [(1440, 250), (2560, 400)] {
        page.look(Viewport { width, height: 1300 }, Scheme::Light).await?;
        assert_eq!(page.eval(WIDTH, vec![json!(least)]).await?, true, "at {width}");
    }
    Ok(())
});

/// What notices cover: the other regions that they overlap.
const COVERED: &str = "
    const box = (element) => element.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const notices = [...document.querySelectorAll('.notice')].map(box);
    const regions = document.querySelectorAll('.app > :is(.top, .packages, .panes), .app > main > *, .inspector');
    const seen = [...regions].filter((region) => region.checkVisibility() && box(region).width > 1);
    const covered = seen.filter((region) => notices.some((notice) => meet(notice, box(region))));
    const outside = notices.filter((notice) => notice.bottom > innerHeight + 1 || notice.right > innerWidth + 1);
    return [notices.length, ...covered.map((region) => region.className), ...outside.map(() => 'outside')]";

journey!(a_notice_covers_nothing, async |page| {
    for width in [390, 768, 1024, 1440, 3440] {
        page.look(Viewport { width, height: 800 }, Scheme::Light).await?;
        page.drop_texts("body", &[("build.sh", "#!/bin/sh\nset -e\n")]).await?;
        page.test_id("notice").await?;
        assert_eq!(page.eval(COVERED, vec![]).await?, json!([1]), "the start page at {width}");
    }
    drop_fixture(page, "kitchen").await?;
    for width in [390, 768, 1024, 1440, 3440] {
        page.look(Viewport { width, height: 800 }, Scheme::Light).await?;
        page.drop_texts("body", &[("build.sh", "#!/bin/sh\nset -e\n")]).await?;
        page.test_id("notice").await?;
        assert_eq!(page.eval(COVERED, vec![]).await?, json!([1]), "at {width}");
    }
    Ok(())
});
