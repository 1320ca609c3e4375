//! Update paths: highlighting around an entry, paths between versions, the table of reach, the inspector.

use suite::browser::{Key, Page, Result};

use crate::steps::{click, paste, read, see, see_texts, texts};

/// 1.0.0 has no update in `stable`: only `fast` lists it, so it must go through `fast`.
const GAP: &str = "
package kettle
stable: 2.0.0 (replaces 1.1.0; no bundle)
fast: 1.0.0 <- 1.1.0
---
schema: olm.bundle
package: kettle
name: kettle.v2.0.0
image: registry.example.com/kettle:2.0.0
properties:
- {type: olm.package, value: {packageName: kettle, version: 2.0.0}}
- {type: olm.package.required, value: {packageName: kettle, versionRange: 1.x}}
";

async fn example(page: &Page) -> Result {
    click(page, "example").await?;
    see_texts(page, "[data-testid='package-title']", &["kettle-operator"]).await
}

fn node(channel: &str, name: &str) -> String {
    format!("[data-testid='graph-node'][data-channel='{channel}'][data-name='{name}']")
}

async fn cells(page: &Page) -> Result<Vec<String>> {
    read(
        page,
        "[data-testid='reach'] tbody tr:not(.spacer)",
        "[...e.children].map((cell) => cell.textContent).join(' ')",
    )
    .await
}

journey!(a_cell_of_the_table_shows_its_path, async |page| {
    example(page).await?;
    click(page, "tab-reach").await?;
    let all = ["2.1.0 – head", "2.0.0 head 1", "1.2.1 1 1", "1.2.0 2 1", "1.1.0 2 1", "1.0.0 2 1"];
    see(page, "the table", all.as_slice(), async || cells(page).await).await?;
    page.css("[data-testid='reach'] [data-spot='0 1']").await?.click().await?;
    let sorted = async || Ok(cells(page).await?.first().cloned());
    see(page, "the first row by hops to stable", Some("2.0.0 head 1".to_owned()), sorted).await?;
    page.test_id("reach-version").await?.send_keys("1.2").await?;
    see(page, "the filtered table", ["1.2.1 1 1", "1.2.0 2 1"].as_slice(), async || cells(page).await).await?;
    page.css("[data-testid='reach'] [data-spot='2 1']").await?.click().await?;
    let title = "With a Subscription to stable, OLM updates kettle-operator.v1.2.0 to kettle-operator.v2.0.0 in 2 hops";
    see_texts(page, "[data-testid='path-title']", &[title]).await?;
    see_texts(page, "[data-testid='path-hops'] .badge", &["skips", "replaces"]).await?;
    see(page, "the graph", true, async || Ok(!page.all("[data-testid='graph'].dims").await?.is_empty())).await?;
    click(page, "path-leave").await?;
    see(page, "the table again", ["1.2.1 1 1", "1.2.0 2 1"].as_slice(), async || cells(page).await).await
});

journey!(the_table_by_keys_alone, async |page| {
    example(page).await?;
    page.press("2").await?;
    let focused = async || read(page, ":focus", "e.getAttribute('aria-label') || e.textContent").await;
    page.test_id("reach").await?;
    page.eval("document.querySelector('[data-testid=reach]').focus()", vec![]).await?;
    for key in [Key::Down, Key::Down, Key::Right] {
        page.press(&key.to_string()).await?;
    }
    let cell = "2.0.0 in stable: is the head";
    see(page, "the cell with the focus", [cell].as_slice(), focused).await?;
    page.press(&Key::Right.to_string()).await?;
    let cell = "2.0.0 in fast, which does not list it: reaches the head 2.1.0 in 1 hop";
    see(page, "the cell to the right", [cell].as_slice(), focused).await?;
    page.press(&Key::End.to_string()).await?;
    page.press(&(Key::Control + &Key::End)).await?;
    let cell = "1.0.0 in fast, which does not list it: reaches the head 2.1.0 in 1 hop";
    see(page, "the last cell", [cell].as_slice(), focused).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='path-hops'] .badge", &["skipRange"]).await
});

journey!(a_missing_edge_is_named_with_the_way_around_it, async |page| {
    paste(page, &fixture::yaml(GAP)).await?;
    page.css(&node("fast", "kettle.v1.0.0")).await?.click().await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.0.0"]).await?;
    click(page, "path-to").await?;
    let targets = ["kettle.v1.0.01.0.0 in fast", "kettle.v1.1.01.1.0 in fast", "kettle.v2.0.02.0.0 in stable"];
    let listed = async || {
        let mut listed = texts(page, "[data-testid='palette-hit']").await?;
        listed.sort();
        Ok(listed)
    };
    see(page, "the entries that a path may lead to", targets.as_slice(), listed).await?;
    // A channel stands for its head.
    page.press("stable").await?;
    see_texts(page, "[data-testid='palette-group'] h3", &["Channels 1"]).await?;
    see_texts(page, "[data-testid='palette-hit']", &["stable2.0.0 in stable"]).await?;
    page.press(" 2.0").await?;
    see_texts(page, "[data-testid='palette-hit']", &targets[2..]).await?;
    page.press(&Key::Enter.to_string()).await?;
    let title = "No update path from kettle.v1.0.0 in stable";
    see_texts(page, "[data-testid='path-title']", &[title]).await?;
    let because = texts(page, "[data-testid='path-reasons'] li").await?.join("\n");
    assert!(because.contains("no entry of stable replaces, skips or covers 1.0.0"), "{because}");
    // An edge to 2.0.0 would make OLM v1 stop at once, because 2.0.0 has a dependency: it is no fix.
    let advice = [
        "Without editing the catalog: switch the channel of the Subscription to fast until kettle.v1.1.0 is installed, then to stable: OLM then updates kettle.v1.0.0 to kettle.v2.0.0 in 2 hops. With approval Manual each update waits until its InstallPlan is approved",
    ];
    see_texts(page, "[data-testid='path-advice'] li", &advice).await?;
    let ways = "[data-testid='path'] .choice button";
    see_texts(page, ways, &["OLM", "other channels"]).await?;
    page.css(&format!("{ways}:nth-child(2)")).await?.click().await?;
    see_texts(page, "[data-testid='path-hops'] li > button", &["1.1.0", "2.0.0"]).await?;
    page.press(&Key::Escape.to_string()).await.map(drop)
});

journey!(pointing_at_an_entry_highlights_its_updates, async |page| {
    const POINT: &str = "
        const node = document.querySelector(arguments[0]);
        node.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))";
    example(page).await?;
    let middle = node("stable", "kettle-operator.v1.2.1");
    page.css(&middle).await?;
    // A redraw loses the pointer, where a real mouse would move on; so it is sent again.
    let dims = async || {
        page.eval(POINT, vec![serde_json::json!(middle)]).await?;
        Ok(page.all("[data-testid='graph'].dims").await?.len())
    };
    see(page, "a drawing that steps back", 1, dims).await?;
    let words = async || read(page, "[data-testid='graph'] .word", "e.textContent").await;
    let lit = async || {
        let all = words().await?.join(" · ");
        Ok(Some(all).filter(|text| text.contains("+1")))
    };
    let all = page.wait_for("hops at the entries", lit).await?;
    assert!(all.contains("−1"), "the entries that update to this one are missing in `{all}`");
    Ok(())
});

journey!(arrow_keys_follow_updates_in_the_table, async |page| {
    example(page).await?;
    page.press("3").await?;
    page.test_id("table").await?;
    page.eval("document.querySelector('[data-testid=table] tbody button').focus()", vec![]).await?;
    let focused = async || read(page, ":focus", "e.title").await;
    see(page, "the first row", ["kettle-operator.v2.0.0"].as_slice(), focused).await?;
    page.press(&Key::Left.to_string()).await?;
    see(page, "what it replaces", ["kettle-operator.v1.2.1"].as_slice(), focused).await?;
    page.press(&Key::Left.to_string()).await?;
    see(page, "what that replaces", ["kettle-operator.v1.1.0"].as_slice(), focused).await?;
    let said = texts(page, "[data-testid='table-announcement']").await?.join("");
    assert!(
        said.ends_with("OLM updates it to 1.2.1; 2 updates to 2.0.0, the head; no entry is updated to it."),
        "{said}"
    );
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle-operator.v1.1.0"]).await
});

journey!(the_inspector_shows_channels_and_packages_too, async |page| {
    example(page).await?;
    page.css("[data-testid='package-title'] button").await?.click().await?;
    see_texts(page, "[data-testid='subject-title']", &["kettle-operator"]).await?;
    page.css(".lane-name[data-lane='0']").await?.click().await?;
    see_texts(page, "[data-testid='subject-title']", &["stable"]).await?;
    let shown = texts(page, "[data-testid='subject']").await?.join("");
    assert!(shown.contains("4 of 5 entries, head first"), "{shown}");
    assert!(shown.contains("kettle-operator.v1.2.1 skips it"), "{shown}");
    Ok(())
});
