//! `opscope repair`

mod json;
mod report;

use crate::args::{self, CompareFormat, TableFormat};
use crate::folder;
use crate::names;
use crate::output::{Failure, say, write_json, write_report};
use crate::paths::{NamedPath, STDIN, file_name};
use crate::places::Inputs;
use crate::rewritten::{self, Rewritten};
use crate::scene::checked;
use ::report::Terminal;
use std::io::Write;
use workbench::{RepairScope, RepairedText, Side, repairs, without_repairs};

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
        let text = inputs.read_manifests(path)?;
        inputs.workbench.set_cluster(&text);
        let cluster = &checked(&inputs.workbench, path)?.cluster;
        cluster.installed_notices().iter().for_each(|notice| say(notice));
    }
    let installed = inputs.workbench.installed();
    let ids = inputs.ids();
    let catalog = |at: usize| ids.get(at).and_then(|id| inputs.workbench.catalog(*id));
    let after = catalog(0).ok_or("the catalog is not open")?;
    if let Some(package) = &arguments.package {
        let key = names::package(&inputs.workbench, package)?;
        let has_channel = |name: &String| {
            let packages = [Some(after), catalog(1)].into_iter().flatten();
            let mut found = packages.filter_map(|catalog| catalog.analysis.catalog.package(&key.package));
            found.any(|package| package.channel(name).is_some())
        };
        if let Some(channel) = arguments.channel.as_ref().filter(|name| !has_channel(name)) {
            names::channel(&inputs.workbench, &key, Some(channel))?;
        }
    }
    let scope = RepairScope {
        before: catalog(1).map(Side::present),
        after,
        package: arguments.package.as_deref(),
        channel: arguments.channel.as_deref(),
        avoid: &arguments.avoid,
        installed: &installed,
        budget: &inputs.workbench.budget(),
    };
    if let Some(unknown) = arguments.avoid.iter().find(|avoid| !scope.is_known(avoid)) {
        return Err(format!("no channel lists a version or CSV `{unknown}`").into());
    }
    let found = repairs(scope);
    let unknown = without_repairs(after).or_else(|| catalog(1).and_then(|before| Side::present(before).why_unread()));
    let has_refusal = found.iter().any(|found| found.refusal.is_some());
    let unknown = unknown.filter(|_| !has_refusal).map(|reason| format!("cannot tell what to repair: {reason}"));
    if let Some(reason) = unknown.clone().filter(|_| found.is_empty()) {
        return Err(reason.into());
    }
    match arguments.format {
        TableFormat::Json => write_json(out, &json::report(&inputs, &found))?,
        TableFormat::Text => {
            write_report(out, terminal, CompareFormat::Text, &report::report(&inputs, &found), &inputs)?;
        }
        TableFormat::Markdown => {
            write_report(out, terminal, CompareFormat::Markdown, &report::report(&inputs, &found), &inputs)?;
        }
    }
    if arguments.write {
        // What was read in part is not written.
        inputs.answer(true)?;
        if let Some(reason) = unknown {
            return Err(reason.into());
        }
        let id = after.id;
        let written = inputs.workbench.write_repairs(id, &found);
        let written =
            written.map_err(|refusal| format!("nothing is written: {}; {}", refusal.sentence, refusal.instead))?;
        let files = written.iter().filter_map(|written| {
            let (_, file) = inputs.workbench.file(written.key)?;
            let before = Some(&*written.before);
            Some(Rewritten { root: &arguments.catalog, below: &file.path, before, after: &file.text })
        });
        rewritten::write(&files.collect::<Vec<_>>())?;
    }
    let answer = inputs.answer(!has_refusal)?;
    unknown.map_or(Ok(answer), |reason| Err(reason.into()))
}

/// The difference of a repair with the names of its file, as `patch` takes it.
fn diff(inputs: &Inputs, repaired: &RepairedText) -> String {
    let path = repaired.places.first().map(|place| inputs.path(*place)).unwrap_or_default();
    format!("--- {path}\n+++ {path}\n{}", repaired.text.diff)
}
