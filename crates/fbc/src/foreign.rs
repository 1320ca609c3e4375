//! Recognises what users have instead of a file-based catalog, and says how to make one of it.

/// Something that is not a file-based catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

const CLUSTER_CATALOG: &str = "run `opm render IMAGE -o yaml > catalog.yaml` for the catalog image, and open the output; paste this into the manifests of the cluster, and ClusterExtensions are resolved from that catalog";
const BY_ITSELF: &str = "open it by itself, and the catalog in it is read: from archives, saved images and compressed files; in a folder of a catalog opm takes it for text";
const INVENTORY: &str = "`opscope list FILE` lists what they offer; for update graphs get the catalogs: `oc image extract IMAGE --path /configs/:FOLDER`, or `opm render IMAGE -o yaml > catalog.yaml`, where IMAGE is `spec.image` of the CatalogSource";
const SQLITE: &str = "sqlite catalogs are no longer supported by OLM tools; convert it with opm v1.73.0 or older: `opm render IMAGE -o yaml > catalog.yaml`, where IMAGE is the catalog image or this file, and open the output";

/// What bytes are that are not text, by how they begin.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Foreign> {
    let compressed = "this is a compressed file";
    let begins = [
        (&b"SQLite format 3\0"[..], "this is a catalog in the old sqlite format", SQLITE),
        (b"\x1f\x8b", compressed, BY_ITSELF),
        (b"\x28\xb5\x2f\xfd", compressed, BY_ITSELF),
        (b"\xfd7zXZ\0", compressed, BY_ITSELF),
        (
            b"BZh",
            "this is a file compressed with bzip2, which Opscope does not read",
            "convert it: `bunzip2 < FILE | gzip > FILE.gz`, and open that file",
        ),
        (b"PK\x03\x04", "this is a zip archive", BY_ITSELF),
    ];
    let known = begins.into_iter().find(|(start, ..)| bytes.starts_with(start));
    // The magic of a tar header stands behind the name and the numbers of its first file.
    let tar = bytes.get(257..262).is_some_and(|magic| magic == b"ustar");
    let known = known.or(tar.then_some((&[], "this is a tar archive", BY_ITSELF)));
    known.map(|(_, what, help)| Foreign { what, help })
}

/// Why a text that was opened by itself is no catalog, and what to do. Only a text with the finding `not-a-catalog` is none.
#[must_use]
pub fn no_catalog_reason(text: &str) -> String {
    match of_text(text) {
        Some(Foreign { what, help }) => format!("{what}; {help}"),
        None if has(text, "apiVersion", "") && has(text, "kind", "") => {
            "these are manifests of Kubernetes without objects of OLM; open a catalog, or manifests with Subscriptions, \
             OperatorGroups or ClusterExtensions"
                .to_owned()
        }
        None => "no document in it has a `schema`; a catalog is a YAML or JSON file with documents such as `schema: \
                 olm.package`, or a folder of these"
            .to_owned(),
    }
}

/// Whether a line has a field whose value begins so.
fn has(text: &str, field: &str, value: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '-', '{', '"', '\'']);
        let rest = line.strip_prefix(field).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        let rest = rest.and_then(|rest| rest.strip_prefix(':')).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        rest.is_some_and(|rest| rest.starts_with(value))
    })
}

/// What a text is, by its `apiVersion` and `kind` or by its first fields.
pub(crate) fn of_text(text: &str) -> Option<Foreign> {
    let has = |field: &str, value: &str| has(text, field, value);
    let is = |group: &str, kind: &str| has("apiVersion", group) && has("kind", kind);
    let forms = [
        (
            is("mirror.openshift.io/", "ImageSetConfiguration"),
            "this is an ImageSetConfiguration of oc-mirror, which says what is mirrored of a catalog",
            "open the catalog first and then this file, or run `opscope compare CATALOG --image-set FILE`: both show which installed versions the mirror strands",
        ),
        (
            is("packages.operators.coreos.com/", "PackageManifest"),
            "these are PackageManifests, which have no update edges",
            INVENTORY,
        ),
        (
            is("olm.operatorframework.io/", "ClusterExtension"),
            "this is a ClusterExtension of OLM v1, which belongs to a cluster",
            "open its catalog, and paste this and its ClusterCatalog into the manifests of the cluster, or run `opscope resolve --cluster FILE --catalog NAME=CATALOG`: both show which bundle OLM v1 installs",
        ),
        (
            is("olm.operatorframework.io/", "ClusterCatalog"),
            "this is a ClusterCatalog of OLM v1, which names a catalog image",
            CLUSTER_CATALOG,
        ),
        (
            is("operators.coreos.com/", "ClusterServiceVersion")
                || has("operators.operatorframework.io.bundle.package.v1", ""),
            "this is part of a bundle directory",
            "open the bundle directory by itself, with `manifests/` and `metadata/`, or a folder that holds only such directories",
        ),
    ];
    forms.into_iter().find(|(is_it, ..)| *is_it).map(|(_, what, help)| Foreign { what, help })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_says_how_to_convert_it() {
        let help = |bytes: &[u8]| of_bytes(bytes).map_or("", |form| form.help);
        assert!(help(b"SQLite format 3\0\x10").contains("opm v1.73.0 or older: `opm render IMAGE -o yaml"));
        assert!(help(b"BZh91AY").contains("bunzip2 < FILE | gzip"));
        assert!(help(b"PK\x03\x04").starts_with("open it by itself"));
        let packages = "apiVersion: packages.operators.coreos.com/v1\nkind: PackageManifest\n";
        assert!(of_text(packages).is_some_and(|form| form.help.starts_with("`opscope list FILE`")));
    }

    #[test]
    fn bytes_are_recognised_by_their_beginning() {
        let what = |bytes: &[u8]| of_bytes(bytes).map(|form| form.what);
        assert_eq!(what(b"SQLite format 3\0\x10"), Some("this is a catalog in the old sqlite format"));
        assert_eq!(what(b"\x1f\x8b\x08"), Some("this is a compressed file"));
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(what(&tar), Some("this is a tar archive"));
        assert_eq!(what(b"schema: olm.package"), None);
    }

    #[test]
    fn texts_are_recognised_by_kind_and_group() {
        let what = |text: &str| of_text(text).map(|form| form.what);
        let packages = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: packages.operators.coreos.com/v1\n  kind: PackageManifest\n";
        assert_eq!(what(packages), Some("these are PackageManifests, which have no update edges"));
        let json = "{\n  \"apiVersion\": \"packages.operators.coreos.com/v1\",\n  \"kind\": \"PackageManifest\"\n}";
        assert_eq!(what(json), what(packages));
        let mirrored = "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\n";
        assert_eq!(
            what(mirrored),
            Some("this is an ImageSetConfiguration of oc-mirror, which says what is mirrored of a catalog")
        );
        let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n";
        assert_eq!(what(annotations), Some("this is part of a bundle directory"));
        assert_eq!(what("apiVersion: v1\nkind: ConfigMap\n"), None);
    }

    #[test]
    fn a_text_by_itself_has_a_reason_without_advice_about_folders() {
        let other = "no document in it has a `schema`; a catalog is a YAML or JSON file with documents such as `schema: \
                     olm.package`, or a folder of these";
        assert_eq!(no_catalog_reason("# Kitchen\n\nHow to *boil* water: slowly.\n"), other);
        assert_eq!(no_catalog_reason("#!/bin/sh\nopm validate catalog\n"), other);
        let manifest = no_catalog_reason("apiVersion: v1\nkind: ConfigMap\n");
        assert!(manifest.starts_with("these are manifests of Kubernetes without objects of OLM; open"), "{manifest}");
        let annotations = no_catalog_reason("annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n");
        assert!(annotations.starts_with("this is part of a bundle directory; open the bundle"), "{annotations}");
    }

    #[test]
    fn objects_of_olm_v1_belong_to_the_manifests_of_a_cluster() {
        for kind in ["ClusterExtension", "ClusterCatalog"] {
            let text = format!("apiVersion: olm.operatorframework.io/v1\nkind: {kind}\nmetadata: {{name: etcd}}\n");
            let form = of_text(&text).unwrap();
            assert!(form.what.starts_with(&format!("this is a {kind} of OLM v1, which ")), "{}", form.what);
            assert!(form.help.contains("into the manifests of the cluster"), "{}", form.help);
        }
    }
}
