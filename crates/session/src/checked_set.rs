//! Sets of catalogs that were read from files, with what is wrong with them, and what a change does to them.

use crate::NewText;
use crate::input::Workbench;
use catalog::predicate::PackageName;
use compare::{
    Level, Levels, NOTHING, PackageComparison, Runtime, compare_package, edits, is_fragment,
    sentence as change_sentence,
};
use openshift::sets::{CatalogSet, Finding, Loading, check_each, sentence, set_of_bundles, together};
use source::{Executor, OpenShift, OpmVersion};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use views::{InstalledRow, SetChange, SetId, SetRow, SetView};

/// A set, and where it was read.
pub struct ReadSet {
    pub set: CatalogSet,
    /// The folder of its files; absent if several paths were given, which the files then begin with.
    pub root: Option<String>,
}

impl ReadSet {
    /// The path of a file of the set for a message.
    pub fn shown(&self, path: &str) -> String {
        match self.root.as_deref() {
            Some("." | "") | None if path.is_empty() => ".".to_owned(),
            Some("." | "") | None => path.to_owned(),
            Some(root) if path.is_empty() => root.to_owned(),
            Some(root) => format!("{}/{path}", root.trim_end_matches('/')),
        }
    }

    /// Whether it has a catalog for a version, or says why it has none.
    #[must_use]
    pub fn has_version(&self, version: OpenShift) -> bool {
        self.set.member(version).is_some() || self.set.holes.iter().any(|hole| hole.version == version)
    }

    /// The paths of the files of which nothing or only a part was read.
    pub fn unread(&self) -> impl Iterator<Item = String> {
        let unread = self.set.members.iter().flat_map(|member| &member.unread);
        unread.map(|(path, _)| self.shown(path))
    }
}

impl ReadSet {
    /// What is wrong with the set and is not accepted by these levels. With sets before a change, only findings that are new count,
    /// and what the change does.
    #[must_use]
    pub fn check(&self, id: SetId, before: Option<&[Self]>, levels: &Levels, executor: Executor) -> SetView {
        let mut findings = check_each(&self.set, executor);
        let sentence = sentence(&self.set, &together(&self.set, findings.clone()));
        let before = before.map(|sets| sets.iter().find(|before| before.set.pattern == self.set.pattern));
        let known = before.map(|before| {
            let known = before.map(|before| take_known(&check_each(&before.set, executor), &mut findings));
            together(&self.set, known.unwrap_or_default()).len()
        });
        findings.retain_mut(|finding| {
            let chosen = levels.severity(finding.rule.id(), finding.severity);
            finding.severity = chosen.unwrap_or(finding.severity);
            chosen.is_some()
        });
        let mut findings = together(&self.set, findings);
        let accepted = take_accepted(levels, &mut findings);
        let changes =
            before.map(|before| before.map_or_else(Vec::new, |before| set_changes(&before.set, &self.set, executor)));
        let mut view = self.set.view(id, &findings, &[], |path| self.shown(path));
        let listed = match known {
            None | Some(0) => None,
            Some(1) => Some("1 finding that was there before is not listed.".to_owned()),
            Some(known) => Some(format!("{known} findings that were there before are not listed.")),
        };
        view.limits.splice(..0, accepted.into_iter().chain(listed));
        SetView { sentence, changes, known, ..view }
    }
}

/// The set that bundle directories make by their annotations.
///
/// # Errors
/// Why there is nothing to compare; `None` without bundle directories.
pub fn of_bundles(files: Vec<NewText>, opm: OpmVersion, executor: Executor) -> Result<CatalogSet, Option<String>> {
    let files = files.into_iter().map(|file| (file.path, file.content)).collect();
    set_of_bundles(files, opm, executor).map_err(Some)?.ok_or(None)
}

// What a change does to a set: to each of its catalogs, and which findings are new.

/// The changes of all catalogs that are there before and after and were read completely, by package. The same change of several
/// catalogs is one.
pub fn set_changes(before: &CatalogSet, after: &CatalogSet, executor: Executor) -> Vec<SetChange> {
    let [before, after] = [before.complete(), after.complete()];
    let members = after.members.iter().filter_map(|new| Some((before.member(new.version)?, new)));
    let packages = members.flat_map(|(old, new)| old.catalog.packages.iter().map(move |package| (old, new, package)));
    let differing = packages.filter(|(old, new, package)| match new.catalog.package(package.name.as_str()) {
        Some(after) => !edits(package, after).is_empty(),
        None => !is_fragment(&old.catalog, &new.catalog),
    });
    let differing: Vec<_> = differing.collect();
    let compared = executor.map(&differing, |(old, new, package)| {
        let found = compare_package(old.state(), new.state(), &package.name, Runtime::V0);
        let sentence = change_sentence(&found, false, |_| true).unwrap_or_else(|| NOTHING.to_owned());
        (new.version, worst(&found), sentence, found.package)
    });
    let mut changes: BTreeMap<(PackageName, String), (Option<Level>, Vec<OpenShift>)> = BTreeMap::new();
    for (version, level, sentence, package) in compared {
        let (_, versions) = changes.entry((package, sentence)).or_insert_with(|| (level, Vec::new()));
        versions.push(version);
    }
    let change = |((package, sentence), (level, versions)): ((PackageName, String), _)| SetChange {
        package: package.to_string(),
        versions,
        sentence,
        level,
    };
    changes.into_iter().map(change).collect()
}

/// The worst level of the rows.
fn worst(found: &PackageComparison) -> Option<Level> {
    found.subscriptions().filter_map(|row| row.rule).map(|rule| rule.level()).max()
}

/// Leaves only findings that have an installed version which is not accepted, or none. Returns what is accepted, as sentences.
fn take_accepted(levels: &Levels, findings: &mut Vec<Finding>) -> Vec<String> {
    let mut texts = Vec::new();
    findings.retain(|finding| {
        let rows: Vec<(&str, &str)> = finding.rows.iter().map(|row| (&*row.channel, &*row.installed)).collect();
        let package = finding.package.as_ref().map_or("", |package| package.as_str());
        let (accepted, sentences) = levels.accepted_of_set(finding.rule, package, &rows);
        texts.extend(sentences);
        rows.is_empty() || accepted < rows.len()
    });
    texts
}

/// Takes out the findings that were there before.
fn take_known(before: &[Finding], findings: &mut Vec<Finding>) -> Vec<Finding> {
    findings.extract_if(.., |finding| is_known(before, finding)).collect()
}

/// Whether all that a finding says was found before. Of installed versions it keeps those of which that is not so.
fn is_known(before: &[Finding], finding: &mut Finding) -> bool {
    let is_same = |known: &&Finding| {
        (known.rule, &known.package) == (finding.rule, &finding.package) && known.severity <= finding.severity
    };
    let same: Vec<&Finding> = before.iter().filter(is_same).collect();
    let is_within =
        |known: (OpenShift, OpenShift), found: (OpenShift, OpenShift)| known.0 <= found.0 && found.1 <= known.1;
    if finding.rows.is_empty() {
        return same.iter().any(|known| {
            known.channel == finding.channel
                && is_within((known.from, known.to), (finding.from, finding.to))
                && named_in(&finding.message).is_subset(&named_in(&known.message))
        });
    }
    // A catalog that is added between two others splits the update of OpenShift that a version was lost with.
    let is_known_row = |row: &InstalledRow| {
        same.iter().flat_map(|known| &known.rows).any(|known| {
            (&known.channel, &known.installed) == (&row.channel, &row.installed)
                && is_within((known.from, known.to), (row.from, row.to))
        })
    };
    finding.rows.retain(|row| !is_known_row(row));
    finding.rows.is_empty()
}

/// The names in a message, which are in backticks.
fn named_in(message: &str) -> BTreeSet<&str> {
    message.split('`').skip(1).step_by(2).collect()
}

// Catalogs for several versions of OpenShift among the inputs. Their members are no catalogs of the cluster until they
// are opened as such.

impl Workbench {
    /// Adds a set, or puts it in the place of one.
    pub(crate) fn put_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        set: CatalogSet,
        waiting: Vec<OpenShift>,
    ) -> SetId {
        let id = known.unwrap_or_else(|| {
            self.next_set += 1;
            SetId(self.next_set - 1)
        });
        let before = self.sets.iter().find(|known| known.id == id);
        let is_baseline = before.is_some_and(|before| before.is_baseline);
        let mut input = SetInput { id, name: name.to_owned(), set, waiting, is_baseline, findings: OnceCell::new() };
        // Somebody may have chosen a release while it was read.
        input.judge(self.opm());
        match self.sets.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = input,
            None => self.sets.push(input),
        }
        id
    }

    /// Shows the members that are complete while a set is read, if several are and have a package in common. `coming` are the paths of
    /// the files that are not added yet; `known` is the id that it has from the last time.
    pub fn preview_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        loading: &mut Loading,
        coming: &[&str],
    ) -> Option<SetId> {
        if !loading.has_several_catalogs() {
            return known;
        }
        let set = loading.preview(coming);
        let is_known = |version: &OpenShift| {
            set.member(*version).is_some() || set.holes.iter().any(|hole| hole.version == *version)
        };
        let waiting = loading.versions().into_iter().filter(|version| !is_known(version)).collect();
        if set.is_set() { Some(self.put_set(known, name, set, waiting)) } else { known }
    }

    /// Removes a set.
    pub fn remove_set(&mut self, id: SetId) {
        self.sets.retain(|input| input.id != id);
    }

    /// The sets, in the order they were added.
    #[must_use]
    pub fn sets(&self) -> &[SetInput] {
        &self.sets
    }

    /// The sets as rows of a list.
    pub fn set_rows(&self) -> Vec<SetRow> {
        let row = |input: &SetInput| SetRow {
            id: input.id,
            name: input.name.clone(),
            versions: input.set.members.iter().map(|member| member.version).collect(),
            packages: input.set.packages().len() as u32,
            is_baseline: input.is_baseline,
        };
        self.sets.iter().map(row).collect()
    }

    /// Makes a set the one that others are compared with, or one of its own again.
    pub fn set_baseline_set(&mut self, id: SetId, is_baseline: bool) {
        for input in &mut self.sets {
            input.is_baseline = if input.id == id { is_baseline } else { input.is_baseline && !is_baseline };
        }
    }
}

// A set among the inputs.

/// A set.
pub struct SetInput {
    /// The id; never reused.
    pub id: SetId,
    /// The name of what was opened.
    pub name: String,
    /// Its members; while it is read, those that are complete.
    pub set: CatalogSet,
    /// The versions of the members that are still read.
    pub waiting: Vec<OpenShift>,
    /// Whether the other sets are only compared with it: the state before a change.
    pub is_baseline: bool,
    pub findings: OnceCell<Vec<Finding>>,
}

impl SetInput {
    /// Judges its catalogs as a release of `opm` does.
    pub(crate) fn judge(&mut self, opm: OpmVersion) {
        self.set.judge(opm);
        self.findings = OnceCell::new();
    }
}
