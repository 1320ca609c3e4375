//! What a file is by its content.

use super::split::without_catalog;
use super::{Given, Purpose, SplitText, split};
use crate::text_file::{decode_text, well_formed};
use cluster::is_inventory;
use memchr::memmem;
use mirror::is_image_set_configuration;
use std::borrow::Cow;

/// The content of a file that is no part of a bundle directory.
pub struct Content {
    /// The file of a catalog, without what else stood in it; absent if nothing of it is one.
    pub catalog: Option<Vec<u8>>,
    /// What else it is: manifests, an ImageSetConfiguration, PackageManifests.
    pub other: Option<Given>,
}

/// A file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    pub path: String,
    pub reason: String,
}

impl Content {
    /// Recognises the content of a file.
    #[must_use]
    pub fn of(content: Vec<u8>, purpose: Purpose) -> Self {
        let catalog = |content| Self { catalog: Some(content), other: None };
        let only = |other| Self { catalog: None, other: Some(other) };
        let Some(text) = opened_text(&content) else { return catalog(content) };
        if is_inventory(&text) {
            return only(Given::PackageManifests(crate::package_manifests(&text)));
        }
        if is_image_set_configuration(&text) {
            return only(Given::ImageSet(text.into_owned()));
        }
        if purpose == Purpose::Manifests {
            let manifests = without_catalog(&text);
            let is_catalog = manifests.trim().is_empty() && !text.trim().is_empty();
            return if is_catalog { catalog(content) } else { only(Given::Manifests(manifests)) };
        }
        match split(&text) {
            // What a cluster says is shown beside its manifests.
            None if memmem::find(text.as_bytes(), b"schema").is_none()
                && !messages::explain_messages(&text).messages.is_empty() =>
            {
                only(Given::Manifests(text.into_owned()))
            }
            None => catalog(content),
            Some(SplitText { manifests, catalog }) => {
                // The page shows each by itself; the command names lines of the file.
                let shown = |text: String| match purpose {
                    Purpose::Any => text.trim_start_matches('\n').to_owned(),
                    Purpose::Catalog | Purpose::Manifests => text,
                };
                let catalog = (!catalog.is_empty()).then(|| shown(catalog).into_bytes());
                Self { catalog, other: Some(Given::Manifests(shown(manifests))) }
            }
        }
    }
}

/// The text of a file that was opened, without a byte order mark, and also if it is UTF-16, as PowerShell writes it. `None` if it is
/// no text.
#[must_use]
pub fn opened_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let utf_8 = || Some(Cow::Borrowed(std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}')));
    fbc::utf_16(bytes).map(Cow::Owned).or_else(utf_8)
}

/// The text of a file of manifests.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn manifest_text(bytes: Vec<u8>) -> Result<String, String> {
    decode_text(bytes).and_then(well_formed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATALOG: &str = "schema: olm.package\nname: etcd\n";
    const MANIFEST: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";

    /// The file of the catalog, and the manifests, that a text is.
    #[track_caller]
    fn check(text: &str, purpose: Purpose, catalog: Option<&str>, manifests: Option<&str>) {
        let Content { catalog: found, other } = Content::of(text.as_bytes().to_vec(), purpose);
        let found = found.map(|bytes| String::from_utf8(bytes).expect("it is text"));
        let other =
            other.map(|given| if let Given::Manifests(text) = given { text } else { panic!("other than manifests") });
        assert_eq!((found.as_deref(), other.as_deref()), (catalog, manifests));
    }

    #[test]
    fn a_file_may_be_a_catalog_and_manifests() {
        let both = format!("{MANIFEST}---\n{CATALOG}");
        check(CATALOG, Purpose::Any, Some(CATALOG), None);
        check(MANIFEST, Purpose::Any, None, Some(MANIFEST));
        check(&both, Purpose::Any, Some(CATALOG), Some(MANIFEST));
        // The command names lines of the file.
        check(&both, Purpose::Catalog, Some(&format!("\n\n\n{CATALOG}")), Some(MANIFEST));
        check(&both, Purpose::Manifests, None, Some(MANIFEST));
        let object = "kind: Subscription\n";
        check(object, Purpose::Any, Some(object), None);
        check(object, Purpose::Manifests, None, Some(object));
    }

    #[test]
    fn what_a_cluster_says_is_no_catalog() {
        let message = "constraints not satisfiable: no operators found in package etcd in the catalog referenced by subscription e";
        check(message, Purpose::Any, None, Some(message));
        let condition =
            "conditions:\n- {type: BundleUnpackFailed, status: 'True', reason: DeadlineExceeded, message: late}\n";
        check(condition, Purpose::Any, None, Some(condition));
        check("a text", Purpose::Any, Some("a text"), None);
    }

    #[test]
    fn what_is_no_catalog_is_recognised() {
        let text = "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\nmirror: {}\n";
        let Content { catalog, other } = Content::of(text.into(), Purpose::Any);
        assert!(catalog.is_none() && matches!(other, Some(Given::ImageSet(found)) if found == text));
        let bytes = vec![0xff, 0xfe, 0xfd];
        let Content { catalog, other } = Content::of(bytes.clone(), Purpose::Any);
        assert!(catalog == Some(bytes) && other.is_none());
    }

    #[test]
    fn opened_text_has_no_mark() {
        let units = || "\u{feff}a: é\r\n".encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for bytes in [&little[..], &big, "\u{feff}a: é\r\n".as_bytes(), "a: é\r\n".as_bytes()] {
            assert_eq!(opened_text(bytes).as_deref(), Some("a: é\r\n"));
        }
        assert_eq!(opened_text(b"a: \xff"), None);
    }
}
