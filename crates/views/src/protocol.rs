//! Requests to the worker and its answers.

use crate::{
    Arrival, CatalogId, ClusterForm, ClusterInput, EntryKey, EntryView, ExampleTheme, FileKey, FileTarget, FileView,
    FindingsView, GraphView, HereView, IconRow, OpenedExample, Overview, PackageKey, ReachView, ShareFault, ShareView,
    SimulationView, SourceView, Subject, SubjectView, TextChange, TextPlace, TimelineView, WayView, WhyNotView,
};
use serde::{Deserialize, Serialize};

/// Counts changes of the inputs. The page raises it with every change that it asks for; the worker quotes the one that
/// an answer was computed from, and the page drops answers that quote an older one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Revision(pub u32);

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The page's revision after this request.
    pub revision: Revision,
    /// The question or change.
    pub ask: Ask,
}

/// A change of the inputs or a question about them. Changes are answered with [`Answer::Overview`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Change: load what the browser kept from the last visit.
    Restore,
    /// Change: read files. Their contents travel beside the request, as `File` objects in the same order.
    Open {
        /// The files; those of one root name become one catalog.
        files: Vec<NewFile>,
    },
    /// Change: take a text as a catalog of one file; cluster manifests in it are no catalog.
    Paste {
        /// The text.
        text: String,
    },
    /// Change: name, namespace or priority of a CatalogSource.
    DescribeCatalog {
        /// Which.
        catalog: CatalogId,
        /// `metadata.name`
        name: String,
        /// `metadata.namespace`
        namespace: String,
        /// `spec.priority`
        priority: i32,
    },
    /// Change: forget a catalog.
    RemoveCatalog {
        /// Which.
        catalog: CatalogId,
    },
    /// Change: replace a range of a file's text.
    Edit {
        /// The file.
        file: FileKey,
        /// First byte to replace (UTF-8).
        start: u32,
        /// One past the last byte to replace.
        end: u32,
        /// The new text.
        text: String,
    },
    /// Change: show no findings of these rules, and those of all others. It is no property of the catalogs and not kept with
    /// them.
    SwitchRules {
        /// Their ids.
        off: Vec<String>,
    },
    /// Change: what was typed into a file, in the order of the text, as ranges of the text before all of it.
    Type {
        /// The file.
        file: FileKey,
        /// The changes.
        changes: Vec<TextChange>,
    },
    /// Change: forget all catalogs, here and in the browser's store.
    Clear,
    /// Neither: stop loading what is being loaded, and take it back. The change that it stops is answered as ever; with
    /// nothing to stop, nothing happens.
    Cancel,
    /// Change: put the catalogs of an example in the place of all others.
    OpenExample {
        /// Which.
        slug: String,
        /// Whether those others can be asked back.
        keep: bool,
    },
    /// Change: put what came with an address in the place of all catalogs.
    Arrive {
        /// What came.
        arrival: Arrival,
    },
    /// Change: bring back the catalogs that a change took away, and take away those that it brought. The last few
    /// changes can be taken back, in any order, as long as the worker lives.
    PutBack {
        /// The revision of that change.
        change: Revision,
    },
    /// Change: neither read nor write the browser's store from now on.
    KeepNothing,
    /// Question: all of this visit as a link and as a file, answered with [`Answer::Shared`].
    Share {
        /// What the page adds to the catalogs, as JSON.
        page: String,
    },
    /// Question: a form as manifests, answered with [`Answer::Exported`].
    Export {
        /// The form.
        form: ClusterForm,
    },
    /// Question: every event of one outcome, answered with [`Answer::Timeline`].
    Timeline {
        /// What it starts from.
        cluster: ClusterInput,
        /// The outcome, an index.
        outcome: u32,
        /// So many plans are approved as soon as they wait for it.
        approved: u32,
    },
    /// Question: why one outcome does not come to an entry, answered with [`Answer::WhyNot`].
    WhyNot {
        /// What it starts from.
        cluster: ClusterInput,
        /// The outcome, an index.
        outcome: u32,
        /// The package of the entry.
        package: PackageKey,
        /// The entry.
        entry: EntryKey,
    },
    /// Question: the ready examples, answered with [`Answer::Examples`].
    Examples,
    /// Question: the update graph of a package, answered with [`Answer::Graph`].
    Graph {
        /// Which.
        package: PackageKey,
    },
    /// Question: the update graph of a package as text, answered with [`Answer::GraphText`].
    GraphText {
        /// Which.
        package: PackageKey,
        /// In which language.
        format: GraphFormat,
        /// What the page does with it.
        purpose: TextPurpose,
    },
    /// Question: everything about one entry, answered with [`Answer::Entry`].
    Entry {
        /// Its package.
        package: PackageKey,
        /// Which.
        entry: EntryKey,
    },
    /// Question: all about something that is not an entry, answered with [`Answer::Subject`].
    Subject {
        /// Its package.
        package: PackageKey,
        /// Which.
        subject: Subject,
    },
    /// Question: from which versions OLM comes to the heads of channels, answered with [`Answer::Reach`].
    Reach {
        /// The package.
        package: PackageKey,
        /// The first channel of the part that is asked for, counted as in [`GraphView::lanes`].
        first: u32,
    },
    /// Question: how OLM comes from a version to an entry, answered with [`Answer::Way`].
    Way {
        /// The package.
        package: PackageKey,
        /// The name of what is installed.
        from: String,
        /// Where it is to come; its channel is the one that is subscribed to.
        to: EntryKey,
    },
    /// Question: findings, worst first, answered with [`Answer::Findings`].
    Findings {
        /// Which ones.
        filter: FindingsFilter,
        /// At most so many.
        limit: u32,
    },
    /// Question: an excerpt of a file around a place, answered with [`Answer::Source`].
    Source {
        /// The file.
        file: FileKey,
        /// A byte range of interest (UTF-8); the excerpt is around its start.
        start: u32,
        /// Its end.
        end: u32,
    },
    /// Question: the line of a file, as [`Ask::Source`].
    Line {
        /// The file.
        file: FileKey,
        /// The line, from 1; past the end means the last.
        line: u32,
    },
    /// Question: how much memory the worker has, answered with [`Answer::Memory`].
    Memory,
    /// Question: a whole file, answered with [`Answer::File`].
    File {
        /// The file.
        file: FileKey,
        /// Where to look.
        target: FileTarget,
        /// Whether the text is wanted.
        text: bool,
    },
    /// Question: what stands at a place of a file, answered with [`Answer::Here`].
    Here {
        /// The file.
        file: FileKey,
        /// The place.
        at: TextPlace,
    },
    /// Question: what OLM does, answered with [`Answer::Simulation`].
    Simulate {
        /// What it starts from.
        cluster: ClusterInput,
    },
}

impl Ask {
    /// Whether it leaves everything as it is, and is answered in one go.
    #[must_use]
    pub const fn is_question(&self) -> bool {
        match self {
            Self::Restore
            | Self::Open { .. }
            | Self::Paste { .. }
            | Self::DescribeCatalog { .. }
            | Self::RemoveCatalog { .. }
            | Self::Edit { .. }
            | Self::Type { .. }
            | Self::Clear
            | Self::OpenExample { .. }
            | Self::SwitchRules { .. }
            | Self::Arrive { .. }
            | Self::PutBack { .. }
            | Self::KeepNothing
            | Self::Share { .. }
            | Self::Cancel => false,
            Self::Export { .. }
            | Self::Timeline { .. }
            | Self::WhyNot { .. }
            | Self::Examples
            | Self::Graph { .. }
            | Self::GraphText { .. }
            | Self::Entry { .. }
            | Self::Subject { .. }
            | Self::Reach { .. }
            | Self::Way { .. }
            | Self::Findings { .. }
            | Self::Source { .. }
            | Self::Line { .. }
            | Self::Memory
            | Self::File { .. }
            | Self::Here { .. }
            | Self::Simulate { .. } => true,
        }
    }
}

/// A language that graphs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GraphFormat {
    /// Mermaid, as `opm alpha render-graph` draws it.
    Mermaid,
    /// Graphviz.
    Dot,
    /// Channels, entries, edges and ranges as JSON.
    Json,
}

/// What the page does with a text; it comes back with the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPurpose {
    /// Puts it on the clipboard.
    Copy,
    /// Gives it to the user as a file.
    Save,
}

/// A file that is about to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFile {
    /// The name of the dropped root (a folder, or a file by itself): the catalog it belongs to.
    pub root: String,
    /// The path below the root; empty when the root is a file.
    pub path: String,
}

/// Which findings are asked for. Empty fields do not restrict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingsFilter {
    /// Only of this package, and errors of its catalog that are about no package: they stop all of it.
    pub package: Option<PackageKey>,
    /// Only those whose rule, message or path contains this text, whatever the case.
    pub text: String,
}

/// What the worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The revision of the inputs that the answer was computed from.
    pub revision: Revision,
    /// The answer.
    pub answer: Answer,
}

/// An answer, a sign of life or a refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The worker runs and waits for requests.
    Ready,
    /// Work on a long change goes on.
    Progress {
        /// What is being done.
        stage: Stage,
        /// So many bytes are done.
        done: u32,
        /// Of so many.
        total: u32,
    },
    /// What can be used already while a long change goes on, not judged yet. Questions about it are answered.
    SoFar(Overview),
    /// All catalogs and packages, after every change.
    Overview(Overview),
    /// Loading was cancelled, before the overview that says so.
    Cancelled {
        /// It was what the browser kept from the last visit; it is kept for another time.
        restoring: bool,
    },
    /// Icons of packages, some at a time, after an overview.
    Icons(Vec<IconRow>),
    /// Cluster manifests that were among what was opened or pasted, before the overview.
    Manifests {
        /// The text.
        text: String,
    },
    /// To [`Ask::OpenExample`], before the overview.
    Example(OpenedExample),
    /// To [`Ask::Arrive`], and to [`Ask::Open`] when the file of a visit was among what was opened; before the overview.
    Arrived {
        /// What its page had added to the catalogs, as JSON; empty when a text alone came.
        page: String,
    },
    /// Instead of [`Answer::Arrived`]: nothing was changed.
    NotArrived(ShareFault),
    /// To [`Ask::Share`].
    Shared(ShareView),
    /// To [`Ask::Examples`].
    Examples(Vec<ExampleTheme>),
    /// To [`Ask::Graph`]; absent when there is no such package.
    Graph {
        /// What was asked for.
        package: PackageKey,
        /// The drawing.
        #[serde(with = "crate::packed")]
        graph: Option<GraphView>,
    },
    /// To [`Ask::GraphText`]; absent when there is no such package.
    GraphText {
        /// What was asked for.
        package: PackageKey,
        /// What was asked for.
        format: GraphFormat,
        /// What was asked for.
        purpose: TextPurpose,
        /// The text.
        text: Option<String>,
    },
    /// To [`Ask::Entry`]; absent when there is no such entry.
    Entry {
        /// What was asked for.
        package: PackageKey,
        /// What was asked for.
        entry: EntryKey,
        /// All about it.
        view: Option<Box<EntryView>>,
    },
    /// To [`Ask::Subject`]; absent when there is no such thing.
    Subject {
        /// What was asked for.
        package: PackageKey,
        /// What was asked for.
        subject: Subject,
        /// All about it.
        view: Option<Box<SubjectView>>,
    },
    /// To [`Ask::Reach`]; absent when there is no such package.
    Reach {
        /// What was asked for.
        package: PackageKey,
        /// What was asked for.
        first: u32,
        /// The part.
        view: Option<ReachView>,
    },
    /// To [`Ask::Way`]; absent when the package has no such channel or name.
    Way {
        /// What was asked for.
        package: PackageKey,
        /// What was asked for.
        from: String,
        /// What was asked for.
        to: EntryKey,
        /// The way.
        view: Option<Box<WayView>>,
    },
    /// To [`Ask::Findings`].
    Findings(FindingsView),
    /// To [`Ask::Source`] and [`Ask::Line`]; absent when there is no such file.
    Source(Option<SourceView>),
    /// To [`Ask::File`]; absent when there is no such file.
    File(Option<FileView>),
    /// To [`Ask::Here`]; absent when there is no such file.
    Here(Option<HereView>),
    /// To [`Ask::Simulate`].
    Simulation(SimulationView),
    /// To [`Ask::Timeline`].
    Timeline(TimelineView),
    /// To [`Ask::WhyNot`].
    WhyNot(WhyNotView),
    /// To [`Ask::Export`]: the manifests.
    Exported(String),
    /// To [`Ask::Memory`].
    Memory {
        /// So many bytes; never fewer than before.
        bytes: u32,
    },
    /// The browser's store could not keep or give back the catalogs; the session goes on without it.
    NotStored {
        /// Why.
        reason: String,
    },
}

/// What takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Getting the bytes of files.
    Fetching,
    /// Reading what they say.
    Reading,
    /// Judging what was read; takes a moment at the end of `Reading`.
    Judging,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switching_rules_and_typing_are_changes() {
        assert!(!Ask::SwitchRules { off: Vec::new() }.is_question());
        assert!(!Ask::Type { file: FileKey(0), changes: Vec::new() }.is_question());
        assert!(Ask::Examples.is_question());
    }
}
