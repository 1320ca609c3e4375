//! What was changed in a file since it was opened: its marks, the lines as they were, and the way back.

use std::sync::LazyLock;

use suite::browser::{Key, Page, Result, Scheme, WIDE};

use crate::steps::{click, find_in_source, inside, kept, kettle, paste, read, see, see_source, see_texts, type_after};

static CATALOG: LazyLock<String> = LazyLock::new(|| kettle(&["1.0.0", "1.1.0"]));

/// A line of the catalog that the tests change.
const DEFAULT: &str = "defaultChannel: stable";

async fn open_source(page: &Page) -> Result {
    paste(page, &CATALOG).await?;
    click(page, "tab-source").await?;
    see_source(page, &CATALOG).await?;
    see_texts(page, "[data-testid='source-changes']", &[]).await
}

/// The signs in the gutter: added, changed or deleted, in the order of the text.
async fn see_signs(page: &Page, expected: &[&str]) -> Result {
    let script = "[...e.classList].find((name) => /^cm-(added|changed|deleted)$/.test(name))?.slice(3)";
    let signs = async || inside(page, ".cm-gutter-changes .cm-gutterElement", script).await;
    see(page, "the signs in the gutter", expected, signs).await
}

/// What each change in the text says of itself.
async fn see_changes(page: &Page, expected: &[&str]) -> Result {
    let changes = async || inside(page, ".cm-change p", "e.firstChild.textContent").await;
    see(page, "the changes in the text", expected, changes).await
}

/// Changes a line, adds one and deletes one.
async fn edit(page: &Page) -> Result<String> {
    type_after(page, DEFAULT, "-1").await?;
    type_after(page, "- name: kettle.v1.1.0", "\n  skips: []").await?;
    find_in_source(page, "  replaces: kettle.v1.0.0").await?;
    for key in [Key::Home, Key::Home] {
        page.press(&key.to_string()).await?;
    }
    page.press(&(Key::Shift + &Key::Down)).await?;
    page.press(&Key::Delete.to_string()).await?;
    let edited = CATALOG.replacen(DEFAULT, "defaultChannel: stable-1", 1);
    let edited =
        edited.replacen("- name: kettle.v1.1.0\n  replaces: kettle.v1.0.0", "- name: kettle.v1.1.0\n  skips: []", 1);
    see_source(page, &edited).await?;
    Ok(edited)
}

journey!(changes_are_marked_shown_and_reverted, async |page| {
    open_source(page).await?;
    type_after(page, DEFAULT, "-1").await?;
    see_signs(page, &["changed"]).await?;
    see_texts(page, "[data-testid='source-changes']", &["Show 1 changed line"]).await?;
    type_after(page, "package: kettle", "\n# a comment").await?;
    see_signs(page, &["changed", "added"]).await?;
    see_changes(page, &[]).await?;
    click(page, "source-changes").await?;
    see_changes(page, &["1 line changed", "1 line added"]).await?;
    let before = async || inside(page, ".cm-change del", "e.textContent").await;
    see(page, "the deleted lines", [DEFAULT].as_slice(), before).await?;

    // By keys alone: to the change, to its button, and back by undo.
    page.test_id("source-text").await?.click().await?;
    page.press(&(Key::Control + &Key::Home)).await?;
    page.press(&(Key::Alt + &Key::F5)).await?;
    page.press(&(Key::Control + ".")).await?;
    let offered = async || inside(page, ".cm-fixes button", "e.textContent").await;
    see(page, "the quick fixes", ["Change to stable", "Revert this change"].as_slice(), offered).await?;
    page.press(&Key::Down.to_string()).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_changes(page, &["1 line added"]).await?;
    page.press(&(Key::Control + "z")).await?;
    see_changes(page, &["1 line changed", "1 line added"]).await?;

    let script = "document.querySelector('source-editor').shadowRoot.querySelector('.cm-change button').click()";
    page.eval(script, vec![]).await?;
    see_changes(page, &["1 line added"]).await?;
    click(page, "source-revert").await?;
    see_source(page, &CATALOG).await?;
    see_signs(page, &[]).await?;
    see_texts(page, "[data-testid='source-changes']", &[]).await?;
    let focused = async || read(page, "#source-text", "document.activeElement === e").await;
    see(page, "the focus in the editor", ["true"].as_slice(), focused).await?;
    page.press(&(Key::Control + "z")).await?;
    see_signs(page, &["added"]).await?;
    see_changes(page, &[]).await
});

journey!(all_kinds_of_changes_are_reverted_at_once, async |page| {
    open_source(page).await?;
    let edited = edit(page).await?;
    see_signs(page, &["changed", "changed"]).await?;
    find_in_source(page, "image: ").await?;
    page.press(&Key::Home.to_string()).await?;
    page.press(&(Key::Shift + &Key::Down)).await?;
    page.press(&Key::Delete.to_string()).await?;
    see_signs(page, &["changed", "changed", "deleted"]).await?;
    see_texts(page, "[data-testid='source-changes']", &["Show 3 changed lines"]).await?;
    click(page, "source-changes").await?;
    see_changes(page, &["1 line changed", "1 line changed", "1 line deleted"]).await?;
    for scheme in [Scheme::Dark, Scheme::Light] {
        page.look(WIDE, scheme).await?;
        let found = page.violations().await?;
        assert!(found.is_empty(), "{scheme:?}:\n{}", found.join("\n"));
    }
    click(page, "source-next-change").await?;
    click(page, "source-revert").await?;
    see_source(page, &CATALOG).await?;
    page.press(&(Key::Control + "z")).await?;
    page.press(&(Key::Control + "z")).await?;
    see_source(page, &edited).await
});

journey!(changes_outlive_another_file_and_a_reload, async |page| {
    open_source(page).await?;
    let edited = edit(page).await?;
    let files = ["pasted.yaml · edited"];
    see_texts(page, "[data-testid='source-file'] option", &files).await?;
    kept(page, &edited).await?;
    page.reload().await?;
    click(page, "tab-source").await?;
    see_source(page, &edited).await?;
    see_texts(page, "[data-testid='source-changes']", &["Show 2 changed lines"]).await?;
    see_texts(page, "[data-testid='source-file'] option", &files).await?;
    click(page, "source-changes").await?;
    click(page, "source-revert").await?;
    see_source(page, &CATALOG).await?;
    see_texts(page, "[data-testid='source-file'] option", &["pasted.yaml"]).await
});
