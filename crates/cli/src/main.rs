//! `opscope`: the queries of the workbench on the command line.
//!
//! Exit codes: 0 for yes (valid, resolved), 1 for no (invalid, cannot be resolved), 2 when there is no answer (a file that
//! cannot be read, a wrong argument), 141 when the reader closed the pipe.

mod args;
mod cel;
mod explain;
mod folder;
mod graph;
mod jsonl;
mod output;
mod range;
mod resolve;
mod template;
mod validate;

use args::{Arguments, Command};
use clap::Parser;
use output::{CLOSED_PIPE, Output, write_json, written};
use std::io::{self, Write};
use std::process::ExitCode;

/// Why there is no answer; printed on standard error.
type Failure = String;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = io::BufWriter::new(Output::new(io::stdout().lock()));
    let answer = match arguments.command {
        Command::Validate(arguments) => validate::run(&arguments, &mut out),
        Command::Explain(arguments) => explain::run(&arguments, &mut out),
        Command::Resolve(arguments) => resolve::run(&arguments, &mut out),
        Command::Range(arguments) => range::run(&arguments, &mut out),
        Command::Cel(arguments) => cel::run(&arguments, &mut out),
        Command::Graph(arguments) => graph::run(&arguments, &mut out),
        Command::Template(arguments) => template::run(&arguments, &mut out),
    };
    let flushed = out.flush().map_err(written);
    if out.get_ref().is_closed {
        return ExitCode::from(CLOSED_PIPE);
    }
    match answer.and_then(|yes| flushed.map(|()| yes)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            drop(writeln!(io::stderr(), "opscope: {failure}"));
            ExitCode::from(2)
        }
    }
}
