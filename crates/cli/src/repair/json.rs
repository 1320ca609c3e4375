//! Repairs as JSON.

use super::diff;
use crate::places::Inputs;
use catalog::BundleName;
use serde::Serialize;
use workbench::{ChannelRepairs, RepairedText};

#[derive(Serialize)]
pub(super) struct Report<'r> {
    /// One for each channel that something is wrong with.
    packages: Vec<ChannelReport<'r>>,
}

#[derive(Serialize)]
struct ChannelReport<'r> {
    package: &'r str,
    channel: &'r str,
    /// The CSVs that do not reach the head.
    stranded: Vec<&'r str>,
    repairs: Vec<RepairReport<'r>>,
    /// Why there is no repair, or none for some versions.
    reason: Option<ReasonReport<'r>>,
}

#[derive(Serialize)]
struct RepairReport<'r> {
    weight: u32,
    widening: usize,
    edits: Vec<EditReport<'r>>,
    diff: String,
}

#[derive(Serialize)]
struct EditReport<'r> {
    edit: &'static str,
    entry: &'r str,
    value: Option<&'r str>,
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct ReasonReport<'r> {
    id: &'static str,
    sentence: &'r str,
    instead: &'r str,
}

pub(super) fn report<'r>(inputs: &Inputs, found: &'r [ChannelRepairs]) -> Report<'r> {
    let channel = |found: &'r ChannelRepairs| ChannelReport {
        package: found.package.as_str(),
        channel: found.channel.as_str(),
        stranded: found.stranded.iter().map(BundleName::as_str).collect(),
        repairs: found.repairs.iter().map(|repaired| repair(inputs, repaired)).collect(),
        reason: found.refusal.as_ref().map(|refusal| ReasonReport {
            id: refusal.reason.id(),
            sentence: &refusal.sentence,
            instead: &refusal.instead,
        }),
    };
    Report { packages: found.iter().map(channel).collect() }
}

fn repair<'r>(inputs: &Inputs, repaired: &'r RepairedText) -> RepairReport<'r> {
    let edits = repaired.repair.edits.iter().zip(&repaired.places).map(|(edit, place)| EditReport {
        edit: edit.change.kind(),
        entry: edit.entry.as_str(),
        value: edit.change.value(),
        file: inputs.path(*place),
        line: place.line,
    });
    RepairReport {
        weight: repaired.repair.weight,
        widening: repaired.repair.widening,
        edits: edits.collect(),
        diff: diff(inputs, repaired),
    }
}
