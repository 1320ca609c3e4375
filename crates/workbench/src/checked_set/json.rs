//! A set for programs.

use super::CheckedSet;
use super::before::Change;
use openshift::sets::{Cell, Finding, InstalledRow, MatrixRow, Member, Place, WayOut, harmful, matrix};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Report {
    sets: Vec<Set>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Set {
    /// What the paths have in common, with `*` for the version.
    pattern: String,
    sentence: String,
    members: Vec<MemberRow>,
    /// The versions between them that are not loaded.
    missing: Vec<String>,
    /// The versions with a folder and without a catalog.
    holes: Vec<HoleRow>,
    /// The packages that leave somebody behind who is up to date.
    harmful: Vec<String>,
    matrix: Vec<Package>,
    findings: Vec<Item>,
    /// What a change does to the catalogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<ChangeRow>>,
    /// How many findings were there before, and are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<usize>,
    limits: Vec<String>,
}

#[derive(Serialize)]
struct HoleRow {
    version: String,
    /// What is there instead of a catalog.
    reason: String,
}

#[derive(Serialize)]
struct ChangeRow {
    package: String,
    versions: Vec<String>,
    level: Option<&'static str>,
    sentence: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow {
    version: String,
    paths: Vec<String>,
    packages: usize,
    /// What `opm validate` prints, if it rejects the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Package {
    package: String,
    /// Members that follow each other and have the package from the same texts are one cell.
    cells: Vec<CellRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CellRow {
    from: String,
    to: String,
    /// The head of the default channel.
    head: Option<String>,
    /// Absent if nobody knows, because a part of the catalog was not read.
    is_there: Option<bool>,
    worst: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: &'static str,
    severity: &'static str,
    package: Option<String>,
    channel: Option<String>,
    from: String,
    to: String,
    message: String,
    rows: Vec<Row>,
    way_out: Option<Way>,
    /// File and line.
    places: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    from: String,
    to: String,
    channel: String,
    installed: String,
    /// Whether nothing follows it before the update of OpenShift.
    is_end: bool,
    end: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Way {
    /// `switch-before`, `switch-after`, `update-first` or `reinstall`.
    kind: &'static str,
    channel: Option<String>,
    bundle: Option<String>,
    text: String,
}

pub(super) fn report(sets: &[CheckedSet]) -> Report {
    Report { sets: sets.iter().map(set).collect() }
}

fn set(of: &CheckedSet) -> Set {
    let set = &of.read.set;
    let member = |member: &Member| MemberRow {
        version: member.version.to_string(),
        paths: member.places.iter().flat_map(Place::roots).map(|path| of.read.shown(path)).collect(),
        packages: member.catalog.packages.len(),
        rejected: member.rejected.as_ref().map(|rejected| rejected.text.to_string()),
        unread: member.unread.iter().map(|(path, reason)| format!("{}: {reason}", of.read.shown(path))).collect(),
    };
    Set {
        pattern: of.read.shown(&set.pattern),
        sentence: of.sentence.clone(),
        members: set.members.iter().map(member).collect(),
        missing: set.missing().iter().map(ToString::to_string).collect(),
        holes: (set.holes.iter())
            .map(|hole| HoleRow { version: hole.version.to_string(), reason: hole.reason.to_string() })
            .collect(),
        harmful: harmful(&of.findings).into_iter().map(ToString::to_string).collect(),
        matrix: matrix(set, &of.findings).into_iter().map(package).collect(),
        findings: of.findings.iter().map(|finding| item(of, finding)).collect(),
        changes: of.changed.as_ref().map(|changed| changed.changes.iter().map(change).collect()),
        known: of.changed.as_ref().map(|changed| changed.known),
        limits: of.limits(),
    }
}

fn change(change: &Change) -> ChangeRow {
    ChangeRow {
        package: change.package.to_string(),
        versions: change.versions.iter().map(ToString::to_string).collect(),
        level: change.level.map(|level| level.as_str()),
        sentence: change.sentence.clone(),
    }
}

fn package(row: MatrixRow) -> Package {
    let cell = |cell: Cell| CellRow {
        from: cell.from.to_string(),
        to: cell.to.to_string(),
        head: cell.head.map(|head| head.to_string()),
        is_there: (cell.is_there || !cell.is_partial).then_some(cell.is_there),
        worst: cell.worst.map(source::Severity::as_str),
    };
    Package { package: row.package.to_string(), cells: row.cells.into_iter().map(cell).collect() }
}

fn item(of: &CheckedSet, finding: &Finding) -> Item {
    let row = |row: &InstalledRow| Row {
        from: row.from.to_string(),
        to: row.to.to_string(),
        channel: row.channel.to_string(),
        installed: row.installed.to_string(),
        is_end: row.is_end,
        end: row.end.to_string(),
    };
    Item {
        id: finding.rule.id(),
        severity: finding.severity.as_str(),
        package: finding.package.as_ref().map(ToString::to_string),
        channel: finding.channel.as_ref().map(ToString::to_string),
        from: finding.from.to_string(),
        to: finding.to.to_string(),
        message: finding.message.clone(),
        rows: finding.rows.iter().map(row).collect(),
        way_out: finding.way_out.as_ref().map(way),
        places: of.places(finding),
    }
}

fn way(way: &WayOut) -> Way {
    let (kind, channel, bundle) = match way {
        WayOut::SwitchBefore { channel, reaches } => ("switch-before", Some(channel), Some(reaches)),
        WayOut::SwitchAfter { channel } => ("switch-after", Some(channel), None),
        WayOut::UpdateFirst { to } => ("update-first", None, Some(to)),
        WayOut::Reinstall => ("reinstall", None, None),
    };
    let (channel, bundle) = (channel.map(ToString::to_string), bundle.map(ToString::to_string));
    Way { kind, channel, bundle, text: way.to_string() }
}
