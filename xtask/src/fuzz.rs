//! `fuzz`: the long run of the fuzz targets, which the tests run for some seconds.

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::setup;
use crate::workspace::{self, files_below};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run these targets only: files in `tests/fuzz/src/targets`
    targets: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Use libFuzzer, which prefers inputs that reach new code; needs Linux and a C++ compiler
    #[arg(long)]
    coverage: bool,
}

/// `cargo xtask fuzz`.
pub(crate) fn run(Arguments { targets, minutes, coverage }: &Arguments) -> Result<()> {
    let known = targets_in_folder()?;
    for target in targets {
        ensure!(known.contains(target), "there is no target `{target}`\nhelp: the targets are {}", known.join(", "));
    }
    let targets = if targets.is_empty() { &known } else { targets };
    if *coverage { with_libfuzzer(targets, *minutes) } else { with_random_edits(targets, *minutes) }
}

fn targets_in_folder() -> Result<Vec<String>> {
    let files = files_below(&workspace::root().join("tests/fuzz/src/targets"))?;
    let names = files.iter().filter_map(|file| file.file_stem()).map(|name| name.to_string_lossy().into_owned());
    Ok(names.filter(|name| name != "mod").collect())
}

fn with_random_edits(targets: &[String], minutes: u64) -> Result<()> {
    let shell = workspace::shell()?;
    cmd!(
        shell,
        "cargo test --profile fuzz -p fuzz --test targets -- --exact --nocapture --test-threads 1 {targets...}"
    )
    .env("BOLERO_RANDOM_ITERATIONS", u64::MAX.to_string())
    .env("BOLERO_RANDOM_TEST_TIME_MS", (minutes * 60_000).to_string())
    .run()?;
    Ok(())
}

/// What libFuzzer finds is kept in `target/fuzz`, beside the seeds that it starts from.
fn with_libfuzzer(targets: &[String], minutes: u64) -> Result<()> {
    let shell = setup::cargo_bolero()?.shell()?;
    let seeds = workspace::root().join("tests/fuzz/seeds");
    for target in targets {
        let folder = workspace::target().join("fuzz").join(target);
        let [corpus, crashes] = ["corpus", "crashes"].map(|name| folder.join(name));
        let time = format!("{minutes}m");
        // The address sanitizer needs a nightly compiler, and there is no unsafe code to look into.
        cmd!(shell, "cargo bolero test {target} --package fuzz --sanitizer NONE -T {time} --max-input-length 12000")
            .args(["--corpus-dir".as_ref(), corpus.as_os_str(), "--crashes-dir".as_ref(), crashes.as_os_str()])
            .args(["--engine-args".as_ref(), seeds.as_os_str()])
            .run()?;
    }
    Ok(())
}
