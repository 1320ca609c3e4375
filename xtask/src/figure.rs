//! One measured run of a command: how long it took and how much memory it held at most.
//!
//! The system gives a peak for all finished children together, so each run is the only child of an
//! `xtask figure` process of its own.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::cmd::Cmd;
use crate::failure::{Failure, Result};
use crate::term::{say, timed};

/// What one run cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Figure {
    /// Wall time.
    pub(crate) wall: Duration,
    /// Peak resident memory in bytes; 0 where the system does not tell.
    pub(crate) peak: u64,
}

/// Measures one run of `command`.
pub(crate) fn measure(command: &[String]) -> Result<Figure> {
    let xtask = std::env::current_exe().map_err(|error| Failure::new(format!("cannot find this program: {error}")))?;
    let line = Cmd::new(xtask).args(["figure"]).args(command).read()?;
    parse(&line).ok_or_else(|| Failure::new(format!("`xtask figure` printed `{}`", line.trim())))
}

/// `cargo xtask figure COMMAND...`: prints microseconds and bytes.
pub(crate) fn run(command: &[String]) -> Result {
    let Some((program, args)) = command.split_first() else {
        return Err(Failure::new("expected a command"));
    };
    let mut child = Command::new(program);
    child.args(args).stdin(Stdio::null()).stdout(Stdio::null());
    let (status, wall) = timed(|| child.status());
    let status = status.map_err(|error| Failure::new(format!("`{program}`: {error}")))?;
    // 1 is the answer `not valid`, which is an answer.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(Failure::new(format!("`{}` failed: {status}", command.join(" "))));
    }
    say(format_args!("{} {}", wall.as_micros(), peak_of_children()?));
    Ok(())
}

fn parse(line: &str) -> Option<Figure> {
    let (micros, peak) = line.trim().split_once(' ')?;
    Some(Figure { wall: Duration::from_micros(micros.parse().ok()?), peak: peak.parse().ok()? })
}

#[cfg(unix)]
fn peak_of_children() -> Result<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    // getrusage(2): kilobytes, but bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| Failure::new(format!("getrusage: {error}")))?;
    Ok(usage.max_rss().unsigned_abs() * unit)
}

#[cfg(not(unix))]
fn peak_of_children() -> Result<u64> {
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_read_as_it_is_printed() {
        let figure = Figure { wall: Duration::from_micros(1500), peak: 4096 };
        assert_eq!(parse("1500 4096\n"), Some(figure));
        assert_eq!(parse("1500"), None);
    }
}
