//! `opscope set`: catalogs of one publisher for several versions of OpenShift.

use crate::args;
use crate::format::CompareFormat;
use crate::output::{Failure, write_json, write_report};
use crate::paths::{file_name, raw_path, shown_path};
use crate::places::doubtful;
use crate::{folder, parallel};
use report::{Block, Terminal};
use source::{Executor, OpmVersion};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{OpenShift, SetId, SetView};
use workbench::{NewText, NotOne, ReadSet, SetMember, set_members};

/// Prints what is wrong with the sets at the paths. Returns whether there is no error.
///
/// # Errors
/// When a path cannot be read, there is no set, or a file of a set was not read.
pub(crate) fn run(arguments: &args::Set, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    run_with(&mut Vec::new(), arguments, terminal, out)
}

/// The same with other parts of a report behind it, which are taken when there is one.
pub(crate) fn run_with(
    others: &mut Vec<Block>,
    arguments: &args::Set,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let opm = arguments.opm.release()?;
    let Read { sets, reasons, executor } = read(&arguments.paths, opm)?;
    if sets.is_empty() {
        let help = "expected folders or files that differ in a version of OpenShift, such as `catalogs/v4.18` and \
                    `catalogs/v4.19`, with a package in common; or bundle directories";
        let failure = format!("found no catalogs for several versions of OpenShift: {help}");
        return Err(Failure::of_lines(std::iter::once(failure).chain(reasons)));
    }
    let repeated: Vec<String> = sets.iter().flat_map(ReadSet::repeated).collect();
    if !repeated.is_empty() {
        return Err(Failure::of_lines(repeated));
    }
    let before = arguments.before.as_ref().map(|path| read(std::slice::from_ref(path), opm)).transpose()?;
    let before = before.map(|before| before.sets);
    let check = |(read, id): (&ReadSet, u32)| read.check(SetId(id), before.as_deref(), executor);
    let views: Vec<SetView> = sets.iter().zip(0..).map(check).collect();
    let mut report = report::sets(&views);
    report.blocks.append(others);
    match arguments.format {
        CompareFormat::Json => write_json(out, &BTreeMap::from([("sets", &views)]))?,
        format => write_report(out, terminal, format, &report, &())?,
    }
    let unread = sets.iter().chain(before.iter().flatten()).flat_map(ReadSet::unread);
    let unread: BTreeSet<String> = unread.collect();
    // The process ends now. Freeing the memory piece by piece would take a part of its run time.
    std::mem::forget(sets);
    if !unread.is_empty() {
        return Err(doubtful(&unread));
    }
    Ok(!views.iter().any(SetView::is_bad))
}

/// What was read.
struct Read {
    sets: Vec<ReadSet>,
    /// Why templates and bundle directories make no set, each as a line.
    reasons: Vec<String>,
    /// How work on the sets is done.
    executor: Executor,
}

/// The sets at the paths: those of one folder, or the ones that several files or folders make.
///
/// # Errors
/// When a path cannot be read.
fn read(paths: &[PathBuf], opm: OpmVersion) -> Result<Read, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let found = folder::files(path)?;
        let (shown, is_single) = (raw_path(path), found.len() == 1 && found[0].path == file_name(path));
        let name = |file: &NewText| match (paths.len(), is_single) {
            (1, _) => file.path.clone(),
            (_, true) => shown.clone(),
            (_, false) => format!("{shown}/{}", file.path),
        };
        files.extend(found.into_iter().map(|file| NewText { path: name(&file), content: file.content }));
    }
    let root = <&[PathBuf; 1]>::try_from(paths).ok().map(|[path]| raw_path(path));
    let executor = parallel::executor(parallel::size(&files));
    let (sets, reasons) = ReadSet::all(files, root.as_deref(), opm, executor);
    let reasons = reasons.into_iter().map(|line| format!("  {line}")).collect();
    Ok(Read { sets, reasons, executor })
}

/// The only set at a path, or its only catalog for each of these versions.
///
/// # Errors
/// When nothing can be read there, or it holds several sets, or nothing that is a catalog.
pub(crate) fn set_or_catalog(path: &Path, versions: &[OpenShift], opm: OpmVersion) -> Result<ReadSet, Failure> {
    let files = folder::files(path)?;
    let executor = parallel::executor(parallel::size(&files));
    let is_single = files.len() == 1 && files[0].path == file_name(path);
    let root = if is_single { path.parent() } else { Some(path) }.map(raw_path);
    let path = shown_path(path);
    ReadSet::only(files, root, versions, opm, executor).map_err(|why| match why {
        NotOne::Nothing(None) => format!("`{path}` holds no catalog").into(),
        NotOne::Nothing(Some(reason)) => format!("`{path}`: {reason}").into(),
        NotOne::Several(patterns) => {
            let first = format!("`{path}` holds the catalogs of several publishers; name one of:");
            let patterns = patterns.iter().map(|pattern| format!("  {pattern}"));
            Failure::of_lines(std::iter::once(first).chain(patterns))
        }
    })
}

/// The catalogs of the sets among files; none if there is no set.
pub(crate) fn members(files: &[NewText]) -> Vec<SetMember> {
    set_members(files, parallel::executor(parallel::size(files)))
}
