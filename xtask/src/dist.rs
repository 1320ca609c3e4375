//! `serve` and `build`: Trunk, with the tools it cannot be trusted to find.

use crate::cmd::Cmd;
use crate::failure::Result;
use crate::setup::{self, Toolchain};
use crate::{size, workspace};

/// The profile of the root manifest that the release build of the app is made with.
const PROFILE: &str = "web";

/// `cargo xtask serve`: rebuilds and reloads on every change, until it is stopped.
pub(crate) fn serve(args: &[String]) -> Result {
    trunk(&setup::toolchain()?).args(["serve"]).args(args).run()
}

/// `cargo xtask build`: the release build, held against its budget.
pub(crate) fn build(toolchain: &Toolchain) -> Result {
    trunk(toolchain).args(["build", "--release", "--cargo-profile", PROFILE]).run()?;
    size::check(&workspace::dist())
}

fn trunk(toolchain: &Toolchain) -> Cmd {
    let trunk = toolchain.command("trunk").env("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk reads this variable as a boolean and refuses the customary `1`.
    match std::env::var_os("NO_COLOR") {
        Some(_) => trunk.env("NO_COLOR", "true"),
        None => trunk,
    }
}
