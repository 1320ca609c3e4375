//! `opscope reach`

use crate::args;
use crate::explanation;
use crate::format::TableFormat;
use crate::names;
use crate::output::{Failure, write_json, written};
use crate::places::Inputs;
use crate::served;
use report::{Cell, Paint, Printer, Table, Terminal};
use std::io::{self, Write};
use views::{ReachColumn, ReachView, StopReason};

/// Prints where the updates of each version end in each channel.
pub(crate) fn run(arguments: &args::Reach, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.catalogs.opm.release()?;
    served::ask(arguments.catalogs.read()?, arguments.format.into(), terminal, out, |served, out| {
        answer(&Inputs::of(served, opm), arguments, terminal, out)
    })
}

fn answer(inputs: &Inputs, arguments: &args::Reach, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let package = names::package(&inputs.workbench, &arguments.package)?;
    for channel in &arguments.channels {
        names::channel(&inputs.workbench, &package, Some(channel))?;
    }
    let installed = arguments.installed.iter().map(|text| answers::find_installed(&inputs.workbench, &package, text));
    let installed: Vec<String> = installed.collect::<Result<_, _>>()?;
    let report = answers::reach_report(&inputs.workbench, &package, &arguments.channels, &installed, arguments.stuck);
    // `names` found the package.
    let Some(report) = report else {
        return inputs.answer(true);
    };
    match arguments.format {
        TableFormat::Json => write_json(out, &report)?,
        TableFormat::Markdown => {
            write!(out, "{}", table(&report.table).to_markdown()).map_err(written)?;
            explanation::repairs_markdown(out, &report.repairs).map_err(written)?;
        }
        TableFormat::Text => {
            let mut printer = Printer::new(out, terminal, inputs);
            write(&mut printer, &report.table, arguments.stuck).map_err(written)?;
            report.repairs.iter().try_for_each(|view| explanation::repairs(&mut printer, view)).map_err(written)?;
        }
    }
    inputs.answer(true)
}

fn write(printer: &mut Printer<'_>, view: &ReachView, stuck: bool) -> io::Result<()> {
    let problems = view.columns.iter().filter_map(|column| Some((column, column.problem.as_ref()?)));
    for (column, problem) in problems {
        let text = format!("OLM cannot order channel `{}`: {problem}", column.channel);
        printer.line("✕ ", Paint::Bad, &text)?;
    }
    if view.rows.is_empty() {
        let text = if stuck { "No version is stuck." } else { "The package has no version." };
        return printer.line("", Paint::Plain, text);
    }
    let about = "Row: installed version. Column: subscribed channel with its head. Cell: number of hops to the head.";
    printer.line("", Paint::Dim, about)?;
    printer.table(&table(view))?;
    match view.omitted {
        0 => Ok(()),
        omitted => printer.line("", Paint::Dim, &format!("{omitted} older versions not shown")),
    }
}

fn table(view: &ReachView) -> Table {
    let titles = view.columns.iter().map(title);
    let mut table = Table::with_titles(std::iter::once(vec!["installed"]).chain(titles));
    for (row, version) in view.rows.iter().enumerate() {
        let label = Cell::new(Paint::Bold, &version.label);
        let cells = view.columns.iter().map(|column| Cell::new(paint(column, row), &column.word(row)));
        table.push(std::iter::once(label).chain(cells).collect());
    }
    table
}

/// The channel, and below it the head.
fn title(column: &ReachColumn) -> Vec<&str> {
    let head = column.head.as_ref().map(|head| head.label.as_str());
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
