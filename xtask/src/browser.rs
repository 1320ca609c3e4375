//! The browser for the tests: a Chrome or Chromium, and the chromedriver of its version.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use xshell::Cmd;

use crate::{debian, workspace};

/// The two programs by their paths.
pub(crate) struct Browser {
    /// Chrome or Chromium.
    pub(crate) chrome: PathBuf,
    /// Its WebDriver server.
    pub(crate) driver: PathBuf,
}

impl Browser {
    /// Lets a command of the `suite` package use this browser and the built app.
    pub(crate) fn start_with<'a>(&self, command: Cmd<'a>) -> Cmd<'a> {
        command.env("CHROME", &self.chrome).env("CHROMEDRIVER", &self.driver).env("OPSCOPE_DIST", workspace::dist())
    }
}

/// What Chrome is started with: no window, no sandbox (CI is root), no calls home.
pub(crate) const CHROME_ARGS: [&str; 8] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

const CHROMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Where installers put Chrome without adding it to `PATH`.
const CHROME_FILES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];

/// Finds the browser; on a Debian where this runs as root it is installed first if it is missing.
pub(crate) fn ensure() -> Result<Browser> {
    if let Ok(browser) = find() {
        return Ok(browser);
    }
    debian::install(&["chromium", "chromium-driver"])?;
    find()
}

fn find() -> Result<Browser> {
    let chrome = file_in("CHROME")
        .or_else(|| on_path(&CHROMES))
        .or_else(|| CHROME_FILES.iter().map(PathBuf::from).find(|path| path.is_file()))
        .ok_or_else(|| missing("Chrome or Chromium", "CHROME"))?;
    let driver = file_in("CHROMEDRIVER")
        .or_else(|| on_path(&["chromedriver"]))
        .ok_or_else(|| missing("chromedriver", "CHROMEDRIVER"))?;
    Ok(Browser { chrome, driver })
}

fn file_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| which::which(name).ok())
}

fn missing(what: &str, variable: &str) -> anyhow::Error {
    let how = if debian::is_here() {
        "`sudo apt-get install -y chromium chromium-driver`"
    } else if cfg!(target_os = "macos") {
        "install Google Chrome, then `brew install chromedriver`"
    } else {
        "install Chrome or Chromium and the chromedriver of the same major version"
    };
    anyhow!("found no {what}, which the browser tests need\nhelp: {how}; or set `{variable}` to its path")
}
