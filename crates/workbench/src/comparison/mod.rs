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
    Budget, Causes, Change, ChannelState, Edit, ExtensionGroup, ExtensionRow, Group, Level, Listings,
    PackageComparison, Row, Runtime, State, SubscriptionComparison, Texts, VerifiedFix, ambiguous_extensions, changes,
    compare_extensions, compare_package, edits, extension_fixes, extension_groups, fixes, groups, shortened,
    with_dependencies,
};
use extension::{CatalogState, ClusterCatalog};
use levels::Levels;
use lint::IgnoreComment;
use predicate::PackageName;
use source::{FileId, Span, UnknownRule};
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
    /// Its rows; none of a package that does not differ, unless all rows are wanted.
    pub found: PackageComparison,
    /// The same under OLM v1, if it is asked for.
    pub extensions: Vec<ExtensionRow>,
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
    /// Rules, channels and names; no channel for extensions that name none.
    rows: BTreeSet<(&'static str, Option<ChannelName>, BundleName)>,
    /// Indices of changes.
    changes: BTreeSet<usize>,
}

impl Ignored {
    fn has(&self, rule: &'static str, channel: Option<&ChannelName>, installed: &BundleName) -> bool {
        !self.rows.is_empty() && self.rows.contains(&(rule, channel.cloned(), installed.clone()))
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
    /// What OLM does with the first row when it resolves all that the versions require, if that is something else.
    pub simulated: Option<SubscriptionComparison>,
}

/// A group of rows under OLM v1, with the same.
pub struct ExtensionFinding<'c> {
    /// The rows.
    pub group: ExtensionGroup<'c>,
    /// The level of its rule.
    pub level: Level,
    /// The edits that its first row is due to.
    pub cause: Vec<Edit>,
    /// Changes that were tried and help.
    pub fixes: Vec<VerifiedFix>,
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
        let broken = comparison.rows.iter().find(|row| row.old.state == ChannelState::Broken);
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
                compare_package(old, new, &package.name)
            } else {
                nothing(&package.name)
            };
            if !is_read {
                rows.rows.iter_mut().for_each(|row| row.rule = None);
            }
            let mut extensions = Vec::new();
            if scope.runtime.has_v1() {
                extensions = compare_extensions(old, new, &package.name, &rows.rows);
            }
            if differs && is_read {
                extensions = with_ambiguous(extensions, ambiguous(&package.name));
            }
            let mut changes = if differs { changes(old, new, &rows, texts) } else { Vec::new() };
            changes.retain(|change| scope.runtime.has_v1() || !change.rule.is_about_v1());
            let ignored = ignored(&comments, after.filter(|_| differs), &rows, &extensions, &changes);
            Compared { old: Some(package), new: after, found: rows, extensions, changes, differs, ignored }
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
            let extensions = ambiguous(&package.name);
            let found = nothing(&package.name);
            let (changes, ignored) = (Vec::new(), Ignored::default());
            let is_shown = !extensions.is_empty();
            is_shown.then_some(Compared {
                old: None,
                new: Some(package),
                found,
                extensions,
                changes,
                differs: true,
                ignored,
            })
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

/// The rows, with those that are ambiguous in their places or at the end.
fn with_ambiguous(mut rows: Vec<ExtensionRow>, ambiguous: Vec<ExtensionRow>) -> Vec<ExtensionRow> {
    let key = |row: &ExtensionRow| (row.channel.clone(), row.installed.clone());
    let places: BTreeMap<_, usize> = rows.iter().enumerate().map(|(at, row)| (key(row), at)).collect();
    for found in ambiguous {
        match places.get(&key(&found)) {
            Some(&at) => {
                let row = &mut rows[at];
                let cases = [(&mut row.all, found.all), (&mut row.one, found.one)];
                cases.into_iter().filter(|(_, found)| found.rule.is_some()).for_each(|(case, found)| *case = found);
            }
            None => rows.push(found),
        }
    }
    rows
}

/// What comments ignore: a comment covers a row at its entry, at the head of its channel, or at the channel.
fn ignored(
    comments: &[&IgnoreComment],
    after: Option<&Package>,
    found: &PackageComparison,
    extensions: &[ExtensionRow],
    changes: &[Change],
) -> Ignored {
    let (Some(after), false) = (after, comments.is_empty()) else { return Ignored::default() };
    let covers = |rule: &str, span: Span| {
        let is_it = |comment: &&IgnoreComment| matches!(&comment.rule, Err(UnknownRule(id)) if id == rule);
        comments.iter().copied().filter(is_it).any(|comment| comment.covers.contains(span))
    };
    let heads: BTreeMap<&ChannelName, &BundleName> =
        found.rows.iter().filter_map(|row| Some((&row.channel, row.new.head()?))).collect();
    let is_ignored = |rule: &str, channel: &ChannelName, installed: &BundleName| {
        let Some(listed) = after.channel(channel.as_str()) else { return false };
        let head = heads.get(channel).and_then(|head| listed.entry(head.as_str()));
        let entries = [listed.entry(installed.as_str()), head].into_iter().flatten().map(|entry| entry.span);
        entries.chain([listed.span, listed.name.span]).any(|span| covers(rule, span))
    };
    let mut rows = BTreeSet::new();
    for Row { channel, installed, rule, .. } in &found.rows {
        let id = rule.map(|rule| rule.id()).filter(|id| is_ignored(id, channel, installed));
        rows.extend(id.map(|id| (id, Some(channel.clone()), installed.clone())));
    }
    for row in extensions {
        for channel in [None, Some(&row.channel)] {
            let id = row.case(channel).rule.map(|rule| rule.rule().id);
            let id = id.filter(|id| is_ignored(id, &row.channel, &row.installed));
            rows.extend(id.map(|id| (id, channel.cloned(), row.installed.clone())));
        }
    }
    let is_covered = |change: &Change| change.edit.span(after).is_some_and(|span| covers(change.rule.id(), span));
    let changes = changes.iter().enumerate().filter(|(_, change)| is_covered(change)).map(|(at, _)| at);
    Ignored { rows, changes: changes.collect() }
}

fn nothing(package: &PackageName) -> PackageComparison {
    PackageComparison { package: package.clone(), rows: Vec::new() }
}

impl Comparison<'_> {
    /// The level of a row, if it has a rule that is not switched off, and no comment ignores it.
    #[must_use]
    pub fn level(&self, found: &Compared<'_>, row: &Row) -> Option<Level> {
        let rule = row.rule.filter(|_| self.runtime.has_v0())?;
        let is_ignored = found.ignored.has(rule.id(), Some(&row.channel), &row.installed);
        self.levels.of(rule.id(), rule.level()).filter(|_| !is_ignored)
    }

    /// The same under OLM v1 with extensions that name this channel, or none.
    #[must_use]
    pub fn case_level(&self, found: &Compared<'_>, row: &ExtensionRow, channel: Option<&ChannelName>) -> Option<Level> {
        let rule = row.case(channel).rule?.rule();
        let is_ignored = found.ignored.has(rule.id, channel, &row.installed);
        self.levels.of(rule.id, rule.level).filter(|_| !is_ignored)
    }

    /// The worst level of a row about OLM v1. Levels are the user's, so that the worst rule need not have it.
    fn extension_row_level(&self, found: &Compared<'_>, row: &ExtensionRow) -> Option<Level> {
        let channels = [None, Some(&row.channel)].into_iter();
        channels.filter_map(|channel| self.case_level(found, row, channel)).max()
    }

    /// All cases under OLM v1: extensions that name no channels, once for each installed bundle, then those that name one.
    pub fn extension_cases<'f>(
        &self,
        found: &'f Compared<'_>,
    ) -> impl Iterator<Item = (&'f ExtensionRow, Option<&'f ChannelName>)> + use<'f> {
        let mut known = BTreeSet::new();
        let firsts = found.extensions.iter().filter(move |row| known.insert(&row.installed));
        firsts.map(|row| (row, None)).chain(found.extensions.iter().map(|row| (row, Some(&row.channel))))
    }

    /// What becomes of installed versions under OLM v1: the groups of rows, the worst first.
    #[must_use]
    pub fn extension_findings<'f>(&self, found: &'f Compared<'_>) -> Vec<ExtensionFinding<'f>> {
        let mut causes = self.causes(found);
        let groups = extension_groups(&found.extensions).into_iter().filter(|_| found.differs);
        let findings = groups.filter_map(|mut group| {
            let channel = group.channel;
            group.rows.retain(|row| self.case_level(found, row, channel).is_some());
            let level = self.case_level(found, group.rows.first()?, channel)?;
            let (cause, fixes) = self.budget.group(|| {
                let cause =
                    causes.as_mut().map(|causes| causes.of_extension(group.rows[0], group.channel, &self.budget));
                let rows = (&found.found, &found.extensions[..]);
                let fixes =
                    (!self.is_mirror()).then(|| extension_fixes(self.old, self.new, rows, &group, &self.budget));
                (cause.unwrap_or_default(), fixes.unwrap_or_default())
            });
            Some(ExtensionFinding { group, level, cause, fixes })
        });
        let mut findings: Vec<ExtensionFinding<'_>> = findings.collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        findings
    }

    /// The changes with their levels, without those that are switched off.
    #[must_use]
    pub fn changes<'f>(&self, found: &'f Compared<'_>) -> Vec<(Level, &'f Change)> {
        let level = |change: &Change| self.levels.of(change.rule.id(), change.rule.level());
        let shown = found.changes.iter().enumerate().filter(|(at, _)| !found.ignored.changes.contains(at));
        let mut changes: Vec<_> = shown.filter_map(|(_, change)| Some((level(change)?, change))).collect();
        changes.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
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
        let is_shown = found.differs && self.runtime.has_v0();
        let rows = found.found.rows.iter().filter(|row| is_shown && row.rule.is_some());
        let rows = rows.filter(|row| self.level(found, row).is_none()).count();
        let extensions = found.extensions.iter().filter(|row| found.differs && row.rule().is_some());
        let extensions = extensions.filter(|row| self.extension_row_level(found, row).is_none()).count();
        rows + extensions + found.changes.len() - self.changes(found).len()
    }

    /// How many rows and changes of a package have each level.
    #[must_use]
    pub fn levels_of(&self, found: &Compared<'_>) -> BTreeMap<Level, usize> {
        let rows = found.found.rows.iter().filter(|_| found.differs).filter_map(|row| self.level(found, row));
        let changes = self.changes(found).into_iter().map(|(level, _)| level);
        let extensions = found.extensions.iter().filter(|_| found.differs);
        let extensions = extensions.filter_map(|row| self.extension_row_level(found, row));
        let mut levels = BTreeMap::new();
        rows.chain(extensions).chain(changes).for_each(|level| *levels.entry(level).or_default() += 1);
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

    /// The groups of rows, the worst first.
    #[must_use]
    pub fn findings<'f>(&self, found: &'f Compared<'_>) -> Vec<Finding<'f>> {
        let mut causes = self.causes(found);
        let groups = groups(&found.found.rows).into_iter().filter(|_| found.differs);
        let findings = groups.filter_map(|mut group| {
            group.rows.retain(|row| self.level(found, row).is_some());
            let level = self.level(found, group.rows.first()?)?;
            let first = group.rows[0];
            let (cause, fixes, simulated) = self.budget.group(|| {
                let cause = causes.as_mut().map(|causes| causes.of(first, &self.budget)).unwrap_or_default();
                let fixes = self.fixes(found, &group);
                let simulated =
                    self.budget.take(first.old.len + first.new.len).and_then(|()| self.simulated(found, first));
                (cause, fixes, simulated)
            });
            Some(Finding { level, cause, fixes, simulated, group })
        });
        let mut findings: Vec<Finding<'_>> = findings.collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.level));
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
