//! A pasted catalog, edited in the source: findings and graph follow at once, and the text is saved.

use suite::browser::{Page, Result};

use crate::canvas::downloaded;
use crate::steps::{
    click, forgotten, kept, kettle, paste, read, see, see_packages, see_source, see_texts, type_after, visit,
};

async fn entries(page: &Page) -> Result<Vec<String>> {
    read(page, "[data-testid='graph-node']", "e.dataset.name").await
}

journey!(an_edit_is_shown_at_once_and_survives_a_reload, async |page| {
    let catalog = kettle(&["1.0.0"]);
    paste(page, &catalog).await?;
    see(page, "the entries", ["kettle.v1.0.0"].as_slice(), async || entries(page).await).await?;
    click(page, "tab-source").await?;
    type_after(page, "- name: kettle.v1.0.0", "\n- name: kettle.v1.1.0").await?;
    see(page, "the entries", 2, async || Ok(entries(page).await?.len())).await?;
    click(page, "tab-findings").await?;
    see_texts(page, "[data-testid='tab-findings'] .number", &["2"]).await?;
    let rules = async || read(page, "[data-testid='finding-row']", "e.dataset.rule").await;
    let expected = ["multiple-channel-heads", "missing-bundle"].as_slice();
    see(page, "the rules that are broken now", expected, rules).await?;

    // The store is written when the worker has nothing else to do.
    kept(page, "kettle.v1.1.0").await?;
    page.reload().await?;
    see_packages(page, &["kettle"]).await?;
    see(page, "the entries after the reload", 2, async || Ok(entries(page).await?.len())).await?;
    click(page, "tab-source").await?;
    let edited = catalog.replacen("- name: kettle.v1.0.0", "- name: kettle.v1.0.0\n- name: kettle.v1.1.0", 1);
    see_source(page, &edited).await
});

journey!(the_paste_dialog_takes_a_text, async |page| {
    click(page, "paste").await?;
    page.test_id("paste-text").await?.send_keys("{\"schema\": \"olm.package\", \"name\": \"kettle\"}").await?;
    click(page, "paste-submit").await?;
    see_packages(page, &["kettle"]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["pasted"]).await
});

journey!(cleared_catalogs_are_gone_after_a_reload, async |page| {
    paste(page, &kettle(&["1.0.0"])).await?;
    kept(page, "kettle.v1.0.0").await?;
    click(page, "clear").await?;
    page.test_id("empty").await?;
    forgotten(page, "kettle.v1.0.0").await?;
    page.reload().await?;
    page.test_id("empty").await?;
    see_texts(page, "[data-testid='catalog-chip'], [data-testid='notice']", &[]).await
});

#[tokio::test]
async fn an_edited_file_is_saved() -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-saved-{}", std::process::id()));
    visit(async |page| {
        let catalog = kettle(&["1.0.0"]);
        paste(page, &catalog).await?;
        page.download_into(&folder).await?;
        click(page, "tab-source").await?;
        type_after(page, "- name: kettle.v1.0.0", "\n- name: kettle.v1.1.0").await?;
        click(page, "source-save").await?;
        let name = read(page, "[data-testid='source-file'] option:checked", "e.value && e.textContent").await?;
        let name = name.first().and_then(|name| name.split(' ').next()).unwrap_or_default().to_owned();
        let saved = downloaded(page, &folder, &name).await?;
        let edited = catalog.replacen("- name: kettle.v1.0.0", "- name: kettle.v1.0.0\n- name: kettle.v1.1.0", 1);
        assert_eq!(String::from_utf8_lossy(&saved), edited);
        Ok(())
    })
    .await?;
    std::fs::remove_dir_all(&folder).ok();
    Ok(())
}
