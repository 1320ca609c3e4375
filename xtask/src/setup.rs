//! `setup`: what the other commands need, installed where it is missing.

use std::path::{Path, PathBuf};

use crate::browser::{self, Browser};
use crate::cmd::{Cmd, on_path};
use crate::failure::{Failure, Result};
use crate::term::{say, timed};
use crate::tools::{self, Tool};

const WASM: &str = "wasm32-unknown-unknown";

/// Folders to be put before `PATH`.
pub(crate) struct Toolchain {
    folders: Vec<PathBuf>,
}

impl Toolchain {
    /// A command that finds the tools.
    pub(crate) fn command(&self, program: &str) -> Cmd {
        Cmd::new(program).with_path(&self.folders)
    }

    /// A cargo that finds the tools.
    pub(crate) fn cargo(&self) -> Cmd {
        Cmd::cargo().with_path(&self.folders)
    }
}

/// All that `cargo xtask test` needs.
pub(crate) fn all() -> Result<(Toolchain, Browser)> {
    let toolchain = toolchain()?;
    let components = timed(rust_components);
    report("rustfmt and clippy", &components);
    components.0?;
    let browser = timed(browser::ensure);
    report("browser and driver", &browser);
    Ok((toolchain, browser.0?))
}

/// What a build of the app needs: no browser.
pub(crate) fn toolchain() -> Result<Toolchain> {
    if !tools::has_c_compiler() {
        return Err(Failure::new("found no C compiler, which rustc links with")
            .mend("on Debian: `sudo apt-get install -y build-essential`"));
    }
    let target = timed(wasm_target);
    report("rust target wasm32-unknown-unknown", &target);
    target.0?;
    let mut folders = Vec::new();
    for (name, tool) in [("trunk", Ok(Tool::trunk())), ("wasm-bindgen", Tool::wasm_bindgen())] {
        let tool = tool?;
        let found = timed(|| tool.ensure());
        report(name, &found);
        folders.extend(found.0?);
    }
    Ok(Toolchain { folders })
}

fn report<T>(what: &str, (result, took): &(Result<T>, std::time::Duration)) {
    let outcome = if result.is_ok() { "ready" } else { "failed" };
    say(format_args!("setup: {what}: {outcome} ({:.1} s)", took.as_secs_f64()));
}

fn wasm_target() -> Result {
    let sysroot = Cmd::new("rustc").args(["--print", "sysroot"]).read()?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(WASM).join("lib").is_dir() {
        return Ok(());
    }
    rustup(&["target", "add", WASM])
}

fn rust_components() -> Result {
    for (program, component) in [("rustfmt", "rustfmt"), ("clippy-driver", "clippy")] {
        if Cmd::new(program).args(["--version"]).read().is_err() {
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustup(args: &[&str]) -> Result {
    if on_path(&["rustup"]).is_none() {
        return Err(Failure::new(format!("`rustup {}` is needed, and there is no rustup", args.join(" ")))
            .mend("install rustup, or install the same with what installed rustc"));
    }
    Cmd::new("rustup").args(args).run().map_err(|failure| failure.mend("is the network there?"))
}
