//! `opscope reach`

use crate::args;
use crate::explanation;
use crate::format::TableFormat;
use crate::names;
use crate::output::{Failure, write_json, written};
use crate::places::Inputs;
use report::{Cell, Paint, Printer, Table, Terminal};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use views::{PackageKey, ReachColumn, ReachView, RepairsView, Runtime, StopReason};
use workbench::Workbench;

/// Prints where the updates of each version end in each channel.
pub(crate) fn run(arguments: &args::Reach, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let inputs = Inputs::open(&arguments.catalogs.catalogs)?;
    let package = names::package(&inputs.workbench, &arguments.package)?;
    for channel in &arguments.channels {
        names::channel(&inputs.workbench, &package, Some(channel))?;
    }
    let installed = arguments.installed.iter().map(|text| inputs.workbench.find_installed(&package, text));
    let installed: Vec<String> = installed.collect::<Result<_, _>>()?;
    let mut view = whole(&inputs.workbench, &package, &installed);
    view.columns.retain(|column| arguments.channels.is_empty() || arguments.channels.contains(&column.channel));
    let is_stuck = |row: usize| view.columns.iter().any(|column| column.cell(row).is_some_and(|cell| cell.is_stuck()));
    let is_meant = |row: usize| installed.is_empty() || installed.contains(&view.rows[row].name);
    let rows = (0..view.rows.len()).filter(|&row| is_meant(row) && (!arguments.stuck || is_stuck(row)));
    let rows: Vec<usize> = rows.collect();
    let repairs = if arguments.stuck { repairs_of(&inputs.workbench, &package, &view) } else { Vec::new() };
    match arguments.format {
        TableFormat::Json => write_json(out, &Report::new(&package.package, &view, &rows, repairs))?,
        TableFormat::Markdown => {
            write!(out, "{}", table(&view, &rows, "installed").to_markdown()).map_err(written)?;
            explanation::repairs_markdown(out, &repairs).map_err(written)?;
        }
        TableFormat::Text => {
            let mut printer = Printer::new(out, terminal, &inputs);
            write(&mut printer, &view, &rows, arguments.stuck).map_err(written)?;
            repairs.iter().try_for_each(|view| explanation::repairs(&mut printer, view)).map_err(written)?;
        }
    }
    inputs.answer(true)
}

/// What helps the channels in which versions are stuck.
fn repairs_of(workbench: &Workbench, package: &PackageKey, view: &ReachView) -> Vec<RepairsView> {
    let Some(catalog) = workbench.catalog(package.catalog) else { return Vec::new() };
    let is_stuck = |column: &&ReachColumn| {
        column.problem.is_some() || (0..view.rows.len()).filter_map(|row| column.cell(row)).any(|cell| cell.is_stuck())
    };
    let stuck = view.columns.iter().filter(is_stuck);
    let repairs = |column: &ReachColumn| workbench.channel_repairs(catalog, (&package.package, &column.channel), &[]);
    stuck.filter_map(repairs).collect()
}

/// The table of all channels, which the workbench gives in parts, with these installed versions.
fn whole(workbench: &Workbench, package: &PackageKey, installed: &[String]) -> ReachView {
    let part = |first: u32| workbench.reach(package, first, Runtime::V0, installed).unwrap_or_default();
    let mut view = part(0);
    while (view.columns.len() as u32) < view.total {
        let part = part(view.columns.len() as u32);
        if part.columns.is_empty() {
            break;
        }
        view.columns.extend(part.columns);
    }
    view
}

fn write(printer: &mut Printer<'_>, view: &ReachView, rows: &[usize], stuck: bool) -> io::Result<()> {
    let problems = view.columns.iter().filter_map(|column| Some((column, column.problem.as_ref()?)));
    for (column, problem) in problems {
        let text = format!("OLM cannot order channel `{}`: {problem}", column.channel);
        printer.line("✕ ", Paint::Bad, &text)?;
    }
    if rows.is_empty() {
        let text = if stuck { "No version is stuck." } else { "The package has no version." };
        return printer.line("", Paint::Plain, text);
    }
    let about = "Row: installed version. Column: subscribed channel with its head. Cell: number of hops to the head.";
    printer.line("", Paint::Dim, about)?;
    printer.table(&table(view, rows, "installed"))?;
    match view.omitted {
        0 => Ok(()),
        omitted => printer.line("", Paint::Dim, &format!("{omitted} older versions not shown")),
    }
}

fn table(view: &ReachView, rows: &[usize], corner: &str) -> Table {
    let titles = view.columns.iter().map(|column| title(view, column));
    let mut table = Table::with_titles(std::iter::once(vec![corner]).chain(titles));
    for &row in rows {
        let label = Cell::new(Paint::Bold, &view.rows[row].label);
        let cells = view.columns.iter().map(|column| Cell::new(paint(column, row), &column.word(row, &view.rows)));
        table.push(std::iter::once(label).chain(cells).collect());
    }
    table
}

/// The channel, and below it the head.
fn title<'v>(view: &'v ReachView, column: &'v ReachColumn) -> Vec<&'v str> {
    let head = column.head.and_then(|row| view.rows.get(row as usize)).map(|row| row.label.as_str());
    std::iter::once(column.channel.as_str()).chain(head).collect()
}

fn paint(column: &ReachColumn, row: usize) -> Paint {
    match column.cell(row) {
        None => Paint::Bad,
        Some(cell) if cell.is_stuck() => Paint::Bad,
        Some(cell) => match cell.stop {
            StopReason::Head => Paint::Good,
            StopReason::Newer => Paint::Dim,
            StopReason::Stranded | StopReason::Uncovered | StopReason::Circle => Paint::Warning,
        },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'v> {
    package: &'v str,
    channels: Vec<ChannelRow<'v>>,
    /// The newest first.
    versions: Vec<VersionRow<'v>>,
    /// The number of older versions that were left out.
    omitted: u32,
    /// With `--stuck`: what helps channels in which versions are stuck.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<RepairsView>,
}

#[derive(Serialize)]
struct ChannelRow<'v> {
    name: &'v str,
    default: bool,
    /// The CSV.
    head: Option<&'v str>,
    /// Why OLM cannot order the channel.
    problem: Option<&'v str>,
}

#[derive(Serialize)]
struct VersionRow<'v> {
    csv: &'v str,
    /// Whether the catalog has a bundle with this name.
    bundle: bool,
    /// By channel; without the channels that OLM cannot order.
    channels: BTreeMap<&'v str, CellRow<'v>>,
}

#[derive(Serialize)]
struct CellRow<'v> {
    hops: u32,
    /// The CSV where updates end.
    end: &'v str,
    /// Why they end there.
    stop: &'static str,
    /// Whether the channel lists the version.
    listed: bool,
}

impl<'v> Report<'v> {
    fn new(package: &'v str, view: &'v ReachView, rows: &[usize], repairs: Vec<RepairsView>) -> Self {
        let name = |row: u32| view.rows.get(row as usize).map(|row| row.name.as_str());
        let channels = view.columns.iter().map(|column| ChannelRow {
            name: &column.channel,
            default: column.default,
            head: column.head.and_then(name),
            problem: column.problem.as_deref(),
        });
        let versions = rows.iter().map(|&row| VersionRow {
            csv: &view.rows[row].name,
            bundle: view.rows[row].bundle,
            channels: (view.columns.iter())
                .filter_map(|column| {
                    let cell = column.cell(row)?;
                    let (end, stop) = (name(cell.end).unwrap_or_default(), cell.stop.as_str());
                    Some((column.channel.as_str(), CellRow { hops: cell.hops, end, stop, listed: cell.listed }))
                })
                .collect(),
        });
        Self { package, channels: channels.collect(), versions: versions.collect(), omitted: view.omitted, repairs }
    }
}
