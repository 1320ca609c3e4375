//! The browser for the tests: a Chrome or Chromium, and the chromedriver of its version.

use std::path::{Path, PathBuf};

use crate::cmd::{Cmd, on_path};
use crate::failure::{Failure, Result};
use crate::term::say;
use crate::workspace;

/// Programs by their paths.
pub(crate) struct Browser {
    /// Chrome or Chromium.
    pub(crate) chrome: PathBuf,
    /// Its WebDriver server.
    pub(crate) driver: PathBuf,
}

impl Browser {
    /// A command of the `suite` package that drives this browser.
    pub(crate) fn drive(&self, command: Cmd) -> Cmd {
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

const CHROMES_OFF_PATH: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];

/// Finds the browser, installing it first on a Debian where this is root.
pub(crate) fn ensure() -> Result<Browser> {
    if let Ok(browser) = find() {
        return Ok(browser);
    }
    if is_debian_root() {
        install_from_apt()?;
    }
    find()
}

fn find() -> Result<Browser> {
    let chrome = named_by("CHROME")
        .or_else(|| on_path(&CHROMES))
        .or_else(|| CHROMES_OFF_PATH.iter().map(PathBuf::from).find(|path| path.is_file()));
    let driver = named_by("CHROMEDRIVER").or_else(|| on_path(&["chromedriver"]));
    match (chrome, driver) {
        (Some(chrome), Some(driver)) => Ok(Browser { chrome, driver }),
        (None, _) => Err(missing("Chrome or Chromium", "CHROME")),
        (Some(_), None) => Err(missing("chromedriver", "CHROMEDRIVER")),
    }
}

fn named_by(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

fn missing(what: &str, variable: &str) -> Failure {
    let how = if Path::new("/etc/debian_version").exists() {
        "`sudo apt-get install -y chromium chromium-driver`"
    } else if cfg!(target_os = "macos") {
        "install Google Chrome, then `brew install chromedriver`"
    } else {
        "install Chrome or Chromium and the chromedriver of the same major version"
    };
    Failure::new(format!("found no {what}, which the browser tests need"))
        .mend(format!("{how}; or name its path in `{variable}`"))
}

fn is_debian_root() -> bool {
    Path::new("/etc/debian_version").exists()
        && on_path(&["apt-get"]).is_some()
        && Cmd::new("id").args(["-u"]).read().is_ok_and(|id| id.trim() == "0")
}

fn install_from_apt() -> Result {
    say("setup: chromium and chromium-driver come from apt");
    let mend = "`apt-get install -y chromium chromium-driver` must work; is the network there?";
    for args in [&["update"][..], &["install", "-y", "chromium", "chromium-driver"]] {
        Cmd::new("apt-get")
            .args(["-q"])
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()
            .map_err(|failure| failure.mend(mend))?;
    }
    Ok(())
}
