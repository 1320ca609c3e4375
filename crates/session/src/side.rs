//! The two states that queries compare: a catalog as it is, or as it was before it was edited, and what is known of
//! their packages.

use crate::analysis::Analysis;
use crate::catalog_input::{CatalogInput, OpenedState};
use catalog::Catalog;
use cluster::{ClusterCatalog, Manifests};
use compare::{Compared, Levels, Settings, SettingsFault, State, V1Cluster};
use resolver::Listing;
use source::{FileId, LineIndex, Span};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use views::{FileKey, Place};

/// The comparison of two loaded catalogs.
pub type Comparison<'c> = compare::Comparison<'c, Side<'c>>;

/// One side of a comparison.
#[derive(Clone, Copy)]
pub struct Side<'c> {
    pub input: &'c CatalogInput,
    /// Whether it is compared as it was opened, before all edits.
    pub is_opened: bool,
}

impl<'c> Side<'c> {
    /// A catalog as it is.
    #[must_use]
    pub const fn present(input: &'c CatalogInput) -> Self {
        Self { input, is_opened: false }
    }

    /// A catalog as it was opened; the same if nothing was edited.
    #[must_use]
    pub const fn opened(input: &'c CatalogInput) -> Self {
        Self { input, is_opened: true }
    }

    /// The name of the catalog, and whether its edits count.
    #[must_use]
    pub fn name(self) -> String {
        match (self.is_opened, self.input.opened.is_some()) {
            (true, _) => format!("{} as opened", self.input.name),
            (false, true) => format!("{} with your edits", self.input.name),
            (false, false) => self.input.name.clone(),
        }
    }

    fn opened_state(self) -> Option<&'c OpenedState> {
        self.input.opened.as_deref().filter(|_| self.is_opened)
    }

    fn analysis(self) -> &'c Analysis {
        self.opened_state().map_or(&self.input.analysis, |opened| &opened.analysis)
    }

    /// What the catalog says.
    #[must_use]
    pub fn catalog(self) -> &'c Catalog {
        &self.analysis().catalog
    }

    fn why_rejected(self) -> Option<(&'c str, bool)> {
        match self.opened_state() {
            Some(opened) => opened.rejection.as_ref().map(|(text, is_unread)| (&**text, *is_unread)),
            None => self.input.why_rejected(),
        }
    }

    /// What `opm validate` prints, if it rejects the catalog.
    pub fn rejection(self) -> Option<&'c str> {
        self.why_rejected().map(|(text, _)| text)
    }

    /// Whether nothing can be said about the catalog: a part of its files was not read, a document cannot be read, or it has no
    /// package.
    #[must_use]
    pub fn is_unread(self) -> bool {
        let is_broken = self.why_rejected().is_some_and(|(_, is_unread)| is_unread);
        self.catalog().is_partial || self.catalog().packages.is_empty() || is_broken
    }

    /// Why nothing can be said about the catalog.
    #[must_use]
    pub fn why_unread(self) -> Option<String> {
        if !self.is_unread() {
            return None;
        }
        let unread = compare::Side::unread(self).into_iter().next();
        let rejected = || self.rejection().map(|text| format!("opm rejects the catalog: {text}"));
        Some(unread.or_else(rejected).unwrap_or_else(|| "it has no package".to_owned()))
    }

    /// The line and column of a span, in the text of this side.
    #[must_use]
    pub fn place(self, span: Span) -> Place {
        let file = self.input.file(FileKey(span.file.0)).filter(|file| self.is_opened && file.difference.is_some());
        let Some(file) = file else { return self.input.place(span) };
        let text = file.opened_text();
        let at = LineIndex::new(&text).position(&text, span.start);
        Place { file: file.key, start: span.start, end: span.end, line: at.line, column: at.column }
    }

    /// The text of a file on this side; none of an expanded template that was edited since, whose text is not kept.
    pub fn text(self, file: FileId) -> Option<Cow<'c, str>> {
        let file = self.input.file(FileKey(file.0))?;
        match self.opened_state() {
            Some(_) if file.expanded_from.is_some() => None,
            Some(_) => Some(file.opened_text()),
            None => Some(Cow::Borrowed(&file.text)),
        }
    }
}

impl<'c> compare::Side<'c> for Side<'c> {
    fn state(self) -> State<'c> {
        State { catalog: self.catalog(), rejected: self.rejection() }
    }

    /// Not of a text before edits.
    fn rejected_at(self) -> Option<String> {
        let found = self.input.rejection().filter(|_| self.opened_state().is_none())?;
        let place = self.input.place(found.span);
        Some(format!("{}:{}:{}", self.input.path(found.span), place.line, place.column))
    }

    fn at_fault(self) -> Option<BTreeSet<&'c str>> {
        let errors = self.analysis().findings.iter().filter(|found| found.diagnostic.opm.is_some());
        let packages = errors.map(|found| Some(found.subject.as_ref()?.package.as_str()));
        packages.collect::<Option<BTreeSet<_>>>().filter(|packages| !packages.is_empty())
    }

    fn is_accepted(self) -> bool {
        self.input.is_accepted()
    }

    fn is_unread(self) -> bool {
        self.is_unread()
    }

    fn unread(self) -> Vec<String> {
        let unread = self.analysis().unread();
        unread.map(|found| format!("{}: {}", self.input.path(found.span), found.message)).collect()
    }

    fn is_editable(self) -> bool {
        !self.is_opened
    }

    fn is_mirror(self) -> bool {
        self.input.mirrored.is_some()
    }

    fn mirrors(self, package: &str) -> bool {
        self.input.mirrored.as_ref().is_none_or(|mirrored| mirrored.has(package))
    }

    fn text(self, file: FileId) -> Option<Cow<'c, str>> {
        self.text(file)
    }

    /// Those of a text before edits are not kept.
    fn ignored(self) -> Vec<(&'c str, Span)> {
        let files = self.input.files.iter().filter(|_| self.opened_state().is_none());
        let comments = files.flat_map(|file| &file.ignore_comments);
        comments.filter_map(|comment| Some((&*comment.rule.as_ref().err()?.0, comment.covers))).collect()
    }

    fn listing(self) -> Arc<Listing> {
        self.analysis().listing()
    }

    fn cluster_catalog(self) -> ClusterCatalog {
        // A CatalogSource may have a priority beyond the range of a ClusterCatalog, which the migration of catalogs caps.
        let priority = self.input.priority.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        ClusterCatalog { priority, ..ClusterCatalog::new(self.input.name.as_str().into()) }
    }
}

// The two states that queries compare, with what is known of their packages.

/// The states, and the levels of the user.
pub struct ComparisonInput {
    pub compared: views::Compared,
    /// The user's levels, and what is wrong with them. The first query reads the text, so that a program that loads its code in
    /// parts need not have the reader before.
    levels: OnceCell<(Levels, Vec<String>)>,
    known: RefCell<Known>,
    /// The part of a cluster of OLM v1, if its ClusterCatalogs count.
    of_v1: Option<ExchangedV1>,
}

/// Which ClusterCatalog of the manifests serves the compared catalog, if one does.
struct ExchangedV1(Option<String>);

/// What is wrong in the text of levels, a line each as `line:column: message`.
#[must_use]
pub fn level_faults(text: &str) -> Vec<String> {
    fault_lines(&Levels::parse(text).err().unwrap_or_default())
}

/// The user's settings.
///
/// # Errors
/// What is wrong in the text, a line each as `line:column: message`.
pub fn settings(text: &str) -> Result<Settings, Vec<String>> {
    Settings::parse(text).map_err(|faults| fault_lines(&faults))
}

fn fault_lines(faults: &[SettingsFault]) -> Vec<String> {
    faults.iter().map(|fault| format!("{}:{}: {}", fault.line, fault.column, fault.message)).collect()
}

/// What was found of packages.
#[derive(Default)]
struct Known {
    /// The changes of the catalogs that it was computed after.
    changes: u64,
    /// By name; `None` for a new package that harms nobody.
    packages: Packages,
}

type Packages = BTreeMap<String, Option<Rc<Compared>>>;

impl ComparisonInput {
    /// A comparison after another one. What is known of the packages depends on the states and the runtime, not on levels.
    pub(crate) fn after(before: Option<Self>, compared: views::Compared) -> Self {
        let states = |of: &views::Compared| (of.before, of.after, of.runtime);
        let known = before.filter(|before| states(&before.compared) == states(&compared)).map(|before| before.known);
        Self { compared, levels: OnceCell::new(), known: known.unwrap_or_default(), of_v1: None }
    }

    /// Lets the ClusterCatalogs count, of which `exchanged` serves the compared catalog.
    pub(crate) fn exchange_v1(&mut self, exchanged: Option<String>) {
        self.of_v1 = Some(ExchangedV1(exchanged));
    }

    /// The cluster of OLM v1, if its ClusterCatalogs count.
    pub fn v1_cluster<'c>(&'c self, manifests: &'c Manifests) -> Option<V1Cluster<'c>> {
        let ExchangedV1(exchanged) = self.of_v1.as_ref()?;
        Some(V1Cluster { manifests, exchanged: exchanged.as_deref() })
    }

    /// The levels of the user.
    pub fn levels(&self) -> &Levels {
        &self.read_levels().0
    }

    /// What is wrong with the levels.
    pub fn level_faults(&self) -> &[String] {
        &self.read_levels().1
    }

    fn read_levels(&self) -> &(Levels, Vec<String>) {
        self.levels.get_or_init(|| {
            let text = &self.compared.levels;
            (Levels::parse(text).unwrap_or_default().on(&self.compared.day), level_faults(text))
        })
    }

    /// What is known of the packages after so many changes of the catalogs.
    pub fn known(&self, changes: u64) -> RefMut<'_, Packages> {
        let mut known = self.known.borrow_mut();
        if known.changes != changes {
            *known = Known { changes, packages: Packages::new() };
        }
        RefMut::map(known, |known| &mut known.packages)
    }
}
