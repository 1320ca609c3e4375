//! The comparison, at once or in pieces. Between two pieces the worker can answer other queries, show what is found so far,
//! and stop.

use super::package::{self, Repairs};
use crate::comparison::cluster::compare_cluster;
use crate::repairs::installed;
use compare::{Budget, Compared, Level, Scope, Search};
use session::{CatalogInput, Comparison, Side, Workbench};
use source::{FileId, Span, name_list};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::{
    AnyAnswer, CatalogId, ClusterComparisonView, ComparedPackage, ComparisonView, LevelCounts, PackageComparisonView,
    PackageKey, Query, SideKey, query,
};

/// The repairs of a package of which none was searched.
static NONE: Repairs = Repairs::new();

/// Entries and bundles that a piece looks at: some milliseconds of work.
const PIECE: usize = 4000;

/// A query that is answered in pieces.
#[derive(Clone, Debug)]
pub enum ComparisonQuery {
    /// All packages, without causes and fixes.
    All,
    /// One package, with causes, fixes and repairs.
    Package(String),
    /// All packages with causes and fixes, and the cluster if it is wanted.
    Report(ReportScope),
}

impl ComparisonQuery {
    /// The packages that are compared; all if there are none.
    fn packages(&self) -> Vec<&str> {
        match self {
            Self::All => Vec::new(),
            Self::Package(name) => vec![name],
            Self::Report(scope) => scope.packages.iter().map(String::as_str).collect(),
        }
    }
}

/// What a report is about.
#[derive(Clone, Debug, Default)]
pub struct ReportScope {
    /// Whether it says what becomes of the cluster.
    pub with_cluster: bool,
    /// Only these packages; all if there are none.
    pub packages: Vec<String>,
    /// Whether packages that do not differ have rows.
    pub has_all_rows: bool,
}

/// A comparison that goes on.
pub struct ComparisonRun {
    query: ComparisonQuery,
    /// Whether the package of the query has rows even if it does not differ.
    has_rows: bool,
    /// The search for causes and fixes of each package that was begun, by name.
    searches: BTreeMap<String, Search>,
    /// How many packages are explained.
    explained: usize,
    /// The work that is left for that.
    budget: Option<Rc<Budget>>,
    /// The repairs of each package whose channels are searched, by name.
    repairs: BTreeMap<String, Repairs>,
    is_done: bool,
}

impl ComparisonRun {
    /// A comparison that has not begun.
    #[must_use]
    pub const fn of(query: ComparisonQuery) -> Self {
        Self {
            query,
            has_rows: false,
            searches: BTreeMap::new(),
            explained: 0,
            budget: None,
            repairs: BTreeMap::new(),
            is_done: false,
        }
    }

    /// What it answers.
    #[must_use]
    pub const fn query(&self) -> &ComparisonQuery {
        &self.query
    }

    const fn has_all_rows(&self) -> bool {
        match &self.query {
            ComparisonQuery::All => false,
            ComparisonQuery::Package(_) => true,
            ComparisonQuery::Report(scope) => scope.has_all_rows,
        }
    }

    /// Whether what is known of a package suffices.
    fn suffices(&self, found: Option<&Compared>) -> bool {
        !self.has_all_rows() || self.has_rows || found.is_some_and(|found| found.differs)
    }
}

/// Does the next piece: compares some packages, or searches for causes and fixes. Returns whether anything is left.
pub fn continue_comparison(workbench: &Workbench, run: &mut ComparisonRun) -> bool {
    run.is_done = run.is_done || !next_piece(workbench, run).unwrap_or(false);
    !run.is_done
}

/// Whether anything is left; `None` if one of the catalogs is gone.
fn next_piece(workbench: &Workbench, run: &mut ComparisonRun) -> Option<bool> {
    let query = run.query.clone();
    let comparison = comparison(workbench, query.packages(), run.has_all_rows())?;
    let input = workbench.comparison()?;
    let mut work = 0;
    for name in comparison.names() {
        if input.known(workbench.changes()).get(name).is_some_and(|found| run.suffices(found.as_deref())) {
            continue;
        }
        if work >= PIECE {
            return Some(true);
        }
        let found = comparison.compare(name).map(Rc::new);
        work += found.as_ref().map_or(1, |found| found.comparison.rows.len() + 100);
        input.known(workbench.changes()).insert(name.to_owned(), found);
        run.has_rows = true;
    }
    if work > 0 {
        return Some(true);
    }
    let comparison = with_known(workbench, comparison);
    let is_explained = |found: &&Rc<Compared>| match &run.query {
        ComparisonQuery::All => false,
        ComparisonQuery::Package(_) => true,
        ComparisonQuery::Report(_) => comparison.is_changed(found) && !found.follows,
    };
    let packages: Vec<&Rc<Compared>> = comparison.packages.iter().filter(is_explained).collect();
    let budget = Rc::clone(run.budget.get_or_insert_with(|| Rc::clone(comparison.budget())));
    budget.begin_piece(PIECE);
    while let Some(found) = packages.get(run.explained) {
        let search = run.searches.entry(found.comparison.package.to_string()).or_default();
        if !comparison.search(found, search, &budget) {
            return Some(true);
        }
        run.explained += 1;
    }
    let is_package = matches!(run.query, ComparisonQuery::Package(_));
    let installed = installed(workbench);
    for found in packages.into_iter().filter(|found| is_package || comparison.has_stuck(found)) {
        let repairs = run.repairs.entry(found.comparison.package.to_string()).or_default();
        if repairs.advance(&comparison, found, &installed, PIECE, budget.solver()) {
            return Some(true);
        }
    }
    Some(false)
}

/// Compares to the end.
fn compared(workbench: &Workbench, query: ComparisonQuery) -> ComparisonRun {
    let mut run = ComparisonRun::of(query);
    while continue_comparison(workbench, &mut run) {}
    run
}

/// The answer so far, for a comparison that goes on or was stopped; `None` if there is nothing to show.
#[must_use]
pub fn comparison_so_far(workbench: &Workbench, run: &ComparisonRun) -> Option<AnyAnswer> {
    match &run.query {
        ComparisonQuery::All => Some(query::Compare::answer(Some(all_view(workbench)?))),
        ComparisonQuery::Package(_) => {
            let view = package_view(workbench, run, false)?;
            Some(query::ComparePackage::answer(Some(Box::new(view))))
        }
        ComparisonQuery::Report(_) => None,
    }
}

/// The answer of a comparison that has ended, or was stopped before.
#[must_use]
pub fn finish_comparison(workbench: &Workbench, run: &ComparisonRun) -> AnyAnswer {
    match &run.query {
        ComparisonQuery::All => query::Compare::answer(all_view(workbench)),
        ComparisonQuery::Package(_) => {
            query::ComparePackage::answer(package_view(workbench, run, !run.is_done).map(Box::new))
        }
        ComparisonQuery::Report(_) => query::CompareReport::answer(markdown(workbench, run)),
    }
}

/// The comparison of all packages; `None` if one of the catalogs is gone.
#[must_use]
pub fn compare(workbench: &Workbench) -> Option<ComparisonView> {
    compared(workbench, ComparisonQuery::All);
    all_view(workbench)
}

/// The comparison of one package; `None` if a catalog is gone or neither has the package.
#[must_use]
pub fn compare_package(workbench: &Workbench, package: &str) -> Option<PackageComparisonView> {
    package_view(workbench, &compared(workbench, ComparisonQuery::Package(package.to_owned())), false)
}

/// The comparison as Markdown; `None` if one of the catalogs is gone.
#[must_use]
pub fn compare_report(workbench: &Workbench, with_cluster: bool) -> Option<String> {
    markdown(
        workbench,
        &compared(workbench, ComparisonQuery::Report(ReportScope { with_cluster, ..ReportScope::default() })),
    )
}

/// The comparison of all packages with causes and fixes; `None` if one of the catalogs is gone.
#[must_use]
pub fn compare_all(workbench: &Workbench, scope: ReportScope) -> Option<report::Comparison> {
    whole(workbench, &compared(workbench, ComparisonQuery::Report(scope)))
}

fn all_view(workbench: &Workbench) -> Option<ComparisonView> {
    let comparison = with_known(workbench, comparison(workbench, Vec::new(), false)?);
    let input = workbench.comparison()?;
    let left = comparison.names().len() - input.known(workbench.changes()).len();
    Some(all_packages(&comparison, None, left, input.level_faults()))
}

fn package_view(workbench: &Workbench, run: &ComparisonRun, is_stopped: bool) -> Option<PackageComparisonView> {
    let comparison = with_known(workbench, comparison(workbench, run.query.packages(), true)?);
    let comparison = comparison.with_searches(&run.searches, run.budget.as_ref());
    let found = comparison.packages.first()?;
    let repairs = run.repairs.get(found.comparison.package.as_str()).unwrap_or(&NONE);
    run.suffices(Some(found)).then(|| package::view(&comparison, found, repairs, is_stopped))
}

fn whole(workbench: &Workbench, run: &ComparisonRun) -> Option<report::Comparison> {
    let ComparisonQuery::Report(scope) = &run.query else { return None };
    let comparison = with_known(workbench, comparison(workbench, run.query.packages(), scope.has_all_rows)?);
    let comparison = comparison.with_searches(&run.searches, run.budget.as_ref());
    // What only the new state has is no row.
    let with_rows =
        comparison.packages.iter().filter(|found| scope.has_all_rows && comparison.states(found)[0].is_some());
    let rows = with_rows
        .map(|found| (found.comparison.package.to_string(), package::program_rows(&comparison, found)))
        .collect();
    let reported = |found: &Rc<Compared>| {
        let repairs = run.repairs.get(found.comparison.package.as_str()).unwrap_or(&NONE);
        package::reported(&comparison, found, repairs)
    };
    let cluster = scope.with_cluster.then(|| compare_cluster(workbench)).flatten();
    Some(report::Comparison {
        packages: comparison.shown().map(reported).collect(),
        all: all_packages(&comparison, cluster.as_ref(), 0, workbench.comparison()?.level_faults()),
        rows,
        cluster,
        mirror: None,
    })
}

fn markdown(workbench: &Workbench, run: &ComparisonRun) -> Option<String> {
    run.is_done.then(|| Some(report::to_markdown(&whole(workbench, run)?.report(workbench)))).flatten()
}

/// A package in both states, compared now if that was not done before.
pub(super) fn compared_package<'c>(workbench: &'c Workbench, name: &'c str) -> Option<Comparison<'c>> {
    let comparison = comparison(workbench, vec![name], true)?;
    let input = workbench.comparison()?;
    let known = input.known(workbench.changes()).get(name).cloned();
    let found = known.unwrap_or_else(|| comparison.compare(name).map(Rc::new));
    Some(comparison.with(found.into_iter().collect()))
}

/// A catalog before the change, if it is compared with that.
pub(crate) fn before_change_of(workbench: &Workbench, after: CatalogId) -> Option<Side<'_>> {
    let of = workbench.comparison().map(|input| &input.compared)?;
    let is_after = of.after == SideKey { catalog: after, is_opened: false } && of.before != of.after;
    Some(Side { input: workbench.catalog(of.before.catalog)?, is_opened: of.before.is_opened }).filter(|_| is_after)
}

/// Both states, of which no package is compared yet.
fn comparison<'c>(workbench: &'c Workbench, packages: Vec<&'c str>, all_rows: bool) -> Option<Comparison<'c>> {
    let input = workbench.comparison()?;
    let compared = &input.compared;
    let side = |key: SideKey| Some(Side { input: workbench.catalog(key.catalog)?, is_opened: key.is_opened });
    let is_other = |other: &&CatalogInput| ![compared.before.catalog, compared.after.catalog].contains(&other.id);
    let scope = Scope {
        others: workbench.catalogs().iter().filter(is_other).map(Side::present).collect(),
        packages,
        all_rows,
        is_whole: compared.is_whole || compared.before.catalog == compared.after.catalog,
        by_comments_before: compared.by_comments_before,
        runtime: compared.runtime,
        cluster: input.v1_cluster(workbench.cluster_manifests().1),
        budget: workbench.budget(),
    };
    Some(Comparison::begin(side(compared.before)?, side(compared.after)?, input.levels(), scope))
}

/// The same with what is known of the packages.
fn with_known<'c>(workbench: &Workbench, comparison: Comparison<'c>) -> Comparison<'c> {
    let Some(input) = &workbench.comparison() else { return comparison };
    let known = input.known(workbench.changes());
    let packages = comparison.names().into_iter().filter_map(|name| known.get(name)?.clone()).collect();
    comparison.with(packages)
}

// The comparison of all packages.

/// What was found, where `left` packages are not compared. Of a cluster, what it has installed may change because of other packages.
fn all_packages(
    comparison: &Comparison<'_>,
    cluster: Option<&ClusterComparisonView>,
    left: usize,
    level_faults: &[String],
) -> ComparisonView {
    let row = |found: &Rc<Compared>| {
        let [_, new] = comparison.states(found);
        let side = if new.is_some() { comparison.after } else { comparison.before };
        ComparedPackage {
            key: PackageKey { catalog: side.input.id, package: found.comparison.package.to_string() },
            sentence: comparison.happens(found),
            harmed: match comparison.harmed(found) {
                names if names.is_empty() => String::new(),
                names => name_list(names.into_iter().map(|name| name.as_str())),
            },
            levels: counts(&comparison.levels_of(found)),
        }
    };
    let mut packages: Vec<ComparedPackage> = comparison.shown().map(row).collect();
    packages.sort_by_key(|package| Reverse(package.levels.0));
    let rows = cluster.into_iter().flat_map(|cluster| &cluster.subscriptions).filter(|row| !row.about.is_empty());
    let moving: BTreeSet<&str> = rows.map(|row| &*row.package).collect();
    let is_unchanged =
        |found: &&Rc<Compared>| comparison.is_unchanged(found) && !moving.contains(found.comparison.package.as_str());
    let unchanged = comparison.packages.iter().filter(is_unchanged).count();
    let first_side = if comparison.is_mirror() { comparison.before } else { comparison.after };
    let first_file = first_side.input.files.first();
    let rows = comparison.rows_by_level();
    let left_out = |of_mirror| if comparison.is_mirror() == of_mirror { comparison.left_out.len() as u32 } else { 0 };
    ComparisonView {
        sentence: comparison.headline(),
        packages,
        unchanged: unchanged as u32,
        added: comparison.added.iter().map(ToString::to_string).collect(),
        unmirrored: left_out(true),
        beside_fragment: left_out(false),
        levels: counts(&comparison.levels()),
        rows_unchanged: rows.get(&None).map_or(0, |count| *count as u32),
        rows: LevelCounts(Level::ALL.map(|level| rows.get(&Some(level)).map_or(0, |count| *count as u32))),
        not_comparable: comparison.not_comparable_texts(),
        following: comparison.following(),
        is_read: comparison.is_read,
        left: left as u32,
        level_faults: level_faults.to_vec(),
        before: comparison.before.name(),
        after: comparison.after.name(),
        totals: comparison.totals(),
        remarks: comparison.remarks(unchanged),
        start: first_file.map(|file| first_side.place(Span::new(FileId(file.key.0), 0, 0))),
    }
}

fn counts(levels: &BTreeMap<Level, usize>) -> LevelCounts {
    LevelCounts(Level::ALL.map(|level| levels.get(&level).map_or(0, |count| *count as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;
    use std::fmt::Write;
    use views::{CatalogId, Compared as Sides, Runtime};

    /// A catalog of `count` packages, each with a channel of `length` entries, from `first` on, that replace each other.
    fn chains(count: usize, first: usize, length: usize) -> String {
        let mut sketch = String::new();
        for package in 0..count {
            write!(sketch, "package p{package} c\nchannel p{package} c").unwrap();
            for minor in (first..length).rev() {
                let older = if minor > first { format!(">p{package}.v1.{}.0", minor - 1) } else { String::new() };
                write!(sketch, " p{package}.v1.{minor}.0{older}").unwrap();
            }
            sketch += "\n";
            (first..length).for_each(|minor| writeln!(sketch, "bundle p{package} 1.{minor}.0").unwrap());
        }
        sketch
    }

    /// The older half of each channel was removed.
    fn halved(count: usize, length: usize, runtime: Runtime) -> Workbench {
        let (old, new) = (chains(count, 0, length), chains(count, length / 2, length));
        let mut workbench = workbench(&[("before", &old), ("after", &new)]);
        let side = |catalog| SideKey { catalog: CatalogId(catalog), is_opened: false };
        workbench.set_comparison(Sides { runtime, ..Sides::between(side(0), side(1)) });
        workbench
    }

    #[test]
    fn packages_are_compared_some_at_a_time_until_that_is_stopped() {
        let workbench = halved(100, 2, Runtime::V0);
        let mut run = ComparisonRun::of(ComparisonQuery::All);
        assert!(continue_comparison(&workbench, &mut run));
        let Some(AnyAnswer::Compare(Some(some))) = comparison_so_far(&workbench, &run) else {
            panic!("there is a view")
        };
        assert!((1..100).contains(&some.packages.len()) && some.left as usize == 100 - some.packages.len());
        assert_eq!(finish_comparison(&workbench, &run), AnyAnswer::Compare(Some(some)), "it was stopped");
        while continue_comparison(&workbench, &mut run) {}
        let AnyAnswer::Compare(Some(all)) = finish_comparison(&workbench, &run) else { panic!("there is a view") };
        assert_eq!((all.packages.len(), all.left), (100, 0));
        let again = &mut ComparisonRun::of(ComparisonQuery::All);
        assert!(!continue_comparison(&workbench, again), "nothing is compared twice");
    }

    #[test]
    fn the_rows_of_a_package_come_before_causes_and_fixes() {
        let workbench = halved(1, 400, Runtime::Both);
        let mut run = ComparisonRun::of(ComparisonQuery::Package("p0".to_owned()));
        assert!(continue_comparison(&workbench, &mut run));
        let Some(AnyAnswer::ComparePackage(Some(rows))) = comparison_so_far(&workbench, &run) else {
            panic!("there is a view")
        };
        assert!(rows.rows.len() > 400 && rows.groups.len() > 2, "{}", rows.groups.len());
        assert!(rows.groups.iter().all(|group| group.cause.is_empty()) && !rows.sentence.contains("searched"));
        assert_eq!(rows.left as usize, rows.groups.len() + 1, "and repairs");
        assert!(continue_comparison(&workbench, &mut run), "causes take several pieces");
        let AnyAnswer::ComparePackage(Some(stopped)) = finish_comparison(&workbench, &run) else {
            panic!("there is a view")
        };
        assert!(
            stopped.sentence.ends_with("were not searched, because the search was stopped"),
            "{}",
            stopped.sentence
        );
        let mut pieces = 2;
        while continue_comparison(&workbench, &mut run) {
            pieces += 1;
        }
        assert!(pieces > 5, "{pieces}");
        let at_once = compare_package(&workbench, "p0").unwrap();
        assert_eq!(finish_comparison(&workbench, &run), AnyAnswer::ComparePackage(Some(Box::new(at_once.clone()))));
        assert_eq!(at_once.left, 0);
    }

    #[test]
    fn other_levels_need_no_other_comparison() {
        let mut workbench = halved(2, 4, Runtime::V0);
        let breaking = compare(&workbench).unwrap().levels.0[0];
        let compared = workbench.comparison().unwrap().compared.clone();
        let levels = "v0-stranded: neutral\n".to_owned();
        workbench.set_comparison(Sides { levels, ..compared.clone() });
        assert!(!continue_comparison(&workbench, &mut ComparisonRun::of(ComparisonQuery::All)));
        assert!(compare(&workbench).unwrap().levels.0[0] < breaking);
        workbench.set_comparison(Sides { runtime: Runtime::V1, ..compared });
        assert!(continue_comparison(&workbench, &mut ComparisonRun::of(ComparisonQuery::All)));
    }
}
