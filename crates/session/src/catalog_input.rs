//! A catalog among the inputs, and how spans of its files become places and excerpts.

use crate::Workbench;
use crate::analysis::Analysis;
use crate::file::{FileInput, Files};
use crate::root_causes::CheckedPackages;
use crate::templates::BundleTree;
use catalog::predicate::PackageName;
use catalog::{OpmPhase, Package, ParsedFile};
use report::{Places, Spot};
use source::{Diagnostic, FileId, OpenShift, OpmVersion, Rule, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use views::{BundleRules, CatalogId, Excerpt, FileKey, Place, SetId, StuckView};

/// The namespace of a catalog until the user sets another: the global catalog namespace of upstream OLM.
pub const DEFAULT_NAMESPACE: &str = "olm";

/// The number of lines that an excerpt shows.
const EXCERPT_LINES: usize = 40;
/// The number of characters that an excerpt shows of each line.
const EXCERPT_WIDTH: usize = 400;
/// An unbroken run of this many letters and digits is data in base64, such as an icon, and not for reading. The digest of
/// an image has 64.
const DATA: usize = 72;
/// The number of characters that are shown of such a run.
const DATA_SHOWN: usize = 12;

/// A catalog: a CatalogSource and the files that it serves.
pub struct CatalogInput {
    /// The id; never reused.
    pub id: CatalogId,
    /// Whether it is only compared with others: no cluster has it.
    pub is_baseline: bool,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i64,
    /// In the order that `opm` walks them.
    pub files: Files,
    /// The model and findings of all files together.
    pub analysis: Analysis,
    /// The packages that it has of the catalog that it is a mirror of; absent if it is no mirror.
    pub mirrored: Option<MirroredPackages>,
    /// What it is made of, if it is a folder of bundle directories.
    pub bundle_tree: Option<BundleTree>,
    /// The mode that was chosen for it; `None` for the one that its `ci.yaml` names.
    pub(crate) bundle_rules: Option<BundleRules>,
    /// The catalog that is served, if this is the template that it is made of.
    pub(crate) served: Option<CatalogId>,
    /// The member of a set that it is.
    pub(crate) member: Option<(SetId, OpenShift)>,
    /// What is found in its packages by themselves, by the last analysis.
    pub(crate) checked: CheckedPackages,
    /// The stuck versions of its packages, as far as they were asked for.
    pub stuck: StuckPackages,
    /// The state before the first edit; absent if there was none.
    pub(crate) opened: Option<Box<OpenedState>>,
}

/// What a catalog was before it was edited.
pub(crate) struct OpenedState {
    pub(crate) analysis: Analysis,
    /// The error that `opm validate` stopped at, and whether it is about a document that cannot be read.
    pub(crate) rejection: Option<(Box<str>, bool)>,
}

/// The stuck versions of packages, by name, under OLM v0 and under OLM v1, as far as they were asked for. An edit changes few
/// packages, and OLM v1 chooses anew for each version.
#[derive(Default)]
pub struct StuckPackages(RefCell<BTreeMap<PackageName, (Arc<Package>, Stuck)>>);

/// The stuck versions of a package under each of the two; `None` if there are none.
type Stuck = [Option<StuckView>; 2];

impl StuckPackages {
    /// Those of a package, found only if the package has changed.
    pub fn get_or_find(&self, package: &Arc<Package>, find: impl FnOnce() -> Stuck) -> Stuck {
        let mut known = self.0.borrow_mut();
        if let Some((_, stuck)) = known.get(&package.name).filter(|(of, _)| Arc::ptr_eq(of, package)) {
            return stuck.clone();
        }
        let stuck = find();
        // Packages that are gone are not kept for this alone.
        known.retain(|_, (of, _)| Arc::strong_count(of) > 1);
        known.insert(package.name.clone(), (Arc::clone(package), stuck.clone()));
        stuck
    }
}

/// The packages that a mirror has on purpose; all if it is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirroredPackages(pub Option<BTreeSet<String>>);

impl MirroredPackages {
    /// Whether the configuration asks for a package.
    pub(crate) fn has(&self, package: &str) -> bool {
        self.0.as_ref().is_none_or(|packages| packages.contains(package))
    }
}

/// The line of an error of `opm`, and whether it is about a document that cannot be read.
fn why(found: &Diagnostic) -> Option<(&str, bool)> {
    Some((found.opm.as_deref()?, found.opm_rank == u8::from(OpmPhase::Load)))
}

impl CatalogInput {
    /// A catalog of these files, which are not analysed yet.
    #[must_use]
    pub fn new(id: CatalogId, name: String, files: Files) -> Self {
        Self {
            id,
            is_baseline: false,
            name,
            namespace: DEFAULT_NAMESPACE.to_owned(),
            priority: 0,
            files,
            analysis: Analysis::default(),
            mirrored: None,
            bundle_tree: None,
            bundle_rules: None,
            served: None,
            member: None,
            checked: CheckedPackages::default(),
            stuck: StuckPackages::default(),
            opened: None,
        }
    }

    /// A file of the catalog.
    #[must_use]
    pub fn file(&self, key: FileKey) -> Option<&FileInput> {
        self.files.get(key)
    }

    /// The set that it is a member of.
    #[must_use]
    pub fn member_of(&self) -> Option<SetId> {
        self.member.map(|(set, _)| set)
    }

    /// Whether `opm validate` accepts what was read of the catalog ([`Analysis::unread`]): no finding stands for an error of
    /// `opm`.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.analysis.findings.iter().all(|found| found.diagnostic.opm.is_none())
    }

    /// Keeps the present state as the one that was opened, if the files are still as they were opened. Its analysis is
    /// moved there, so the catalog has to be analysed again.
    pub(crate) fn keep_opened(&mut self) {
        if self.files.iter().all(|file| file.difference.is_none()) {
            let rejection = self.why_rejected().map(|(text, is_unread)| (text.into(), is_unread));
            self.opened = Some(Box::new(OpenedState { analysis: std::mem::take(&mut self.analysis), rejection }));
        }
    }

    /// The version of OpenShift that it is for, by its name: `4.18`, or `v4.18`.
    #[must_use]
    pub fn openshift(&self) -> Option<OpenShift> {
        self.name.parse().ok()
    }

    /// Judges the catalog as a release of `opm`, and the state that was opened.
    pub(crate) fn judge_as(&mut self, opm: OpmVersion) {
        self.analysis.judge_as(opm);
        // What is checked of the catalogs of a cluster together follows.
        if self.is_baseline {
            self.analysis.set_findings(&self.files, Vec::new());
        }
        if let Some(opened) = &mut self.opened {
            opened.analysis.judge_as(opm);
            // Its files are not parsed any more, so of errors in several files the order is not known.
            let rejection = catalog::rejection(&[], opened.analysis.errors()).and_then(why);
            opened.rejection = rejection.map(|(text, is_unread)| (text.into(), is_unread));
        }
    }

    /// The error that `opm validate` stops at, and whether it is about a document that cannot be read, so that the model is
    /// not what the author wrote.
    pub fn why_rejected(&self) -> Option<(&str, bool)> {
        self.rejection().and_then(why)
    }

    /// The error that `opm validate` stops at, or prints first; `None` if it accepts the catalog.
    #[must_use]
    pub fn rejection(&self) -> Option<&Diagnostic> {
        let files: Vec<_> = (self.files.iter())
            .map(|file| (FileId(file.key.0), ParsedFile { text: &file.text, parse: file.served() }))
            .collect();
        catalog::rejection(&files, self.analysis.findings.iter().map(|found| &found.diagnostic))
    }

    /// The whole text that `opm validate` prints; `None` if it accepts the catalog.
    #[must_use]
    pub fn rejection_text(&self) -> Option<String> {
        catalog::rejection_text(&self.analysis.catalog, self.rejection()?)
    }

    /// Whether it is a template with images that only a registry has.
    #[must_use]
    pub fn needs_registry(&self) -> bool {
        let mut findings = self.files.iter().flat_map(FileInput::diagnostics);
        self.bundle_tree.is_none() && findings.any(|found| found.rule == Rule::NeedsRegistry)
    }

    /// Where the author wrote what a span has: of the expansion of a template, the entry in the template.
    fn written(&self, span: Span) -> Span {
        let of_template = || {
            let file = self.file(FileKey(span.file.0))?;
            let template = self.file(file.expanded_from?)?;
            file.origins.written(span, &file.text, |_| Some(&template.text))
        };
        of_template().unwrap_or(span)
    }

    /// The line and column of a span, of the expansion of a template in the template. A span in a file that is gone is at
    /// line 1, column 1.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let span = self.written(span);
        let key = FileKey(span.file.0);
        let (line, column) = self.file(key).map_or((1, 1), |file| {
            let position = file.lines.position(&file.text, span.start);
            (position.line, position.column)
        });
        Place { file: key, start: span.start, end: span.end, line, column }
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(FileKey(span.file.0)).map_or("", |file| span.slice(&file.text))
    }

    /// The path of the file that a span is in; of the expansion of a template that of the template.
    #[must_use]
    pub fn path(&self, span: Span) -> String {
        let span = self.written(span);
        self.file(FileKey(span.file.0)).map(|file| file.path.clone()).unwrap_or_default()
    }

    /// The first lines of a span, from the beginning of its first line.
    pub fn excerpt(&self, span: Span) -> Option<Excerpt> {
        let file = self.file(FileKey(span.file.0))?;
        let before = file.text.get(..span.start as usize)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let text = file.text.get(start..span.end as usize)?.trim_end();
        let shown: Vec<String> = text.lines().take(EXCERPT_LINES).map(excerpt_line).collect();
        let more = text.lines().count() - shown.len();
        let first_line = file.lines.position(&file.text, start as u32).line;
        Some(Excerpt { first_line, text: shown.join("\n"), more: more as u32, place: self.place(span) })
    }
}

/// A line of an excerpt: data in base64 is cut, and so is a line of excessive length.
fn excerpt_line(line: &str) -> String {
    let is_data = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut shown = String::new();
    for part in line.split_inclusive(|c: char| !is_data(c)) {
        let (run, rest) = part.split_at(part.trim_end_matches(|c: char| !is_data(c)).len());
        match run.len() {
            long @ DATA.. => shown += &format!("{}… ({} more characters)", &run[..DATA_SHOWN], long - DATA_SHOWN),
            _ => shown += run,
        }
        shown += rest;
    }
    shown.chars().take(EXCERPT_WIDTH).collect()
}

// The list of catalogs. It counts its changes, so that what is computed from several of them is known to be out of
// date.

/// The catalogs of the cluster, then the baselines; each in the order they were added.
#[derive(Default)]
pub(crate) struct CatalogList {
    catalogs: Vec<CatalogInput>,
    changes: u64,
}

impl CatalogList {
    /// How often the list or one of its catalogs may have changed.
    pub(crate) const fn changes(&self) -> u64 {
        self.changes
    }
}

impl Deref for CatalogList {
    type Target = Vec<CatalogInput>;

    fn deref(&self) -> &Vec<CatalogInput> {
        &self.catalogs
    }
}

impl DerefMut for CatalogList {
    // Nobody can change a catalog without this, so no change is missed.
    fn deref_mut(&mut self) -> &mut Vec<CatalogInput> {
        self.changes += 1;
        &mut self.catalogs
    }
}

// Where places are, with the paths of files in their catalogs.

impl Places for Workbench {
    fn spot(&self, place: Place) -> Option<Spot> {
        let (_, file) = self.file(place.file)?;
        Some(Spot { path: file.path.clone(), ..self.spot_without_path(place) })
    }
}

impl Workbench {
    /// A place from its first to its last character, in a file whose path the caller knows.
    #[must_use]
    pub fn spot_without_path(&self, place: Place) -> Spot {
        let start = (place.line, place.column);
        let found = self.file(place.file).map(|(_, file)| file.lines.position(&file.text, place.end));
        let end = found.map_or(start, |end| (end.line, end.column));
        Spot { start, end, ..Spot::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt_line;

    #[test]
    fn an_excerpt_shows_little_of_an_icon() {
        let icon = "iVBORw0KGgoAAAANSUhEUg/+".repeat(40);
        let shown = "  base64data: iVBORw0KGgoA… (948 more characters)";
        assert_eq!(excerpt_line(&format!("  base64data: {icon}")), shown);
        assert_eq!(
            excerpt_line(&format!("{{\"base64data\":\"{icon}\",\"mediatype\":\"x\"}}")),
            "{\"base64data\":\"iVBORw0KGgoA… (948 more characters)\",\"mediatype\":\"x\"}"
        );
        let image = format!("image: quay.io/é/operator@sha256:{}", "0a".repeat(32));
        assert_eq!(excerpt_line(&image), image);
        assert_eq!(excerpt_line(&"é ".repeat(400)).chars().count(), 400);
    }
}
