//! The two programs that make a web page of Rust: Trunk and wasm-bindgen, each in one exact version.
//!
//! They are built from source into a folder named for their version, so that no other project's
//! version is replaced and a change of version here installs the new one at the next command.

use std::path::PathBuf;

use crate::cmd::{Cmd, on_path};
use crate::failure::{Failure, Result};
use crate::term::say;
use crate::workspace;

/// The newest Trunk that builds with this workspace's `rust-version`.
const TRUNK: &str = "0.21.14";

/// A program from crates.io in the one version that fits.
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
    /// Whether the package's own lock file is used.
    locked: bool,
}

impl Tool {
    pub(crate) fn trunk() -> Self {
        Self { package: "trunk", program: "trunk", version: TRUNK.to_owned(), locked: true }
    }

    /// The generated glue is tied to the library: the versions must be equal.
    pub(crate) fn wasm_bindgen() -> Result<Self> {
        let version = workspace::locked_version("wasm-bindgen")?;
        // The published lock file of 0.2.130 names yanked versions.
        Ok(Self { package: "wasm-bindgen-cli", program: "wasm-bindgen", version, locked: false })
    }

    /// Installs the tool where it is missing; the folder that has it, if `PATH` does not.
    pub(crate) fn ensure(&self) -> Result<Option<PathBuf>> {
        let folder = self.folder()?;
        let program = folder.join("bin").join(self.file_name());
        if program.is_file() {
            return Ok(Some(folder.join("bin")));
        }
        if self.is_on_path() {
            return Ok(None);
        }
        self.install(&folder)?;
        if program.is_file() {
            return Ok(Some(folder.join("bin")));
        }
        Err(Failure::new(format!("`cargo install` left no `{}`", program.display())))
    }

    fn file_name(&self) -> String {
        format!("{}{}", self.program, std::env::consts::EXE_SUFFIX)
    }

    fn folder(&self) -> Result<PathBuf> {
        let cargo_home = std::env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
        match cargo_home {
            Some(home) => Ok(home.join("opscope-tools").join(format!("{}-{}", self.package, self.version))),
            None => Err(Failure::new("there is no home folder to install tools into").mend("set `CARGO_HOME`")),
        }
    }

    fn is_on_path(&self) -> bool {
        let version = Cmd::new(self.program).args(["--version"]).read();
        version.is_ok_and(|text| text.split_whitespace().any(|word| word == self.version))
    }

    fn install(&self, folder: &std::path::Path) -> Result {
        let Self { package, version, .. } = self;
        say(format_args!("setup: {package} {version} is built from source, once; some minutes"));
        let locked = if self.locked { &["--locked"][..] } else { &[] };
        Cmd::cargo()
            .args(["install", package, "--version", version])
            .args(locked)
            .args(["--root".as_ref(), folder.as_os_str()])
            // They run for seconds a day: a quick build is worth more than a quick program.
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .without_env("CARGO_TARGET_DIR")
            .run()
            .map_err(|failure| failure.mend(self.how_to_mend()))
    }

    fn how_to_mend(&self) -> String {
        let Self { package, version, program, .. } = self;
        format!(
            "crates.io must be reachable and a C compiler installed; \
             or put `{program}` {version} (package `{package}`) on `PATH` yourself"
        )
    }
}

/// Whether a C compiler, which rustc links with and Trunk's TLS library needs, is there.
pub(crate) fn has_c_compiler() -> bool {
    cfg!(windows) || on_path(&["cc", "gcc", "clang"]).is_some()
}
