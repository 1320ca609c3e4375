//! `bench`: the time and memory of the command line and of the app, mostly on a folder of real catalogs.

mod growth;
mod native;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use xshell::cmd;

use crate::workspace::{self, files_below, say, timed};
use crate::{dist, setup};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this part only
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// A folder with a folder for each package; without it, the folder that `OPSCOPE_CATALOGS` names
    #[arg(long)]
    catalogs: Option<PathBuf>,
    /// Measure the native part only, in turns with this revision of git
    #[arg(long, value_name = "REV", conflicts_with = "part")]
    compare: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// `opscope validate` beside parsers, `md5sum` and `opm`; needs no browser
    Native,
    /// Commands on made-up inputs of growing sizes; needs no browser and no catalogs
    Growth,
    /// Resolutions and their explanations, and who answered their questions; needs no browser
    Resolutions,
    /// Comparisons of two states; needs no browser
    Comparisons,
    /// The first visit to the page
    Visit,
    /// A load and an edit in the browser
    Load,
    /// A large graph: until it is shown, and frames while it is moved
    Drawing,
}

/// `cargo xtask bench`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let part = arguments.part.or(arguments.compare.as_ref().map(|_| Part::Native));
    let parts = part.as_ref().map_or(Part::value_variants(), std::slice::from_ref);
    if parts.contains(&Part::Growth) {
        growth::run(&workspace::target().join("growth"))?;
    }
    if parts.iter().all(|part| *part == Part::Growth) {
        return Ok(());
    }
    let catalogs = arguments.catalogs.clone().or_else(|| std::env::var_os("OPSCOPE_CATALOGS").map(PathBuf::from));
    let catalogs = catalogs.context("help: name a folder of catalogs with `--catalogs DIR` or `OPSCOPE_CATALOGS`")?;
    let catalogs = workspace::root()
        .join(&catalogs)
        .canonicalize()
        .with_context(|| format!("help: name a folder of catalogs, not `{}`", catalogs.display()))?;
    let shell = workspace::shell()?;
    if parts.contains(&Part::Native) {
        let inputs = make_inputs(&catalogs, &workspace::target().join("bench"))?;
        native::run(&inputs, arguments.compare.as_deref())?;
    }
    if parts.contains(&Part::Resolutions) {
        cmd!(shell, "cargo bench -p resolver").env("OPSCOPE_CATALOGS", &catalogs).run()?;
    }
    if parts.contains(&Part::Comparisons) {
        cmd!(shell, "cargo bench -p answers --bench comparison").env("OPSCOPE_CATALOGS", &catalogs).run()?;
    }
    let is_in_browser = |part: &&Part| matches!(part, Part::Visit | Part::Load | Part::Drawing);
    let in_browser: Vec<&Part> = parts.iter().filter(is_in_browser).collect();
    if in_browser.is_empty() {
        return Ok(());
    }
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain, dist::Profile::Web)?;
    cmd!(shell, "cargo build -p suite --bin drive").run()?;
    for part in in_browser {
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let drive = cmd!(shell, "cargo run --quiet -p suite --bin drive -- bench {name} {catalogs}");
        browser.start_with(drive).quiet().run()?;
    }
    Ok(())
}

// The inputs of `bench`: a folder of real catalogs, as it is and as one file, and both repeated up to a size at which
// constant costs no longer count.

/// The least size of the repeated inputs in bytes.
const LARGE: usize = 100_000_000;

/// A file or folder of catalogs.
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// The file itself, or the files of the folder.
    pub(super) files: Vec<PathBuf>,
    pub(super) bytes: usize,
}

/// Writes the inputs that are made of `catalogs` below `folder`, which is emptied first.
fn make_inputs(catalogs: &Path, folder: &Path) -> Result<Vec<Input>> {
    let mut files = Vec::new();
    for path in files_below(catalogs)? {
        let text = fs::read_to_string(&path)?;
        files.push((path.strip_prefix(catalogs)?.to_path_buf(), text));
    }
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let times = LARGE.div_ceil(bytes.max(1));
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let repeated = folder.join("repeated");
    Ok(vec![
        Input { path: catalogs.to_path_buf(), files: files_below(catalogs)?, bytes },
        one_file(&folder.join("one.yaml"), &files, 1)?,
        many_files(&repeated, &files, times)?,
        one_file(&folder.join("repeated.yaml"), &files, times)?,
    ])
}

fn one_file(path: &Path, files: &[(PathBuf, String)], times: usize) -> Result<Input> {
    let mut all = String::new();
    for time in 1..=times {
        for (name, text) in files {
            let text = renamed(text, name, time);
            all.push_str(if text.starts_with("---") { "" } else { "---\n" });
            all.push_str(&text);
            all.push_str(if text.ends_with('\n') { "" } else { "\n" });
        }
    }
    fs::write(path, &all)?;
    Ok(Input { path: path.to_path_buf(), files: vec![path.to_path_buf()], bytes: all.len() })
}

fn many_files(folder: &Path, files: &[(PathBuf, String)], times: usize) -> Result<Input> {
    let mut bytes = 0;
    for time in 1..=times {
        for (name, text) in files {
            let text = renamed(text, name, time);
            bytes += text.len();
            let path = folder.join(time.to_string()).join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, text)?;
        }
    }
    Ok(Input { path: folder.to_path_buf(), files: files_below(folder)?, bytes })
}

/// The text with its package renamed, so that repetitions are different packages; the first one keeps the name. The folder
/// is named for the package.
fn renamed(text: &str, path: &Path, time: usize) -> String {
    let package = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    if time == 1 || package.is_empty() {
        return text.to_owned();
    }
    text.replace(&format!(": {package}\n"), &format!(": {package}-{time}\n"))
}

// One measured run of a command: how long it took, and how much memory it held at most.
//
// The system reports one peak for all finished children of a process together. So each run is the only child of an
// `xtask measure` process of its own.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Run {
    /// Wall time.
    pub(crate) wall: Duration,
    /// Time of all processors together; 0 where the system does not tell.
    pub(crate) cpu: Duration,
    /// Peak resident memory in bytes; 0 where the system does not tell.
    pub(crate) peak: u64,
}

/// Measures one run of a command in an `xtask measure` process, in this folder; `threads` is how many Opscope may have.
pub(super) fn measure(command: &[OsString], folder: &Path, threads: Option<u32>) -> Result<Run> {
    let (shell, xtask) = (workspace::shell()?, std::env::current_exe()?);
    shell.change_dir(folder);
    if let Some(threads) = threads {
        shell.set_var("RAYON_NUM_THREADS", threads.to_string());
    }
    let line = cmd!(shell, "{xtask} measure -- {command...}").quiet().read()?;
    parse(&line).with_context(|| format!("`xtask measure` printed `{line}`"))
}

/// `cargo xtask measure COMMAND...`: prints microseconds of wall and of processor time, and bytes.
pub(crate) fn measure_run(command: &[OsString]) -> Result<()> {
    let (program, arguments) = command.split_first().context("expected a command")?;
    let mut child = Command::new(program);
    child.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let (status, wall) = timed(|| child.status());
    let status = status?;
    // 1 is the answer `not valid`, which is an answer.
    ensure!(matches!(status.code(), Some(0 | 1)), "`{}` failed: {status}", program.display());
    let (cpu, peak) = used_by_children()?;
    say(format_args!("{} {cpu} {peak}", wall.as_micros()));
    Ok(())
}

fn parse(line: &str) -> Option<Run> {
    let numbers: Vec<u64> = line.split_whitespace().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [wall, cpu, peak] = numbers[..] else { return None };
    Some(Run { wall: Duration::from_micros(wall), cpu: Duration::from_micros(cpu), peak })
}

/// Microseconds of processor time, and the highest peak of memory in bytes.
#[cfg(unix)]
fn used_by_children() -> Result<(i64, u64)> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    // getrusage(2): kilobytes, but bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = used.user_time().num_microseconds() + used.system_time().num_microseconds();
    Ok((cpu, used.max_rss().unsigned_abs() * unit))
}

#[cfg(not(unix))]
fn used_by_children() -> Result<(i64, u64)> {
    Ok((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_renamed_where_it_is_a_whole_value() {
        let text = "name: etcd\npackage: etcd\nentries:\n- name: etcd.v1\n";
        let expected = "name: etcd-2\npackage: etcd-2\nentries:\n- name: etcd.v1\n";
        assert_eq!(renamed(text, Path::new("etcd/catalog.yaml"), 2), expected);
        assert_eq!(renamed(text, Path::new("etcd/catalog.yaml"), 1), text);
        assert_eq!(renamed(text, Path::new("catalog.yaml"), 2), text);
    }

    #[test]
    fn a_run_is_parsed_as_it_is_printed() {
        let [wall, cpu] = [1500, 900].map(Duration::from_micros);
        assert_eq!(parse("1500 900 4096\n"), Some(Run { wall, cpu, peak: 4096 }));
        assert_eq!(parse("1500 900"), None);
    }
}
