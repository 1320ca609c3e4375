//! The cluster that queries are about: the manifests with their text and places, and what its CatalogSources offer.

use crate::pairing::openshift_version;
use crate::{Workbench, image_command};
use cluster::{
    FieldFinding, InputChange, Inventory, Kind, ManifestFacts, Manifests, ObjectKey, OperatorGroup, TargetNamespaces,
    catalog_commands,
};
use fbc::{Node, UntypedValues};
use source::{Diagnostic, FileId, LineIndex, OpenShift, Span, object_name};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use views::{CatalogCommand, FileKey, ListView, ManifestFinding, Place, TextEdit};

/// What the manifests of a cluster have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterContent {
    pub has_subscriptions: bool,
    /// CSVs, also without a Subscription.
    pub has_csvs: bool,
    /// ClusterExtensions, accepted or rejected ones.
    pub has_extensions: bool,
    /// ClusterCatalogs, accepted or rejected ones.
    pub has_cluster_catalogs: bool,
    /// The version of the ClusterVersion.
    pub openshift: Option<OpenShift>,
}

impl Workbench {
    /// What the manifests have.
    #[must_use]
    pub fn cluster_content(&self) -> ClusterContent {
        let objects = &self.cluster.read().objects;
        ClusterContent {
            has_subscriptions: !objects.cluster.subscriptions.is_empty(),
            has_csvs: !objects.cluster.csvs.is_empty(),
            has_extensions: objects.has_extensions(),
            has_cluster_catalogs: objects.has_cluster_catalogs(),
            openshift: openshift_version(&objects.cluster),
        }
    }

    /// The names of the CSVs that are installed.
    #[must_use]
    pub fn installed_csvs(&self) -> Vec<String> {
        let csvs = self.cluster.read().objects.cluster.csvs.iter();
        csvs.map(|csv| csv.installed.name.to_string()).collect()
    }

    /// What is wrong in the manifests.
    #[must_use]
    pub fn cluster_findings(&self) -> Vec<ManifestFinding> {
        let text = self.cluster.read();
        text.objects.diagnostics.iter().map(|found| text.finding(found)).collect()
    }

    /// A warning for each CatalogSource of the manifests whose catalog is not loaded.
    #[must_use]
    pub fn sources_without_catalog(&self) -> Vec<ManifestFinding> {
        let (text, loaded) = (self.cluster.read(), self.pairing().sources());
        let found = text.objects.without_content(|key| loaded.contains_key(key));
        found.iter().map(|found| text.finding(found)).collect()
    }

    /// A warning for each ClusterCatalog of the manifests whose catalog is not loaded.
    #[must_use]
    pub fn cluster_catalogs_without_catalog(&self) -> Vec<ManifestFinding> {
        let (text, loaded) = (self.cluster.read(), self.pairing().cluster_catalogs);
        let found = text.objects.cluster_catalogs_without_content(|name| loaded.contains_key(name));
        found.iter().map(|found| text.finding(found)).collect()
    }
}

// The manifests of the cluster: their text, the objects in it, and places.

/// The file of spans in the manifests.
pub const MANIFESTS: FileId = FileId(FileKey::MANIFESTS.0);

/// The text of the manifests of the cluster, which is read when it is asked for.
#[derive(Default)]
pub(crate) struct Cluster {
    text: Rc<str>,
    facts: ManifestFacts,
    /// The first query reads the text, so that a program that loads its code in parts need not have the reader before.
    read: OnceCell<Rc<ManifestText>>,
}

impl Cluster {
    pub(crate) fn new(text: &str, facts: ManifestFacts) -> Self {
        Self { text: text.into(), facts, read: OnceCell::new() }
    }

    pub(crate) fn shared_text(&self) -> Rc<str> {
        Rc::clone(&self.text)
    }

    /// What the user says about the manifests.
    pub(crate) const fn facts(&self) -> &ManifestFacts {
        &self.facts
    }

    pub(crate) fn read(&self) -> &Rc<ManifestText> {
        self.read.get_or_init(|| Rc::new(ManifestText::read(&self.text, &self.facts)))
    }
}

/// The text of manifests, and what was read in it.
pub struct ManifestText {
    text: Rc<str>,
    lines: LineIndex,
    values: UntypedValues,
    pub objects: Manifests,
    /// The findings about the objects, each with the field that it is about.
    pub findings: Vec<FieldFinding>,
}

impl ManifestText {
    pub(crate) fn read(text: &Rc<str>, facts: &ManifestFacts) -> Self {
        let (values, cut) = cluster::manifest_values(MANIFESTS, text);
        let is_complete = facts.is_complete || cluster::is_marked_complete(text);
        let facts = ManifestFacts { is_complete, ..facts.clone() };
        let (objects, findings) = cluster::read_values(&values, cut.as_ref(), &facts);
        let diagnostics = findings.iter().map(|finding| finding.diagnostic.clone()).collect();
        let objects = Manifests { diagnostics, ..objects };
        Self { text: Rc::clone(text), lines: LineIndex::new(text), values, objects, findings }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The values of the text.
    pub fn nodes(&self) -> &[Node] {
        &self.values.nodes
    }

    /// A span of the text as a place.
    pub fn place(&self, span: Span) -> Place {
        let at = self.lines.position(&self.text, span.start);
        Place { file: FileKey::MANIFESTS, start: span.start, end: span.end, line: at.line, column: at.column }
    }

    /// A finding with its place in the text.
    pub fn finding(&self, found: &Diagnostic) -> ManifestFinding {
        ManifestFinding {
            severity: found.severity,
            message: found.message.clone(),
            help: found.help.clone(),
            place: self.place(found.span),
        }
    }

    /// The place of an object.
    pub fn object(&self, kind: Kind, namespace: &Arc<str>, name: &str) -> Option<Place> {
        let key = ObjectKey { kind, namespace: Arc::clone(namespace), name: name.into() };
        let span = *self.objects.places.get(&key)?;
        Some(self.place(span.at_start()))
    }

    /// Edits that make an OperatorGroup select other namespaces.
    pub fn retarget(&self, group: &OperatorGroup, targets: &TargetNamespaces) -> Option<Vec<TextEdit>> {
        cluster::edit_targets(&self.text, self.nodes(), &self.objects.places, group, targets)
    }

    /// Edits that make changes to a namespace, where manifests can say them.
    pub fn amend(&self, namespace: &Arc<str>, changes: &[InputChange]) -> Option<Vec<TextEdit>> {
        cluster::edit_manifests(&self.text, self.nodes(), &self.objects.places, namespace, changes)
    }
}

// What the CatalogSources of a cluster offer, read from PackageManifests, and how to get their catalogs.

/// What PackageManifests lack.
const NOTICE: &str = "PackageManifests list packages, channels and versions. They have no update edges, no dependencies and no \
    images, so there is no graph to draw and nothing to simulate: get the catalogs themselves.";

/// What is in a text of PackageManifests, the output of `kubectl get packagemanifests -A -o json` or `-o yaml`.
#[must_use]
pub fn package_manifests(text: &str) -> ListView {
    let Inventory { mut sources, skipped, diagnostics } = cluster::inventory(FileId(FileKey::MANIFESTS.0), text);
    let lines = LineIndex::new(text);
    let finding = |diagnostic: &Diagnostic| {
        let at = lines.position(text, diagnostic.span.start);
        let (start, end) = (diagnostic.span.start, diagnostic.span.end);
        ManifestFinding {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: Place { file: FileKey::MANIFESTS, start, end, line: at.line, column: at.column },
        }
    };
    sources.iter_mut().for_each(|source| source.commands = commands(&source.name, &source.namespace));
    let findings = diagnostics.iter().map(finding).collect();
    ListView { notice: NOTICE.to_owned(), sources, skipped, findings }
}

/// How to get the catalog of a CatalogSource.
fn commands(name: &str, namespace: &str) -> Vec<CatalogCommand> {
    let named = object_name(name).and_then(|name| Ok(image_command(name, object_name(namespace)?).to_string()));
    let command = |purpose: &str, command: Result<String, String>| CatalogCommand {
        purpose: purpose.to_owned(),
        command: command.as_ref().ok().cloned(),
        reason: command.err(),
    };
    let [extract, save] = catalog_commands(None);
    vec![
        command("print the name of the catalog image", named),
        command("extract the catalog to a folder", Ok(extract)),
        command("or save the image as a file", Ok(save)),
        command("or write the catalog as one file", Ok("opm render IMAGE -o yaml > catalog.yaml".to_owned())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "apiVersion: packages.operators.coreos.com/v1\nkind: PackageManifest\nmetadata: {name: etcd}\nstatus:\n  \
        packageName: etcd\n  catalogSource: community\n  catalogSourceNamespace: olm\n  defaultChannel: stable\n  channels:\n  \
        - {name: stable, currentCSV: etcd.v1, currentCSVDesc: {version: 1.0.0}, entries: [{name: etcd.v1, version: 1.0.0}]}\n";

    #[test]
    fn each_catalog_source_says_how_to_get_its_catalog() {
        let view = package_manifests(TEXT);
        let source = &view.sources[0];
        let channel = &source.packages[0].channels[0];
        assert_eq!((&*channel.head, &*channel.version, channel.is_default), ("etcd.v1", "1.0.0", true));
        let lines: Vec<&str> = source.commands.iter().map(|command| command.command.as_deref().unwrap()).collect();
        let expected = [
            "kubectl get catalogsource community -n olm -o jsonpath='{.spec.image}'",
            "oc image extract IMAGE --path /configs/:FOLDER",
            "skopeo copy docker://IMAGE oci-archive:catalog.tar",
            "opm render IMAGE -o yaml > catalog.yaml",
        ];
        assert_eq!(lines, expected);
        assert!(view.notice.contains("no update edges"));
    }

    #[test]
    fn a_name_that_no_cluster_has_gets_no_command() {
        let view = package_manifests(&TEXT.replace("community", "'x; reboot'"));
        let reason = view.sources[0].commands[0].reason.as_deref().unwrap();
        assert!(reason.starts_with("no object of a cluster can be named `x; reboot`"), "{reason}");
    }

    #[test]
    fn findings_have_places() {
        let view = package_manifests(&TEXT.replace("packageName: etcd", "packageName: 5"));
        let finding = &view.findings[0];
        assert_eq!((finding.place.line, &*finding.message), (5, "`status.packageName` must be text, found a number"));
    }
}
