//! `build`: Trunk, with the tools that it calls.

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::setup::Toolchain;
use crate::{size, workspace};

/// The profiles in the root manifest with which the app is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Small, for visitors
    Web,
    /// Quick to build, for browser tests
    E2e,
}

/// The folder of the documentation, beside the page.
pub(crate) const DOCUMENTATION: &str = "docs";

/// `cargo xtask build`: makes the release build, and compares the size of what visitors get with the limits.
pub(crate) fn build(toolchain: &Toolchain, profile: Profile) -> Result<()> {
    let shell = shell(toolchain)?;
    let name = profile.to_possible_value().context("a profile has a name")?;
    let name = name.get_name();
    cmd!(shell, "trunk build --release --cargo-profile {name}").run()?;
    match profile {
        Profile::Web => size::check(&workspace::dist()),
        Profile::E2e => Ok(()),
    }
}

/// A shell for Trunk.
pub(crate) fn shell(toolchain: &Toolchain) -> Result<Shell> {
    let shell = toolchain.shell()?;
    shell.set_var("TRUNK_SKIP_VERSION_CHECK", "true");
    // Trunk reads this variable as a boolean and refuses the customary `1`.
    if shell.var_os("NO_COLOR").is_some() {
        shell.set_var("NO_COLOR", "true");
    }
    Ok(shell)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::workspace::root;

    #[test]
    fn the_server_of_the_image_sends_the_policy_of_the_page() {
        let page = fs::read_to_string(root().join("index.html")).unwrap();
        let server = fs::read_to_string(root().join("web/server/nginx.conf")).unwrap();
        let (_, policy) = page.split_once("\"Content-Security-Policy\" content=\"").unwrap();
        let (policy, _) = policy.split_once('"').unwrap();
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        for line in
            [format!("default \"{policy}; frame-ancestors *\";"), "Content-Security-Policy $policy always;".to_owned()]
        {
            assert!(server.contains(&line), "expected in web/server/nginx.conf: {line}");
        }
    }
}
