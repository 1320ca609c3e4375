//! `opscope completions` and `opscope man`: what is generated from the arguments.

use crate::args;
use crate::names::did_you_mean;
use crate::output::{Failure, written};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use source::nearest;
use std::io::{self, Write};

const NAME: &str = "opscope";

/// Prints a completion script.
pub(crate) fn completions(arguments: &args::Completions, out: &mut dyn Write) -> Result<bool, Failure> {
    // The generator panics when it cannot write, as into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::command(), NAME, &mut script);
    out.write_all(&script).map_err(written)?;
    Ok(true)
}

/// Prints the manual page of `opscope`, or of one of its commands.
pub(crate) fn man(arguments: &args::Man, out: &mut dyn Write) -> Result<bool, Failure> {
    let command = args::command();
    let page = match &arguments.command {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            let names = command.get_subcommands().map(clap::Command::get_name);
            did_you_mean(&format!("there is no command `{name}`"), &nearest(name, names))
        })?,
    };
    write_page(page, out).map_err(written)?;
    Ok(true)
}

/// What each exit code means.
const EXIT_STATUS: [(&str, &str); 3] = [
    ("0", "The question is answered, and nothing is bad: what waits for you, or continues on its own, is not."),
    ("1", "The question is answered, and it is bad: invalid, refused, stuck, or what --deny names."),
    ("2", "There is no answer: something cannot be read or is not known, or an argument is wrong."),
];

const FILES: [(&str, &str); 2] = [
    (
        ".opscope.yaml",
        "Settings of a repository, in its root: who judges, which findings are accepted, levels of rules.",
    ),
    ("auth.json, config.json", "Logins of registries, where podman and docker keep them."),
];

const ENVIRONMENT: [(&str, &str); 5] = [
    ("KUBECONFIG", "The configuration of kubectl."),
    ("NO_COLOR", "No colours."),
    ("CLICOLOR_FORCE", "Colours in a pipe, too."),
    ("COLUMNS", "The width of a line."),
    ("REGISTRY_AUTH_FILE, DOCKER_CONFIG", "Where logins of registries are."),
];

/// The page of a command, with the sections that people expect of one.
fn write_page(mut page: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let examples = page.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples: Vec<&str> = examples.lines().filter_map(|line| line.strip_prefix("  opscope ")).collect();
    let examples: Vec<(String, &str)> = examples.iter().map(|line| (format!("opscope {line}"), "")).collect();
    let is_whole = page.get_name() == NAME;
    if !is_whole {
        page = page.after_help("").after_long_help("");
    }
    let man = Man::new(page);
    let out: &mut &mut dyn Write = &mut &mut *out;
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if is_whole {
        man.render_subcommands_section(out)?;
    }
    let examples: Vec<(&str, &str)> = examples.iter().map(|(line, text)| (&**line, *text)).collect();
    let mut sections = Roff::new();
    section(&mut sections, "EXAMPLES", &examples);
    section(&mut sections, "EXIT STATUS", &EXIT_STATUS);
    section(&mut sections, "FILES", &FILES);
    section(&mut sections, "ENVIRONMENT", &ENVIRONMENT);
    sections.to_writer(out)?;
    if is_whole { man.render_version_section(out) } else { Ok(()) }
}

/// A section with a term and a text in each row; nothing if there is none.
fn section(page: &mut Roff, title: &str, rows: &[(&str, &str)]) {
    if !rows.is_empty() {
        page.control("SH", [title]);
    }
    for (term, text) in rows {
        page.control("TP", []);
        page.text([bold(*term)]);
        page.text([roman(*text)]);
    }
}
