//! `bench`: the figures that the README quotes, on a folder of real catalogs.

use std::path::{Path, PathBuf};

use crate::cmd::Cmd;
use crate::failure::{Failure, Result};
use crate::figure::{self, Figure};
use crate::term::say;
use crate::{dist, setup, workspace};

const RUNS: usize = 7;

/// `cargo xtask bench [--catalogs DIR]`.
pub(crate) fn run(args: &[String]) -> Result {
    let catalogs = catalogs(args)?;
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain)?;
    Cmd::cargo().args(["build", "--release", "-p", "opscope"]).run()?;
    command_line(&catalogs)?;
    browser.drive(Cmd::cargo().args(["run", "-p", "suite", "--bin", "drive", "--", "bench"])).args([&catalogs]).run()
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

fn command_line(catalogs: &Path) -> Result {
    let program = workspace::target().join("release").join("opscope");
    let command = [program.as_path(), Path::new("validate"), catalogs].map(|part| part.to_string_lossy().into_owned());
    let runs: Vec<Figure> = (0..RUNS).map(|_| figure::measure(&command)).collect::<Result<_>>()?;
    say(format_args!("opscope validate, {RUNS} runs: {}", summary(runs)));
    Ok(())
}

/// The middle time, with the extremes, and the highest peak.
fn summary(mut runs: Vec<Figure>) -> String {
    runs.sort();
    let millis = |run: &Figure| run.wall.as_millis();
    let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default();
    match (runs.first(), runs.get(runs.len() / 2), runs.last()) {
        (Some(least), Some(middle), Some(most)) => format!(
            "{} ms ({} to {}), peak {} MB",
            millis(middle),
            millis(least),
            millis(most),
            peak.div_ceil(1_000_000),
        ),
        _ => "no run".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_summary_is_the_median_and_the_highest_peak() {
        let run = |millis, peak| Figure { wall: Duration::from_millis(millis), peak };
        let runs = vec![run(300, 1_000_000), run(100, 2_500_000), run(120, 2_000_000)];
        assert_eq!(summary(runs), "120 ms (100 to 300), peak 3 MB");
    }

    #[test]
    fn a_missing_folder_names_the_option() {
        let args = ["--catalogs", "no/such/folder"].map(str::to_owned);
        let failure = catalogs(&args).unwrap_err().to_string();
        assert!(failure.contains("no/such/folder") && failure.contains("--catalogs DIR"));
    }
}
