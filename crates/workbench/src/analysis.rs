//! What follows from the files of one catalog: the model and the findings.

use crate::CatalogInput;
use crate::attached_files;
use crate::document_index::{DocumentIndex, FindingSubject};
use crate::file::FileInput;
use catalog::{Catalog, ParsedFile};
use lint::{Ignored, Input};
use resolver::Listing;
use source::{Diagnostic, Rule, Severity};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use views::Counts;

/// The model of a catalog and everything found in it.
#[derive(Default)]
pub struct Analysis {
    /// The model.
    pub catalog: Catalog,
    /// Worst first, then in the order of the files. Those of rules that the user switched off are among them.
    pub findings: Vec<Finding>,
    /// The rules that the user switched off.
    off: Rc<BTreeSet<Rule>>,
    /// The findings that depend on this catalog alone, whether or not a comment switches them off.
    own: Vec<Diagnostic>,
    /// What comments switch off.
    ignored: Vec<Ignored>,
    /// What resolutions look up, made when the first one asks.
    listing: OnceCell<Arc<Listing>>,
}

/// A finding and what it is about.
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The package, and the entry if it is about one.
    pub subject: Option<FindingSubject>,
}

impl Analysis {
    /// Reads the files together. [`relate`] adds what depends on other catalogs, and takes stock.
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

    /// The model alone, of what was read so far.
    pub(crate) fn without_checks(files: &[FileInput]) -> Self {
        Self { catalog: catalog::lower(&parsed(files)).0, ..Self::default() }
    }

    /// Takes stock: its own findings and those that depend on other catalogs, without what comments switch off.
    fn settle(&mut self, files: &[FileInput], together: Vec<Diagnostic>) {
        let all = self.own.iter().cloned().chain(together).collect();
        let mut diagnostics = lint::silence(&self.ignored, all);
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

    /// The model as resolutions look things up in it.
    pub(crate) fn listing(&self) -> Arc<Listing> {
        Arc::clone(self.listing.get_or_init(|| Arc::new(Listing::of(&self.catalog))))
    }

    /// Shows no findings of these rules any more, and all others.
    pub(crate) fn disable_rules(&mut self, rules: &Rc<BTreeSet<Rule>>) {
        self.off = Rc::clone(rules);
    }

    /// Whether findings of the rule are not shown.
    pub(crate) fn is_off(&self, rule: Rule) -> bool {
        self.off.contains(&rule)
    }

    /// The findings that are shown. `opm` rejects a catalog whatever is switched off here, so its errors always are.
    pub fn shown(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|found| found.diagnostic.opm.is_some() || !self.is_off(found.diagnostic.rule))
    }

    /// How many findings of each severity are shown.
    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.shown().for_each(|found| found.count_in(&mut counts));
        counts
    }

    /// The same by what `key` says of a finding; those that it has nothing to say of are left out.
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

/// Finds anew what depends on all catalogs, after any of them has changed; findings of the rules in `off` are not shown.
pub(crate) fn relate(catalogs: &mut [CatalogInput], off: &Rc<BTreeSet<Rule>>) {
    let files: Vec<Vec<ParsedFile<'_>>> = catalogs.iter().map(|catalog| parsed(&catalog.files)).collect();
    let inputs =
        catalogs.iter().zip(&files).map(|(catalog, files)| Input { catalog: &catalog.analysis.catalog, files });
    let together = lint::check_together(&inputs.collect::<Vec<_>>());
    for (catalog, found) in catalogs.iter_mut().zip(together) {
        catalog.analysis.settle(&catalog.files, found);
        catalog.analysis.disable_rules(off);
    }
}

fn parsed(files: &[FileInput]) -> Vec<ParsedFile<'_>> {
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

    const NEEDY: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0";
    const GIVING: &str = "package q c\nchannel q c q.v1.0.0\nbundle q 1.0.0";

    fn rules(workbench: &Workbench) -> Vec<&str> {
        let findings = workbench.catalogs().iter().flat_map(|catalog| &catalog.analysis.findings);
        findings.map(|found| found.diagnostic.rule.id()).collect()
    }

    #[test]
    fn what_depends_on_other_catalogs_follows_them() {
        let mut workbench = workbench(&[("needy", NEEDY)]);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(GIVING).into_bytes()) };
        let giving = workbench.add_catalog("giving", vec![file], &mut |_| {});
        assert_eq!(rules(&workbench), [""; 0]);
        let key = workbench.catalog(giving).unwrap().files[0].key;
        let at = yaml(GIVING).find("version: 1").unwrap() as u32 + 9;
        workbench.edit(key, at..at + 1, "0");
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement", "name-version-mismatch"]);
        workbench.remove(giving);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
    }

    #[test]
    fn a_rule_that_is_switched_off_is_not_shown_of_catalogs_that_come_later_either() {
        let mut workbench = Workbench::new();
        workbench.disable_rules(&["unsatisfiable-requirement".to_owned(), "no-such-rule".to_owned()]);
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(NEEDY).into_bytes()) };
        workbench.add_catalog("needy", vec![file], &mut |_| {});
        assert_eq!(workbench.catalogs()[0].analysis.shown().count(), 0);
        assert_eq!(rules(&workbench), ["unsatisfiable-requirement"]);
        workbench.disable_rules(&[]);
        assert_eq!(workbench.overview().findings.warnings, 1);
    }

    #[test]
    fn errors_of_opm_are_shown_whatever_is_switched_off() {
        let mut workbench = workbench(&[("broken", "package r c")]);
        workbench.disable_rules(&["unknown-default-channel".to_owned()]);
        assert_eq!(workbench.overview().findings.errors, 1);
        assert!(!workbench.catalogs()[0].is_accepted());
    }

    #[test]
    fn a_comment_switches_findings_off_and_on() {
        let mut workbench = workbench(&[("needy", NEEDY)]);
        let key = workbench.catalog(CatalogId(0)).unwrap().files[0].key;
        let comment = "# opscope-ignore: unsatisfiable-requirement\n";
        let at = workbench.catalogs()[0].files[0].text.find("- type: olm.package.required").unwrap() as u32;
        workbench.edit(key, at..at, comment);
        assert_eq!(rules(&workbench), [""; 0]);
        let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(yaml(GIVING).into_bytes()) };
        workbench.add_catalog("giving", vec![file], &mut |_| {});
        assert_eq!(rules(&workbench), ["useless-ignore"]);
    }
}
