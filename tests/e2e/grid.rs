//! Packages of many channels: the grid is readable at the first look and says the ways to newer channels, Fit shows all
//! lanes, the channel map all switches.

use serde_json::{Value, json};
use suite::browser::{Key, Page, Result, Scheme, Viewport};

use crate::steps::{choose_layout, click, read, see};

/// A package with channels that do not overlap, one for each minor version, of chains of twenty entries; the second entry
/// of each updates what the channel before it installs.
fn staircase(channels: u32) -> String {
    let channel = |minor: u32| {
        let below = minor.checked_sub(1).map(|before| format!("1.{minor}.1 (skipRange >=1.{before}.0 <1.{minor}.0)"));
        let second = below.unwrap_or_else(|| format!("1.{minor}.1"));
        let others: String = (2..20).map(|patch| format!(" <- 1.{minor}.{patch}")).collect();
        format!("stable-1.{minor}: 1.{minor}.0 <- {second}{others}\n")
    };
    let last = channels - 1;
    fixture::yaml(&format!(
        "package stairs, default stable-1.{last}\n{}",
        (0..channels).map(channel).collect::<String>()
    ))
}

async fn open(page: &Page, channels: u32) -> Result {
    page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
    page.css("[data-testid='empty']").await?;
    page.drop_texts("body", &[("stairs.yaml", &staircase(channels))]).await?;
    page.css("[data-testid='graph'] .entry.station").await.map(drop)
}

/// The heads that are visible as a whole, and the smallest height of a text, CSS pixels.
async fn first_look(page: &Page) -> Result<Value> {
    const LOOK: &str = "
        const graph = document.querySelector(\"[data-testid='graph']\"), frame = graph.getBoundingClientRect();
        const scale = new DOMMatrix(getComputedStyle(graph.querySelector('.follow')).transform).a;
        const within = ({ left, right, top, bottom }) => left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
        const heads = [...graph.querySelectorAll('.tiles .entry.head > .box')].filter((box) => within(box.getBoundingClientRect())).length;
        const sizes = [...graph.querySelectorAll('.follow text')].map((text) => scale * parseFloat(getComputedStyle(text).fontSize));
        return [heads, Math.min(...sizes) >= 11]";
    page.eval(LOOK, vec![]).await
}

journey!(the_first_look_shows_all_heads_in_readable_text, async |page| {
    open(page, 9).await?;
    see(page, "heads and whether texts are readable", json!([9, true]), async || first_look(page).await).await?;
    let words = async || read(page, ".follow text.ways", "e.textContent").await;
    let expected = ["newest and default"].into_iter().chain(["↗ all 20"; 8]).collect::<Vec<_>>();
    see(page, "the ways to newer channels", expected.as_slice(), words).await
});

journey!(an_axis_for_all_channels_is_one_click_away, async |page| {
    open(page, 9).await?;
    let axis = async || read(page, ".axis text", "e.textContent").await.map(|texts| texts[..2].to_vec());
    see(page, "the axis", [".0", ".2"].as_slice(), axis).await?;
    choose_layout(page, "Dots").await?;
    see(page, "the axis", ["1.0", "1.1"].as_slice(), axis).await?;
    choose_layout(page, "Grid").await?;
    see(page, "the axis", [".0", ".2"].as_slice(), axis).await
});

journey!(fit_shows_all_lanes_with_the_names_of_their_heads, async |page| {
    open(page, 9).await?;
    choose_layout(page, "Boxes").await?;
    click(page, "fit").await?;
    const FITTED: &str = "
        const frame = document.querySelector(\"[data-testid='graph']\").getBoundingClientRect();
        const lanes = [...document.querySelectorAll('.follow .card')].map((card) => card.getBoundingClientRect());
        const apart = lanes.filter(({ height, top, bottom }) => height >= 22 && top >= frame.top && bottom <= frame.bottom).length;
        const heads = [...document.querySelectorAll('.heads text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
        const whole = heads.filter(([, { left, right, height }]) => left >= frame.left && right <= frame.right && height >= 11);
        return [apart, whole.map(([text]) => text).join(' ')]";
    let heads: Vec<String> = (0..9).rev().map(|minor| format!("1.{minor}.19")).collect();
    let fitted = async || page.eval(FITTED, vec![]).await;
    see(page, "the lanes that are visible as a whole, and heads", json!([9, heads.join(" ")]), fitted).await
});

journey!(the_channel_map_shows_the_switches_that_work, async |page| {
    open(page, 3).await?;
    choose_layout(page, "Channel map").await?;
    let channels = async || read(page, "[data-testid='map-channel']", "e.textContent").await;
    let expected = ["stable-1.2head 1.2.19 · default", "stable-1.1head 1.1.19", "stable-1.0head 1.0.19"];
    see(page, "the channels", expected.as_slice(), channels).await?;
    let arrows = async || read(page, ".arrows title", "e.textContent").await;
    see(
        page,
        "the arrows",
        ["stable-1.1 → stable-1.2: 19 updates", "stable-1.0 → stable-1.1: 19 updates"].as_slice(),
        arrows,
    )
    .await?;
    page.css("[data-testid='map-channel'][data-channel='stable-1.1']").await?.click().await?;
    let list = async || read(page, "[data-testid='map-switches'] li", "e.textContent").await;
    see(page, "the switches of the channel", ["stable-1.2 19 updates", "stable-1.0 19 updates"].as_slice(), list)
        .await?;
    page.css("[data-testid='map-switches'] button").await?.click().await?;
    let path = async || read(page, "[data-testid='path-hops'] > li", "1").await.map(|stops| stops.len());
    see(page, "the stops of the path", 20, path).await
});

journey!(a_version_that_is_searched_for_is_in_sight, async |page| {
    open(page, 9).await?;
    // Enter before the results have arrived opens the first one as soon as they have.
    page.press("/").await?;
    page.test_id("palette-text").await?.send_keys(&format!("1.5.10{}", Key::Enter)).await?;
    const SEEN: &str = "
        const frame = document.querySelector(\"[data-testid='graph']\").getBoundingClientRect();
        const box = document.querySelector(\".tiles [data-name='stairs.v1.5.10'] > .box\")?.getBoundingClientRect();
        return !!box && box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom";
    see(page, "whether the entry is visible", json!(true), async || page.eval(SEEN, vec![]).await).await?;
    click(page, "path-to-head").await?;
    let path = async || read(page, "[data-testid='path-hops'] > li", "1").await.map(|stops| stops.len());
    see(page, "the stops of the path", 10, path).await
});
