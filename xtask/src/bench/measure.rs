//! One measured run of a command: how long it took, and how much memory it held at most.
//!
//! The system reports one peak for all finished children of a process together. So each run is the only child of an
//! `xtask measure` process of its own.

use std::ffi::OsString;
use std::path::Path;
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
    /// Time of all processors together; 0 where the system does not tell.
    pub(crate) cpu: Duration,
    /// Peak resident memory in bytes; 0 where the system does not tell.
    pub(crate) peak: u64,
}

/// Measures one run of a command in an `xtask measure` process, in this folder; `threads` is how many Opscope may have.
pub(super) fn measure(command: &[OsString], folder: &Path, threads: Option<u32>) -> Result<Run> {
    let (shell, xtask) = (workspace::shell()?, std::env::current_exe()?);
    shell.change_dir(folder);
    if let Some(threads) = threads {
        shell.set_var("RAYON_NUM_THREADS", threads.to_string());
    }
    let line = cmd!(shell, "{xtask} measure -- {command...}").quiet().read()?;
    parse(&line).with_context(|| format!("`xtask measure` printed `{line}`"))
}

/// `cargo xtask measure COMMAND...`: prints microseconds of wall and of processor time, and bytes.
pub(crate) fn run(command: &[OsString]) -> Result<()> {
    let (program, arguments) = command.split_first().context("expected a command")?;
    let mut child = Command::new(program);
    child.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let (status, wall) = timed(|| child.status());
    let status = status?;
    // 1 is the answer `not valid`, which is an answer.
    ensure!(matches!(status.code(), Some(0 | 1)), "`{}` failed: {status}", program.display());
    let (cpu, peak) = used_by_children()?;
    say(format_args!("{} {cpu} {peak}", wall.as_micros()));
    Ok(())
}

fn parse(line: &str) -> Option<Run> {
    let numbers: Vec<u64> = line.split_whitespace().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [wall, cpu, peak] = numbers[..] else { return None };
    Some(Run { wall: Duration::from_micros(wall), cpu: Duration::from_micros(cpu), peak })
}

/// Microseconds of processor time, and the highest peak of memory in bytes.
#[cfg(unix)]
fn used_by_children() -> Result<(i64, u64)> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    // getrusage(2): kilobytes, but bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = used.user_time().num_microseconds() + used.system_time().num_microseconds();
    Ok((cpu, used.max_rss().unsigned_abs() * unit))
}

#[cfg(not(unix))]
fn used_by_children() -> Result<(i64, u64)> {
    Ok((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_parsed_as_it_is_printed() {
        let [wall, cpu] = [1500, 900].map(Duration::from_micros);
        assert_eq!(parse("1500 900 4096\n"), Some(Run { wall, cpu, peak: 4096 }));
        assert_eq!(parse("1500 900"), None);
    }
}
