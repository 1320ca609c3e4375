//! chromedriver as a child process, on a port of its own.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use fantoccini::{Client, ClientBuilder};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::error::{BrowserError, Result};

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
pub(crate) struct Driver {
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
