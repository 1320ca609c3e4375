//! `shots`: the app in a wide and a narrow window, light and dark, for the README and for review.

use crate::cmd::Cmd;
use crate::failure::{Failure, Result};
use crate::{bench, dist, setup, workspace};

/// `cargo xtask shots DIR [--catalogs DIR]`.
pub(crate) fn run(args: &[String]) -> Result {
    let Some((folder, rest)) = args.split_first() else {
        return Err(Failure::new("expected the folder that the screenshots go to"));
    };
    let catalogs = bench::catalogs(rest)?;
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain)?;
    browser
        .drive(Cmd::cargo().args(["run", "-p", "suite", "--bin", "drive", "--", "shots"]))
        .args([workspace::root().join(folder), catalogs])
        .run()
}
