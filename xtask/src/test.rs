//! `test`: the steps of CI, each of which can be run alone.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use xshell::cmd;

use crate::dist;
use crate::setup::{self, Browser, CHROME_ARGS, Toolchain, WASM};
use crate::workspace::{self, say, timed};

/// The crates with tests that run in the browser only.
const WEB: [&str; 4] = ["-p", "opscope-worker", "-p", "opscope-app"];

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

/// One step of CI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    Fmt,
    Clippy,
    ClippyWasm,
    Doc,
    Test,
    Deny,
    Build,
    WasmTest,
    E2e,
}

/// The steps in the order in which they run. The lists of a stage run beside each other: their builds share no files, so
/// that one list uses what the other leaves of the machine, while it links or tests. Journeys have the machine for
/// themselves, since they wait for nothing longer than some seconds.
const STAGES: [&[&[Step]]; 2] = [
    &[&[Step::Fmt, Step::Clippy, Step::ClippyWasm, Step::Doc, Step::Test, Step::Deny], &[Step::Build, Step::WasmTest]],
    &[&[Step::E2e]],
];

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Skipped,
}

struct Ended {
    step: Step,
    outcome: Outcome,
    took: Duration,
}

/// `cargo xtask test`: runs every step, also after a failure, and prints what came of each.
pub(crate) fn run(only: &[Step]) -> Result<()> {
    let (toolchain, browser) = setup::all()?;
    let all = Mutex::new(Vec::new());
    let (_, took) = timed(|| match only {
        [step] => all.lock().expect("no other thread").push(step.run_here(&toolchain, &browser)),
        _ => STAGES.iter().for_each(|stage| run_stage(stage, only, &all)),
    });
    let all = all.into_inner().expect("no thread panics while it holds the list");
    let lines: Vec<String> = all.iter().map(Ended::line).collect();
    say(format_args!("\n{}\ntotal {:>22.1} s\n{}", lines.join("\n"), took.as_secs_f64(), totals(&all)));
    let failed: Vec<String> =
        all.iter().filter(|ended| ended.outcome == Outcome::Failed).map(|ended| ended.step.name()).collect();
    match failed.first() {
        Some(first) => bail!("failed: {}\nhelp: `cargo xtask test --only {first}` repeats one step", failed.join(", ")),
        None => Ok(()),
    }
}

/// `cargo xtask step`: runs a step for `cargo xtask test`, which has set up everything.
pub(crate) fn run_step(step: Step) -> Result<()> {
    let (toolchain, browser) = setup::all()?;
    step.run(&toolchain, &browser)
}

/// Runs the lists of a stage beside each other; without those steps that are not in `only`, if any are.
fn run_stage(stage: &[&[Step]], only: &[Step], all: &Mutex<Vec<Ended>>) {
    std::thread::scope(|scope| {
        for list in stage {
            scope.spawn(move || {
                for step in list.iter().filter(|step| only.is_empty() || only.contains(step)) {
                    let (ended, output) = step.run_apart();
                    let mut all = all.lock().expect("no thread panics while it holds the list");
                    say(format_args!("\n=== {}\n{output}=== {}", step.name(), ended.line()));
                    all.push(ended);
                }
            });
        }
    });
}

/// The last line, which programs read.
fn totals(all: &[Ended]) -> String {
    let count = |outcome| all.iter().filter(|ended| ended.outcome == outcome).count();
    let [passed, failed, skipped] = [Outcome::Passed, Outcome::Failed, Outcome::Skipped].map(count);
    format!("steps: {passed} passed, {failed} failed, {skipped} skipped")
}

impl Ended {
    fn line(&self) -> String {
        let outcome = match self.outcome {
            Outcome::Passed => "ok",
            Outcome::Failed => "FAILED",
            Outcome::Skipped => "skipped",
        };
        format!("{:<12} {outcome:<7} {:>6.1} s", self.step.name(), self.took.as_secs_f64())
    }
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Why the step cannot be run on this machine.
    fn obstacle(self) -> Option<&'static str> {
        (self == Self::Deny && which::which("cargo-deny").is_err())
            .then_some("cargo-deny is not installed: nobody compares the dependencies with `deny.toml`\n")
    }

    /// Runs the step in a process of its own. Returns what it printed, too.
    fn run_apart(self) -> (Ended, String) {
        if let Some(obstacle) = self.obstacle() {
            return (Ended { step: self, outcome: Outcome::Skipped, took: Duration::ZERO }, obstacle.to_owned());
        }
        let log = workspace::target().join("steps").join(self.name()).with_extension("log");
        let (result, took) = timed(|| -> Result<bool> {
            fs::create_dir_all(log.with_file_name(""))?;
            let file = File::create(&log)?;
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["step", &self.name()]).stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
            Ok(command.status()?.success())
        });
        let output = fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let (outcome, output) = match result {
            Ok(true) => (Outcome::Passed, output),
            Ok(false) => (Outcome::Failed, output),
            Err(error) => (Outcome::Failed, format!("{output}{error:#}\n")),
        };
        (Ended { step: self, outcome, took }, output)
    }

    /// Runs the step in this process, which prints what it prints.
    fn run_here(self, toolchain: &Toolchain, browser: &Browser) -> Ended {
        if let Some(obstacle) = self.obstacle() {
            say(obstacle);
            return Ended { step: self, outcome: Outcome::Skipped, took: Duration::ZERO };
        }
        let (result, took) = timed(|| self.run(toolchain, browser));
        let outcome = match result {
            Ok(()) => Outcome::Passed,
            Err(error) => {
                say(format_args!("=== {}: {error:#}", self.name()));
                Outcome::Failed
            }
        };
        Ended { step: self, outcome, took }
    }

    fn run(self, toolchain: &Toolchain, browser: &Browser) -> Result<()> {
        let shell = toolchain.shell()?;
        match self {
            Self::Fmt => cmd!(shell, "cargo fmt --all --check").run().context("help: `cargo fmt --all`")?,
            Self::Clippy => cmd!(shell, "cargo clippy --workspace --all-targets {DENY_WARNINGS...}").run()?,
            // The only crate with code for this target alone; the build compiles the others for it.
            Self::ClippyWasm => {
                cmd!(shell, "cargo clippy --target {WASM} -p opscope-app --all-targets {DENY_WARNINGS...}").run()?;
            }
            Self::Doc => cmd!(shell, "cargo doc --workspace --no-deps --document-private-items")
                .env("RUSTDOCFLAGS", "-D warnings")
                .run()?,
            Self::Test => cmd!(shell, "cargo test --workspace --no-fail-fast").run()?,
            // Advisories would need the network.
            Self::Deny => cmd!(shell, "cargo deny check bans licenses sources").run()?,
            Self::Build => dist::build(toolchain, dist::Profile::E2e)?,
            Self::WasmTest => cmd!(shell, "cargo test --target {WASM} --profile e2e --tests {WEB...}")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
                .env("CHROMEDRIVER", &browser.driver)
                .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", webdriver_json(browser)?)
                .run()?,
            Self::E2e => {
                // Journeys of `opscope open` start the command.
                cmd!(shell, "cargo build -p opscope").run()?;
                browser.start_with(cmd!(shell, "cargo test -p suite --test e2e")).run()?;
            }
        }
        Ok(())
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
    fn steps_have_the_names_of_the_command_line_and_each_runs_once() {
        assert_eq!(Step::ClippyWasm.name(), "clippy-wasm");
        let runs =
            |step: &Step| STAGES.iter().copied().flatten().copied().flatten().filter(|other| *other == step).count();
        assert!(Step::value_variants().iter().all(|step| runs(step) == 1));
    }

    #[test]
    fn a_step_that_did_not_run_has_not_passed() {
        let outcomes = [Outcome::Passed, Outcome::Passed, Outcome::Failed, Outcome::Skipped];
        let all = outcomes.map(|outcome| Ended { step: Step::Deny, outcome, took: Duration::ZERO });
        assert_eq!(totals(&all), "steps: 2 passed, 1 failed, 1 skipped");
        assert_eq!(all[3].line(), "deny         skipped    0.0 s");
    }
}
