//! Makes a cluster of manifests, and finds the loaded catalog for each of its CatalogSources.

use super::extensions;
use super::scenario::{Scenario, snapshots};
use crate::cluster_form;
use crate::reported;
use cluster::{CatalogKey, Cluster, CsvProperties, Manifests, SkipReason, Skipped};
use messages::explain_messages;
use session::ManifestText;
use session::unbound;
use session::{CatalogInput, Workbench};
use session::{Exchange, Pairing, pair_catalog_sources, without_catalog};
use source::{Diagnostic, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::{
    BoundSource, CatalogId, ExplainedMessage, ManifestFinding, ManifestsView, MessagesView, SkippedView, Verdict,
};

/// Selects `namespace` of the manifests; if it has no Subscription, the first namespace that has one.
pub(super) fn scenario(
    workbench: &Workbench,
    text: &Rc<ManifestText>,
    namespace: &str,
    exchange: Option<Exchange<'_>>,
) -> Scenario {
    let manifests = &text.objects;
    let summary = summary(manifests);
    let of_extensions = extensions::notices(workbench, manifests);
    let extensions = extensions::views(workbench, text);
    let Manifests { cluster, unreachable, skipped, .. } = manifests;
    let mut cluster = cluster::Cluster { budget: workbench.budget(), ..cluster.clone() };
    let skipped = by_kind(skipped);
    let paired = pair_catalog_sources(workbench, manifests, &mut cluster, exchange);
    let bound = paired.sources();
    let cluster_catalogs = unbound(workbench, manifests, &paired);
    let Pairing { rows: sources, mut assumptions, unused, .. } = paired;
    let keys = sources.iter().filter(|source| source.catalog.is_none());
    let unloaded: BTreeSet<CatalogKey> = keys.map(|source| CatalogKey::new(&source.name, &source.namespace)).collect();
    cluster.catalog_sources.retain(|source| bound.contains_key(&source.key));
    let namespaces: Vec<String> = cluster.namespaces().iter().map(ToString::to_string).collect();
    let here = namespaces.iter().find(|name| *name == namespace).or(namespaces.first()).cloned().unwrap_or_default();
    let view = ManifestsView {
        summary,
        namespaces,
        namespace: here.clone(),
        findings: findings(text, namespace),
        skipped,
        sources,
        cluster_catalogs,
        messages: messages(workbench, text, &here),
    };
    assumptions.extend(cluster.installed_notices());
    assumptions.extend(cluster.managed_notices());
    assumptions.extend(unknown_csvs(workbench, &cluster, &here));
    let is_seen = |home: &str| *home == *cluster.global_namespace || view.namespaces.iter().any(|name| name == home);
    let of_subscriptions = || assumptions.into_iter().chain(notices(workbench, &view, &unused, &unloaded, is_seen));
    let has_subscriptions = extensions.is_empty() || !cluster.subscriptions.is_empty();
    let notices = if has_subscriptions { of_subscriptions().chain(of_extensions).collect() } else { of_extensions };
    let snapshots = snapshots(workbench, &cluster, &bound);
    let faults = cluster_form::faults(workbench, text, &here);
    let mut scenario = Scenario {
        cluster,
        namespace: here.into(),
        snapshots,
        bound,
        notices,
        manifests: Some(view),
        text: Rc::clone(text),
        unloaded: Rc::new(unloaded),
        unreachable: unreachable.clone(),
        extensions,
        faults,
        modes: Rc::default(),
        assumed: Vec::new(),
        until_approved: None,
        state: None,
    };
    if scenario.is_unknown() {
        let text = "no loaded catalog stands for a CatalogSource of the namespace, so nothing is simulated";
        scenario.notices.insert(0, text.to_owned());
    }
    scenario
}

/// Notices about installed CSVs of which neither the manifests nor a loaded catalog tell what they are.
fn unknown_csvs<'c>(
    workbench: &'c Workbench,
    cluster: &'c Cluster,
    namespace: &'c str,
) -> impl Iterator<Item = String> + 'c {
    let is_unknown = |properties: &CsvProperties| match properties {
        CsvProperties::Inferred { provided, required } => provided.is_empty() && required.is_empty(),
        CsvProperties::Known(_) | CsvProperties::Broken(_) => false,
    };
    let here = cluster.subscriptions.iter().filter(move |row| *row.namespace == *namespace);
    let installed = here.filter_map(|row| cluster.installed(row).name()).collect::<BTreeSet<_>>().into_iter();
    let unknown = installed.filter(move |name| {
        let csvs = || cluster.csvs.iter().filter(|csv| *csv.namespace == *namespace && csv.installed.name == **name);
        let listings = || workbench.catalogs().iter().map(|catalog| catalog.analysis.listing());
        csvs().any(|csv| is_unknown(&csv.installed.properties))
            && !listings().any(|listing| listing.entries().iter().any(|entry| entry.name == **name))
    });
    unknown.map(|name| {
        format!("no loaded catalog has the installed `{name}`, so what it provides and requires is unknown")
    })
}

/// Notices about CatalogSources and catalogs that are not used, and about missing Subscriptions.
fn notices(
    workbench: &Workbench,
    view: &ManifestsView,
    unused: &[CatalogId],
    unloaded: &BTreeSet<CatalogKey>,
    is_seen: impl Fn(&str) -> bool,
) -> Vec<String> {
    let is_unloaded = |source: &&BoundSource| unloaded.contains(&CatalogKey::new(&source.name, &source.namespace));
    let unloaded = view.sources.iter().filter(is_unloaded);
    let without = unloaded.map(|source| match is_seen(&source.namespace) {
        true => without_catalog(&source.name, &source.namespace),
        false => format!(
            "CatalogSource `{}` is seen by namespace `{}` alone, which has no Subscription",
            source.name, source.namespace
        ),
    });
    let idle = |catalog: &&CatalogInput| unused.contains(&catalog.id);
    let unnamed: Vec<String> =
        workbench.catalogs().iter().filter(idle).map(|catalog| format!("`{}`", catalog.name)).collect();
    let unnamed = match &*unnamed {
        [] => None,
        [one] => Some(format!("the loaded catalog {one} is not used: no CatalogSource in the manifests has its name")),
        all => Some(format!(
            "the loaded catalogs {} are not used: no CatalogSource in the manifests has their names",
            all.join(", ")
        )),
    };
    let idle =
        view.namespace.is_empty() && !(view.summary.is_empty() && view.findings.is_empty() && view.skipped.is_empty());
    let nothing = idle.then(|| "the manifests have no Subscription, so OLM resolves nothing".to_owned());
    without.chain(unnamed).chain(nothing).collect()
}

/// What the text says is wrong, in words of the cluster. With catalogs only what concerns the namespace, and nothing that would tell
/// more: the answer does.
fn messages(workbench: &Workbench, text: &ManifestText, namespace: &str) -> MessagesView {
    let has_answer = !workbench.catalogs().is_empty() && !summary(&text.objects).is_empty();
    let is_here = |one: &ExplainedMessage| one.namespace.is_empty() || one.namespace == namespace;
    let MessagesView { mut messages, more } = match has_answer {
        true => MessagesView { messages: reported(workbench), ..MessagesView::default() },
        false => explain_messages(text.text()),
    };
    messages.retain(|one| one.verdict != Some(Verdict::Acts) && (!has_answer || is_here(one)));
    MessagesView { messages, more }
}

fn summary(manifests: &Manifests) -> String {
    let cluster = &manifests.cluster;
    let counts = [
        (usize::from(cluster.openshift.is_some()), "ClusterVersion"),
        (cluster.catalog_sources.len(), "CatalogSource"),
        (cluster.operator_groups.values().map(Vec::len).sum(), "OperatorGroup"),
        (cluster.subscriptions.len(), "Subscription"),
        (cluster.csvs.len() - cluster.assumed_csvs(), "ClusterServiceVersion"),
        (cluster.install_plans.len(), "InstallPlan"),
        (manifests.cluster_catalogs.len() + manifests.rejected_catalogs.len(), "ClusterCatalog"),
        (manifests.cluster_extensions.len() + manifests.rejected_extensions.len(), "ClusterExtension"),
    ];
    let words = counts.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> =
        words.map(|(count, kind)| format!("{count} {kind}{}", if count == 1 { "" } else { "s" })).collect();
    words.join(", ")
}

/// The findings about the manifests. A row of the form to be filled in is no error.
fn findings(text: &ManifestText, namespace: &str) -> Vec<ManifestFinding> {
    let is_unfinished = cluster_form::is_unfinished(text, namespace);
    let finding = |diagnostic: &Diagnostic| match is_unfinished(diagnostic.span) {
        true => ManifestFinding { severity: Severity::Warning, ..text.finding(diagnostic) },
        false => text.finding(diagnostic),
    };
    text.objects.diagnostics.iter().map(finding).collect()
}

fn by_kind(skipped: &[Skipped]) -> Vec<SkippedView> {
    let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for object in skipped {
        let kind = match object.because {
            SkipReason::OtherKind => object.kind.to_string(),
            SkipReason::Copied => format!("copied {}", object.kind),
        };
        kinds.entry(kind).or_default().insert(object.name.to_string());
    }
    let view = |(kind, names): (String, BTreeSet<String>)| SkippedView { kind, names: names.into_iter().collect() };
    kinds.into_iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use session::testing::{example, workbench};
    use views::{ManifestsView, SimulationView};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    fn simulate(text: &str, namespace: &str) -> (SimulationView, ManifestsView) {
        let view = crate::simulate(&workbench(&[("c", CATALOG)]).with_cluster(text), namespace);
        let manifests = view.manifests.clone().unwrap();
        (view, manifests)
    }

    fn subscription(name: &str, namespace: &str, catalog: &str) -> String {
        format!(
            "---\nkind: Subscription\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{name: p, source: {catalog}, sourceNamespace: olm}}\n"
        )
    }

    #[test]
    fn the_first_namespace_is_resolved_unless_another_is_chosen() {
        let text = subscription("s", "one", "c") + &subscription("t", "two", "c");
        let (view, manifests) = simulate(&text, "");
        assert_eq!((manifests.namespace.as_str(), manifests.namespaces.len()), ("one", 2));
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v2.0.0");
        let (view, manifests) = simulate(&text, "two");
        assert_eq!((manifests.namespace.as_str(), view.outcomes[0].subscriptions[0].name.as_str()), ("two", "t"));
        assert_eq!(simulate(&text, "gone").1.namespace, "one");
    }

    fn no_group(namespace: &str) -> String {
        format!("the manifests have no OperatorGroup in namespace `{namespace}`; one for all namespaces is assumed")
    }

    #[test]
    fn a_catalog_source_without_a_catalog_is_reported() {
        let text = "kind: CatalogSource\nmetadata: {name: c, namespace: market}\nspec: {priority: 7}\n---\n\
                    kind: CatalogSource\nmetadata: {name: d, namespace: olm}\n";
        let (view, manifests) = simulate(&(text.to_owned() + &subscription("s", "market", "c")), "");
        let bound: Vec<_> =
            manifests.sources.iter().map(|source| (source.name.as_str(), source.priority, source.catalog)).collect();
        assert_eq!(bound, [("c", 7, Some(views::CatalogId(0))), ("d", 0, None)]);
        let expected = "CatalogSource `d` in `olm` has no loaded catalog, so the simulation leaves it out";
        assert_eq!(view.notices, [expected, &no_group("market")]);
        assert_eq!(manifests.summary, "2 CatalogSources, 1 Subscription");
    }

    #[test]
    fn the_version_of_openshift_is_among_what_was_read() {
        let version = "kind: ClusterVersion\napiVersion: config.openshift.io/v1\nmetadata: {name: version}\n\
                       status: {history: [{state: Completed, version: 4.18.3}]}\n";
        let (_, manifests) = simulate(&(version.to_owned() + &subscription("s", "ns", "c")), "");
        assert_eq!(manifests.summary, "1 ClusterVersion, 1 Subscription");
    }

    #[test]
    fn broken_documents_are_reported_and_the_rest_is_used() {
        let text = format!("kind: ConfigMap\nmetadata: {{name: m}}\n---\nkind: [\n{}", subscription("s", "ns", "c"));
        let (view, manifests) = simulate(&text, "");
        let places: Vec<_> = manifests.findings.iter().map(|finding| finding.place.line).collect();
        assert_eq!(places.len(), 1);
        assert!((4..=6).contains(&places[0]), "{places:?}");
        assert_eq!(
            (manifests.skipped[0].kind.as_str(), &manifests.skipped[0].names[..]),
            ("ConfigMap", &["m".to_owned()][..])
        );
        assert_eq!(view.outcomes[0].subscriptions[0].verdict, "installs p.v2.0.0");
    }

    #[test]
    fn without_subscriptions_nothing_is_resolved() {
        let (view, manifests) = simulate("kind: OperatorGroup\nmetadata: {name: g, namespace: ns}\n", "");
        assert_eq!(
            (view.notices.as_slice(), manifests.namespace.as_str()),
            (&["the manifests have no Subscription, so OLM resolves nothing".to_owned()][..], "")
        );
        assert_eq!(view.outcomes, []);
    }

    #[test]
    fn the_operator_group_that_hides_a_catalog_is_named() {
        let group = "kind: OperatorGroup\nmetadata: {name: mine, namespace: ns, annotations: \
                     {olm.operatorframework.io/exclude-global-namespace-resolution: 'true'}}\n---\n\
                     kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n";
        let (view, _) = simulate(&(group.to_owned() + &subscription("s", "ns", "c")), "");
        let failure = view.outcomes[0].steps[0].failure.as_ref().unwrap();
        let lines: Vec<&str> = failure.conflicts[0].lines.iter().map(|line| line.text.as_str()).collect();
        assert!(lines.iter().any(|line| line.contains("OperatorGroup `mine` excludes the catalogs")), "{lines:?}");
    }

    #[test]
    fn a_catalog_without_a_catalog_source_is_not_used() {
        let mut workbench = example("operator-update");
        workbench.add_catalog("other", Vec::new(), &mut |_| {});
        let expected = "the loaded catalog `other` is not used: no CatalogSource in the manifests has its name";
        assert_eq!(crate::simulate(&workbench, "").notices, [expected, &no_group("operators")]);
        workbench.add_catalog("third", Vec::new(), &mut |_| {});
        let all =
            "the loaded catalogs `other`, `third` are not used: no CatalogSource in the manifests has their names";
        assert_eq!(
            crate::simulate(&workbench, "").notices,
            [all, &no_group("operators")],
            "one sentence for all of them"
        );
    }
}
