//! A module of the page or the worker that cannot be loaded: the page shows a message, and loads the module when the user
//! asks again.

use std::path::{Path, PathBuf};

use serde_json::json;
use suite::browser::{BrowserError, Key, Result};

use crate::steps::{click, drop_fixture, kettle, paste, see, see_packages, see_texts, subscribe, visit, visit_copy};

#[tokio::test]
async fn a_part_that_cannot_be_loaded_is_loaded_when_asked_again() -> Result {
    visit_copy("part", async |page, folder| {
        let put_back = take_away(folder, "split_simulation.wasm")?;
        drop_fixture(page, "kitchen").await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        subscribe(page, &[("package", "kettle"), ("channel", "stable")]).await?;
        page.text("A part of Opscope could not be loaded").await?;
        put_back()?;
        page.text("Try again").await?.click().await?;
        page.text("installs kettle.v1.3.0").await?;
        see_texts(page, "[data-testid='notice']", &[]).await?;
        only_says_that_a_file_is_missing(&page.console_errors().await?);
        Ok(())
    })
    .await
}

/// The graph is there before the findings.
#[tokio::test]
async fn catalogs_are_checked_when_the_part_that_does_it_comes() -> Result {
    visit_copy("checks", async |page, folder| {
        let put_back = take_away(folder, "split_analysis.wasm")?;
        let twice = "---\nschema: olm.package\nname: kettle\nname: kettle\n";
        paste(page, &(kettle(&["1.0.0", "1.1.0"]) + twice)).await?;
        page.css("[data-testid='graph']").await?;
        page.text("A part of Opscope could not be loaded").await?;
        put_back()?;
        page.text("Try again").await?.click().await?;
        click(page, "tab-findings").await?;
        page.text("Everything").await?.click().await?;
        page.css("[data-rule='duplicate-key']").await?;
        only_says_that_a_file_is_missing(&page.console_errors().await?);
        Ok(())
    })
    .await
}

/// Panels say it in their own place.
#[tokio::test]
async fn a_panel_that_cannot_be_loaded_is_loaded_when_asked_again() -> Result {
    visit(async |page| {
        // What the browser keeps for a visit without a network would be there.
        page.devtools("Network.setBypassServiceWorker", json!({ "bypass": true })).await?;
        page.block("*opscope-app*split_*").await?;
        page.reload().await?;
        drop_fixture(page, "kitchen").await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        click(page, "tab-table").await?;
        page.css("#package [data-testid='load-again']").await?;
        page.text("A part of Opscope could not be loaded").await?;
        page.press("?").await?;
        page.css("dialog [data-testid='load-again']").await?;
        page.block("").await?;
        page.css("dialog [data-testid='load-again']").await?.click().await?;
        page.test_id("shortcuts").await?;
        page.press(&Key::Escape.to_string()).await?;
        page.css("#package [data-testid='load-again']").await?.click().await?;
        page.test_id("table").await?;
        see(page, "the focus", json!("package"), async || page.eval("return document.activeElement.id", vec![]).await)
            .await?;
        only_says_that_a_file_is_missing(&page.console_errors().await?);
        Ok(())
    })
    .await
}

/// Removes a file of the worker. Returns what puts it back.
fn take_away(folder: &Path, name: &str) -> Result<impl FnOnce() -> Result> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error| BrowserError::File(path, error)
    };
    let folders = std::fs::read_dir(folder).map_err(failed(folder))?.filter_map(|entry| entry.ok());
    let workers = folders.filter(|entry| entry.file_name().to_string_lossy().starts_with("opscope-worker-"));
    let file = workers.map(|entry| entry.path().join(name)).find(|file| file.exists());
    let file: PathBuf = file.unwrap_or_else(|| panic!("no folder of {} has {name}", folder.display()));
    let content = std::fs::read(&file).map_err(failed(&file))?;
    std::fs::remove_file(&file).map_err(failed(&file))?;
    Ok(move || std::fs::write(&file, content).map_err(failed(&file)))
}

fn only_says_that_a_file_is_missing(errors: &[String]) {
    let signs = ["404", "WebAssembly", "ERR_BLOCKED", "Failed to fetch"];
    let is_expected = |error: &String| signs.iter().any(|sign| error.contains(sign));
    assert!(!errors.is_empty() && errors.iter().all(is_expected), "{errors:?}");
}
