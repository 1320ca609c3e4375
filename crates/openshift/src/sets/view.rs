//! A set for the page and the command line.

use crate::sets::finding::{Finding, WayOut};
use crate::sets::installed::{Cell, MatrixRow, harmful, matrix, sentence};
use crate::sets::set::{CatalogSet, Hole, Member};
use crate::sets::{Place, Rejected};
use source::{OpenShift, Span};
use std::collections::{BTreeMap, BTreeSet};
use views::{SetCell, SetFinding, SetHole, SetId, SetMemberView, SetPackage, SetPlace, SetRejection, SetView};

/// What the findings do not say.
const JUDGED: &str = "Assumed: OLM v0 with automatic approval, the catalogs as they are in these files, without those of other \
                      publishers.";

impl CatalogSet {
    /// The set with its findings. `shown` makes the path of a file for a message, and `waiting` are the versions of the members that
    /// are still read.
    pub fn view(
        &self,
        id: SetId,
        findings: &[Finding],
        waiting: &[OpenShift],
        shown: impl Fn(&str) -> String,
    ) -> SetView {
        let view = View { set: self, shown };
        SetView {
            id,
            pattern: (view.shown)(&self.pattern),
            sentence: sentence(self, findings),
            members: self.members.iter().map(|member| view.member(member)).collect(),
            missing: self.missing(),
            holes: self.holes.iter().map(hole).collect(),
            notices: member_notices(&self.members),
            harmful: harmful(findings).into_iter().map(ToString::to_string).collect(),
            matrix: matrix(self, findings).into_iter().map(|row| view.package(&row)).collect(),
            findings: findings.iter().map(|found| view.finding(found)).collect(),
            before: None,
            changes: None,
            known: None,
            limits: self.limits(waiting),
        }
    }

    /// What the answer does not say.
    fn limits(&self, waiting: &[OpenShift]) -> Vec<String> {
        let still = (!waiting.is_empty())
            .then(|| format!("Still being read: {}. What is said here is about the others.", versions(waiting)));
        let is_hole = |version: &OpenShift| self.holes.iter().any(|hole| hole.version == *version);
        let mut missing = self.missing();
        missing.retain(|version| !waiting.contains(version) && !is_hole(version));
        let missing = (!missing.is_empty())
            .then(|| format!("Not loaded: {}. No update of OpenShift from or to them is judged.", versions(&missing)));
        still
            .into_iter()
            .chain(self.made_of().map(|text| format!("{text}.")))
            .chain(missing)
            .chain([JUDGED.to_owned()])
            .collect()
    }

    /// Of what members are made, because they have no catalog.
    #[must_use]
    pub fn made_of(&self) -> Option<String> {
        if self.is_of_bundles() {
            let versions: Vec<OpenShift> = self.members.iter().map(|member| member.version).collect();
            let versions = OpenShift::list(&versions);
            return Some(format!("Made of bundle directories, by their `com.redhat.openshift.versions`: {versions}"));
        }
        let versions: Vec<OpenShift> = self.made().map(|member| member.version).collect();
        let is_known = self.made().all(|member| member.unknown_images == 0);
        let unknown = if is_known {
            ""
        } else {
            "; where no catalog has an image, its version is that in the name of the bundle"
        };
        (!versions.is_empty()).then(|| format!("Expanded from templates: {}{unknown}", OpenShift::list(&versions)))
    }
}

fn versions(versions: &[OpenShift]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn hole(hole: &Hole) -> SetHole {
    SetHole { version: hole.version, reason: hole.reason.to_string() }
}

/// Which of the members `opm` rejects, and which were not read completely, each reason once.
pub fn member_notices<'m>(members: impl IntoIterator<Item = &'m Member>) -> Vec<String> {
    let mut rejected: BTreeMap<&str, Vec<OpenShift>> = BTreeMap::new();
    let mut unread: BTreeSet<String> = BTreeSet::new();
    for member in members {
        let text = member.rejected.as_ref().map(Rejected::error);
        text.into_iter().for_each(|text| rejected.entry(text).or_default().push(member.version));
        unread.extend(member.unread.iter().map(|(path, reason)| format!("`{path}` was not read completely: {reason}")));
    }
    let rejected = rejected
        .into_iter()
        .map(|(text, versions)| format!("`opm` rejects the catalog of {}: {text}", OpenShift::list(&versions)));
    rejected.chain(unread).collect()
}

/// Makes the parts of a view.
struct View<'s, S> {
    set: &'s CatalogSet,
    /// Makes the path of a file for a message.
    shown: S,
}

impl<S: Fn(&str) -> String> View<'_, S> {
    fn member(&self, member: &Member) -> SetMemberView {
        let rejection = |rejected: &Rejected| SetRejection {
            text: rejected.text.to_string(),
            error: rejected.error().to_owned(),
            place: self.place((member.version, rejected.finding.span)),
        };
        SetMemberView {
            version: member.version,
            paths: member.places.iter().flat_map(Place::roots).map(&self.shown).collect(),
            packages: member.catalog.packages.len(),
            rejected: member.rejected.as_ref().map(rejection),
            unread: member.unread.iter().map(|(path, reason)| format!("{}: {reason}", (self.shown)(path))).collect(),
        }
    }

    /// A place, with the version of OpenShift whose catalog has it.
    fn place(&self, (openshift, span): (OpenShift, Span)) -> SetPlace {
        let written = self.set.written(span);
        let [start, end] = [written, Span::new(written.file, written.end, written.end)].map(|at| self.set.position(at));
        SetPlace {
            openshift,
            path: (self.shown)(self.set.path(openshift, span)),
            start: (start.line, start.column),
            end: (end.line, end.column),
        }
    }

    fn package(&self, row: &MatrixRow) -> SetPackage {
        let versions: Vec<OpenShift> = self.set.members.iter().map(|member| member.version).collect();
        let cell = |cell: &Cell| {
            let text =
                cell.head.as_ref().map_or_else(|| cell.without_head().to_owned(), |head| version_text(head.as_str()));
            let pair = pair(&versions, cell);
            SetCell {
                from: cell.from,
                to: cell.to,
                span: versions.iter().filter(|version| (cell.from..=cell.to).contains(version)).count() as u32,
                head: cell.head.as_ref().map(ToString::to_string),
                is_there: (cell.is_there || !cell.is_partial).then_some(cell.is_there),
                label: label(row, cell, &text, pair),
                text,
                pair,
                worst: cell.worst.as_ref().map(|(harm, _)| *harm),
            }
        };
        SetPackage { package: row.package.to_string(), cells: row.cells.iter().map(cell).collect() }
    }

    fn finding(&self, finding: &Finding) -> SetFinding {
        let channel = finding.channel.as_ref().map(|channel| format!(", channel `{channel}`")).unwrap_or_default();
        SetFinding {
            id: finding.rule.id().to_owned(),
            severity: finding.severity,
            harm: finding.harm(),
            is_about_repository: finding.is_about_repository(),
            package: finding.package.as_ref().map(ToString::to_string),
            channel: finding.channel.as_ref().map(ToString::to_string),
            from: finding.from,
            to: finding.to,
            text: format!("{}{channel}: {}", finding.versions(), finding.message),
            sentence: finding.sentence(),
            message: finding.message.clone(),
            rows: finding.rows.clone(),
            installed: finding.installed(),
            way_out: finding.way_out.as_ref().map(way_out),
            places: finding.spans.iter().map(|span| self.place(*span)).collect(),
        }
    }
}

fn way_out(way: &WayOut) -> views::WayOut {
    let (kind, channel, bundle) = match way {
        WayOut::SwitchBefore { channel, reaches } => ("switch-before", Some(channel), Some(reaches)),
        WayOut::SwitchAfter { channel, .. } => ("switch-after", Some(channel), None),
        WayOut::UpdateFirst { to } => ("update-first", None, Some(to)),
        WayOut::Reinstall => ("reinstall", None, None),
    };
    let (channel, bundle) = (channel.map(ToString::to_string), bundle.map(ToString::to_string));
    views::WayOut { kind: kind.to_owned(), channel, bundle, text: way.to_string() }
}

/// The last member of a cell and the one after it; of the last of all members the one before and this one.
fn pair(versions: &[OpenShift], cell: &Cell) -> (OpenShift, OpenShift) {
    match versions.windows(2).find(|pair| pair[0] == cell.to).or(versions.windows(2).last()) {
        Some(pair) => (pair[0], pair[1]),
        None => (cell.to, cell.to),
    }
}

/// `head` is the text of the cell, which comes first.
fn label(row: &MatrixRow, cell: &Cell, head: &str, (from, to): (OpenShift, OpenShift)) -> String {
    let effect = match &cell.worst {
        Some((_, message)) => message.replace('`', ""),
        None if cell.is_partial => "not read completely, so that nothing is judged".to_owned(),
        None => "nothing to report".to_owned(),
    };
    let versions = if cell.from == cell.to { cell.from.to_string() } else { format!("{} to {}", cell.from, cell.to) };
    let differs =
        cell.differs.as_ref().map(|differs| format!("; before: the same head, {differs}")).unwrap_or_default();
    format!("{head}: {} in {versions}, {effect}{differs}. Compare {from} with {to}", row.package)
}

/// The version at the end of the name of a CSV, or the name.
pub(crate) fn version_text(csv: &str) -> String {
    update_graph::version_in(csv).map_or_else(|| csv.to_owned(), |version| version.to_string())
}
