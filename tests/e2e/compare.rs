//! What a change to a catalog does to installed versions: from a dropped folder, from edits, with a cluster, in a report and
//! in a link.

use std::fs;
use std::path::Path;

use serde_json::json;
use suite::browser::{BrowserError, Key, NARROW, Page, Result, Scheme};

use crate::steps::{
    click, drop_fixture, fixture, is_accessible, paste, read, see, see_source, see_texts, texts, type_after, visit,
};

/// The new head skips the old one, whose own `skips` no longer count then.
const STUCK: &str = "kettle: 2 of 3 installed versions get stuck, 1 moves on to 1.3.0 as expected; 2 other changes.";
const HEADLINE: &str = ".compare .answer > h2";

/// Drops both states of the catalog, and shows what changed.
async fn compare_releases(page: &Page) -> Result {
    drop_fixture(page, "release-after").await?;
    drop_fixture(page, "release-before").await?;
    click(page, "catalog-compare").await?;
    see_texts(page, HEADLINE, &[STUCK]).await
}

journey!(two_states_open_with_the_newer_one_and_the_verdict, async |page| {
    page.test_id("empty").await?;
    page.drop_paths(&[&fixture("release-before"), &fixture("release-after")]).await?;
    let verdict = format!("release-before → release-after✕ breaking {STUCK}Compare");
    see_texts(page, "[data-testid='catalog-change']", &[&verdict]).await?;
    see_texts(page, "[data-testid='package-title'] + small", &["1 channel, 4 bundles, release-after"]).await?;
    // What Compare answers is no question.
    see_texts(page, ".notice", &[]).await?;
    is_accessible(page).await
});

/// How many packages the catalogs of [`many`] have, and how many channels each of them. Few packages are listed quickly, and
/// many rows are compared for a time: so the page offers to stop that.
const MANY: (usize, usize) = (20, 8);
/// Their versions end before this minor one: not more than Opscope reads of a file.
const LAST: usize = 300;

/// A catalog of many rows: packages with channels whose entries, from `first` on, replace each other.
fn many(first: usize) -> String {
    let mut text = String::new();
    for package in 0..MANY.0 {
        text += &format!("---\nschema: olm.package\nname: p{package}\ndefaultChannel: c0\n");
        for channel in 0..MANY.1 {
            text += &format!("---\nschema: olm.channel\npackage: p{package}\nname: c{channel}\nentries:\n");
            for minor in first..LAST {
                let replaces =
                    if minor > first { format!(", replaces: p{package}.v1.{}.0", minor - 1) } else { String::new() };
                text += &format!("- {{name: p{package}.v1.{minor}.0{replaces}}}\n");
            }
        }
        for minor in first..LAST {
            text += &format!(
                "---\nschema: olm.bundle\npackage: p{package}\nname: p{package}.v1.{minor}.0\nimage: i\nproperties:\n\
                 - {{type: olm.package, value: {{packageName: p{package}, version: 1.{minor}.0}}}}\n"
            );
        }
    }
    text
}

/// Stops the comparison of both catalogs as soon as that is offered, and the next one if it was over before.
const STOP: &str = "
    new MutationObserver((_, observer) => {
        // A preview is compared again when all is loaded.
        if (document.querySelector('.count')?.textContent.includes('so far')) return;
        if (document.querySelectorAll(\"[data-testid='catalog-chip']\").length < 2) return;
        const found = document.querySelector(\"[data-testid='stop-comparing']\");
        if (found) found.click();
        if (document.querySelector(\"[data-testid='compare-stopped']\")) observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true })";

journey!(a_running_comparison_is_stopped, async |page| {
    page.test_id("empty").await?;
    page.drop_texts("body", &[("kitchen-2.yaml", &many(20))]).await?;
    page.css("[data-testid='catalog-chip'][data-name='kitchen-2']").await?;
    page.eval(STOP, vec![]).await?;
    click(page, "tab-compare").await?;
    page.drop_texts("body", &[("kitchen-1.yaml", &many(0))]).await?;
    let stopped = async || {
        let said = texts(page, "[data-testid='compare-stopped']").await?.join(" ");
        Ok(said.starts_with("Stopped: ") && said.ends_with(" packages were not compared."))
    };
    see(page, "that it was stopped", true, stopped).await?;
    assert!(texts(page, "[data-testid='comparing']").await?.is_empty(), "nothing goes on");
    let found = page.violations().await?;
    assert!(found.is_empty(), "{}", found.join("\n"));
    // Who comes back to the tab has the rest compared.
    click(page, "tab-graph").await?;
    click(page, "tab-compare").await?;
    let counted = async || Ok(texts(page, "[data-testid='compare-stopped']").await?.len());
    see(page, "that all are compared", 0, counted).await?;
    page.text("20 of 20 packages").await.map(drop)
});

journey!(edits_show_what_they_do_to_installed_versions, async |page| {
    let after = fs::read_to_string(fixture("release-after").join("catalog.yaml")).expect("a fixture");
    let before = after.replacen("    skips: [kettle.v1.2.0]\n", "", 1);
    paste(page, &before).await?;
    click(page, "tab-compare").await?;
    page.test_id("compare-missing").await?;
    click(page, "tab-source").await?;
    see_source(page, &before).await?;
    type_after(page, "replaces: kettle.v1.2.0", "\nskips: [").await?;
    let effect = "[data-testid='edit-effect'] span:last-of-type";
    let rejected = async || Ok(texts(page, effect).await?.join(" ").starts_with("Not comparable after the change: "));
    see(page, "that the text cannot be read", true, rejected).await?;
    type_after(page, "skips: [", "kettle.v1.2.0]").await?;
    let harms = "kettle: 2 of 4 installed versions get stuck; 1 other change. Harmed: kettle.v1.1.0, kettle.v1.0.0";
    see_texts(page, effect, &[harms]).await?;
    click(page, "compare-edits").await?;
    see_texts(page, HEADLINE, &["kettle: 2 of 4 installed versions get stuck; 1 other change."]).await?;
    see_texts(page, "[data-testid='compare-before'] option:checked", &["pasted as opened"]).await
});

journey!(an_edit_that_opm_rejects_names_the_versions_that_it_cuts_off, async |page| {
    let others = format!("---\n{}", fixture::yaml("package teapot\nc: 1.0.0"));
    let before = fixture::yaml("package kettle\nc: 1.0.0 <- 1.1.0") + &others;
    paste(page, &before).await?;
    click(page, "tab-source").await?;
    see_source(page, &before).await?;
    type_after(page, "replaces: kettle.v1.0.0", "x").await?;
    let effect = async || {
        let said = texts(page, "[data-testid='edit-effect'] span:last-of-type").await?.join(" ");
        Ok(said.split(". ").skip(1).map(str::to_owned).collect::<Vec<_>>().join(". "))
    };
    let cut_off = "kettle: 2 of 2 installed versions can no longer be resolved. Harmed: kettle.v1.0.0, kettle.v1.1.0. 1 more \
                   package (1 installed version) can no longer be resolved for this reason alone";
    see(page, "which versions are cut off", cut_off.to_owned(), effect).await
});

#[tokio::test]
async fn a_comparison_is_copied_and_shared() -> Result {
    let mut link = String::new();
    visit(async |page| {
        compare_releases(page).await?;
        click(page, "compare-copy").await?;
        see(page, "whether it was copied", true, async || {
            let said = texts(page, ".notice b").await?.join(" ");
            Ok(said.contains("Copied") || said.contains("blocked"))
        })
        .await?;
        click(page, "share").await?;
        page.test_id("share-link").await?;
        link = read(page, "[data-testid='share-link']", "e.value.split('#')[1]").await?.join("");
        assert!(link.starts_with("share=1."), "{link}");
        Ok(())
    })
    .await?;
    visit(async |page| {
        page.follow(&link).await?;
        see_texts(page, HEADLINE, &[STUCK]).await?;
        see_texts(page, "[data-testid='compare-before'] option:checked", &["release-before"]).await
    })
    .await?;
    visit(async |page| {
        let text = |name: &str| fs::read_to_string(fixture(name).join("catalog.yaml")).expect("a fixture");
        let encode = "return arguments.map((text) => encodeURIComponent(text))";
        let texts = vec![text("release-before").into(), text("release-after").into()];
        let parts = page.eval(encode.replace("arguments", "[...arguments]").as_str(), texts).await?;
        let part = |at: usize| parts[at].as_str().unwrap_or_default().to_owned();
        page.follow(&format!("before={}&catalog={}", part(0), part(1))).await?;
        see_texts(page, HEADLINE, &[STUCK]).await
    })
    .await
}

#[tokio::test]
async fn a_shared_file_is_the_state_before() -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-before-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| BrowserError::File(folder.clone(), error))?;
    let outcome = with_shared_file(&folder).await;
    fs::remove_dir_all(&folder).map_err(|error| BrowserError::File(folder.clone(), error))?;
    outcome
}

async fn with_shared_file(folder: &Path) -> Result {
    let file = folder.join("visit.opscope");
    visit(async |page| {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
        page.devtools("Browser.setDownloadBehavior", behaviour).await?;
        drop_fixture(page, "release-before").await?;
        click(page, "share").await?;
        click(page, "share-file").await?;
        page.wait_for("the file", async || Ok(file.is_file().then_some(()))).await
    })
    .await?;
    visit(async |page| {
        drop_fixture(page, "release-after").await?;
        click(page, "tab-compare").await?;
        page.test_id("compare-missing").await?;
        page.drop_paths(&[&file]).await?;
        click(page, "tab-compare").await?;
        see_texts(page, HEADLINE, &[STUCK]).await
    })
    .await
}

journey!(a_rule_is_explained_and_gets_another_level, async |page| {
    compare_releases(page).await?;
    page.css("[data-rule='v0-stranded'] .rule").await?.click().await?;
    see_texts(page, "[data-testid='rule-dialog'] h2", &["v0-stranded"]).await?;
    page.text("Nothing on the cluster says so").await?;
    let found = page.violations().await?;
    assert!(found.is_empty(), "{}", found.join("\n"));
    page.test_id("rule-level").await?.send_keys("off").await?;
    page.press(&Key::Escape.to_string()).await?;
    let quiet = "kettle: 1 of 3 installed versions moves on to 1.3.0 as expected; 2 other changes; 2 hidden by comments or settings.";
    see_texts(page, HEADLINE, &[quiet]).await?;
    let typed = async || read(page, "[data-testid='levels-text']", "e.value").await;
    see(page, "the line of the rule", ["v0-stranded: off\n"].as_slice(), typed).await?;
    // Typing: what is half a line gets a message, and nothing typed is lost.
    page.css("[data-testid='compare-levels'] > summary").await?.click().await?;
    let all = format!("{}a{}", Key::Control, Key::Control);
    page.test_id("levels-text").await?.send_keys(&all).await?;
    page.test_id("levels-text").await?.send_keys("v0-strandd: neutral").await?;
    let fault = "1:1: there is no rule v0-strandd; did you mean v0-stranded?";
    see_texts(page, "[data-testid='level-faults'] li", &[fault]).await?;
    see(page, "what was typed", ["v0-strandd: neutral"].as_slice(), typed).await
});

journey!(both_states_are_in_one_graph, async |page| {
    compare_releases(page).await?;
    click(page, "compare-graph").await?;
    let marked = |class: &'static str| async move {
        read(page, &format!("[data-testid='graph-node'].{class}"), "e.dataset.name").await
    };
    see(page, "the added entry", ["kettle.v1.3.0"].as_slice(), async || marked("added").await).await?;
    see(page, "who is harmed", ["kettle.v1.0.0", "kettle.v1.1.0"].as_slice(), async || marked("harmed").await).await?;
    let shown = async || read(page, "[data-testid='graph-node'].added", "getComputedStyle(e).visibility").await;
    see(page, "that it is shown", ["visible"].as_slice(), shown).await?;
    page.css("[aria-label='Changes'] button").await?.click().await?;
    see(page, "that it is hidden before the change", ["hidden"].as_slice(), shown).await?;
    Ok(())
});

journey!(a_comparison_is_read_by_keyboard_and_on_a_phone, async |page| {
    compare_releases(page).await?;
    for scheme in [Scheme::Light, Scheme::Dark] {
        page.look(NARROW, scheme).await?;
        let found = page.violations().await?;
        assert!(found.is_empty(), "{scheme:?}:\n{}", found.join("\n"));
        let width = page.eval("return document.documentElement.scrollWidth - innerWidth", vec![]).await?;
        assert_eq!(width.as_i64(), Some(0), "nothing is wider than the screen");
    }
    page.look(suite::browser::WIDE, Scheme::Light).await?;
    click(page, "tab-graph").await?;
    page.press("d").await?;
    see_texts(page, HEADLINE, &[STUCK]).await?;
    page.css("[data-testid='compare-rows'] > summary").await?.click().await?;
    page.test_id("rows-changed").await?.send_keys(&Key::Enter.to_string()).await?;
    let rows = "[data-testid='row-table'] tbody th";
    see_texts(page, rows, &["1.2.0", "1.1.0", "1.0.0"]).await?;
    page.css("[data-testid='row-table'] th:nth-of-type(5) button").await?.send_keys(&Key::Enter.to_string()).await?;
    see_texts(page, rows, &["1.1.0", "1.0.0", "1.2.0"]).await
});

journey!(a_catalog_that_is_not_served_is_one_cause, async |page| {
    let teapot = format!("---\n{}", fixture::yaml("package teapot\nc: 1.0.0"));
    let before = fixture::yaml("package kettle\nc: 1.0.0 <- 1.1.0") + &teapot;
    let after = fixture::yaml("package kettle\nc: 1.0.0, 1.1.0") + &teapot;
    page.drop_texts("body", &[("kitchen-1.yaml", &before), ("kitchen-2.yaml", &after)]).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen-1", "kitchen-2"]).await?;
    click(page, "tab-compare").await?;
    let following = "1 more package (1 installed version) can no longer be resolved for this reason alone.";
    see_texts(page, "[data-testid='compare-following']", &[following]).await?;
    let cause = texts(page, "[data-testid='not-comparable'] li").await?.concat();
    assert!(
        cause.starts_with(
            "Not served after the change: the newest opm rejects the catalog: multiple channel heads found"
        ),
        "{cause}"
    );
    let headline = texts(page, HEADLINE).await?.concat();
    assert_eq!(headline, "the newest opm rejects the catalog: its 2 packages stop (3 installed versions).");
    click(page, "compared-package").await?;
    page.text("2 of 2 installed versions").await?;
    is_accessible(page).await
});
