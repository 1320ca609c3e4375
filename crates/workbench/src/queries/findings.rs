//! The list of findings.

use super::severity;
use crate::analysis::Finding;
use crate::{CatalogInput, Workbench};
use ::source::{Label, Rule, Severity};
use std::collections::BTreeMap;
use views::{EntryKey, FileKey, FindingView, FindingsFilter, FindingsView, LabelView, RuleCount};

impl Workbench {
    /// The findings that pass `filter`, worst first, with the first `limit` of them as rows.
    #[must_use]
    pub fn findings(&self, filter: &FindingsFilter, limit: u32) -> FindingsView {
        let text = filter.text.to_lowercase();
        let catalogs = self
            .catalogs()
            .iter()
            .filter(|catalog| filter.package.as_ref().is_none_or(|package| package.catalog == catalog.id));
        let mut found: Vec<(&CatalogInput, &Finding)> = catalogs
            .flat_map(|catalog| catalog.analysis.shown().map(move |found| (catalog, found)))
            .filter(|(catalog, found)| is_of_package(found, filter) && mentions(catalog, found, &text))
            .collect();
        found.sort_by_key(|(_, found)| (found.diagnostic.severity, found.subject.is_some()));
        let total = found.len() as u32;
        let rows =
            found.into_iter().take(limit as usize).map(|(catalog, found)| self.finding(catalog, found)).collect();
        FindingsView { total, rows, rules: self.rules(filter) }
    }

    /// The number of findings of each rule, without regard to the filter's text. Rules without findings are listed only if
    /// they are switched off.
    fn rules(&self, filter: &FindingsFilter) -> Vec<RuleCount> {
        let mut counts: BTreeMap<(Severity, Rule), RuleCount> = BTreeMap::new();
        let blank = |rule: Rule, off| RuleCount {
            rule: rule.id().to_owned(),
            severity: severity(rule.severity()),
            count: 0,
            opm: 0,
            off,
        };
        for &rule in self.disabled_rules() {
            counts.insert((rule.severity(), rule), blank(rule, true));
        }
        let of_package =
            |catalog: &&CatalogInput| filter.package.as_ref().is_none_or(|package| package.catalog == catalog.id);
        for catalog in self.catalogs().iter().filter(of_package) {
            for found in catalog.analysis.findings.iter().filter(|found| is_of_package(found, filter)) {
                let rule = found.diagnostic.rule;
                let count = counts.entry((rule.severity(), rule)).or_insert_with(|| blank(rule, false));
                count.count += 1;
                count.opm += u32::from(found.diagnostic.opm.is_some());
            }
        }
        counts.into_values().collect()
    }
}

/// Whether a finding is about the package of the filter, or an error that stops the whole catalog.
fn is_of_package(found: &Finding, filter: &FindingsFilter) -> bool {
    let Some(key) = &filter.package else { return true };
    match &found.subject {
        Some(subject) => subject.package.as_str() == key.package,
        None => found.diagnostic.severity == Severity::Error,
    }
}

fn mentions(catalog: &CatalogInput, found: &Finding, text: &str) -> bool {
    let diagnostic = &found.diagnostic;
    text.is_empty()
        || diagnostic.rule.id().contains(text)
        || diagnostic.message.to_lowercase().contains(text)
        || catalog.path(diagnostic.span).to_lowercase().contains(text)
}

impl Workbench {
    /// A finding of a catalog as a row.
    pub(super) fn finding(&self, catalog: &CatalogInput, found: &Finding) -> FindingView {
        let diagnostic = &found.diagnostic;
        let subject = found.subject.as_ref();
        FindingView {
            rule: diagnostic.rule.id().to_owned(),
            severity: severity(diagnostic.severity),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            opm: diagnostic.opm.clone(),
            opm_since: diagnostic.opm_since.map(|version| version.to_string()),
            catalog: catalog.id,
            path: catalog.path(diagnostic.span),
            place: catalog.place(diagnostic.span),
            package: subject.map(|subject| subject.package.to_string()),
            entry: subject.and_then(|subject| {
                let channel = subject.channel.as_ref().map(ToString::to_string);
                Some(EntryKey { channel, name: subject.entry.as_ref()?.to_string() })
            }),
            labels: diagnostic.labels.iter().map(|label| self.label(catalog, label)).collect(),
        }
    }

    /// A related place of a finding of `catalog`; it may be in another catalog.
    fn label(&self, catalog: &CatalogInput, label: &Label) -> LabelView {
        let key = FileKey(label.span.file.0);
        let other = || self.file(key).map(|(other, _)| other);
        let of = if catalog.file(key).is_some() { catalog } else { other().unwrap_or(catalog) };
        LabelView {
            message: label.message.clone(),
            catalog: of.id,
            path: of.path(label.span),
            place: of.place(label.span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::{CatalogId, PackageKey};

    const TWO_HEADS: &str =
        "package p c\nchannel p c p.v1 p.v2\npackage q c\nchannel q c q.v1.0.0~<1.0.0\nbundle q 1.0.0";
    const BROKEN: &str = "package r c";

    /// Lines `path:line:column rule package channel/entry`.
    #[track_caller]
    fn check(filter: &FindingsFilter, expected: &[&str]) {
        let view = workbench(&[("a", TWO_HEADS), ("b", BROKEN)]).findings(filter, u32::MAX);
        assert_eq!(view.rows.iter().map(line).collect::<Vec<_>>(), expected);
        assert_eq!(view.total as usize, expected.len());
    }

    fn line(row: &FindingView) -> String {
        let entry =
            row.entry.as_ref().map(|entry| format!(" {}/{}", entry.channel.as_deref().unwrap_or("-"), entry.name));
        let (place, package) = (row.place, row.package.as_deref().unwrap_or("-"));
        let entry = entry.unwrap_or_default();
        format!("{}:{}:{}:{} {} {package}{entry}", row.catalog.0, row.path, place.line, place.column, row.rule)
    }

    #[test]
    fn the_worst_findings_come_first() {
        let expected = [
            "0:catalog.yaml:8:7 multiple-channel-heads p",
            "0:catalog.yaml:10:10 missing-bundle p c/p.v1",
            "0:catalog.yaml:11:10 duplicate-version p c/p.v2",
            "1:catalog.yaml:4:17 unknown-default-channel r",
            "0:catalog.yaml:21:56 skip-range-pruning q c/q.v1.0.0",
        ];
        check(&FindingsFilter::default(), &expected);
    }

    #[test]
    fn the_filter_selects_a_package() {
        let package = Some(PackageKey { catalog: CatalogId(0), package: "q".to_owned() });
        let filter = FindingsFilter { package, ..FindingsFilter::default() };
        check(&filter, &["0:catalog.yaml:21:56 skip-range-pruning q c/q.v1.0.0"]);
    }

    #[test]
    fn errors_of_whole_files_belong_to_every_package() {
        let mut workbench = workbench(&[("a", TWO_HEADS), ("b", BROKEN)]);
        let bad = crate::NewText { path: "bad.yaml".to_owned(), content: Ok(b"schema: [\n".to_vec()) };
        let good =
            crate::NewText { path: "good.yaml".to_owned(), content: Ok(b"schema: olm.package\nname: p\n".to_vec()) };
        let empty = crate::NewText { path: "empty.yaml".to_owned(), content: Ok(Vec::new()) };
        let catalog = workbench.add_catalog("c", vec![good, bad, empty], &mut |_| {});
        let rules = |package: Option<PackageKey>| -> Vec<String> {
            let filter = FindingsFilter { package, ..FindingsFilter::default() };
            let rows = workbench.findings(&filter, u32::MAX).rows;
            rows.into_iter().filter(|row| row.catalog == catalog).map(|row| row.rule).collect()
        };
        let package = PackageKey { catalog, package: "p".to_owned() };
        assert_eq!(rules(Some(package)), ["broken-document", "unknown-default-channel", "empty-channel"]);
        assert_eq!(rules(None).last().map(String::as_str), Some("empty-file"));
        let q = PackageKey { catalog: CatalogId(0), package: "q".to_owned() };
        assert_eq!(rules(Some(q)), [""; 0]);
    }

    #[test]
    fn the_filter_ignores_case() {
        let filter = FindingsFilter { text: "PRUNING".to_owned(), ..FindingsFilter::default() };
        check(&filter, &["0:catalog.yaml:21:56 skip-range-pruning q c/q.v1.0.0"]);
    }

    #[test]
    fn disabled_rules_stay_listed() {
        let mut workbench = workbench(&[("a", TWO_HEADS), ("b", BROKEN)]);
        let counts = |workbench: &Workbench, filter: &FindingsFilter| -> Vec<String> {
            let rules = workbench.findings(filter, u32::MAX).rules;
            let counts = rules
                .iter()
                .map(|row| format!("{} {} {}{}", row.rule, row.count, row.opm, if row.off { " off" } else { "" }));
            counts.collect()
        };
        let package = Some(PackageKey { catalog: CatalogId(0), package: "q".to_owned() });
        let of_q = FindingsFilter { package, text: "nothing like it".to_owned() };
        assert_eq!(counts(&workbench, &of_q), ["skip-range-pruning 1 0"]);
        workbench.disable_rules(&["skip-range-pruning".to_owned(), "downgrade".to_owned()]);
        assert_eq!(counts(&workbench, &of_q), ["skip-range-pruning 1 0 off", "downgrade 0 0 off"]);
        let all = counts(&workbench, &FindingsFilter::default());
        assert_eq!(all[0], "unknown-default-channel 1 1");
        assert_eq!(workbench.findings(&FindingsFilter::default(), u32::MAX).total, 4);
    }

    #[test]
    fn a_label_in_another_catalog_names_that_catalog() {
        let mut workbench = Workbench::with_template_expansion();
        let bundle = |name: &str| format!("# {name}\nschema: olm.bundle\nname: {name}\npackage: p\nimage: i\n");
        let template = "schema: olm.semver\nstable: {bundles: [{image: i}]}\n".to_owned();
        for (name, text) in [("one", bundle("p.v1")), ("two", bundle("p.v2")), ("template", template)] {
            let file = crate::NewText { path: format!("{name}.yaml"), content: Ok(text.into_bytes()) };
            workbench.add_catalog(name, vec![file], &mut |_| {});
        }
        let rows = workbench.findings(&FindingsFilter::default(), u32::MAX).rows;
        let row = rows.iter().find(|row| row.rule == "needs-registry").unwrap();
        let places = row.labels.iter().map(|label| (label.catalog, &*label.path, label.place.line));
        assert_eq!(places.collect::<Vec<_>>(), [(CatalogId(0), "one.yaml", 2), (CatalogId(1), "two.yaml", 2)]);
    }

    #[test]
    fn the_limit_applies_to_rows_only() {
        let view = workbench(&[("a", TWO_HEADS)]).findings(&FindingsFilter::default(), 1);
        assert_eq!((view.total, view.rows.len()), (4, 1));
    }
}
