//! Measures a first visit: when the page is shown and answers, and how much it downloads.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use suite::browser::{
    BrowserError, LongTask, Page, RECORD, Result, Scheme, WIDE, built, journey, journey_at, slow_site,
};

use super::terminal::{longest, middle, say};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 5;

/// The page must have been quiet for so long before its figures are read.
const QUIET: Duration = Duration::from_secs(3);

/// Runs in the page before anything of its own: notes paints and shifts, presses `?` as soon as the start is
/// there, and notes when the dialog is drawn that answers it.
const WATCH: &str = "
    const figures = window.figures = { shift: 0 };
    const on = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
    on('paint', (entry) => { if (entry.name === 'first-contentful-paint') figures.paint = entry.startTime; });
    on('layout-shift', (entry) => { figures.shift += entry.value; });
    let pressed = false;
    const look = () => {
        if (!pressed && document.querySelector(\"[data-testid='empty']\")) {
            pressed = true;
            window.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }));
        }
        if (document.querySelector('dialog[open]')) {
            figures.answered = performance.now();
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look)";

/// Runs in the page before anything of its own: drops a catalog as soon as the start is there, and notes when its first graph is.
const DROP: &str = "
    const figures = window.figures = {};
    const bundle = (version) => `
---
schema: olm.bundle
package: app
name: app.v${version}
image: example.com/app:${version}
properties: [{ type: olm.package, value: { packageName: app, version: ${version} } }]`;
    const catalog = `
schema: olm.package
name: app
defaultChannel: stable
---
schema: olm.channel
package: app
name: stable
entries: [{ name: app.v1.0.0 }, { name: app.v2.0.0, replaces: app.v1.0.0 }]` + bundle('1.0.0') + bundle('2.0.0');
    const look = () => {
        if (!figures.readable && document.querySelector(\"[data-testid='empty']\")) {
            figures.readable = performance.now();
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([catalog], 'app.yaml'));
            for (const type of ['dragenter', 'dragover', 'drop'])
                document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        }
        if (document.querySelector(\"[data-testid='graph-node']\")) {
            figures.graph = performance.now();
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look)";

/// The files that the page requests before it answers, and the files in its cache. Paths are relative to the page.
const FILES: &str = "
    const folder = new URL('.', document.baseURI).pathname;
    const path = (url) => new URL(url).pathname.slice(folder.length) || 'index.html';
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const kept = caches.keys().then(([name]) => name ? caches.open(name) : undefined).then((cache) => cache?.keys() ?? []);
    return kept.then((kept) => ({
        before: all.map(({ name }) => path(name)),
        kept: kept.map(({ url }) => path(url)),
    }))";

/// What one visit took.
#[derive(Clone, Debug, PartialEq)]
struct Visit {
    /// First contentful paint.
    paint: f64,
    /// When a key had been answered and the last long task before that was over.
    interactive: f64,
    /// Cumulative layout shift.
    shift: f64,
    /// The tasks of the main thread above 50 ms.
    tasks: Vec<LongTask>,
}

/// Prints the figures.
pub(crate) async fn bench() -> Result {
    let mut visits = Vec::new();
    let mut sizes = (0, 0);
    let mut words = Vec::new();
    for _ in 0..RUNS {
        journey(async |page| {
            let (visit, files) = one(page).await?;
            visits.push(visit);
            sizes = files;
            words.extend(page.console().await?);
            Ok(())
        })
        .await?;
    }
    let figure = |of: fn(&Visit) -> f64| middle(visits.iter().map(of).collect());
    say(&format!("first visit, {RUNS} runs: first contentful paint {}", figure(|visit| visit.paint)));
    say(&format!("first visit: a key answered after {}", figure(|visit| visit.interactive)));
    let shift = visits.iter().map(|visit| visit.shift).fold(0.0, f64::max);
    let tasks = visits.into_iter().map(|visit| visit.tasks).collect();
    say(&format!("first visit: longest task {}, layout shift {shift}", longest(tasks)));
    say(&format!("first visit: console messages: {}", words.len()));
    say(&format!(
        "first visit: {} kB packed before a catalog is loaded; {} kB in all are kept for visits without network",
        sizes.0 / 1000,
        sizes.1 / 1000
    ));
    Ok(())
}

/// Measures the first visit of somebody behind a slow line who drops a catalog at once, and prints the figures.
pub(crate) async fn behind_a_slow_line() -> Result {
    let (mut readable, mut graph) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let site = slow_site().await?;
        // Opened first is a picture: what compiled the page once keeps it.
        journey_at(&format!("{}icon.svg", site.home()), async |page| {
            page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": DROP })).await?;
            page.devtools("Page.navigate", json!({ "url": site.home() })).await?;
            page.css("[data-testid='graph-node']").await?;
            tokio::time::sleep(QUIET).await;
            let figures = page.eval("return window.figures", vec![]).await?;
            readable.push(number(&figures["readable"])?);
            graph.push(number(&figures["graph"])?);
            Ok(())
        })
        .await?;
    }
    say(&format!(
        "first visit over 10 Mbit/s, {RUNS} runs, packed with brotli: readable after {}, first graph of a catalog that is \
         dropped at once after {}",
        middle(readable),
        middle(graph)
    ));
    Ok(())
}

fn number(value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| BrowserError::Unexpected(format!("expected a number, found `{value}`")))
}

async fn one(page: &Page) -> Result<(Visit, (usize, usize))> {
    page.look(WIDE, Scheme::Light).await?;
    // What the journey opened at first is forgotten.
    page.devtools("Storage.clearDataForOrigin", json!({ "origin": page.origin(), "storageTypes": "all" })).await?;
    page.devtools("Network.enable", json!({})).await?;
    page.devtools("Network.clearBrowserCache", json!({})).await?;
    for source in [RECORD, WATCH] {
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await?;
    }
    page.console().await?;
    page.follow("").await?;
    page.css("dialog[open]").await?;
    tokio::time::sleep(QUIET).await;
    let figures = page.eval("return window.figures", vec![]).await?;
    let files = page.eval(FILES, vec![]).await?;
    let tasks = page.long_tasks().await?;
    let answered = number(&figures["answered"])?;
    let visit = Visit {
        paint: number(&figures["paint"])?,
        interactive: tasks.iter().map(|task| (task.start + task.duration).as_secs_f64() * 1e3).fold(answered, f64::max),
        shift: number(&figures["shift"])?,
        tasks,
    };
    Ok((visit, (packed(&files["before"])?, packed(&files["kept"])?)))
}

/// The size of the named files of the built app, as they are packed.
fn packed(names: &Value) -> Result<usize> {
    let dist = built()?;
    let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| one_packed(&dist.join(name))).sum()
}

fn one_packed(path: &Path) -> Result<usize> {
    let length = |path: &Path| std::fs::metadata(path).map(|file| file.len() as usize);
    length(&path.with_added_extension("br"))
        .or_else(|_| length(path))
        .map_err(|error| BrowserError::File(path.to_path_buf(), error))
}
