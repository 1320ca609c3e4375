//! The comparison of two states of a whole catalog: what is found of each package, with the user's levels, the comments that ignore
//! findings, and the words that the page and all reports share.

mod side;
mod words;

pub use side::{Side, V1Cluster};

use crate::change::{Change, Texts, changes};
use crate::edit::{Edit, edits};
use crate::extension::ambiguous_extensions;
use crate::path::{ChannelState, shortened};
use crate::row::{Group, PackageComparison, Row, UpdatedBy, compare_package, groups};
use crate::rule::{Levels, Rule};
use crate::search::{Budget, Explained, Explanation, Search};
use crate::settings::Difference;
use crate::state::State;
use crate::subscription::Listings;
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, ChannelName, Package};
use cluster::ClusterCatalog;
use extension::CatalogState;
use source::{Level, Runtime, Span, name_list};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Two states of a catalog, and what was found of its packages.
pub struct Comparison<'c, S> {
    /// The state before the change.
    pub before: S,
    /// The state after it.
    pub after: S,
    old: State<'c>,
    new: State<'c>,
    levels: &'c Levels,
    /// The versions of OLM that it is about.
    pub runtime: Runtime,
    /// Whether both states can be read. What cannot be read is not judged: half of a text must look neither good nor bad.
    pub is_read: bool,
    scope: Scope<'c, S>,
    /// The packages for which `opm` rejects the catalogs, if that is known.
    at_fault: Option<BTreeSet<&'c str>>,
    /// The rules that comments tell to ignore before and after the change, and where.
    comments: [Vec<(&'c str, Span)>; 2],
    /// The other ClusterCatalogs of OLM v1.
    objects: Vec<(ClusterCatalog, &'c Catalog)>,
    pub packages: Vec<Rc<Compared>>,
    /// The packages that the new state alone has, by name. They harm nobody.
    pub added: Vec<&'c str>,
    /// The packages that the new state lacks on purpose, by name, because it is a mirror or a fragment of the old one.
    pub left_out: Vec<&'c str>,
    /// What could not be compared, and why.
    not_comparable: Vec<NotComparable>,
    /// The causes and fixes that were searched before, by package.
    searches: Option<&'c BTreeMap<String, Search>>,
    /// The work that is left for causes and fixes.
    budget: Rc<Budget>,
}

/// What was found of a package.
pub struct Compared {
    /// Its rows; none of a package that does not differ, unless all rows are wanted. Those of OLM v0 are there for OLM v1
    /// alone too, but have no level.
    pub comparison: PackageComparison,
    pub changes: Vec<Change>,
    /// Whether the states differ in anything that matters.
    pub differs: bool,
    /// Whether they differ only because `opm` rejects one of the catalogs.
    pub follows: bool,
    /// If `opm` rejects a catalog because of other packages, and this one has differences of its own: what follows from the
    /// rejection. The differences are compared as if the catalog were served.
    pub unserved: Option<Box<Self>>,
    /// What comments ignore.
    ignored: Ignored,
    /// The rules of differences that the change brings a comment for, which does not count.
    silenced: BTreeSet<&'static str>,
}

impl Compared {
    /// A package without changes besides its rows.
    fn of(comparison: PackageComparison, differs: bool, follows: bool) -> Self {
        let (ignored, silenced) = (Ignored::default(), BTreeSet::new());
        Self { comparison, changes: Vec::new(), differs, follows, unserved: None, ignored, silenced }
    }
}

/// The rows and changes that `# opscope-ignore:` comments cover.
#[derive(Default)]
struct Ignored {
    /// Rules, with what tells a row from others.
    rows: BTreeSet<(&'static str, UpdatedBy, ChannelName, BundleName)>,
    changes: BTreeSet<usize>,
}

impl Ignored {
    fn has(&self, rule: &'static str, row: &Row) -> bool {
        let (updated_by, channel, installed) = row.key();
        !self.rows.is_empty() && self.rows.contains(&(rule, updated_by, channel.clone(), installed.clone()))
    }

    /// The rules of what this ignores and the other does not.
    fn rules_beyond(&self, other: &Self, changes: &[Change]) -> BTreeSet<&'static str> {
        let of_rows = self.rows.difference(&other.rows).map(|(rule, ..)| *rule);
        let of_changes = self.changes.difference(&other.changes).map(|at| changes[*at].rule.id());
        of_rows.chain(of_changes).collect()
    }
}

/// A group of rows with its level, the edits that it is due to, and fixes.
pub struct Finding<'c> {
    /// The rows.
    pub group: Group<'c>,
    pub level: Level,
    /// Why the rows came out as they did, and what helps.
    pub explanation: Explanation,
}

/// Something that cannot be compared.
struct NotComparable {
    /// Whether it is about the state after the change.
    is_after: bool,
    /// The package; absent for the whole catalog.
    package: Option<String>,
    reason: Reason,
}

/// Why something cannot be compared.
enum Reason {
    /// `opm` rejects the catalog.
    Rejected {
        /// Its own text, with the place.
        text: String,
        /// Whether the catalog can be read.
        is_read: bool,
    },
    /// Anything else, in words.
    Other(String),
}

/// Which packages and rows are compared.
#[derive(Clone)]
pub struct Scope<'c, S> {
    /// The other catalogs of the cluster, which are the same before and after the change.
    pub others: Vec<S>,
    /// Only these packages; all if there are none.
    pub packages: Vec<&'c str>,
    /// Whether packages that do not differ have rows.
    pub all_rows: bool,
    /// Whether the new state is never taken for a fragment of the old one.
    pub is_whole: bool,
    /// Whether the comments of the state before count, so that a change cannot ignore what it does.
    pub by_comments_before: bool,
    /// The versions of OLM that decide.
    pub runtime: Runtime,
    /// The objects of OLM v1 of the cluster, if there is one.
    pub cluster: Option<V1Cluster<'c>>,
    /// The work that the solver may do.
    pub budget: cluster::Budget,
}

impl<S> Default for Scope<'_, S> {
    fn default() -> Self {
        let (runtime, budget) = (Runtime::default(), cluster::Budget::default());
        Self {
            others: Vec::new(),
            packages: Vec::new(),
            all_rows: false,
            is_whole: false,
            by_comments_before: false,
            runtime,
            cluster: None,
            budget,
        }
    }
}

/// Whether a catalog is only a part of another one, such as the catalog of an operator beside the index that it is published in: it
/// has less than half of its packages.
#[must_use]
pub fn is_fragment(whole: &Catalog, part: &Catalog) -> bool {
    !part.packages.is_empty() && 2 * part.packages.len() < whole.packages.len()
}

/// Sides that `opm` rejects or that have no package, files that cannot be read, and packages with channels that could not
/// be ordered before.
fn not_comparable<'c>(sides: [(impl Side<'c>, State<'_>); 2], packages: &[Rc<Compared>]) -> Vec<NotComparable> {
    let mut found = Vec::new();
    let [(_, old), _] = sides;
    for ((of, state), is_after) in sides.into_iter().zip([false, true]) {
        let whole = |reason: Reason| NotComparable { is_after, package: None, reason };
        found.extend(state.rejected.map(|text| {
            let place = of.rejected_at().map(|place| format!(" ({place})")).unwrap_or_default();
            let text = format!("{} rejects the catalog: {text}{place}", state.catalog.opm.named());
            whole(Reason::Rejected { text, is_read: !of.is_unread() })
        }));
        found.extend(of.unread().into_iter().map(|reason| whole(Reason::Other(reason))));
        if state.catalog.packages.is_empty() && state.rejected.is_none() && !state.catalog.is_partial {
            found.push(whole(Reason::Other("it has no package, so there is nothing to compare".to_owned())));
        }
    }
    for found_in in packages.iter().filter(|found| found.differs && old.rejected.is_none()) {
        let comparison = &found_in.comparison;
        let broken = comparison.subscriptions().find(|row| row.old.state == ChannelState::Broken);
        found.extend(broken.map(|row| NotComparable {
            is_after: false,
            package: Some(comparison.package.to_string()),
            reason: Reason::Other(format!(
                "OLM cannot order channel `{}`: {}",
                row.channel,
                shortened(row.old.error_text().unwrap_or_default())
            )),
        }));
    }
    found
}

impl<'c, S: Side<'c>> Comparison<'c, S> {
    /// What could not be compared, a sentence each, first what is wrong after the change. What `opm` rejects both states for is
    /// one.
    pub fn not_comparable_texts(&self) -> Vec<String> {
        let is_both = self.old.rejected.is_some() && self.old.rejected == self.new.rejected;
        let sentence = |known: &NotComparable| {
            let when = if known.is_after { "after" } else { "before" };
            Some(match &known.reason {
                Reason::Rejected { .. } if is_both && !known.is_after => return None,
                Reason::Rejected { is_read: true, .. } if !known.is_after && self.new.rejected.is_none() => {
                    return None;
                }
                Reason::Rejected { text, is_read: true } if known.is_after => {
                    let when = if is_both { "before and after" } else { when };
                    format!("Not served {when} the change: {text}")
                }
                Reason::Rejected { text, .. } => {
                    format!("Not comparable {when} the change: {text}")
                }
                Reason::Other(text) => {
                    let package = known.package.as_ref().map(|name| format!(", package `{name}`")).unwrap_or_default();
                    format!("Not comparable {when} the change{package}: {text}")
                }
            })
        };
        let (after, before): (Vec<_>, Vec<_>) = self.not_comparable.iter().partition(|known| known.is_after);
        after.into_iter().chain(before).filter_map(sentence).collect()
    }

    /// Compares two states.
    pub fn of(before: S, after: S, levels: &'c Levels, scope: Scope<'c, S>) -> Self {
        let comparison = Self::begin(before, after, levels, scope);
        let packages = comparison.names().into_iter().filter_map(|name| comparison.compare(name));
        let packages = packages.map(Rc::new).collect();
        comparison.with(packages)
    }

    /// Two states of which no package is compared yet.
    pub fn begin(before: S, after: S, levels: &'c Levels, scope: Scope<'c, S>) -> Self {
        let (old, new) = (before.state(), after.state());
        let others = scope.others.iter().filter(|_| scope.runtime.has_v1());
        let object = |other: &S| Some((V1Cluster::other(scope.cluster, *other)?, other.state().catalog));
        let is_read = ![before, after].into_iter().any(Side::is_unread);
        let is_new = |name: &&str| is_read && scope.has(name) && old.catalog.package(name).is_none();
        let is_of_part = !scope.is_whole && scope.packages.is_empty() && is_fragment(old.catalog, new.catalog);
        let is_left_out = |name: &&str| {
            scope.has(name) && (!after.mirrors(name) || is_of_part && new.catalog.package(name).is_none())
        };
        Self {
            before,
            after,
            old,
            new,
            levels,
            runtime: scope.runtime,
            is_read,
            at_fault: at_fault([before, after]),
            comments: [before, after].map(Side::ignored),
            objects: others.filter_map(object).collect(),
            packages: Vec::new(),
            added: names(new.catalog).filter(is_new).collect(),
            left_out: names(old.catalog).filter(is_left_out).collect(),
            not_comparable: Vec::new(),
            searches: None,
            budget: Rc::new(Budget::of(0, 0, scope.budget.clone())),
            scope,
        }
    }

    /// The packages that are compared, by name: those of the state before, and new ones, which another catalog may have.
    pub fn names(&self) -> Vec<&'c str> {
        let is_meant = |name: &&str| self.scope.has(name) && self.left_out.binary_search(name).is_err();
        let mut names: Vec<&str> = names(self.old.catalog).filter(is_meant).chain(self.added.iter().copied()).collect();
        names.sort_unstable();
        names
    }

    /// Compares a package. `None` for a new one that harms nobody.
    pub fn compare(&self, name: &str) -> Option<Compared> {
        let Some(before) = self.old.catalog.package(name) else {
            let rows = self.ambiguous(&self.new.catalog.package(name)?.name);
            let comparison = PackageComparison { package: name.into(), rows };
            let is_shown = !comparison.rows.is_empty();
            return is_shown.then(|| Compared::of(comparison, true, false));
        };
        let after = self.new.catalog.package(name);
        let is_same = |after: &Package| edits(before, after).is_empty();
        let is_served = self.old.rejected.is_none() && self.new.rejected.is_none();
        let is_own = !after.is_some_and(is_same);
        let differs = self.is_read && (!is_served || is_own);
        // A comparison of named packages always shows these.
        let follows = differs && !is_own && self.scope.packages.is_empty();
        let is_innocent = || self.at_fault.as_ref().is_some_and(|at_fault| !at_fault.contains(name));
        let is_as_if_served = differs && is_own && !is_served && is_innocent();
        let [old, new] = if is_as_if_served { self.served() } else { [self.old, self.new] };
        let mut comparison = if differs || (self.is_read && self.scope.all_rows) {
            compare_package(old, new, &before.name, self.runtime)
        } else {
            PackageComparison { package: before.name.clone(), rows: Vec::new() }
        };
        if !differs {
            return Some(Compared::of(comparison, differs, follows));
        }
        // OLM v1 also resolves catalogs that `opm` rejects.
        let rejected = || compare_package(self.old, self.new, &before.name, Runtime::V0);
        let unserved = is_as_if_served.then(|| Box::new(Compared::of(rejected(), differs, true)));
        add_ambiguous(&mut comparison.rows, self.ambiguous(&before.name));
        let texts = Texts { old: &|file| self.before.text(file), new: &|file| self.after.text(file) };
        let mut changes = changes(old, new, &comparison, texts);
        changes.retain(|change| change.rule.matters_to(self.runtime));
        let [of_before, of_after] = &self.comments;
        let of_after = ignored(of_after, after, &comparison, &changes, |row| row.new.head());
        let (ignored, silenced) = match self.scope.by_comments_before {
            true => {
                let ignored = ignored(of_before, Some(before), &comparison, &changes, |row| row.old.head());
                let silenced = of_after.rules_beyond(&ignored, &changes);
                (ignored, silenced)
            }
            false => (of_after, BTreeSet::new()),
        };
        Some(Compared { changes, unserved, ignored, silenced, ..Compared::of(comparison, differs, follows) })
    }

    /// Both states as if `opm` accepted them.
    fn served(&self) -> [State<'c>; 2] {
        [self.old, self.new].map(|state| State { rejected: None, ..state })
    }

    /// The rows of a package for which OLM v1 can no longer choose between catalogs.
    fn ambiguous(&self, name: &PackageName) -> Vec<Row> {
        let object = V1Cluster::compared(self.scope.cluster, self.after);
        let [old, new] =
            [self.old, self.new].map(|state| CatalogState { object: &object, content: Some(state.catalog) });
        let others = self.objects.iter().map(|(object, content)| CatalogState { object, content: Some(content) });
        let others: Vec<CatalogState<'_>> = others.collect();
        ambiguous_extensions(old, new, &others, name, &V1Cluster::selectors(self.scope.cluster, name))
    }

    /// The same with what was found of packages, by name.
    pub fn with(self, packages: Vec<Rc<Compared>>) -> Self {
        let differing = packages.iter().filter(|found| found.differs);
        let states = differing.clone().flat_map(|found| self.states(found)).flatten();
        let entries = states.flat_map(|package| &package.channels).map(|channel| channel.entries.len()).sum();
        let budget = Rc::new(Budget::of(differing.count(), entries, self.scope.budget.clone()));
        let sides = [(self.before, self.old), (self.after, self.new)];
        Self { not_comparable: not_comparable(sides, &packages), packages, budget, ..self }
    }

    /// The same with causes and fixes that were searched before, in this budget.
    pub fn with_searches(self, searches: &'c BTreeMap<String, Search>, budget: Option<&Rc<Budget>>) -> Self {
        let budget = budget.map_or(self.budget, Rc::clone);
        Self { searches: Some(searches), budget, ..self }
    }

    /// A package before and after the change.
    pub fn states(&self, found: &Compared) -> [Option<&'c Package>; 2] {
        [self.old, self.new].map(|state| state.catalog.package(found.comparison.package.as_str()))
    }
}

impl<S> Scope<'_, S> {
    fn has(&self, package: &str) -> bool {
        self.packages.is_empty() || self.packages.contains(&package)
    }
}

/// The packages for which `opm` rejects the catalogs, if that is known of each that it rejects.
fn at_fault<'c>(sides: [impl Side<'c>; 2]) -> Option<BTreeSet<&'c str>> {
    let rejected = sides.into_iter().filter(|side| side.state().rejected.is_some());
    let packages: Option<Vec<_>> = rejected.map(Side::at_fault).collect();
    Some(packages?.into_iter().flatten().collect())
}

fn names(catalog: &Catalog) -> impl Iterator<Item = &str> {
    catalog.packages.iter().map(|package| package.name.as_str())
}

/// Puts rows that are ambiguous in their places, or behind the others of their kind.
fn add_ambiguous(rows: &mut Vec<Row>, ambiguous: Vec<Row>) {
    let key = |row: &Row| (row.updated_by, row.channel.clone(), row.installed.clone());
    let places: BTreeMap<_, usize> = rows.iter().enumerate().map(|(at, row)| (key(row), at)).collect();
    for found in ambiguous {
        match places.get(&key(&found)) {
            Some(&at) => rows[at] = found,
            None => rows.push(found),
        }
    }
    rows.sort_by_key(|row| row.updated_by);
}

/// What the comments of a state ignore: a comment covers a row at its entry, at the head of its channel, at the bundle of either, or
/// at the channel.
fn ignored(
    comments: &[(&str, Span)],
    state: Option<&Package>,
    found: &PackageComparison,
    changes: &[Change],
    head: for<'r> fn(&'r Row) -> Option<&'r BundleName>,
) -> Ignored {
    let (Some(state), false) = (state, comments.is_empty()) else { return Ignored::default() };
    let covers =
        |rule: &str, span: Span| comments.iter().any(|(ignored, covered)| *ignored == rule && covered.contains(span));
    let heads: BTreeMap<&ChannelName, &BundleName> =
        found.subscriptions().filter_map(|row| Some((&row.channel, head(row)?))).collect();
    let is_ignored = |rule: &str, channel: &ChannelName, installed: &BundleName| {
        let Some(listed) = state.channel(channel.as_str()) else { return false };
        let names = || [Some(installed), heads.get(channel).copied()].into_iter().flatten();
        let entries = names().filter_map(|name| listed.entry(name.as_str())).map(|entry| entry.span);
        let bundles = names().filter_map(|name| state.bundle(name.as_str())).map(|bundle| bundle.name.span);
        entries.chain(bundles).chain([listed.span, listed.name.span]).any(|span| covers(rule, span))
    };
    let mut rows = BTreeSet::new();
    for row in &found.rows {
        let (updated_by, channel, installed) = row.key();
        let id = row.rule.map(Rule::id).filter(|id| is_ignored(id, channel, installed));
        rows.extend(id.map(|id| (id, updated_by, channel.clone(), installed.clone())));
    }
    let is_covered = |change: &Change| change.edit.span(state).is_some_and(|span| covers(change.rule.id(), span));
    let changes = changes.iter().enumerate().filter(|(_, change)| is_covered(change)).map(|(at, _)| at);
    Ignored { rows, changes: changes.collect() }
}

/// What a row is for those who accept it.
fn of_row<'f>(found: &'f Compared, rule: Rule, row: &'f Row) -> Difference<'f> {
    Difference {
        rule: rule.id(),
        package: found.comparison.package.as_str(),
        channel: Some(row.channel.as_str()),
        bundle: Some((row.installed.as_str(), row.version.as_ref())),
    }
}

impl<'c, S: Side<'c>> Comparison<'c, S> {
    /// The rows of the runtimes that the comparison is about.
    pub fn rows<'f>(&self, found: &'f Compared) -> impl Iterator<Item = &'f Row> + Clone + use<'c, 'f, S> {
        let has_v0 = self.runtime.has_v0();
        found.comparison.rows.iter().filter(move |row| has_v0 || row.updated_by.is_v1())
    }

    /// The level of a row, if it has a rule that is not switched off, no comment ignores it, and the comparison is about its
    /// runtime.
    pub fn level(&self, found: &Compared, row: &Row) -> Option<Level> {
        self.rule_level(found, row).filter(|_| row.updated_by.is_v1() || self.runtime.has_v0())
    }

    /// The same, whatever the comparison is about.
    pub fn rule_level(&self, found: &Compared, row: &Row) -> Option<Level> {
        let rule = row.rule?;
        let is_shown = || !found.ignored.has(rule.id(), row) && !self.levels.accepts(of_row(found, rule, row));
        self.levels.of(rule.id(), rule.level()).filter(|_| is_shown())
    }

    /// The changes with their levels, without those that are switched off.
    pub fn changes<'f>(&self, found: &'f Compared) -> Vec<(Level, &'f Change)> {
        let level = |change: &Change| self.levels.of(change.rule.id(), change.rule.level());
        let is_shown = |(at, change): &(usize, &Change)| {
            !found.ignored.changes.contains(at) && !self.levels.accepts(self.of_change(found, change))
        };
        let shown = found.changes.iter().enumerate().filter(is_shown);
        let mut changes: Vec<_> = shown.filter_map(|(_, change)| Some((level(change)?, change))).collect();
        changes.sort_by_key(|(level, _)| Reverse(*level));
        changes
    }

    /// What a change is for those who accept it.
    fn of_change<'f>(&'f self, found: &'f Compared, change: &'f Change) -> Difference<'f> {
        let package = found.comparison.package.as_str();
        let bundle = |name: &'f BundleName| {
            let of = |catalog: &'f Catalog| catalog.package(package)?.bundle(name.as_str())?.version();
            (name.as_str(), of(self.old.catalog).or_else(|| of(self.new.catalog)))
        };
        let (channel, bundle) = match &change.edit {
            Edit::ChannelRemoved(channel) | Edit::ChannelAdded(channel) => (Some(channel), None),
            Edit::Entry { channel, entry, .. } => (Some(channel), Some(bundle(entry))),
            Edit::Bundle { bundle: name, .. } => (None, Some(bundle(name))),
            Edit::DefaultChannel | Edit::Deprecation(_) | Edit::Lifecycle => (None, None),
        };
        Difference { rule: change.rule.id(), package, channel: channel.map(ChannelName::as_str), bundle }
    }

    /// Which differences are accepted, and which are no longer: a sentence each.
    pub(super) fn accepted_texts(&self) -> Vec<String> {
        let differences = self.packages.iter().filter(|found| !found.follows).flat_map(|found| {
            let rows = self.rows(found).filter_map(|row| Some(of_row(found, row.rule?, row)));
            rows.chain(found.changes.iter().map(|change| self.of_change(found, change)))
        });
        self.levels.accepted_texts(differences)
    }

    /// That the change has comments for its own differences; `None` if it has none.
    pub(super) fn silenced_text(&self) -> Option<String> {
        let rules: BTreeSet<&str> = self.packages.iter().flat_map(|found| found.silenced.iter().copied()).collect();
        let count = "a comment counts once it is merged";
        (!rules.is_empty()).then(|| format!("The change has comments that ignore {} here; {count}", name_list(rules)))
    }

    /// For how many groups of rows causes and fixes were not searched to the end, because that would take too long.
    pub fn unsearched(&self) -> usize {
        self.budget.unsearched()
    }

    /// Whether something changes.
    pub fn is_changed(&self, found: &Compared) -> bool {
        self.worst(found).is_some()
    }

    /// Whether `opm` accepts the catalog after the change.
    pub const fn is_served_after(&self) -> bool {
        self.new.rejected.is_none()
    }

    /// The packages that a report shows: those that change, without those that only follow the rejection of a catalog.
    pub fn shown(&self) -> impl Iterator<Item = &Rc<Compared>> {
        self.packages.iter().filter(|found| self.is_changed(found) && !found.follows)
    }

    /// The packages that the counts are about: those that are shown. If none of these is at fault for the rejection of a catalog
    /// (for instance a new package is), all that follow it.
    pub fn counting(&self) -> Vec<&Compared> {
        let shown: Vec<&Compared> = self.shown().map(|found| &**found).collect();
        let following: Vec<&Compared> = self.following_packages().collect();
        let is_at_fault = shown.iter().any(|found| found.unserved.is_none());
        if is_at_fault || following.is_empty() { shown } else { following }
    }

    /// What becomes of packages only because `opm` rejects one of the catalogs.
    fn following_packages(&self) -> impl Iterator<Item = &Compared> {
        self.as_served().filter(|found| found.follows && self.is_changed(found))
    }

    /// The packages, with what follows from the rejection of a catalog.
    pub(crate) fn as_served(&self) -> impl Iterator<Item = &Compared> {
        self.packages.iter().map(|found| found.unserved.as_deref().unwrap_or(found))
    }

    /// Whether OLM gets nothing any more, because `opm` rejects the catalog.
    pub(crate) fn stops(&self) -> bool {
        self.runtime.has_v0() && self.old.rejected.is_none() && !self.is_served_after()
    }

    /// Whether all was compared and nothing changes.
    pub fn is_unchanged(&self, found: &Compared) -> bool {
        let is_about = |known: &NotComparable| {
            known.package.as_deref().is_none_or(|package| package == found.comparison.package.as_str())
        };
        !self.is_changed(found) && !self.not_comparable.iter().any(is_about)
    }

    /// The groups of rows: those of OLM v0 before those of OLM v1, the worst first.
    pub fn findings<'f>(&self, found: &'f Compared) -> Vec<Finding<'f>> {
        let mut search = Search::default();
        match self.searches {
            Some(searches) => self.explained(found, searches.get(found.comparison.package.as_str()).unwrap_or(&search)),
            None => {
                self.search(found, &mut search, &self.budget);
                self.explained(found, &search)
            }
        }
    }

    /// Whether a report has a group of Subscriptions of a package that repairs may help.
    pub fn has_stuck(&self, found: &Compared) -> bool {
        let may_help = |rule: Rule| rule == Rule::V0StillStranded || rule.level() >= Level::Risky;
        self.rows(found).any(|row| !row.updated_by.is_v1() && row.rule.is_some_and(may_help))
    }

    /// Whether channels of the state after the change are repaired: somebody edits its text, and it is about OLM v0.
    pub fn has_repairs(&self) -> bool {
        self.after.is_editable() && !self.is_mirror() && self.is_read && self.runtime.has_v0()
    }

    /// Of how many groups of a package causes and fixes are not searched.
    pub fn unexplained(&self, found: &Compared) -> usize {
        let search = self.searches.and_then(|searches| searches.get(found.comparison.package.as_str()));
        self.groups(found).len() - search.map_or(0, |search| search.found.len())
    }

    /// Goes on with the search for causes and fixes of a package. Returns whether it has ended.
    pub fn search(&self, found: &Compared, search: &mut Search, budget: &Budget) -> bool {
        let listings = &|| Listings {
            old: self.before.listing(),
            new: self.after.listing(),
            others: self.scope.others.iter().filter(|other| other.is_accepted()).map(|other| other.listing()).collect(),
        };
        let [old, new] = if found.unserved.is_some() { self.served() } else { [self.old, self.new] };
        let comparison = &found.comparison;
        let of = Explained { old, new, comparison, is_written: !self.is_mirror(), listings };
        search.advance(of, &self.groups(found), budget)
    }

    /// The groups with what the search has found of them so far.
    fn explained<'f>(&self, found: &'f Compared, search: &Search) -> Vec<Finding<'f>> {
        let explanations = search.found.iter().cloned().map(Some).chain(std::iter::repeat(None));
        let findings = self.groups(found).into_iter().zip(explanations).filter_map(|(group, explanation)| {
            let level = self.level(found, group.first)?;
            Some(Finding { group, level, explanation: explanation.unwrap_or_default() })
        });
        let mut findings: Vec<Finding<'_>> = findings.collect();
        findings.sort_by_key(|finding| (finding.group.first.updated_by.is_v1(), Reverse(finding.level)));
        findings
    }

    /// The groups in the order in which they are explained.
    fn groups<'f>(&self, found: &'f Compared) -> Vec<Group<'f>> {
        groups(self.rows(found).filter(|row| found.differs && self.level(found, row).is_some()))
    }

    /// The work for causes and fixes.
    pub const fn budget(&self) -> &Rc<Budget> {
        &self.budget
    }

    /// Whether the new state is a mirror, whose text nobody writes: places are those of the old state.
    pub fn is_mirror(&self) -> bool {
        self.after.is_mirror()
    }
}
