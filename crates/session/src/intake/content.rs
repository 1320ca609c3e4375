//! What a file is by its content.

use super::{Given, Purpose};
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
            None if !has_schema(&text) && !messages::explain_messages(&text).messages.is_empty() => {
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

// Splits a text into cluster manifests and catalog documents.

/// The API groups of the objects that OLM looks at: those of OLM v0 and of OLM v1.
const GROUPS: [&str; 2] = ["operators.coreos.com/", "olm.operatorframework.io/"];
/// The field that tells an object of Kubernetes from a catalog document.
const VERSION: &str = "apiVersion:";
/// The field that tells a catalog document.
const SCHEMA: &str = "schema:";

/// A text with cluster manifests, split. Both parts have the lines where they were: what is of the other one is blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitText {
    /// The manifests, a YAML stream.
    pub manifests: String,
    /// The rest, a catalog; empty when only comments are left.
    pub catalog: String,
}

/// Whether a text has the field that tells a catalog document, and not only the word.
#[must_use]
pub fn has_schema(text: &str) -> bool {
    let has = |words: &str| memmem::find(text.as_bytes(), words.as_bytes()).is_some();
    text.starts_with(SCHEMA) || has("\nschema:") || has("\"schema\"")
}

/// Separates cluster manifests from catalog documents; `None` when there are no manifests.
///
/// Each document of a YAML stream is one or the other, a JSON text is so as a whole. The text is searched, not parsed, so
/// that a manifest with a syntax error is still recognised.
///
/// ```
/// let text = "schema: olm.package\nname: etcd\n---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";
/// let found = session::split(text).unwrap();
/// assert_eq!(found.catalog, "schema: olm.package\nname: etcd\n");
/// assert_eq!(found.manifests, "\n\n\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n");
/// ```
#[must_use]
pub fn split(text: &str) -> Option<SplitText> {
    let has = |words: &str| memmem::find(text.as_bytes(), words.as_bytes()).is_some();
    let is_json = is_json(text);
    // Most catalogs mention the first group somewhere, but none has a line that begins so. Searching three times is quick.
    if !(is_json || text.starts_with(VERSION) || has("\napiVersion:")) || !GROUPS.into_iter().any(has) {
        return None;
    }
    if is_json {
        let whole = || SplitText { manifests: text.to_owned(), catalog: String::new() };
        return is_json_manifest(text).then(whole);
    }
    let documents = documents(text);
    let is_manifest: Vec<bool> = documents.iter().map(|document| is_manifest(document.text)).collect();
    let catalog = only(&documents, |at| !is_manifest[at]);
    let has_text = catalog.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#'));
    is_manifest.contains(&true).then(|| SplitText {
        manifests: only(&documents, |at| is_manifest[at]),
        catalog: if has_text { catalog } else { String::new() },
    })
}

/// A text that is given as manifests, without the documents of a catalog in it.
pub(crate) fn without_catalog(text: &str) -> String {
    let documents = documents(text);
    let is_catalog = |text: &str| {
        let has = |key: &str| text.lines().any(|line| line.starts_with(key));
        has(SCHEMA) && !has(VERSION) && !has("kind:")
    };
    if is_json(text) || !documents.iter().any(|document| is_catalog(document.text)) {
        return text.to_owned();
    }
    only(&documents, |at| !is_catalog(documents[at].text))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// A document of a YAML stream, and the line before it that separates it from others.
struct Document<'t> {
    separator: &'t str,
    text: &'t str,
}

fn documents(text: &str) -> Vec<Document<'_>> {
    let mut documents = Vec::new();
    let (mut separator, mut start, mut at) = ("", 0, 0);
    for line in text.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty() || rest.starts_with(" #")) {
            documents.push(Document { separator, text: &text[start..at] });
            separator = line;
            start = at + line.len();
        }
        at += line.len();
    }
    documents.push(Document { separator, text: &text[start..] });
    documents
}

/// Only these documents, with blank lines for the others between and before them.
fn only(documents: &[Document<'_>], is_wanted: impl Fn(usize) -> bool) -> String {
    let blank = |text: &str| "\n".repeat(text.matches('\n').count());
    let (mut found, mut skipped) = (String::new(), String::new());
    let mut is_first = true;
    for (at, Document { separator, text }) in documents.iter().enumerate() {
        if is_wanted(at) && !text.is_empty() {
            found += &std::mem::take(&mut skipped);
            found += &if is_first { blank(separator) } else { (*separator).to_owned() };
            found += text;
            is_first = false;
        } else {
            skipped += &blank(separator);
            skipped += &blank(text);
        }
    }
    found
}

/// Whether a YAML document, or an item of its list, is an object of OLM.
fn is_manifest(document: &str) -> bool {
    let top = |key: &str| document.lines().find_map(|line| Some(unquoted(line.strip_prefix(key)?)));
    match top(VERSION) {
        Some(version) if is_of_olm(version) => true,
        Some(_) if top("kind:").is_some_and(|kind| kind.ends_with("List")) => {
            let item = |line: &str| {
                let key = line.trim_start().trim_start_matches("- ").trim_start();
                key.strip_prefix(VERSION).is_some_and(|version| is_of_olm(unquoted(version)))
            };
            document.lines().any(item)
        }
        _ => false,
    }
}

fn is_of_olm(version: &str) -> bool {
    GROUPS.into_iter().any(|group| version.starts_with(group))
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(['"', '\''])
}

/// Whether a JSON text has an object of OLM in it and no catalog document.
fn is_json_manifest(text: &str) -> bool {
    let holds = |key: &str, value: &str| {
        text.split(key).skip(1).any(|rest| {
            let rest = rest.trim_start().strip_prefix(':').map(str::trim_start);
            rest.and_then(|rest| rest.strip_prefix('"')).is_some_and(|rest| rest.starts_with(value))
        })
    };
    GROUPS.into_iter().any(|group| holds("\"apiVersion\"", group)) && !holds("\"schema\"", "olm.")
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

    const SUBSCRIPTION: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";

    #[track_caller]
    fn check_split(text: &str, expected: Option<(&str, &str)>) {
        let found = split(text).map(|split| (split.manifests, split.catalog));
        assert_eq!(found.as_ref().map(|(manifests, catalog)| (manifests.as_str(), catalog.as_str())), expected);
    }

    #[test]
    fn documents_are_split() {
        check_split(SUBSCRIPTION, Some((SUBSCRIPTION, "")));
        check_split(&format!("---\n# a cluster\n---\n{SUBSCRIPTION}"), Some((&format!("\n\n\n{SUBSCRIPTION}"), "")));
        check_split(
            &format!("schema: olm.package\n--- # next\n{SUBSCRIPTION}---\nschema: olm.channel\n"),
            Some((&format!("\n\n{SUBSCRIPTION}"), "schema: olm.package\n\n\n\n---\nschema: olm.channel\n")),
        );
    }

    #[test]
    fn manifests_need_no_api_version_where_they_are_given_as_such() {
        let object = "kind: Subscription\nmetadata: {name: s}\n";
        assert_eq!(without_catalog(object), object);
        let both = format!("schema: olm.package\nname: p\n---\n{object}");
        assert_eq!(without_catalog(&both), format!("\n\n\n{object}"));
    }

    #[test]
    fn a_list_is_one_document() {
        let list = "apiVersion: v1\nitems:\n- apiVersion: operators.coreos.com/v1\n  kind: OperatorGroup\nkind: List\n";
        check_split(list, Some((list, "")));
        let json = r#"{"kind": "List", "items": [{"apiVersion" : "operators.coreos.com/v1"}]}"#;
        check_split(json, Some((json, "")));
    }

    #[test]
    fn objects_of_olm_v1_are_manifests_too() {
        let extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\n";
        check_split(extension, Some((extension, "")));
        let both = format!("{SUBSCRIPTION}---\n{extension}");
        check_split(&both, Some((&both, "")));
        let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", extension.replace('\n', "\n  "));
        check_split(&list, Some((&list, "")));
        let json = r#"{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog"}"#;
        check_split(json, Some((json, "")));
    }

    #[test]
    fn a_catalog_that_mentions_the_group_is_not_split() {
        check_split("schema: olm.bundle\nproperties:\n- value: {apiVersion: operators.coreos.com/v1}\n", None);
        check_split("schema: olm.bundle\nvalue: |\n  apiVersion: operators.coreos.com/v1\n", None);
        check_split(r#"{"schema": "olm.bundle", "value": {"apiVersion": "operators.coreos.com/v1"}}"#, None);
        check_split("apiVersion: v1\nkind: ConfigMap\ndata: {a: operators.coreos.com/v1}\n", None);
    }
}
