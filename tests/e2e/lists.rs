//! Lists that grow with a catalog: the palette, the list of packages, and the table of entries.

use suite::browser::{Key, Page, Result, Role, Scheme, Viewport, WIDE};

use crate::steps::{click, drop_fixture, kettle, paste, read, see, see_packages, see_texts};

/// The option of the palette that Enter picks, as the field names it.
async fn active(page: &Page) -> Result<String> {
    const ACTIVE: &str = "
        const field = document.activeElement;
        return document.getElementById(field.getAttribute('aria-activedescendant'))?.textContent ?? ''";
    Ok(page.eval(ACTIVE, vec![]).await?.as_str().unwrap_or_default().to_owned())
}

journey!(the_palette_finds_all_words_and_is_used_by_keys_alone, async |page| {
    drop_fixture(page, "kitchen").await?;
    let control_k = Key::Control + "k";
    page.press(&control_k).await?;
    let field = page.role(Role::Combobox, "Package, version, API, image, file, or what to do").await?;
    let active = async || active(page).await;
    see(page, "the first package", "kettlestable → 1.3.0", active).await?;
    field.send_keys("kettle 1.3.0").await?;
    see_texts(page, "[data-testid='palette-group'] h3", &["Versions 1", "Images 1"]).await?;
    let hits = ["kettle.v1.3.0kettle 1.3.0", "registry.example.com/kettle:v1.3.0kettle 1.3.0"];
    see_texts(page, "[data-testid='palette-hit']", &hits).await?;
    page.press(&Key::Down.to_string()).await?;
    see(page, "the second result", hits[1], active).await?;
    page.press(&Key::Down.to_string()).await?;
    see(page, "the first result again", hits[0], active).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.3.0"]).await?;
    see_texts(page, "dialog", &[]).await?;
    // The field in the page opens it, too; Escape gives the focus back.
    page.test_id("search").await?.click().await?;
    page.test_id("palette-text").await?.send_keys("teapot nothing").await?;
    see_texts(page, "[data-testid='palette-status']", &["Nothing has all of these words."]).await?;
    page.press(&Key::Escape.to_string()).await?;
    let focused = async || read(page, ":focus", "e.dataset.testid").await;
    see(page, "the focus on what opened it", ["search"].as_slice(), focused).await?;
    page.press("/").await?;
    page.press("teap").await?;
    see(page, "the package", "teapot", async || Ok(active().await?.chars().take(6).collect::<String>())).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "[data-testid='package-title']", &["teapot"]).await?;
    // What the page can do is found, too.
    page.press("/").await?;
    page.press("go com").await?;
    see_texts(page, "[data-testid='palette-action'] span", &["Go to Compare"]).await?;
    see_texts(page, "[data-testid='palette-status']", &["Nothing open has all of these words."]).await?;
    page.press(&Key::Enter.to_string()).await?;
    see_texts(page, "dialog", &[]).await?;
    page.css("[data-testid='compare']").await?;
    Ok(())
});

journey!(the_palette_finds_what_the_list_leaves_out_and_shows_more, async |page| {
    let many: Vec<String> = (1..=60).map(|patch| format!("1.0.{patch}")).collect();
    let versions: Vec<&str> = many.iter().map(String::as_str).collect();
    paste(page, &(kettle(&versions) + "---\nschema: olm.package\nname: broken\n")).await?;
    // What is wrong comes first.
    see_packages(page, &["broken", "kettle"]).await?;
    page.press("/").await?;
    page.test_id("palette-text").await?.send_keys("kettle").await?;
    see_texts(page, "[data-testid='palette-more']", &["54 more…", "54 more…"]).await?;
    page.css("[data-testid='palette-more']").await?.click().await?;
    see_texts(page, "[data-testid='palette-more']", &["4 more…", "54 more…"]).await?;
    page.css("[data-testid='palette-more']").await?.click().await?;
    see_texts(page, "[data-testid='palette-more']", &["54 more…"]).await?;
    // A click on the list leaves the focus in the field.
    page.press(&Key::Home.to_string()).await?;
    page.press("1.0.7 ").await?;
    let hits = ["kettle.v1.0.7", "registry.example.com/kettle:v1.0.7"];
    see_texts(page, "[data-testid='palette-hit'] .mono", &hits).await
});

journey!(a_wide_list_says_what_is_wrong_with_a_package, async |page| {
    paste(page, &(kettle(&["1.0.0"]) + "---\nschema: olm.package\nname: broken\n")).await?;
    page.test_id("tab-graph").await?;
    let visible = "e.checkVisibility() ? e.textContent : ''";
    let problems = async || read(page, "[data-testid='package-row'] .problem", visible).await;
    page.look(WIDE, Scheme::Light).await?;
    see(page, "no room for a problem", [""].as_slice(), problems).await?;
    let heights = async || read(page, "[data-testid='package-row']", "e.offsetHeight").await;
    let before = heights().await?;
    page.look(Viewport { width: 2560, height: 1300 }, Scheme::Light).await?;
    let shown = async || Ok(problems().await?.concat().contains("no default channel"));
    see(page, "the problem of the package", true, shown).await?;
    assert_eq!(heights().await?, before, "no row is higher or lower than before");
    Ok(())
});

async fn first_row(page: &Page) -> Result<String> {
    Ok(read(page, "#row-0", "e.textContent").await?.concat())
}

journey!(the_table_is_sorted_by_version_and_filtered, async |page| {
    click(page, "example").await?;
    click(page, "tab-table").await?;
    let first = async || first_row(page).await;
    see(page, "the head of the default channel", "2.0.0", first).await?;
    let head = page.css(".entries thead th:first-child button").await?;
    head.click().await?;
    see(page, "the oldest version", "1.0.0", first).await?;
    page.css(".entries thead th:first-child button").await?.click().await?;
    see(page, "the newest version", "2.1.0", first).await?;
    page.test_id("table-text").await?.send_keys("fast").await?;
    let channels = async || {
        let mut channels = read(page, ".entries tbody tr:not(.spacer) td:nth-child(2)", "e.textContent").await?;
        channels.dedup();
        Ok(channels)
    };
    see(page, "the channels shown", ["fast"].as_slice(), channels).await?;
    page.test_id("table-text").await?.send_keys(" nothing").await?;
    click(page, "table-all").await?;
    see(page, "the newest version", "2.1.0", first).await
});

journey!(an_icon_that_cannot_be_read_gives_way_to_initials, async |page| {
    let icon = "icon: {base64data: bm90IGFuIGltYWdl, mediatype: image/png}";
    paste(page, &kettle(&["1.0.0"]).replacen("name: kettle\n", &format!("name: kettle\n{icon}\n"), 1)).await?;
    see_texts(page, ".title .icon.initials", &["ke"]).await?;
    see_texts(page, ".title img", &[]).await
});

journey!(the_bar_of_a_phone_names_the_shown_view, async |page| {
    drop_fixture(page, "kitchen").await?;
    page.look(suite::browser::NARROW, Scheme::Light).await?;
    let current = ".panes button[aria-current]";
    see_texts(page, current, &["Graph"]).await?;
    click(page, "pane-compare").await?;
    see_texts(page, current, &["Compare"]).await?;
    click(page, "pane-graph").await?;
    click(page, "tab-findings").await?;
    see_texts(page, current, &["Graph"]).await
});
