//! What `opm validate` says of a finding, and when. It prints the first error of a catalog, or several as one tree; the others it
//! would print after that was corrected.

use catalog::OpmPhase;
use session::CatalogInput;
use session::Finding;
use source::{Diagnostic, OpmVersion};

/// The error of a catalog that `opm validate` stops at, with the finding that shows it: its own, or the one that it follows from.
pub(super) struct Printed<'c> {
    first: Option<(&'c Diagnostic, usize)>,
}

impl<'c> Printed<'c> {
    pub(super) fn of(catalog: &'c CatalogInput) -> Self {
        let first = catalog.rejection().and_then(|error| {
            let own = catalog.analysis.findings.iter().find(|found| found.diagnostic == *error)?;
            Some((error, catalog.analysis.root(own).at))
        });
        Self { first }
    }

    /// What `opm` says, as notes of a finding, and whether it prints the line of the finding only after others were corrected.
    pub(super) fn notes(&self, found: &Finding) -> (Vec<String>, bool) {
        let Diagnostic { opm, opm_since, .. } = &found.diagnostic;
        let shown = self.first.filter(|(_, at)| *at == found.at).map(|(error, _)| error);
        let first = shown.and_then(|error| Some(said("says", error.opm_since, error.opm.as_ref()?)));
        let also = self.first.is_some_and(|(error, _)| is_printed_with(&found.diagnostic, error));
        let verb = match (opm, self.first) {
            (None, _) | (_, None) => None,
            // Of a consequence, the cause shows it.
            (_, Some((error, _))) if error.opm == *opm && (shown.is_some() || found.cause.is_some()) => None,
            _ if also => Some("also says"),
            _ => Some("would say next"),
        };
        let own = verb.zip(opm.as_ref()).map(|(verb, line)| said(verb, *opm_since, line));
        let newer = opm_since.filter(|_| opm.is_none()).map(|since| format!("opm validate rejects it since {since}"));
        (first.into_iter().chain(own).chain(newer).collect(), verb == Some("would say next"))
    }
}

fn said(verb: &str, since: Option<OpmVersion>, line: &str) -> String {
    let since = since.map_or(String::new(), |since| format!(" (since {since})"));
    format!("opm validate {verb}{since}: {line}")
}

/// Whether `opm` prints an error together with the first one: it is in the same tree, or the same line.
fn is_printed_with(found: &Diagnostic, first: &Diagnostic) -> bool {
    let is_of_model = |error: &Diagnostic| error.opm_rank == u8::from(OpmPhase::Model);
    found.opm == first.opm || is_of_model(found) && is_of_model(first)
}
