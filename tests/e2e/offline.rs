//! Without a network: the page stays in the browser, and a newer one takes its place.

use std::path::Path;

use serde_json::json;
use suite::browser::{BrowserError, Result, Scheme, WIDE, built, journey_of};

use crate::steps::{click, kept_for_offline, read, see, see_packages, see_texts, visit};

#[tokio::test]
async fn after_the_first_visit_the_page_needs_no_server() -> Result {
    visit(async |page| {
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
    visit(async |page| {
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
async fn a_newer_version_is_told_of_and_taken_with_a_reload() -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-newer-{}", std::process::id()));
    copy(&built()?, &folder)?;
    let outcome = journey_of(&folder, async |page| {
        page.look(WIDE, Scheme::Light).await?;
        kept_for_offline(page).await?;
        let keys = async || Ok(page.eval("return caches.keys()", vec![]).await?.as_array().map_or(0, Vec::len));
        see(page, "what is kept at first", 1, keys).await?;
        let script = folder.join("sw.js");
        let text = std::fs::read_to_string(&script).map_err(|error| BrowserError::File(script.clone(), error))?;
        let newer = text.replacen("const VERSION = \"", "const VERSION = \"newer", 1);
        std::fs::write(&script, newer).map_err(|error| BrowserError::File(script.clone(), error))?;
        page.reload().await?;
        page.text("A newer version of Opscope is here").await?;
        page.text("Reload").await?.click().await?;
        let taken = "return navigator.serviceWorker.getRegistration().then((it) => Boolean(it.active && !it.waiting))";
        see(page, "the newer version at work", true, async || page.eval(taken, vec![]).await).await?;
        page.test_id("empty").await?;
        see_texts(page, "[data-testid='notice']", &[]).await?;
        // The older one stays for other tabs.
        see(page, "what is kept in the end", 2, keys).await?;
        let main = read(page, "main", "e.id").await?;
        assert_eq!(main, ["package"]);
        Ok(())
    })
    .await;
    std::fs::remove_dir_all(&folder).map_err(|error| BrowserError::File(folder.clone(), error))?;
    outcome
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) -> Result {
    let failed = |error| BrowserError::File(to.to_path_buf(), error);
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).map_err(failed)?;
        }
    }
    Ok(())
}
