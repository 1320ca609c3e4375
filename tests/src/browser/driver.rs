//! chromedriver as a child process, on a port of its own.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fantoccini::{Client, ClientBuilder};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::runtime::{Builder, Handle};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::journey::{BrowserError, Result};
use super::pointer::{devtools, log};

const PATIENCE: Duration = Duration::from_secs(30);

/// chromedriver ends when the port that it got for IPv6 is in use for IPv4, which other drivers on the machine cause.
const ATTEMPTS: usize = 5;

/// No window, no sandbox (CI is root), no calls home, and no other host even if the app asked for one.
const CHROME_ARGS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// A running chromedriver; it is killed when it is dropped.
struct Driver {
    _child: Child,
    /// Kept open: chromedriver dies of a closed standard output.
    _output: Lines<BufReader<ChildStdout>>,
    /// The browser's profile, some 150 MB, which is removed with it: a killed chromedriver leaves it behind.
    _folder: TempDir,
    port: u16,
}

impl Driver {
    pub(crate) async fn start() -> Result<Self> {
        let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| OsString::from("chromedriver"));
        for _ in 0..ATTEMPTS {
            if let Some(driver) = Self::attempt(&program).await? {
                return Ok(driver);
            }
        }
        Err(not_ready(format!("`{}` did not say its port", program.display())))
    }

    /// `None` if chromedriver ends before it has printed its port.
    async fn attempt(program: &OsStr) -> Result<Option<Self>> {
        let folder =
            TempDir::new().map_err(|error| not_ready(format!("no folder for the browser's profile: {error}")))?;
        let mut child = Command::new(program)
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| not_ready(format!("`{}` did not start: {error}", Path::new(program).display())))?;
        let output = child.stdout.take().expect("standard output was asked to be piped");
        let mut output = BufReader::new(output).lines();
        let port = timeout(PATIENCE, port_in(&mut output)).await.ok().flatten();
        Ok(port.map(|port| Self { _child: child, _output: output, _folder: folder, port }))
    }

    /// Opens a browser window.
    pub(crate) async fn session(&self) -> Result<Client> {
        ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities())
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .map_err(|error| not_ready(format!("the browser did not start: {error}")))
    }
}

fn not_ready(what: String) -> BrowserError {
    BrowserError::NotReady(what)
}

/// Reads on until chromedriver's line `... started successfully on port 4444.`
async fn port_in(output: &mut Lines<BufReader<ChildStdout>>) -> Option<u16> {
    while let Ok(Some(line)) = output.next_line().await {
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return port.trim_end_matches('.').parse().ok();
        }
    }
    None
}

fn capabilities() -> Map<String, Value> {
    let mut chrome = json!({ "args": CHROME_ARGS });
    if let Some(binary) = std::env::var_os("CHROME") {
        chrome["binary"] = binary.to_string_lossy().into();
    }
    let all = json!({
        "browserName": "chrome",
        "goog:chromeOptions": chrome,
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    });
    match all {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

// Browsers that serve one journey after the other.
//
// To start a browser and to compile the app takes longer than most journeys. So a journey leaves its browser to the
// next one, without tabs and storage of its own, but with the compiled modules of the app. A journey that fails ends
// its browser. The last of the journeys that run at a time ends all, since nothing is called at the end of the process.

/// The most time that a browser may take to forget a journey.
const POOL_PATIENCE: Duration = Duration::from_secs(10);

/// Everything except the caches of files and of compiled modules.
const STORAGE: &str = "cache_storage,cookies,file_systems,indexeddb,local_storage,service_workers";

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), in_use: 0 });

pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Driver,
}

struct Pool {
    idle: Vec<Browser>,
    /// Journeys that have a browser or start one.
    in_use: usize,
}

/// The right to use a browser; when the last one is dropped, no journey runs.
pub(crate) struct Lease;

impl Lease {
    /// A browser that another journey has left, or a new one.
    pub(crate) async fn browser() -> Result<(Self, Browser)> {
        let lease = Self::new();
        let idle = pool().idle.pop();
        let browser = match idle {
            Some(browser) => browser,
            None => Browser::start().await?,
        };
        Ok((lease, browser))
    }

    fn new() -> Self {
        pool().in_use += 1;
        Self
    }

    /// Leaves a browser to the next journey.
    pub(crate) async fn give_back(self, browser: Browser, origin: &str) {
        match timeout(POOL_PATIENCE, browser.forget(origin)).await {
            Ok(Ok(())) => pool().idle.push(browser),
            // The next journey starts another one.
            _ => browser.end().await,
        }
        self.end().await;
    }

    /// Ends a browser that a journey may have broken.
    pub(crate) async fn throw_away(self, browser: Browser) {
        browser.end().await;
        self.end().await;
    }

    async fn end(self) {
        drop(self);
        let left = {
            let mut pool = pool();
            if pool.in_use == 0 { std::mem::take(&mut pool.idle) } else { Vec::new() }
        };
        for browser in left {
            browser.end().await;
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        pool().in_use -= 1;
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    async fn start() -> Result<Self> {
        let started = in_background(async {
            let driver = Driver::start().await?;
            let client = driver.session().await?;
            Ok(Self { client, _driver: driver })
        });
        started.await.map_err(|error| BrowserError::NotReady(format!("the browser did not start: {error}")))?
    }

    /// Removes what a journey has left: its tab with all that was set for it, what the browser stores for the app, where it
    /// downloads to, and what it recorded.
    async fn forget(&self, origin: &str) -> Result {
        let tab = self.client.new_window(true).await?.handle;
        for other in self.client.windows().await? {
            if other != tab {
                self.client.switch_to_window(other).await?;
                self.client.close_window().await?;
            }
        }
        self.client.switch_to_window(tab).await?;
        // A tab behind another one has neither the focus nor frames.
        devtools(&self.client, "Page.bringToFront", json!({})).await?;
        devtools(&self.client, "Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await?;
        let storage = json!({ "origin": origin, "storageTypes": STORAGE });
        devtools(&self.client, "Storage.clearDataForOrigin", storage).await?;
        devtools(&self.client, "Browser.setDownloadBehavior", json!({ "behavior": "default" })).await?;
        for kind in ["browser", "performance"] {
            log(&self.client, kind).await?;
        }
        Ok(())
    }

    async fn end(self) {
        // A browser that does not answer ends with its driver.
        timeout(POOL_PATIENCE, self.client.close()).await.ok();
    }
}

/// Runs a task on a thread that lives as long as the process: the runtime of a test ends with it.
pub(crate) fn in_background<T: Send + 'static>(task: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    static BACKGROUND: LazyLock<Handle> = LazyLock::new(|| {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime needs a few file handles");
        let handle = runtime.handle().clone();
        #[expect(clippy::disallowed_methods, reason = "this harness never runs on wasm32")]
        std::thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
        handle
    });
    BACKGROUND.spawn(task)
}
