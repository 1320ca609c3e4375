//! `bench`: the figures that the README quotes, on a folder of real catalogs.

use std::path::PathBuf;

use crate::cmd::Cmd;
use crate::failure::{Failure, Result};
use crate::figure::{self, Figure};
use crate::inputs::{self, Input};
use crate::term::say;
use crate::{dist, setup, workspace};

/// Runs of the command line on each input.
const RUNS: usize = 5;

/// The part that needs no browser.
const NATIVE: &str = "native";
/// All parts, in order.
const PARTS: [&str; 5] = [NATIVE, "loads", "visit", "drawings", "simulations"];
/// The parts that fill one table.
const TABLE: [&str; 2] = [NATIVE, "loads"];

/// `cargo xtask bench [--part PART] [--catalogs DIR]`.
pub(crate) fn run(args: &[String]) -> Result {
    let (parts, rest) = parts(args)?;
    let catalogs = catalogs(rest)?;
    let (toolchain, browser) = setup::all()?;
    if parts.contains(&NATIVE) {
        Cmd::cargo().args(["build", "--release", "-p", "opscope"]).run()?;
        Cmd::cargo().args(["build", "--release", "-p", "fbc", "--example", "serde_yaml"]).run()?;
    }
    if parts != [NATIVE] {
        dist::build(&toolchain)?;
        Cmd::cargo().args(["build", "-p", "suite", "--bin", "drive"]).run()?;
    }
    let inputs = inputs::make(&catalogs, &workspace::target().join("bench"))?;
    if parts.iter().any(|part| TABLE.contains(part)) {
        say(MEASURED);
        say(HEAD);
    }
    for &part in parts {
        match part {
            NATIVE => native(&inputs)?,
            part => browser
                .drive(Cmd::cargo().args(["run", "--quiet", "-p", "suite", "--bin", "drive", "--", "bench", part]))
                .args(inputs.iter().map(|input| &input.path))
                .run()?,
        }
    }
    Ok(())
}

/// The parts that are asked for, and the other options.
fn parts(args: &[String]) -> Result<(&'static [&'static str], &[String])> {
    let [option, part, rest @ ..] = args else { return Ok((&PARTS, args)) };
    if option != "--part" {
        return Ok((&PARTS, args));
    }
    let only = PARTS.iter().position(|known| known == part).map(|at| &PARTS[at..=at]);
    only.map(|only| (only, rest)).ok_or_else(|| {
        Failure::new(format!("there is no part `{part}` of the bench")).mend(format!("it has {}", PARTS.join(", ")))
    })
}

/// The folder named by `--catalogs`, or the one beside the repository.
pub(crate) fn catalogs(args: &[String]) -> Result<PathBuf> {
    let folder = match args {
        [] => workspace::root().join("../shared/catalogs/community-v4.18"),
        [option, folder] if option == "--catalogs" => PathBuf::from(folder),
        _ => {
            return Err(Failure::new(format!("expected `--catalogs DIR`, found `{}`", args.join(" "))));
        }
    };
    folder.canonicalize().map_err(|_| {
        Failure::new(format!("there is no folder `{}` of catalogs", folder.display()))
            .mend("name one with `--catalogs DIR`: a folder with a folder for each package")
    })
}

/// One line for each input and program.
fn native(inputs: &[Input]) -> Result {
    let release = workspace::target().join("release");
    let opscope = [release.join("opscope"), "validate".into()];
    let serde_yaml = [release.join("examples").join("serde_yaml")];
    for input in inputs {
        for (name, program) in [("opscope validate", &opscope[..]), ("serde_yaml", &serde_yaml[..])] {
            let parts = program.iter().chain([&input.path]);
            let command: Vec<String> = parts.map(|part| part.to_string_lossy().into_owned()).collect();
            let runs: Vec<Figure> = (0..RUNS).map(|_| figure::measure(&command)).collect::<Result<_>>()?;
            say(row(input, name, runs));
        }
    }
    Ok(())
}

const MEASURED: &str = "From the start of the program, or the drop of what was held over the page for a second, until all \
                        findings are there: the middle of several runs, least and most, and the highest peak of memory.";

const HEAD: &str = "input                     MB  program              ms (least to most)    MB/s  peak MB  of input";

/// The middle time with the extremes, the speed by it, and the highest peak.
fn row(input: &Input, program: &str, mut runs: Vec<Figure>) -> String {
    runs.sort();
    let name = input.path.file_name().unwrap_or_default().to_string_lossy();
    let megabytes = input.bytes as f64 / 1e6;
    let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default() as f64 / 1e6;
    let millis = |at: usize| runs.get(at).map_or(0.0, |run| run.wall.as_secs_f64() * 1e3);
    let (least, middle, most) = (millis(0), millis(runs.len() / 2), millis(runs.len().saturating_sub(1)));
    let speed = megabytes / middle * 1e3;
    let times = format!("{middle:.0} ({least:.0} to {most:.0})");
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
        let run = |millis, peak| Figure { wall: Duration::from_millis(millis), peak };
        let runs = vec![run(300, 10_000_000), run(100, 25_000_000), run(120, 20_000_000)];
        let input = Input { path: "a/b".into(), bytes: 12_000_000 };
        let row = row(&input, "opscope", runs);
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["b", "12.0", "opscope", "120", "(100", "to", "300)", "100", "25", "2.1x"]);
    }

    #[test]
    fn one_part_or_all() {
        let args = ["--part", "loads", "--catalogs", "x"].map(str::to_owned);
        assert_eq!(parts(&args).unwrap(), (&["loads"][..], &args[2..]));
        assert_eq!(parts(&args[2..]).unwrap(), (&PARTS[..], &args[2..]));
        assert!(parts(&["--part", "lodas"].map(str::to_owned)).unwrap_err().to_string().contains("loads"));
    }

    #[test]
    fn a_missing_folder_names_the_option() {
        let args = ["--catalogs", "no/such/folder"].map(str::to_owned);
        let failure = catalogs(&args).unwrap_err().to_string();
        assert!(failure.contains("no/such/folder") && failure.contains("--catalogs DIR"));
    }
}
