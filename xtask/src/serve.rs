//! `serve`: the app under `trunk serve`. It is shown before the documentation is made, and before mdBook is built, which
//! makes that.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xshell::cmd;

use crate::workspace::{self, files_below, say, stopwatch};
use crate::{book, dist, setup};

/// Tells the hook of Trunk that the documentation comes later, and names the file to which it then writes the folder of
/// the page that it has finished.
const LATER: &str = "OPSCOPE_DOCUMENTATION_LATER";

/// Between two looks whether there is a new page.
const PAUSE: Duration = Duration::from_millis(300);

/// `cargo xtask serve`: rebuilds and reloads on every change, until it is stopped.
pub(crate) fn run(options: &[OsString]) -> Result<()> {
    let elapsed = stopwatch();
    say("serve: looking for the wasm target, Trunk and wasm-bindgen");
    let shell = dist::shell(&setup::page()?)?;
    let finished = workspace::target().join("finished-page");
    fs::create_dir_all(workspace::target())?;
    fs::write(&finished, "")?;
    shell.set_var(LATER, &finished);
    say(format_args!(
        "serve: building page, worker and element with Trunk after {}; for the first time this takes some minutes",
        setup::seconds(elapsed())
    ));
    let mut trunk = Command::from(cmd!(shell, "trunk serve {options...}"));
    in_own_group(&mut trunk);
    let mut trunk = trunk.spawn().context("Trunk does not start")?;
    end_with_this_process(&trunk)?;
    #[expect(clippy::disallowed_methods, reason = "this tool never runs on wasm32")]
    std::thread::spawn(move || document_pages(&finished, elapsed));
    let status = trunk.wait()?;
    ensure!(status.success() || is_ended_by_signal(status), "Trunk has ended: {status}");
    Ok(())
}

/// Lets one signal end Trunk with the cargo and the rustc that it has started; Trunk itself does not pass signals on.
#[cfg(unix)]
fn in_own_group(trunk: &mut Command) {
    use std::os::unix::process::CommandExt;
    trunk.process_group(0);
}

#[cfg(not(unix))]
const fn in_own_group(_: &mut Command) {}

/// Ends Trunk when a signal asks this process to end, also one from the terminal, which reaches only this process group.
/// Has to be called before there are other threads: these inherit that the signals are blocked.
#[cfg(unix)]
fn end_with_this_process(trunk: &Child) -> Result<()> {
    use nix::sys::signal::{SigSet, Signal, killpg};
    use nix::unistd::Pid;
    let signals = SigSet::from_iter([Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM]);
    // Only now: Trunk would inherit it, and no signal could end it.
    signals.thread_block()?;
    let group = Pid::from_raw(trunk.id().try_into()?);
    #[expect(clippy::disallowed_methods, reason = "this tool never runs on wasm32")]
    std::thread::spawn(move || {
        while signals.wait().is_ok() {
            // It fails if Trunk has ended; then so does this process.
            killpg(group, Signal::SIGTERM).ok();
        }
    });
    Ok(())
}

/// Elsewhere the terminal ends all programs that were started in it.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
const fn end_with_this_process(_: &Child) -> Result<()> {
    Ok(())
}

/// Whether somebody ended Trunk, which is how `serve` ends.
#[cfg(unix)]
fn is_ended_by_signal(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some()
}

#[cfg(not(unix))]
const fn is_ended_by_signal(_: ExitStatus) -> bool {
    false
}

/// In the hook of Trunk: gives a page the documentation as it was last, and says that the page is finished. Returns false
/// if the documentation does not come later.
pub(crate) fn puts_off_documentation(page: &Path) -> Result<bool> {
    let Some(finished) = std::env::var_os(LATER) else { return Ok(false) };
    if made().is_dir() {
        copy(&made(), &page.join(dist::DOCUMENTATION))?;
    }
    fs::write(finished, page.to_str().context("the path of the page is not UTF-8")?)?;
    Ok(true)
}

/// Makes the documentation after each build of the page.
fn document_pages(finished: &Path, elapsed: impl Fn() -> Duration) {
    let mut last = None;
    loop {
        std::thread::sleep(PAUSE);
        let page = fs::read_to_string(finished).unwrap_or_default();
        let changed = fs::metadata(finished).and_then(|file| file.modified()).ok();
        // Trunk moves the page to where it serves it.
        if page.is_empty() || changed == last || Path::new(&page).exists() {
            continue;
        }
        let is_first = last.is_none();
        last = changed;
        if is_first {
            say(format_args!(
                "serve: the page is ready after {}; the documentation follows",
                setup::seconds(elapsed())
            ));
        }
        match document() {
            Ok(()) if is_first => {
                say(format_args!("serve: the documentation is ready after {}", setup::seconds(elapsed())));
            }
            Ok(()) => {}
            Err(error) => say(format_args!("serve: no documentation: {error:#}")),
        }
    }
}

fn document() -> Result<()> {
    book::build(&setup::mdbook()?.shell()?, &made())?;
    copy(&made(), &workspace::dist().join(dist::DOCUMENTATION))
}

/// The documentation as it was made last.
fn made() -> PathBuf {
    workspace::target().join("documentation")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in files_below(from)? {
        let copy = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().context("a file has a folder")?)?;
        fs::copy(&file, copy)?;
    }
    Ok(())
}
