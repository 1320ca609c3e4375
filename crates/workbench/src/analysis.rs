//! The analysis of one catalog: its model and its findings.

use crate::attached_files;
use crate::document_index::{DocumentIndex, FindingSubject};
use crate::file::FileInput;
use catalog::{Catalog, ParsedFile};
use lint::{IgnoreComment, Input};
use resolver::Listing;
use source::{Diagnostic, Rule, Severity};
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
    /// The findings that depend on this catalog alone, with those that a comment switches off. They are kept apart, so that a
    /// change of another catalog costs only the checks that depend on all catalogs.
    own: Vec<Diagnostic>,
    /// The findings that comments switch off.
    ignored: Vec<IgnoreComment>,
    /// The index that resolutions look bundles up in, made by the first one.
    listing: OnceCell<Arc<Listing>>,
}

/// A finding and its subject.
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// What it is about; `None` for a file as a whole.
    pub subject: Option<FindingSubject>,
}

impl Analysis {
    /// Makes the model of the files and runs the checks that depend on them alone. [`Analysis::set_findings`] completes it.
    pub(crate) fn of(files: &[FileInput]) -> Self {
        let parsed = parsed(files);
        let (mut catalog, mut own) = catalog::lower(&parsed);
        own.extend(attached_files::attach(&mut catalog, files));
        own.extend(files.iter().flat_map(|file| file.diagnostics().cloned()));
        own.extend(catalog::check(&catalog));
        let pruning = update_graph::check(&catalog);
        let pruned: BTreeSet<_> = pruning.iter().map(|finding| finding.span).collect();
        own.extend(pruning);
        own.extend(lint::check(Input { catalog: &catalog, files: &parsed }, &pruned));
        let ignored = files.iter().flat_map(|file| file.ignore_comments.iter().cloned()).collect();
        Self { catalog, own, ignored, ..Self::default() }
    }

    /// The model alone, without findings: for a catalog that is still being loaded.
    pub(crate) fn without_checks(files: &[FileInput]) -> Self {
        Self { catalog: catalog::lower(&parsed(files)).0, ..Self::default() }
    }

    /// Sets the findings: those of this catalog alone and those of the checks of all catalogs `together`, without those that
    /// comments switch off. Comments are applied last because they may be about either.
    pub(crate) fn set_findings(&mut self, files: &[FileInput], together: Vec<Diagnostic>) {
        let all = self.own.iter().cloned().chain(together).collect();
        let mut diagnostics = lint::apply_ignore_comments(&self.ignored, all);
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
        let found = |diagnostic: Diagnostic| {
            let subject = places.subject(&self.catalog, diagnostic.span);
            Finding { diagnostic, subject }
        };
        self.findings = diagnostics.into_iter().map(found).collect();
    }

    /// The index that resolutions look bundles up in.
    pub(crate) fn listing(&self) -> Arc<Listing> {
        Arc::clone(self.listing.get_or_init(|| Arc::new(Listing::of(&self.catalog))))
    }

    /// Hides the findings of these rules.
    pub(crate) fn disable_rules(&mut self, rules: &Rc<BTreeSet<Rule>>) {
        self.disabled = Rc::clone(rules);
    }

    /// Whether findings of the rule are hidden.
    pub(crate) fn is_disabled(&self, rule: Rule) -> bool {
        self.disabled.contains(&rule)
    }

    /// The findings that are shown. Errors of `opm` always are: it rejects the catalog whatever the user switched off here.
    pub fn shown(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|found| found.diagnostic.opm.is_some() || !self.is_disabled(found.diagnostic.rule))
    }

    /// The number of shown findings of each severity.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.shown().for_each(|found| found.count_in(&mut counts));
        counts
    }

    /// The same for each key. Findings for which `key` returns `None` are left out.
    pub(crate) fn counts_by<'b, K: Ord>(&'b self, key: impl Fn(&'b Finding) -> Option<K>) -> BTreeMap<K, Counts> {
        let mut counts: BTreeMap<K, Counts> = BTreeMap::new();
        for found in self.shown() {
            if let Some(key) = key(found) {
                found.count_in(counts.entry(key).or_default());
            }
        }
        counts
    }
}

/// The files as the checks take them.
pub(crate) fn parsed(files: &[FileInput]) -> Vec<ParsedFile<'_>> {
    files.iter().map(|file| ParsedFile { text: &file.text, parse: file.served() }).collect()
}

impl Finding {
    const fn count_in(&self, counts: &mut Counts) {
        match self.diagnostic.severity {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Hint => counts.hints += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{workbench, yaml};
    use crate::{NewText, Workbench};
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
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(PROVIDING).into_bytes()) };
        let providing = workbench.add_catalog("providing", vec![file], &mut |_| {});
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
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(REQUIRING).into_bytes()) };
        workbench.add_catalog("requiring", vec![file], &mut |_| {});
        assert_eq!(workbench.catalogs()[0].analysis.shown().count(), 0);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
        workbench.disable_rules(&[]);
        assert_eq!(workbench.overview().findings.warnings, 1);
    }

    #[test]
    fn errors_of_opm_are_shown_even_if_disabled() {
        let mut workbench = workbench(&[("broken", "package r c")]);
        workbench.disable_rules(&["unknown-default-channel".to_owned()]);
        assert_eq!(workbench.overview().findings.errors, 1);
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
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(PROVIDING).into_bytes()) };
        workbench.add_catalog("providing", vec![file], &mut |_| {});
        assert_eq!(rules(&workbench), ["useless-ignore"]);
    }
}
