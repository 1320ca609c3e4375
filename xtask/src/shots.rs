//! `shots`: the pictures of the README.

use crate::cmd::Cmd;
use crate::failure::{Failure, Result};
use crate::{dist, setup, workspace};

/// Where the README has them.
const FOLDER: &str = "web/screenshots";

/// `cargo xtask shots [DIR]`.
pub(crate) fn run(args: &[String]) -> Result {
    let folder = match args {
        [] => FOLDER,
        [folder] => folder,
        _ => return Err(Failure::new("expected at most a folder that the pictures go to")),
    };
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain)?;
    browser
        .drive(Cmd::cargo().args(["run", "-p", "suite", "--bin", "drive", "--", "shots"]))
        .args([workspace::root().join(folder)])
        .run()
}
