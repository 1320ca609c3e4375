//! The graph: moved by mouse, wheel, fingers, keys and the overview picture; drawn only where it is visible; exported as
//! files.

use serde_json::{Value, json};
use suite::browser::{Page, Point, Result, Scheme, Viewport};
use suite::inputs;

use crate::steps::{choose_layout, click, drop_fixture, kettle, paste, read, see, see_texts, select_package, visit};

/// The offset and the scale of the drawing.
pub(crate) async fn view(page: &Page) -> Result<[f64; 3]> {
    const VIEW: &str = "
        const m = new DOMMatrix(getComputedStyle(document.querySelector(\"[data-testid='graph'] .follow\")).transform);
        return [m.e, m.f, m.a]";
    let view = page.eval(VIEW, vec![]).await?;
    Ok([0, 1, 2].map(|at| view[at].as_f64().unwrap_or_default()))
}

/// Waits for a view that a check accepts.
async fn see_view(page: &Page, what: &str, holds: impl Fn([f64; 3]) -> bool) -> Result<[f64; 3]> {
    page.wait_for(what, async || Ok(Some(view(page).await?).filter(|view| holds(*view)))).await
}

/// The middle of the first element that matches.
async fn middle(page: &Page, css: &str) -> Result<Point> {
    const MIDDLE: &str = "
        const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
        return [left + width / 2, top + height / 2]";
    let at = page.eval(MIDDLE, vec![json!(css)]).await?;
    Ok((at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default()))
}

/// Opens a package with this many channels and entries.
pub(crate) async fn open_wide(page: &Page, channels: u32, entries: u32) -> Result {
    page.css("[data-testid='empty']").await?;
    let text = inputs::package("wide", channels, entries);
    page.drop_texts("body", &[("wide.yaml", &text)]).await?;
    page.css("[data-testid='graph'][aria-label='Update graph of wide'] [data-testid='graph-node']").await?;
    // Many entries are dots by themselves.
    choose_layout(page, "Boxes").await?;
    see(page, "dots", 0, async || Ok(page.all(".tiles .station").await?.len())).await?;
    page.css("[data-testid='graph'] .axis text").await.map(drop)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1.5
}

journey!(a_station_is_selected_where_the_pointer_is, async |page| {
    let versions: Vec<String> = (0..20).map(|minor| format!("1.{minor}.0")).collect();
    paste(page, &kettle(&versions.iter().map(String::as_str).collect::<Vec<_>>())).await?;
    const STATION: &str = "[data-testid='graph-node'].station[data-name='kettle.v1.7.0']";
    page.css(STATION).await?;
    let size = read(page, &format!("{STATION} > .hit"), "Math.floor(e.getBoundingClientRect().width)").await?;
    assert!(size[0].parse::<u32>().is_ok_and(|size| size >= 24), "{size:?}");
    // What is drawn while the pointer is there must not take the click. The drawing moves once, when the findings arrive.
    let pointed = async || {
        page.point_at(middle(page, &format!("{STATION} > .hit")).await?).await?;
        Ok(!page.all(".overlay .entry.station").await?.is_empty())
    };
    see(page, "the station under the pointer", true, pointed).await?;
    page.click_at(middle(page, &format!("{STATION} > .hit")).await?).await?;
    see_texts(page, "[data-testid='entry-name']", &["kettle.v1.7.0"]).await
});

journey!(mouse_wheel_and_keys_move_the_drawing, async |page| {
    open_wide(page, 1, 1000).await?;
    let [x, y, scale] = see_view(page, "the first view", |view| view[0] != 0.0).await?;
    let at = middle(page, "[data-testid='graph']").await?;
    page.drag(at, (at.0 + 120.0, at.1 + 30.0)).await?;
    see_view(page, "the view after a drag", |view| near(view[0], x + 120.0) && near(view[1], y + 30.0)).await?;

    let node = ".tiles [data-name='wide.v1.0.996'] > .box";
    let under = middle(page, node).await?;
    page.wheel(under, -300.0).await?;
    see_view(page, "a larger scale", |view| view[2] > scale * 1.3).await?;
    let still = middle(page, node).await?;
    assert!(near(under.0, still.0) && near(under.1, still.1), "{under:?} stays under the pointer, not {still:?}");

    page.css("[data-testid='graph']").await?.click().await?;
    page.press("1").await?;
    see_view(page, "the own size", |view| near(view[2], 1.0)).await?;
    page.press("0").await?;
    see_view(page, "a view from far away", |view| view[2] < 0.2).await?;
    page.press("w").await?;
    page.press("1+").await?;
    see_view(page, "a step nearer", |view| near(view[2], 1.25)).await?;
    Ok(())
});

journey!(two_fingers_zoom_without_drift, async |page| {
    open_wide(page, 3, 60).await?;
    // The findings are the last that comes: after them the drawing stays where it is.
    page.css("[data-testid='tab-findings'] .number").await?;
    let before = see_view(page, "the first view", |view| view[0] != 0.0).await?;
    let (x, y) = middle(page, "[data-testid='graph']").await?;
    let hold = |apart: f64, down: f64| [(x - apart, y + down), (x + apart, y + down)];
    let steps: Vec<[Point; 2]> = (0..=20).map(|step| hold(60.0 + 3.0 * f64::from(step), f64::from(step))).collect();
    let wider: Vec<&[Point]> = steps.iter().map(<[Point; 2]>::as_slice).collect();
    page.touch(&wider).await?;
    let scale = before[2] * 2.0;
    let rect = middle(page, "[data-testid='graph']").await?;
    let after = see_view(page, "twice the scale", |view| (view[2] - scale).abs() < 0.01).await?;
    // What was under the middle of the fingers is still there, 20 px further down.
    let frame = page.eval("const r = document.querySelector(\"[data-testid='graph']\").getBoundingClientRect(); return [r.left, r.top]", vec![]).await?;
    let (left, top) = (frame[0].as_f64().unwrap_or_default(), frame[1].as_f64().unwrap_or_default());
    let point = |view: [f64; 3], x: f64, y: f64| ((x - left - view[0]) / view[2], (y - top - view[1]) / view[2]);
    let (was, is) = (point(before, rect.0, rect.1), point(after, rect.0, rect.1 + 20.0));
    assert!(near(was.0, is.0) && near(was.1, is.1), "{was:?} is now {is:?}");

    let back: Vec<&[Point]> = wider.iter().rev().copied().collect();
    page.touch(&back).await?;
    see_view(page, "the view as before", |view| {
        near(view[0], before[0]) && near(view[1], before[1]) && (view[2] - before[2]).abs() < 0.01
    })
    .await?;
    Ok(())
});

journey!(only_the_visible_part_of_the_drawing_is_in_the_page, async |page| {
    open_wide(page, 60, 160).await?;
    let entry = "e.dataset.channel + ' ' + e.dataset.name";
    let names = async || read(page, "[data-testid='graph-node']", entry).await;
    let some = names().await?;
    assert!(some.len() < 400, "{} of 9600 entries are on the page", some.len());
    // A drag in the overview picture goes there, and no farther than the end: here to the last lane.
    let at = middle(page, "[data-testid='minimap']").await?;
    let height = page
        .eval("return document.querySelector(\"[data-testid='minimap']\").getBoundingClientRect().height", vec![])
        .await?;
    page.drag(at, (at.0 + 95.0, at.1 + height.as_f64().unwrap_or_default() / 2.0 + 20.0)).await?;
    let last = async || Ok(names().await?.contains(&"stable-1.1 wide.v1.0.159".to_owned()));
    see(page, "whether the end of the last channel is on the page", true, last).await?;
    assert!(!names().await?.contains(&"stable-1.0 wide.v1.0.150".to_owned()), "what is out of sight is gone");
    let lanes = read(page, ".lane-name title", "e.textContent").await?;
    assert!(lanes.iter().any(|title| title.starts_with("stable-1.1")), "names of lanes in sight: {lanes:?}");

    page.css("[data-testid='graph']").await?.click().await?;
    page.press("0").await?;
    see_view(page, "everything", |view| view[2] < 0.2).await?;
    let shapes = async || Ok(page.all(".far-node").await?.len() >= 60);
    see(page, "whether all lanes are shapes", true, shapes).await?;
    assert_eq!(names().await?.len(), 1, "the entry that keeps the focus");
    Ok(())
});

journey!(twelve_entries_are_seen_at_once_with_the_words_of_their_lane, async |page| {
    const INSIDE: &str = "
        const card = document.querySelector('.follow .card').getBoundingClientRect();
        const words = [...document.querySelectorAll('.lane-name :is(text.name, text.count)')];
        return words.length === 2 && words.every((word) => {
            const { top, bottom } = word.getBoundingClientRect();
            return top >= card.top - 1 && bottom <= card.bottom + 1;
        })";
    page.look(Viewport { width: 1440, height: 900 }, Scheme::Light).await?;
    let versions: Vec<String> = (0..12).map(|minor| format!("1.{minor}.0")).collect();
    paste(page, &kettle(&versions.iter().map(String::as_str).collect::<Vec<_>>())).await?;
    page.css("[data-testid='graph'][data-cut='']").await?;
    see(page, "whether the words are inside of the lane", json!(true), async || page.eval(INSIDE, vec![]).await).await
});

journey!(a_large_drawing_fits_without_overlapping_names, async |page| {
    const OVERLAPS: &str = "
        const tops = [...document.querySelectorAll(\".lane-name text.name\")].map((name) => name.getBoundingClientRect());
        tops.sort((a, b) => a.top - b.top);
        return [tops.length, tops.filter((rect, at) => at > 0 && rect.top < tops[at - 1].bottom - 2).length]";
    open_wide(page, 60, 160).await?;
    page.css("[data-testid='graph']").await?.click().await?;
    page.press("0").await?;
    const WITHIN: &str = "
        const frame = document.querySelector(\"[data-testid='graph']\").getBoundingClientRect();
        const cards = [...document.querySelectorAll('.follow .card')].map((card) => card.getBoundingClientRect());
        return cards.length > 0 && cards.every(({ right, height }) => right <= frame.right && height >= 13.9)";
    let within = async || page.eval(WITHIN, vec![]).await;
    see(page, "whether all versions are visible, in lanes that can be told apart", json!(true), within).await?;
    let names = async || page.eval(OVERLAPS, vec![]).await;
    // The drawing is rendered some entries a frame.
    let has_room = |found: &Value| found[1] == 0 && found[0].as_u64().is_some_and(|shown| shown >= 30);
    page.wait_for("30 names apart", async || Ok(Some(names().await?).filter(has_room))).await?;
    Ok(())
});

/// The middle between two entries of a channel that stand side by side.
async fn between(page: &Page, channel: &str, from: &str, to: &str) -> Result<Point> {
    const GAP: &str = "
        const [from, to] = [...arguments].map((css) => document.querySelector(css).getBoundingClientRect());
        return [(from.right + to.left) / 2, (from.top + from.bottom + to.top + to.bottom) / 4]";
    let entry = |name: &str| json!(format!(".tiles [data-channel='{channel}'][data-name='{name}'] > .box"));
    let at = page.eval(GAP, vec![entry(from), entry(to)]).await?;
    Ok((at[0].as_f64().unwrap_or_default(), at[1].as_f64().unwrap_or_default()))
}

journey!(zooming_keeps_the_focus_on_its_entry, async |page| {
    open_wide(page, 1, 1000).await?;
    see_view(page, "the first view", |view| view[0] != 0.0).await?;
    page.eval("document.querySelector(\"[data-testid='graph-node'][tabindex='0']\").focus()", vec![]).await?;
    let focused = async || read(page, ":focus", "e.dataset.name").await;
    let names = focused().await?;
    assert_eq!(names.len(), 1, "an entry has the focus");
    for (key, what) in [("-", "a view without detail"), ("+", "a view with detail")] {
        for _ in 0..8 {
            page.press(key).await?;
            see(page, "the entry with the focus", names.as_slice(), focused).await?;
        }
        see_view(page, what, |view| if key == "-" { view[2] < 0.2 } else { view[2] > 0.45 }).await?;
    }
    see(page, "the entry with the focus", names.as_slice(), focused).await
});

journey!(lines_and_bands_can_be_pointed_at_and_selected, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "kettle").await?;
    see_view(page, "the first view", |view| view[0] != 0.0).await?;
    let hint = async || read(page, "[data-testid='hint']", "e.textContent").await;
    let title = async || read(page, "[data-testid='subject-title']", "e.textContent").await;
    let edge = between(page, "stable", "kettle.v1.2.0", "kettle.v1.3.0").await?;
    page.point_at(edge).await?;
    see(page, "what the line is", ["1.3.0 replaces 1.2.0"].as_slice(), hint).await?;
    page.click_at(edge).await?;
    let told = async || Ok(title().await?.join(" ").contains("kettle.v1.3.0"));
    see(page, "whether the inspector tells of the edge", true, told).await?;
    see(page, "the selected edge", 1, async || Ok(page.all(".overlay .edge.replaces.subject").await?.len())).await?;

    let band = middle(page, ".tiles .band .fill").await?;
    page.point_at(band).await?;
    see(
        page,
        "what the band is",
        ["skipRange of 2.0.0: <2.0.0 → 2.0.0 · covers 4 versions, 4 not in channel"].as_slice(),
        hint,
    )
    .await?;
    page.click_at(band).await?;
    see(page, "the selected band", 1, async || Ok(page.all(".overlay .band.subject").await?.len())).await?;

    // The keyboard selects the same from an entry; its focus ring does not hide the selection.
    page.point_at((2.0, 2.0)).await?;
    page.eval("document.querySelector(\".tiles [data-channel='stable'][data-name='kettle.v1.3.0']\").focus()", vec![])
        .await?;
    page.press("l").await?;
    see(page, "the selected edge", 1, async || Ok(page.all(".overlay .edge.replaces.subject").await?.len())).await?;
    page.press(&suite::browser::Key::Escape.to_string()).await?;
    see(page, "what is selected", 0, async || Ok(page.all(".overlay .subject:is(.edge, .band)").await?.len())).await?;
    see(page, "what the inspector tells of", ["kettle"].as_slice(), title).await
});

journey!(arrow_keys_reach_entries_outside_of_the_page, async |page| {
    open_wide(page, 1, 1000).await?;
    page.eval("document.querySelector(\"[data-testid='graph-node'][tabindex='0']\").focus()", vec![]).await?;
    // Its skipRange makes the head the next hop of the oldest; back from there lead the edges.
    page.press(&suite::browser::Key::Right.to_string()).await?;
    for _ in 0..25 {
        page.press(&suite::browser::Key::Left.to_string()).await?;
    }
    let focused = async || read(page, ":focus", "e.dataset.name").await;
    see(page, "the entry with the focus", ["wide.v1.0.974"].as_slice(), focused).await?;
    let seen = "const r = document.activeElement.querySelector(':scope > .box').getBoundingClientRect(); return r.left > 0 && r.right < innerWidth";
    let in_sight = async || Ok(page.eval(seen, vec![]).await? == true);
    see(page, "whether it is in sight", true, in_sight).await
});

journey!(the_legend_lists_drawn_marks_and_can_show_all, async |page| {
    drop_fixture(page, "kitchen").await?;
    select_package(page, "teapot").await?;
    click(page, "legend").await?;
    let here = async || read(page, ".legend [aria-label='Legend'] dt", "e.lastChild.textContent").await;
    see(page, "the legend of a chain", ["head", "entry", "update"].as_slice(), here).await?;
    select_package(page, "kettle").await?;
    click(page, "legend").await?;
    let marks =
        ["head", "entry", "skipped", "can’t be startingCSV", "not in channel", "update", "skipRange with a warning"];
    see(page, "the legend", marks.as_slice(), here).await?;
    see(page, "all marks explained", 28, async || Ok(page.all(".legend dd").await?.len())).await
});

/// The text of a downloaded file, once it is there.
pub(crate) async fn downloaded(page: &Page, folder: &std::path::Path, name: &str) -> Result<Vec<u8>> {
    let file = folder.join(name);
    page.wait_for(name, async || Ok(std::fs::read(&file).ok().filter(|bytes| !bytes.is_empty()))).await
}

#[tokio::test]
async fn the_graph_is_exported_in_five_ways() -> Result {
    let folder = std::env::temp_dir().join(format!("opscope-exports-{}", std::process::id()));
    visit(async |page| {
        drop_fixture(page, "kitchen").await?;
        select_package(page, "kettle").await?;
        page.download_into(&folder).await?;
        click(page, "drawing-menu").await?;
        for name in ["svg", "png", "mermaid", "dot", "json"] {
            click(page, &format!("save-{name}")).await?;
        }
        let text = async |name: &str| {
            let bytes = downloaded(page, &folder, name).await?;
            Ok::<_, suite::browser::BrowserError>(String::from_utf8_lossy(&bytes).into_owned())
        };
        let svg = text("kettle.svg").await?;
        assert_eq!(svg.matches("<title>kettle.").count(), 9, "the entries of both channels");
        assert!(svg.contains(">kettle · kitchen</text>") && svg.contains(">update</text>"), "heading and legend");
        assert!(svg.contains("covers 4 versions") && svg.contains("#14171f") && !svg.contains("light-dark"), "{svg}");
        let png = downloaded(page, &folder, "kettle.png").await?;
        assert!(png.starts_with(b"\x89PNG") && png.len() > 4000, "{} bytes", png.len());
        let mermaid = text("kettle.mmd").await?;
        assert!(mermaid.starts_with("graph LR\n") && mermaid.contains("-- replace -->"), "{mermaid}");
        let dot = text("kettle.dot").await?;
        assert!(dot.starts_with("digraph") && dot.contains("label=\"stable (default)\""), "{dot}");
        let json: Value = serde_json::from_str(&text("kettle.json").await?).unwrap_or_default();
        assert_eq!(json["channels"][0]["name"], "stable");
        assert_eq!(
            json["channels"][1]["entries"].as_array().map(Vec::len),
            Some(5),
            "the head and what its range covers"
        );
        Ok(())
    })
    .await?;
    std::fs::remove_dir_all(&folder).ok();
    Ok(())
}

journey!(a_picture_of_the_view_has_its_visible_part, async |page| {
    const KEEP: &str = "
        window.copied = [];
        navigator.clipboard.writeText = (text) => { window.copied.push(text); return Promise.resolve(); }";
    open_wide(page, 2, 200).await?;
    page.eval(KEEP, vec![]).await?;
    click(page, "drawing-menu").await?;
    page.text("View").await?.click().await?;
    page.text("Dark").await?.click().await?;
    click(page, "copy-svg").await?;
    let copied =
        async || Ok(page.eval("return window.copied[0] ?? ''", vec![]).await?.as_str().map(str::len) > Some(0));
    see(page, "whether the picture is copied", true, copied).await?;
    let svg = page.eval("return window.copied[0]", vec![]).await?;
    let svg = svg.as_str().unwrap_or_default();
    let boxes = svg.matches(r#"class="box""#).count();
    assert!((3..60).contains(&boxes), "{boxes} entries of 400 are in sight");
    assert!(svg.contains("#eceef2"), "the head in dark colours");
    see_texts(page, "[data-testid='notice']", &[]).await
});
