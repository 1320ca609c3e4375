//! The comparison of two catalogs, or of a catalog with what it was before it was edited: what `compare` finds, with the
//! user's levels, the places in the texts, and the words that the page and all reports share.

pub mod levels;
pub mod markdown;
mod mermaid;
mod side;
mod source_diff;
mod v1_cluster;
pub mod words;

pub use side::Side;
pub use source_diff::source_diff;
pub use v1_cluster::V1Cluster;

use crate::CatalogInput;
use catalog::{BundleName, Catalog, ChannelName, Package};
use compare::{
    Budget, Causes, Change, ChannelState, Edit, Group, Level, Listings, PackageComparison, Row, Rule, Runtime, State,
    SubscriptionComparison, Texts, UpdatedBy, VerifiedFix, ambiguous_extensions, changes, compare_package, edits,
    fixes, groups, shortened, with_dependencies,
};
use extension::{CatalogState, ClusterCatalog};
use levels::Levels;
use lint::IgnoreComment;
use predicate::PackageName;
use source::{FileId, Span, UnknownRule};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use views::{FileKey, Place};

/// Two states of a catalog.
pub struct Comparison<'c> {
    /// The state before the change.
    pub before: Side<'c>,
    /// The state after it.
    pub after: Side<'c>,
    old: State<'c>,
    new: State<'c>,
    levels: &'c Levels,
    /// The versions of OLM that it is about.
    pub runtime: Runtime,
    /// The other catalogs of the cluster.
    others: Vec<&'c CatalogInput>,
    /// The packages of the state before, by name.
    pub packages: Vec<Compared<'c>>,
    /// The packages that the new state alone has, by name. They harm nobody.
    pub added: Vec<&'c str>,
    /// The packages that the new state lacks on purpose, because it is a mirror of others, by name.
    pub unmirrored: Vec<&'c str>,
    /// What could not be compared, and why.
    pub not_comparable: Vec<NotComparable>,
    /// The work that is left for causes and fixes.
    budget: Budget,
}

/// A package in both states.
pub struct Compared<'c> {
    /// Before.
    pub old: Option<&'c Package>,
    /// After.
    pub new: Option<&'c Package>,
    /// Its rows; none of a package that does not differ, unless all rows are wanted. Those of OLM v0 are there for OLM v1
    /// alone too, but have no level.
    pub found: PackageComparison,
    /// What else changed.
    pub changes: Vec<Change>,
    /// Whether the states differ in anything that matters.
    differs: bool,
    /// What comments in the state after the change ignore.
    ignored: Ignored,
}

/// The rows and changes that `# opscope-ignore:` comments cover.
#[derive(Default)]
struct Ignored {
    /// Rules, with what tells a row from others.
    rows: BTreeSet<(&'static str, UpdatedBy, ChannelName, BundleName)>,
    /// Indices of changes.
    changes: BTreeSet<usize>,
}

impl Ignored {
    fn has(&self, rule: &'static str, row: &Row) -> bool {
        let (updated_by, channel, installed) = row.key();
        !self.rows.is_empty() && self.rows.contains(&(rule, updated_by, channel.clone(), installed.clone()))
    }
}

/// A group of rows, with its level, the edits that it is due to, and fixes.
pub struct Finding<'c> {
    /// The rows.
    pub group: Group<'c>,
    /// The level of its rule.
    pub level: Level,
    /// The edits that its first row is due to.
    pub cause: Vec<Edit>,
    /// Changes that were tried and help.
    pub fixes: Vec<VerifiedFix>,
    /// Of OLM v0: what it does with the first row when it resolves all that the versions require, if that is something else.
    pub simulated: Option<SubscriptionComparison>,
}

/// Something that cannot be compared.
pub struct NotComparable {
    /// `before` or `after`.
    pub side: &'static str,
    /// The package; absent for the whole catalog.
    pub package: Option<String>,
    /// Why.
    pub reason: String,
}

impl NotComparable {
    /// What it is about, and why.
    #[must_use]
    pub fn text(&self) -> String {
        let package = self.package.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
        format!("{package}{}: {}", self.side, self.reason)
    }
}

/// Which packages and rows are compared.
#[derive(Clone, Copy, Default)]
pub struct Scope<'c, 's> {
    /// The other catalogs of the cluster, which are the same before and after the change.
    pub others: &'c [CatalogInput],
    /// Only this package.
    pub package: Option<&'s str>,
    /// Whether packages that do not differ have rows.
    pub all_rows: bool,
    /// The versions of OLM that decide.
    pub runtime: Runtime,
    /// The objects of OLM v1 of the cluster, if there is one.
    pub cluster: Option<V1Cluster<'c>>,
}

/// Sides that `opm` rejects or that have no package, files that cannot be read, and packages with channels that could not
/// be ordered before.
fn not_comparable(sides: [(&'static str, Side<'_>, State<'_>); 2], packages: &[Compared<'_>]) -> Vec<NotComparable> {
    let mut found = Vec::new();
    for (side, of, state) in sides {
        let whole = |reason: String| NotComparable { side, package: None, reason };
        found.extend(state.rejected.map(|text| {
            let place = of.rejection_place().map(|place| format!(" ({place})")).unwrap_or_default();
            whole(format!("opm rejects the catalog: {text}{place}"))
        }));
        found.extend(of.analysis().unread().map(|found| {
            let file = of.input.file(FileKey(found.span.file.0)).map_or("", |file| file.path.as_str());
            whole(format!("{file}: {}", found.message))
        }));
        if state.catalog.packages.is_empty() && state.rejected.is_none() {
            found.push(whole("it has no package, so there is nothing to compare".to_owned()));
        }
    }
    let [(side, _, old), _] = sides;
    for Compared { found: comparison, .. } in packages.iter().filter(|found| found.differs && old.rejected.is_none()) {
        let broken = comparison.subscriptions().find(|row| row.old.state == ChannelState::Broken);
        found.extend(broken.map(|row| NotComparable {
            side,
            package: Some(comparison.package.to_string()),
            reason: format!(
                "OLM cannot order channel `{}`: {}",
                row.channel,
                shortened(row.old.error_text().unwrap_or_default())
            ),
        }));
    }
    found
}

impl<'c> Comparison<'c> {
    /// Compares two states.
    #[must_use]
    pub fn of(before: Side<'c>, after: Side<'c>, levels: &'c Levels, scope: Scope<'c, '_>) -> Self {
        let (old, new) = (before.state(), after.state());
        let comments = after.ignore_comments();
        let texts = Texts { old: &|file| before.text(file), new: &|file| after.text(file) };
        let is_other = |input: &&CatalogInput| ![before.input.id, after.input.id].contains(&input.id);
        let objects: Vec<(ClusterCatalog, &Catalog)> = if scope.runtime.has_v1() {
            let others = scope.others.iter().filter(is_other);
            let object = |input| V1Cluster::other(scope.cluster, input);
            others.filter_map(|input| Some((object(input)?, &input.analysis.catalog))).collect()
        } else {
            Vec::new()
        };
        let other_states: Vec<CatalogState<'_>> =
            objects.iter().map(|(object, content)| CatalogState { object, content: Some(content) }).collect();
        let object = V1Cluster::compared(scope.cluster, after.input);
        let ambiguous = |name: &PackageName| {
            let [old, new] = [old, new].map(|state| CatalogState { object: &object, content: Some(state.catalog) });
            ambiguous_extensions(old, new, &other_states, name, &V1Cluster::selectors(scope.cluster, name))
        };
        let is_wanted = |name: &str| scope.package.is_none_or(|wanted| wanted == name);
        // What cannot be read is not judged: half of a text must look neither good nor bad.
        let is_read = ![before, after].into_iter().any(Side::is_unread);
        let compared = |package: &'c Package| {
            let after = after.package(package.name.as_str());
            let is_same = |after: &Package| edits(package, after).is_empty();
            let is_served = old.rejected.is_none() && new.rejected.is_none();
            let differs = is_read && (!is_served || !after.is_some_and(is_same));
            let mut rows = if differs || scope.all_rows {
                compare_package(old, new, &package.name, scope.runtime)
            } else {
                nothing(&package.name)
            };
            if !is_read {
                rows.rows.iter_mut().for_each(|row| row.rule = None);
            }
            if differs && is_read {
                add_ambiguous(&mut rows.rows, ambiguous(&package.name));
            }
            let mut changes = if differs { changes(old, new, &rows, texts) } else { Vec::new() };
            changes.retain(|change| scope.runtime.has_v1() || !change.rule.is_about_v1());
            let ignored = ignored(&comments, after.filter(|_| differs), &rows, &changes);
            Compared { old: Some(package), new: after, found: rows, changes, differs, ignored }
        };
        let packages = old.catalog.packages.iter().filter(|package| is_wanted(package.name.as_str()));
        let mirrored = after.input.mirrored.as_ref();
        let is_meant = |package: &&Package| mirrored.is_none_or(|mirrored| mirrored.has(package.name.as_str()));
        let (packages, unmirrored): (Vec<&Package>, Vec<&Package>) = packages.partition(is_meant);
        let mut packages: Vec<Compared<'c>> = packages.into_iter().map(compared).collect();
        let unmirrored = unmirrored.into_iter().map(|package| package.name.as_str()).collect();
        let not_comparable = not_comparable([("before", before, old), ("after", after, new)], &packages);
        let is_new = |name: &&str| is_read && is_wanted(name) && old.catalog.package(name).is_none();
        let added = new.catalog.packages.iter().map(|package| package.name.as_str()).filter(is_new).collect();
        // Another catalog may have what is new here.
        let added_packages = new.catalog.packages.iter().filter(|package| is_new(&package.name.as_str()));
        packages.extend(added_packages.filter_map(|package| {
            let found = PackageComparison { rows: ambiguous(&package.name), ..nothing(&package.name) };
            let (changes, ignored) = (Vec::new(), Ignored::default());
            let is_shown = !found.rows.is_empty();
            is_shown.then_some(Compared { old: None, new: Some(package), found, changes, differs: true, ignored })
        }));
        packages.sort_by(|a, b| a.found.package.cmp(&b.found.package));
        let others = scope.others.iter().filter(is_other).filter(|input| input.is_accepted()).collect();
        let runtime = scope.runtime;
        let differing = packages.iter().filter(|found| found.differs);
        let channels = differing.clone().flat_map(|found| [found.old, found.new]).flatten();
        let entries = channels.flat_map(|package| &package.channels).map(|channel| channel.entries.len()).sum();
        let budget = Budget::of(differing.count(), entries);
        Self { before, after, old, new, levels, runtime, others, packages, added, unmirrored, not_comparable, budget }
    }
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

/// What comments ignore: a comment covers a row at its entry, at the head of its channel, or at the channel.
fn ignored(
    comments: &[&IgnoreComment],
    after: Option<&Package>,
    found: &PackageComparison,
    changes: &[Change],
) -> Ignored {
    let (Some(after), false) = (after, comments.is_empty()) else { return Ignored::default() };
    let covers = |rule: &str, span: Span| {
        let is_it = |comment: &&IgnoreComment| matches!(&comment.rule, Err(UnknownRule(id)) if id == rule);
        comments.iter().copied().filter(is_it).any(|comment| comment.covers.contains(span))
    };
    let heads: BTreeMap<&ChannelName, &BundleName> =
        found.subscriptions().filter_map(|row| Some((&row.channel, row.new.head()?))).collect();
    let is_ignored = |rule: &str, channel: &ChannelName, installed: &BundleName| {
        let Some(listed) = after.channel(channel.as_str()) else { return false };
        let head = heads.get(channel).and_then(|head| listed.entry(head.as_str()));
        let entries = [listed.entry(installed.as_str()), head].into_iter().flatten().map(|entry| entry.span);
        entries.chain([listed.span, listed.name.span]).any(|span| covers(rule, span))
    };
    let mut rows = BTreeSet::new();
    for row in &found.rows {
        let (updated_by, channel, installed) = row.key();
        let id = row.rule.map(Rule::id).filter(|id| is_ignored(id, channel, installed));
        rows.extend(id.map(|id| (id, updated_by, channel.clone(), installed.clone())));
    }
    let is_covered = |change: &Change| change.edit.span(after).is_some_and(|span| covers(change.rule.id(), span));
    let changes = changes.iter().enumerate().filter(|(_, change)| is_covered(change)).map(|(at, _)| at);
    Ignored { rows, changes: changes.collect() }
}

fn nothing(package: &PackageName) -> PackageComparison {
    PackageComparison { package: package.clone(), rows: Vec::new() }
}

impl Comparison<'_> {
    /// The rows of the runtimes that the comparison is about.
    pub fn rows<'f>(&self, found: &'f Compared<'_>) -> impl Iterator<Item = &'f Row> + Clone + use<'f> {
        let has_v0 = self.runtime.has_v0();
        found.found.rows.iter().filter(move |row| has_v0 || row.updated_by.is_v1())
    }

    /// The level of a row, if it has a rule that is not switched off, no comment ignores it, and the comparison is about its
    /// runtime.
    #[must_use]
    pub fn level(&self, found: &Compared<'_>, row: &Row) -> Option<Level> {
        let rule = row.rule.filter(|_| row.updated_by.is_v1() || self.runtime.has_v0())?;
        self.levels.of(rule.id(), rule.level()).filter(|_| !found.ignored.has(rule.id(), row))
    }

    /// What counts as one: a row with a Subscription; a row with an extension that names the channel, together with the one
    /// that names none. With the worst level, and whether there is a rule.
    fn counted(&self, found: &Compared<'_>) -> Vec<(Option<Level>, bool)> {
        let (of_any, others): (Vec<&Row>, Vec<&Row>) =
            self.rows(found).filter(|_| found.differs).partition(|row| row.updated_by == UpdatedBy::Extension);
        let mut of_any: BTreeMap<&BundleName, (&Row, bool)> =
            of_any.into_iter().map(|row| (&row.installed, (row, false))).collect();
        let mut counted: Vec<Vec<&Row>> = Vec::new();
        for row in others {
            let other = of_any.get_mut(&row.installed).filter(|_| row.updated_by.is_v1());
            let other = other.map(|(other, is_counted)| {
                *is_counted = true;
                *other
            });
            counted.push(std::iter::once(row).chain(other).collect());
        }
        counted.extend(of_any.into_values().filter(|(_, is_counted)| !is_counted).map(|(row, _)| vec![row]));
        let worst = |rows: &Vec<&Row>| rows.iter().filter_map(|row| self.level(found, row)).max();
        counted.iter().map(|rows| (worst(rows), rows.iter().any(|row| row.rule.is_some()))).collect()
    }

    /// The changes with their levels, without those that are switched off.
    #[must_use]
    pub fn changes<'f>(&self, found: &'f Compared<'_>) -> Vec<(Level, &'f Change)> {
        let level = |change: &Change| self.levels.of(change.rule.id(), change.rule.level());
        let shown = found.changes.iter().enumerate().filter(|(at, _)| !found.ignored.changes.contains(at));
        let mut changes: Vec<_> = shown.filter_map(|(_, change)| Some((level(change)?, change))).collect();
        changes.sort_by_key(|(level, _)| Reverse(*level));
        changes
    }

    /// For how many groups of rows causes and fixes were not searched to the end, because that would take too long.
    #[must_use]
    pub const fn unsearched(&self) -> usize {
        self.budget.unsearched()
    }

    /// Whether both states can be read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        ![self.before, self.after].into_iter().any(Side::is_unread)
    }

    /// How many rows and changes of a package are hidden, by a comment or because their rules are off.
    #[must_use]
    pub fn hidden(&self, found: &Compared<'_>) -> usize {
        let rows = self.counted(found).into_iter().filter(|(level, has_rule)| *has_rule && level.is_none());
        rows.count() + found.changes.len() - self.changes(found).len()
    }

    /// How many rows and changes of a package have each level.
    #[must_use]
    pub fn levels_of(&self, found: &Compared<'_>) -> BTreeMap<Level, usize> {
        let rows = self.counted(found).into_iter().filter_map(|(level, _)| level);
        let changes = self.changes(found).into_iter().map(|(level, _)| level);
        let mut levels = BTreeMap::new();
        rows.chain(changes).for_each(|level| *levels.entry(level).or_default() += 1);
        levels
    }

    /// How many rows and changes of all packages have each level.
    #[must_use]
    pub fn levels(&self) -> BTreeMap<Level, usize> {
        let mut levels = BTreeMap::new();
        for (level, count) in self.packages.iter().flat_map(|found| self.levels_of(found)) {
            *levels.entry(level).or_default() += count;
        }
        levels
    }

    /// The worst level of a package; `None` if nothing changes.
    #[must_use]
    pub fn worst(&self, found: &Compared<'_>) -> Option<Level> {
        self.levels_of(found).into_keys().next_back()
    }

    /// Whether something changes.
    #[must_use]
    pub fn is_changed(&self, found: &Compared<'_>) -> bool {
        self.worst(found).is_some()
    }

    /// Whether all was compared and nothing changes.
    #[must_use]
    pub fn is_unchanged(&self, found: &Compared<'_>) -> bool {
        let is_about = |known: &NotComparable| {
            known.package.as_deref().is_none_or(|package| package == found.found.package.as_str())
        };
        !self.is_changed(found) && !self.not_comparable.iter().any(is_about)
    }

    /// The groups of rows: those of OLM v0 before those of OLM v1, the worst first.
    #[must_use]
    pub fn findings<'f>(&self, found: &'f Compared<'_>) -> Vec<Finding<'f>> {
        let mut causes = self.causes(found);
        let shown = self.rows(found).filter(|row| found.differs && self.level(found, row).is_some());
        let findings = groups(shown).into_iter().filter_map(|group| {
            let (first, level) = (group.first, self.level(found, group.first)?);
            let (cause, fixes, simulated) = self.budget.group(|| {
                let cause = causes.as_mut().map(|causes| causes.of(first, &self.budget)).unwrap_or_default();
                let fixes = self.fixes(found, &group);
                let is_simulated =
                    !first.updated_by.is_v1() && self.budget.take(first.old.len + first.new.len).is_some();
                (cause, fixes, is_simulated.then(|| self.simulated(found, first)).flatten())
            });
            Some(Finding { level, cause, fixes, simulated, group })
        });
        let mut findings: Vec<Finding<'_>> = findings.collect();
        findings.sort_by_key(|finding| (finding.group.first.updated_by.is_v1(), Reverse(finding.level)));
        findings
    }

    /// What OLM does with a row when it resolves all that the versions require, if that is something else.
    fn simulated(&self, found: &Compared<'_>, row: &Row) -> Option<SubscriptionComparison> {
        let states = found.old.zip(found.new).filter(|_| self.old.rejected.is_none() && self.new.rejected.is_none())?;
        with_dependencies(row, states, || Listings {
            old: self.before.listing(),
            new: self.after.listing(),
            others: self.others.iter().map(|input| input.analysis.listing()).collect(),
        })
    }

    /// Finds the causes of rows of a package; `None` if one state does not have it, or if `opm` rejects the new state. A
    /// mirror has one cause alone, that it lacks entries, and the search for the smallest set of them would take long.
    #[must_use]
    pub fn causes<'f>(&self, found: &Compared<'f>) -> Option<Causes<'f>> {
        let is_searched = self.new.rejected.is_none() && !self.is_mirror();
        let (old, new) = found.old.zip(found.new).filter(|_| is_searched)?;
        Some(Causes::new(old, new))
    }

    /// The changes that help the rows of a group; none of a mirror, whose owner does not write the catalog.
    #[must_use]
    pub fn fixes(&self, found: &Compared<'_>, group: &Group<'_>) -> Vec<VerifiedFix> {
        if self.is_mirror() {
            return Vec::new();
        }
        fixes(self.old, self.new, &found.found, group, &self.budget)
    }

    /// Whether the new state is a mirror, whose text nobody writes: places are those of the old state.
    fn is_mirror(&self) -> bool {
        self.after.input.mirrored.is_some()
    }

    /// Where an edit is: in the new state, else in the old one.
    #[must_use]
    pub fn place(&self, found: &Compared<'_>, edit: &Edit) -> Option<Place> {
        let new = found.new.filter(|_| !self.is_mirror());
        let after = new.and_then(|package| edit.span(package)).map(|span| self.after.place(span));
        after.or_else(|| found.old.and_then(|package| edit.span(package)).map(|span| self.before.place(span)))
    }

    /// Where to show a finding: at an edit in the new state, else at the package, which may be in the old state alone.
    #[must_use]
    pub fn place_after(&self, found: &Compared<'_>, edit: Option<&Edit>) -> Option<Place> {
        if self.is_mirror() {
            let edited = edit.and_then(|edit| edit.span(found.old?));
            return edited.or_else(|| found.old?.span()).map(|span| self.before.place(span));
        }
        let edited = edit.and_then(|edit| edit.span(found.new?));
        let package = || found.new.and_then(Package::span);
        let after = edited.or_else(package).map(|span| self.after.place(span));
        after.or_else(|| Some(self.before.place(found.old?.span()?)))
    }

    /// The start of the first file, for what has no place of its own.
    #[must_use]
    pub fn start(&self) -> Option<Place> {
        let side = if self.is_mirror() { self.before } else { self.after };
        let file = side.input.files.first()?;
        Some(side.place(Span::new(FileId(file.key.0), 0, 0)))
    }

    /// An edit in words, with its place.
    #[must_use]
    pub fn cause(&self, found: &Compared<'_>, edit: &Edit) -> (String, Option<Place>) {
        let text = found.old.zip(found.new).map_or_else(String::new, |(old, new)| edit.describe(old, new));
        (text, self.place(found, edit))
    }
}
