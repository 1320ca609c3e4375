//! Quick fixes, from the editor and from the list of findings.

use serde_json::json;
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

journey!(a_second_click_applies_no_other_fix, async |page| {
    // Each has a misspelt default channel.
    let (text, _) = misspelt();
    paste(page, &format!("{text}---\n{}", text.replace("kettle", "teapot"))).await?;
    click(page, "catalog-chip").await?;
    click(page, "tab-findings").await?;
    let fix = "[data-testid='findings'] [data-testid='quick-fix']";
    let left = async || Ok(page.all(fix).await?.len());
    see(page, "two fixes", 2, left).await?;
    page.eval("const fix = document.querySelector(arguments[0]); fix.scrollIntoView()", vec![json!(fix)]).await?;
    const MIDDLE: &str = "
        const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
        return [left + width / 2, top + height / 2]";
    let at = page.eval(MIDDLE, vec![json!(fix)]).await?;
    let at = (at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default());
    page.click_at(at).await?;
    see(page, "one fix", 1, left).await?;
    // The other one is moved to where the first one was.
    const MOVE: &str = "
        const fix = document.querySelector(arguments[0]);
        const { left, top, width, height } = fix.getBoundingClientRect();
        fix.style.transform = `translate(${arguments[1] - left - width / 2}px, ${arguments[2] - top - height / 2}px)`";
    page.eval(MOVE, vec![json!(fix), json!(at.0), json!(at.1)]).await?;
    page.click_at(at).await?;
    see_texts(page, ".notice b", &["Applied:"]).await?;
    assert_eq!(left().await?, 1, "the second click applied nothing");
    Ok(())
});
