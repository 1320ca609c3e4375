//! Tests of the reducer: actions in, state and effects out. They run without a browser.

mod cluster;
mod compare;
mod editor;
mod lists;
mod opened;
mod outcomes;
mod session;

use super::*;
use views::{
    Answer, AnyQuery, Ask, AxisDirection, CatalogId, CatalogRow, Changed, ClusterForm, Command, Compared, CsvRef,
    EntryKey, Event, FileKey, FileRow, FileTarget, FindingsView, FormChange, FromWorker, GraphLayout, GraphOptions,
    GraphView, NewFile, Opened, OpenedExample, Overview, PackageKey, PackageRow, Place, Query, Reply, Request,
    RequestId, Revision, Runtime, SourceView, TextChange, TextEdit, TextPlace, TextRange, WhyNotView, query,
};

/// A state with the effects of the last action.
struct Page {
    state: State,
    effects: Vec<Effect>,
}

impl Page {
    fn open(draft: Draft) -> Self {
        Self { state: State::new(draft), effects: Vec::new() }.on(PageAction::Opened)
    }

    /// A page whose worker is ready and has loaded these packages. The first one is selected.
    fn with(names: &[&str]) -> Self {
        let page = Self::open(Draft::default()).event(Event::Ready).answer(1, changed(overview(1, names)));
        match names {
            [first, _, ..] => page.on(NavigationAction::PackageSelected(key(1, first))),
            _ => page,
        }
    }

    /// Reduces an action and, if it needs them, the typed changes of the editor before it, as the root component does.
    fn on(mut self, action: impl Into<Action>) -> Self {
        let action = action.into();
        self.effects.clear();
        if needs_changes(&self.state, &action) {
            let at = TextPlace { line: 1, column: 1 };
            let change = TextChange { range: TextRange { from: at, to: at }, text: "typed".to_owned() };
            self = self.reduce(SourceAction::Edited { changes: vec![change] }.into());
        }
        self.reduce(action)
    }

    fn reduce(mut self, action: Action) -> Self {
        let (state, effects) = update(self.state, action);
        self.state = state;
        self.effects.extend(effects);
        self
    }

    fn event(self, event: Event) -> Self {
        self.on(WorkerAction::Received(Box::new(FromWorker::Event(event))))
    }

    /// Receives an answer to the oldest pending request of its kind; without one, nothing.
    fn answer(mut self, revision: u32, answer: impl ToRequest) -> Self {
        let Some((id, answer)) = answer.to_request(&self.state) else {
            self.effects.clear();
            return self;
        };
        let reply = Reply { id, revision: Revision(revision), answer };
        self.on(WorkerAction::Received(Box::new(FromWorker::Reply(reply))))
    }

    fn asked(&self) -> Vec<&Request> {
        let requests = self.effects.iter().filter_map(|effect| match effect {
            Effect::Send { request, .. } => Some(request),
            _ => None,
        });
        requests.collect()
    }

    /// What the page asks, except for the cluster and the comparison that it sends before.
    fn asks(&self) -> Vec<&Ask> {
        let asks = self.asked().into_iter().map(|request| &request.ask);
        asks.filter(|ask| !matches!(ask, Ask::SetCluster(_) | Ask::SetComparison(_))).collect()
    }

    /// The comparisons that the page sends.
    fn comparisons(&self) -> Vec<&Compared> {
        let comparisons = self.asked().into_iter().filter_map(|request| match &request.ask {
            Ask::SetComparison(compared) => Some(compared),
            _ => None,
        });
        comparisons.collect()
    }

    /// The manifests that the page sends.
    fn clusters(&self) -> Vec<&str> {
        let clusters = self.asked().into_iter().filter_map(|request| match &request.ask {
            Ask::SetCluster(manifests) => Some(&**manifests),
            _ => None,
        });
        clusters.collect()
    }

    /// Receives the worker's answer to the edited form: `text` replaces the manifests.
    fn edited(self, text: &str) -> Self {
        let end = self.state.simulation.manifests.len() as u32;
        let revision = self.state.revision.0;
        self.answer(revision, To::<query::FormEdits>(vec![TextEdit { start: 0, end, text: text.to_owned() }]))
    }

    /// The change of the form that the manifests are to say.
    fn form_change(&self) -> Option<&FormChange> {
        self.asks().into_iter().find_map(|ask| match ask {
            Ask::Query(AnyQuery::FormEdits(query)) => Some(&query.change),
            _ => None,
        })
    }

    fn selected(&self) -> Option<&str> {
        self.state.selection.package.as_ref().map(|key| key.package.as_str())
    }

    fn notices(&self) -> Vec<&NoticeKind> {
        self.state.notices.iter().map(|notice| &notice.kind).collect()
    }
}

/// An answer that belongs to a pending request.
trait ToRequest {
    fn to_request(self, state: &State) -> Option<(RequestId, Answer)>;
}

struct To<Q: Query>(Q::Answer);

impl<Q: Query + 'static> ToRequest for To<Q> {
    fn to_request(self, state: &State) -> Option<(RequestId, Answer)> {
        let (id, _) = request::pending::<Q>(state).next()?;
        Some((id, Answer::Query(Q::answer(self.0))))
    }
}

impl ToRequest for Answer {
    fn to_request(self, state: &State) -> Option<(RequestId, Answer)> {
        let fits = |asked: &PendingKind| match asked {
            PendingKind::Command { .. } => matches!(self, Self::Changed(_)),
            PendingKind::Cluster => self == Self::ClusterSet,
            PendingKind::Comparison => self == Self::ComparisonSet,
            PendingKind::Cancel => self == Self::Cancelled,
            PendingKind::Query(_) => false,
        };
        let id = state.pending.iter().find(|pending| fits(&pending.kind))?.id;
        Some((id, self))
    }
}

/// The reply to a command, with the overview after it.
fn changed(overview: Overview) -> Answer {
    opened(Vec::new(), overview)
}

/// The reply to a command that also opened something besides catalogs.
fn opened(opened: Vec<Opened>, overview: Overview) -> Answer {
    Answer::Changed(Changed { overview, opened, cancelled: false })
}

/// The reply to a command that was cancelled.
fn cancelled(overview: Overview) -> Answer {
    Answer::Changed(Changed { overview, opened: Vec::new(), cancelled: true })
}

fn preview(revision: u32, overview: Overview) -> Event {
    Event::Partial { revision: Revision(revision), overview }
}

fn key(catalog: u32, package: &str) -> PackageKey {
    PackageKey { catalog: CatalogId(catalog), package: package.to_owned() }
}

fn overview(catalog: u32, names: &[&str]) -> Overview {
    let file = FileRow { file: FileKey(catalog), path: "catalog.yaml".to_owned(), ..FileRow::default() };
    let (id, name) = (CatalogId(catalog), "mine".to_owned());
    let row = CatalogRow { id, name, files: vec![file], packages: 1, ..CatalogRow::default() };
    let package = |name: &&str| PackageRow { key: key(catalog, name), ..PackageRow::default() };
    Overview { catalogs: vec![row], packages: names.iter().map(package).collect(), ..Overview::default() }
}

/// The query for the drawing of a package of the first catalog.
fn graph_asked(package: &str) -> Ask {
    Ask::Query(query::Graph { package: key(1, package), options: GraphOptions::default() }.into())
}

fn graph(package: PackageKey) -> To<query::Graph> {
    To::<query::Graph>(Some(GraphView { package, ..opscope_drawing::testing::graph(&[]) }))
}

fn source(text: &str) -> To<query::Source> {
    To::<query::Source>(Some(SourceView {
        catalog: CatalogId(1),
        path: "catalog.yaml".to_owned(),
        text: text.to_owned(),
        ..SourceView::default()
    }))
}

#[test]
fn the_worker_restores_catalogs_before_other_requests() {
    let page = Page::open(Draft { catalogs: true, ..Draft::default() });
    assert_eq!(page.effects, [Effect::StartWorker]);
    let page = page.on(CatalogsAction::Pasted("x".to_owned()));
    assert!(page.asks().is_empty());
    let page = page.event(Event::Ready);
    assert_eq!(
        page.asks(),
        [&Ask::Command(Command::Restore), &Ask::Command(Command::Paste { text: "x".to_owned(), name: None })]
    );
    assert_eq!(page.asked()[1].revision, Revision(2));
}

#[test]
fn the_worker_starts_once_when_something_needs_it() {
    let page = Page::open(Draft::default());
    assert_eq!(page.effects, []);
    assert_eq!(page.on(WorkerAction::Needed).effects, [Effect::StartWorker]);
    let page = Page::open(Draft::default()).on(PageAction::Dragged { over: true });
    assert_eq!(page.effects, [Effect::StartWorker]);
    let page = page.on(CatalogsAction::Pasted("x".to_owned()));
    assert_eq!(page.effects, [Effect::MoveFocus(FocusTarget::Package)]);
    assert_eq!(page.event(Event::Ready).asks().len(), 2);
}

#[test]
fn the_findings_of_a_package_are_counted_as_the_worker_lists_them() {
    let mut view = overview(1, &["a", "b"]);
    (view.packages[0].listed, view.packages[1].listed) = (3, 5);
    view.catalogs[0].findings.warnings = 9;
    let page = Page::open(Draft::default()).event(Event::Ready);
    assert_eq!(selected_findings(&page.state), None);
    let mut state = Page::with(&["a", "b"]).state;
    state.overview = Shared::new(view);
    assert_eq!(selected_findings(&state), Some(3));
    state.selection = Selection { whole: Some(CatalogId(1)), ..Selection::default() };
    assert_eq!(selected_findings(&state), Some(9));
}

/// A page with package `a` of catalog 1 that loads files, and has a preview with package `c` of catalog 2.
fn loading() -> Page {
    let page = Page::with(&["a"]).answer(1, graph(key(1, "a"))).on(CatalogsAction::FilesCollected {
        batch: 1,
        files: vec![NewFile { root: "r".to_owned(), path: String::new() }],
        bytes: 9,
    });
    page.event(preview(2, with_catalog_2(&["c"])))
}

fn with_catalog_2(names: &[&str]) -> Overview {
    let (mut both, more) = (overview(1, &["a"]), overview(2, names));
    both.catalogs.extend(more.catalogs);
    both.packages.extend(more.packages);
    both
}

#[test]
fn a_preview_can_be_used_while_loading_goes_on() {
    let page = loading();
    assert!(page.state.is_preview);
    assert_eq!((page.selected(), page.state.selection.whole), (None, Some(CatalogId(2))));
    let page = page.on(NavigationAction::PackageSelected(key(1, "a")));
    let about = Ask::Query(
        query::Subject { package: key(1, "a"), subject: views::Subject::Package, day: String::new() }.into(),
    );
    let filter = views::FindingsFilter { package: Some(key(1, "a")), ..views::FindingsFilter::default() };
    let findings = Ask::Query(query::Findings { filter, limit: Findings::BELOW }.into());
    assert_eq!(page.asks(), [&graph_asked("a"), &about, &findings]);
    // The next preview does not change the selection.
    let page = page.event(preview(2, with_catalog_2(&["c", "d"])));
    assert_eq!(page.selected(), Some("a"));
    let page = page.answer(2, changed(with_catalog_2(&["c", "d", "e"])));
    assert!(!page.state.is_preview);
    assert_eq!((page.selected(), page.state.overview.packages.len()), (Some("a"), 4));
}

#[test]
fn a_chosen_layout_stays_on_a_narrow_screen() {
    let page = Page::with(&["a"]).on(ExploreAction::GraphLayoutChosen(GraphLayout::Dots));
    let options = GraphOptions { layout: Some(GraphLayout::Dots), ..GraphOptions::default() };
    assert_eq!(page.asks(), [&Ask::Query(query::Graph { package: key(1, "a"), options }.into())]);
    let page = page.on(PageAction::Narrowed { narrow: true });
    let options =
        GraphOptions { direction: AxisDirection::Up, layout: Some(GraphLayout::Dots), ..GraphOptions::default() };
    assert_eq!(page.asks(), [&Ask::Query(query::Graph { package: key(1, "a"), options }.into())]);
    assert!(page.on(PageAction::Narrowed { narrow: true }).asks().is_empty());
}

#[test]
fn cancelling_restores_the_selection() {
    let page = loading().on(WorkerAction::LoadCancelled);
    assert_eq!(page.asks(), [&Ask::Cancel]);
    assert_eq!(page.state.revision, Revision(2));
    let page = page.answer(2, Answer::Cancelled).answer(2, cancelled(overview(1, &["a"])));
    assert_eq!(page.notices(), [&NoticeKind::Cancelled]);
    assert_eq!((page.selected(), page.state.is_preview), (Some("a"), false));
    assert!(page.on(WorkerAction::LoadCancelled).asks().is_empty());
}

#[test]
fn clearing_cancels_first() {
    assert_eq!(loading().on(CatalogsAction::Cleared).asks(), [&Ask::Cancel, &Ask::Command(Command::Clear)]);
}

#[test]
fn catalogs_that_were_not_restored_are_not_forgotten() {
    let page = Page::open(Draft { catalogs: true, ..Draft::default() }).event(Event::Ready);
    let page = page.answer(1, cancelled(Overview::default()));
    assert!(Draft::of(&page.state).catalogs);
    let page = page.on(CatalogsAction::RestoreAsked).answer(2, changed(overview(1, &["a"])));
    assert!(Draft::of(&page.state).catalogs);
    let page = page.on(CatalogsAction::Cleared).answer(3, changed(Overview::default()));
    assert!(!Draft::of(&page.state).catalogs);
}

#[test]
fn a_selection_waits_for_its_package_while_others_are_read() {
    let draft = Draft { catalogs: true, package: Some("z".to_owned()), ..Draft::default() };
    let page = Page::open(draft).event(Event::Ready).event(preview(1, overview(1, &["a"])));
    assert_eq!(page.selected(), None);
    let page = page.event(preview(1, overview(1, &["a", "z"])));
    assert_eq!(page.selected(), Some("z"));
}

#[test]
fn a_new_catalog_is_selected_or_its_only_package() {
    let page = Page::open(Draft::default()).event(Event::Ready).answer(1, changed(overview(1, &["a", "b"])));
    assert_eq!((page.selected(), page.state.selection.whole), (None, Some(CatalogId(1))));
    assert_eq!(page.asks(), [] as [&Ask; 0], "the overview has all that it shows");
    let page = page.on(NavigationAction::PackageSelected(key(1, "b"))).on(CatalogsAction::Pasted("x".to_owned()));
    let mut both = overview(1, &["a", "b"]);
    let more = overview(2, &["c"]);
    both.catalogs.extend(more.catalogs);
    both.packages.extend(more.packages);
    let page = page.answer(2, changed(both));
    assert_eq!((page.selected(), page.state.selection.whole), (Some("c"), None));
    let page = loading().answer(2, changed(with_catalog_2(&["c"])));
    assert_eq!(page.selected(), Some("c"), "a preview does not know that it is the only one");
}

#[test]
fn an_answer_to_older_inputs_is_dropped() {
    let page = Page::with(&["a"]).on(CatalogsAction::Pasted("x".to_owned())).answer(1, graph(key(1, "a")));
    assert_eq!(page.state.revision, Revision(2));
    assert!(page.state.graph.is_none());
    let page = page.answer(2, changed(overview(1, &["a"]))).answer(2, graph(key(1, "a")));
    assert!(page.state.graph.is_some());
}

#[test]
fn an_answer_about_another_selection_is_dropped() {
    let page = Page::with(&["a", "b"]).on(NavigationAction::PackageSelected(key(1, "b")));
    let page = page.answer(1, graph(key(1, "a")));
    assert!(page.state.graph.is_none());
    let page = page.answer(1, graph(key(1, "b")));
    assert_eq!(page.state.graph.as_ref().unwrap().package, key(1, "b"));
}

#[test]
fn only_the_answer_to_the_last_filter_counts() {
    let page = Page::with(&["a"]).on(NavigationAction::TabChosen(Tab::Findings));
    let page = page.on(FindingsAction::Filtered("x".to_owned()));
    let page = page.on(FindingsAction::Filtered("xy".to_owned()));
    let mut page = page;
    // Those below the graph, those of the whole list, and those of the first filter.
    for total in [11, 9, 7] {
        page = page.answer(1, To::<query::Findings>(FindingsView { total, ..FindingsView::default() }));
        assert_eq!(page.state.findings.view.total, 0);
    }
    let page = page.answer(1, To::<query::Findings>(FindingsView { total: 3, ..FindingsView::default() }));
    assert_eq!(page.state.findings.view.total, 3);
}

#[test]
fn the_selection_comes_back_by_name() {
    let draft = Draft { catalog: "mine".to_owned(), package: Some("b".to_owned()), ..Draft::default() };
    let page = Page::open(draft).event(Event::Ready).answer(1, changed(overview(1, &["a", "b"])));
    assert_eq!(page.selected(), Some("b"));
    let page = page.on(WorkerAction::Died { reason: String::new(), at: 99_000 }).event(Event::Ready);
    let page = page.answer(2, changed(overview(9, &["a", "b"])));
    assert_eq!(page.state.selection.package, Some(key(9, "b")));
}

#[test]
fn progress_is_shown_only_while_a_request_is_pending() {
    let page = Page::open(Draft::default()).event(Event::Ready);
    let page = page
        .on(WorkerAction::Waited { id: RequestId(1), wait: Wait::Brief })
        .on(WorkerAction::Waited { id: RequestId(1), wait: Wait::Long });
    assert_eq!(page.state.wait, Some(Wait::Long));
    let page = page.answer(1, changed(Overview::default()));
    assert_eq!(page.state.wait, None);
    let page = page.on(WorkerAction::Waited { id: RequestId(1), wait: Wait::Long });
    assert_eq!(page.state.wait, None);
}

/// The manifests of the last request to simulate, with their namespace.
fn manifests(page: &Page) -> Option<(&str, &str)> {
    page.asks().into_iter().find_map(|ask| match ask {
        Ask::Query(AnyQuery::Simulate(query::Simulate { namespace })) => {
            page.state.worker.cluster.as_ref().map(|text| (&**text, &**namespace))
        }
        _ => None,
    })
}

#[test]
fn the_draft_is_saved_when_it_changes_and_removed_when_all_is_cleared() {
    let chosen = || Action::Page(PageAction::SingleKeysChosen { on: false });
    let page = Page::with(&["a"]).on(chosen());
    assert!(matches!(&page.effects[..], [Effect::SaveDraft(draft)] if draft.single_keys_off));
    let page = page.on(chosen());
    assert!(page.effects.is_empty());
    let page = page.on(CatalogsAction::Cleared);
    assert_eq!(page.effects[0], Effect::ForgetDraft);
    assert_eq!(page.asks(), [&Ask::Command(Command::Clear)]);
    assert!(!page.effects.iter().any(|effect| matches!(effect, Effect::SaveDraft(_))));
    assert_eq!(page.selected(), None);
}

fn entry(channel: &str, name: &str) -> EntryKey {
    EntryKey { channel: Some(channel.to_owned()), name: name.to_owned() }
}

#[test]
fn the_channel_map_is_shown_until_a_drawing_is_asked_for() {
    let map = || To::<query::ChannelMap>(Some(views::ChannelMapView::default()));
    let asked = Ask::Query(query::ChannelMap { package: key(1, "a") }.into());
    let page = Page::with(&["a"]).on(ExploreAction::ChannelMapChosen);
    assert_eq!(page.asks(), [&asked]);
    let page = page.answer(1, map());
    assert!(page.state.shows_channel_map && page.state.explore.channel_map.is_some());
    let page = page.answer(2, changed(overview(1, &["a"])));
    let other = Page::with(&["a"]).answer(2, changed(overview(1, &["a"])));
    assert!(!other.asks().contains(&&asked), "only while it is shown");
    let (from, to) = ("one".to_owned(), entry("c", "head"));
    let page = page.on(ExploreAction::ReachCellChosen { from, to });
    assert!(!page.state.shows_channel_map, "the path is in the graph");
    let page = page.on(ExploreAction::ChannelMapChosen);
    let page = page.on(ExploreAction::GraphLayoutChosen(views::GraphLayout::Grid));
    assert!(!page.state.shows_channel_map);
}

#[test]
fn a_subject_is_selected_instead_of_an_entry() {
    let page = Page::with(&["a"]).on(NavigationAction::EntrySelected(entry("c", "one")));
    let subject = views::Subject::Channel { channel: "c".to_owned() };
    let page = page.on(ExploreAction::SubjectSelected(subject.clone()));
    assert_eq!(page.asks(), [&Ask::Query(query::Subject { package: key(1, "a"), subject, day: String::new() }.into())]);
    assert_eq!(page.state.selection.entry, None);
    let page = page.on(NavigationAction::EntrySelected(entry("c", "one")));
    assert_eq!(page.state.explore.subject, None);
}

#[test]
fn repairs_are_in_the_details_of_their_channel() {
    let page = Page::with(&["a", "b"]);
    let repairs = NavigationAction::RepairsAsked(key(1, "b"), "c".to_owned());
    let page = page.on(Action::Navigation(repairs));
    let subject = views::Subject::Channel { channel: "c".to_owned() };
    let asked = query::Subject { package: key(1, "b"), subject, day: String::new() };
    assert!(page.asks().contains(&&Ask::Query(asked.into())));
    assert_eq!((page.state.pane, page.state.tab), (Pane::Entry, Tab::Graph));
}

#[test]
fn the_package_is_described_while_nothing_is_selected() {
    let subject = views::Subject::Package;
    let day = String::new();
    let about = Ask::Query(query::Subject { package: key(1, "a"), subject: subject.clone(), day }.into());
    let page = Page::with(&["a"]).on(NavigationAction::EntrySelected(entry("c", "one")));
    assert!(!page.asks().contains(&&about));
    let view = views::SubjectView { title: "a".to_owned(), ..views::SubjectView::default() };
    let answer = || To::<query::Subject>(Some(Box::new(view.clone())));
    // The entry is shown.
    let page = page.answer(1, answer());
    assert!(page.state.explore.about.is_none());
    let page = page.on(NavigationAction::EntryLeft);
    assert!(page.asks().contains(&&about));
    let page = page.answer(1, answer());
    assert!(page.state.explore.about.is_some());
}
