//! `bench`: the figures that the README quotes, measured on a folder of real catalogs.

mod inputs;
pub(crate) mod measure;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;

use crate::terminal::say;
use crate::{dist, setup, workspace};
use inputs::Input;
use measure::{Run, measure};

/// Runs of each program on each input.
const RUNS: usize = 5;

/// The table that `Native` and `Loads` fill.
const TABLE: [&str; 2] = [
    "From the start of the program, or the drop of files that were held over the page for a second, until all findings \
     are there: the median of several runs, the lowest and the highest, and the highest peak of memory.",
    "input                     MB  program              ms (least to most)    MB/s  peak MB  of input",
];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this part only
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// A folder with a folder for each package
    #[arg(long, default_value = "../shared/catalogs/community-v4.18")]
    catalogs: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// `opscope validate` beside a plain YAML parser; needs no browser
    Native,
    /// Resolutions and their explanations, and who answered their questions; needs no browser
    Resolutions,
    /// Comparisons of two states, natively and in the browser
    Comparisons,
    /// Loads and edits in the browser
    Loads,
    /// A catalog image of 1 GB in the browser
    Images,
    /// The first visit to the page
    Visit,
    /// Frames while large graphs are moved
    Drawings,
    /// Simulations of all packages
    Simulations,
}

/// `cargo xtask bench`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let parts = arguments.part.as_ref().map_or(Part::value_variants(), std::slice::from_ref);
    let catalogs = workspace::root().join(&arguments.catalogs).canonicalize();
    let catalogs = catalogs.with_context(|| {
        format!("help: name a folder of catalogs with `--catalogs DIR`, not `{}`", arguments.catalogs.display())
    })?;
    let (toolchain, browser) = setup::all()?;
    let shell = workspace::shell()?;
    if parts.contains(&Part::Native) {
        cmd!(shell, "cargo build --release -p opscope").run()?;
        cmd!(shell, "cargo build --release -p fbc --example serde_yaml").run()?;
    }
    if parts.iter().any(|part| !matches!(part, Part::Native | Part::Resolutions)) {
        dist::build(&toolchain)?;
        cmd!(shell, "cargo build -p suite --bin drive").run()?;
    }
    let inputs = inputs::make(&catalogs, &workspace::target().join("bench"))?;
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    if parts.iter().any(|part| matches!(part, Part::Native | Part::Loads)) {
        TABLE.iter().for_each(say);
    }
    for part in parts {
        match part {
            Part::Native => {
                native(&inputs)?;
                continue;
            }
            Part::Resolutions => {
                cmd!(shell, "cargo bench -p resolver").env("OPSCOPE_CATALOGS", &catalogs).run()?;
                continue;
            }
            Part::Comparisons => {
                cmd!(shell, "cargo bench -p workbench --bench comparison").env("OPSCOPE_CATALOGS", &catalogs).run()?;
            }
            Part::Loads | Part::Images | Part::Visit | Part::Drawings | Part::Simulations => {}
        }
        let paths = &paths;
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let drive = cmd!(shell, "cargo run --quiet -p suite --bin drive -- bench {name} {paths...}");
        browser.start_with(drive).quiet().run()?;
    }
    Ok(())
}

/// Prints one line for each input and program.
fn native(inputs: &[Input]) -> Result<()> {
    let release = workspace::target().join("release");
    let opscope: [OsString; 2] = [release.join("opscope").into(), "validate".into()];
    let serde_yaml: [OsString; 1] = [release.join("examples").join("serde_yaml").into()];
    for input in inputs {
        for (name, program) in [("opscope validate", &opscope[..]), ("serde_yaml", &serde_yaml)] {
            let command = [program, &[input.path.clone().into()]].concat();
            let runs = (0..RUNS).map(|_| measure(&command)).collect::<Result<Vec<Run>>>()?;
            say(row(input, name, runs));
        }
    }
    Ok(())
}

/// The median time with the extremes, the speed by it, and the highest peak.
fn row(input: &Input, program: &str, mut runs: Vec<Run>) -> String {
    runs.sort();
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    let megabytes = input.bytes as f64 / 1e6;
    let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default() as f64 / 1e6;
    let millis = |at: usize| runs.get(at).map_or(0.0, |run| run.wall.as_secs_f64() * 1e3);
    let (least, median, most) = (millis(0), millis(runs.len() / 2), millis(runs.len().saturating_sub(1)));
    let speed = megabytes / median * 1e3;
    let times = format!("{median:.0} ({least:.0} to {most:.0})");
    format!(
        "{name:<20} {megabytes:>7.1}  {program:<18} {times:>20} {speed:>7.0} {peak:>8.0} {:>8.1}x",
        peak / megabytes
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_row_has_the_median_and_the_highest_peak() {
        let run = |millis, peak| Run { wall: Duration::from_millis(millis), peak };
        let runs = vec![run(300, 10_000_000), run(100, 25_000_000), run(120, 20_000_000)];
        let input = Input { path: "a/b".into(), bytes: 12_000_000 };
        let row = row(&input, "opscope", runs);
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["b", "12.0", "opscope", "120", "(100", "to", "300)", "100", "25", "2.1x"]);
    }
}
