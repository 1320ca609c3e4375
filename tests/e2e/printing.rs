//! Printing: everything is on the sheet, in light colours, without controls; and afterwards the screen is as before.

use serde_json::{Value, json};
use suite::browser::{Page, Result, Scheme, Viewport, WIDE};

use crate::canvas::{open_wide, view};
use crate::steps::{click, see, texts};

/// A4 and Letter without margins of 14 mm, portrait and landscape, in CSS pixels.
pub(crate) const SHEETS: [Viewport; 4] = [
    Viewport { width: 687, height: 1016 },
    Viewport { width: 710, height: 950 },
    Viewport { width: 1016, height: 687 },
    Viewport { width: 950, height: 710 },
];

/// Prints the page as the browser does; the number of A4 sheets in portrait.
async fn sheets(page: &Page) -> Result<u64> {
    const COUNT: &str = "return atob(arguments[0]).match(/\\/Type \\/Page\\n/g).length";
    let options = json!({ "paperWidth": 8.27, "paperHeight": 11.69 });
    let pdf = page.devtools("Page.printToPDF", options).await?;
    Ok(page.eval(COUNT, vec![pdf["data"].clone()]).await?.as_u64().unwrap_or_default())
}

/// Lays the page out as for a sheet, until [`done`].
pub(crate) async fn lay_out(page: &Page, Viewport { width, height }: Viewport) -> Result {
    let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    page.eval("dispatchEvent(new Event('beforeprint'))", vec![]).await?;
    page.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
    page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await.map(drop)
}

pub(crate) async fn done(page: &Page) -> Result {
    page.devtools("Emulation.setEmulatedMedia", json!({ "media": "" })).await?;
    page.look(WIDE, Scheme::Dark).await?;
    page.eval("dispatchEvent(new Event('afterprint'))", vec![]).await.map(drop)
}

/// What is wrong with the page on a sheet, wherever its entries are: what is cut off, what is too wide or too tall, what is
/// dark, and what invites a click and is no link.
pub(crate) async fn wrong(page: &Page, sheet: Viewport) -> Result<Value> {
    const WRONG: &str = "
        const [width, height] = arguments, wrong = [];
        const all = (css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility());
        const name = (e) => `${e.tagName} ${e.getAttribute('class') ?? ''} ${e.textContent.slice(0, 40)}`;
        for (const e of all('body *')) {
            const { left, right, height: tall } = e.getBoundingClientRect();
            if (e.closest('.unseen, .patterns, .swatch, svg svg')) continue;
            if (right > width + 1 || left < -1) wrong.push(`beside the sheet: ${name(e)} ${left} to ${right}`);
            if (e.matches('.sheet') && tall > height) wrong.push(`taller than the sheet: ${name(e)}`);
            const { overflowX, overflowY } = getComputedStyle(e);
            const cut = (overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
                || (overflowY !== 'visible' && e.scrollHeight > e.clientHeight + 1);
            if (cut && !(e instanceof SVGElement)) wrong.push(`cut off: ${name(e)}`);
        }
        const controls = 'button:not(.link, .plain, .catalog), input, [role=tab], summary.button, .zoom, dialog';
        all(controls).forEach((e) => wrong.push(`to be clicked: ${name(e)}`));
        const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).every((part) => part > 200);
        all('.card').filter((e) => !light(getComputedStyle(e).fill)).forEach((e) => wrong.push(`dark: ${name(e)}`));
        if (light(getComputedStyle(document.body).color)) wrong.push('light text');
        return wrong.slice(0, 12)";
    page.eval(WRONG, vec![json!(sheet.width), json!(sheet.height)]).await
}

/// The entries of the drawing on a sheet: how many there are inside of their piece, and the height of the smallest label.
async fn drawn(page: &Page) -> Result<(u64, f64)> {
    const DRAWN: &str = "
        let [count, smallest] = [0, Infinity];
        for (const e of document.querySelectorAll('.sheet .entry')) {
            const [box, piece] = [e.querySelector('.box'), e.closest('.sheet')].map((e) => e.getBoundingClientRect());
            const inside = box.width > 0 && box.left >= piece.left && box.right <= piece.right && box.bottom <= piece.bottom;
            count += inside ? 1 : 0;
            smallest = Math.min(smallest, e.querySelector('.label').getBoundingClientRect().height);
        }
        return [count, smallest]";
    let found = page.eval(DRAWN, vec![]).await?;
    Ok((found[0].as_u64().unwrap_or_default(), found[1].as_f64().unwrap_or_default()))
}

/// The state of the screen: the number of elements, and scroll positions.
async fn screen(page: &Page) -> Result<Value> {
    const SCREEN: &str = "
        const source = document.querySelector('source-editor')?.shadowRoot.querySelector('.cm-scroller');
        const all = [...document.querySelectorAll('*')];
        return [all.length, all.filter((e) => e.scrollTop).map((e) => [e.className, e.scrollTop]), source?.scrollTop ?? 0]";
    page.eval(SCREEN, vec![]).await
}

journey!(every_entry_of_a_graph_is_printed, async |page| {
    page.look(WIDE, Scheme::Dark).await?;
    open_wide(page, 3, 60).await?;
    page.css("[data-testid='graph']").await?.click().await?;
    page.press("1++").await?;
    let moved = async || Ok(view(page).await?[2] > 1.5);
    see(page, "a closer look", true, moved).await?;
    let before = (view(page).await?, screen(page).await?);
    assert!(sheets(page).await? >= 3, "180 entries with their names are more than two sheets");
    assert_eq!((view(page).await?, screen(page).await?), before, "printing leaves the screen as it was");
    for sheet in SHEETS {
        lay_out(page, sheet).await?;
        assert_eq!(wrong(page, sheet).await?, json!([]), "{sheet:?}");
        let (entries, smallest) = drawn(page).await?;
        assert_eq!(entries, 180, "{sheet:?}");
        assert!(smallest > 9.0, "a label of {smallest} px on {sheet:?}");
        done(page).await?;
    }
    Ok(())
});

journey!(the_visible_part_of_a_very_large_graph_is_printed, async |page| {
    open_wide(page, 60, 160).await?;
    let in_sight = async || Ok(page.all(".tiles [data-testid='graph-node']").await?.len() > 20);
    see(page, "entries", true, in_sight).await?;
    let before = view(page).await?;
    assert!((2..8).contains(&sheets(page).await?), "and not a hundred sheets");
    assert_eq!(view(page).await?, before);
    lay_out(page, SHEETS[0]).await?;
    assert_eq!(wrong(page, SHEETS[0]).await?, json!([]));
    let entries = drawn(page).await?.0;
    let said = texts(page, ".paper > p").await?.join("");
    assert!(
        entries > 20 && said.contains(&format!("the {entries} entries that are visible on the screen follow")),
        "{entries} entries: {said}"
    );
    assert!(
        said.starts_with("This graph has 9600 entries, too many to print") && said.contains("export it as SVG"),
        "{said}"
    );
    assert_eq!(page.all(".minimap").await?.len(), 1);
    done(page).await?;
    click(page, "fit").await?;
    see(page, "a view of all", true, async || Ok(view(page).await?[2] < 0.2)).await?;
    lay_out(page, SHEETS[0]).await?;
    let said = texts(page, ".paper > p").await?.join("");
    assert!(said.contains("zoom in until at most"), "{said}");
    assert_eq!(drawn(page).await?.0, 0);
    done(page).await
});

/// The number of printed rows of a table.
async fn rows(page: &Page, css: &str) -> Result<usize> {
    let body = "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length";
    Ok(page.eval(body, vec![json!(css)]).await?.as_u64().and_then(|rows| rows.try_into().ok()).unwrap_or_default())
}

journey!(scrolling_lists_are_printed_completely, async |page| {
    const SCROLL: &str = "
        const inner = document.querySelector('source-editor')?.shadowRoot.querySelector('.cm-scroller');
        (inner ?? document.querySelector('.grid')).scrollTop = 400";
    open_wide(page, 20, 40).await?;
    let parts = [
        ("tab-table", "[data-testid='table'] [id^='row-']", ".entries tbody tr:not(.spacer)", 800),
        ("tab-reach", "[data-testid='reach'] td.head", ".reach .paper tr:has(td)", 120),
        ("tab-source", "[data-testid='source-here']", "source-editor", 1),
        ("tab-findings", "[data-testid='finding-row']", "[data-testid='finding-row']", 20),
    ];
    for (tab, shown, row, all) in parts {
        click(page, tab).await?;
        page.css(shown).await?;
        if tab != "tab-findings" {
            page.eval(SCROLL, vec![]).await?;
            see(page, "what was scrolled", true, async || Ok(screen(page).await?.to_string().contains("400"))).await?;
        }
        let before = screen(page).await?;
        assert!(sheets(page).await? > 1, "{tab}");
        see(page, "the screen after printing", before, async || screen(page).await).await?;
        lay_out(page, SHEETS[0]).await?;
        assert_eq!(wrong(page, SHEETS[0]).await?, json!([]), "{tab}");
        assert_eq!(rows(page, row).await?, all, "{tab}");
        if tab == "tab-source" {
            let lines =
                "return document.querySelector('source-editor').shadowRoot.querySelectorAll('.paper li').length";
            assert_eq!(page.eval(lines, vec![]).await?, 2000);
        }
        done(page).await?;
    }
    Ok(())
});
