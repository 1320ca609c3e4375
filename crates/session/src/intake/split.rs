//! Splits a text into cluster manifests and catalog documents.

use memchr::memmem;

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

    const SUBSCRIPTION: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\n";

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = split(text).map(|split| (split.manifests, split.catalog));
        assert_eq!(found.as_ref().map(|(manifests, catalog)| (manifests.as_str(), catalog.as_str())), expected);
    }

    #[test]
    fn documents_are_split() {
        check(SUBSCRIPTION, Some((SUBSCRIPTION, "")));
        check(&format!("---\n# a cluster\n---\n{SUBSCRIPTION}"), Some((&format!("\n\n\n{SUBSCRIPTION}"), "")));
        check(
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
