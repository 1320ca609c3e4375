//! Releases, removals and deprecations as JSON.

use super::{Authored, NewFile};
use crate::paths::raw_path;
use serde::Serialize;
use source::OpenShift;
use update_graph::{ChannelEdit, NewEntry};

#[derive(Serialize)]
pub(super) struct Report<'r> {
    catalogs: Vec<CatalogReport<'r>>,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CatalogReport<'r> {
    catalog: String,
    /// The version of OpenShift, if the catalog is one of a set.
    openshift: Option<OpenShift>,
    /// The template of the community pipelines, if it is one.
    template: Option<&'r str>,
    channels: Vec<ChannelReport<'r>>,
    files: Vec<FileReport>,
    /// What becomes of installed versions.
    effects: &'r [String],
    /// Whether some are worse off.
    breaking: bool,
    /// Why nothing is written.
    reason: Option<ReasonReport<'r>>,
}

#[derive(Serialize)]
struct ChannelReport<'r> {
    channel: &'r str,
    new: bool,
    entry: Option<EntryReport<'r>>,
    edits: Vec<EditReport<'r>>,
    removed: Vec<&'r str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryReport<'r> {
    name: &'r str,
    replaces: Option<&'r str>,
    skips: Vec<&'r str>,
    skip_range: Option<&'r str>,
}

#[derive(Serialize)]
struct EditReport<'r> {
    edit: &'static str,
    entry: &'r str,
    value: Option<&'r str>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    /// A unified diff; empty for a template that the pipelines change.
    diff: String,
    /// The same of what a template expands to.
    expansion: Option<String>,
}

#[derive(Serialize)]
struct ReasonReport<'r> {
    id: &'static str,
    sentence: &'r str,
    instead: &'r str,
}

pub(super) fn report<'r>(authored: &'r [Authored], new: &[NewFile]) -> Report<'r> {
    Report { catalogs: authored.iter().map(catalog).collect(), files: new.iter().map(new_file).collect() }
}

fn file((file, diff, expansion): (String, String, Option<&str>)) -> FileReport {
    FileReport { file, diff, expansion: expansion.map(str::to_owned) }
}

fn new_file(new: &NewFile) -> FileReport {
    let (path, diff) = new.diff();
    file((path, diff, None))
}

fn catalog(one: &Authored) -> CatalogReport<'_> {
    let refusal = one.result.as_ref().err();
    CatalogReport {
        catalog: raw_path(&one.target.root),
        openshift: one.target.openshift,
        template: one.target.template.as_ref().map(|mapping| &*mapping.template),
        channels: one.written().into_iter().flat_map(|written| &written.channels).map(channel).collect(),
        files: one.diffs().into_iter().map(file).collect(),
        effects: &one.effects,
        breaking: one.is_breaking,
        reason: refusal.map(|refusal| ReasonReport {
            id: refusal.reason.id(),
            sentence: &refusal.sentence,
            instead: &refusal.instead,
        }),
    }
}

fn channel(edit: &ChannelEdit) -> ChannelReport<'_> {
    let edits = edit.edits.iter().map(|edit| EditReport {
        edit: edit.change.kind(),
        entry: edit.entry.as_str(),
        value: edit.change.value(),
    });
    ChannelReport {
        channel: edit.channel.as_str(),
        new: edit.is_new,
        entry: edit.added.first().map(entry),
        edits: edits.collect(),
        removed: edit.removed.iter().map(|name| name.as_str()).collect(),
    }
}

fn entry(entry: &NewEntry) -> EntryReport<'_> {
    EntryReport {
        name: entry.name.as_str(),
        replaces: entry.replaces.as_ref().map(|name| name.as_str()),
        skips: entry.skips.iter().map(|name| name.as_str()).collect(),
        skip_range: entry.skip_range.as_deref(),
    }
}
