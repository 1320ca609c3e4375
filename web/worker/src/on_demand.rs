//! Functions whose code is not in the worker's first module.
//!
//! The build (`xtask/src/worker.rs`) moves each of them, with everything that only these functions reach, into the module that
//! its attribute names. A call loads the module if that has not been done, so it is asynchronous and can fail; the next call
//! tries again. What the first graph needs must not be here, and must reach nothing that is here.

use futures_util::future::FutureExt;
use views::{
    Answer, CatalogId, ClusterForm, ClusterInput, Compared, Download, EntryKey, FileKey, FileTarget, FindingsFilter,
    GraphFormat, GraphOptions, InventoryView, MirrorInput, MirrorView, NewBundleView, OpenedExample, PackageKey,
    Runtime, Subject, TextPlace, Trial,
};
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use workbench::{MustGather, NewBundle, NewText, SimulationProgress, SimulationRun, Workbench};

/// A result, or that the module could not be loaded.
pub(crate) type Loaded<T = Answer> = Result<T, SplitLoaderError>;

/// Loads all modules. One that cannot be loaded is tried again when it is needed.
pub(crate) async fn preload() {
    drop(preload_analysis().await);
    drop(preload_simulation().await);
    drop(preload_comparison().await);
    drop(preload_expansion().await);
}

/// Whether the checks can run without waiting.
pub(crate) fn has_analysis() -> bool {
    preload_analysis().now_or_never().is_some_and(|loaded| loaded.is_ok())
}

// Checks of catalogs, and what is said about their parts.

#[wasm_split(analysis, fallible, preload(preload_analysis))]
pub(crate) fn start_checks(workbench: &mut Workbench) -> Loaded<()> {
    workbench.start_checks();
    Ok(())
}

#[wasm_split(analysis, fallible)]
pub(crate) fn findings(workbench: &Workbench, filter: &FindingsFilter, limit: u32) -> Loaded {
    Ok(Answer::Findings(workbench.findings(filter, limit)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn entry(workbench: &Workbench, package: &PackageKey, entry: &EntryKey) -> Loaded {
    Ok(Answer::Entry(workbench.entry(package, entry).map(Box::new)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn subject(workbench: &Workbench, package: &PackageKey, subject: &Subject) -> Loaded {
    Ok(Answer::Subject(workbench.subject(package, subject).map(Box::new)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn reach(workbench: &Workbench, package: &PackageKey, first: u32, runtime: Runtime) -> Loaded {
    Ok(Answer::Reach(workbench.reach(package, first, runtime)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn channel_map(workbench: &Workbench, package: &PackageKey) -> Loaded {
    Ok(Answer::ChannelMap(workbench.channel_map(package)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn path(workbench: &Workbench, package: &PackageKey, from: &str, to: &EntryKey) -> Loaded {
    Ok(Answer::Path(workbench.path(package, from, to).map(Box::new)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn search(workbench: &Workbench, text: &str) -> Loaded {
    Ok(Answer::Search(workbench.search(text)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn source(workbench: &Workbench, file: FileKey, target: FileTarget) -> Loaded {
    Ok(Answer::Source(workbench.source(file, target)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn file(workbench: &Workbench, file: FileKey, target: FileTarget, opens: bool) -> Loaded {
    Ok(Answer::File(workbench.file_view(file, target, opens)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn symbol(workbench: &Workbench, file: FileKey, at: TextPlace) -> Loaded {
    Ok(Answer::Symbol(workbench.symbol(file, at)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn graph_text(workbench: &Workbench, package: &PackageKey, format: GraphFormat) -> Loaded {
    Ok(Answer::GraphText(workbench.graph_text(package, format)))
}

#[wasm_split(analysis, fallible)]
pub(crate) fn download(
    workbench: &Workbench,
    catalog: CatalogId,
    what: &Download,
) -> Loaded<Result<(String, Vec<u8>), String>> {
    Ok(crate::download::download(workbench, catalog, what))
}

// What OLM does in a cluster.

#[wasm_split(simulation, fallible, preload(preload_simulation))]
pub(crate) fn begin_simulation(workbench: &Workbench, cluster: &ClusterInput) -> Loaded<SimulationRun> {
    Ok(workbench.begin_simulation(cluster))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn continue_simulation(workbench: &Workbench, run: &mut SimulationRun) -> Loaded<SimulationProgress> {
    Ok(workbench.continue_simulation(run))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn simulate(workbench: &Workbench, cluster: &ClusterInput) -> Loaded {
    Ok(Answer::Simulate(workbench.simulate(cluster)))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn timeline(workbench: &Workbench, cluster: &ClusterInput, outcome: u32, approved: u32) -> Loaded {
    Ok(Answer::Timeline(workbench.timeline(cluster, outcome, approved)))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn why_not(
    workbench: &Workbench,
    cluster: &ClusterInput,
    outcome: u32,
    package: &PackageKey,
    entry: &EntryKey,
) -> Loaded {
    Ok(Answer::WhyNot(workbench.why_not(cluster, outcome, package, entry)))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn export(workbench: &Workbench, form: &ClusterForm) -> Loaded {
    Ok(Answer::Export(workbench.manifests(form)))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn inventory(text: &str) -> Loaded<InventoryView> {
    Ok(workbench::inventory(text))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn must_gather(files: &[(String, String)]) -> Loaded<MustGather> {
    Ok(workbench::must_gather(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))))
}

// Two catalogs, two versions of OLM, or two versions of a bundle.

#[wasm_split(comparison, fallible, preload(preload_comparison))]
pub(crate) fn compare(workbench: &Workbench, compared: &Compared) -> Loaded {
    Ok(Answer::Compare(workbench.compare(compared)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn compare_package(workbench: &Workbench, compared: &Compared, package: &str) -> Loaded {
    Ok(Answer::ComparePackage(workbench.compare_package(compared, package).map(Box::new)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn compare_cluster(workbench: &Workbench, compared: &Compared, cluster: &ClusterInput) -> Loaded {
    Ok(Answer::CompareCluster(workbench.compare_cluster(compared, cluster).map(Box::new)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn compare_report(workbench: &Workbench, compared: &Compared, cluster: Option<&ClusterInput>) -> Loaded {
    Ok(Answer::CompareReport(workbench.compare_report(compared, cluster)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn compared_graph(workbench: &Workbench, package: &PackageKey, options: &GraphOptions) -> Loaded {
    Ok(Answer::Graph(workbench.compared_graph(package, options)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn mirror(workbench: &mut Workbench, asked: &MirrorInput) -> Loaded<Option<MirrorView>> {
    Ok(workbench.mirror(asked))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn migration(workbench: &Workbench, cluster: &ClusterInput) -> Loaded {
    Ok(Answer::Migration(workbench.migration(cluster)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn readiness(workbench: &Workbench, package: &PackageKey) -> Loaded {
    Ok(Answer::Readiness(workbench.readiness(package)))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn crd_changes(workbench: &Workbench, package: &PackageKey, from: Option<&str>, runtime: Runtime) -> Loaded {
    Ok(Answer::CrdChanges(workbench.crd_changes(package, from, runtime)))
}

// What catalogs are made of: templates, bundle directories, examples.

#[wasm_split(expansion, fallible, preload(preload_expansion))]
pub(crate) fn start_expansion(workbench: &mut Workbench) -> Loaded<()> {
    workbench.start_expansion();
    Ok(())
}

#[wasm_split(expansion, fallible)]
pub(crate) fn new_bundle(
    workbench: &Workbench,
    number: u32,
    files: &[NewText],
) -> Loaded<Option<(NewBundle, NewBundleView)>> {
    let new = NewBundle::of(files);
    Ok(new.and_then(|new| {
        let view = workbench.trial(number, &new)?;
        Some((new, view))
    }))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn try_bundle(
    workbench: &mut Workbench,
    new: &NewBundle,
    trial: &Trial,
) -> Loaded<Result<Vec<FileKey>, String>> {
    Ok(workbench.try_bundle(new, trial))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn examples() -> Loaded {
    Ok(Answer::Examples(workbench::examples()))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn open_example(workbench: &mut Workbench, slug: &str) -> Loaded<Option<OpenedExample>> {
    Ok(workbench.open_example(slug))
}
