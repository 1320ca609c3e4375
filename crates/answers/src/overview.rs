//! The lists of all catalogs and packages, and the icons of packages.

use super::findings::is_of_all_packages;
use super::small_chain::first_clause;
use crate::small_chain::stuck_versions;
use catalog::{Chain, Package};
use session::{CatalogInput, FileInput, Finding, Workbench, bundle_choice};
use source::{Rule, Severity};
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{
    CatalogRow, Counts, FileRow, IconRow, Overview, PackageKey, PackageRow, ProblemView, Rejection, StuckView,
    with_short_names,
};

/// Types that browsers show in `img` elements, where they run no scripts.
const MEDIA_TYPES: [&str; 6] = ["image/svg+xml", "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

/// The lists of catalogs and packages.
#[must_use]
pub fn overview(workbench: &Workbench) -> Overview {
    let mut packages: Vec<PackageRow> = workbench.catalogs().iter().flat_map(packages).collect();
    packages.sort_by(|a, b| (&a.key.package, a.key.catalog).cmp(&(&b.key.package, b.key.catalog)));
    let catalogs: Vec<CatalogRow> = workbench.catalogs().iter().map(catalog_row).collect();
    let findings = catalogs.iter().fold(Counts::default(), |sum, row| add(sum, row.findings));
    let baselines = workbench.baselines().iter().map(catalog_row).collect();
    Overview { catalogs, packages, findings, baselines, sets: workbench.set_rows() }
}

/// The icons of all packages.
pub fn icons(workbench: &Workbench) -> impl Iterator<Item = IconRow> {
    workbench.catalogs().iter().flat_map(|catalog| {
        let packages = catalog.analysis.catalog.packages.iter();
        packages.filter_map(move |package| icon(catalog, package))
    })
}

const fn add(a: Counts, b: Counts) -> Counts {
    Counts { errors: a.errors + b.errors, warnings: a.warnings + b.warnings, hints: a.hints + b.hints }
}

fn catalog_row(catalog: &CatalogInput) -> CatalogRow {
    let of_file = catalog.analysis.roots_by(|found| Some(found.diagnostic.span.file.0));
    let file_row = |file: &FileInput| FileRow {
        file: file.key,
        path: file.path.clone(),
        bytes: file.text.len() as u32,
        ignored: file.ignored,
        edited: file.difference.is_some(),
        expanded_from: file.expanded_from,
        findings: of_file.get(&file.key.0).map(|roots| catalog.analysis.counted(roots)).unwrap_or_default(),
    };
    CatalogRow {
        id: catalog.id,
        name: catalog.name.clone(),
        namespace: catalog.namespace.clone(),
        priority: catalog.priority,
        files: catalog.files.iter().map(file_row).collect(),
        packages: catalog.analysis.catalog.packages.len() as u32,
        findings: catalog.analysis.counts(),
        rejection: rejection(catalog),
        bundles: catalog.bundle_tree.as_ref().map(bundle_choice),
    }
}

pub(super) fn rejection(catalog: &CatalogInput) -> Option<Rejection> {
    let found = catalog.rejection()?;
    let (text, _) = catalog.why_rejected()?;
    let refused = catalog.analysis.findings.iter().filter(|found| found.diagnostic.opm.is_some());
    let subject = |found: &Finding| Some(found.subject.as_ref()?.package.to_string());
    let package = refused.clone().find(|other| other.diagnostic == *found).and_then(subject);
    let packages: BTreeSet<String> =
        refused.filter_map(subject).filter(|name| Some(name) != package.as_ref()).collect();
    Some(Rejection {
        opm: catalog.analysis.catalog.opm.named(),
        text: text.to_owned(),
        package,
        path: catalog.path(found.span),
        place: catalog.place(found.span),
        others: packages.len() as u32,
    })
}

fn packages(catalog: &CatalogInput) -> Vec<PackageRow> {
    let analysis = &catalog.analysis;
    let of_package = analysis.roots_by(|found| Some(found.subject.as_ref()?.package.as_str()));
    let of_files: BTreeSet<usize> = analysis.roots(is_of_all_packages).into_iter().map(|found| found.at).collect();
    let roots = |package: &Package| of_package.get(package.name.as_str());
    let row = |package: &Arc<Package>| {
        let found = || roots(package).into_iter().flatten().map(|&at| &analysis.findings[at]);
        let is_stuck = worst(found()).is_some_and(|found| rank(found) == 2);
        let [of_v0, of_v1] = if is_stuck { stuck_versions(catalog, package) } else { [None, None] };
        // What is found about updates is about those of OLM v0.
        let of_v1 = || problem(package, worst(found().filter(|found| rank(found) != 2)), of_v1);
        let dead_end = || found().find(|found| found.diagnostic.rule == Rule::DeadEndChannel);
        let of_v0 = problem(package, worst(found()).or_else(dead_end), of_v0);
        let differs = is_stuck || of_v0.rank == DEAD_END;
        PackageRow {
            key: PackageKey { catalog: catalog.id, package: package.name.as_str().to_owned() },
            default_channel: package.default_channel.as_ref().map(|name| name.to_string()),
            head: head(package),
            channels: package.channels.iter().map(|channel| channel.name.to_string()).collect(),
            bundles: package.bundles.len() as u32,
            findings: roots(package).map(|roots| analysis.counted(roots)).unwrap_or_default(),
            listed: roots(package).map_or(of_files.len(), |roots| roots.union(&of_files).count()) as u32,
            v0: of_v0,
            v1: differs.then(of_v1),
            place: package.span().map(|span| catalog.place(span)),
        }
    };
    catalog.analysis.catalog.packages.iter().map(row).collect()
}

/// The problem of a package with this worst finding, of which these versions are stuck.
fn problem(package: &Package, worst: Option<&Finding>, stuck: Option<StuckView>) -> ProblemView {
    let rank = match (worst.map_or(DEAD_END + 1, rank), &stuck) {
        (_, Some(_)) => 2,
        (2, None) => 3,
        (rank, None) => rank,
    };
    let message = worst.map(|found| with_short_names(&found.diagnostic.message, package.name.as_str()));
    let message = message.or_else(|| Some(stuck.as_ref()?.sentence.clone()));
    let message = message.map(|message| first_clause(&message).to_owned());
    ProblemView { message, rank, stuck }
}

/// The worst error or warning of these.
pub(super) fn worst<'c>(found: impl IntoIterator<Item = &'c Finding>) -> Option<&'c Finding> {
    let found = found.into_iter();
    found.filter(|found| found.worst < Severity::Hint).min_by_key(|found| (rank(found), found.at))
}

/// How bad an error or a warning is, as [`ProblemView::rank`]; 2 of one that may mean that versions are stuck.
pub(super) fn rank(found: &Finding) -> u32 {
    // Findings are sorted by severity, but one may follow from a milder one.
    match (found.worst, found.diagnostic.rule) {
        (Severity::Error, _) => u32::from(found.diagnostic.opm.is_none()),
        (_, Rule::SkipRangePruning | Rule::StuckEntry | Rule::StrandingSubstitution) => 2,
        (_, Rule::Downgrade | Rule::SelfReplacing | Rule::HeadBelowEntry) => 2,
        (Severity::Hint, Rule::DeadEndChannel) => DEAD_END,
        _ => 3,
    }
}

/// The rank of a package whose worst problem is that a channel has no way to a newer one.
const DEAD_END: u32 = 4;

/// The default channel with its head: `stable → 1.2.0`.
pub(super) fn default_head(package: &Package) -> String {
    let channel = package.default_channel.as_ref().map_or("no default channel", |name| name.value.as_str());
    head(package).map_or_else(|| channel.to_owned(), |head| format!("{channel} → {head}"))
}

/// The version of the default channel's head, else its name.
fn head(package: &Package) -> Option<String> {
    let channel = package.channel(package.default_channel.as_ref()?.value.as_str())?;
    let name = Chain::of(channel).head()?;
    let version = package.bundle(name).and_then(|bundle| bundle.version());
    Some(version.map_or_else(|| name.to_owned(), ToString::to_string))
}

fn icon(catalog: &CatalogInput, package: &Package) -> Option<IconRow> {
    let icon = package.icon.as_ref()?;
    let media_type = MEDIA_TYPES.iter().find(|known| **known == &*icon.media_type)?;
    let base64 = catalog.text(icon.base64data);
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    // The span covers the text of the scalar, with its quotes, line breaks and indentation.
    let base64: String = base64.chars().filter(|&c| is_base64(c)).collect();
    let key = PackageKey { catalog: catalog.id, package: package.name.as_str().to_owned() };
    (!base64.is_empty()).then(|| IconRow { key, url: format!("data:{media_type};base64,{base64}") })
}

#[cfg(test)]
mod tests {
    use crate::overview;
    use session::Workbench;
    use session::testing::workbench;
    use views::Counts;

    const HEALTHY: &str = "package b c\nchannel b c b.v1.1.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 1.1.0";
    const BROKEN: &str = "package a c\nchannel a c a.v1 a.v2\npackage b none";

    #[test]
    fn packages_are_sorted_by_name_and_catalog() {
        let rows = overview(&workbench(&[("x", HEALTHY), ("y", BROKEN)])).packages;
        let summary: Vec<_> = rows
            .iter()
            .map(|row| (&*row.key.package, row.key.catalog.0, row.head.as_deref(), row.bundles, row.findings.errors))
            .collect();
        assert_eq!(summary, [("a", 1, None, 0, 2), ("b", 0, Some("1.1.0"), 2, 0), ("b", 1, None, 0, 1)]);
    }

    #[test]
    fn findings_are_counted_for_files_catalogs_and_in_total() {
        let overview = overview(&workbench(&[("x", HEALTHY), ("y", BROKEN)]));
        let three = Counts { errors: 3, ..Counts::default() };
        assert_eq!(overview.findings, three);
        assert_eq!(overview.catalogs[0].findings, Counts::default());
        assert_eq!((overview.catalogs[1].findings, overview.catalogs[1].files[0].findings), (three, three));
    }

    #[test]
    fn a_rejected_catalog_names_the_package_at_fault_and_each_package_its_worst_problem() {
        let overview = overview(&workbench(&[("x", HEALTHY), ("y", BROKEN)]));
        assert_eq!(overview.catalogs[0].rejection, None);
        let rejection = overview.catalogs[1].rejection.as_ref().unwrap();
        let found = (&*rejection.path, rejection.place.line, rejection.package.as_deref(), rejection.others);
        assert_eq!(found, ("catalog.yaml", 10, Some("a"), 1));
        let problems: Vec<_> = overview.packages.iter().map(|row| row.v0.message.as_deref()).collect();
        let expected = [
            Some("channel `c` has 2 heads: `1`, `2`"),
            None,
            Some("default channel `none` of package `b` does not exist"),
        ];
        assert_eq!(problems, expected);
        let ranks: Vec<u32> = overview.packages.iter().map(|row| row.v0.rank).collect();
        assert_eq!(ranks, [0, 5, 0], "`opm` rejects both");
    }

    #[test]
    fn an_installed_version_that_is_stuck_is_worse_than_a_requirement_that_nothing_meets() {
        let package = |name: &str, requires: &str| {
            format!("package {name} c\nchannel {name} c {name}.v1.0.0\nbundle {name} 1.0.0{requires}\n")
        };
        let stuck = "package z c\nchannel z c z.v1.2.0>z.v1.1.0-z.v1.1.0 z.v1.1.0>z.v1.0.0-z.v1.0.0 z.v1.0.0\n\
                     bundle z 1.0.0\nbundle z 1.1.0\nbundle z 1.2.0";
        let overview = overview(&workbench(&[("x", &(package("a", " requires lost >=1.0.0") + stuck))]));
        let problems: Vec<_> = overview.packages.iter().filter_map(|row| row.v0.message.as_deref()).collect();
        assert!(problems[1].contains("cannot reach"), "{problems:?}");
        let ranks: Vec<_> = overview.packages.iter().map(|row| (row.key.package.as_str(), row.v0.rank)).collect();
        assert_eq!(ranks, [("a", 3), ("z", 2)]);
    }

    #[test]
    fn errors_of_whole_files_are_listed_with_each_package() {
        let mut workbench = workbench(&[("y", BROKEN)]);
        let listed = |workbench: &Workbench| {
            let rows = overview(workbench).packages;
            rows.iter().map(|row| (row.findings.total(), row.listed)).collect::<Vec<_>>()
        };
        assert_eq!(listed(&workbench), [(2, 2), (1, 1)]);
        let file = workbench.catalogs()[0].files[0].key;
        workbench.edit(file, 0..0, "schema: [\n---\n");
        assert_eq!(listed(&workbench), [(2, 3), (1, 2)]);
    }
}
