//! Measures how long the worker takes to load a catalog and to follow an edit, and its memory; and how long the page takes to
//! show a package.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use suite::browser::{BrowserError, LongTask, Page, Result, Scheme, WIDE, journey};

use super::terminal::{FIRST_PACKAGES, longest, say};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 3;
/// Edits to measure in one browser.
const EDITS: usize = 7;
/// How long files are held over the page before they are dropped; the worker starts meanwhile.
const HELD: Duration = Duration::from_secs(1);
/// How long the page may go on after its first packages, and be measured.
const AFTERMATH: Duration = Duration::from_secs(2);

/// Behind the rows of `cargo xtask bench`: what else the same loads showed.
const HEAD: &str = "in Chromium, ms    first packages  edit: to findings  edit: to graph  a package, the slowest  longest main-thread task";

/// Notes the worker, what it says of what is loaded, and how long it takes: to load, to show the first packages, to find the
/// first outcome and all outcomes of each simulation, and at most to answer something else during a simulation.
pub(super) const WATCH_WORKER: &str = "
    window.simulations = [];
    window.firstOutcomes = [];
    window.longestWaits = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        window.theWorker = this;
        const { id, ask, revision } = message.request ?? {};
        const start = performance.now();
        const watch = (take) => this.addEventListener('message', function look({ data }) {
            if (data?.message?.Event?.FirstOutcome?.id === id) window.firstOutcomes.push(performance.now() - start);
            const reply = data?.message?.Reply;
            if (reply?.id !== id) return;
            this.removeEventListener('message', look);
            take(reply.answer);
        });
        if (ask?.Query?.Simulate) {
            let longest = 0, ended = false;
            const probe = () => {
                const asked = performance.now();
                const request = { id: 0, revision, ask: { Query: { Memory: {} } } };
                this.addEventListener('message', function look({ data }) {
                    if (data?.message?.Reply?.id !== 0) return;
                    this.removeEventListener('message', look);
                    longest = Math.max(longest, performance.now() - asked);
                    if (ended) window.longestWaits.push(longest);
                    else setTimeout(probe);
                });
                post.call(this, { request, files: [] });
            };
            setTimeout(probe);
            watch(() => {
                window.simulations.push(performance.now() - start);
                ended = true;
            });
        }
        if (ask?.Command?.Open) watch(({ Changed: { overview } }) => {
            window.loaded = { revision, took: performance.now() - start, overview };
        });
        return post.call(this, message, ...rest);
    }";

/// Resolves to the milliseconds from the drop to the first frame in which something is shown.
pub(super) const WATCH_FIRST: &str = "
    window.first = new Promise((resolve) => addEventListener('drop', () => {
        const start = performance.now();
        const look = () => document.querySelector(arguments[0])
            ? resolve(performance.now() - start)
            : requestAnimationFrame(look);
        look();
    }, { capture: true, once: true }))";

/// The worker's memory in bytes.
pub(super) const MEMORY: &str = "
    return new Promise((resolve) => {
        // The page counts its requests from 1.
        const id = 0;
        theWorker.addEventListener('message', function look({ data }) {
            const reply = data?.message?.Reply;
            if (reply?.id !== id) return;
            this.removeEventListener('message', look);
            resolve(reply.answer.Query.Memory);
        });
        theWorker.postMessage({ request: { id, revision: loaded.revision, ask: { Query: { Memory: {} } } }, files: [] });
    })";

/// Types a comment at the beginning of the largest file, so that all of it moves, and asks for the graph of a package that the
/// page shows: the milliseconds until the findings are there, which come with the overview, and until the graph is.
const EDIT: &str = "
    const [{ id, files }] = loaded.overview.catalogs;
    const { file } = files.reduce((one, other) => other.bytes > one.bytes ? other : one);
    const key = { catalog: id, package: document.querySelector('[data-testid=package-row]').dataset.name };
    const revision = ++loaded.revision;
    const send = (ask) => theWorker.postMessage({ request: { id: 0, revision, ask }, files: [] });
    return new Promise((resolve) => {
        const start = performance.now();
        let findings;
        theWorker.addEventListener('message', function look({ data }) {
            const reply = data?.message?.Reply;
            if (reply?.id !== 0) return;
            if (reply.answer.Changed) findings = performance.now() - start;
            if (!reply.answer.Query?.Graph) return;
            this.removeEventListener('message', look);
            resolve([findings, performance.now() - start]);
        });
        send({ Command: { Edit: [{ file, splices: [{ start: 0, end: 0, text: '# edited\\n' }] }] } });
        send({ Query: { Graph: { package: key, options: { layout: null, direction: 'Right', opened: [], compares: null, runtime: 'V0' } } } });
    })";

/// Clicks one of the largest packages in the overview. Resolves to the milliseconds until a frame has its headline and its
/// drawing; to nothing if the overview has no package of this number.
const SELECT: &str = "
    const row = document.querySelectorAll(\"[data-testid='large-package']\")[arguments[0]];
    if (!row) return null;
    const shown = [\"[data-testid='package-answer']\", \"[data-testid='graph'] [data-testid='graph-node']\"];
    return new Promise((resolve) => {
        const start = performance.now();
        row.click();
        const look = () => shown.every((css) => document.querySelector(css))
            ? resolve(performance.now() - start)
            : requestAnimationFrame(look);
        look();
    })";

/// What one browser showed, in milliseconds and bytes.
struct Load {
    took: f64,
    memory: f64,
    first_packages: f64,
    /// To the findings and to the graph.
    edit: (f64, f64),
    /// The slowest package; 0 if there is only one.
    selected: f64,
    long_tasks: Vec<LongTask>,
}

/// Loads each of the paths a few times and prints what that took.
pub(super) async fn measure(paths: &[&Path]) -> Result {
    let mut rows = vec![HEAD.to_owned()];
    for path in paths {
        let mut loads = Vec::new();
        for _ in 0..RUNS {
            loads.push(load(path).await?);
        }
        say(&row(path, &loads)?);
        rows.push(further(path, loads));
    }
    rows.iter().for_each(|row| say(row));
    Ok(())
}

/// A row of the table that `cargo xtask bench` began: the middle time with the extremes, the speed by it, the highest peak.
fn row(path: &Path, loads: &[Load]) -> Result<String> {
    let bytes = bytes(path)? as f64;
    let mut took: Vec<f64> = loads.iter().map(|load| load.took).collect();
    took.sort_by(f64::total_cmp);
    let (least, middle, most) = (took[0], took[took.len() / 2], took[took.len() - 1]);
    let memory = loads.iter().map(|load| load.memory).fold(0.0, f64::max);
    Ok(format!(
        "{:<20} {:>7.1}  {:<18} {:>20} {:>7.0} {:>8.0} {:>8.1}x",
        name(path),
        bytes / 1e6,
        "Chromium's worker",
        format!("{middle:.0} ({least:.0} to {most:.0})"),
        bytes / 1e3 / middle,
        memory / 1e6,
        memory / bytes,
    ))
}

fn further(path: &Path, loads: Vec<Load>) -> String {
    let middle = |of: fn(&Load) -> f64| median(loads.iter().map(of).collect());
    let most = |of: fn(&Load) -> f64| loads.iter().map(of).fold(0.0, f64::max);
    format!(
        "{:<20} {:>12.0} {:>18.0} {:>15.0} {:>23.0}  {}",
        name(path),
        middle(|load| load.first_packages),
        middle(|load| load.edit.0),
        middle(|load| load.edit.1),
        most(|load| load.selected),
        longest(loads.into_iter().map(|load| load.long_tasks).collect()),
    )
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

async fn load(path: &Path) -> Result<Load> {
    let mut load = None;
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.record_long_tasks().await?;
        page.eval(WATCH_WORKER, vec![]).await?;
        page.eval(WATCH_FIRST, vec![FIRST_PACKAGES.into()]).await?;
        page.drag_paths(&[path], HELD).await?;
        page.css(FIRST_PACKAGES).await?;
        let first_packages = number(&page.eval("return window.first", vec![]).await?)?;
        let took = async || Ok(page.eval("return window.loaded?.took ?? null", vec![]).await?.as_f64());
        let took = page.wait_for("the whole catalog", took).await?;
        let memory = number(&page.eval(MEMORY, vec![]).await?)?;
        tokio::time::sleep(AFTERMATH).await;
        let selected = selected(page).await?;
        let long_tasks = page.long_tasks().await?;
        load = Some(Load { took, memory, first_packages, edit: edits(page).await?, selected, long_tasks });
        Ok(())
    })
    .await?;
    load.ok_or_else(|| BrowserError::Unexpected("expected a load".to_owned()))
}

/// The longest time until one of the largest packages is shown.
async fn selected(page: &Page) -> Result<f64> {
    let mut slowest = 0.0;
    for at in 0_u32.. {
        let Some(took) = page.eval(SELECT, vec![at.into()]).await?.as_f64() else { break };
        slowest = f64::max(slowest, took);
        page.eval("history.back()", vec![]).await?;
        page.css("[data-testid='large-package']").await?;
    }
    Ok(slowest)
}

async fn edits(page: &Page) -> Result<(f64, f64)> {
    let (mut findings, mut graphs) = (Vec::new(), Vec::new());
    for _ in 0..EDITS {
        let times = page.eval(EDIT, vec![]).await?;
        findings.push(number(&times[0])?);
        graphs.push(number(&times[1])?);
    }
    Ok((median(findings), median(graphs)))
}

pub(super) fn number(value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| BrowserError::Unexpected(format!("expected a number, found `{value}`")))
}

pub(super) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn bytes(path: &Path) -> Result<u64> {
    let failed = |error| BrowserError::File(path.to_path_buf(), error);
    let meta = path.metadata().map_err(failed)?;
    if meta.is_file() {
        return Ok(meta.len());
    }
    let entries = path.read_dir().map_err(failed)?;
    entries.map(|entry| bytes(&entry.map_err(failed)?.path())).sum()
}
