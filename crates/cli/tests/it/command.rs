//! Runs the command as users do.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A catalog with one package and one update: version 1.1.0 replaces 1.0.0.
pub(crate) fn catalog(package: &str) -> String {
    fixture::yaml(&format!("package {package}\nstable: 1.1.0 (replaces 1.0.0), 1.0.0"))
}

/// The same with the metadata of a ClusterServiceVersion at the head, so that nothing is wrong with it.
pub(crate) fn described(package: &str) -> String {
    let csv = "property olm.csv.metadata {displayName: P, installModes: [{type: AllNamespaces, supported: true}]}";
    fixture::yaml(&format!("package {package}\nstable: 1.1.0 (replaces 1.0.0; {csv}), 1.0.0"))
}

/// A run of the command that has not started yet.
pub(crate) struct Run {
    command: Command,
    input: Vec<u8>,
}

/// What the command printed, and its exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) out: String,
    pub(crate) errors: String,
    pub(crate) code: i32,
}

impl Ended {
    /// Standard output, standard error and exit code.
    pub(crate) fn parts(self) -> (String, String, i32) {
        (self.out, self.errors, self.code)
    }
}

/// The command with these arguments, in lines of 100 characters without colours, with nothing on standard input.
pub(crate) fn opscope<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_opscope"));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.args(arguments);
    Run { command, input: Vec::new() }
}

impl Run {
    /// Gives it these bytes on standard input.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = bytes.into();
        self
    }

    pub(crate) fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Sets a variable of its environment.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts it, with what it prints in pipes.
    pub(crate) fn started(mut self) -> Child {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().expect("the command was built")
    }

    pub(crate) fn ended(self) -> Ended {
        self.ended_with(Stdio::piped())
    }

    /// Runs it with this as standard input.
    pub(crate) fn ended_with(mut self, input: impl Into<Stdio>) -> Ended {
        self.command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = self.command.spawn().expect("the command was built");
        // It need not read all of it.
        drop(child.stdin.take().map(|mut stdin| stdin.write_all(&self.input)));
        let output = child.wait_with_output().expect("the command ends");
        let text = |bytes| String::from_utf8(bytes).expect("it prints text");
        let code = output.status.code().expect("it ends by itself");
        Ended { out: text(output.stdout), errors: text(output.stderr), code }
    }
}

/// An empty folder for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    folder
}

/// Runs git in a folder.
pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").args(arguments).current_dir(folder).status().expect("git is installed");
    assert!(status.success(), "{arguments:?}");
}

/// Commits all files of a repository.
pub(crate) fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "state"]);
}

pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("the folder for tests can be written to");
    path
}

/// Writes files, given by their paths below a folder.
pub(crate) fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }
}
