//! `test`: the steps of CI, each of which can be run alone.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::browser::{Browser, CHROME_ARGS};
use crate::cmd::{Cmd, on_path};
use crate::failure::{About, Failure, Result};
use crate::setup::{self, Toolchain};
use crate::term::{say, timed};
use crate::{dist, workspace};

const WASM: &str = "wasm32-unknown-unknown";

/// The crates that run in the browser only.
const WEB: [&str; 4] = ["-p", "opscope-worker", "-p", "opscope-app"];

/// The members that run on a host only.
const HOST: [&str; 8] = ["--exclude", "opscope", "--exclude", "suite", "--exclude", "fuzz", "--exclude", "xtask"];

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

struct Step {
    name: &'static str,
    run: fn(&Toolchain, &Browser) -> Result,
}

const STEPS: [Step; 9] = [
    Step { name: "fmt", run: fmt },
    Step { name: "clippy", run: clippy },
    Step { name: "clippy-wasm", run: clippy_wasm },
    Step { name: "test", run: test },
    Step { name: "doc", run: doc },
    Step { name: "deny", run: deny },
    Step { name: "wasm-test", run: wasm_test },
    Step { name: "build", run: build },
    Step { name: "e2e", run: e2e },
];

/// `cargo xtask test [--only STEP]...`: runs every step, also after a failure, and says how each went.
pub(crate) fn run(args: &[String]) -> Result {
    let steps = chosen(args)?;
    let (toolchain, browser) = setup::all()?;
    let outcomes: Vec<_> = steps
        .iter()
        .map(|step| {
            say(format_args!("\n=== {}", step.name));
            let (result, took) = timed(|| (step.run)(&toolchain, &browser));
            if let Err(failure) = &result {
                say(format_args!("=== {}: {failure}", step.name));
            }
            (step.name, result.is_ok(), took)
        })
        .collect();
    summarise(&outcomes)
}

fn chosen(args: &[String]) -> Result<Vec<&'static Step>> {
    if args.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    let names = || STEPS.map(|step| step.name).join(", ");
    args.chunks(2)
        .map(|pair| match pair {
            [option, name] if option == "--only" => STEPS
                .iter()
                .find(|step| step.name == name)
                .ok_or_else(|| Failure::new(format!("there is no step `{name}`")).mend(names())),
            _ => Err(Failure::new(format!("expected `--only STEP`, found `{}`", pair.join(" ")))
                .mend(format!("the steps are {}", names()))),
        })
        .collect()
}

fn summarise(outcomes: &[(&str, bool, Duration)]) -> Result {
    say("");
    for (name, passed, took) in outcomes {
        let verdict = if *passed { "ok" } else { "FAILED" };
        say(format_args!("{name:<12} {verdict:<6} {:>6.1} s", took.as_secs_f64()));
    }
    let failed: Vec<&str> = outcomes.iter().filter(|(_, passed, _)| !passed).map(|(name, ..)| *name).collect();
    say(format_args!("steps: {} passed, {} failed", outcomes.len() - failed.len(), failed.len()));
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("failed: {}", failed.join(", ")))
        .mend(format!("`cargo xtask test --only {}` runs one step again", failed[0])))
}

fn fmt(_: &Toolchain, _: &Browser) -> Result {
    Cmd::cargo().args(["fmt", "--all", "--check"]).run().map_err(|failure| failure.mend("`cargo fmt --all`"))
}

fn clippy(_: &Toolchain, _: &Browser) -> Result {
    Cmd::cargo().args(["clippy", "--workspace", "--all-targets"]).args(DENY_WARNINGS).run()
}

/// The core without its tests, whose dependencies are of the host; the web crates with theirs.
fn clippy_wasm(_: &Toolchain, _: &Browser) -> Result {
    let wasm = || Cmd::cargo().args(["clippy", "--target", WASM]);
    wasm().args(["--workspace"]).args(HOST).args(DENY_WARNINGS).run()?;
    wasm().args(WEB).args(["--all-targets"]).args(DENY_WARNINGS).run()
}

fn test(_: &Toolchain, _: &Browser) -> Result {
    Cmd::cargo().args(["test", "--workspace", "--no-fail-fast"]).run()
}

fn doc(_: &Toolchain, _: &Browser) -> Result {
    Cmd::cargo()
        .args(["doc", "--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
}

/// What needs no network of `deny.toml`, where cargo-deny is installed.
fn deny(_: &Toolchain, _: &Browser) -> Result {
    if on_path(&["cargo-deny"]).is_none() {
        say("cargo-deny is not installed: `deny.toml` is not checked");
        return Ok(());
    }
    Cmd::cargo().args(["deny", "check", "bans", "licenses", "sources"]).run()
}

fn wasm_test(toolchain: &Toolchain, browser: &Browser) -> Result {
    toolchain
        .cargo()
        .args(["test", "--target", WASM, "--tests"])
        .args(WEB)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("CHROMEDRIVER", &browser.driver)
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", webdriver_json(browser)?)
        .run()
}

/// The file that tells wasm-bindgen's test runner which browser to start, and how.
fn webdriver_json(browser: &Browser) -> Result<PathBuf> {
    let path = workspace::target().join("webdriver.json");
    let args = CHROME_ARGS.map(|arg| format!("{arg:?}")).join(", ");
    let chrome = browser.chrome.to_string_lossy();
    let json = format!(r#"{{"goog:chromeOptions": {{"binary": {chrome:?}, "args": [{args}]}}}}"#);
    fs::write(&path, json).about(&path)?;
    Ok(path)
}

fn build(toolchain: &Toolchain, _: &Browser) -> Result {
    dist::build(toolchain)
}

fn e2e(_: &Toolchain, browser: &Browser) -> Result {
    browser.drive(Cmd::cargo().args(["test", "-p", "suite", "--test", "e2e"])).run()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(args: &[&str]) -> Result<Vec<&'static str>> {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        Ok(chosen(&args)?.iter().map(|step| step.name).collect())
    }

    #[test]
    fn steps_are_chosen_by_name_in_the_order_given() {
        assert_eq!(names(&[]).unwrap().len(), STEPS.len());
        assert_eq!(names(&["--only", "e2e", "--only", "fmt"]).unwrap(), ["e2e", "fmt"]);
    }

    #[test]
    fn a_wrong_choice_names_the_steps() {
        for args in [&["--only", "lint"][..], &["--only"], &["fmt"]] {
            let failure = names(args).unwrap_err().to_string();
            assert!(failure.contains("clippy-wasm"), "{failure}");
        }
    }
}
