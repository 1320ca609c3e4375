//! `opscope repair`

use crate::args;
use crate::folder;
use crate::format::TableFormat;
use crate::names;
use crate::output::{Failure, say, write_json, write_report};
use crate::paths::{NamedPath, STDIN, file_name};
use crate::places::Inputs;
use crate::rewritten::{self, Rewritten};
use crate::scene::check_read;
use report::Terminal;
use serde::Serialize;
use std::io::Write;
use views::{PackageKey, RefusedView, RepairsView};
use workbench::RepairRequest;

#[derive(Serialize)]
struct Json<'r> {
    packages: &'r [RepairsView],
    /// Why the catalog is rejected whatever its channels say.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r RefusedView>,
}

/// Prints the repairs of each channel, and applies the first ones if that is wanted. The answer is yes if every version of every
/// channel reaches the head, or does so with a repair.
pub(crate) fn run(arguments: &args::Repair, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.write {
        folder::check_writable(&arguments.catalog)?;
    }
    let paths = [Some(&arguments.catalog), arguments.since.as_ref()].into_iter().flatten();
    if paths.clone().filter(|path| path.as_os_str() == STDIN).count() > 1 {
        return Err("standard input holds one of the states only".into());
    }
    let catalogs: Vec<NamedPath> = paths.map(|path| (file_name(path), path.clone())).collect();
    let mut inputs = Inputs::open(&catalogs)?;
    if let Some(path) = &arguments.cluster {
        inputs.read_manifests(path, &arguments.facts)?;
        check_read(&inputs.workbench, path)?;
    }
    let ids = inputs.ids();
    if let Some(package) = &arguments.package {
        let key = names::package(&inputs.workbench, package)?;
        let channel = arguments.channel.as_deref();
        let has_channel = |&catalog| {
            let key = PackageKey { catalog, package: package.clone() };
            inputs.workbench.find_channel(&key, channel).is_ok()
        };
        if channel.is_some() && !ids.iter().any(has_channel) {
            names::channel(&inputs.workbench, &key, channel)?;
        }
    }
    let request = RepairRequest {
        before: ids.get(1).copied(),
        package: arguments.package.as_deref(),
        channel: arguments.channel.as_deref(),
        avoid: &arguments.avoid,
    };
    let mut found = inputs.workbench.repairs(*ids.first().ok_or("the catalog is not open")?, request)?;
    found.notices.iter().for_each(|notice| say(notice));
    for fix in found.views.iter_mut().flat_map(|channel| &mut channel.fixes) {
        if let (Some(repair), Some(place)) = (&mut fix.repair, fix.place) {
            repair.set_path(inputs.path(place));
        }
    }
    let has_refusal = found.views.iter().any(|channel| channel.reason.is_some());
    let unknown = found.unknown.as_ref().filter(|_| !has_refusal);
    let unknown = unknown.map(|reason| format!("cannot tell what to repair: {reason}"));
    if let Some(reason) = unknown.clone().filter(|_| found.views.is_empty()) {
        return Err(reason.into());
    }
    match arguments.format {
        TableFormat::Json => {
            write_json(out, &Json { packages: &found.views, reason: found.rejected.as_ref() })?;
        }
        format => {
            let report = report::repairs(found.rejected.as_ref(), &found.views, &inputs);
            write_report(out, terminal, format.into(), &report, &inputs)?;
        }
    }
    if arguments.write {
        // What was read in part is not written.
        inputs.answer(true)?;
        if let Some(reason) = unknown.clone().or_else(|| Some(found.rejected.as_ref()?.sentence.clone())) {
            return Err(format!("nothing is written: {reason}").into());
        }
        let written = inputs.workbench.write_repairs(&found);
        let written =
            written.map_err(|refused| format!("nothing is written: {}; {}", refused.sentence, refused.instead))?;
        let files = written.iter().filter_map(|written| {
            let (_, file) = inputs.workbench.file(written.key)?;
            let before = Some(&*written.before);
            Some(Rewritten { root: &arguments.catalog, below: &file.path, before, after: &file.text })
        });
        rewritten::write(&files.collect::<Vec<_>>())?;
    }
    let answer = inputs.answer(!has_refusal && found.rejected.is_none())?;
    unknown.map_or(Ok(answer), |reason| Err(reason.into()))
}
