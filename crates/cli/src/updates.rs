//! `opscope path`, `opscope reach` and `opscope graph`: the updates of a package.

use crate::args::{self, UpdatePath};
use crate::explanation::repairs;
use crate::format::{AnswerFormat, GraphFormat};
use crate::json;
use crate::names;
use crate::output::{Failure, write_report, written};
use crate::places::{Inputs, file_name, shown_path};
use crate::served::{self, Form};
use answers::PackageGraph;
use report::{Answer, Block, Cell, Paint, Report, Table, Terminal};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use views::{EntryKey, HopView, PackageKey, PathView, ReachColumn, ReachView, StopReason};

/// Prints the updates from one version to another. Returns whether they lead there.
pub(crate) fn path(arguments: &UpdatePath, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.catalogs.opm.release()?;
    served::ask(arguments.catalogs.read(&arguments.first)?, arguments.format.into(), terminal, out, |served, out| {
        answer(&Inputs::of(served, opm), arguments, terminal, out)
    })
}

fn answer(inputs: &Inputs, arguments: &UpdatePath, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let workbench = &inputs.workbench;
    let package = names::package_or_only(workbench, arguments.catalogs.package(&arguments.first))?;
    let channel = names::channel(workbench, &package, arguments.channel.as_deref())?;
    let from = answers::find_installed(workbench, &package, &arguments.from)?;
    let to = EntryKey { channel: Some(channel), name: names::csv(workbench, &package, &arguments.to)? };
    let view = answers::path(workbench, &package, &from, &to).ok_or("the package has no such channel or version")?;
    match arguments.format {
        AnswerFormat::Json => json::write(out, inputs, &view)?,
        format => write_report(out, terminal, format.into(), &path_report(inputs, &view))?,
    }
    inputs.answer(view.arrives)
}

fn path_report(inputs: &Inputs, view: &PathView) -> Report {
    let mut whole = Answer::new(inputs);
    let answer = &mut whole;
    let (mark, paint) = if view.arrives { ("✓ ", Paint::Good) } else { ("✕ ", Paint::Bad) };
    answer.line(mark, paint, &view.title);
    answer.reasons("  - ", &view.because);
    if let Some(view) = &view.repairs {
        repairs(answer, view);
    }
    for advice in &view.advice {
        answer.sentence("  - ", &format!("Without editing the catalog: {advice}"), None);
    }
    hops(answer, &view.olm);
    if let Some(shortest) = &view.shortest {
        answer.heading(Paint::Bold, "The shortest path along the fields of the channel, which OLM does not take");
        hops(answer, shortest);
    }
    if let Some(across) = &view.across_channels {
        answer.heading(Paint::Bold, "The path if the Subscription switches channels");
        hops(answer, across);
    }
    whole.into_report()
}

/// The hops as a numbered list, each with the field that allows it. The channel is named where hops have several.
fn hops(answer: &mut Answer<'_>, hops: &[HopView]) {
    let is_several = hops.iter().any(|hop| hop.to.channel != hops[0].to.channel);
    for (number, hop) in (1..).zip(hops) {
        let channel = hop.to.channel.as_ref().filter(|_| is_several);
        let channel = channel.map(|channel| format!(" in `{channel}`")).unwrap_or_default();
        let text = format!("{}{channel}: {}", hop.label, hop.because);
        answer.sentence(&format!("{number:3}. "), &text, Some(hop.place));
        if let Some(message) = &hop.deprecated {
            answer.sentence("     ", &format!("deprecated: {message}"), None);
        }
    }
}

// `opscope reach`

/// Prints where the updates of each version end in each channel. Returns whether OLM can order each channel and, with `--stuck`, whether
/// no version is stuck.
pub(crate) fn reach(arguments: &args::Reach, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.catalogs.opm.release()?;
    served::ask(arguments.catalogs.read(&arguments.first)?, arguments.format.into(), terminal, out, |served, out| {
        answer_reach(&Inputs::of(served, opm), arguments, terminal, out)
    })
}

fn answer_reach(
    inputs: &Inputs,
    arguments: &args::Reach,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let package = names::package_or_only(&inputs.workbench, arguments.catalogs.package(&arguments.first))?;
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
        AnswerFormat::Json => json::write(out, inputs, &report)?,
        format => {
            let mut answer = Answer::new(inputs);
            write_reach(&mut answer, &report.table, arguments.stuck);
            report.repairs.iter().for_each(|view| repairs(&mut answer, view));
            write_report(out, terminal, format.into(), &answer.into_report())?;
        }
    }
    // Whether a version is stuck is what `--stuck` asks.
    let is_bad = report.table.columns.iter().any(|column| column.problem.is_some())
        || arguments.stuck && !report.table.rows.is_empty();
    inputs.answer(!is_bad)
}

fn write_reach(answer: &mut Answer<'_>, view: &ReachView, stuck: bool) {
    let problems = view.columns.iter().filter_map(|column| Some((column, column.problem.as_ref()?)));
    for (column, problem) in problems {
        let text = format!("OLM cannot order channel `{}`: {problem}", column.channel);
        answer.line("✕ ", Paint::Bad, &text);
    }
    if view.rows.is_empty() {
        let text = if stuck { "No version is stuck." } else { "The package has no version." };
        return answer.line("", Paint::Plain, text);
    }
    let about = "Row: installed version. Column: subscribed channel with its head. Cell: number of hops to the head.";
    answer.line("", Paint::Dim, about);
    answer.blocks([Block::Table(table(view))]);
    if view.omitted > 0 {
        answer.line("", Paint::Dim, &format!("{} older versions not shown", view.omitted));
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

// `opscope graph`

/// The update graphs of packages.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Graphs {
    packages: Vec<PackageGraph>,
}

/// Prints the update graphs of a catalog's packages.
pub(crate) fn graph(arguments: &args::Graph, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let opm = arguments.opm.release()?;
    let read = served::read(&[(file_name(&arguments.path), arguments.path.clone())], arguments.openshift)?;
    let form = match arguments.format {
        GraphFormat::Json => Form::Json,
        GraphFormat::Mermaid => Form::Commented("%%"),
        GraphFormat::Dot => Form::Commented("//"),
    };
    served::ask(read, form, terminal, out, |served, out| {
        let is_of_set = served.which.is_some();
        answer_graph(&Inputs::of(served, opm), is_of_set, arguments, out)
    })
}

fn answer_graph(
    inputs: &Inputs,
    is_of_set: bool,
    arguments: &args::Graph,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let workbench = &inputs.workbench;
    let [catalog] = workbench.catalogs() else { return Ok(true) };
    let names = answers::package_names(workbench, catalog.id);
    names::check_packages(&arguments.packages, &names, is_of_set)?;
    let wanted = |name: &&str| arguments.packages.is_empty() || arguments.packages.iter().any(|wanted| wanted == name);
    let key = |package: &str| PackageKey { catalog: catalog.id, package: package.to_owned() };
    let packages: Vec<PackageKey> = names.into_iter().filter(wanted).map(key).collect();
    if packages.is_empty() {
        return Err(format!("`{}` has no package", shown_path(&arguments.path)).into());
    }
    if arguments.format == GraphFormat::Json {
        let packages = packages.iter().filter_map(|key| answers::package_graph(workbench, key)).collect();
        json::print(out, &Graphs { packages })?;
        return inputs.answer(true);
    }
    let format = match arguments.format {
        GraphFormat::Dot => views::GraphFormat::Dot,
        GraphFormat::Mermaid | GraphFormat::Json => views::GraphFormat::Mermaid,
    };
    for text in packages.iter().filter_map(|key| answers::graph_text(workbench, key, format)) {
        out.write_all(text.as_bytes()).map_err(written)?;
    }
    inputs.answer(true)
}
