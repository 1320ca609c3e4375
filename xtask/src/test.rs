//! `test`: the steps of CI, each of which can be run alone.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use xshell::cmd;

use crate::browser::{Browser, CHROME_ARGS};
use crate::setup::{self, Toolchain, WASM};
use crate::terminal::{say, timed};
use crate::{dist, workspace};

/// The crates that run in the browser only.
const WEB: [&str; 6] = ["-p", "opscope-worker", "-p", "opscope-unpacker", "-p", "opscope-app"];

/// The members that run on a host only.
const HOST: [&str; 8] = ["--exclude", "opscope", "--exclude", "suite", "--exclude", "fuzz", "--exclude", "xtask"];

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

/// The steps in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    Fmt,
    Clippy,
    ClippyWasm,
    Test,
    Doc,
    Deny,
    WasmTest,
    Build,
    E2e,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

/// `cargo xtask test`: runs every step, also after a failure, and prints what came of each.
pub(crate) fn run(only: &[Step]) -> Result<()> {
    let steps = if only.is_empty() { Step::value_variants() } else { only };
    let (toolchain, browser) = setup::all()?;
    let mut lines = Vec::new();
    let mut outcomes = Vec::new();
    for &step in steps {
        say(format_args!("\n=== {}", step.name()));
        let (result, took) = timed(|| step.run(&toolchain, &browser));
        let outcome = result.unwrap_or_else(|error| {
            say(format_args!("=== {}: {error:#}", step.name()));
            Outcome::Failed
        });
        lines.push(line(step, outcome, took));
        outcomes.push((step, outcome));
    }
    say(format_args!("\n{}\n{}", lines.join("\n"), totals(&outcomes)));
    let failed = outcomes.into_iter().filter(|(_, outcome)| *outcome == Outcome::Failed);
    let failed: Vec<String> = failed.map(|(step, _)| step.name()).collect();
    match failed.first() {
        Some(first) => bail!("failed: {}\nhelp: `cargo xtask test --only {first}` repeats one step", failed.join(", ")),
        None => Ok(()),
    }
}

fn line(step: Step, outcome: Outcome, took: Duration) -> String {
    let outcome = match outcome {
        Outcome::Passed => "ok",
        Outcome::Failed => "FAILED",
        Outcome::Skipped => "skipped",
    };
    format!("{:<12} {outcome:<7} {:>6.1} s", step.name(), took.as_secs_f64())
}

/// The last line, which programs read.
fn totals(outcomes: &[(Step, Outcome)]) -> String {
    let count = |outcome| outcomes.iter().filter(|(_, found)| *found == outcome).count();
    let [passed, failed, skipped] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(count);
    format!("steps: {passed} passed, {failed} failed, {skipped} skipped")
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self, toolchain: &Toolchain, browser: &Browser) -> Result<Outcome> {
        let shell = toolchain.shell()?;
        match self {
            Self::Fmt => cmd!(shell, "cargo fmt --all --check").run().context("help: `cargo fmt --all`")?,
            Self::Clippy => cmd!(shell, "cargo clippy --workspace --all-targets {DENY_WARNINGS...}").run()?,
            Self::ClippyWasm => {
                // The core without its tests, whose dependencies are of the host; the web crates with theirs.
                cmd!(shell, "cargo clippy --target {WASM} --workspace {HOST...} {DENY_WARNINGS...}").run()?;
                cmd!(shell, "cargo clippy --target {WASM} {WEB...} --all-targets {DENY_WARNINGS...}").run()?;
            }
            Self::Test => cmd!(shell, "cargo test --workspace --no-fail-fast").run()?,
            Self::Doc => cmd!(shell, "cargo doc --workspace --no-deps --document-private-items")
                .env("RUSTDOCFLAGS", "-D warnings")
                .run()?,
            Self::Deny if which::which("cargo-deny").is_err() => {
                say("cargo-deny is not installed: nobody compares the dependencies with `deny.toml`");
                return Ok(Outcome::Skipped);
            }
            // Advisories would need the network.
            Self::Deny => cmd!(shell, "cargo deny check bans licenses sources").run()?,
            Self::WasmTest => cmd!(shell, "cargo test --target {WASM} --tests {WEB...}")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
                .env("CHROMEDRIVER", &browser.driver)
                .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", webdriver_json(browser)?)
                .run()?,
            Self::Build => dist::build(toolchain)?,
            Self::E2e => browser.start_with(cmd!(shell, "cargo test -p suite --test e2e")).run()?,
        }
        Ok(Outcome::Passed)
    }
}

/// Writes the file that tells wasm-bindgen's test runner which browser to start, and how.
fn webdriver_json(browser: &Browser) -> Result<PathBuf> {
    let path = workspace::target().join("webdriver.json");
    let options = serde_json::json!({ "binary": browser.chrome, "args": CHROME_ARGS });
    fs::write(&path, serde_json::json!({ "goog:chromeOptions": options }).to_string())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_the_names_of_the_command_line() {
        assert_eq!(Step::ClippyWasm.name(), "clippy-wasm");
        assert_eq!(Step::value_variants().len(), 9);
    }

    #[test]
    fn a_step_that_did_not_run_has_not_passed() {
        let outcomes = [Outcome::Passed, Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(|o| (Step::Fmt, o));
        assert_eq!(totals(&outcomes), "steps: 2 passed, 1 failed, 1 skipped");
        assert_eq!(line(Step::Deny, Outcome::Skipped, Duration::ZERO), "deny         skipped    0.0 s");
    }
}
