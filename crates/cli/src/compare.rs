//! `opscope compare`

use crate::args::{self, ReportFormat};
use crate::folder::file_name;
use crate::places::Inputs;
use crate::printer::Printer;
use crate::terminal::{Paint, Terminal};
use crate::{Failure, write_json, written};
use compare::{ChannelState, Fate, Group, Level, PackageComparison, Row, State, groups};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use workbench::CatalogInput;

/// The limit on hops of a fate in JSON.
const HOPS: usize = 40;

#[derive(Serialize)]
struct Report<'c> {
    summary: BTreeMap<&'static str, usize>,
    packages: Vec<PackageReport<'c>>,
}

#[derive(Serialize)]
struct PackageReport<'c> {
    package: &'c str,
    rows: Vec<RowReport<'c>>,
}

#[derive(Serialize)]
struct RowReport<'c> {
    channel: &'c str,
    installed: &'c str,
    rule: Option<&'static str>,
    level: Option<&'static str>,
    old: FateReport<'c>,
    new: FateReport<'c>,
}

#[derive(Serialize)]
struct FateReport<'c> {
    state: &'static str,
    hops: Vec<&'c str>,
    #[serde(rename = "loop")]
    repeats: bool,
    /// Whether there are more hops.
    cap: bool,
    end: &'c str,
    error: Option<&'c str>,
}

/// Prints what becomes of each installed version before and after a change.
pub(crate) fn run(arguments: &args::Compare, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let named = |path: &PathBuf| (file_name(path), path.clone());
    let inputs = Inputs::open(&[named(&arguments.before), named(&arguments.after)])?;
    let [before, after] = inputs.workbench.catalogs() else { return Err("one of the catalogs is not open".to_owned()) };
    let (old, new) = (rejection(before), rejection(after));
    let mut packages = compare::compare(state(before, old.as_deref()), state(after, new.as_deref()));
    packages.retain(|found| arguments.package.as_ref().is_none_or(|name| found.package.as_str() == name));
    match arguments.format {
        ReportFormat::Json => write_json(out, &report(&packages))?,
        ReportFormat::Text => write(&mut Printer::new(out, terminal, &inputs), &packages).map_err(written)?,
    }
    let rules = packages.iter().flat_map(|package| &package.rows).filter_map(|row| row.rule);
    let worst = rules.map(compare::RowRule::level).max();
    Ok(arguments.deny.is_none_or(|deny| worst < Some(deny.level())))
}

/// What `opm validate` prints, if it rejects the catalog.
fn rejection(input: &CatalogInput) -> Option<String> {
    let mut texts = input.analysis.findings.iter().filter_map(|found| found.diagnostic.opm.as_deref());
    (!input.is_accepted()).then(|| texts.next().unwrap_or("opm rejects the catalog").to_owned())
}

fn state<'c>(input: &'c CatalogInput, rejected: Option<&'c str>) -> State<'c> {
    State { catalog: &input.analysis.catalog, rejected }
}

fn report(packages: &[PackageComparison]) -> Report<'_> {
    let mut summary = BTreeMap::new();
    for rule in packages.iter().flat_map(|package| &package.rows).filter_map(|row| row.rule) {
        *summary.entry(rule.level().as_str()).or_default() += 1;
    }
    let packages = packages.iter().map(|PackageComparison { package, rows }| PackageReport {
        package: package.as_str(),
        rows: rows.iter().map(row_report).collect(),
    });
    Report { summary, packages: packages.collect() }
}

fn row_report(row: &Row) -> RowReport<'_> {
    let fate = |fate| fate_report(row, fate);
    RowReport {
        channel: row.channel.as_str(),
        installed: row.installed.as_str(),
        rule: row.rule.map(compare::RowRule::id),
        level: row.rule.map(|rule| rule.level().as_str()),
        old: fate(&row.old),
        new: fate(&row.new),
    }
}

fn fate_report<'c>(row: &'c Row, fate: &'c Fate) -> FateReport<'c> {
    FateReport {
        state: match fate.state {
            ChannelState::PackageGone => "pkg-gone",
            ChannelState::ChannelGone => "chan-gone",
            ChannelState::Broken => "graph-broken",
            ChannelState::Served { .. } => "ok",
        },
        hops: fate.hops.iter().take(HOPS).map(|hop| hop.to.as_str()).collect(),
        repeats: fate.repeats && fate.hops.len() <= HOPS,
        cap: fate.hops.len() > HOPS,
        end: fate.end(&row.installed).as_str(),
        error: fate.error.as_deref(),
    }
}

/// A sentence for each package with a difference, and its groups.
fn write(printer: &mut Printer<'_>, packages: &[PackageComparison]) -> io::Result<()> {
    let changed = |package: &&PackageComparison| package.rows.iter().any(|row| row.rule.is_some());
    let (changed, same): (Vec<_>, Vec<_>) = packages.iter().partition(changed);
    for package in changed {
        printer.heading(Paint::Bold, &sentence(package))?;
        for group in groups(&package.rows) {
            let (sign, paint) = match group.rule.level() {
                Level::Breaking => ("✕ ", Paint::Bad),
                Level::Risky => ("▲ ", Paint::Warning),
                Level::Neutral => ("· ", Paint::Plain),
                Level::Good => ("✓ ", Paint::Good),
            };
            printer.line(sign, paint, &group_text(&group))?;
        }
    }
    match same.len() {
        0 => Ok(()),
        1 => printer.heading(Paint::Dim, "1 package: nothing changes for what is installed"),
        many => printer.heading(Paint::Dim, &format!("{many} packages: nothing changes for what is installed")),
    }
}

/// How many installed versions each level is about.
fn sentence(package: &PackageComparison) -> String {
    let of =
        |level: Level| package.rows.iter().filter(|row| row.rule.is_some_and(|rule| rule.level() == level)).count();
    let parts = [Level::Breaking, Level::Risky, Level::Neutral, Level::Good].map(|level| (of(level), level.as_str()));
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, level)| format!("{count} {level}")).collect();
    format!("{}: of {} installed versions {}", package.package, package.rows.len(), parts.join(", "))
}

/// Which versions, what becomes of them, and by which rule.
fn group_text(group: &Group<'_>) -> String {
    let label = |row: &Row| row.version.as_ref().map_or_else(|| row.installed.to_string(), ToString::to_string);
    let first = group.rows[0];
    let versions = match group.rows.as_slice() {
        [only] => label(only),
        [oldest, .., newest] => format!("{} to {} ({} versions)", label(oldest), label(newest), group.rows.len()),
        [] => String::new(),
    };
    let before = match group.rows.as_slice() {
        [only] => format!("; before: {}", fate_text(only, &only.old)),
        _ => String::new(),
    };
    format!("{versions} in {}: {}{before} ({})", first.channel, fate_text(first, &first.new), group.rule.id())
}

/// Where updates end.
fn fate_text(row: &Row, fate: &Fate) -> String {
    match (&fate.error, fate.hops.last()) {
        (Some(error), _) => format!("error: {error}"),
        (None, None) if fate.head().is_some_and(|head| *head == row.installed) => "the head".to_owned(),
        (None, None) => "stuck, and OLM reports nothing".to_owned(),
        (None, Some(_)) if fate.repeats => "the updates repeat forever".to_owned(),
        (None, Some(last)) => {
            let end = last.version.as_ref().map_or_else(|| last.to.to_string(), ToString::to_string);
            format!("updated to {end}")
        }
    }
}
