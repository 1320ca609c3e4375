//! Measures a first visit: when the page is shown and answers, and how much it downloads.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use suite::browser::{BrowserError, LongTask, Page, RECORD, Result, Scheme, WIDE, built, journey};

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
        "first visit: {} kB gzip before a catalog is loaded; {} kB in all are kept for visits without network",
        sizes.0 / 1000,
        sizes.1 / 1000
    ));
    Ok(())
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
    let number = |value: &Value| {
        value.as_f64().ok_or_else(|| BrowserError::Unexpected(format!("expected a number, found `{figures}`")))
    };
    let tasks = page.long_tasks().await?;
    let answered = number(&figures["answered"])?;
    let visit = Visit {
        paint: number(&figures["paint"])?,
        interactive: tasks.iter().map(|task| (task.start + task.duration).as_secs_f64() * 1e3).fold(answered, f64::max),
        shift: number(&figures["shift"])?,
        tasks,
    };
    Ok((visit, (gzipped(&files["before"])?, gzipped(&files["kept"])?)))
}

/// The size of the named files of the built app, each compressed.
fn gzipped(names: &Value) -> Result<usize> {
    let dist = built()?;
    let names = names.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| one_gzipped(&dist.join(name))).sum()
}

fn one_gzipped(path: &Path) -> Result<usize> {
    let failed = |error| BrowserError::File(path.to_path_buf(), error);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&fs::read(path).map_err(failed)?).map_err(failed)?;
    Ok(encoder.finish().map_err(failed)?.len())
}
