//! The page without a mouse: keys reach everything, and the focus is always visible.

use suite::browser::{Key, Page, Result};

use serde_json::json;

use crate::steps::{add_operator, click, drop_fixture, is_accessible, kettle, read, see, see_texts, select_package};

/// The most tab stops between any two parts of the page.
const STOPS: usize = 60;

/// Whether the element with the focus shows it: by an outline, that of its label, or the ring of an entry.
const VISIBLE: &str = "
    const focused = document.activeElement;
    const outlined = (element) => {
        const style = element && getComputedStyle(element);
        return style && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    };
    const ring = focused.querySelector(':scope > .ring');
    const ringed = ring && getComputedStyle(ring).stroke !== 'none';
    return Boolean(outlined(focused) || outlined(focused.closest('label')) || ringed)";

/// Presses Tab until the focus is on a matching element; fails when a stop on the way shows no focus.
async fn tab_to(page: &Page, css: &str) -> Result {
    let mut passed = Vec::new();
    for _ in 0..STOPS {
        page.press(&Key::Tab.to_string()).await?;
        let here = read(page, ":focus", "e.outerHTML.slice(0, 120)").await?.join("");
        // After the last stop the focus leaves the page, and returns at the first.
        let shows = here.is_empty() || page.eval(VISIBLE, vec![]).await? == true;
        assert!(shows, "the focus cannot be seen on {here}");
        if !page.all(&format!(":is({css}):focus")).await?.is_empty() {
            return Ok(());
        }
        passed.push(here);
    }
    panic!("`{css}` is not among the stops of the tabulator key:\n{}", passed.join("\n"));
}

async fn press(page: &Page, key: Key) -> Result {
    page.press(&key.to_string()).await
}

journey!(a_simulation_by_keys_alone, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='example']").await?;
    press(page, Key::Enter).await?;
    see_texts(page, "[data-testid='package-title']", &["kettle-operator"]).await?;
    packages(page).await?;
    graph(page).await?;
    findings(page).await?;
    tab_to(page, "[data-testid='tab-source']").await?;
    press(page, Key::Left).await?;
    tab_to(page, "[data-testid='add-package']").await?;
    press(page, Key::Enter).await?;
    // It has the channel of the entry that the finding is about.
    page.test_id("subscription").await?;
    see(page, "the channel", ["stable"].as_slice(), async || {
        read(page, "[data-testid='subscription-channel']", "e.value").await
    })
    .await?;
    tab_to(page, "[data-testid='subscription-starting-csv']").await?;
    page.press("kettle-operator.v1.1.0").await?;
    page.press(&(Key::Control + &Key::Enter)).await?;
    // The last one is what OLM adds.
    let hops = ["1.1.0", "1.2.1", "2.0.0", "0.3.1"];
    see_texts(page, "[data-testid='board'] .wide .version .label", &hops).await
});

async fn packages(page: &Page) -> Result {
    tab_to(page, "[data-testid='package-row']").await?;
    press(page, Key::Down).await?;
    see_texts(page, "[data-testid='package-title']", &["water-operator"]).await?;
    press(page, Key::Up).await?;
    see_texts(page, "[data-testid='package-title']", &["kettle-operator"]).await
}

async fn graph(page: &Page) -> Result {
    tab_to(page, "[data-testid='graph-node']").await?;
    let before = read(page, ":focus", "e.dataset.name").await?.join("");
    press(page, Key::Right).await?;
    let after = read(page, ":focus", "e.dataset.name").await?.join("");
    assert_ne!(before, after, "an arrow key leads to the entry beside");
    press(page, Key::Enter).await?;
    see_texts(page, "[data-testid='entry-name']", &[after.as_str()]).await
}

async fn findings(page: &Page) -> Result {
    page.press("6").await?;
    page.test_id("findings").await?;
    tab_to(page, "[data-testid='finding-row'] .where .link:not(.rule)").await?;
    press(page, Key::Enter).await?;
    page.test_id("source-text").await?;
    let line = async || Ok(read(page, "#source-text", "e.targetText").await?.join(""));
    see(page, "the name that is marked in the source", "kettle-operator.v2.1.0", line).await
}

journey!(a_dialog_keeps_the_focus_and_gives_it_back, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='paste']").await?;
    press(page, Key::Enter).await?;
    let focused = async || read(page, ":focus", "e.dataset.testid").await;
    see(page, "the focus in the dialog", ["paste-text"].as_slice(), focused).await?;
    press(page, Key::Escape).await?;
    see(page, "the focus back on the button", ["paste"].as_slice(), focused).await?;
    see_texts(page, "dialog", &[]).await?;
    page.press("?").await?;
    page.test_id("shortcuts").await?;
    press(page, Key::Escape).await?;
    see_texts(page, "dialog", &[]).await
});

/// A requirement that nothing meets.
const REQUIREMENT: &str = "{type: olm.package.required, value: {packageName: water, versionRange: '>=1.0.0'}}";

journey!(from_a_pasted_catalog_to_the_explanation, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='paste']").await?;
    press(page, Key::Enter).await?;
    see(page, "the focus in the dialog", ["paste-text"].as_slice(), async || {
        read(page, ":focus", "e.dataset.testid").await
    })
    .await?;
    page.press(&kettle(&["1.0.0"]).replace("[{", &format!("[{REQUIREMENT}, {{"))).await?;
    tab_to(page, "[data-testid='paste-submit']").await?;
    press(page, Key::Enter).await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await?;
    page.press("g").await?;
    tab_to(page, "[data-testid='graph-node']").await?;
    press(page, Key::Enter).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.0.0"]).await?;
    tab_to(page, "[data-testid='entry-menu'] > summary").await?;
    press(page, Key::Enter).await?;
    tab_to(page, "[data-testid='mark-install']").await?;
    press(page, Key::Enter).await?;
    page.press(&(Key::Control + &Key::Enter)).await?;
    page.test_id("conflict").await?;
    page.press("c").await?;
    see(page, "the focus at the cluster", ["cluster"].as_slice(), async || {
        read(page, ":focus", "e.dataset.testid").await
    })
    .await?;
    // A link of the explanation to the catalog opens its line in the source.
    tab_to(page, "[data-testid='conflict'] .argument li:last-child .link").await?;
    press(page, Key::Enter).await?;
    page.test_id("source-text").await.map(drop)
});

journey!(the_arrows_lead_through_what_is_presented, async |page| {
    drop_fixture(page, "kitchen").await?;
    click(page, "tab-graph").await?;
    select_package(page, "teapot").await?;
    page.press("p").await?;
    let presented = "[data-testid='presented'] > :not(button)";
    see_texts(page, presented, &["teapot · kitchen", "← → other packages"]).await?;
    page.press(&Key::Left.to_string()).await?;
    see_texts(page, presented, &["kettle · kitchen", "← → other packages"]).await?;
    let shown = page.eval("return document.querySelector('.packages').checkVisibility()", vec![]).await?;
    assert_eq!(shown, json!(false), "only the headline and the drawing");
    page.css(".whole-drawing text.label").await?;
    is_accessible(page).await?;
    page.press(&Key::Escape.to_string()).await?;
    see_texts(page, presented, &[]).await?;
    see_texts(page, "[data-testid='package-title']", &["kettle"]).await
});

journey!(single_keys_can_be_switched_off, async |page| {
    page.test_id("empty").await?;
    page.press("x").await?;
    page.test_id("examples-dialog").await?;
    press(page, Key::Escape).await?;
    see_texts(page, "dialog", &[]).await?;
    page.press("?").await?;
    page.css("[aria-label='Single keys'] button:last-of-type").await?.click().await?;
    press(page, Key::Escape).await?;
    see_texts(page, "dialog", &[]).await?;
    page.press("x").await?;
    page.press("?").await?;
    see_texts(page, "dialog", &[]).await
});

journey!(a_menu_closes_on_escape_and_on_a_click_elsewhere, async |page| {
    click(page, "example").await?;
    let open = async || read(page, "details[name='menu'][open]", "e.dataset.testid").await;
    for menu in ["drawing-menu", "legend"] {
        let button = format!("[data-testid='{menu}'] > summary");
        page.css(&button).await?.click().await?;
        assert_eq!(open().await?, [menu], "one at a time");
    }
    page.press(&Key::Escape.to_string()).await?;
    assert!(open().await?.is_empty());
    let focus = page.eval("return document.activeElement.parentElement.dataset.testid", vec![]).await?;
    assert_eq!(focus, "legend");
    page.press(&Key::Enter.to_string()).await?;
    assert_eq!(open().await?, ["legend"]);
    page.test_id("package-title").await?.click().await?;
    assert!(open().await?.is_empty());
    Ok(())
});

/// The element with the focus: its id, its test id, or its tag.
async fn here(page: &Page) -> Result<String> {
    Ok(read(page, ":focus", "e.id || e.dataset.testid || e.tagName").await?.concat())
}

async fn lands(page: &Page, at: &str) -> Result {
    see(page, "what has the focus", at, async || here(page).await).await
}

// A keyboard user continues at the same place after a control has disappeared.
journey!(the_focus_moves_to_what_replaces_a_control, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='featured'][data-name='manual-approval']").await?;
    press(page, Key::Enter).await?;
    lands(page, "simulation").await?;
    tab_to(page, "[data-testid='approve']").await?;
    press(page, Key::Enter).await?;
    lands(page, "H4").await?;
    see_texts(page, ":focus .number", &["1"]).await
});

journey!(the_focus_follows_a_fix_and_its_undo, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='featured'][data-name='two-hops-deadlock']").await?;
    press(page, Key::Enter).await?;
    page.test_id("conflict").await?;
    tab_to(page, "[data-testid='try']").await?;
    press(page, Key::Enter).await?;
    tab_to(page, "[data-testid='tried-keep']:enabled").await?;
    press(page, Key::Enter).await?;
    page.test_id("notice").await?;
    lands(page, "result").await?;
    tab_to(page, "[data-testid='notice'] button").await?;
    press(page, Key::Enter).await?;
    // The first fix changes the manifests.
    lands(page, "cluster").await
});

journey!(the_focus_stays_near_a_removed_element, async |page| {
    page.test_id("empty").await?;
    tab_to(page, "[data-testid='example']").await?;
    press(page, Key::Enter).await?;
    lands(page, "package").await?;
    tab_to(page, "[data-testid='graph-node']").await?;
    press(page, Key::Enter).await?;
    let name = read(page, ":focus", "e.dataset.name").await?.concat();
    tab_to(page, "[data-testid='entry-menu'] > summary").await?;
    press(page, Key::Enter).await?;
    tab_to(page, "[data-testid='mark-installed']").await?;
    press(page, Key::Enter).await?;
    lands(page, "cluster").await?;
    page.press(&(Key::Control + &Key::Enter)).await?;
    page.test_id("verdict").await?;
    page.press("e").await?;
    tab_to(page, "[data-testid='why-not']").await?;
    press(page, Key::Enter).await?;
    lands(page, "why-not-answer").await?;
    page.press("e").await?;
    // Without the drawing the focus goes to its region.
    page.css("#package .entry[tabindex='0']").await?;
    tab_to(page, "[aria-label='Close entry']").await?;
    press(page, Key::Enter).await?;
    see(page, "the entry that was left", name, async || Ok(read(page, ":focus", "e.dataset.name").await?.concat()))
        .await?;
    page.press("c").await?;
    page.css(".board-picture.wide .spot[aria-label='kettle-operator']")
        .await?
        .send_keys(&Key::Enter.to_string())
        .await?;
    tab_to(page, "[data-testid='subscription-remove']").await?;
    press(page, Key::Enter).await?;
    tab_to(page, "[data-testid='tried-keep']:enabled").await?;
    press(page, Key::Enter).await?;
    lands(page, "result").await?;
    tab_to(page, "[data-testid='page-menu'] > summary").await?;
    press(page, Key::Enter).await?;
    tab_to(page, "[data-testid='clear']").await?;
    press(page, Key::Enter).await?;
    page.test_id("empty").await?;
    lands(page, "SUMMARY").await
});

journey!(every_new_subscription_gets_the_focus, async |page| {
    drop_fixture(page, "kitchen").await?;
    click(page, "tab-simulate").await?;
    for package in ["kettle", "pot", "kettle"] {
        add_operator(page, package).await?;
        const FOCUSED: &str = "
            const card = document.activeElement.closest(\"[data-testid='subscription']\");
            return [card?.querySelector('legend').textContent, document.activeElement.dataset.testid]";
        let focused = async || page.eval(FOCUSED, vec![]).await;
        see(page, "the field with the focus", json!([package, "subscription-channel"]), focused).await?;
    }
    Ok(())
});
