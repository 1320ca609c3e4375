//! Without a network: the browser keeps the page, and a newer version replaces it.

use std::path::Path;

use serde_json::{Value, json};
use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, journey};

use crate::steps::{click, kept_for_offline, read, see, see_packages, see_texts, visit_copy};

#[tokio::test]
async fn after_the_first_visit_the_page_needs_no_server() -> Result {
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.test_id("empty").await?;
        kept_for_offline(page).await?;
        page.cut_off();
        page.reload().await?;
        page.test_id("empty").await?;
        // The worker was not started before.
        click(page, "examples").await?;
        page.css("[data-testid='example-row'][data-name='version-deadlock']").await?.click().await?;
        see_packages(page, &["a-operator", "b-operator"]).await?;
        see_texts(page, "[data-testid='package-title']", &["a-operator"]).await?;
        page.test_id("verdict").await.map(drop)
    })
    .await
}

#[tokio::test]
async fn the_page_can_be_installed() -> Result {
    journey(async |page| {
        kept_for_offline(page).await?;
        let errors = page.devtools("Page.getInstallabilityErrors", json!({})).await?;
        assert_eq!(errors["installabilityErrors"], json!([]));
        let manifest = page.devtools("Page.getAppManifest", json!({})).await?;
        assert_eq!(manifest["errors"], json!([]));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_newer_version_is_announced_and_loaded_on_request() -> Result {
    visit_site("newer", async |page, folder| {
        see(page, "what is kept at first", 1, async || caches(page).await).await?;
        change(&folder.join("sw.js"), "const VERSION = \"", "const VERSION = \"newer")?;
        page.reload().await?;
        page.text("A newer version of Opscope is ready").await?;
        // It is announced again until the user loads it.
        page.reload().await?;
        page.text("A newer version of Opscope is ready").await?;
        take_newer(page).await?;
        page.test_id("empty").await?;
        see_texts(page, "[data-testid='notice']", &[]).await?;
        // The older version stays for other tabs.
        see(page, "what is kept in the end", 2, async || caches(page).await).await?;
        let package = read(page, "#package", "e.tagName").await?;
        assert_eq!(package, ["SECTION"]);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_version_that_does_not_start_is_replaced_by_a_newer_one() -> Result {
    visit_site("broken", async |page, folder| {
        let (home, keeper) = (folder.join("index.html"), folder.join("sw.js"));
        let (whole, kept) = (read_text(&home)?, read_text(&keeper)?);
        change(&home, "_bg.wasm", "_bg.gone")?;
        change(&keeper, "const VERSION = \"", "const VERSION = \"broken")?;
        change(&keeper, "[\"./\",\"", "[\"./\",\"none-")?;
        page.reload().await?;
        page.text("A newer version of Opscope is ready").await?;
        page.text("Reload").await?.click().await?;
        page.text("Opscope could not start").await?;
        write_text(&home, &whole)?;
        write_text(&keeper, &kept.replacen("const VERSION = \"", "const VERSION = \"mended", 1))?;
        page.reload().await?;
        // The browser looks for a newer version by itself; the next load has it.
        see(page, "the mended version at hand", true, async || waits(page).await).await?;
        page.reload().await?;
        page.test_id("empty").await?;
        let errors = page.console_errors().await?;
        assert!(!errors.is_empty() && errors.iter().all(|error| error.contains("_bg.gone")), "{errors:?}");
        Ok(())
    })
    .await
}

/// A journey with a copy of the built page that it may change. It begins when the browser keeps the page.
async fn visit_site(name: &str, test: impl AsyncFnOnce(&Page, &Path) -> Result) -> Result {
    visit_copy(name, async |page, folder| {
        kept_for_offline(page).await?;
        test(page, folder).await
    })
    .await
}

async fn take_newer(page: &Page) -> Result {
    page.text("Reload").await?.click().await?;
    let taken = "return navigator.serviceWorker.getRegistration().then((it) => Boolean(it.active && !it.waiting))";
    see(page, "the newer version at work", true, async || page.eval(taken, vec![]).await).await
}

async fn waits(page: &Page) -> Result<Value> {
    page.eval("return navigator.serviceWorker.getRegistration().then((it) => Boolean(it.waiting))", vec![]).await
}

/// The number of versions that the browser keeps.
async fn caches(page: &Page) -> Result<usize> {
    Ok(page.eval("return caches.keys()", vec![]).await?.as_array().map_or(0, Vec::len))
}

fn change(file: &Path, what: &str, to: &str) -> Result {
    let text = read_text(file)?;
    assert!(text.contains(what), "{what} in {}", file.display());
    write_text(file, &text.replace(what, to))
}

fn read_text(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).map_err(|error| BrowserError::File(file.to_path_buf(), error))
}

fn write_text(file: &Path, text: &str) -> Result {
    std::fs::write(file, text).map_err(|error| BrowserError::File(file.to_path_buf(), error))
}
