//! Quick fixes, from the editor and from the list of findings.

use suite::browser::Key;

use crate::steps::{click, find_in_source, inside, kettle, paste, see, see_source, see_texts};

/// A catalog with a misspelt channel and the same catalog with the right one. Both are of the same length.
fn misspelt() -> (String, String) {
    let fixed = kettle(&["1.0.0", "1.1.0"]);
    (fixed.replacen("defaultChannel: stable", "defaultChannel: stabel", 1), fixed)
}

journey!(a_quick_fix_is_applied_in_the_editor_by_keys, async |page| {
    let (text, fixed) = misspelt();
    paste(page, &text).await?;
    click(page, "tab-source").await?;
    see_source(page, &text).await?;
    find_in_source(page, "stabel").await?;
    see_texts(page, "[data-testid='source-findings']", &["1 finding"]).await?;
    page.press(&(Key::Control + ".")).await?;
    let offered = async || inside(page, ".cm-fixes button", "e.textContent").await;
    see(page, "the quick fixes", ["Change to stable"].as_slice(), offered).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_source(page, &fixed).await?;
    see_texts(page, "[data-testid='source-findings']", &["no findings"]).await?;
    see_texts(page, "[data-testid='source-changes']", &["Show 1 changed line"]).await?;
    page.press(&(Key::Control + "z")).await?;
    see_source(page, &text).await
});

journey!(a_quick_fix_of_a_finding_is_an_edit_of_the_source, async |page| {
    let (text, fixed) = misspelt();
    paste(page, &text).await?;
    click(page, "tab-source").await?;
    see_source(page, &text).await?;
    click(page, "tab-findings").await?;
    let fix = "[data-testid='findings'] [data-testid='quick-fix']";
    see_texts(page, fix, &["Change to stable"]).await?;
    page.css(fix).await?.click().await?;
    see_texts(page, "[data-testid='finding-row']", &[]).await?;
    click(page, "tab-source").await?;
    see_source(page, &fixed).await?;
    see_texts(page, "[data-testid='source-changes']", &["Show 1 changed line"]).await?;
    click(page, "undo").await?;
    see_source(page, &text).await?;
    see_texts(page, "[data-testid='source-changes']", &[]).await
});
