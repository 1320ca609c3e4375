//! What the CatalogSources of a cluster offer, read from PackageManifests, and how to get their catalogs.

use crate::image_command;
use ::source::{Diagnostic, FileId, LineIndex, object_name};
use cluster::{Inventory, catalog_commands};
use views::{CatalogCommand, FileKey, ListView, ManifestFinding, Place};

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
    let command =
        |purpose: &str, command: Result<String, String>| CatalogCommand { purpose: purpose.to_owned(), command };
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
        let reason = view.sources[0].commands[0].command.as_ref().unwrap_err();
        assert!(reason.starts_with("no object of a cluster can be named `x; reboot`"), "{reason}");
    }

    #[test]
    fn findings_have_places() {
        let view = package_manifests(&TEXT.replace("packageName: etcd", "packageName: 5"));
        let finding = &view.findings[0];
        assert_eq!((finding.place.line, &*finding.message), (5, "`status.packageName` must be text, found a number"));
    }
}
