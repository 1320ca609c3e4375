//! `opscope completions` and `opscope man`: what clap generates from the arguments.

use crate::args::{self, Arguments};
use crate::names::did_you_mean;
use crate::output::{Failure, written};
use clap::CommandFactory;
use clap_mangen::Man;
use source::nearest;
use std::io::Write;

const NAME: &str = "opscope";

/// Prints a completion script.
pub(crate) fn completions(arguments: &args::Completions, out: &mut dyn Write) -> Result<bool, Failure> {
    // The generator panics when it cannot write, as into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), NAME, &mut script);
    out.write_all(&script).map_err(written)?;
    Ok(true)
}

/// Prints the manual page of `opscope`, or of one of its commands.
pub(crate) fn man(arguments: &args::Man, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut command = Arguments::command();
    command.build();
    let page = match &arguments.command {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            let names = command.get_subcommands().map(clap::Command::get_name);
            did_you_mean(&format!("there is no command `{name}`"), &nearest(name, names))
        })?,
    };
    Man::new(page).render(&mut &mut *out).map_err(written)?;
    Ok(true)
}
