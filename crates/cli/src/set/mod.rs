//! `opscope set`: catalogs of one publisher for several versions of OpenShift.

mod before;
mod json;
mod read;
mod report;

pub(crate) use read::{ReadSet, members, set_or_catalog};

use self::read::read;
use crate::args::{self, CompareFormat};
use crate::output::{Failure, write_json, write_report};
use crate::places::doubtful;
use ::report::{CATALOG_CHANGE, Grade, Item, Terminal};
use before::Change;
use openshift::sets::{Finding, check, sentence};
use source::Severity;
use std::collections::BTreeSet;
use std::io::Write;
use views::Level;

/// A set with what is wrong with it.
struct Checked {
    read: ReadSet,
    findings: Vec<Finding>,
    /// The result in one sentence.
    sentence: String,
    changed: Option<Changed>,
}

/// What a change does to a set.
struct Changed {
    /// To each of its catalogs.
    changes: Vec<Change>,
    /// How many findings were there before and are not listed.
    known: usize,
}

/// Prints what is wrong with the sets at the paths. Returns whether there is no error.
///
/// # Errors
/// When a path cannot be read, there is no set, or a file of a set was not read.
pub(crate) fn run(arguments: &args::Set, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let (sets, executor) = read(&arguments.paths)?;
    if sets.is_empty() {
        let help = "expected folders or files that differ in a version of OpenShift, such as `catalogs/v4.18` and \
                    `catalogs/v4.19`, with a package in common";
        return Err(format!("found no catalogs for several versions of OpenShift: {help}").into());
    }
    let repeated = sets.iter().flat_map(|read| read.set.repeated().map(move |member| (read, member)));
    let repeated = repeated.map(|(read, member)| {
        let places: Vec<String> = member.places.iter().map(|place| format!("`{}`", read.shown(place))).collect();
        format!("{} are both for OpenShift {}; name the paths that you mean", places.join(" and "), member.version)
    });
    let repeated: Vec<String> = repeated.collect();
    if !repeated.is_empty() {
        return Err(Failure::of_lines(repeated));
    }
    let before = arguments.before.as_ref().map(|path| read(std::slice::from_ref(path))).transpose()?;
    let before = before.map(|(sets, _)| sets);
    let checked = |read: ReadSet| {
        let mut findings = check(&read.set, executor);
        let sentence = sentence(&read.set, &findings);
        let changed = before.as_ref().map(|sets| {
            let Some(before) = sets.iter().find(|before| before.set.pattern == read.set.pattern) else {
                return Changed { changes: Vec::new(), known: 0 };
            };
            let known = before::keep_new(&check(&before.set, executor), &mut findings);
            Changed { changes: before::changes(&before.set, &read.set, executor), known }
        });
        Checked { sentence, read, findings, changed }
    };
    let sets: Vec<Checked> = sets.into_iter().map(checked).collect();
    match arguments.format {
        CompareFormat::Json => write_json(out, &json::report(&sets))?,
        format => write_report(out, terminal, format, &report::report(&sets), &())?,
    }
    let members = || sets.iter().flat_map(|of| of.read.set.members.iter().map(move |member| (of, member)));
    let unread: BTreeSet<String> =
        sets.iter().map(|of| &of.read).chain(before.iter().flatten()).flat_map(ReadSet::unread).collect();
    let is_rejected = members().any(|(_, member)| member.rejected.is_some());
    let has_error = sets.iter().flat_map(|of| &of.findings).any(|finding| finding.severity == Severity::Error);
    let changes = sets.iter().filter_map(|of| of.changed.as_ref()).flat_map(|changed| &changed.changes);
    let is_breaking = changes.into_iter().any(|change| change.level == Some(Level::Breaking));
    // The process ends now. Freeing the memory piece by piece would take a part of its run time.
    std::mem::forget(sets);
    if !unread.is_empty() {
        return Err(doubtful(&unread));
    }
    Ok(!is_rejected && !has_error && !is_breaking)
}

impl Checked {
    /// The places of a finding, each once.
    fn places(&self, finding: &Finding) -> Vec<String> {
        let mut places: Vec<String> = Vec::new();
        for place in finding.spans.iter().map(|span| self.spot(*span).shown()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// What the change does to each catalog, and how many findings are not listed.
    fn changes(&self) -> (Vec<Item>, Option<String>) {
        let Some(changed) = &self.changed else { return (Vec::new(), None) };
        let line = |change: &Change| {
            let versions: Vec<String> = change.versions.iter().map(ToString::to_string).collect();
            let sentence = format!("`{}` in {}: {}", change.package, versions.join(", "), change.sentence);
            Item::new(Grade::Difference(change.level.unwrap_or(Level::Neutral)), CATALOG_CHANGE, sentence)
        };
        let known = match changed.known {
            0 => None,
            1 => Some("1 finding that was there before is not listed".to_owned()),
            known => Some(format!("{known} findings that were there before are not listed")),
        };
        (changed.changes.iter().map(line).collect(), known)
    }

    /// What the answer does not say.
    fn limits(&self) -> Vec<String> {
        let set = &self.read.set;
        let missing: Vec<String> = set.missing().iter().map(ToString::to_string).collect();
        let not_loaded = (!missing.is_empty()).then(|| {
            format!("not loaded: {}, so that no update of OpenShift from and to them is judged", missing.join(", "))
        });
        let judged =
            "judged: OLM v0 with automatic approval, the catalogs as they are in these files, without those of other \
                      publishers"
                .to_owned();
        self.changes().1.into_iter().chain(not_loaded).chain([judged]).collect()
    }
}

/// The versions of the members in words.
fn versions(set: &openshift::sets::CatalogSet) -> String {
    let versions: Vec<String> = set.members.iter().map(|member| member.version.to_string()).collect();
    versions.join(", ")
}
