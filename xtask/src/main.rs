//! `cargo xtask`: every chore of this repository that is more than one cargo command.
//!
//! It installs what it needs and talks to cargo, Trunk and a browser; of catalogs it knows the texts about rules alone.

mod bench;
mod browser;
mod cmd;
mod codemirror;
mod dist;
mod failure;
mod figure;
mod fuzz;
mod inputs;
mod names;
mod offline;
mod setup;
mod shots;
mod size;
mod stamp;
mod term;
mod test;
#[cfg(test)]
mod tidy;
mod tools;
mod workspace;

use std::process::ExitCode;

use crate::failure::{Failure, Result};
use crate::term::say;

const HELP: &str = "\
usage: cargo xtask <command>

  setup                       install what the other commands need; quick when all is there
  serve [trunk options]       open the app under `trunk serve`, rebuilt on every change
  build                       make the release `dist/` and hold it against its size budget
  test [--only STEP]...       format, lints, tests, docs, browser tests: all that CI runs
  bench [--part PART] [--catalogs DIR]
                              time the command line and the app on a folder of catalogs; the parts are native, loads,
                              visit, drawings and simulations
  fuzz [TARGET]... [--minutes N] [--random N]
                              put thought-up inputs to the core; with `--coverage TARGET` guided by it
  shots [DIR]                 take the pictures of the README anew, or into DIR
  codemirror                  bundle the source editor into `web/codemirror.js`; needs Node.js

called by others, not by hand:

  stamp                       Trunk, after a build: name the worker by its content, write the texts about rules and
                              the list of what is kept
  figure COMMAND...           bench: one run's wall time and peak memory";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &args[..]),
    };
    match dispatch(command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(format_args!("xtask {command}: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: &str, args: &[String]) -> Result {
    match command {
        "setup" => setup::all().map(drop),
        "serve" => dist::serve(args),
        "build" => dist::build(&setup::toolchain()?),
        "test" => test::run(args),
        "bench" => bench::run(args),
        "fuzz" => fuzz::run(args),
        "shots" => shots::run(args),
        "codemirror" => codemirror::run(),
        "stamp" => stamp::run(),
        "figure" => figure::run(args),
        "help" | "-h" | "--help" => {
            say(HELP);
            Ok(())
        }
        other => {
            Err(Failure::new(format!("there is no command `{other}`")).mend("`cargo xtask help` lists the commands"))
        }
    }
}
