//! What is wrong with fields of the form, and rows that are not finished.

use super::field::{
    CHANNELS, INSTALL_NAMESPACE, LABELS, NAME, Objects, PACKAGE, PACKAGE_NAME, PRIORITY, SELECTOR, VERSION, listed,
};
use super::known::Known;
use super::read;
use cluster::FieldFinding;
use fbc::Node;
use go_semver::masterminds::Constraints;
use session::ManifestText;
use session::Workbench;
use source::Span;
use views::{CatalogField, ExtensionField, FormFault, FormPlace, SubscriptionField};

/// The fields of a manifest that have a field of the form.
const PATHS: [(&str, ExtensionField); 6] = [
    (PACKAGE_NAME, ExtensionField::Package),
    (VERSION, ExtensionField::Version),
    (CHANNELS, ExtensionField::Channels),
    (SELECTOR, ExtensionField::Selector),
    (INSTALL_NAMESPACE, ExtensionField::Namespace),
    (NAME, ExtensionField::Name),
];

/// What is wrong with Subscriptions of a namespace, ClusterExtensions and ClusterCatalogs, each at the field of the form that has it.
pub(crate) fn faults(workbench: &Workbench, manifests: &ManifestText, namespace: &str) -> Vec<FormFault> {
    let known = Known::of(workbench, &manifests.objects);
    let objects = Objects::of(manifests.text(), manifests.nodes(), namespace);
    let form = read::form(&objects);
    let mut faults = Vec::new();
    for (index, row) in form.subscriptions.iter().enumerate() {
        let fields =
            [(SubscriptionField::Installed, &row.installed), (SubscriptionField::StartingCsv, &row.starting_csv)];
        faults.extend(fields.into_iter().filter_map(|(field, text)| {
            // Older versions than a catalog lists are what its ranges are for.
            let is_installed = field == SubscriptionField::Installed;
            if is_installed && update_graph::is_followed(&known.packages(&row.package), text) {
                return None;
            }
            let message = known.unknown_csv(&row.package, text)?;
            Some(FormFault { at: FormPlace::Subscription(index as u32, field), message })
        }));
    }
    for (index, (row, node)) in form.extensions.iter().zip(&objects.extensions).enumerate() {
        if row.package.is_empty() {
            continue;
        }
        let mut add = |field, message: String| {
            faults.push(FormFault { at: FormPlace::Extension(index as u32, field), message });
        };
        if let Some(error) = (!row.version.is_empty()).then(|| Constraints::parse(&row.version)).and_then(Result::err) {
            add(ExtensionField::Version, format!("OLM v1 cannot read the version range: `{error}`"));
        }
        listed(&row.selector).filter_map(incomplete_label).for_each(|fault| add(ExtensionField::Selector, fault));
        let is_known = known.bundle(&row.package, &row.installed).is_some()
            || update_graph::is_followed(&known.packages(&row.package), &row.installed);
        if !row.installed.is_empty() && !is_known {
            let message = format!(
                "no loaded catalog has a bundle or version `{}` of this package, so its version is taken from its name",
                row.installed
            );
            add(ExtensionField::Installed, message);
        }
        for (path, field) in PATHS {
            findings(manifests, node, path).for_each(|message| add(field, message));
        }
    }
    for node in &objects.cluster_catalogs {
        let row = read::cluster_catalog(&objects, node);
        let mut add = |field, message: String| {
            faults.push(FormFault { at: FormPlace::Catalog(row.name.clone(), field), message });
        };
        listed(&row.labels).filter_map(incomplete_label).for_each(|fault| add(CatalogField::Labels, fault));
        findings(manifests, node, PRIORITY).for_each(|message| add(CatalogField::Priority, message));
        findings(manifests, node, LABELS).for_each(|message| add(CatalogField::Labels, message));
    }
    faults
}

fn incomplete_label(part: &str) -> Option<String> {
    let fault = || format!("expected labels such as `key=value`, separated by commas, found `{part}`");
    (!part.contains('=')).then(fault)
}

/// The messages of the findings about a field of an object.
fn findings<'m>(manifests: &'m ManifestText, node: &Node, path: &'m str) -> impl Iterator<Item = String> + 'm {
    let span = node.span;
    let is_here = move |FieldFinding { diagnostic, field }: &&FieldFinding| {
        span.contains(diagnostic.span) && field.as_ref().is_some_and(|field| field.is_within(path))
    };
    manifests.findings.iter().filter(is_here).map(|finding| finding.diagnostic.message.clone())
}

/// Whether a place is in a Subscription or a ClusterExtension without a package: a row of the form to be filled in.
pub(crate) fn is_unfinished(manifests: &ManifestText, namespace: &str) -> impl Fn(Span) -> bool + use<> {
    let objects = Objects::of(manifests.text(), manifests.nodes(), namespace);
    let without = |nodes: &[&Node], path: &str| {
        let nodes = nodes.iter().filter(|node| objects.text(node, path).is_empty());
        nodes.map(|node| node.span).collect::<Vec<Span>>()
    };
    let unfinished = [without(&objects.subscriptions, PACKAGE), without(&objects.extensions, PACKAGE_NAME)].concat();
    move |place| unfinished.iter().any(|span| span.contains(place))
}
