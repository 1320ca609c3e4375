//! Steps that many journeys take: what a user does, and what the page must show then.

use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use suite::browser::{
    BrowserError, Element, Key, NARROW, Page, Result, Scheme, WIDE, built, journey_in, quick_journey,
};
pub(crate) use suite::inputs::{fixture, kettle};

/// A journey in a window that is wide enough for all regions.
pub(crate) async fn visit(test: impl AsyncFnOnce(&Page) -> Result) -> Result {
    quick_journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        test(page).await
    })
    .await
}

/// The same with a copy of the built page, in a folder that it may change.
pub(crate) async fn visit_copy(name: &str, test: impl AsyncFnOnce(&Page, &Path) -> Result) -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-{name}-{}", std::process::id()));
    copy(&built()?, &folder)?;
    let outcome = journey_in(&folder, async |page| {
        page.look(WIDE, Scheme::Light).await?;
        test(page, &folder).await
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

/// Drops a folder of the fixtures and waits until its chip is there. Of several packages it selects the first one.
pub(crate) async fn drop_fixture(page: &Page, name: &str) -> Result {
    page.css("[data-testid='empty'], [data-testid='cluster-only'], [data-testid='catalog-chip']").await?;
    page.drop_paths(&[&fixture(name)]).await?;
    page.css(&format!("[data-testid='catalog-chip'][data-name='{name}']")).await?;
    select_first(page).await
}

/// Selects the first package, by name, of the catalog whose overview is shown.
pub(crate) async fn select_first(page: &Page) -> Result {
    const SELECT: &str = "
        const title = document.querySelector(`[data-testid='package-title']`)?.textContent;
        const rows = [...document.querySelectorAll(`[data-testid='package-row']`)];
        const own = rows.filter((row) => row.dataset.catalog === title);
        own.sort((a, b) => (a.dataset.name < b.dataset.name ? -1 : 1))[0]?.click()";
    page.eval(SELECT, vec![]).await.map(drop)
}

/// Opens the dialog of a catalog from its overview.
pub(crate) async fn edit_catalog(page: &Page, name: &str) -> Result {
    page.css(&format!("[data-testid='catalog-chip'][data-name='{name}']")).await?.click().await?;
    click(page, "catalog-edit").await
}

/// Pastes a catalog or manifests outside of any text field, as Ctrl-V does.
pub(crate) async fn paste(page: &Page, text: &str) -> Result {
    paste_text(page, text).await?;
    page.css("[data-testid='package-title'], [data-testid='cluster']").await.map(drop)
}

/// Pastes any text so.
pub(crate) async fn paste_text(page: &Page, text: &str) -> Result {
    const PASTE: &str = "
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', arguments[0]);
        document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))";
    page.css("[data-testid='empty'], [data-testid='catalog-chip']").await?;
    page.eval(PASTE, vec![json!(text)]).await.map(drop)
}

/// Clicks the element of a test id. If it is in a closed menu, opens the menu first; a way to see the updates of a package
/// is below the tab of the graph.
pub(crate) async fn click(page: &Page, test_id: &str) -> Result {
    if ["tab-findings", "tab-reach", "tab-table"].contains(&test_id)
        && page.all(&format!("[data-testid='{test_id}']")).await?.is_empty()
    {
        page.css("[data-testid='tab-graph'], [data-testid='pane-graph']").await?.click().await?;
    }
    page.open_menu_of(&format!("[data-testid='{test_id}']")).await?;
    Ok(page.test_id(test_id).await?.click().await?)
}

/// Chooses how the graph is drawn. The choice is in a menu, but for the channel map, which has it in sight.
pub(crate) async fn choose_layout(page: &Page, name: &str) -> Result {
    const OPEN_MENU: &str =
        "document.querySelector(`.canvas:not([hidden]) [data-testid='drawing-menu']:not([open]) > summary`)?.click()";
    page.eval(OPEN_MENU, vec![]).await?;
    Ok(page.text(name).await?.click().await?)
}

/// Replaces the text of a field and leaves the field.
pub(crate) async fn fill(field: &Element, text: &str) -> Result {
    field.send_keys(&(Key::Control + "a")).await?;
    field.send_keys(&(text.to_owned() + &Key::Tab)).await?;
    Ok(())
}

/// Types the name of a package to add it as an operator, and waits for its fields.
pub(crate) async fn add_operator(page: &Page, package: &str) -> Result {
    page.test_id("add-package").await?.send_keys(&(package.to_owned() + &Key::Enter)).await?;
    let text = format!("[...document.querySelectorAll('.form-card.pressed legend')].map((e) => e.textContent)");
    see(page, "the fields of the operator", json!([package]), async || {
        page.eval(&format!("return {text}"), vec![]).await
    })
    .await
}

/// Adds a Subscription and sets fields by the end of their test ids; the package first.
pub(crate) async fn subscribe(page: &Page, fields: &[(&str, &str)]) -> Result {
    click(page, "tab-simulate").await?;
    let [(_, package), fields @ ..] = fields else { return Ok(()) };
    add_operator(page, package).await?;
    for (name, text) in fields {
        let css = format!(".form-card.pressed [data-testid='subscription-{name}']");
        let field = page.css(&css).await?;
        if field.tag_name().await? != "select" {
            fill(&field, text).await?;
        } else if field.prop("value").await?.as_deref() != Some(*text) {
            let option = format!("{css} option[value='{text}']");
            let offered = async || Ok(page.all(&option).await?.into_iter().next());
            page.wait_for(&format!("`{text}` among the choices of `{name}`"), offered).await?;
            field.select_by_value(text).await?;
            page.css("[data-testid='tried-keep']:not([disabled])").await?.click().await?;
        }
    }
    Ok(())
}

/// Presses an operator on the board, unless it is: its fields are shown.
pub(crate) async fn press_lane(page: &Page, name: &str) -> Result {
    let lane = page.css(&format!(".board-picture.wide .spot[aria-label='{name}']")).await?;
    if page.all(".form-card.pressed").await?.is_empty() {
        lane.click().await?;
    }
    page.css(".form-card.pressed").await?;
    Ok(())
}

/// The texts of all matching elements, with single spaces.
pub(crate) async fn texts(page: &Page, css: &str) -> Result<Vec<String>> {
    read(page, css, "e.textContent.replace(/\\s+/g, ' ').trim()").await
}

/// The results of a script for all matching elements, each as `e`.
pub(crate) async fn read(page: &Page, css: &str, script: &str) -> Result<Vec<String>> {
    let body = format!("return [...document.querySelectorAll(arguments[0])].map((e) => String({script}))");
    let found = page.eval(&body, vec![json!(css)]).await?;
    let list = found.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Waits until `look` returns `expected`; fails with what it returned last.
pub(crate) async fn see<T: PartialEq<E> + Debug, E: Debug>(
    page: &Page,
    what: &str,
    expected: E,
    look: impl AsyncFn() -> Result<T>,
) -> Result {
    let seen = page.wait_for(what, async || Ok((look().await? == expected).then_some(()))).await;
    if seen.is_err() {
        assert_eq!(look().await?, expected, "{what}");
    }
    seen
}

/// Waits until the matching elements have these texts.
pub(crate) async fn see_texts(page: &Page, css: &str, expected: &[&str]) -> Result {
    see(page, &format!("the texts of `{css}`"), expected, async || texts(page, css).await).await
}

/// Waits until the list has these packages.
pub(crate) async fn see_packages(page: &Page, expected: &[&str]) -> Result {
    let names = async || read(page, "[data-testid='package-row']", "e.dataset.name").await;
    see(page, "the packages of the list", expected, names).await
}

/// Selects a package and waits until its graph is there.
pub(crate) async fn select_package(page: &Page, name: &str) -> Result {
    page.css(&format!("[data-testid='package-row'][data-name='{name}']")).await?.click().await?;
    page.css(&format!("[data-testid='graph'][aria-label='Update graph of {name}']")).await.map(drop)
}

/// Waits until the source has this text.
pub(crate) async fn see_source(page: &Page, expected: &str) -> Result {
    let text = async || Ok(read(page, "[data-testid='source-text']", "e.value").await?.join(""));
    see(page, "the text of the source", expected, text).await
}

/// Opens what is folded in the details.
pub(crate) async fn open_folds(page: &Page) -> Result {
    page.css(".inspector .fold-row").await?;
    page.eval("document.querySelectorAll('.inspector .fold-row').forEach((fold) => fold.open = true)", vec![]).await?;
    Ok(())
}

/// The results of a script for all matching elements in the editor, each as `e`.
pub(crate) async fn inside(page: &Page, css: &str, script: &str) -> Result<Vec<String>> {
    let found = format!("[...e.shadowRoot.querySelectorAll({})].map((e) => {script}).join('\\n')", json!(css));
    let joined = read(page, "[data-testid='source-text']", &found).await?.join("");
    Ok(joined.split('\n').filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// Finds the first `text` in the source from where the cursor is, as a user does, and puts the cursor behind it.
pub(crate) async fn find_in_source(page: &Page, text: &str) -> Result {
    page.test_id("source-text").await?.click().await?;
    page.press(&(Key::Control + &Key::Home)).await?;
    page.press(&(Key::Control + "f")).await?;
    page.press(text).await?;
    let selected = async || Ok(read(page, "[data-testid='source-text']", "e.selectedText").await?.join(""));
    page.press(&Key::Enter.to_string()).await?;
    see(page, "what is found", text, selected).await?;
    page.press(&Key::Escape.to_string()).await?;
    page.press(&Key::Right.to_string()).await
}

/// Puts the cursor behind the first `after` of the source and types.
pub(crate) async fn type_after(page: &Page, after: &str, text: &str) -> Result {
    find_in_source(page, after).await?;
    page.press(text).await
}

/// Waits until a file in the browser's store holds a text: the worker saves when it has nothing else to do.
pub(crate) async fn kept(page: &Page, text: &str) -> Result {
    let kept = async || is_kept(page, text).await;
    see(page, &format!("whether `{text}` is in the browser's store"), true, kept).await
}

/// Waits until no file in the browser's store holds a text.
pub(crate) async fn forgotten(page: &Page, text: &str) -> Result {
    let kept = async || is_kept(page, text).await;
    see(page, &format!("whether `{text}` is in the browser's store"), false, kept).await
}

async fn is_kept(page: &Page, text: &str) -> Result<bool> {
    const KEPT: &str = "
        const settled = (request) => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
        const holds = async (text) => {
            const database = await settled(indexedDB.open('opscope'));
            const rows = await settled(database.transaction('files').objectStore('files').getAll());
            database.close();
            const texts = await Promise.all(rows.filter((row) => row instanceof Blob).map((blob) => blob.text()));
            return texts.some((kept) => kept.includes(text));
        };
        return holds(arguments[0])";
    Ok(page.eval(KEPT, vec![json!(text)]).await? == true)
}

/// Waits until the service worker has the page and controls it. A browser that is busy may put its installation off until the next
/// visit.
pub(crate) async fn kept_for_offline(page: &Page) -> Result {
    let controlled = async || page.eval("return Boolean(navigator.serviceWorker.controller)", vec![]).await;
    let is_kept = || see(page, "the script that keeps the page", true, controlled);
    if let Ok(seen) = tokio::time::timeout(Duration::from_secs(20), is_kept()).await {
        return seen;
    }
    page.reload().await?;
    is_kept().await
}

/// Checks that axe finds nothing: wide in both colour schemes, and on a phone.
pub(crate) async fn is_accessible(page: &Page) -> Result {
    for (size, scheme) in [(WIDE, Scheme::Dark), (NARROW, Scheme::Light), (WIDE, Scheme::Light)] {
        page.look(size, scheme).await?;
        let found = page.violations().await?;
        assert!(found.is_empty(), "{scheme:?}:\n{}", found.join("\n"));
    }
    Ok(())
}
