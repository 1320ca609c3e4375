//! Measures a load and an edit: how long the page takes to show the first packages of a catalog, and how long the worker takes
//! to find all findings and to follow an edit, and its memory.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use suite::browser::{BrowserError, LongTask, Page, Result, Scheme, WIDE, journey};

use super::terminal::{FIRST_PACKAGES, longest, middle, say};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 3;
/// Edits to measure in one browser.
const EDITS: usize = 7;
/// How long files are held over the page before they are dropped; the worker starts meanwhile.
const HELD: Duration = Duration::from_secs(1);
/// How long the page may go on after its first packages, and be measured.
const AFTERMATH: Duration = Duration::from_secs(2);

/// Notes the worker, what it says of what is loaded, and how long it takes to load.
const WATCH_WORKER: &str = "
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        window.theWorker = this;
        const { id, ask, revision } = message.request ?? {};
        if (ask?.Command?.Open) {
            const start = performance.now();
            this.addEventListener('message', function look({ data }) {
                const reply = data?.message?.Reply;
                if (reply?.id !== id) return;
                this.removeEventListener('message', look);
                const { overview } = reply.answer.Changed;
                window.loaded = { revision, took: performance.now() - start, overview };
            });
        }
        return post.call(this, message, ...rest);
    }";

/// Resolves to the milliseconds from the drop to the first frame in which something is shown.
const WATCH_FIRST: &str = "
    window.first = new Promise((resolve) => addEventListener('drop', () => {
        const start = performance.now();
        const look = () => document.querySelector(arguments[0])
            ? resolve(performance.now() - start)
            : requestAnimationFrame(look);
        look();
    }, { capture: true, once: true }))";

/// The worker's memory in bytes.
const MEMORY: &str = "
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

/// What one browser showed, in milliseconds and bytes.
struct Load {
    took: f64,
    memory: f64,
    first_packages: f64,
    /// To the findings and to the graph.
    edit: (f64, f64),
    long_tasks: Vec<LongTask>,
}

/// Loads a folder of catalogs a few times, and prints what that and edits of it took.
pub(super) async fn measure(catalogs: &Path) -> Result {
    let mut loads = Vec::new();
    for _ in 0..RUNS {
        loads.push(load(catalogs).await?);
    }
    let figure = |of: fn(&Load) -> f64| middle(loads.iter().map(of).collect());
    let name = catalogs.file_name().unwrap_or_default().to_string_lossy();
    let bytes = bytes(catalogs)? as f64;
    let memory = loads.iter().map(|load| load.memory).fold(0.0, f64::max);
    say(&format!(
        "load of {name}, {:.1} MB, {RUNS} runs: first packages after {}, all findings after {}",
        bytes / 1e6,
        figure(|load| load.first_packages),
        figure(|load| load.took)
    ));
    say(&format!("load: the worker has {:.0} MB, {:.1} times the input", memory / 1e6, memory / bytes));
    say(&format!(
        "edit of the largest file: findings after {}, graph after {}",
        figure(|load| load.edit.0),
        figure(|load| load.edit.1)
    ));
    say(&format!("load: longest task {}", longest(loads.into_iter().map(|load| load.long_tasks).collect())));
    Ok(())
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
        let long_tasks = page.long_tasks().await?;
        load = Some(Load { took, memory, first_packages, edit: edits(page).await?, long_tasks });
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
