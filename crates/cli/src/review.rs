//! `opscope review`

use crate::args::{Compare, Review};
use crate::format::CompareFormat;
use crate::git::Revision;
use crate::output::{Failure, say, write_report};
use crate::paths::shown_path;
use crate::{compare, set, validate};
use report::{Report, Terminal};
use std::io::Write;
use std::path::Path;

/// Prints what is wrong with a catalog, and what its change does. Returns whether `opm` accepts it and no difference is denied.
///
/// # Errors
/// When one of the two has no answer; what the other one found is printed before.
pub(crate) fn run(arguments: &Review, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.format == CompareFormat::Json {
        return Err("a review has no JSON; `validate` and `compare` have".into());
    }
    let (mut findings, validated) = validate::checked(&arguments.catalog, arguments.opm)?;
    let alone = |blocks, out: &mut dyn Write| {
        let title = "What is wrong with the catalog".to_owned();
        write_report(out, terminal, arguments.format, &Report { title, blocks, ..Report::default() }, &())
    };
    let Some(before) = arguments.before.as_deref().map(|path| known(path, &arguments.catalog)).transpose()?.flatten()
    else {
        alone(findings, out)?;
        return validated;
    };
    let mut printed = Vec::new();
    let (opm, format) = (arguments.opm, arguments.format);
    let compare = Compare {
        before: before.to_path_buf(),
        after: Some(arguments.catalog.clone()),
        levels: arguments.levels.clone(),
        deny: Some(arguments.deny),
        opm,
        format,
        ..Compare::default()
    };
    let (of_updates, is_bad) = set::checked(&arguments.catalog, before, opm.release()?)?;
    findings.splice(..0, of_updates);
    let compared = compare::run_with(&mut findings, &compare, terminal, &mut printed);
    if !findings.is_empty() {
        // There is no comparison that it could be a part of.
        alone(findings, out)?;
    }
    out.write_all(&printed).map_err(crate::output::written)?;
    match (validated, compared) {
        (Ok(is_valid), Ok(is_fine)) => Ok(is_valid && is_fine && !is_bad),
        (Err(one), Err(other)) => Err(Failure::of_lines([one.text(), other.text()])),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// The state before, unless it is a revision that does not have the path, which is there now: the catalog is new.
fn known<'p>(before: &'p Path, after: &Path) -> Result<Option<&'p Path>, Failure> {
    match Revision::of(before) {
        Some(revision) if !revision.is_there()? => {
            say(&format!("{} is not there, so `{}` is new", shown_path(before), shown_path(after)));
            Ok(None)
        }
        _ => Ok(Some(before)),
    }
}
