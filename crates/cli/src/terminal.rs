//! What standard output is: whether it has colours, and how wide it is.

use crate::args::ColourChoice;
use report::Terminal;
use std::io::{self, IsTerminal};

/// The width where nobody says one, as in a pipe.
const WIDTH: usize = 100;
/// The smallest width that is kept; text that is broken more often cannot be read.
const NARROWEST: usize = 24;

/// Standard output, with or without colours.
pub(crate) fn of_stdout(colour: ColourChoice) -> Terminal {
    let has_colour = match colour {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => wants_colour(),
    };
    Terminal { has_colour, width: columns().unwrap_or(WIDTH).max(NARROWEST) }
}

/// Whether standard output has colours if no option says so: on terminals, and in pipes where `CLICOLOR_FORCE` asks for
/// them (<https://bixense.com/clicolors/>); never where `NO_COLOR` is set (<https://no-color.org>).
// `anstream`, which clap uses, takes `CLICOLOR_FORCE=0` for a yes.
fn wants_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    let is_dumb = set("TERM").is_some_and(|term| term == "dumb");
    let is_refused = set("CLICOLOR").is_some_and(|value| value == "0");
    set("CLICOLOR_FORCE").is_some_and(|value| value != "0") || (io::stdout().is_terminal() && !is_dumb && !is_refused)
}

/// The width that `COLUMNS` says, else that of the terminal.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    said.or_else(|| {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    })
}
