//! `fuzz`: the long run of what the tests do for some seconds.

use std::fs;

use crate::cmd::Cmd;
use crate::failure::{About, Failure, Result};
use crate::workspace;

/// What libFuzzer asks of the compiler: counters at every edge, and what is compared with what. Stable Rust has them all.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                        -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

/// Only with a target of its own are the flags kept from build scripts, which have no counters to link to.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// `cargo xtask fuzz [TARGET]... [--minutes N] [--random N]`, or `cargo xtask fuzz --coverage TARGET [--minutes N]`.
pub(crate) fn run(args: &[String]) -> Result {
    match args.split_first() {
        Some((first, rest)) if first == "--coverage" => covered(rest),
        _ => Cmd::cargo().args(["run", "--profile", "fuzz", "-p", "fuzz", "--"]).args(args).run(),
    }
}

/// Under libFuzzer, which needs a C++ compiler and is guided by coverage.
fn covered(args: &[String]) -> Result {
    let (target, minutes) = match args {
        [target] => (target, "10"),
        [target, option, minutes] if option == "--minutes" => (target, minutes.as_str()),
        _ => return Err(Failure::new("expected `--coverage TARGET [--minutes N]`")),
    };
    let minutes: u32 = minutes.parse().map_err(|_| Failure::new(format!("`{minutes}` is no number of minutes")))?;
    let folder = workspace::target().join("fuzzed").join(target);
    fs::create_dir_all(&folder).about(&folder)?;
    let [found, faults] = [folder.display().to_string(), format!("-artifact_prefix={}-", folder.display())];
    let seeds = workspace::root().join("tests/fuzz/seeds").display().to_string();
    let bounds = [format!("-max_total_time={}", minutes * 60), "-timeout=10".into(), "-max_len=12000".into()];
    Cmd::cargo()
        .args(["run", "--profile", "fuzz", "-p", "fuzz", "--features", "coverage", "--bin", "covered"])
        .args(["--target", HOST, "--"])
        .args(bounds)
        .args([faults, found, seeds])
        .env("RUSTFLAGS", COVERAGE)
        .env("CARGO_PROFILE_FUZZ_CODEGEN_UNITS", "1")
        .env("FUZZ_TARGET", target)
        .run()
}
