//! From the text of a template to a catalog.

use crate::kind::kind_meant;
use crate::{Expanded, Images, Kind, basic, semver};
use fbc::Value;
use source::{Diagnostic, FileId, Rule, Span, Spanned};

/// What a template expands to.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// Which kind of template it is, or was taken for.
    pub kind: Kind,
    /// What `opm` would do.
    pub verdict: Verdict,
    /// Everything that is wrong with the template or worth knowing, in the order in which `opm` would come to it. The
    /// `opm` of a finding is what `opm alpha render-template` prints when it is the first.
    pub diagnostics: Vec<Diagnostic>,
    /// The images that no loaded catalog has, each once, where the template first names it; an empty one where a template
    /// leaves an image out.
    pub missing: Vec<Spanned<Box<str>>>,
    /// The catalog, without what is missing or wrong; nothing when nothing is left of it. Only if the verdict is
    /// [`Verdict::Accepted`] is it what `opm` prints.
    pub catalog: Option<Expanded>,
}

/// What `opm alpha render-template` would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It prints a catalog, an empty one when the template stands for nothing.
    Accepted,
    /// It ends with an error: one of these, and which is up to the order of a Go map.
    Rejected(Vec<String>),
    /// It asks a registry first for what is missing here; what comes of it cannot be said.
    NeedsRegistry,
    /// Something that cannot be said here: the template or the catalog is too large.
    TooLarge,
}

/// No template that anyone wrote has a tenth of that, and what is read of a template is kept whole.
const MAX_TEXT: usize = 8 << 20;

/// Expands a template with the bundles of `images`. A text that is no template is taken for one with a wrong schema.
#[must_use]
pub fn expand(file: FileId, text: &str, images: &Images<'_>) -> Expansion {
    if text.len() > MAX_TEXT {
        return too_long(file, text);
    }
    match fbc::yaml_document(file, text) {
        Ok(document) => {
            let kind = match &document.node.value {
                Value::Mapping(entries) => kind_meant(entries),
                _ => Kind::Semver,
            };
            let end = document.end;
            let mut expansion = match kind {
                Kind::Semver => semver::expand(text, document, images),
                Kind::Basic => {
                    drop(document);
                    basic::expand(file, text, images)
                }
            };
            expansion.diagnostics.extend(lost_text(file, text, end as usize));
            expansion
        }
        // JSON that YAML does not take, with halves of characters in escapes say, is still read as JSON.
        Err(_) if text.contains(Kind::Basic.schema()) => basic::expand(file, text, images),
        Err(fault) => semver::broken(*fault),
    }
}

fn too_long(file: FileId, text: &str) -> Expansion {
    let kind = if text.contains(Kind::Basic.schema()) { Kind::Basic } else { Kind::Semver };
    let message = format!("the template has more than {} MiB and is not expanded", MAX_TEXT >> 20);
    let mut told = Told::default();
    told.give_up(Diagnostic::new(Rule::InvalidTemplate, Span::new(file, 0, 0), message));
    told.expansion(kind, Vec::new(), None)
}

/// Templates are one document; further ones are never read.
fn lost_text(file: FileId, text: &str, end: usize) -> Option<Diagnostic> {
    let mut at = end;
    for line in text.get(end..).unwrap_or_default().split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('#') && !matches!(content, "---" | "...") {
            let place = Span::new(file, at as u32, (at + line.trim_end().len()) as u32);
            let message = "a template is one document: opm ignores everything from here on";
            return Some(Diagnostic::new(Rule::LostText, place, message).with_help("make a template of its own of it"));
        }
        at += line.len();
    }
    None
}

/// What was found so far, and what `opm` would have done by then.
#[derive(Debug, Default)]
pub(crate) struct Told {
    diagnostics: Vec<Diagnostic>,
    /// How many findings were left out, and the place of the first of them.
    left_out: Option<(usize, Span)>,
    verdict: Option<Verdict>,
}

impl Told {
    /// So many findings are told. Nobody reads more, and a template can be nothing but mistakes.
    pub(crate) const MOST: usize = 1000;

    /// Something that `opm` has nothing to say about.
    pub(crate) fn note(&mut self, finding: Diagnostic) {
        if self.diagnostics.len() < Self::MOST {
            self.diagnostics.push(finding);
        } else {
            self.left_out.get_or_insert((0, finding.span)).0 += 1;
        }
    }

    /// An error of `opm`, whose line the finding carries.
    pub(crate) fn reject(&mut self, finding: Diagnostic) {
        let line = finding.opm.clone();
        self.reject_by_chance(vec![finding], line.into_iter().collect());
    }

    /// An error of `opm` of which it may print any of `lines`.
    pub(crate) fn reject_by_chance(&mut self, findings: Vec<Diagnostic>, lines: Vec<String>) {
        findings.into_iter().for_each(|finding| self.note(finding));
        self.verdict.get_or_insert(Verdict::Rejected(lines));
    }

    /// From here on `opm` depends on what a registry says.
    pub(crate) fn needs_registry(&mut self, finding: Diagnostic) {
        self.note(finding);
        self.verdict.get_or_insert(Verdict::NeedsRegistry);
    }

    /// Says that the catalog is too large.
    pub(crate) fn give_up(&mut self, finding: Diagnostic) {
        self.note(finding);
        self.verdict.get_or_insert(Verdict::TooLarge);
    }

    pub(crate) fn expansion(
        mut self,
        kind: Kind,
        missing: Vec<Spanned<Box<str>>>,
        catalog: Option<Expanded>,
    ) -> Expansion {
        if let Some((count, place)) = self.left_out {
            let message = format!("{count} further findings from here on are not listed");
            self.diagnostics.push(Diagnostic::new(Rule::InvalidTemplate, place, message));
        }
        let verdict = self.verdict.unwrap_or(Verdict::Accepted);
        Expansion { kind, verdict, diagnostics: self.diagnostics, missing, catalog }
    }
}
