//! One measured run of a command: how long it took, and how much memory it held at most.
//!
//! The system reports one peak for all finished children of a process together. So each run is the only child of an
//! `xtask measure` process of its own.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xshell::cmd;

use crate::terminal::{say, timed};
use crate::workspace;

/// What one run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Run {
    /// Wall time.
    pub(crate) wall: Duration,
    /// Peak resident memory in bytes; 0 where the system does not tell.
    pub(crate) peak: u64,
}

/// Measures one run of a command in an `xtask measure` process.
pub(super) fn measure(command: &[OsString]) -> Result<Run> {
    let (shell, xtask) = (workspace::shell()?, std::env::current_exe()?);
    let line = cmd!(shell, "{xtask} measure -- {command...}").quiet().read()?;
    parse(&line).with_context(|| format!("`xtask measure` printed `{line}`"))
}

/// `cargo xtask measure COMMAND...`: prints microseconds and bytes.
pub(crate) fn run(command: &[OsString]) -> Result<()> {
    let (program, arguments) = command.split_first().context("expected a command")?;
    let mut child = Command::new(program);
    child.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let (status, wall) = timed(|| child.status());
    let status = status?;
    // 1 is the answer `not valid`, which is an answer.
    ensure!(matches!(status.code(), Some(0 | 1)), "`{}` failed: {status}", program.display());
    say(format_args!("{} {}", wall.as_micros(), peak_of_children()?));
    Ok(())
}

fn parse(line: &str) -> Option<Run> {
    let (micros, peak) = line.trim().split_once(' ')?;
    Some(Run { wall: Duration::from_micros(micros.parse().ok()?), peak: peak.parse().ok()? })
}

#[cfg(unix)]
fn peak_of_children() -> Result<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    // getrusage(2): kilobytes, but bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss().unsigned_abs() * unit)
}

#[cfg(not(unix))]
fn peak_of_children() -> Result<u64> {
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_parsed_as_it_is_printed() {
        assert_eq!(parse("1500 4096\n"), Some(Run { wall: Duration::from_micros(1500), peak: 4096 }));
        assert_eq!(parse("1500"), None);
    }
}
