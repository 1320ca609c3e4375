//! `opscope validate` beside other programs that read the same bytes, and beside itself at another revision.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::cmd;

use super::{Input, Run, measure};
use crate::workspace::{self, say};

/// Runs of each program on each input. All programs take turns, so that a change of the machine's load meets all of them.
const RUNS: usize = 7;

const TABLE: [&str; 2] = [
    "From the start of the program to its end: the least time and the median, wall time and time of all processors together. \
     The ratio is that of the least processor times, this program's to that of the first one.",
    "input                     MB  program                    wall ms    cpu ms   ratio  MB/s wall  peak MB  of input",
];

/// A program that reads an input.
struct Program {
    name: String,
    command: Vec<OsString>,
    /// How many threads it may have; all if absent.
    threads: Option<u32>,
}

impl Program {
    fn new(name: impl Into<String>, command: impl IntoIterator<Item = OsString>) -> Self {
        Self { name: name.into(), command: command.into_iter().collect(), threads: None }
    }

    fn validate(name: impl Into<String>, opscope: &Path, input: &Input) -> Self {
        Self::new(name, [opscope.into(), "validate".into(), input.path.clone().into()])
    }
}

/// Builds what is measured, and prints a line for each input and program.
pub(super) fn run(inputs: &[Input], other: Option<&str>) -> Result<()> {
    let shell = workspace::shell()?;
    cmd!(shell, "cargo build --release -p opscope").run()?;
    let opscope = workspace::target().join("release").join("opscope");
    let other = other.map(|revision| Ok::<_, anyhow::Error>((revision, at_revision(revision)?))).transpose()?;
    if other.is_none() {
        cmd!(shell, "cargo build --release -p fbc --example serde_yaml --example serde_json").run()?;
    }
    TABLE.iter().for_each(say);
    for input in inputs {
        let programs = match &other {
            Some((revision, there)) => vec![
                Program::validate("opscope here", &opscope, input),
                Program::validate(format!("opscope {revision}"), there, input),
            ],
            None => beside(&opscope, input)?,
        };
        compare(input, &programs)?;
    }
    Ok(())
}

/// Opscope and the programs that it is compared with.
fn beside(opscope: &Path, input: &Input) -> Result<Vec<Program>> {
    let examples = workspace::target().join("release").join("examples");
    let files = || input.files.iter().map(|file| file.clone().into());
    let example = |name: &str| [OsString::from(examples.join(name))].into_iter();
    let single = Program { threads: Some(1), ..Program::validate("opscope, 1 thread", opscope, input) };
    let mut programs = vec![
        single,
        Program::validate("opscope", opscope, input),
        Program::new("serde_yaml", example("serde_yaml").chain(files())),
        Program::new("serde_json, skipping", example("serde_json").chain([json(opscope, input)?.into()])),
    ];
    if let Ok(md5sum) = which::which("md5sum") {
        programs.push(Program::new("md5sum", [md5sum.into()].into_iter().chain(files())));
    }
    // It takes folders alone.
    if let (Ok(opm), true) = (which::which("opm"), input.path.is_dir()) {
        programs.push(Program::new("opm validate", [opm.into(), "validate".into(), input.path.clone().into()]));
    }
    Ok(programs)
}

/// The documents of an input as concatenated JSON, in a file.
fn json(opscope: &Path, input: &Input) -> Result<PathBuf> {
    let (shell, from) = (workspace::shell()?, &input.path);
    let path = workspace::target().join("bench").join("documents.json");
    fs::write(&path, cmd!(shell, "{opscope} render {from} --format json").quiet().output()?.stdout)?;
    Ok(path)
}

/// Builds `opscope` of another revision, in a worktree that is removed afterwards.
fn at_revision(revision: &str) -> Result<PathBuf> {
    let (shell, folder) = (workspace::shell()?, workspace::target().join("compared"));
    let worktree = folder.join("worktree");
    cmd!(shell, "git worktree add --force --detach {worktree} {revision}").run()?;
    let build = {
        let shell = workspace::shell()?;
        shell.change_dir(&worktree);
        cmd!(shell, "cargo build --release -p opscope").env("CARGO_TARGET_DIR", &folder).run()
    };
    cmd!(shell, "git worktree remove --force {worktree}").run()?;
    build?;
    Ok(folder.join("release").join("opscope"))
}

/// Runs the programs in turns, and prints their lines.
fn compare(input: &Input, programs: &[Program]) -> Result<()> {
    let mut runs: Vec<Vec<Run>> = programs.iter().map(|_| Vec::new()).collect();
    for _ in 0..RUNS {
        for (program, runs) in programs.iter().zip(&mut runs) {
            runs.push(measure(&program.command, &workspace::root(), program.threads)?);
        }
    }
    let base = Summary::of(&runs[0]);
    for (program, runs) in programs.iter().zip(&runs) {
        say(row(input, &program.name, &Summary::of(runs), &base));
    }
    Ok(())
}

/// What several runs took: milliseconds, least and median.
struct Summary {
    wall: [f64; 2],
    cpu: [f64; 2],
    /// Megabytes.
    peak: f64,
}

impl Summary {
    fn of(runs: &[Run]) -> Self {
        let millis = |time: fn(&Run) -> f64| {
            let mut times: Vec<f64> = runs.iter().map(time).collect();
            times.sort_by(f64::total_cmp);
            [0, times.len() / 2].map(|at| times.get(at).map_or(0.0, |seconds| seconds * 1e3))
        };
        let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default() as f64 / 1e6;
        Self { wall: millis(|run| run.wall.as_secs_f64()), cpu: millis(|run| run.cpu.as_secs_f64()), peak }
    }
}

fn row(input: &Input, program: &str, of: &Summary, base: &Summary) -> String {
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    let megabytes = input.bytes as f64 / 1e6;
    let times = |[least, median]: [f64; 2]| format!("{least:.0}, {median:.0}");
    format!(
        "{name:<20} {megabytes:>7.1}  {program:<21} {:>12} {:>9} {:>7.2} {:>10.0} {:>8.0} {:>8.1}x",
        times(of.wall),
        times(of.cpu),
        of.cpu[0] / base.cpu[0],
        megabytes / of.wall[0] * 1e3,
        of.peak,
        of.peak / megabytes
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_row_has_the_least_times_the_medians_and_the_highest_peak() {
        let run = |wall, cpu, peak| {
            let [wall, cpu] = [wall, cpu].map(Duration::from_millis);
            Run { wall, cpu, peak }
        };
        let base = Summary::of(&[run(50, 200, 1)]);
        let runs = [run(300, 110, 10_000_000), run(100, 100, 25_000_000), run(120, 400, 20_000_000)];
        let input = Input { path: "a/b".into(), files: Vec::new(), bytes: 12_000_000 };
        let row = row(&input, "opscope", &Summary::of(&runs), &base);
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["b", "12.0", "opscope", "100,", "120", "100,", "110", "0.50", "120", "25", "2.1x"]);
    }
}
