//! Measures `opscope open`: until the catalog is on the page, and from a save on the disk until the page shows it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, journey_at};
use tempfile::TempDir;

use super::loads::median;
use super::terminal::{FIRST_PACKAGES, say};

/// Runs of what takes no browser.
const STARTS: usize = 20;
/// Saves to measure in one browser.
const SAVES: usize = 7;
/// The page must have been open for so long before a file is saved.
const QUIET: Duration = Duration::from_secs(2);

/// Resolves to the time of the clock when the page shows a text.
const WATCH: &str = "
    window.seen = new Promise((resolve) => {
        const look = () => document.body.innerText.includes(arguments[0]) ? resolve(Date.now()) : requestAnimationFrame(look);
        look();
    })";

/// A running command; it is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Prints the figures of the program that `OPSCOPE` names, for a package of the catalogs and for all of them.
pub(crate) async fn measure(catalogs: &Path) -> Result {
    let program = std::env::var_os("OPSCOPE").map(PathBuf::from);
    let program = program.ok_or_else(|| BrowserError::Unexpected("`OPSCOPE` names no program".to_owned()))?;
    let failed = |error| BrowserError::File(program.clone(), error);
    let bytes = fs::metadata(&program).map_err(failed)?.len();
    let mut versions = Vec::new();
    for _ in 0..STARTS {
        let start = now();
        Command::new(&program).arg("--version").stdout(Stdio::null()).status().map_err(failed)?;
        versions.push(milliseconds(start.elapsed()));
    }
    let size = bytes as f64 / 1e6;
    say(&format!("opscope: {size:.1} MB with the page, `--version` in {:.1} ms", median(versions)));
    let mut packages: Vec<PathBuf> =
        fs::read_dir(catalogs).map_err(failed)?.flatten().map(|entry| entry.path()).collect();
    packages.sort();
    if let Some(package) = packages.iter().find(|path| path.is_dir()) {
        one(&program, "a package", package).await?;
    }
    one(&program, "all packages", catalogs).await
}

/// Opens a copy of a folder, and saves a new file in it again and again.
async fn one(program: &Path, what: &str, folder: &Path) -> Result {
    let copy = TempDir::new().map_err(|error| BrowserError::File(folder.to_path_buf(), error))?;
    let catalog = copy.path().join("catalog");
    copy_all(folder, &catalog).map_err(|error| BrowserError::File(catalog.clone(), error))?;
    let start = now();
    let mut command = Command::new(program);
    command.args(["open", "--no-browser"]).arg(&catalog).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = Running(command.spawn().map_err(|error| BrowserError::File(program.to_path_buf(), error))?);
    let mut address = String::new();
    let output = child.0.stdout.as_mut().ok_or_else(|| BrowserError::Unexpected("it has no output".to_owned()))?;
    BufReader::new(output).read_line(&mut address).map_err(|error| BrowserError::File(catalog.clone(), error))?;
    let served = milliseconds(start.elapsed());
    journey_at(address.trim_end(), async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.css(FIRST_PACKAGES).await?;
        let shown = page.eval("return performance.now()", Vec::new()).await?.as_f64().unwrap_or_default();
        tokio::time::sleep(QUIET).await;
        let mut saves = Vec::new();
        for number in 1..=SAVES {
            saves.push(save(page, &catalog, number).await?);
        }
        let (least, most) = (saves.iter().copied().fold(f64::MAX, f64::min), saves.iter().copied().fold(0.0, f64::max));
        say(&format!(
            "open with {what}: address after {served:.0} ms, packages {shown:.0} ms after the page was asked for; a save is shown after \
             {:.0} ms ({least:.0} to {most:.0})",
            median(saves)
        ));
        Ok(())
    })
    .await
}

/// Saves a package that `opm` rejects, which the page names first, and returns the milliseconds until it does.
async fn save(page: &Page, catalog: &Path, number: usize) -> Result<f64> {
    let name = format!("a-saved-package-{number}");
    page.eval(WATCH, vec![Value::from(&*name)]).await?;
    let file = catalog.join("saved.yaml");
    let failed = |error| BrowserError::File(file.clone(), error);
    let new = file.with_extension("new");
    fs::write(&new, format!("schema: olm.package\nname: {name}\ndefaultChannel: stable\n")).map_err(failed)?;
    let saved = clock();
    fs::rename(&new, &file).map_err(failed)?;
    let seen = page.eval("return window.seen", Vec::new()).await?.as_f64().unwrap_or_default();
    Ok(seen - saved)
}

#[expect(clippy::disallowed_methods, reason = "this program never runs on wasm32")]
fn now() -> Instant {
    Instant::now()
}

/// The time of the clock in milliseconds, as the page has it.
#[expect(clippy::disallowed_methods, reason = "this program never runs on wasm32")]
fn clock() -> f64 {
    milliseconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_all(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
