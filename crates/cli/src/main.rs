//! `opscope`: the queries of the workbench on the command line.
//!
//! Exit codes: 0 for an answer that is not bad, 1 for one that is (invalid, refused, stuck, denied), 2 when there is no answer (what
//! cannot be read or is not known, a wrong argument), 141 when the reader closed the pipe.

mod archived;
mod args;
mod author;
mod board;
mod cluster;
mod compare;
mod crd;
mod explain;
mod explanation;
mod expression;
mod folder;
mod format;
mod generated;
mod git;
mod given;
mod image;
mod image_set;
mod json;
mod kubectl;
mod list;
mod migrate;
mod names;
mod open;
mod output;
mod parallel;
mod places;
mod plan;
mod reading;
mod render;
mod repair;
mod resolve;
mod review;
mod rewritten;
mod scene;
mod schema;
mod served;
mod set;
mod settings;
mod target;
mod updates;
mod validate;
mod why;

use args::{Arguments, Command};
use clap::FromArgMatches;
use output::{CLOSED_PIPE, Harmless, Output, say_failure, written};
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = args::command().get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    image::use_arguments(arguments.images);
    output::be_quiet(arguments.quiet);
    let terminal = output::of_stdout(arguments.color);
    let form = arguments.command.form(terminal.has_colour);
    let wants_json = arguments.command.wants_json();
    let mut out = Harmless::new(io::BufWriter::new(Output::new(io::stdout().lock())), form);
    let answer = match arguments.command {
        Command::Open(arguments) => open::run(&arguments, &mut out),
        Command::Validate(arguments) => validate::run(&arguments, terminal, &mut out),
        Command::Explain(arguments) => explain::run(&arguments, terminal, &mut out),
        Command::ExplainMessage(arguments) => explain::messages(&arguments, terminal, &mut out),
        Command::Cluster(arguments) => cluster::run(&arguments, terminal, &mut out),
        Command::Path(arguments) => updates::path(&arguments, terminal, &mut out),
        Command::Reach(arguments) => updates::reach(&arguments, terminal, &mut out),
        Command::Compare(arguments) => compare::run(&arguments, terminal, &mut out),
        Command::Review(arguments) => review::run(&arguments, terminal, &mut out),
        Command::Plan(arguments) => plan::run(&arguments, terminal, &mut out),
        Command::Set(arguments) => set::run(&arguments, terminal, &mut out),
        Command::Repair(arguments) => repair::run(&arguments, terminal, &mut out),
        Command::Release(arguments) => author::release(&arguments, terminal, &mut out),
        Command::Remove(arguments) => author::remove(&arguments, terminal, &mut out),
        Command::Deprecate(arguments) => author::deprecate(&arguments, terminal, &mut out),
        Command::Migrate(arguments) => migrate::run(&arguments, terminal, &mut out),
        Command::Range(arguments) => expression::range(&arguments, &mut out),
        Command::Cel(arguments) => expression::cel(&arguments, &mut out),
        Command::Crd(arguments) => crd::run(&arguments, terminal, &mut out),
        Command::Graph(arguments) => updates::graph(&arguments, terminal, &mut out),
        Command::List(arguments) => list::run(&arguments, terminal, &mut out),
        Command::Render(arguments) => render::run(&arguments, &mut out),
        Command::Template(arguments) => render::template(&arguments, &mut out),
        Command::Cache(arguments) => image::run_cache(&arguments, &mut out),
        Command::Completions(arguments) => generated::completions(&arguments, &mut out),
        Command::Man(arguments) => generated::man(&arguments, &mut out),
        Command::Schema(arguments) => schema::run(&arguments, &mut out),
    };
    let flushed = out.flush().map_err(written);
    if out.get_ref().get_ref().is_closed {
        return ExitCode::from(CLOSED_PIPE);
    }
    match answer.and_then(|yes| flushed.map(|()| yes)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            say_failure(&failure);
            if wants_json {
                // There is nobody to whom that could be said.
                _ = output::write_failure(&mut out, &failure);
            }
            ExitCode::from(2)
        }
    }
}
