//! How long the worker takes to load a catalog and to follow an edit, and how much memory it has then.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, journey};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 3;
/// Edits to measure in one browser.
const EDITS: usize = 7;
/// How long the page may go on after its first graph, and be measured.
const AFTERMATH: Duration = Duration::from_secs(2);

pub(super) const HEAD: &str = "input                 MB  in the browser, ms      MB/s  worker MB  of input  first graph  to findings  to graph  longest task";

/// Notes the worker, what it says of what is loaded, and how long it takes: to load, to show the first packages, and to
/// answer each simulation.
pub(super) const WATCH_WORKER: &str = "
    window.simulations = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        window.theWorker = this;
        const { ask, revision } = message.request ?? {};
        const start = performance.now();
        const watch = (take) => this.addEventListener('message', function look({ data }) {
            if (data?.revision === revision && take(data.answer)) this.removeEventListener('message', look);
        });
        if (ask?.Simulate) watch((answer) => answer.Simulation && window.simulations.push(performance.now() - start));
        if (ask?.Open) watch((answer) => {
            if (!answer.Overview) return false;
            window.loaded = { revision, took: performance.now() - start, overview: answer.Overview };
            return true;
        });
        return post.call(this, message, ...rest);
    }";

/// Resolves to the milliseconds from the drop to the first frame with a graph in it.
const WATCH_GRAPH: &str = "
    window.firstGraph = new Promise((resolve) => addEventListener('drop', () => {
        const start = performance.now();
        const look = () => document.querySelector(arguments[0])
            ? resolve(performance.now() - start)
            : requestAnimationFrame(look);
        look();
    }, { capture: true, once: true }))";

/// The worker's memory in bytes.
const MEMORY: &str = "
    return new Promise((resolve) => {
        theWorker.addEventListener('message', function look({ data }) {
            if (!data?.answer?.Memory) return;
            this.removeEventListener('message', look);
            resolve(data.answer.Memory.bytes);
        });
        theWorker.postMessage({ request: { revision: loaded.revision, ask: 'Memory' }, files: [] });
    })";

/// Types a comment into the document of the first package of the largest file, so that all behind it moves, and asks for
/// its graph: the milliseconds until the findings are there, which come with the overview, and until the graph is.
const EDIT: &str = "
    const { overview } = loaded;
    const files = overview.catalogs[0].files;
    const { file } = files.reduce((one, other) => other.bytes > one.bytes ? other : one);
    const { key, place } = overview.packages
        .filter((row) => row.place?.file === file)
        .reduce((one, other) => other.place.start < one.place.start ? other : one);
    const revision = ++loaded.revision;
    const send = (ask) => theWorker.postMessage({ request: { revision, ask }, files: [] });
    return new Promise((resolve) => {
        const start = performance.now();
        let findings;
        theWorker.addEventListener('message', function look({ data }) {
            if (data?.revision !== revision) return;
            if (data.answer.Overview) findings = performance.now() - start;
            if (!data.answer.Graph) return;
            this.removeEventListener('message', look);
            resolve([findings, performance.now() - start]);
        });
        send({ Edit: { file, start: place.start, end: place.start, text: '# edited\\n' } });
        send({ Graph: { package: key } });
    })";

/// What one browser showed, in milliseconds and bytes.
struct Load {
    took: f64,
    memory: f64,
    first_graph: f64,
    /// To the findings and to the graph.
    edit: (f64, f64),
    longest_task: f64,
}

/// One line of the table.
pub(super) async fn measure(path: &Path) -> Result<String> {
    let mut loads = Vec::new();
    for _ in 0..RUNS {
        loads.push(load(path).await?);
    }
    let bytes = bytes(path)? as f64;
    let middle = |of: fn(&Load) -> f64| median(loads.iter().map(of).collect());
    let most = |of: fn(&Load) -> f64| loads.iter().map(of).fold(0.0, f64::max);
    let (took, memory) = (middle(|load| load.took), most(|load| load.memory));
    Ok(format!(
        "{:<16} {:>7.1} {took:>19.0} {:>9.0} {:>10.0} {:>8.1}x {:>12.0} {:>12.0} {:>9.0} {:>13.0}",
        path.file_name().unwrap_or_default().to_string_lossy(),
        bytes / 1e6,
        bytes / 1e3 / took,
        memory / 1e6,
        memory / bytes,
        middle(|load| load.first_graph),
        middle(|load| load.edit.0),
        middle(|load| load.edit.1),
        most(|load| load.longest_task),
    ))
}

async fn load(path: &Path) -> Result<Load> {
    let mut load = None;
    journey(async |page| {
        // The graph is in sight from the start only on a wide page.
        page.look(WIDE, Scheme::Light).await?;
        page.record_long_tasks().await?;
        page.eval(WATCH_WORKER, vec![]).await?;
        page.eval(WATCH_GRAPH, vec![super::FIRST_GRAPH.into()]).await?;
        page.drop_paths(&[path]).await?;
        page.css(super::FIRST_GRAPH).await?;
        let first_graph = number(&page.eval("return window.firstGraph", vec![]).await?)?;
        let took = async || Ok(page.eval("return window.loaded?.took ?? null", vec![]).await?.as_f64());
        let took = page.wait_for("the whole catalog", took).await?;
        let memory = number(&page.eval(MEMORY, vec![]).await?)?;
        tokio::time::sleep(AFTERMATH).await;
        let tasks = page.long_tasks().await?;
        let longest_task = tasks.iter().map(|task| task.duration.as_secs_f64() * 1e3).fold(0.0, f64::max);
        load = Some(Load { took, memory, first_graph, edit: edits(page).await?, longest_task });
        Ok(())
    })
    .await?;
    load.ok_or_else(|| BrowserError::Unexpected("expected a load".to_owned()))
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

fn number(value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| BrowserError::Unexpected(format!("expected a number, found `{value}`")))
}

fn median(mut times: Vec<f64>) -> f64 {
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
