//! Sharing a session: as a link into another browser, as a file, embedded in another page; and invalid links.

use std::path::{Path, PathBuf};

use serde_json::json;
use suite::browser::{BrowserError, Page, Result};

use crate::steps::{click, drop_fixture, edit_catalog, paste, read, see, see_packages, see_texts, subscribe, visit};

/// What is behind the `#` of the link that the page offers.
async fn offered(page: &Page) -> Result<String> {
    click(page, "share").await?;
    page.test_id("share-link").await?;
    let link = read(page, "[data-testid='share-link']", "e.value").await?.join("");
    let fragment = link.split_once('#').map(|(_, fragment)| fragment.to_owned());
    fragment.ok_or_else(|| BrowserError::Unexpected(format!("expected a link, found `{link}`")))
}

/// A text compressed and encoded as in a link.
async fn packed(page: &Page, script: &str) -> Result<String> {
    let body = format!(
        "const stream = new Blob([{script}]).stream().pipeThrough(new CompressionStream('deflate-raw'));
        return new Response(stream).arrayBuffer().then((buffer) => {{
            const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
            return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
        }})"
    );
    Ok(page.eval(&body, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

// The last one is what OLM adds.
const HOPS: [&str; 4] = ["1.1.0", "1.2.1", "2.0.0", "0.3.1"];

#[tokio::test]
async fn a_link_shows_the_same_in_another_browser() -> Result {
    let mut link = String::new();
    visit(async |page| {
        click(page, "example").await?;
        see_texts(page, "[data-testid='package-title']", &["kettle-operator"]).await?;
        subscribe(page, &[("package", "kettle-operator"), ("starting-csv", "kettle-operator.v1.1.0")]).await?;
        see_texts(page, "[data-testid='board'] .wide .version .label", &HOPS).await?;
        click(page, "tab-graph").await?;
        page.css("[data-testid='graph-node'][data-name='kettle-operator.v1.2.1']").await?.click().await?;
        see_texts(page, "[data-testid='entry-name']", &["kettle-operator.v1.2.1"]).await?;
        click(page, "tab-table").await?;
        link = offered(page).await?;
        assert!(link.starts_with("share=1.") && link.len() < 4_000, "{} characters: {link}", link.len());
        click(page, "share-copy").await?;
        see(page, "whether it was copied", true, async || {
            let said = read(page, "[data-testid='share-copied']", "e.textContent").await?.join("");
            Ok(said.starts_with("Copied") || said.starts_with("The browser"))
        })
        .await?;
        page.press(&suite::browser::Key::Escape.to_string()).await?;
        let again = offered(page).await?;
        assert_eq!(again, link, "the same visit makes the same link");
        Ok(())
    })
    .await?;
    visit(async |page| {
        page.follow(&link).await?;
        see_texts(page, "[data-testid='board'] .wide .version .label", &HOPS).await?;
        see_texts(page, "[data-testid='package-title']", &["kettle-operator"]).await?;
        see_texts(page, "[data-testid='entry-name']", &["kettle-operator.v1.2.1"]).await?;
        see_texts(page, "[role='tab'][aria-selected='true']", &["Graph", "Table"]).await?;
        see_texts(page, "[data-testid='notice']", &[]).await?;
        let address = page.eval("return location.hash", vec![]).await?;
        let address = address.as_str().unwrap_or_default();
        assert!(address.starts_with("#/pasted/"), "a reload opens what was made of it, not the link again: {address}");
        // The session is the user's own now: the next link asks.
        page.follow(&link).await?;
        page.test_id("link-dialog").await?;
        click(page, "link-keep").await?;
        see_texts(page, "dialog", &[]).await
    })
    .await
}

journey!(a_link_asks_before_it_replaces_catalogs_and_can_be_undone, async |page| {
    drop_fixture(page, "kitchen").await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    page.follow("catalog=schema%3A%20olm.package%0Aname%3A%20guest%0A").await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    click(page, "link-open").await?;
    see_packages(page, &["guest"]).await?;
    page.press(&(suite::browser::Key::Control + "z")).await?;
    see_packages(page, &["kettle", "teapot"]).await?;
    // The same from within the page, with the other spelling of the fragment.
    page.eval("location.hash = 'catalog=' + btoa('schema: olm.package\\nname: guest\\n')", vec![]).await?;
    click(page, "link-open").await?;
    see_packages(page, &["guest"]).await
});

/// A catalog that does not compress: names without a pattern.
fn large() -> String {
    let mut seed: u64 = 9;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("{seed:016x}")
    };
    (0..2_500).map(|_| format!("schema: olm.package\nname: p{}{}\n---\n", next(), next())).collect()
}

#[tokio::test]
async fn a_session_too_large_for_a_link_is_shared_as_a_file() -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-shared-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| BrowserError::File(folder.clone(), error))?;
    let outcome = by_file(&folder).await;
    std::fs::remove_dir_all(&folder).map_err(|error| BrowserError::File(folder.clone(), error))?;
    outcome
}

async fn by_file(folder: &Path) -> Result {
    let count = async |page: &Page| Ok(read(page, "[data-testid='catalog-chip']", "e.title").await?.join(""));
    let file: PathBuf = folder.join("visit.opscope");
    visit(async |page| {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
        page.devtools("Browser.setDownloadBehavior", behaviour).await?;
        paste(page, &large()).await?;
        click(page, "share").await?;
        page.test_id("share-too-long").await?;
        click(page, "share-file").await?;
        page.wait_for("the file", async || Ok(file.is_file().then_some(()))).await
    })
    .await?;
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        page.drop_paths(&[&file]).await?;
        see(page, "the chip", "pasted: 2500 packages, priority 0, 2000 errors, 2 hints", async || count(page).await)
            .await?;
        page.text("Undo").await?.click().await?;
        see_packages(page, &["kettle", "teapot"]).await
    })
    .await
}

journey!(an_invalid_link_changes_nothing_and_gets_a_message, async |page| {
    drop_fixture(page, "kitchen").await?;
    let link = offered(page).await?;
    page.press(&suite::browser::Key::Escape.to_string()).await?;
    let bomb = format!("share=1.{}", packed(page, "' '.repeat(20 * 1024 * 1024)").await?);
    let cut = link[..link.len() / 2].to_owned();
    let cases = [
        (cut.as_str(), "damaged"),
        ("share=", "damaged"),
        ("share=1.!!!", "damaged"),
        ("share=7.abc", "has format 7"),
        (bomb.as_str(), "larger than 16.7 MB when decompressed"),
        ("catalog=%E9", "damaged"),
    ];
    for (fragment, said) in cases {
        page.eval("location.hash = arguments[0]", vec![json!(fragment)]).await?;
        click(page, "link-open").await?;
        page.text(said).await?;
        see_packages(page, &["kettle", "teapot"]).await?;
        click(page, "notice-dismiss").await?;
    }
    page.drop_texts("body", &[("a.opscope", "opscope 9\nabc")]).await?;
    page.text("has format 9").await?;
    see_packages(page, &["kettle", "teapot"]).await
});

journey!(an_embedded_page_has_no_bar_and_stores_nothing, async |page| {
    page.follow("embed&example=version-deadlock").await?;
    see_packages(page, &["a-operator", "b-operator"]).await?;
    page.test_id("whole").await?;
    assert_eq!(page.all("[data-testid='examples'], [data-testid='clear']").await?.len(), 0);
    page.follow("").await?;
    page.test_id("empty").await?;
    see_texts(page, "[data-testid='catalog-chip']", &[]).await
});

journey!(removals_are_undone_by_key, async |page| {
    drop_fixture(page, "kitchen").await?;
    drop_fixture(page, "spring").await?;
    let undo = suite::browser::Key::Control + "z";
    edit_catalog(page, "kitchen").await?;
    click(page, "catalog-remove").await?;
    see_packages(page, &["water"]).await?;
    click(page, "clear").await?;
    page.test_id("empty").await?;
    page.press(&undo).await?;
    see_packages(page, &["water"]).await?;
    page.press(&undo).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen", "spring"]).await?;
    see_texts(page, "[data-testid='notice']", &[]).await
});
