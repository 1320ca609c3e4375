//! Splits opened or pasted text into cluster manifests and catalog documents.

use memchr::memmem;
use std::borrow::Cow;

/// The API groups of the objects that OLM looks at: those of OLM v0 and of OLM v1.
const GROUPS: [&str; 2] = ["operators.coreos.com/", "olm.operatorframework.io/"];
/// The field that tells an object of Kubernetes from a catalog document.
const VERSION: &str = "apiVersion:";

/// A text with cluster manifests, split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitText {
    /// The manifests, a YAML stream.
    pub manifests: String,
    /// The rest, a catalog; empty when only comments are left.
    pub catalog: String,
}

/// The text of a file that was opened, without a byte order mark, and also if it is UTF-16, as PowerShell writes it. `None` if it is
/// no text.
#[must_use]
pub fn opened_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let utf_8 = || Some(Cow::Borrowed(std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}')));
    fbc::utf_16(bytes).map(Cow::Owned).or_else(utf_8)
}

/// Separates cluster manifests from catalog documents; `None` when there are no manifests.
///
/// Each document of a YAML stream is one or the other, a JSON text is so as a whole. The text is searched, not parsed, so
/// that a manifest with a syntax error is still recognised.
///
/// ```
/// let text = "schema: olm.package\nname: etcd\n---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";
/// let split = workbench::split_manifests(text).unwrap();
/// assert_eq!(split.catalog, "schema: olm.package\nname: etcd\n");
/// assert_eq!(split.manifests, "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n");
/// ```
#[must_use]
pub fn split_manifests(text: &str) -> Option<SplitText> {
    let has = |words: &str| memmem::find(text.as_bytes(), words.as_bytes()).is_some();
    let is_json = text.trim_start().starts_with(['{', '[']);
    // Most catalogs mention the first group somewhere, but none has a line that begins so. Searching three times is quick.
    if !(is_json || text.starts_with(VERSION) || has("\napiVersion:")) || !GROUPS.into_iter().any(has) {
        return None;
    }
    let (manifests, catalog): (Vec<&str>, Vec<&str>) = if is_json {
        [text].into_iter().partition(|text| is_json_manifest(text))
    } else {
        documents(text).into_iter().partition(|document| is_manifest(document))
    };
    if manifests.is_empty() {
        return None;
    }
    let has_text = |document: &&str| document.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let catalog: Vec<&str> = if catalog.iter().any(has_text) { catalog } else { Vec::new() };
    Some(SplitText { manifests: manifests.join("---\n"), catalog: catalog.join("---\n") })
}

/// The documents of a YAML stream, without the lines that separate them.
fn documents(text: &str) -> Vec<&str> {
    let mut documents = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty() || rest.starts_with(" #")) {
            documents.push(&text[start..at]);
            start = at + line.len();
        }
        at += line.len();
    }
    documents.push(&text[start..]);
    documents
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

    const SUBSCRIPTION: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = split_manifests(text).map(|split| (split.manifests, split.catalog));
        assert_eq!(found.as_ref().map(|(manifests, catalog)| (manifests.as_str(), catalog.as_str())), expected);
    }

    #[test]
    fn documents_are_split() {
        check(SUBSCRIPTION, Some((SUBSCRIPTION, "")));
        check(&format!("---\n# a cluster\n---\n{SUBSCRIPTION}"), Some((SUBSCRIPTION, "")));
        check(
            &format!("schema: olm.package\n--- # next\n{SUBSCRIPTION}---\nschema: olm.channel\n"),
            Some((SUBSCRIPTION, "schema: olm.package\n---\nschema: olm.channel\n")),
        );
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

    #[test]
    fn a_list_is_one_document() {
        let list = "apiVersion: v1\nitems:\n- apiVersion: operators.coreos.com/v1\n  kind: OperatorGroup\nkind: List\n";
        check(list, Some((list, "")));
        let json = r#"{"kind": "List", "items": [{"apiVersion" : "operators.coreos.com/v1"}]}"#;
        check(json, Some((json, "")));
    }

    #[test]
    fn objects_of_olm_v1_are_manifests_too() {
        let extension = "apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtension\n";
        check(extension, Some((extension, "")));
        let both = format!("{SUBSCRIPTION}---\n{extension}");
        check(&both, Some((&both, "")));
        let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", extension.replace('\n', "\n  "));
        check(&list, Some((&list, "")));
        let json = r#"{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog"}"#;
        check(json, Some((json, "")));
    }

    #[test]
    fn a_catalog_that_mentions_the_group_is_not_split() {
        check("schema: olm.bundle\nproperties:\n- value: {apiVersion: operators.coreos.com/v1}\n", None);
        check("schema: olm.bundle\nvalue: |\n  apiVersion: operators.coreos.com/v1\n", None);
        check(r#"{"schema": "olm.bundle", "value": {"apiVersion": "operators.coreos.com/v1"}}"#, None);
        check("apiVersion: v1\nkind: ConfigMap\ndata: {a: operators.coreos.com/v1}\n", None);
    }
}
