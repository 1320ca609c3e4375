//! Packages of Debian that the tests need.

use std::path::Path;

use anyhow::{Context, Result, bail};
use xshell::cmd;

use crate::workspace;

/// Whether this is a Debian.
pub(crate) fn is_here() -> bool {
    Path::new("/etc/debian_version").exists()
}

/// Installs packages where this is a Debian and runs as root; elsewhere does nothing.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let shell = workspace::shell()?;
    let is_root = || cmd!(shell, "id -u").quiet().read().is_ok_and(|id| id == "0");
    if !is_here() || which::which("apt-get").is_err() || !is_root() {
        return Ok(());
    }
    shell.set_var("DEBIAN_FRONTEND", "noninteractive");
    for arguments in [&["update"][..], &[&["install", "-y"][..], packages].concat()] {
        let help = || format!("help: `apt-get install -y {}` must work; is the network there?", packages.join(" "));
        cmd!(shell, "apt-get -qq {arguments...}").quiet().ignore_stdout().run().with_context(help)?;
    }
    Ok(())
}

/// The registry that the tests push images to.
pub(crate) fn registry() -> Result<()> {
    let is_there = || std::env::var_os("DOCKER_REGISTRY").is_some() || which::which("docker-registry").is_ok();
    if !is_there() {
        install(&["docker-registry"])?;
    }
    if !is_there() {
        bail!(
            "found no docker-registry, which the tests need\nhelp: on Debian, `sudo apt-get install -y docker-registry`; \
             elsewhere set `DOCKER_REGISTRY` to the path of github.com/distribution/distribution's `registry`"
        );
    }
    Ok(())
}
