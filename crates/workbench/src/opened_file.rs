//! What a file or a text is that the user opens.

use crate::split_manifests::{SplitText, opened_text, split_manifests};
use mirror::is_image_set_configuration;
use simulate::is_inventory;
use views::Opened;

/// A file that was opened and is no part of a bundle directory.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenedFile {
    /// No catalog: what an inventory or an ImageSetConfiguration says.
    Other(Opened),
    /// A catalog without the manifests of a cluster that stood between its documents; either may be absent.
    Catalog { content: Option<Vec<u8>>, manifests: Option<String> },
}

impl OpenedFile {
    /// Recognises the content of a file.
    #[must_use]
    pub fn of(content: Vec<u8>) -> Self {
        let Some(text) = opened_text(&content) else {
            return Self::Catalog { content: Some(content), manifests: None };
        };
        if is_inventory(&text) {
            return Self::Other(Opened::Inventory(crate::inventory(&text)));
        }
        if is_image_set_configuration(&text) {
            return Self::Other(Opened::ImageSet { text: text.into_owned() });
        }
        match split_manifests(&text) {
            // What a cluster says is shown beside its manifests.
            None if !text.contains("schema") && !crate::explain_messages(&text).messages.is_empty() => {
                Self::Catalog { content: None, manifests: Some(text.into_owned()) }
            }
            None => Self::Catalog { content: Some(content), manifests: None },
            Some(SplitText { mut manifests, catalog }) => {
                if !manifests.ends_with('\n') {
                    manifests.push('\n');
                }
                Self::Catalog {
                    content: (!catalog.is_empty()).then(|| catalog.into_bytes()),
                    manifests: Some(manifests),
                }
            }
        }
    }
}

/// The cluster manifests of several files as one, if there are any.
#[must_use]
pub fn joined_manifests(manifests: &[String]) -> Option<Opened> {
    (!manifests.is_empty()).then(|| Opened::Manifests { text: manifests.join("---\n") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATALOG: &str = "schema: olm.package\nname: etcd\n";
    const MANIFEST: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription";

    fn catalog(content: Option<&str>, manifests: Option<&str>) -> OpenedFile {
        OpenedFile::Catalog {
            content: content.map(|text| text.as_bytes().to_vec()),
            manifests: manifests.map(str::to_owned),
        }
    }

    #[test]
    fn manifests_are_taken_out_of_a_catalog() {
        let of = |text: &str| OpenedFile::of(text.as_bytes().to_vec());
        let manifest = format!("{MANIFEST}\n");
        assert_eq!(of(CATALOG), catalog(Some(CATALOG), None));
        assert_eq!(of(MANIFEST), catalog(None, Some(&manifest)));
        assert_eq!(of(&format!("{CATALOG}---\n{MANIFEST}")), catalog(Some(CATALOG), Some(&manifest)));
    }

    #[test]
    fn what_a_cluster_says_is_no_catalog() {
        let of = |text: &str| OpenedFile::of(text.as_bytes().to_vec());
        let message = "constraints not satisfiable: no operators found in package etcd in the catalog referenced by subscription e";
        assert_eq!(of(message), catalog(None, Some(message)));
        let condition =
            "conditions:\n- {type: BundleUnpackFailed, status: 'True', reason: DeadlineExceeded, message: late}\n";
        assert_eq!(of(condition), catalog(None, Some(condition)));
        assert_eq!(of("a text"), catalog(Some("a text"), None));
    }

    #[test]
    fn what_is_no_catalog_is_recognised() {
        let text = "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\nmirror: {}\n";
        let other = OpenedFile::Other(Opened::ImageSet { text: text.to_owned() });
        assert_eq!(OpenedFile::of(text.as_bytes().to_vec()), other);
        let bytes = vec![0xff, 0xfe, 0xfd];
        assert_eq!(OpenedFile::of(bytes.clone()), OpenedFile::Catalog { content: Some(bytes), manifests: None });
    }

    #[test]
    fn manifests_of_several_files_are_one_stream() {
        assert_eq!(joined_manifests(&[]), None);
        let text = "a: 1\n---\nb: 2\n".to_owned();
        assert_eq!(joined_manifests(&["a: 1\n".to_owned(), "b: 2\n".to_owned()]), Some(Opened::Manifests { text }));
    }
}
