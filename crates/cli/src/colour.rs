//! Whether what is printed has colours.

use std::io::{self, IsTerminal};

/// Colour is for terminals, and for pipes where `CLICOLOR_FORCE` asks for it (<https://bixense.com/clicolors/>); never where
/// `NO_COLOR` is set (<https://no-color.org>).
pub(crate) fn wanted() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    let dumb = set("TERM").is_some_and(|term| term == "dumb");
    let refused = set("CLICOLOR").is_some_and(|value| value == "0");
    set("CLICOLOR_FORCE").is_some_and(|value| value != "0") || (io::stdout().is_terminal() && !dumb && !refused)
}
