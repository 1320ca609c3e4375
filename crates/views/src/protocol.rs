//! Messages between the page and its worker.
//!
//! The page sends requests. Each gets exactly one reply, which quotes its id. All else that the worker says is an [`Event`].

use crate::{
    AnyAnswer, AnyQuery, ArchiveView, Authored, AuthoringInput, BundleRules, CatalogId, Compared, FileEdit, FileKey,
    FollowedFiles, IconRow, LinkContent, ListView, MirrorInput, MirrorView, NewBundleView, OlmV1Release, OpenShift,
    OpenedExample, OpmVersion, Overview, PackageKey, SetId, Severity, ShareFault, TextChange,
};
use serde::{Deserialize, Serialize};

/// Counts changes of the inputs. The page raises it with every [`Command`]; the worker quotes the revision that an answer
/// was computed from, and the page drops answers that quote an older one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Revision(pub u32);

/// Identifies a request. The page counts them, over all workers that it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestId(pub u32);

/// What the page asks of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Quoted by the reply.
    pub id: RequestId,
    /// The page's revision after this request.
    pub revision: Revision,
    pub ask: Ask,
}

/// The kinds of requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Changes nothing.
    Query(AnyQuery),
    /// Changes the catalogs; raises the revision.
    Command(Command),
    /// Sets the manifests of the cluster that queries from now on are about. It raises no revision: answers about catalogs stay valid when only
    /// the cluster changes, as it does with each letter in its manifests. Answers about another cluster are dropped because
    /// the page sends those queries again.
    SetCluster(String),
    /// Sets the two states that queries from now on compare. It raises no revision, as [`Ask::SetCluster`].
    SetComparison(Compared),
    /// Cancels the command that loads, which is answered as cancelled.
    Cancel,
    /// Stops a comparison: it is answered with what was found so far.
    Stop(RequestId),
}

/// A change of the inputs, answered with [`Answer::Changed`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Loads the catalogs that the browser keeps.
    Restore,
    /// Reads files. Their contents travel beside the request, as `File` objects in the same order.
    Open {
        /// The files; those of one root name become one catalog.
        files: Vec<NewFile>,
        /// Whether the catalogs of a session file are added to the others, for a comparison. Otherwise they replace all.
        adds_session: bool,
    },
    /// Takes files as they are on the disk now, as [`Command::Open`] at first. Later ones are changes: what is open of the same
    /// roots has them from now on. The contents of those that were read travel beside the request, in the same order.
    Follow(FollowedFiles),
    /// Takes a text as a catalog of one file, without the cluster manifests in it.
    Paste {
        text: String,
        /// The name of the catalog; absent if the user gave none.
        name: Option<String>,
    },
    /// Changes name, namespace or priority of a CatalogSource.
    DescribeCatalog {
        catalog: CatalogId,
        /// `metadata.name`
        name: String,
        /// `metadata.namespace`
        namespace: String,
        /// `spec.priority`
        priority: i64,
    },
    /// Makes a catalog a baseline, which is only compared with others, or a baseline a catalog of the cluster.
    SetBaseline {
        catalog: CatalogId,
        /// Whether it becomes a baseline.
        baseline: bool,
    },
    /// Filters a catalog by an ImageSetConfiguration, as a baseline; the answer opens a [`MirrorView`].
    Mirror {
        /// The catalog and the configuration.
        input: MirrorInput,
        /// The baseline of the last answer, which goes.
        replaces: Option<CatalogId>,
    },
    /// Writes a release, a removal or a deprecation into the text of a catalog.
    Author {
        catalog: CatalogId,
        input: AuthoringInput,
    },
    /// Sets the rules by which a catalog is made of bundle directories.
    SetBundleRules {
        catalog: CatalogId,
        rules: BundleRules,
    },
    /// Opens members of a set as catalogs, in this order.
    OpenMembers {
        set: SetId,
        versions: Vec<OpenShift>,
    },
    RemoveSet {
        set: SetId,
    },
    /// Makes a set the state that others are compared with, or a set of its own again.
    SetBaselineSet {
        set: SetId,
        baseline: bool,
    },
    RemoveCatalog {
        catalog: CatalogId,
    },
    /// Replaces ranges of files.
    Edit(Vec<FileEdit>),
    /// Takes the text of a file as it was opened, without the edits; the answer is [`Opened::Authored`].
    Revert {
        file: FileKey,
    },
    /// Takes what was typed into a file.
    Type {
        file: FileKey,
        /// The changes, in ascending order; they are ranges of the text before all of them.
        changes: Vec<TextChange>,
    },
    /// Shows no findings of these rules, and those of all others. Not kept with the catalogs.
    SwitchRules {
        /// Ids of the rules.
        off: Vec<String>,
    },
    /// Judges catalogs and sets as a release of `opm` does. Not kept with the catalogs.
    JudgeAs {
        opm: OpmVersion,
    },
    /// Answers as this release of OLM v1; without one as that of the manifests, or the newest. Not kept with the catalogs.
    AnswerAs {
        olm_v1: Option<OlmV1Release>,
    },
    /// Removes all catalogs, here and in the browser's store.
    Clear,
    /// Replaces all catalogs by those of an example.
    OpenExample {
        /// The name of the example.
        slug: String,
        /// Whether [`Command::PutBack`] can bring the replaced ones back.
        keep: bool,
    },
    /// Replaces all catalogs by what a link holds.
    OpenLink {
        content: LinkContent,
    },
    /// Undoes a command that removed or replaced catalogs. Works for the last few of them, in any order, until the worker
    /// ends.
    PutBack {
        change: Revision,
    },
    /// Neither reads nor writes the browser's store from now on.
    KeepNothing,
}

/// What is downloaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Download {
    /// All documents of a catalog as `opm render` prints them.
    Catalog { catalog: CatalogId, format: CatalogFormat },
    /// The documents of a package as `opm render` prints them.
    Package { package: PackageKey, format: CatalogFormat },
    /// The files of a catalog that were edited, as a tar archive.
    EditedFiles(CatalogId),
    /// The edits of all followed files, as JSON of a list of [`SavedFile`](crate::SavedFile).
    Unsaved,
    /// The edits of a catalog as a patch for `git apply`.
    Patch(CatalogId),
    /// What would be written into the catalogs of a set.
    Written {
        set: SetId,
        /// What is written.
        input: AuthoringInput,
        /// Whether it is a patch, or a tar archive of the files with their new texts.
        as_patch: bool,
    },
}

/// A format that `opm render` prints catalogs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogFormat {
    /// `--output yaml`
    Yaml,
    /// `--output json`
    Json,
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
    /// Only of this catalog.
    pub catalog: Option<CatalogId>,
    /// Only of this package, and errors of its catalog that are about no package: they stop all of it.
    pub package: Option<PackageKey>,
    /// Only those whose rule, message or path contains this text, whatever the case.
    pub text: String,
    /// Only those of this severity.
    pub severity: Option<Severity>,
}

/// What the worker sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "messages are made and read one at a time, and nearly all are replies")]
pub enum FromWorker {
    /// To a request.
    Reply(Reply),
    /// By itself.
    Event(Event),
}

/// What the worker answers to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub id: RequestId,
    /// The revision of the inputs that the answer was computed from.
    pub revision: Revision,
    pub answer: Answer,
}

/// The kinds of answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "messages are made and read one at a time, and nearly all are answered queries"
)]
pub enum Answer {
    /// To a [`Query`](crate::Query).
    Query(AnyAnswer),
    /// To every [`Command`].
    Changed(Changed),
    /// To [`Ask::SetCluster`].
    ClusterSet,
    /// To [`Ask::SetComparison`].
    ComparisonSet,
    /// To [`Ask::Cancel`] and [`Ask::Stop`]. What was cancelled or stopped has an answer of its own.
    Cancelled,
    /// To a request that the worker cannot read. It changed nothing.
    Refused { reason: String },
    /// To a simulation or a comparison that the worker gave up, because a later request made it out of date.
    Superseded,
}

/// What a command led to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// All catalogs and packages.
    pub overview: Overview,
    /// What was opened besides catalogs, in the order in which the page is to take it.
    pub opened: Vec<Opened>,
    /// Loading was cancelled: what it had loaded so far was removed again.
    pub cancelled: bool,
}

/// What a command opened besides catalogs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Opened {
    /// Cluster manifests that were found in files or in a text.
    Manifests {
        text: String,
    },
    /// A folder of `oc adm must-gather` or `oc adm inspect`. Its manifests follow, if it has any.
    MustGather {
        name: String,
        /// The objects of OLM in it.
        objects: u32,
        /// CSVs that OLM copied to other namespaces, which are left out.
        copied: u32,
        /// Other files, which were not read.
        others: u32,
    },
    /// All that follows was opened by [`Command::Follow`].
    Followed {
        /// The files that the user edited, and that are another text on the disk by now: the edited texts stay.
        contradicted: Vec<FileKey>,
        /// The files that have another text than before.
        changed: Vec<FileKey>,
    },
    /// An archive, or a folder of images. Its catalogs and manifests are opened.
    Archive(ArchiveView),
    /// An archive, or a folder of images, that cannot be read. What else was opened is.
    NotUnpacked {
        /// The name of the file or folder.
        name: String,
        /// Why, and what to do.
        reason: String,
    },
    /// An ImageSetConfiguration that was found in files or in a text.
    ImageSet {
        text: String,
    },
    /// What a mirror has of a catalog.
    Mirror(#[serde(with = "crate::packed")] MirrorView),
    /// A bundle directory whose package an open catalog or set has.
    NewBundle(#[serde(with = "crate::packed")] NewBundleView),
    /// What was written into the text of a catalog, or why nothing was.
    Authored(Result<Authored, String>),
    /// Files were edited; these edits take it back.
    Edited(Vec<FileEdit>),
    /// Catalogs for several versions of OpenShift.
    Set(SetId),
    /// PackageManifests.
    PackageManifests(#[serde(with = "crate::packed")] ListView),
    Example(#[serde(with = "crate::packed")] OpenedExample),
    /// A link or a file of a session; its catalogs have replaced all others.
    Session {
        /// What its page had added to the catalogs, as JSON; empty when the link held a text alone.
        page: String,
    },
    /// An example, a link or a file could not be opened: it changed nothing.
    Refused(ShareFault),
}

/// What the worker sends without a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// It takes requests.
    Ready,
    /// A command goes on.
    Progress {
        /// What is being done.
        stage: Stage,
        /// Bytes that are done.
        done: u32,
        /// Bytes in all.
        total: u32,
    },
    /// What can be used already while a command goes on. It is not validated yet; queries about it are answered.
    Partial {
        revision: Revision,
        /// Catalogs and packages so far.
        overview: Overview,
    },
    /// What a comparison has found so far, while its reply takes longer.
    SoFar {
        id: RequestId,
        /// The answer so far.
        answer: Box<AnyAnswer>,
    },
    /// Icons of packages, some at a time.
    Icons(#[serde(with = "crate::packed")] Vec<IconRow>),
    /// The browser's store could not keep or give back the catalogs; the worker goes on without it.
    NotStored { reason: String },
}

/// What takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Reading archives.
    Unpacking,
    /// Getting the bytes of files.
    Fetching,
    Reading,
    /// Judging what was read; takes a moment at the end of `Reading`.
    Judging,
}
