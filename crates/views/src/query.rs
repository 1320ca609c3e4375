//! The queries of the page, and what the worker answers to each.
//!
//! The list at the end of this file makes a type of each query. It also makes what passes queries and answers on:
//! [`AnyQuery::put_to`] in the worker, [`AnyAnswer::give_to`] in the page. A query that nothing answers, or whose answer the
//! page does not take, does not compile.

use crate::{
    AuthoringInput, CatalogId, ChannelMapView, ClusterComparisonView, ClusterForm, ComparisonView, CrdChangesView,
    EdgeEffectView, EdgeGesture, EntryKey, EntryView, ExampleTheme, FileKey, FileTarget, FileView, FindingsFilter,
    FindingsView, FormChange, GraphFormat, GraphOptions, GraphView, ListView, MigrationView, NamespacesView,
    NewSubscriptionView, PackageComparisonView, PackageKey, PathView, PlanQuery, PlansView, ReachView, ReadinessView,
    RepairsView, Runtime, SearchKind, SearchScope, SearchView, SetId, SetView, ShareView, SimulationView, SourceView,
    SubjectView, SymbolView, TextEdit, TextPlace, TimelineView, TriedChange, WhyNotView, WrittenView,
};
use serde::{Deserialize, Serialize};

/// A query. Its type names the type of its answer.
pub trait Query: Into<AnyQuery> {
    /// What is answered.
    type Answer;

    /// The query, if it is of this type.
    fn of(query: &AnyQuery) -> Option<&Self>;

    /// An answer as it is sent.
    fn answer(answer: Self::Answer) -> AnyAnswer;
}

/// Answers queries of one type.
pub trait Respond<Q: Query> {
    /// Answers a query.
    fn respond(&self, query: &Q) -> Q::Answer;
}

/// Answers queries of one type with what only the worker has: the browser, bytes that go beside the reply, and inputs that
/// may be changed for a moment.
pub trait RespondInWorker<Q: Query> {
    /// Answers a query.
    fn respond(&mut self, query: &Q) -> impl Future<Output = Q::Answer>;
}

/// Takes the answers to queries of one type, in the page.
pub trait Take<Q: Query> {
    /// Takes an answer.
    fn take(&mut self, query: Q, answer: Q::Answer);
}

/// Declares queries: the type of each with its fields, and the type of its answer. First those that the worker answers itself.
macro_rules! queries {
    (
        worker: $($(#[$own_about:meta])* $own:ident $own_fields:tt -> $(#[$own_encoding:meta])* $own_answer:ty;)*
        => workbench: $($(#[$about:meta])* $name:ident $fields:tt -> $(#[$encoding:meta])* $answer:ty;)*
    ) => {
        queries! { @types
            $($(#[$own_about])* $own $own_fields -> $(#[$own_encoding])* $own_answer;)*
            $($(#[$about])* $name $fields -> $(#[$encoding])* $answer;)*
        }

        impl AnyQuery {
            /// Has the query answered.
            pub async fn put_to<W>(self, worker: &mut W) -> AnyAnswer
            where
                $(W: Respond<$name>,)*
                $(W: RespondInWorker<$own>,)*
            {
                match self {
                    $(Self::$own(query) => AnyAnswer::$own(RespondInWorker::respond(worker, &query).await),)*
                    $(Self::$name(query) => AnyAnswer::$name(Respond::respond(worker, &query)),)*
                }
            }
        }
    };
    (@types $(
        $(#[$about:meta])*
        $name:ident { $($(#[$about_field:meta])* $field:ident: $type:ty,)* } -> $(#[$encoding:meta])* $answer:ty;
    )*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
            pub struct $name {
                $($(#[$about_field])* pub $field: $type,)*
            }

            impl From<$name> for AnyQuery {
                fn from(query: $name) -> Self {
                    Self::$name(query)
                }
            }

            impl Query for $name {
                type Answer = $answer;

                fn of(query: &AnyQuery) -> Option<&Self> {
                    if let AnyQuery::$name(query) = query { Some(query) } else { None }
                }

                fn answer(answer: $answer) -> AnyAnswer {
                    AnyAnswer::$name(answer)
                }
            }
        )*

        /// A query of any type.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum AnyQuery {
            $($(#[$about])* $name($name),)*
        }

        /// The answer to a query of any type.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyAnswer {
            $($(#[$about])* $name($(#[$encoding])* $answer),)*
        }

        impl AnyAnswer {
            /// Hands the answer over with its query. Returns whether it is an answer to that.
            pub fn give_to<T>(self, query: AnyQuery, to: &mut T) -> bool
            where
                $(T: Take<$name>,)*
            {
                match (query, self) {
                    $((AnyQuery::$name(query), Self::$name(answer)) => to.take(query, answer),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

queries! {
    worker:
    /// The catalogs with what the page adds to them, as a link and as a file.
    Share {
        /// What the page adds, as JSON.
        page: String,
        /// The namespace that is simulated and the selected package, if a link of that alone is wanted, too.
        scene: Option<(String, Option<PackageKey>)>,
    } -> #[serde(with = "crate::packed")] ShareView;

    /// A whole file.
    ///
    /// The answer is absent when there is no such file.
    File {
        file: FileKey,
        /// The place to show.
        target: FileTarget,
        /// Whether to send the text, as bytes beside the reply.
        text: bool,
    } -> #[serde(with = "crate::packed")] Option<FileView>;

    /// The text of a file, as bytes beside the reply, to save it.
    ///
    /// The answer is the path of the file; absent when there is no such file.
    FileText {
        file: FileKey,
    } -> Option<String>;

    /// A file to keep, as bytes beside the reply.
    ///
    /// The answer is the name of the file, or why there is none.
    Download {
        /// What it is.
        what: crate::Download,
    } -> Result<String, String>;

    /// What OLM does in a namespace of the cluster after a change, which is taken back.
    ///
    /// The answer may be why the change cannot be made.
    Try {
        /// The namespace to resolve; empty for the first one with Subscriptions.
        namespace: String,
        change: TriedChange,
    } -> #[serde(with = "crate::packed")] Result<Box<SimulationView>, String>;

    /// The channels of a package that nobody subscribed to, and what a new Subscription or ClusterExtension gets.
    ///
    /// The answer is absent when there is no such package.
    NewSubscription {
        package: PackageKey,
        /// The entry that is selected; its channel and itself are shown.
        entry: Option<EntryKey>,
        /// Which OLM installs it; OLM v0 if both are of interest.
        runtime: Runtime,
    } -> #[serde(with = "crate::packed")] Option<NewSubscriptionView>;

    /// How much memory the worker has.
    ///
    /// The answer is in bytes, and never less than before.
    Memory {} -> u32;

    /// What would be written into the catalogs of a set.
    Written {
        set: SetId,
        /// What is written.
        input: AuthoringInput,
    } -> #[serde(with = "crate::packed")] WrittenView;

    => workbench:
    /// The manifests of the cluster as a form.
    Form {
        /// The namespace of the Subscriptions; if it has none, the first one that has some.
        namespace: String,
    } -> #[serde(with = "crate::packed")] ClusterForm;

    /// The edits of the manifests of the cluster that make a change of the form.
    FormEdits {
        /// The namespace of the Subscriptions; if it has none, the first one that has some.
        namespace: String,
        change: FormChange,
    } -> #[serde(with = "crate::packed")] Vec<TextEdit>;

    /// What OLM does in a namespace of the cluster.
    Simulate {
        /// The namespace to resolve; empty for the first one with Subscriptions.
        namespace: String,
    } -> #[serde(with = "crate::packed")] SimulationView;

    /// Every event of one outcome.
    Timeline {
        /// The namespace to resolve; empty for the first one with Subscriptions.
        namespace: String,
        outcome: u32,
        /// How many plans are approved as soon as they wait for it.
        approved: u32,
    } -> #[serde(with = "crate::packed")] TimelineView;

    /// Why OLM does or does not choose an entry in one outcome.
    WhyNot {
        /// The namespace to resolve; empty for the first one with Subscriptions.
        namespace: String,
        outcome: u32,
        /// The package of the entry.
        package: PackageKey,
        entry: EntryKey,
    } -> #[serde(with = "crate::packed")] WhyNotView;

    /// The list of examples.
    Examples {} -> #[serde(with = "crate::packed")] Vec<ExampleTheme>;

    /// The update graph of a package.
    ///
    /// The answer is absent when there is no such package.
    Graph {
        package: PackageKey,
        /// Which drawing of it.
        options: GraphOptions,
    } -> #[serde(with = "crate::packed")] Option<GraphView>;

    /// The update graph of a package as text.
    ///
    /// The answer is absent when there is no such package.
    GraphText {
        package: PackageKey,
        /// The language of the text.
        format: GraphFormat,
    } -> Option<String>;

    /// Everything about one entry.
    ///
    /// The answer is absent when there is no such entry.
    Entry {
        /// The package of the entry.
        package: PackageKey,
        entry: EntryKey,
        /// The day for which its phase of support is stated, `YYYY-MM-DD`; empty for none.
        day: String,
        /// The versions of OLM: with OLM v1 alone, its way to the head is that of OLM v1.
        runtime: Runtime,
    } -> #[serde(with = "crate::packed")] Option<Box<EntryView>>;

    /// Everything about something of a package that is not an entry.
    ///
    /// The answer is absent when there is no such subject.
    Subject {
        package: PackageKey,
        subject: crate::Subject,
        /// The day for which its phase of support is stated, `YYYY-MM-DD`; empty for none.
        day: String,
    } -> #[serde(with = "crate::packed")] Option<Box<SubjectView>>;

    /// From which versions OLM reaches the heads of channels; a part of the table.
    ///
    /// The answer is absent when there is no such package.
    Reach {
        package: PackageKey,
        /// The first channel of the part, counted as in [`GraphView::lanes`].
        first: u32,
        /// The versions of OLM: with OLM v1 the table says where it ends elsewhere.
        runtime: Runtime,
        /// A version or CSV that is looked for: a row if it may be installed, also if the catalog no longer lists it.
        installed: String,
    } -> #[serde(with = "crate::packed")] Option<ReachView>;

    /// What the change between the compared states does to the installed versions of all packages.
    ///
    /// The answer is absent when one of the catalogs is gone.
    Compare {} -> #[serde(with = "crate::packed")] Option<ComparisonView>;

    /// The same of one package, with causes and fixes.
    ///
    /// The answer is absent when one of the catalogs is gone, or neither has the package.
    ComparePackage {
        package: String,
    } -> #[serde(with = "crate::packed")] Option<Box<PackageComparisonView>>;

    /// What becomes of the cluster when the catalog before the change is exchanged for the one after it.
    ///
    /// The answer is absent when one of the catalogs is gone.
    CompareCluster {} -> #[serde(with = "crate::packed")] Option<Box<ClusterComparisonView>>;

    /// The comparison as Markdown.
    ///
    /// The answer is absent when one of the catalogs is gone, or when it was stopped.
    CompareReport {
        /// Whether it says what becomes of the cluster.
        with_cluster: bool,
    } -> Option<String>;

    /// The packages of a catalog with their channels, heads and versions.
    List { catalog: CatalogId, } -> #[serde(with = "crate::packed")] ListView;

    /// What becomes of the Subscriptions of all namespaces.
    Namespaces {} -> #[serde(with = "crate::packed")] NamespacesView;

    /// What becomes of the Subscriptions of the cluster as ClusterExtensions of OLM v1.
    Migration {} -> #[serde(with = "crate::packed")] MigrationView;

    /// What OLM v1 refuses in the bundles of a package.
    ///
    /// The answer is absent when there is no such package.
    Readiness {
        package: PackageKey,
    } -> #[serde(with = "crate::packed")] Option<ReadinessView>;

    /// What helps the channels of packages of a catalog, by package and channel.
    Repairs {
        catalog: CatalogId,
        packages: Vec<String>,
    } -> #[serde(with = "crate::packed")] Vec<RepairsView>;

    /// What updates of a package do to CustomResourceDefinitions.
    ///
    /// The answer is absent when there is no such package.
    CrdChanges {
        package: PackageKey,
        /// The bundle that the updates begin at; all of them if absent.
        from: Option<String>,
        /// The versions of OLM that make the updates.
        runtime: Runtime,
    } -> #[serde(with = "crate::packed")] Option<CrdChangesView>;

    /// To which channels a Subscription can switch.
    ///
    /// The answer is absent when there is no such package.
    ChannelMap {
        package: PackageKey,
    } -> #[serde(with = "crate::packed")] Option<ChannelMapView>;

    /// The hops from an installed version to an entry.
    ///
    /// The answer is absent when the package has no such channel or name.
    Path {
        package: PackageKey,
        /// The name of what is installed.
        from: String,
        /// The entry to reach, in the channel of the Subscription.
        to: EntryKey,
    } -> #[serde(with = "crate::packed")] Option<Box<PathView>>;

    /// What contains all words of a text.
    Search {
        /// The words; upper and lower case are the same.
        text: String,
        /// Where to look.
        scope: SearchScope,
        /// How many results of a kind are returned, if other than the usual number.
        more: Option<(SearchKind, u32)>,
    } -> #[serde(with = "crate::packed")] SearchView;

    /// Findings, worst first.
    Findings {
        /// Restricts them.
        filter: FindingsFilter,
        /// The most that are returned.
        limit: u32,
    } -> #[serde(with = "crate::packed")] FindingsView;

    /// An excerpt of a file around a place.
    ///
    /// The answer is absent when there is no such file.
    Source {
        file: FileKey,
        target: FileTarget,
    } -> #[serde(with = "crate::packed")] Option<SourceView>;

    /// The symbol at a position of a file, and where it is defined.
    ///
    /// The answer is absent when there is no such file.
    Symbol {
        file: FileKey,
        /// The place.
        at: TextPlace,
    } -> #[serde(with = "crate::packed")] Option<SymbolView>;

    /// A set as a matrix, with what is wrong with it.
    Set {
        set: SetId,
    } -> #[serde(with = "crate::packed")] SetView;

    /// What a change of the edges of an entry does to installed versions.
    ///
    /// The answer is absent when there is no such entry.
    EdgeEffect {
        package: PackageKey,
        edit: EdgeGesture,
    } -> #[serde(with = "crate::packed")] Option<EdgeEffectView>;

    /// Plans of an update of OpenShift for the cluster; without one, for every head of a channel.
    Plan {
        /// What is asked.
        query: PlanQuery,
    } -> #[serde(with = "crate::packed")] Result<PlansView, String>;

    /// The same as Markdown.
    PlanReport {
        /// What is asked.
        query: PlanQuery,
    } -> Result<String, String>;
}
