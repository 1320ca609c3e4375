//! The analysis of one catalog: its model and its findings.

use crate::file::FileInput;
use crate::root_causes::{CheckedPackages, causes};
use crate::stray_files;
use catalog::predicate::PackageName;
use catalog::{
    Bundle, BundleName, Catalog, Channel, ChannelName, Package, ParsedFile, is_about_unread, judge, retain_certain,
};
use compare::rule_ids;
use lint::{IgnoreComment, Input, ParsedFiles};
use openshift::sets::check_for;
use resolver::Listing;
use source::{Diagnostic, Executor, FileId, OpenShift, OpmVersion, Rule, Severity, Span};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use views::Counts;

/// The model of a catalog and all findings about it.
#[derive(Default)]
pub struct Analysis {
    /// The model.
    pub catalog: Catalog,
    /// Worst first, then in the order of the files. Includes those of rules that the user switched off.
    pub findings: Vec<Finding>,
    /// The rules that the user switched off.
    disabled: Rc<BTreeSet<Rule>>,
    /// The findings that depend on this catalog alone, of all releases of `opm` and with those that a comment switches off. They
    /// are kept apart, so that a change of another catalog costs only the checks that depend on all catalogs.
    own: Vec<Diagnostic>,
    /// The findings that comments switch off.
    ignored: Vec<IgnoreComment>,
    /// The index that resolutions look bundles up in, made by the first one.
    listing: OnceCell<Arc<Listing>>,
}

/// A finding and its subject.
pub struct Finding {
    pub diagnostic: Diagnostic,
    /// What it is about; `None` for a file as a whole.
    pub subject: Option<FindingSubject>,
    /// Its index among the findings of the catalog.
    pub at: usize,
    /// The index of the finding that it follows from; that one follows from none.
    pub cause: Option<usize>,
    /// The worst severity of it and of what follows from it.
    pub worst: Severity,
}

impl Analysis {
    /// Makes the model of the files and runs the checks that depend on them alone and, if it is given, on the version of OpenShift
    /// that the catalog is for. `checked` is what the last analysis of the catalog checked. [`Analysis::set_findings`] completes it.
    pub(crate) fn of(
        files: &[FileInput],
        checked: &mut CheckedPackages,
        (opm, openshift): (OpmVersion, Option<OpenShift>),
        executor: Executor,
    ) -> Self {
        let parsed = parsed(files);
        let (mut catalog, mut own) = catalog::lower_with(&parsed, executor);
        catalog.opm = opm;
        mark_unknown(&mut catalog, files);
        own.extend(stray_files::attach(&mut catalog, files));
        own.extend(files.iter().flat_map(|file| file.diagnostics().cloned()));
        let changed = files.iter().filter(|file| file.is_changed).map(|file| FileId(file.key.0)).collect();
        own.extend(checked.check(&mut catalog, &parsed, &changed, executor));
        own.extend(lint::check_together(Input { catalog: &catalog, files: &parsed }, executor));
        if let Some(version) = openshift {
            let made = files.iter().filter(|file| file.expanded_from.is_some()).map(|file| FileId(file.key.0));
            let made: BTreeSet<FileId> = made.collect();
            let files: Vec<_> = files.iter().map(|file| (FileId(file.key.0), &*file.text, file.served())).collect();
            own.extend(check_for(version, &files, &|id| made.contains(&id)));
        }
        retain_certain(&catalog, &parsed, &mut own);
        let ignored = files.iter().flat_map(|file| file.ignore_comments.iter().cloned()).collect();
        Self { catalog, own, ignored, ..Self::default() }
    }

    /// The model alone, without findings: for a catalog that is still being loaded.
    pub fn without_checks(files: &[FileInput]) -> Self {
        let (mut catalog, _) = catalog::lower(&parsed(files));
        mark_unknown(&mut catalog, files);
        Self { catalog, ..Self::default() }
    }

    /// The model with its files, for checks.
    pub(crate) fn input<'a>(&'a self, files: &'a ParsedFiles<'a>) -> Input<'a> {
        Input { catalog: &self.catalog, files }
    }

    /// Judges as a release of `opm`. [`Analysis::set_findings`] completes it.
    pub(crate) const fn judge_as(&mut self, opm: OpmVersion) {
        self.catalog.opm = opm;
    }

    /// The errors of this catalog alone that the release of `opm` prints.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.own.iter().filter(|found| found.is_printed_by(self.catalog.opm))
    }

    /// Sets the findings: those of this catalog alone and those of the checks of all catalogs `together`, without those that
    /// comments switch off. Comments are applied last because they may be about either.
    pub(crate) fn set_findings(&mut self, files: &[FileInput], together: Vec<Diagnostic>) {
        let mut all: Vec<Diagnostic> = self.own.iter().cloned().chain(together).collect();
        judge(self.catalog.opm, &mut all);
        let compared: Vec<&'static str> = rule_ids().collect();
        let mut diagnostics = lint::apply_ignore_comments(&self.ignored, all, &compared);
        let order: BTreeMap<u32, usize> = files.iter().enumerate().map(|(at, file)| (file.key.0, at)).collect();
        diagnostics.sort_by_cached_key(|diagnostic| {
            (
                diagnostic.severity,
                order.get(&diagnostic.span.file.0),
                diagnostic.span,
                diagnostic.rule,
                diagnostic.message.clone(),
            )
        });
        let places = DocumentIndex::of(&self.catalog);
        count_unknown_fields(&mut diagnostics, |span| Some(places.subject(&self.catalog, span)?.package));
        // A package that cannot be built has no list of findings.
        let is_listed = |subject: &&FindingSubject| self.catalog.package(subject.package.as_str()).is_some();
        let of_bundle = files.iter().filter_map(|file| Some((file.key.0, file.of_bundle.as_ref().filter(is_listed)?)));
        let of_bundle: BTreeMap<u32, &FindingSubject> = of_bundle.collect();
        let causes = causes(files, &diagnostics);
        let mut worst: Vec<Severity> = diagnostics.iter().map(|diagnostic| diagnostic.severity).collect();
        for (diagnostic, cause) in diagnostics.iter().zip(&causes) {
            cause.iter().for_each(|&cause| worst[cause] = worst[cause].min(diagnostic.severity));
        }
        let found = |(at, diagnostic): (usize, Diagnostic)| {
            let file = diagnostic.span.file.0;
            let of_bundle = || of_bundle.get(&file).map(|&subject| subject.clone());
            let subject = places.subject(&self.catalog, diagnostic.span).or_else(of_bundle);
            Finding { diagnostic, subject, at, cause: causes[at], worst: worst[at] }
        };
        self.findings = diagnostics.into_iter().enumerate().map(found).collect();
    }

    /// The findings about what was not read although `opm` may read it: a file that cannot be opened, a symbolic link out of
    /// the folder, or a document that would take too much memory.
    pub fn unread(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().map(|found| &found.diagnostic).filter(|found| is_about_unread(found))
    }

    /// The index that resolutions look bundles up in.
    pub fn listing(&self) -> Arc<Listing> {
        Arc::clone(self.listing.get_or_init(|| Arc::new(Listing::of(&self.catalog))))
    }

    /// Hides the findings of these rules.
    pub(crate) fn disable_rules(&mut self, rules: &Rc<BTreeSet<Rule>>) {
        self.disabled = Rc::clone(rules);
    }

    /// Whether findings of the rule are hidden.
    fn is_disabled(&self, rule: Rule) -> bool {
        self.disabled.contains(&rule)
    }

    /// The findings that are shown. Errors of `opm` always are: it rejects the catalog whatever the user switched off here.
    pub fn shown(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|found| self.is_shown(found))
    }

    fn is_shown(&self, found: &Finding) -> bool {
        found.diagnostic.opm.is_some() || !self.is_disabled(found.diagnostic.rule)
    }

    /// The shown finding that this one follows from, or this one itself.
    pub fn root<'b>(&'b self, found: &'b Finding) -> &'b Finding {
        found.cause.map(|at| &self.findings[at]).filter(|cause| self.is_shown(cause)).unwrap_or(found)
    }

    /// The causes of the shown findings for which `is_meant` returns true, each once.
    pub fn roots<'b>(&'b self, is_meant: impl Fn(&'b Finding) -> bool) -> Vec<&'b Finding> {
        let roots = self.shown().filter(|found| is_meant(found)).map(|found| self.root(found).at);
        let roots: BTreeSet<usize> = roots.collect();
        roots.into_iter().map(|at| &self.findings[at]).collect()
    }

    /// The shown findings that follow from this one.
    pub fn consequences<'b>(&'b self, of: &'b Finding) -> impl Iterator<Item = &'b Finding> {
        self.shown().filter(move |found| found.at != of.at && self.root(found).at == of.at)
    }

    /// The number of causes of each severity.
    pub fn counts(&self) -> Counts {
        counted(self.roots(|_| true))
    }

    /// The number of these findings of each severity.
    pub fn counted(&self, findings: &BTreeSet<usize>) -> Counts {
        counted(findings.iter().map(|&at| &self.findings[at]))
    }

    /// The indices of the causes of the shown findings of each key. Findings for which `key` returns `None` are left out.
    pub fn roots_by<'b, K: Ord>(&'b self, key: impl Fn(&'b Finding) -> Option<K>) -> BTreeMap<K, BTreeSet<usize>> {
        let mut roots: BTreeMap<K, BTreeSet<usize>> = BTreeMap::new();
        for found in self.shown() {
            if let Some(key) = key(found) {
                roots.entry(key).or_default().insert(self.root(found).at);
            }
        }
        roots
    }
}

/// Leaves the first of the unknown fields with the same name in a package, with the number of the others. Those that are probably
/// misspelt stay, each with its fix.
fn count_unknown_fields(diagnostics: &mut Vec<Diagnostic>, package_at: impl Fn(Span) -> Option<PackageName>) {
    let key = |found: &Diagnostic| {
        let is_counted = found.rule == Rule::UnknownField && found.fixes.is_empty();
        is_counted.then(|| Some((package_at(found.span)?, found.message.clone()))).flatten()
    };
    let mut others: BTreeMap<(PackageName, String), usize> = BTreeMap::new();
    diagnostics.retain(|found| {
        let Some(key) = key(found) else { return true };
        let is_known = others.contains_key(&key);
        *others.entry(key).or_default() += usize::from(is_known);
        !is_known
    });
    for found in diagnostics {
        if let Some(count) = key(found).and_then(|key| others.get(&key).copied()).filter(|count| *count > 0) {
            // The message is the same in the catalogs for other versions of OpenShift, whatever the number.
            let help = found.help.take().map(|help| help + "; ").unwrap_or_default();
            found.help = Some(format!("{help}the same is true of {count} more in the package"));
        }
    }
}

/// Marks the catalog as partial if a part of the files was not read, and its packages if a template among them has images that
/// no loaded catalog has, which may be bundles of any of them.
fn mark_unknown(catalog: &mut Catalog, files: &[FileInput]) {
    let only_images: BTreeSet<&str> = files.iter().flat_map(|file| &file.only_images).map(|image| &**image).collect();
    let is_only_image =
        |bundle: &Bundle| bundle.image.as_ref().is_some_and(|image| only_images.contains(&*image.value));
    for package in catalog.packages.iter_mut().filter(|package| package.bundles.iter().any(is_only_image)) {
        let bundles = Arc::make_mut(package).bundles.iter_mut();
        bundles.for_each(|bundle| bundle.has_unknown_contents = is_only_image(bundle));
    }
    if files.iter().any(FileInput::is_unread) {
        catalog.set_partial();
    } else if files.iter().any(|file| file.has_unknown_images) {
        catalog.packages.iter_mut().for_each(|package| Arc::make_mut(package).has_unknown_bundles = true);
    }
}

/// The files as the checks take them.
pub fn parsed(files: &[FileInput]) -> ParsedFiles<'_> {
    let parsed = files.iter().map(|file| ParsedFile { text: &file.text, parse: file.served() });
    parsed.collect::<Vec<_>>().into()
}

/// The number of findings of each severity; each counts as the worst that follows from it.
pub fn counted<'b>(findings: impl IntoIterator<Item = &'b Finding>) -> Counts {
    let mut counts = Counts::default();
    for found in findings {
        match found.worst {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Hint => counts.hints += 1,
        }
    }
    counts
}

// Finds the document, and the entry in it, that a span of the text belongs to.

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingSubject {
    pub package: PackageName,
    pub channel: Option<ChannelName>,
    pub entry: Option<BundleName>,
}

/// The documents of a catalog, sorted by their spans.
pub struct DocumentIndex {
    docs: Vec<(Span, u32, Doc)>,
}

#[derive(Clone, Copy)]
enum Doc {
    Package,
    Channel(u32),
    Bundle(u32),
}

impl DocumentIndex {
    /// The documents of a catalog.
    pub fn of(catalog: &Catalog) -> Self {
        let mut docs = Vec::new();
        for (at, package) in (0..).zip(&catalog.packages) {
            docs.extend(package.declared.map(|span| (span, at, Doc::Package)));
            docs.extend(package.deprecations.iter().map(|deprecation| (deprecation.span, at, Doc::Package)));
            docs.extend((0..).zip(&package.channels).map(|(index, channel)| (channel.span, at, Doc::Channel(index))));
            docs.extend((0..).zip(&package.bundles).map(|(index, bundle)| (bundle.span, at, Doc::Bundle(index))));
        }
        docs.sort_by_key(|(span, ..)| *span);
        Self { docs }
    }

    /// The package, channel and entry at `span`. `catalog` must be the one that the index was made of.
    pub fn subject(&self, catalog: &Catalog, span: Span) -> Option<FindingSubject> {
        let before = self.docs.partition_point(|(doc, ..)| (doc.file, doc.start) <= (span.file, span.start));
        let &(doc_span, package, doc) = self.docs[..before].last()?;
        if !doc_span.contains(span) {
            return None;
        }
        let package = &catalog.packages[package as usize];
        Some(match doc {
            Doc::Package => FindingSubject { package: package.name.clone(), channel: None, entry: None },
            Doc::Channel(index) => in_channel(package, &package.channels[index as usize], span),
            Doc::Bundle(index) => {
                let name = package.bundles[index as usize].name.value.clone();
                FindingSubject { package: package.name.clone(), channel: None, entry: Some(name) }
            }
        })
    }
}

fn in_channel(package: &Package, channel: &Channel, span: Span) -> FindingSubject {
    // Entries are sorted by their spans, except those that are YAML aliases.
    let before = channel.entries.partition_point(|entry| entry.span.start <= span.start);
    let entry = channel.entries[..before].last().filter(|entry| entry.span.contains(span));
    FindingSubject {
        package: package.name.clone(),
        channel: Some(channel.name.value.clone()),
        entry: entry.map(|entry| entry.name.value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::{workbench, yaml};
    use views::CatalogId;

    const REQUIRING: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0";
    const PROVIDING: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    fn rules(workbench: &Workbench) -> Vec<&str> {
        let findings = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.findings);
        findings.map(|found| found.diagnostic.rule.id()).collect()
    }

    #[test]
    fn checks_of_all_catalogs_run_after_each_change() {
        let mut workbench = workbench(&[("requiring", REQUIRING)]);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
        let providing = workbench.add_text("providing", "catalog.yaml", yaml(PROVIDING));
        assert_eq!(rules(&workbench), [""; 0]);
        let key = workbench.catalog(providing).unwrap().files[0].key;
        let at = yaml(PROVIDING).find("version: 1").unwrap() as u32 + 9;
        workbench.edit(key, at..at + 1, "0");
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement", "name-version-mismatch"]);
        workbench.remove(providing);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
    }

    #[test]
    fn a_disabled_rule_stays_hidden_in_catalogs_added_later() {
        let mut workbench = Workbench::new();
        workbench.disable_rules(&["unsatisfiable-requirement".to_owned(), "no-such-rule".to_owned()]);
        workbench.add_text("requiring", "catalog.yaml", yaml(REQUIRING));
        assert_eq!(workbench.catalogs()[0].analysis.shown().count(), 0);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
        workbench.disable_rules(&[]);
        assert_eq!(workbench.catalogs()[0].analysis.counts().warnings, 1);
    }

    #[test]
    fn errors_of_opm_are_shown_even_if_disabled() {
        let mut workbench = workbench(&[("broken", "package r c")]);
        workbench.disable_rules(&["unknown-default-channel".to_owned()]);
        assert_eq!(workbench.catalogs()[0].analysis.counts().errors, 1);
        assert!(!workbench.catalogs()[0].is_accepted());
    }

    #[test]
    fn a_comment_switches_findings_off() {
        let mut workbench = workbench(&[("requiring", REQUIRING)]);
        let key = workbench.catalog(CatalogId(0)).unwrap().files[0].key;
        let comment = "# opscope-ignore: unsatisfiable-requirement\n";
        let at = workbench.catalogs()[0].files[0].text.find("- type: olm.package.required").unwrap() as u32;
        workbench.edit(key, at..at, comment);
        assert_eq!(rules(&workbench), [""; 0]);
        workbench.add_text("providing", "catalog.yaml", yaml(PROVIDING));
        assert_eq!(rules(&workbench), ["useless-ignore"]);
    }
}
