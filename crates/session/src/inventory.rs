//! What the CatalogSources of a cluster offer, read from PackageManifests, and how to get their catalogs.

use crate::image_command;
use ::source::{Diagnostic, FileId, LineIndex, object_name};
use cluster::{
    CatalogKey, Inventory, InventoryChannel, InventoryEntry, InventoryPackage, InventorySource, catalog_commands,
};
use views::{
    CatalogCommand, FileKey, InventoryChannelView, InventoryEntryView, InventoryPackageView, InventorySourceView,
    InventoryView, ManifestFinding, Place,
};

/// What an inventory is not.
const NOTICE: &str = "PackageManifests list packages, channels and versions. They have no update edges, no dependencies and no \
    images, so there is no graph to draw and nothing to simulate: get the catalogs themselves.";

/// The inventory in a text of PackageManifests, the output of `kubectl get packagemanifests -A -o json` or `-o yaml`.
#[must_use]
pub fn inventory(text: &str) -> InventoryView {
    let Inventory { sources, skipped, diagnostics } = cluster::inventory(FileId(FileKey::MANIFESTS.0), text);
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
    InventoryView {
        notice: NOTICE.to_owned(),
        sources: sources.iter().map(source).collect(),
        skipped,
        findings: diagnostics.iter().map(finding).collect(),
    }
}

fn source(source: &InventorySource) -> InventorySourceView {
    InventorySourceView {
        name: source.key.name.to_string(),
        namespace: source.key.namespace.to_string(),
        display_name: source.display_name.to_string(),
        publisher: source.publisher.to_string(),
        commands: commands(&source.key),
        packages: source.packages.iter().map(package).collect(),
    }
}

/// How to get the catalog of a CatalogSource.
fn commands(CatalogKey { name, namespace }: &CatalogKey) -> Vec<CatalogCommand> {
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

fn package(package: &InventoryPackage) -> InventoryPackageView {
    let channel = |channel: &InventoryChannel| InventoryChannelView {
        name: channel.name.to_string(),
        is_default: channel.name == package.default_channel,
        head: channel.current_csv.to_string(),
        version: channel.version.to_string(),
        deprecated: owned(channel.deprecation.as_deref()),
        entries: channel.entries.iter().map(entry).collect(),
    };
    InventoryPackageView {
        name: package.name.to_string(),
        provider: package.provider.to_string(),
        default_channel: package.default_channel.to_string(),
        deprecated: owned(package.deprecation.as_deref()),
        channels: package.channels.iter().map(channel).collect(),
    }
}

fn entry(entry: &InventoryEntry) -> InventoryEntryView {
    InventoryEntryView {
        name: entry.name.to_string(),
        version: entry.version.to_string(),
        deprecated: owned(entry.deprecation.as_deref()),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "apiVersion: packages.operators.coreos.com/v1\nkind: PackageManifest\nmetadata: {name: etcd}\nstatus:\n  \
        packageName: etcd\n  catalogSource: community\n  catalogSourceNamespace: olm\n  defaultChannel: stable\n  channels:\n  \
        - {name: stable, currentCSV: etcd.v1, currentCSVDesc: {version: 1.0.0}, entries: [{name: etcd.v1, version: 1.0.0}]}\n";

    #[test]
    fn each_catalog_source_says_how_to_get_its_catalog() {
        let view = inventory(TEXT);
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
        let view = inventory(&TEXT.replace("community", "'x; reboot'"));
        let reason = view.sources[0].commands[0].command.as_ref().unwrap_err();
        assert!(reason.starts_with("no object of a cluster can be named `x; reboot`"), "{reason}");
    }

    #[test]
    fn findings_have_places() {
        let view = inventory(&TEXT.replace("packageName: etcd", "packageName: 5"));
        let finding = &view.findings[0];
        assert_eq!((finding.place.line, &*finding.message), (5, "`status.packageName` must be text, found a number"));
    }
}
