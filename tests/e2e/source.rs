//! The source editor: navigation, typing, undo, and that the rest of the file never changes.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::json;
use suite::browser::{Key, Page, Result};

use crate::steps::{click, find_in_source, inside, kept, kettle, paste, read, see, see_source, see_texts, type_after};

static CATALOG: LazyLock<String> = LazyLock::new(|| kettle(&["1.0.0", "1.1.0"]));

/// Typing would hang for longer if the page went through such a file by itself, however busy the machine is.
const NOTICEABLE: Duration = Duration::from_millis(500);

async fn press(page: &Page, key: Key) -> Result {
    page.press(&key.to_string()).await
}

async fn see_line(page: &Page, expected: &str) -> Result {
    let line = async || Ok(inside(page, ".cm-target", "e.textContent").await?.join("|"));
    see(page, "the line that was gone to", expected, line).await
}

async fn open_source(page: &Page, text: &str) -> Result {
    paste(page, text).await?;
    click(page, "tab-source").await?;
    see_source(page, &text.replace("\r\n", "\n")).await
}

journey!(f12_goes_from_a_name_to_its_definition, async |page| {
    open_source(page, &CATALOG).await?;
    find_in_source(page, "replaces: kettle.v1").await?;
    see_texts(page, "[data-testid='source-here'] .path", &["kettle › stable › kettle.v1.1.0"]).await?;
    press(page, Key::F12).await?;
    see_line(page, "- name: kettle.v1.0.0").await?;
    press(page, Key::F12).await?;
    see_line(page, "name: kettle.v1.0.0").await?;
    find_in_source(page, "package: ket").await?;
    press(page, Key::F12).await?;
    see_line(page, "name: kettle").await?;
    find_in_source(page, "schema: olm").await?;
    press(page, Key::Up).await?;
    press(page, Key::F12).await?;
    page.text("No loaded catalog defines the name at the cursor.").await?;
    find_in_source(page, "- name: kettle.v1.1").await?;
    see_texts(page, "[data-testid='source-definitions'] button", &["kettle.v1.1.0"]).await?;
    click(page, "source-graph").await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.1.0"]).await?;
    page.css("[data-testid='graph-node'][data-name='kettle.v1.1.0']").await.map(drop)
});

journey!(shortcuts_open_the_source_and_leave_it, async |page| {
    paste(page, &CATALOG).await?;
    for _ in 0..2 {
        page.press("s").await?;
        see_line(page, "schema: olm.package").await?;
        let marked = async || read(page, "#source-text", "e.targetText.trimEnd()").await;
        let package = "schema: olm.package\nname: kettle\ndefaultChannel: stable";
        see(page, "what is marked", [package].as_slice(), marked).await?;
        assert_eq!(read(page, "#source-text", "e.selectedText").await?, [""], "a key would replace it");
        page.press("g").await?;
        page.test_id("graph").await?;
    }
    page.press("s").await?;
    see_source(page, &CATALOG).await
});

journey!(the_source_opens_at_the_selected_entry, async |page| {
    paste(page, &CATALOG).await?;
    for name in ["kettle.v1.1.0", "kettle.v1.0.0"] {
        click(page, "tab-graph").await?;
        page.css(&format!("[data-testid='graph-node'][data-name='{name}']")).await?.click().await?;
        see_texts(page, "[data-testid='entry-name']", &[name]).await?;
        click(page, "tab-source").await?;
        see_line(page, &format!("- name: {name}")).await?;
    }
    Ok(())
});

journey!(findings_are_marked_in_the_gutter_and_follow_edits, async |page| {
    open_source(page, &CATALOG).await?;
    see_texts(page, "[data-testid='source-findings']", &["no findings"]).await?;
    type_after(page, "defaultChannel: stable", "st").await?;
    let marks = async || inside(page, ".cm-lint-marker-error", "e.className").await;
    see(page, "the marks in the gutter", 1, async || Ok(marks().await?.len())).await?;
    press(page, Key::F8).await?;
    let rule = async || inside(page, ".cm-tooltip .cm-diagnostic button", "e.textContent").await;
    see(page, "the rule in the tooltip", ["unknown-default-channel", "Change to stable"].as_slice(), rule).await?;
    let help = inside(page, ".cm-tooltip .cm-diagnostic", "e.textContent").await?.join("");
    assert!(help.contains("What to do: "), "{help}");
    let script = "document.querySelector('source-editor').shadowRoot.querySelector('.cm-diagnostic button').click()";
    page.eval(script, vec![]).await?;
    see_texts(page, "[data-testid='rule-dialog'] h2", &["unknown-default-channel"]).await
});

journey!(undo_works_across_answers_of_the_worker, async |page| {
    open_source(page, &CATALOG).await?;
    type_after(page, "- name: kettle.v1.1.0", "-rc").await?;
    see_texts(page, "[data-testid='source-findings']", &["2 findings"]).await?;
    click(page, "tab-graph").await?;
    click(page, "tab-source").await?;
    page.test_id("source-text").await?.click().await?;
    page.press(&(Key::Control + "z")).await?;
    see_source(page, &CATALOG).await?;
    see_texts(page, "[data-testid='source-findings']", &["no findings"]).await?;
    page.press(&(Key::Control + "y")).await?;
    see_texts(page, "[data-testid='source-findings']", &["2 findings"]).await
});

journey!(lines_are_typed_over_and_deleted, async |page| {
    open_source(page, &CATALOG).await?;
    type_after(page, "defaultChannel: ", "x").await?;
    let down = Key::Shift + &Key::Down;
    page.press(&down).await?;
    page.press(&down).await?;
    page.press("y").await?;
    let typed = CATALOG.replacen("stable\n---\nschema: olm.channel", "xyel", 1);
    see_source(page, &typed).await?;
    page.press(&down).await?;
    // As the browser's context menu does.
    page.eval("document.execCommand('delete')", vec![]).await?;
    page.press(&(Key::Control + "z")).await?;
    see_source(page, &typed).await
});

journey!(every_other_byte_stays_as_it_is, async |page| {
    let before = CATALOG.replace('\n', "\r\n").replacen("stable\r\n---", "stable # 🫖 \n---", 1);
    open_source(page, &before).await?;
    type_after(page, "🫖", "\nx🫖: é").await?;
    let after = before.replacen("🫖", "🫖\nx🫖: é", 1);
    kept(page, &after).await?;
    type_after(page, "entries:", " \n").await?;
    kept(page, &after.replacen("entries:", "entries: \r\n", 1)).await
});

journey!(tab_leaves_the_editor_until_something_is_typed, async |page| {
    open_source(page, &CATALOG).await?;
    page.test_id("source-next").await?;
    page.eval("document.querySelector(\"[data-testid='source-line']\").focus()", vec![]).await?;
    let here = async || read(page, "#source-text", "document.activeElement === e").await;
    for _ in 0..4 {
        if here().await? == ["true"] {
            break;
        }
        press(page, Key::Tab).await?;
    }
    see(page, "the focus in the editor", ["true"].as_slice(), here).await?;
    press(page, Key::Tab).await?;
    see(page, "the focus behind the editor", ["false"].as_slice(), here).await?;
    see_source(page, &CATALOG).await?;
    type_after(page, "name: kettle", "x").await?;
    press(page, Key::Tab).await?;
    see(page, "the focus still in the editor", ["true"].as_slice(), here).await?;
    press(page, Key::Escape).await?;
    press(page, Key::Tab).await?;
    see(page, "the focus behind the editor again", ["false"].as_slice(), here).await
});

/// Makes the next request unreadable, so that the worker throws.
const GARBLE: &str = "
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
        Worker.prototype.postMessage = post;
        post.call(this, { ...message, request: { ask: 'nonsense' } });
    }";

journey!(typed_text_survives_a_dead_worker, async |page| {
    open_source(page, &CATALOG).await?;
    kept(page, "kettle.v1.0.0").await?;
    find_in_source(page, "- name: kettle.v1.1.0").await?;
    page.test_id("source-here").await?;
    page.eval(GARBLE, vec![]).await?;
    page.press("-rc").await?;
    page.text("a request could not be read").await?;
    let after = CATALOG.replacen("- name: kettle.v1.1.0", "- name: kettle.v1.1.0-rc", 1);
    see_source(page, &after).await?;
    see_texts(page, "[data-testid='source-findings']", &["2 findings"]).await?;
    kept(page, &after).await
});

/// Drops a catalog of `arguments[0]` megabytes, most of them in long texts, like the manifests of real catalogs.
const MAKE: &str = "
    const line = '    ' + 'some words of a description '.repeat(3) + '\\n';
    const parts = ['schema: olm.package\\nname: kettle\\ndefaultChannel: stable\\n'];
    for (let size = 0, n = 0; size < arguments[0] * 1e6; n++) {
        const head = ['---', 'schema: olm.bundle', `name: kettle.v1.${n}.0`, 'package: kettle', 'image: i', 'properties:',
            `- {type: olm.package, value: {packageName: kettle, version: 1.${n}.0}}`, '- type: example', '  value: |', ''];
        const text = head.join('\\n') + line.repeat(600);
        size += text.length;
        parts.push(text);
    }
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(parts, 'large.yaml'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))";

journey!(twelve_megabytes_are_opened_and_edited_whole, async |page| {
    page.test_id("empty").await?;
    page.eval(MAKE, vec![12.into()]).await?;
    page.test_id("package-title").await?;
    click(page, "tab-source").await?;
    let size = async || Ok(read(page, "[data-testid='source-text']", "e.value.length > 12e6").await?);
    see(page, "whether the whole text is there", ["true"].as_slice(), size).await?;
    page.test_id("source-text").await?.click().await?;
    page.record_long_tasks().await?;
    page.press(&(Key::Control + &Key::End)).await?;
    page.press("    # the end").await?;
    let end = async || read(page, "[data-testid='source-text']", "e.value.slice(-9)").await;
    see(page, "the end of the text", ["# the end"].as_slice(), end).await?;
    page.press(&(Key::Control + &Key::Home)).await?;
    page.press("# 🫖\n").await?;
    let long: Vec<_> = page.long_tasks().await?.into_iter().filter(|task| task.duration > NOTICEABLE).collect();
    assert!(long.is_empty(), "the page stood still: {long:?}");
    kept(page, "# 🫖\nschema").await?;
    kept(page, "# the end").await
});

journey!(the_editor_keeps_to_the_policy_of_the_page, async |page| {
    const RECORD: &str = "
        window.violations = [];
        addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))";
    page.eval(RECORD, vec![]).await?;
    open_source(page, &CATALOG).await?;
    type_after(page, "defaultChannel: stable", "st").await?;
    press(page, Key::F8).await?;
    page.press(&(Key::Control + "f")).await?;
    let styled = inside(page, ".cm-scroller", "getComputedStyle(e).fontFamily").await?.join("");
    assert!(styled.contains("monospace"), "the editor has no style: {styled}");
    assert_eq!(page.eval("return window.violations", vec![]).await?, json!([]));
    Ok(())
});

journey!(without_the_editor_the_source_is_read_only, async |page| {
    page.block("*codemirror*").await?;
    paste(page, &CATALOG).await?;
    click(page, "tab-source").await?;
    page.test_id("source-failed").await?;
    see_source(page, &CATALOG).await?;
    page.css("textarea[data-testid='source-text'][readonly]").await?.send_keys("# typed\n").await?;
    see_source(page, &CATALOG).await?;
    let errors = page.console_errors().await?;
    assert!(errors.iter().all(|error| error.contains("codemirror")), "{errors:?}");
    page.block("").await?;
    click(page, "source-retry").await?;
    page.css("source-editor").await.map(drop)
});
