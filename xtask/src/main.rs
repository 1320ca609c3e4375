//! `cargo xtask`: the chores of this repository that take more than one cargo command.
//!
//! It installs what a chore needs and runs cargo, Trunk and a browser. The only crate of the product that it uses is
//! `rulebook`, whose texts a build writes to a file of the app and to the book.

mod bench;
mod book;
mod codemirror;
// The page and the command name the same commit.
#[path = "../../crates/cli/build/commit.rs"]
mod commit;
mod dist;
mod fuzz;
mod post_build;
mod serve;
mod setup;
mod test;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod tidy;
mod workspace;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use dist::Profile;
use xshell::cmd;

/// The chores of this repository that take more than one cargo command.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what the other commands need; quick when everything is there
    Setup,
    /// Open the app under `trunk serve`, rebuilt on every change
    Serve {
        /// Options for Trunk
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
    /// Build the release `dist/` with the documentation, and compare its size with the limits
    Build {
        /// How the app is compiled
        #[arg(long, value_enum, default_value_t = Profile::Web)]
        profile: Profile,
    },
    /// Run everything that CI runs: format, lints, tests, docs, browser tests
    Test {
        /// Run this step only; may be repeated
        #[arg(long, value_enum)]
        only: Vec<test::Step>,
    },
    /// Called by `test`: runs one step
    #[command(hide = true)]
    Step {
        /// The step
        #[arg(value_enum)]
        step: test::Step,
    },
    /// Time the command line and the app on a folder of catalogs
    Bench(bench::Arguments),
    /// Run the fuzz targets for longer than the tests do
    Fuzz(fuzz::Arguments),
    /// Take the pictures of the README, of the start page and of the documentation again
    Shots {
        /// The folder that the pictures are written to
        #[arg(default_value = "web/screenshots")]
        folder: PathBuf,
        /// The folder that the pictures of the documentation are written to
        #[arg(default_value = "docs/src/pictures")]
        docs: PathBuf,
    },
    /// Take pictures of every screen, light and dark, wide and narrow, of the page in `dist/`
    Screens {
        /// The folder that the pictures are written to
        folder: PathBuf,
        /// A folder with `community-v4.18`, a catalog, and `community-set`, catalogs for several versions of OpenShift
        catalogs: PathBuf,
        /// Only the screens whose names begin so
        #[arg(default_value = "")]
        name: String,
    },
    /// Bundle the source editor into `web/codemirror.js`; needs Node.js
    Codemirror,
    /// Called by Trunk after a build: names files by their content, writes rule texts, service worker and book
    #[command(hide = true)]
    PostBuild,
    /// Called by `bench`: runs a command once and prints its wall time and peak memory
    #[command(hide = true)]
    Measure {
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Setup => setup::all().map(|_| workspace::say("setup: all is ready")),
        Command::Serve { options } => serve::run(&options),
        Command::Build { profile } => dist::build(&setup::toolchain()?, profile),
        Command::Test { only } => test::run(&only),
        Command::Step { step } => test::run_step(step),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Shots { folder, docs } => shots(&workspace::root().join(folder), &workspace::root().join(docs)),
        Command::Screens { folder, catalogs, name } => screens(&folder, &catalogs, &name),
        Command::Codemirror => codemirror::run(),
        Command::PostBuild => post_build::run(),
        Command::Measure { command } => bench::measure_run(&command),
    }
}

fn screens(folder: &Path, catalogs: &Path, name: &str) -> anyhow::Result<()> {
    let shell = workspace::shell()?;
    let browser = setup::all()?.1;
    browser.start_with(cmd!(shell, "cargo run -p suite --bin drive -- screens {folder} {catalogs} {name}")).run()?;
    Ok(())
}

fn shots(folder: &Path, docs: &Path) -> anyhow::Result<()> {
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain, Profile::Web)?;
    let shell = workspace::shell()?;
    browser.start_with(cmd!(shell, "cargo run -p suite --bin drive -- shots {folder} {docs}")).run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        super::Arguments::command().debug_assert();
    }
}
