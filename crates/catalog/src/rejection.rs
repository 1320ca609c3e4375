//! Which of the errors in a catalog `opm validate` prints.

use crate::ParsedFile;
use source::{Diagnostic, FileId, OpmStep};

/// The error that `opm validate` stops at, of findings in these files; where it tells several at once, the first of them.
/// `None` if it accepts the catalog.
///
/// It loads all files before it looks at any document, then goes through packages, channels, bundles and deprecations, each
/// in the order in which they stand, and judges the model last.
#[must_use]
pub fn rejection<'f>(
    files: &[(FileId, ParsedFile<'_>)],
    found: impl IntoIterator<Item = &'f Diagnostic>,
) -> Option<&'f Diagnostic> {
    let place = |finding: &Diagnostic| {
        let file = files.iter().position(|(id, _)| *id == finding.span.file);
        let by_doc = matches!(finding.opm_step.whole(), OpmStep::Channels | OpmStep::Bundles);
        let doc = file.filter(|_| by_doc).map(|file| {
            let docs = &files[file].1.parse.docs;
            docs.partition_point(|doc| doc.span.start <= finding.span.start)
        });
        (finding.opm_step.whole(), file, doc, finding.opm_step, finding.span)
    };
    let rejections = found.into_iter().filter(|finding| finding.opm.is_some());
    rejections.min_by_key(|finding| place(finding))
}
