//! `setup`: installs what the other commands need where it is missing, and says how long each step took.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use semver::{Version, VersionReq};
use xshell::{Cmd, Shell, cmd};

use crate::workspace::{self, say, timed};

/// The target of the app and its worker.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// The newest Trunk that builds with this workspace's `rust-version`.
const TRUNK: Version = Version::new(0, 21, 14);

/// The generator of the documentation.
const MDBOOK: Version = Version::new(0, 5, 4);

/// The release that goes with the library `bolero` in `Cargo.toml`.
const BOLERO: Version = Version::new(0, 13, 5);

/// What took longer was more than a look.
const WORTH_A_LINE: Duration = Duration::from_secs(2);

/// The folders of the installed tools, which come before those of `PATH`.
pub(crate) struct Toolchain {
    folders: Vec<PathBuf>,
}

impl Toolchain {
    fn ensure(tools: &[Tool]) -> Result<Self> {
        let mut folders = Vec::new();
        for tool in tools {
            folders.extend(step(tool.package, || tool.ensure())?);
        }
        Ok(Self { folders })
    }

    /// A shell whose commands find the tools.
    pub(crate) fn shell(&self) -> Result<Shell> {
        let shell = workspace::shell()?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.folders.iter().cloned().chain(std::env::split_paths(&path));
        shell.set_var("PATH", std::env::join_paths(folders)?);
        Ok(shell)
    }
}

/// Everything that `cargo xtask test` needs.
///
/// The browser comes over the network while the tools are compiled: on two cores that saves its two minutes.
pub(crate) fn all() -> Result<(Toolchain, Browser)> {
    let (toolchain, browser) = std::thread::scope(|scope| {
        // One after the other: apt-get runs once at a time.
        let browser = scope.spawn(|| {
            let browser = step("browser and driver", ensure)?;
            step("docker-registry", registry).map(|()| browser)
        });
        let toolchain = toolchain();
        (toolchain, browser.join())
    });
    let toolchain = toolchain?;
    step("rustfmt and clippy", rust_components)?;
    Ok((toolchain, browser.map_err(|_| anyhow!("the set-up of the browser panicked"))??))
}

/// What a build of the app with its documentation needs: no browser.
pub(crate) fn toolchain() -> Result<Toolchain> {
    let Toolchain { mut folders } = page()?;
    folders.extend(mdbook()?.folders);
    Ok(Toolchain { folders })
}

/// What the documentation needs.
pub(crate) fn mdbook() -> Result<Toolchain> {
    Toolchain::ensure(&[Tool::mdbook()?])
}

/// What the app alone needs.
pub(crate) fn page() -> Result<Toolchain> {
    if !cfg!(windows) && !["cc", "gcc", "clang"].iter().any(|name| which::which(name).is_ok()) {
        bail!(
            "found no C compiler, which rustc links with\nhelp: on Debian, `sudo apt-get install -y build-essential`"
        );
    }
    step("rust target wasm32-unknown-unknown", wasm_target)?;
    Toolchain::ensure(&[Tool::trunk()?, Tool::wasm_bindgen()?])
}

/// What a run of the fuzz targets under libFuzzer needs.
pub(crate) fn cargo_bolero() -> Result<Toolchain> {
    Toolchain::ensure(&[Tool::cargo_bolero()?])
}

/// Runs one step of the set-up. Prints what came of it and how long it took, unless all was there.
fn step<T>(name: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    let (result, took) = timed(run);
    if result.is_err() || took > WORTH_A_LINE {
        say(format_args!("setup: {name}: {} ({})", if result.is_ok() { "ready" } else { "failed" }, seconds(took)));
    }
    result
}

/// A time as people read it.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn wasm_target() -> Result<()> {
    let shell = workspace::shell()?;
    let sysroot = cmd!(shell, "rustc --print sysroot").quiet().read()?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM).join("lib").is_dir() {
        return Ok(());
    }
    rustup(&shell, &["target", "add", WASM])
}

fn rust_components() -> Result<()> {
    let shell = workspace::shell()?;
    for (program, component) in [("rustfmt", "rustfmt"), ("clippy-driver", "clippy")] {
        if cmd!(shell, "{program} --version").quiet().ignore_stderr().read().is_err() {
            rustup(&shell, &["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustup(shell: &Shell, arguments: &[&str]) -> Result<()> {
    let install = cmd!(shell, "rustup {arguments...}").quiet();
    install.run().context("help: install the same with what installed rustc, or rustup; is the network there?")
}

/// A program of a package on crates.io.
///
/// It is built from source into a folder that is named for its version, so that no other project's version is replaced
/// and a change of version here installs the new one at the next command.
struct Tool {
    package: &'static str,
    program: &'static str,
    /// What is installed.
    version: Version,
    /// What else will do, if it is on `PATH`.
    fitting: VersionReq,
    /// Of `cargo install`.
    options: &'static [&'static str],
}

impl Tool {
    fn trunk() -> Result<Self> {
        let fitting = VersionReq::parse(&format!("~{TRUNK}"))?;
        // The default features are TLS, for downloads that never happen here, and a look for updates.
        // Unoptimised: installing it is slow, and most of the time of a build of the app is spent in rustc.
        let options = &["--locked", "--no-default-features", "--config", "profile.release.opt-level=0"];
        Ok(Self { package: "trunk", program: "trunk", version: TRUNK, fitting, options })
    }

    /// The generated glue is tied to the library: both versions must be equal.
    fn wasm_bindgen() -> Result<Self> {
        let version = workspace::locked_version("wasm-bindgen")?;
        let fitting = VersionReq::parse(&format!("={version}"))?;
        // The default feature is TLS for drivers on other hosts. The lock file of 0.2.130 names yanked versions.
        let options = &["--no-default-features", "--config", "profile.release.opt-level=1"];
        Ok(Self { package: "wasm-bindgen-cli", program: "wasm-bindgen", version, fitting, options })
    }

    fn mdbook() -> Result<Self> {
        let fitting = VersionReq::parse(&format!("~{MDBOOK}"))?;
        // The other default features are a server and a watcher, which Trunk has.
        let options =
            &["--locked", "--no-default-features", "--features", "search", "--config", "profile.release.opt-level=1"];
        Ok(Self { package: "mdbook", program: "mdbook", version: MDBOOK, fitting, options })
    }

    fn cargo_bolero() -> Result<Self> {
        let fitting = VersionReq::parse(&format!("~{BOLERO}"))?;
        let options = &[
            "--locked",
            "--no-default-features",
            "--features",
            "libfuzzer",
            "--config",
            "profile.release.opt-level=1",
        ];
        Ok(Self { package: "cargo-bolero", program: "cargo-bolero", version: BOLERO, fitting, options })
    }

    /// Installs the tool where it is missing. Returns the folder that has it, if that is not one of `PATH`.
    fn ensure(&self) -> Result<Option<PathBuf>> {
        let folder = self.folder()?;
        let program = folder.join("bin").join(format!("{}{}", self.program, std::env::consts::EXE_SUFFIX));
        if !program.is_file() {
            if self.is_on_path()? {
                return Ok(None);
            }
            self.install(&folder)?;
        }
        Ok(Some(folder.join("bin")))
    }

    fn folder(&self) -> Result<PathBuf> {
        let home = std::env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
            .context("there is no home folder to install tools into\nhelp: set `CARGO_HOME`")?;
        Ok(home.join("opscope-tools").join(format!("{}-{}", self.package, self.version)))
    }

    fn is_on_path(&self) -> Result<bool> {
        let (shell, program) = (workspace::shell()?, self.program);
        let Ok(text) = cmd!(shell, "{program} --version").quiet().ignore_stderr().read() else { return Ok(false) };
        Ok(version_in(&text).is_some_and(|version| self.fitting.matches(&version)))
    }

    fn install(&self, folder: &Path) -> Result<()> {
        let (package, options) = (self.package, self.options);
        let (shell, version) = (workspace::shell()?, self.version.to_string());
        say(format_args!("setup: {package} {version}: building it from source, once; this takes some minutes"));
        let install = cmd!(shell, "cargo install --quiet {package} --version {version} {options...} --root {folder}");
        quick(install).run().with_context(|| {
            format!("help: crates.io must be reachable; or put {package} {} on `PATH` yourself", self.fitting)
        })
    }
}

/// Prefers a quick build to a quick program: the tools run for seconds a day.
fn quick(install: Cmd<'_>) -> Cmd<'_> {
    install
        .quiet()
        .args(["--config", "profile.release.lto='off'"])
        .args(["--config", "profile.release.codegen-units=16"])
        .env_remove("CARGO_TARGET_DIR")
}

/// The first version in what a program prints for `--version`.
fn version_in(text: &str) -> Option<Version> {
    text.split_whitespace().find_map(|word| Version::parse(word.trim_start_matches('v')).ok())
}

// The browser for the tests: a Chrome or Chromium, and the chromedriver of its version.

/// The two programs by their paths.
pub(crate) struct Browser {
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
    install(&["chromium", "chromium-driver"])?;
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
    let how = if is_here() {
        "`sudo apt-get install -y chromium chromium-driver`"
    } else if cfg!(target_os = "macos") {
        "install Google Chrome, then `brew install chromedriver`"
    } else {
        "install Chrome or Chromium and the chromedriver of the same major version"
    };
    anyhow!("found no {what}, which the browser tests need\nhelp: {how}; or set `{variable}` to its path")
}

// Packages of Debian that the tests need.

fn is_here() -> bool {
    Path::new("/etc/debian_version").exists()
}

/// Installs packages where this is a Debian and runs as root; elsewhere does nothing.
fn install(packages: &[&str]) -> Result<()> {
    let shell = workspace::shell()?;
    let is_root = || cmd!(shell, "id -u").quiet().read().is_ok_and(|id| id == "0");
    if !is_here() || which::which("apt-get").is_err() || !is_root() {
        return Ok(());
    }
    shell.set_var("DEBIAN_FRONTEND", "noninteractive");
    for arguments in [&["update"][..], &[&["install", "-y"][..], packages].concat()] {
        let help = || format!("help: `apt-get install -y {}` must work; is the network there?", packages.join(" "));
        cmd!(shell, "apt-get -qq {arguments...}").quiet().ignore_stdout().run().with_context(help)?;
    }
    Ok(())
}

/// The registry that the tests push images to.
fn registry() -> Result<()> {
    let is_there = || std::env::var_os("DOCKER_REGISTRY").is_some() || which::which("docker-registry").is_ok();
    if !is_there() {
        install(&["docker-registry"])?;
    }
    if !is_there() {
        bail!(
            "found no docker-registry, which the tests need\nhelp: on Debian, `sudo apt-get install -y docker-registry`; \
             elsewhere set `DOCKER_REGISTRY` to the path of github.com/distribution/distribution's `registry`"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trunk_may_be_newer_by_a_patch_and_wasm_bindgen_must_be_equal() {
        let fits = |tool: &Tool, version: &str| tool.fitting.matches(&Version::parse(version).unwrap());
        let trunk = Tool::trunk().unwrap();
        assert_eq!(["0.21.13", "0.21.14", "0.21.15", "0.22.0"].map(|v| fits(&trunk, v)), [false, true, true, false]);
        let wasm_bindgen = Tool::wasm_bindgen().unwrap();
        let Version { major, minor, patch, .. } = wasm_bindgen.version;
        assert!(fits(&wasm_bindgen, &format!("{major}.{minor}.{patch}")));
        assert!(!fits(&wasm_bindgen, &format!("{major}.{minor}.{}", patch + 1)));
    }

    #[test]
    fn versions_are_found_in_what_programs_print() {
        assert_eq!(version_in("trunk 0.21.14\n"), Some(Version::new(0, 21, 14)));
        assert_eq!(version_in("wasm-bindgen 0.2.130 (1234abcd)"), Some(Version::new(0, 2, 130)));
        assert_eq!(version_in("mdbook v0.5.4"), Some(Version::new(0, 5, 4)));
        assert_eq!(version_in("no version"), None);
    }
}
