//! Commands of other programs: shown before they run, named when they fail.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::term::say;
use crate::workspace;

/// A command to be run in the repository's root.
pub(crate) struct Cmd {
    command: Command,
    line: String,
}

impl Cmd {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.current_dir(workspace::root());
        let line = Path::new(program.as_ref()).file_name().unwrap_or(program.as_ref()).to_string_lossy().into_owned();
        Self { command, line }
    }

    /// The cargo that runs this tool.
    pub(crate) fn cargo() -> Self {
        Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    pub(crate) fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        for arg in args {
            self.line.push(' ');
            self.line.push_str(&arg.as_ref().to_string_lossy());
            self.command.arg(arg);
        }
        self
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    pub(crate) fn without_env(mut self, key: &str) -> Self {
        self.command.env_remove(key);
        self
    }

    /// Looks programs up in `folders` before the folders of `PATH`.
    pub(crate) fn with_path(self, folders: &[PathBuf]) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = folders.iter().cloned().chain(std::env::split_paths(&path));
        match std::env::join_paths(all) {
            Ok(path) => self.env("PATH", path),
            // A folder whose name has the separator in it was never on a `PATH`.
            Err(_) => self,
        }
    }

    /// Shows the command, runs it with this terminal and waits for it.
    pub(crate) fn run(mut self) -> Result {
        say(format_args!("$ {}", self.line));
        let status = self.command.status().map_err(|error| self.not_started(&error))?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!("`{}` failed: {status}", self.line)))
    }

    /// Runs the command silently; its standard output.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self.command.output().map_err(|error| self.not_started(&error))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Failure::new(format!("`{}` failed: {}\n{}", self.line, output.status, said.trim_end())))
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("`{}` did not start: {error}", self.line))
    }
}

/// The first of `names` that is a file in a folder of `PATH`.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        let file = OsString::from(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    })
}
