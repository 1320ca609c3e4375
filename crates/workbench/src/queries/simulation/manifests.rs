//! Makes a cluster of manifests, and finds the loaded catalog for each of its CatalogSources.

use super::scenario::{Scenario, snapshots};
use super::sources::{self, Sources};
use super::{extension_form, extensions, form_from_manifests};
use crate::cluster::ManifestsInput;
use crate::manifest_text::ManifestText;
use crate::{CatalogInput, Workbench};
use resolver::CatalogKey;
use simulate::{Manifests, SkipReason, Skipped};
use source::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use views::{BoundSource, CatalogId, ManifestFinding, ManifestsView, SkippedView};

/// Selects `namespace` of the manifests; if it has no Subscription, the first namespace that has one.
pub(super) fn scenario(workbench: &Workbench, input: &ManifestsInput, namespace: &str) -> Scenario {
    let text = input.read();
    let manifests = &text.objects;
    let summary = summary(manifests);
    let of_extensions = extensions::notices(workbench, manifests);
    let extensions = extensions::views(workbench, manifests, Some(text));
    let form_of_v1 = extension_form::rows(workbench, manifests);
    let beyond_of_v1 = form_from_manifests::extensions_beyond(workbench, manifests);
    let Manifests { cluster, unreachable, skipped, diagnostics, .. } = manifests;
    let mut cluster = cluster.clone();
    let skipped = by_kind(skipped);
    let Sources { rows: sources, assumptions, unused } = sources::bind(workbench, &mut cluster);
    let bound: BTreeMap<CatalogKey, CatalogId> = sources
        .iter()
        .filter_map(|source| Some((CatalogKey::new(&source.name, &source.namespace), source.catalog?)))
        .collect();
    cluster.catalog_sources.retain(|source| bound.contains_key(&source.key));
    let namespaces: Vec<String> = cluster.namespaces().iter().map(ToString::to_string).collect();
    let here = namespaces.iter().find(|name| *name == namespace).or(namespaces.first()).cloned().unwrap_or_default();
    let view = ManifestsView {
        form: form_from_manifests::form(&cluster, &here, form_of_v1),
        beyond: form_from_manifests::beyond(workbench, &cluster, &here, &sources, beyond_of_v1),
        summary,
        namespaces,
        namespace: here.clone(),
        findings: diagnostics.iter().map(|diagnostic| finding(text, diagnostic)).collect(),
        skipped,
        sources,
    };
    let of_subscriptions = || assumptions.into_iter().chain(notices(workbench, &view, &unused, unreachable));
    let has_subscriptions = extensions.is_empty() || !cluster.subscriptions.is_empty();
    let notices = if has_subscriptions { of_subscriptions().chain(of_extensions).collect() } else { of_extensions };
    let snapshots = snapshots(workbench, &cluster, &bound);
    Scenario {
        cluster,
        namespace: here.into(),
        snapshots,
        bound,
        notices,
        manifests: Some(view),
        text: Some(Rc::clone(text)),
        unreachable: unreachable.clone(),
        form: None,
        rows: BTreeMap::new(),
        extensions,
        faults: Vec::new(),
    }
}

/// Notices about CatalogSources and catalogs that are not used, and about missing Subscriptions.
fn notices(
    workbench: &Workbench,
    view: &ManifestsView,
    unused: &[CatalogId],
    unreachable: &BTreeMap<CatalogKey, Box<str>>,
) -> Vec<String> {
    // A CatalogSource that does not answer blocks the namespace, which is reported elsewhere.
    let answers = |source: &&BoundSource| !unreachable.contains_key(&CatalogKey::new(&source.name, &source.namespace));
    let without = view.sources.iter().filter(|source| source.catalog.is_none()).filter(answers).map(|source| {
        let BoundSource { name, namespace, .. } = source;
        format!("CatalogSource `{name}` in `{namespace}` has no loaded catalog, so the simulation leaves it out")
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

fn summary(manifests: &Manifests) -> String {
    let cluster = &manifests.cluster;
    let counts = [
        (cluster.catalog_sources.len(), "CatalogSource"),
        (cluster.operator_groups.len(), "OperatorGroup"),
        (cluster.subscriptions.len(), "Subscription"),
        (cluster.csvs.len(), "ClusterServiceVersion"),
        (cluster.install_plans.len(), "InstallPlan"),
        (manifests.cluster_catalogs.len() + manifests.rejected_catalogs.len(), "ClusterCatalog"),
        (manifests.cluster_extensions.len() + manifests.rejected_extensions.len(), "ClusterExtension"),
    ];
    let words = counts.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> =
        words.map(|(count, kind)| format!("{count} {kind}{}", if count == 1 { "" } else { "s" })).collect();
    words.join(", ")
}

fn finding(text: &ManifestText, diagnostic: &Diagnostic) -> ManifestFinding {
    ManifestFinding {
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        place: text.place(diagnostic.span),
    }
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
    use crate::testing::{example, workbench};
    use views::{ClusterInput, ManifestsView, SimulationView};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0";

    fn simulate(text: &str, namespace: &str) -> (SimulationView, ManifestsView) {
        let input = ClusterInput::Manifests(text.to_owned());
        let view = workbench(&[("c", CATALOG)]).with_cluster(&input).simulate(namespace);
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

    #[test]
    fn a_catalog_source_without_a_catalog_is_reported() {
        let text = "kind: CatalogSource\nmetadata: {name: c, namespace: market}\nspec: {priority: 7}\n---\n\
                    kind: CatalogSource\nmetadata: {name: d, namespace: olm}\n";
        let (view, manifests) = simulate(&(text.to_owned() + &subscription("s", "market", "c")), "");
        let bound: Vec<_> =
            manifests.sources.iter().map(|source| (source.name.as_str(), source.priority, source.catalog)).collect();
        assert_eq!(bound, [("c", 7, Some(views::CatalogId(0))), ("d", 0, None)]);
        let expected = "CatalogSource `d` in `olm` has no loaded catalog, so the simulation leaves it out";
        assert_eq!(view.notices, [expected]);
        assert_eq!(manifests.summary, "2 CatalogSources, 1 Subscription");
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
        assert_eq!(workbench.simulate("").notices, [expected]);
        workbench.add_catalog("third", Vec::new(), &mut |_| {});
        let all =
            "the loaded catalogs `other`, `third` are not used: no CatalogSource in the manifests has their names";
        assert_eq!(workbench.simulate("").notices, [all], "one sentence for all of them");
    }
}
