//! Functions whose code is not in the worker's first module.
//!
//! The build (`xtask/src/worker.rs`) moves each of them, with everything that only these functions reach, into the
//! module that its attribute names. A call loads the module if that has not been done, so it is asynchronous and can
//! fail; the next call tries again. What the first graph needs must not be here, and must reach nothing that is here.

use crate::responder::Responder;
use futures_util::future::FutureExt;
use views::{
    AnyAnswer, AuthoringInput, CatalogId, Download, ExampleTheme, FileEdit, FileKey, FileTarget, FileView,
    GraphOptions, GraphView, InventoryView, MirrorInput, MirrorView, NewBundleView, OpenedExample, PackageKey, Query,
    Respond, SetId, WrittenView, query,
};
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use workbench::{
    ComparisonRun, MustGather, NewBundle, NewText, SetLoading, SimulationProgress, SimulationRun, Workbench,
};

/// A result, or that the module could not be loaded.
pub(crate) type Loaded<T> = Result<T, SplitLoaderError>;

/// Answers queries in modules: the module, then for each query a name for the function, the type and fields of the
/// query, and the answer.
macro_rules! answer_queries {
    ($workbench:ident: $($module:ident {
        $($function:ident: $query:ident { $($field:ident),* } => $answer:expr;)*
    })*) => {
        $($(
            #[wasm_split($module, fallible)]
            fn $function($workbench: &Workbench, query: &query::$query) -> Loaded<<query::$query as Query>::Answer> {
                let query::$query { $($field),* } = query;
                Ok($answer)
            }

            impl Respond<query::$query, SplitLoaderError> for Responder<'_> {
                async fn respond(&mut self, query: &query::$query) -> Loaded<<query::$query as Query>::Answer> {
                    $function(&self.server.workbench, query).await
                }
            }
        )*)*
    };
}

answer_queries! {
    workbench:
    // What is said about the parts of catalogs.
    analysis {
        findings: Findings { filter, limit } => workbench.findings(filter, *limit);
        entry: Entry { package, entry, day } => workbench.entry(package, entry, day).map(Box::new);
        subject: Subject { package, subject, day } => workbench.subject(package, subject, day).map(Box::new);
        reach: Reach { package, first, runtime } => workbench.reach(package, *first, *runtime);
        channel_map: ChannelMap { package } => workbench.channel_map(package);
        path: Path { package, from, to } => workbench.path(package, from, to).map(Box::new);
        search: Search { text, scope, more } => workbench.search(text, scope, *more);
        source: Source { file, target } => workbench.source(*file, *target);
        symbol: Symbol { file, at } => workbench.symbol(*file, *at);
        graph_text: GraphText { package, format } => workbench.graph_text(package, *format);
    }
    // What OLM does in a cluster.
    simulation {
        // At once, while files are loaded: the page asks again when they are.
        simulate: Simulate { namespace } => workbench.simulate(namespace);
        timeline: Timeline { namespace, outcome, approved } => workbench.timeline(namespace, *outcome, *approved);
        why_not: WhyNot { namespace, outcome, package, entry } =>
            workbench.why_not(namespace, *outcome, package, entry);
        namespaces: Namespaces {} => workbench.namespaces();
        form: Form { namespace } => workbench.form(namespace);
        form_edits: FormEdits { namespace, form } => workbench.form_edits(namespace, form);
    }
    // Two catalogs, two versions of OLM, or two versions of a bundle.
    comparison {
        // At once, while files are loaded: the page asks again when they are.
        compare: Compare {} => workbench.compare();
        compare_package: ComparePackage { package } => workbench.compare_package(package).map(Box::new);
        compare_report: CompareReport { with_cluster } => workbench.compare_report(*with_cluster);
        compare_cluster: CompareCluster {} => workbench.compare_cluster().map(Box::new);
        migration: Migration {} => workbench.migration();
        set: Set { set } => workbench.set_view(*set);
        plan: Plan { query } => workbench.plan(query);
        plan_report: PlanReport { query } => workbench.plan_report(query);
        edge_effect: EdgeEffect { package, edit } => workbench.edge_effect(package, edit);
        readiness: Readiness { package } => workbench.readiness(package);
        crd_changes: CrdChanges { package, from, runtime } =>
            workbench.crd_changes(package, from.as_deref(), *runtime);
    }
}

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
pub(crate) fn file(workbench: &Workbench, file: FileKey, target: FileTarget, opens: bool) -> Loaded<Option<FileView>> {
    Ok(workbench.file_view(file, target, opens))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn download(
    workbench: &Workbench,
    new_bundles: &[NewBundle],
    what: &Download,
) -> Loaded<Result<(String, Vec<u8>), String>> {
    Ok(crate::download::build_file(workbench, new_bundles, what))
}

// What OLM does in a cluster.

#[wasm_split(simulation, fallible, preload(preload_simulation))]
pub(crate) fn begin_simulation(workbench: &Workbench, namespace: &str) -> Loaded<SimulationRun> {
    Ok(workbench.begin_simulation(namespace))
}

#[wasm_split(simulation, fallible)]
pub(crate) fn continue_simulation(workbench: &Workbench, run: &mut SimulationRun) -> Loaded<SimulationProgress> {
    Ok(workbench.continue_simulation(run))
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
pub(crate) fn compared_graph(
    workbench: &Workbench,
    package: &PackageKey,
    options: &GraphOptions,
) -> Loaded<Option<GraphView>> {
    Ok(workbench.compared_graph(package, options))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn continue_comparison(workbench: &Workbench, run: &mut ComparisonRun) -> Loaded<bool> {
    Ok(workbench.continue_comparison(run))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn comparison_so_far(workbench: &Workbench, run: &ComparisonRun) -> Loaded<Option<AnyAnswer>> {
    Ok(workbench.comparison_so_far(run))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn finish_comparison(workbench: &Workbench, run: &ComparisonRun) -> Loaded<AnyAnswer> {
    Ok(workbench.finish_comparison(run))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn mirror(workbench: &mut Workbench, input: &MirrorInput) -> Loaded<Option<MirrorView>> {
    Ok(workbench.mirror(input))
}

// Catalogs for several versions of OpenShift.

#[wasm_split(comparison, fallible)]
pub(crate) fn begin_sets(paths: &[&str], dockerfiles: &[&NewText]) -> Loaded<Vec<SetLoading>> {
    Ok(workbench::begin_sets(paths, dockerfiles))
}

/// Adds a file to the sets that want it.
#[wasm_split(comparison, fallible)]
pub(crate) fn add_to_sets(loadings: &mut [SetLoading], path: &str, content: Result<Vec<u8>, String>) -> Loaded<()> {
    workbench::add_to_sets(loadings, path, content);
    Ok(())
}

/// Parses about `bytes` more bytes. Returns whether all that was added is parsed.
#[wasm_split(comparison, fallible)]
pub(crate) fn continue_set(loading: &mut SetLoading, bytes: u32) -> Loaded<bool> {
    Ok(loading.step(bytes))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn preview_set(
    workbench: &mut Workbench,
    known: Option<SetId>,
    name: &str,
    loading: &mut SetLoading,
    coming: &[&str],
) -> Loaded<Option<SetId>> {
    Ok(workbench.preview_set(known, name, loading, coming))
}

#[wasm_split(comparison, fallible)]
pub(crate) fn finish_set(
    workbench: &mut Workbench,
    known: Option<SetId>,
    name: &str,
    loading: SetLoading,
) -> Loaded<Option<SetId>> {
    Ok(workbench.finish_set(known, name, loading))
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
pub(crate) fn author(
    workbench: &mut Workbench,
    catalog: CatalogId,
    input: &AuthoringInput,
    new: Option<&NewBundle>,
) -> Loaded<Result<Vec<FileEdit>, String>> {
    Ok(workbench.author_input(catalog, input, new))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn written(
    workbench: &Workbench,
    set: SetId,
    input: &AuthoringInput,
    new: Option<&NewBundle>,
) -> Loaded<WrittenView> {
    Ok(workbench.written(set, input, new))
}

#[wasm_split(expansion, fallible)]
pub(crate) fn examples() -> Loaded<Vec<ExampleTheme>> {
    Ok(workbench::examples())
}

#[wasm_split(expansion, fallible)]
pub(crate) fn open_example(workbench: &mut Workbench, slug: &str) -> Loaded<Option<OpenedExample>> {
    Ok(workbench.open_example(slug))
}
