//! axe-core in every panel and dialog, in both colour schemes: nothing is found.

use suite::browser::{Key, NARROW, Page, Result, Scheme, Viewport, WIDE};

use crate::steps::{choose_layout, click, read, see_packages, see_texts};

/// Fails when axe-core finds something in one of the colour schemes.
async fn check(page: &Page, what: &str) -> Result {
    for scheme in [Scheme::Light, Scheme::Dark] {
        page.look(WIDE, scheme).await?;
        let found = page.violations().await?;
        assert!(found.is_empty(), "{what}, {scheme:?}:\n{}", found.join("\n"));
    }
    Ok(())
}

async fn close(page: &Page) -> Result {
    page.press(&Key::Escape.to_string()).await?;
    see_texts(page, "dialog", &[]).await
}

async fn open_example(page: &Page, slug: &str) -> Result {
    page.css("[data-testid='empty'], [data-testid='catalog-chip']").await?;
    click(page, "examples").await?;
    page.css(&format!("[data-testid='example-row'][data-name='{slug}']")).await?.click().await?;
    page.test_id("simulation-result").await.map(drop)
}

journey!(axe_finds_nothing_on_the_start_page_and_its_dialogs, async |page| {
    page.test_id("empty").await?;
    check(page, "the start").await?;
    for (button, dialog) in [("examples", "examples-dialog"), ("paste", "paste-dialog")] {
        click(page, button).await?;
        page.test_id(dialog).await?;
        check(page, dialog).await?;
        close(page).await?;
    }
    page.press("?").await?;
    page.test_id("shortcuts").await?;
    check(page, "the shortcuts").await?;
    close(page).await
});

journey!(axe_finds_nothing_in_the_views_of_a_package, async |page| {
    click(page, "example").await?;
    see_packages(page, &["kettle-operator", "water-operator"]).await?;
    page.css("[data-testid='graph-node'][data-name='kettle-operator.v1.2.1']").await?.click().await?;
    page.test_id("entry-name").await?;
    // Every view that has a tab, also those that are added later.
    let tabs = read(page, "[role='tab']:not([data-testid='way-graph'])", "e.dataset.testid").await?;
    assert!(tabs.len() >= 7, "{tabs:?}");
    for tab in tabs {
        click(page, &tab).await?;
        check(page, &tab).await?;
    }
    click(page, "tab-graph").await?;
    choose_layout(page, "Channel map").await?;
    page.css("[data-testid='map-channel']").await?.click().await?;
    page.test_id("map-switches").await?;
    check(page, "the channel map").await?;
    choose_layout(page, "Dots").await?;
    click(page, "catalog-chip").await?;
    page.test_id("catalog-overview").await?;
    check(page, "the overview").await?;
    for (button, dialog) in [("share", "share-dialog"), ("catalog-edit", "catalog-dialog")] {
        click(page, button).await?;
        page.test_id(dialog).await?;
        check(page, dialog).await?;
        close(page).await?;
    }
    click(page, "clear").await?;
    page.test_id("notice").await?;
    check(page, "a notice").await
});

journey!(axe_finds_nothing_in_any_kind_of_result, async |page| {
    for slug in ["version-deadlock", "two-conflicts", "exclusive-updates", "manual-approval", "unknown-package"] {
        open_example(page, slug).await?;
        check(page, slug).await?;
    }
    Ok(())
});

journey!(axe_finds_nothing_on_a_phone, async |page| {
    open_example(page, "two-conflicts").await?;
    for scheme in [Scheme::Light, Scheme::Dark] {
        page.look(NARROW, scheme).await?;
        for pane in read(page, "[data-testid^='pane-']", "e.dataset.testid").await? {
            click(page, &pane).await?;
            let found = page.violations().await?;
            assert!(found.is_empty(), "{pane}, {scheme:?}:\n{}", found.join("\n"));
        }
    }
    Ok(())
});

/// From a phone to a very wide screen.
const WIDTHS: [u32; 7] = [390, 768, 1024, 1440, 1920, 2560, 3440];

/// Checks every view that can be chosen at these widths, in both colour schemes.
async fn check_at(page: &Page, widths: &[u32]) -> Result {
    for &width in widths {
        for scheme in [Scheme::Light, Scheme::Dark] {
            page.look(Viewport { width, height: 900 }, scheme).await?;
            if width <= 900 {
                click(page, "pane-graph").await?;
            }
            let seen = "e.checkVisibility() ? e.dataset.testid : ''";
            let views = "[role='tab']:not([data-testid='way-graph']), [data-testid^='pane-']";
            let views = read(page, views, seen).await?;
            for view in views.iter().filter(|view| !view.is_empty()) {
                click(page, view).await?;
                let found = page.violations().await?;
                assert!(found.is_empty(), "{view} at {width}, {scheme:?}:\n{}", found.join("\n"));
            }
        }
    }
    Ok(())
}

journey!(axe_finds_nothing_at_narrow_widths, async |page| {
    open_example(page, "two-conflicts").await?;
    check_at(page, &WIDTHS[..3]).await
});

journey!(axe_finds_nothing_at_wide_widths, async |page| {
    open_example(page, "two-conflicts").await?;
    check_at(page, &WIDTHS[3..]).await
});

journey!(axe_finds_nothing_on_the_start_page_at_any_width, async |page| {
    page.test_id("empty").await?;
    for width in WIDTHS {
        for scheme in [Scheme::Light, Scheme::Dark] {
            page.look(Viewport { width, height: 900 }, scheme).await?;
            let found = page.violations().await?;
            assert!(found.is_empty(), "{width}, {scheme:?}:\n{}", found.join("\n"));
        }
    }
    Ok(())
});
