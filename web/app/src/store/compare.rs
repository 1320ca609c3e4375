//! Comparing two states of a catalog: which states, what is asked, and the answers.

use super::action::CompareAction;
use super::navigation::{self, select, select_catalog, select_whole};
use super::request::{
    Arrival, command, is_asked, notify, running, send_cluster_query, send_query, set_comparison, stop,
};
use super::table::TableFilter;
use super::{Direction, Effect, NoticeKind, Shared, State, Tab, explore, shown_release};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use views::{
    CatalogId, CatalogRow, ClusterComparisonView, Command, Compared, ComparisonView, GraphView, PackageComparisonView,
    PackageKey, Presence, RowView, SideKey, Take, query,
};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: CompareAction) {
    match action {
        CompareAction::SidesChosen { before, after } => {
            choose(state, effects, before, after);
        }
        CompareAction::Swapped => {
            if let Some((before, after)) = sides(state) {
                choose(state, effects, after, before);
            }
        }
        CompareAction::EditsShown => {
            if let Some(catalog) = edited(state) {
                let side = |is_opened| SideKey { catalog, is_opened };
                state.compare.chosen = named(state, side(true), side(false));
            }
            navigation::show_tab(state, effects, Tab::Compare);
        }
        CompareAction::PackageChosen(key) => {
            state.compare.package = Some(key.package.clone());
            let package = key.package.clone();
            if state.overview.packages.iter().any(|row| row.key == key) {
                select(state, effects, key, None);
                effects.push(Effect::RevealPackage);
            } else if let Some((_, after)) = sides(state).filter(|(_, after)| is_loaded(state, after.catalog)) {
                // The package is gone: the title must not stay with another one.
                select_catalog(state, effects, after.catalog);
            }
            state.compare.package = Some(package);
            ask_package(state, effects);
        }
        CompareAction::Stopped => running(state).into_iter().for_each(|id| stop(state, effects, id)),
        CompareAction::BeforeAwaited => state.compare.awaits_before = true,
        CompareAction::RelationChosen { new, known, relation } => relate(state, effects, (new, known), relation),
        CompareAction::BaselineSet { catalog, baseline } => {
            state.dialog = None;
            command(state, effects, Command::SetBaseline { catalog, baseline });
        }
        CompareAction::LevelsTyped(levels) => {
            state.compare.levels = levels;
            ask(state, effects);
        }
        CompareAction::LevelChosen { rule, level } => {
            state.compare.levels = with_level(&state.compare.levels, &rule, level.as_deref());
            ask(state, effects);
        }
        CompareAction::GraphStepped(direction) => {
            const STATES: [Presence; 3] = [Presence::Before, Presence::Both, Presence::After];
            let shown = STATES.iter().position(|shown| state.graph_changes == Some(*shown));
            let next = shown.and_then(|at| match direction {
                Direction::Later => STATES.get(at + 1),
                Direction::Earlier => STATES.get(at.checked_sub(1)?),
            });
            if let Some(next) = next {
                handle(state, effects, CompareAction::GraphShown(Some(*next)));
            }
        }
        CompareAction::GraphShown(shown) => {
            let was_shown = std::mem::replace(&mut state.graph_changes, shown);
            state.shows_channel_map = false;
            // A package that is gone is one of the state before.
            if let (None, Some(package), Some((before, after))) =
                (&state.selection.package, state.compare.package.clone(), sides(state))
            {
                state.compare.chosen = named(state, before, after);
                select(state, effects, PackageKey { catalog: before.catalog, package }, None);
            }
            if state.tab != Tab::Graph {
                navigation::show_tab(state, effects, Tab::Graph);
            }
            // The three views of a comparison are one drawing, which says what is so in the shown state.
            if was_shown != shown {
                explore::ask_graph(state, effects);
            }
        }
        CompareAction::RowsFiltered(filter) => state.compare.filter = filter,
        CompareAction::RowsCopied => {
            if let Some((_, detail)) = &state.compare.detail {
                effects.push(Effect::Copy(as_markdown(&state.compare.filter.rows(&detail.rows)).into()));
                notify(state, NoticeKind::Copied);
            }
        }
        CompareAction::ReportCopied => {
            if set(state, effects) {
                let with_cluster = state.simulation.has_cluster();
                send_cluster_query(state, effects, query::CompareReport { with_cluster });
            }
        }
    }
}

/// Whether a catalog is one of the cluster.
pub(super) fn is_loaded(state: &State, catalog: CatalogId) -> bool {
    state.overview.catalogs.iter().any(|row| row.id == catalog)
}

/// The rows as a table.
fn as_markdown(rows: &[&RowView]) -> String {
    let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ");
    let mut text = "| channel | installed | before | after | rule |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for row in rows {
        let cells = [&*row.channel, &row.label, &row.before, &row.after, row.rule.as_deref().unwrap_or_default()];
        text += &format!("| {} |\n", cells.map(cell).join(" | "));
    }
    text
}

/// Compares two states from now on.
fn choose(state: &mut State, effects: &mut Vec<Effect>, before: SideKey, after: SideKey) {
    state.compare.chosen = named(state, before, after);
    ask(state, effects);
    if state.graph_changes.is_some() {
        explore::ask_graph(state, effects);
    }
}

/// All catalogs: those of the cluster, then the baselines.
pub fn inputs(state: &State) -> impl Iterator<Item = &CatalogRow> {
    state.overview.catalogs.iter().chain(&state.overview.baselines)
}

/// The states that are compared: before and after.
#[must_use]
pub fn sides(state: &State) -> Option<(SideKey, SideKey)> {
    let find = |name: &str, is_opened: bool| {
        let row = inputs(state).find(|row| row.name == name)?;
        Some(SideKey { catalog: row.id, is_opened })
    };
    let chosen = state.compare.chosen.as_ref();
    let chosen =
        chosen.and_then(|sides| find(&sides.before, sides.before_opened).zip(find(&sides.after, sides.after_opened)));
    chosen.or_else(|| {
        let after = state.selection.catalog().or_else(|| state.overview.catalogs.first().map(|row| row.id))?;
        let side = |catalog, is_opened| SideKey { catalog, is_opened };
        if let Some(before) = state.overview.baselines.last() {
            return Some((side(before.id, false), side(after, false)));
        }
        let pair = related(state, after).map(|(before, after)| (side(before, false), side(after, false)));
        Some(pair.unwrap_or_else(|| (side(after, true), side(after, false))))
    })
}

/// The names of the packages of a catalog, and how many bundles these have.
fn packages(state: &State, catalog: CatalogId) -> (BTreeSet<&str>, u32) {
    let rows = || state.overview.packages.iter().filter(|row| row.key.catalog == catalog);
    (rows().map(|row| row.key.package.as_str()).collect(), rows().map(|row| row.bundles).sum())
}

/// A catalog without edits and the one that has most packages in common with it: the older one first, by the numbers
/// in their names, else by the number of their bundles.
fn related(state: &State, catalog: CatalogId) -> Option<(CatalogId, CatalogId)> {
    let row = state.catalog(catalog).filter(|row| !row.files.iter().any(|file| file.edited))?;
    let (own, own_bundles) = packages(state, catalog);
    let others = state.overview.catalogs.iter().filter(|other| other.id != catalog);
    let shared = others.map(|other| {
        let (names, bundles) = packages(state, other.id);
        (own.intersection(&names).count(), bundles, other)
    });
    let (_, bundles, other) = shared.filter(|(count, ..)| *count > 0).max_by_key(|(count, ..)| *count)?;
    let by_name = numbers(&other.name).cmp(&numbers(&row.name));
    let is_other_older = by_name.then(bundles.cmp(&own_bundles)).then(other.id.cmp(&row.id)).is_lt();
    Some(if is_other_older { (other.id, catalog) } else { (catalog, other.id) })
}

/// The numbers in the name of a catalog, as 4 and 18 in `community-v4.18`.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|char: char| !char.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn named(state: &State, before: SideKey, after: SideKey) -> Option<NamedSides> {
    let name = |side: SideKey| Some(state.catalog(side.catalog)?.name.clone());
    Some(NamedSides {
        before: name(before)?,
        before_opened: before.is_opened,
        after: name(after)?,
        after_opened: after.is_opened,
    })
}

/// The catalog of the open file, if it was edited.
fn edited(state: &State) -> Option<CatalogId> {
    let file = state.source.open.as_ref()?.file;
    let row = state.overview.catalogs.iter().find(|row| row.files.iter().any(|row| row.file == file))?;
    row.files.iter().any(|file| file.edited).then_some(row.id)
}

/// What is compared: the chosen states in the tab and in the graph, else the edits of the open catalog, beside its
/// source.
#[must_use]
pub fn compared(state: &State) -> Option<Compared> {
    let is_chosen = state.tab == Tab::Compare || state.graph_changes.is_some() || shows_change(state);
    let (before, after) = if is_chosen { sides(state) } else { edits(state) }?;
    Some(Compared {
        before,
        after,
        levels: state.compare.levels.clone(),
        day: state.day.clone(),
        runtime: state.runtime,
        is_whole: false,
        by_comments_before: false,
    })
}

/// Whether the overview of a catalog says what changed: it was edited, or another catalog is its other state. Of a
/// catalog with a single package, the graph says the latter.
#[must_use]
pub fn shows_change(state: &State) -> bool {
    let Some((before, after)) = sides(state).filter(|_| state.shows(Tab::Graph) && !state.is_preview) else {
        return false;
    };
    let row = inputs(state).find(|row| row.id == after.catalog);
    match &state.selection.package {
        Some(key) => {
            let is_alone = row.is_some_and(|row| row.packages == 1);
            before.catalog != after.catalog && key.catalog == after.catalog && is_alone
        }
        None => {
            let is_edited = row.is_some_and(|row| row.files.iter().any(|file| file.edited));
            state.selection.whole.is_some() && (before.catalog != after.catalog || is_edited)
        }
    }
}

/// The edits of the open catalog, if its source is shown: what was opened, and what it is now.
#[must_use]
pub fn edits(state: &State) -> Option<(SideKey, SideKey)> {
    let catalog = edited(state).filter(|_| state.shows(Tab::Source))?;
    let side = |is_opened| SideKey { catalog, is_opened };
    Some((side(true), side(false)))
}

/// Sends the worker what is compared. Returns whether there is anything.
pub(super) fn set(state: &mut State, effects: &mut Vec<Effect>) -> bool {
    let compared = compared(state);
    compared.iter().for_each(|compared| set_comparison(state, effects, compared));
    compared.is_some()
}

/// The package whose comparison is shown: the selected one, or a chosen one that is no longer there. None if a catalog
/// is selected as a whole.
#[must_use]
pub fn shown_package(state: &State) -> Option<String> {
    let selected = || state.selection.package.as_ref().map(|key| key.package.clone());
    state.compare.package.clone().or_else(selected)
}

/// The level that the user's text has for a rule, if one of its lines is about that alone.
#[must_use]
pub fn chosen_level<'t>(levels: &'t str, rule: &str) -> Option<&'t str> {
    let of_line = |line: &'t str| Some(line.strip_prefix(rule)?.strip_prefix(':')?.split('#').next()?.trim());
    levels.lines().find_map(of_line)
}

/// The user's text with another level for a rule: at the line that is about it, else at the end.
fn with_level(levels: &str, rule: &str, level: Option<&str>) -> String {
    let line = level.map(|level| format!("{rule}: {level}"));
    let mut lines: Vec<&str> = levels.lines().collect();
    let known = lines.iter().position(|line| chosen_level(line, rule).is_some());
    match (known, &line) {
        (Some(at), Some(line)) => lines[at] = line,
        (Some(at), None) => drop(lines.remove(at)),
        (None, line) => lines.extend(line.as_deref()),
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Whether the graph shows what a new bundle changes.
fn shows_release(state: &State) -> bool {
    state.shows(Tab::Graph) && state.graph_changes.is_some() && shown_release(state).is_some()
}

/// Asks for what is compared, if the shown tab needs it.
pub(super) fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let is_shown = state.tab == Tab::Compare || edits(state).is_some() || shows_change(state) || shows_release(state);
    if is_shown && set(state, effects) {
        state.compare.asked = None;
        send_query(state, effects, query::Compare {});
        ask_cluster(state, effects);
    }
}

fn ask_package(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = shown_package(state).filter(|_| set(state, effects)) {
        state.compare.asked = Some(package.clone());
        send_cluster_query(state, effects, query::ComparePackage { package });
    }
}

/// Handles that another package was selected.
pub(super) fn package_selected(state: &mut State) {
    state.compare.package = None;
    state.compare.drawing = None;
    state.compare.filter = RowFilter::default();
}

/// Handles that a tab is shown: who leaves this one no longer opens the state before.
pub(super) fn tab_shown(state: &mut State) {
    state.compare.awaits_before &= state.tab == Tab::Compare;
}

impl Take<query::Compare> for Arrival<'_> {
    fn take(&mut self, _: query::Compare, view: Option<ComparisonView>) {
        let Some(compared) = compared_by(self) else { return };
        self.state.compare.view = view.map(|view| (compared, Shared::new(view)));
        // The details of a package need not wait until all are compared.
        if self.state.tab == Tab::Compare && self.state.compare.asked != shown_package(self.state) {
            ask_package(self.state, self.effects);
        }
    }
}

/// The states that an answer is about; `None` if the page has set other states since it sent the query.
fn compared_by(arrival: &Arrival<'_>) -> Option<Compared> {
    let (set, compared) = arrival.state.worker.comparison.as_ref()?;
    (arrival.id > *set).then(|| compared.clone())
}

/// Asks what becomes of the cluster, if there is one.
pub(super) fn ask_cluster(state: &mut State, effects: &mut Vec<Effect>) {
    if state.tab != Tab::Compare || !state.simulation.has_cluster() || !set(state, effects) {
        state.compare.cluster = None;
    } else if !is_cluster_asked(state) {
        send_cluster_query(state, effects, query::CompareCluster {});
    }
}

/// Whether the worker works on this already: a change of catalogs changes the result of the simulation, too.
fn is_cluster_asked(state: &State) -> bool {
    state.worker.cluster.as_ref() == Some(&state.simulation.manifests) && is_asked(state, &query::CompareCluster {})
}

impl Take<query::ComparePackage> for Arrival<'_> {
    fn take(&mut self, query: query::ComparePackage, view: Option<Box<PackageComparisonView>>) {
        let Some(compared) = compared_by(self) else { return };
        self.state.compare.detail = view.map(|view| (compared, Shared::new(*view)));
        let detail = self.state.compare.detail.as_ref().filter(|(_, detail)| detail.is_shown_in_graph());
        // A package that is gone may not be the selected one.
        let selected = self.state.selection.package.clone().filter(|key| key.package == query.package);
        match (detail, selected) {
            (Some(_), Some(package)) if self.state.tab == Tab::Compare => {
                explore::ask_changes(self.state, self.effects, package);
            }
            _ => self.state.compare.drawing = None,
        }
    }
}

impl Take<query::CompareCluster> for Arrival<'_> {
    fn take(&mut self, _: query::CompareCluster, view: Option<Box<ClusterComparisonView>>) {
        let Some(compared) = compared_by(self) else { return };
        self.state.compare.cluster = view.map(|view| (compared, Shared::new(*view)));
    }
}

impl Take<query::CompareReport> for Arrival<'_> {
    fn take(&mut self, _: query::CompareReport, text: Option<String>) {
        if let Some(text) = text.filter(|_| compared_by(self).is_some()) {
            self.effects.push(Effect::Copy(text.into()));
            notify(self.state, NoticeKind::Copied);
        }
    }
}

/// Handles that the user opened catalogs besides `known` ones. If one has packages that another one has, too, they may
/// be two states of one catalog: shows the newer one with what changed, or asks which is which.
pub(super) fn opened(state: &mut State, effects: &mut Vec<Effect>, known: &BTreeSet<CatalogId>) {
    let awaits = std::mem::take(&mut state.compare.awaits_before);
    let name = |id| state.catalog(id).map(|row| row.name.clone()).unwrap_or_default();
    let new = || state.overview.catalogs.iter().map(|row| row.id).filter(|id| !known.contains(id));
    let pairs = new().filter_map(|new| related(state, new).map(|pair| (new, pair)));
    // Of several the newest one.
    let pair = pairs.max_by_key(|(_, (_, after))| numbers(&name(*after)));
    let other = |new| pair.map(|(_, (before, after))| if before == new { after } else { before });
    if awaits {
        // Who asked for the state before means what came, even if it has none of the packages.
        let first = || state.overview.catalogs.first().map(|row| row.id);
        let new = pair.map(|(new, _)| new).or_else(|| new().next_back());
        let known = new.and_then(other).or_else(|| state.selection.catalog()).or_else(first);
        if let Some(pair) = new.zip(known).filter(|(new, known)| new != known) {
            relate(state, effects, pair, Relation::Before);
        }
        return;
    }
    let Some((new, (before, after))) = pair else { return };
    let [old, young] = [before, after].map(|catalog| packages(state, catalog).0);
    let shared = old.intersection(&young).count();
    // With most packages in common they are two states.
    if 2 * shared >= old.len().min(young.len()) {
        let side = |catalog| SideKey { catalog, is_opened: false };
        state.compare.chosen = named(state, side(before), side(after));
        // What was opened for one package stays about it.
        let is_one = state.selection.package.as_ref().is_some_and(|key| key.catalog == after);
        return if is_one { ask(state, effects) } else { select_whole(state, effects, after) };
    }
    let name = |id| state.catalog(id).map(|row| row.name.clone()).unwrap_or_default();
    let known = if before == new { after } else { before };
    let kind = NoticeKind::PackagesShared {
        new: (new, name(new)),
        known: (known, name(known)),
        packages: u32::try_from(shared).unwrap_or(u32::MAX),
    };
    state.notices.retain(|notice| !matches!(notice.kind, NoticeKind::PackagesShared { .. }));
    notify(state, kind);
}

/// Makes one of two catalogs the baseline of the other one, and compares them.
fn relate(state: &mut State, effects: &mut Vec<Effect>, (new, known): (CatalogId, CatalogId), relation: Relation) {
    state.notices.retain(|notice| !matches!(notice.kind, NoticeKind::PackagesShared { .. }));
    let (before, after) = match relation {
        Relation::Before => (new, known),
        Relation::After => (known, new),
    };
    let side = |catalog| SideKey { catalog, is_opened: false };
    state.compare.chosen = named(state, side(before), side(after));
    let package = state.selection.package.as_ref().map(|key| key.package.clone());
    let key = package.map(|package| PackageKey { catalog: after, package });
    if let Some(key) = key.filter(|key| state.overview.packages.iter().any(|row| row.key == *key)) {
        select(state, effects, key, None);
    }
    state.tab = Tab::Compare;
    state.pane = super::Pane::Package;
    command(state, effects, Command::SetBaseline { catalog: before, baseline: true });
}

// The state of the Compare tab: which states are compared, and the answers.

/// The Compare tab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// The states that the user chose; absent for the text as opened, or the last baseline, and the text as it is.
    pub chosen: Option<NamedSides>,
    /// The user's levels.
    pub levels: String,
    /// The package that was chosen in the list; else the selected one, if it differs, else the first.
    pub(super) package: Option<String>,
    /// The package whose details were requested since the last request about all packages.
    pub(super) asked: Option<String>,
    /// The last answer about all packages, and its question.
    pub(super) view: Option<(Compared, Shared<ComparisonView>)>,
    /// The last answer about one package, and its question.
    pub(super) detail: Option<(Compared, Shared<PackageComparisonView>)>,
    /// Both states of the shown package in one drawing.
    pub drawing: Option<Shared<GraphView>>,
    /// The last answer about the cluster, and its question.
    pub(super) cluster: Option<(Compared, Shared<ClusterComparisonView>)>,
    /// Which rows the table shows.
    pub filter: RowFilter,
    /// Whether the next catalog that is opened is the state before.
    pub(super) awaits_before: bool,
}

/// The two states by the names of their catalogs, which outlive a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedSides {
    /// The catalog before the change.
    pub before: String,
    /// Whether it is compared as it was opened.
    pub before_opened: bool,
    /// The catalog after the change.
    pub after: String,
    /// Whether it is compared as it was opened.
    pub after_opened: bool,
}

impl Compare {
    /// The tab as it was left: the chosen states and the levels.
    pub(super) fn of(chosen: Option<NamedSides>, levels: String) -> Self {
        Self { chosen, levels, ..Self::default() }
    }

    /// The answer about all packages, if it is about these states. It may still have other levels: the page keeps what
    /// it shows while somebody types them.
    #[must_use]
    pub fn view(&self, compared: &Compared) -> Option<&Shared<ComparisonView>> {
        self.view.as_ref().filter(|(of, _)| is_about(of, compared)).map(|(_, view)| view)
    }

    /// The last answer about all packages, and the states that it is about.
    #[must_use]
    pub const fn last(&self) -> Option<&(Compared, Shared<ComparisonView>)> {
        self.view.as_ref()
    }

    /// The answer about a package, if it is about these states.
    #[must_use]
    pub fn detail(&self, compared: &Compared, package: &str) -> Option<&Shared<PackageComparisonView>> {
        let detail = self.detail.as_ref().filter(|(of, view)| is_about(of, compared) && view.package == package);
        detail.map(|(_, view)| view)
    }

    /// What becomes of the cluster, if it is about these states.
    #[must_use]
    pub fn cluster(&self, compared: &Compared) -> Option<&Shared<ClusterComparisonView>> {
        self.cluster.as_ref().filter(|(of, _)| is_about(of, compared)).map(|(_, view)| view)
    }
}

/// Whether an answer is about these states, with whatever levels.
fn is_about(answered: &Compared, asked: &Compared) -> bool {
    (answered.before, answered.after) == (asked.before, asked.after)
}

/// What an opened catalog is to one that has the same packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is the state before.
    Before,
    /// It is the state after.
    After,
}

// The table of all installed versions of a comparison: its columns.

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowColumn {
    Channel,
    Installed,
    /// What becomes of it before the change.
    Before,
    /// What becomes of it after the change.
    After,
    Rule,
}

impl RowColumn {
    /// All columns in the order shown, with their heads.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Channel, "Channel"),
        (Self::Installed, "Installed"),
        (Self::Before, "Before"),
        (Self::After, "After"),
        (Self::Rule, "What changes"),
    ];
}

/// Kinds of installed versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Those that the change makes a difference for.
    Changed,
}

/// Which installed versions are shown, and in which order: else that of the catalog.
pub type RowFilter = TableFilter<RowKind, RowColumn>;

impl RowFilter {
    /// The rows that are shown, in order.
    #[must_use]
    pub fn rows<'v>(&self, rows: &'v [RowView]) -> Vec<&'v RowView> {
        let texts = |row: &'v RowView| {
            let texts = [&*row.channel, &row.installed, &row.label, &row.before, &row.after];
            texts.into_iter().chain(row.rule.as_deref()).collect()
        };
        let is_of = |row: &RowView, RowKind::Changed| row.level.is_some();
        self.apply(rows.iter(), texts, is_of, |a, b, column| match column {
            RowColumn::Channel => a.channel.cmp(&b.channel),
            RowColumn::Installed => a.order.cmp(&b.order),
            RowColumn::Before => a.before.cmp(&b.before),
            RowColumn::After => a.after.cmp(&b.after),
            // The worst level first.
            RowColumn::Rule => b.level.cmp(&a.level).then_with(|| a.rule.cmp(&b.rule)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::Level;

    #[test]
    fn the_worst_level_is_first_and_nothing_is_last() {
        let row = |(name, level): (&str, Option<Level>)| RowView {
            channel: "stable".to_owned(),
            installed: name.to_owned(),
            label: name.to_owned(),
            order: 0,
            rule: level.map(|level| level.as_str().to_owned()),
            level,
            before: String::new(),
            after: String::new(),
        };
        let levels = [("a", None), ("b", Some(Level::Good)), ("c", Some(Level::Breaking)), ("d", Some(Level::Risky))];
        let rows = levels.map(row);
        let names = |filter: &RowFilter| filter.rows(&rows).into_iter().map(|row| &*row.installed).collect::<Vec<_>>();
        let sorted = RowFilter::default().sorted_by(RowColumn::Rule);
        assert_eq!(names(&sorted), ["c", "d", "b", "a"]);
        assert_eq!(names(&sorted.sorted_by(RowColumn::Rule)), ["a", "b", "d", "c"]);
        assert_eq!(names(&RowFilter { kind: Some(RowKind::Changed), ..sorted }), ["c", "d", "b"]);
    }
}
