//! The questions about the selected package: an entry or another subject, a path between two versions, the Reach table.

use super::action::ExploreAction;
use super::request::{Arrival, notify, send_cluster_query, send_query};
use super::state::renew;
use super::{
    Effect, EntryFilter, NoticeKind, Pane, ReachFilter, Selection, Shared, State, Tab, TextPurpose, as_text, compare,
    source, troubled_packages,
};
use views::{
    AxisDirection, ChannelMapView, CrdChangesView, EntryKey, EntryView, GraphFormat, GraphOptions, GraphView,
    PackageKey, PathView, Presence, ReachView, ReadinessView, RepairsView, Subject, SubjectView, Take, query,
};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ExploreAction) {
    match action {
        ExploreAction::SubjectSelected(subject) => {
            state.selection.entry = None;
            state.entry = None;
            state.explore.about = None;
            state.explore.path = None;
            state.explore.subject = Some(subject);
            ask_subject(state, effects);
        }
        ExploreAction::Pointed(entry) => state.explore.pointed = entry,
        ExploreAction::PathTo(to) => match path_start(state) {
            Some(from) => show_path(state, effects, from, to, false),
            None => select_entry(state, effects, Some(to)),
        },
        ExploreAction::ReachCellChosen { from, to } => {
            state.tab = Tab::Graph;
            state.pane = Pane::Package;
            show_path(state, effects, from, to, true);
        }
        ExploreAction::HopFollowed(entry) => select_entry(state, effects, Some(entry)),
        ExploreAction::PathKindChosen(kind) => {
            if let Some(path) = &mut state.explore.path {
                path.kind = kind;
            }
        }
        ExploreAction::PathClosed => close_path(state, effects),
        ExploreAction::ReachFiltered(filter) => {
            let before = wanted(&state.explore.filter);
            state.explore.filter = filter;
            if wanted(&state.explore.filter) != before {
                ask_reach(state, effects, 0);
            }
        }
        ExploreAction::TableFiltered(filter) => state.explore.table = filter,
        ExploreAction::ReachCopied { markdown } => {
            if let Some(table) = &state.explore.reach {
                effects.push(Effect::Copy(as_text(table, &state.explore.filter, markdown).into()));
                notify(state, NoticeKind::Copied);
            }
        }
        ExploreAction::GraphLayoutChosen(layout) => {
            state.shows_channel_map = false;
            state.graph_layout = Some(layout);
            ask_graph(state, effects);
        }
        ExploreAction::ChannelMapChosen => {
            state.shows_channel_map = true;
            ask_channel_map(state, effects);
        }
        ExploreAction::DayChosen(day) => {
            state.day = day;
            ask_entry(state, effects);
            ask_subject(state, effects);
        }
        ExploreAction::CrdsAsked => query_crds(state, effects),
        ExploreAction::GraphTextAsked { format, purpose } => {
            if let Some(package) = state.selection.package.clone() {
                state.graph_text = Some((send_query(state, effects, query::GraphText { package, format }), purpose));
            }
        }
    }
}

/// Where the next path starts: at the selected entry, or where the path starts at whose end it is.
fn path_start(state: &State) -> Option<String> {
    let selected = state.selection.entry.as_ref()?;
    let shown = state.explore.path.as_ref().filter(|path| path.to == *selected);
    Some(shown.map_or(&selected.name, |path| &path.from).clone())
}

/// Selects an entry or none, and asks for its details.
fn select_entry(state: &mut State, effects: &mut Vec<Effect>, entry: Option<EntryKey>) {
    state.explore.about = None;
    if entry.is_some() {
        state.explore.subject = None;
    }
    state.selection.entry = entry;
    state.entry = None;
    ask_entry(state, effects);
    ask_subject(state, effects);
    ask_crds(state, effects);
}

/// Asks for the drawing of the selected package, and what OLM v1 refuses in its bundles.
pub(super) fn ask_graph(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = state.selection.package.clone() {
        let shown = state.graph_changes;
        let compares = shown.filter(|_| compare::set(state, effects));
        let options = GraphOptions { compares, ..graph_options(state) };
        send_query(state, effects, query::Graph { package, options });
    }
    ask_readiness(state, effects);
}

/// Asks for the drawing of both compared states.
pub(super) fn ask_changes(state: &mut State, effects: &mut Vec<Effect>, package: PackageKey) {
    let options = GraphOptions { compares: Some(Presence::Both), ..graph_options(state) };
    send_query(state, effects, query::Graph { package, options });
}

/// How a package alone is drawn.
fn graph_options(state: &State) -> GraphOptions {
    let direction = if state.narrow { AxisDirection::Up } else { AxisDirection::Right };
    GraphOptions { layout: state.graph_layout, direction, compares: None, runtime: state.runtime }
}

/// Asks for the details of the selected entry.
pub(super) fn ask_entry(state: &mut State, effects: &mut Vec<Effect>) {
    let Selection { package: Some(package), entry: Some(entry), .. } = state.selection.clone() else { return };
    send_query(state, effects, query::Entry { package, entry, day: state.day.clone(), runtime: state.runtime });
}

/// Closes the path, and selects what was selected before it. Returns to the Reach table if the path was chosen there.
fn close_path(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(path) = state.explore.path.take() else { return };
    select_entry(state, effects, path.before);
    if path.from_reach {
        state.tab = Tab::Reach;
        state.pane = Pane::Package;
        show_reach(state, effects);
    }
}

/// Asks for a path, and selects its end.
fn show_path(state: &mut State, effects: &mut Vec<Effect>, from: String, to: EntryKey, from_reach: bool) {
    state.shows_channel_map = false;
    state.explore.subject = None;
    let before = match state.explore.path.take() {
        Some(path) => path.before,
        None => state.selection.entry.clone(),
    };
    state.explore.path = Some(ShownPath { from, to: to.clone(), view: None, kind: PathKind::Olm, from_reach, before });
    ask_path(state, effects);
    select_entry(state, effects, Some(to));
}

/// Selects an entry, and closes the path.
pub(super) fn entry_selected(state: &mut State, effects: &mut Vec<Effect>, entry: EntryKey) {
    state.explore.path = None;
    select_entry(state, effects, Some(entry));
}

/// Closes the path or, if there is none, the selection.
pub(super) fn close(state: &mut State, effects: &mut Vec<Effect>) {
    if state.explore.path.is_some() {
        close_path(state, effects);
    } else {
        state.explore.subject = None;
        select_entry(state, effects, None);
    }
}

/// Asks again for everything shown, after a change of the inputs.
pub(super) fn ask_again(state: &mut State, effects: &mut Vec<Effect>) {
    ask_subject(state, effects);
    ask_path(state, effects);
    ask_channel_map(state, effects);
    if state.tab == Tab::Reach {
        ask_reach(state, effects, 0);
    } else {
        // The table is large: it is requested when its tab is shown.
        state.explore.reach = None;
    }
    ask_crds(state, effects);
}

/// The subject whose details are shown: none while an entry or a path is, else the selected one or the package.
fn shown_subject(state: &State) -> Option<Subject> {
    let has_room = state.selection.entry.is_none() && state.explore.path.is_none();
    has_room.then(|| state.explore.subject.clone().unwrap_or(Subject::Package))
}

/// Asks for the details of the subject that is shown.
fn ask_subject(state: &mut State, effects: &mut Vec<Effect>) {
    if let (Some(package), Some(subject)) = (state.selection.package.clone(), shown_subject(state)) {
        send_cluster_query(state, effects, query::Subject { package, subject, day: state.day.clone() });
    }
}

fn ask_path(state: &mut State, effects: &mut Vec<Effect>) {
    if let (Some(package), Some(path)) = (state.selection.package.clone(), state.explore.path.as_ref()) {
        let (from, to) = (path.from.clone(), path.to.clone());
        send_cluster_query(state, effects, query::Path { package, from, to });
    }
}

/// Asks for the channel map, if it is shown.
fn ask_channel_map(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = state.selection.package.clone().filter(|_| state.shows_channel_map) {
        send_query(state, effects, query::ChannelMap { package });
    }
}

/// Asks what OLM v1 refuses in the bundles of the package, if that was chosen.
fn ask_readiness(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.runtime.has_v1() {
        state.explore.readiness = None;
    } else if let Some(package) = state.selection.package.clone() {
        send_query(state, effects, query::Readiness { package });
    }
}

/// Asks what helps the packages with stuck versions while the overview of their catalog is shown, of many the first
/// ones: what the user does next waits for the answers. Those before stay until then.
pub(super) fn ask_repairs(state: &mut State, effects: &mut Vec<Effect>) {
    const PACKAGES: usize = 12;
    let Some(catalog) = state.selection.whole.filter(|_| state.tab == Tab::Graph) else { return };
    let rows = troubled_packages(&state.overview, catalog, state.runtime);
    let stuck = rows.into_iter().filter(|row| row.problem(state.runtime).stuck.is_some()).take(PACKAGES);
    let packages: Vec<String> = stuck.map(|row| row.key.package.clone()).collect();
    if packages.is_empty() {
        state.explore.repairs = Default::default();
    } else {
        send_query(state, effects, query::Repairs { catalog, packages });
    }
}

/// Asks what updates from the selected entry do to CustomResourceDefinitions. All updates of a package may take
/// seconds, so the user has to request them; while they are shown, they are requested again.
fn ask_crds(state: &mut State, effects: &mut Vec<Effect>) {
    let is_shown = state.explore.crds.as_ref().is_some_and(|crds| crds.from.is_none());
    if state.selection.entry.is_some() || is_shown {
        query_crds(state, effects);
    }
}

fn query_crds(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some(package) = state.selection.package.clone() {
        let from = state.selection.entry.as_ref().map(|entry| entry.name.clone());
        send_query(state, effects, query::CrdChanges { package, from, runtime: state.runtime });
    }
}

/// The answer about CustomResourceDefinitions that belongs to the selection.
#[must_use]
pub fn shown_crds(state: &State) -> Option<&Shared<CrdChangesView>> {
    let entry = state.selection.entry.as_ref().map(|entry| &entry.name);
    state.explore.crds.as_ref().filter(|crds| crds.from.as_ref() == entry).map(|crds| &crds.view)
}

/// Asks for the part of the Reach table that begins with a channel.
fn ask_reach(state: &mut State, effects: &mut Vec<Effect>, first: u32) {
    if let Some(package) = state.selection.package.clone() {
        let installed = wanted(&state.explore.filter);
        send_query(state, effects, query::Reach { package, first, runtime: state.runtime, installed });
    }
}

/// What is looked for in the Reach table, if it may be a whole version: the catalog need not list it.
fn wanted(filter: &ReachFilter) -> String {
    let text = filter.text.trim();
    let may_be_version = text.matches('.').count() > 1 && text.chars().any(|next| next.is_ascii_digit());
    if may_be_version { text.to_owned() } else { String::new() }
}

/// Handles that the Reach tab is shown: asks for the part of the table that is missing. A path that was chosen in the
/// table has nowhere to lead back to then.
pub(super) fn show_reach(state: &mut State, effects: &mut Vec<Effect>) {
    state.explore.path.iter_mut().for_each(|path| path.from_reach = false);
    let known = state.explore.reach.as_deref().map(|table| (table.columns.len() as u32, table.total));
    match known {
        Some((known, total)) if known < total => ask_reach(state, effects, known),
        None => ask_reach(state, effects, 0),
        Some(_) => {}
    }
}

/// Handles that the page got another width, other than that of a sheet on which it is printed.
pub(super) fn narrowed(state: &mut State, effects: &mut Vec<Effect>, narrow: bool) {
    if !state.printing && std::mem::replace(&mut state.narrow, narrow) != narrow {
        ask_graph(state, effects);
        let compared = state.compare.drawing.as_ref().filter(|_| state.tab == Tab::Compare);
        if let Some(package) = compared.map(|graph| graph.package.clone()) {
            ask_changes(state, effects, package);
        }
    }
}

/// Handles that other versions of OLM were chosen: the drawing, the Reach table and the details are about them.
pub(super) fn runtime_chosen(state: &mut State, effects: &mut Vec<Effect>) {
    state.explore.reach = None;
    ask_graph(state, effects);
    if state.tab == Tab::Reach {
        ask_reach(state, effects, 0);
    }
    ask_entry(state, effects);
    ask_crds(state, effects);
}

impl Take<query::Graph> for Arrival<'_> {
    fn take(&mut self, query: query::Graph, view: Option<GraphView>) {
        if !self.state.is_selected(&query.package) {
            return;
        }
        // The Compare tab has a drawing of its own, unless the graph shows the same.
        let is_both = |shown: Option<Presence>| shown == Some(Presence::Both);
        if is_both(query.options.compares) && !is_both(self.state.graph_changes) {
            renew(&mut self.state.compare.drawing, view);
        } else {
            if is_both(query.options.compares) {
                self.state.compare.drawing = None;
            }
            renew(&mut self.state.graph, view);
            self.state.former_graph = None;
        }
    }
}

impl Take<query::GraphText> for Arrival<'_> {
    fn take(&mut self, query::GraphText { package, format }: query::GraphText, text: Option<String>) {
        let purpose = self.state.graph_text.take_if(|(request, _)| *request == self.id);
        let (Some((_, purpose)), Some(text)) = (purpose, text) else { return };
        match purpose {
            TextPurpose::Copy => {
                self.effects.push(Effect::Copy(text.into()));
                notify(self.state, NoticeKind::Copied);
            }
            TextPurpose::Save => {
                let (ending, kind) = file_kind(format);
                let name = format!("{}.{ending}", package.package);
                self.effects.push(Effect::SaveFile { name: name.clone(), kind, text });
                notify(self.state, NoticeKind::Saved { name });
            }
        }
    }
}

/// The ending of a file's name, and its media type.
const fn file_kind(format: GraphFormat) -> (&'static str, &'static str) {
    match format {
        GraphFormat::Mermaid => ("mmd", "text/plain"),
        GraphFormat::Dot => ("dot", "text/vnd.graphviz"),
        GraphFormat::Json => ("json", "application/json"),
    }
}

impl Take<query::Entry> for Arrival<'_> {
    fn take(&mut self, query: query::Entry, view: Option<Box<EntryView>>) {
        let is_asked = self.state.day == query.day && self.state.runtime == query.runtime;
        let is_shown = is_asked && self.state.selection.entry.as_ref() == Some(&query.entry);
        if is_shown && self.state.is_selected(&query.package) {
            renew(&mut self.state.entry, view.map(|view| *view));
            source::answered(self.state, self.effects);
        }
    }
}

impl Take<query::Subject> for Arrival<'_> {
    fn take(&mut self, query: query::Subject, view: Option<Box<SubjectView>>) {
        let is_shown = shown_subject(self.state).as_ref() == Some(&query.subject) && self.state.day == query.day;
        if is_shown && self.state.is_selected(&query.package) {
            renew(&mut self.state.explore.about, view.map(|view| *view));
            source::answered(self.state, self.effects);
        }
    }
}

impl Take<query::Path> for Arrival<'_> {
    fn take(&mut self, query::Path { package, from, to }: query::Path, view: Option<Box<PathView>>) {
        let is_selected = self.state.is_selected(&package);
        let shown = self.state.explore.path.as_mut().filter(|path| path.from == from && path.to == to);
        if let Some(path) = shown.filter(|_| is_selected) {
            renew(&mut path.view, view.map(|view| *view));
        }
    }
}

impl Take<query::ChannelMap> for Arrival<'_> {
    fn take(&mut self, query: query::ChannelMap, view: Option<ChannelMapView>) {
        if self.state.is_selected(&query.package) {
            renew(&mut self.state.explore.channel_map, view);
        }
    }
}

impl Take<query::Readiness> for Arrival<'_> {
    fn take(&mut self, query: query::Readiness, view: Option<ReadinessView>) {
        if self.state.is_selected(&query.package) {
            renew(&mut self.state.explore.readiness, view);
        }
    }
}

impl Take<query::Repairs> for Arrival<'_> {
    fn take(&mut self, query::Repairs { catalog, packages }: query::Repairs, views: Vec<RepairsView>) {
        if self.state.selection.whole == Some(catalog) {
            self.state.explore.repairs = (packages, Shared::new(views));
        }
    }
}

impl Take<query::CrdChanges> for Arrival<'_> {
    fn take(&mut self, query::CrdChanges { package, from, .. }: query::CrdChanges, view: Option<CrdChangesView>) {
        let is_shown = self.state.selection.entry.as_ref().map(|entry| &entry.name) == from.as_ref();
        if is_shown && self.state.is_selected(&package) {
            self.state.explore.crds = view.map(|view| ShownCrds { from, view: Shared::new(view) });
        }
    }
}

impl Take<query::Reach> for Arrival<'_> {
    /// Takes a part of the Reach table, and asks for the next one.
    fn take(&mut self, query::Reach { package, first, installed, .. }: query::Reach, view: Option<ReachView>) {
        let Self { state, effects, .. } = self;
        let known = state.explore.reach.as_deref().filter(|_| first > 0);
        let mut table = known.cloned().unwrap_or_default();
        let is_wanted = installed == wanted(&state.explore.filter);
        let fits = is_wanted && state.is_selected(&package) && table.columns.len() == first as usize;
        let Some(view) = view.filter(|_| fits) else { return };
        if first == 0 {
            table.rows = view.rows;
        }
        table.columns.extend(view.columns);
        table.total = view.total;
        table.omitted = view.omitted;
        let next = table.columns.len() as u32;
        let more = next > first && next < table.total;
        state.explore.reach = Some(Shared::new(table));
        if more && state.tab == Tab::Reach {
            ask_reach(state, effects, next);
        }
    }
}

// The answers about the selected package.

/// The answers about the selected package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explore {
    /// The channel, edge or skipRange that is selected instead of an entry.
    pub subject: Option<Subject>,
    /// The details of the subject, once the worker has answered.
    pub about: Option<Shared<SubjectView>>,
    /// The entry that is under the pointer or has the focus.
    pub pointed: Option<EntryKey>,
    /// The entry that the shown step of the simulation installs; the drawing scrolls to it.
    pub followed: Option<EntryKey>,
    pub path: Option<ShownPath>,
    /// The part of the Reach table that has arrived.
    pub reach: Option<Shared<ReachView>>,
    /// The channel map, once the worker has answered.
    pub channel_map: Option<Shared<ChannelMapView>>,
    /// What OLM v1 refuses in the bundles of the package, if that was chosen.
    pub readiness: Option<Shared<ReadinessView>>,
    /// What helps the packages with stuck versions of the catalog that is shown as a whole, with those packages.
    pub repairs: (Vec<String>, Shared<Vec<RepairsView>>),
    /// What updates do to CustomResourceDefinitions: all of the package, if the user requested them, or those from the
    /// selected entry.
    pub crds: Option<ShownCrds>,
    /// Filters and sorting of the Reach table.
    pub filter: ReachFilter,
    /// Filters and sorting of the table of entries.
    pub table: EntryFilter,
}

/// What updates do to CustomResourceDefinitions.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCrds {
    /// The bundle that the updates begin at; absent for all updates of the package.
    pub from: Option<String>,
    /// The answer.
    pub view: Shared<CrdChangesView>,
}

/// A path from an installed version to an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPath {
    /// The name of the installed entry.
    pub from: String,
    /// Its end.
    pub to: EntryKey,
    /// The answer, once the worker has given it.
    pub view: Option<Shared<PathView>>,
    /// Which of the paths of the answer is drawn.
    pub kind: PathKind,
    /// Whether the user chose it in the Reach table, where closing it leads back to.
    pub from_reach: bool,
    /// The entry that was selected before, and is again when the path is closed.
    pub before: Option<EntryKey>,
}

/// The paths that an answer may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathKind {
    #[default]
    Olm,
    /// The path with the fewest hops along `replaces`, `skips` and `skipRange`.
    Shortest,
    /// A path through other channels.
    AcrossChannels,
}
