//! Cluster manifests to a [`Cluster`]: multi-document YAML, `List`s, JSON.
//!
//! A document that cannot be read is a finding; the others still count. Objects of other kinds are named and skipped.

mod object;
mod split;

use serde::Deserialize;
use source::{Diagnostic, FileId, Rule, Span};

use crate::cluster::Cluster;

/// What a file of manifests says.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// The objects that OLM v0 looks at.
    pub cluster: Cluster,
    /// Objects of other kinds.
    pub skipped: Vec<Skipped>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// An object that a resolution does not look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its kind as written; empty when it has none.
    pub kind: Box<str>,
    /// Its name; empty when it has none.
    pub name: Box<str>,
    /// Its document.
    pub span: Span,
}

/// Reads a file of manifests.
///
/// The global namespace is `openshift-marketplace` if a CatalogSource lives there and none in `olm`, else `olm`.
#[must_use]
pub fn read(file: FileId, text: &str) -> Manifests {
    let mut manifests = Manifests::default();
    for document in split::documents(text) {
        let mut reader = Reader { manifests: &mut manifests, file, text, document };
        reader.document();
    }
    let lives_in =
        |namespace: &str| manifests.cluster.catalog_sources.iter().any(|source| &*source.key.namespace == namespace);
    if lives_in("openshift-marketplace") && !lives_in("olm") {
        manifests.cluster.global_namespace = "openshift-marketplace".into();
    }
    manifests
}

/// Enough of an object to tell what it is.
#[derive(Deserialize)]
struct Header {
    kind: Option<String>,
    metadata: Option<Name>,
    items: Option<Vec<serde_yaml::Value>>,
}

#[derive(Deserialize)]
struct Name {
    name: Option<String>,
}

struct Reader<'r> {
    manifests: &'r mut Manifests,
    file: FileId,
    text: &'r str,
    /// The bytes of the document.
    document: std::ops::Range<usize>,
}

impl Reader<'_> {
    fn document(&mut self) {
        let text = &self.text[self.document.clone()];
        match serde_yaml::from_str::<serde_yaml::Value>(text) {
            Ok(serde_yaml::Value::Null) => {}
            Ok(value) => self.object(&value, true),
            Err(error) => self.report(Rule::BrokenDocument, &error),
        }
    }

    /// Takes in one object. `alone` if it is the whole document, so that a second reading can tell the place of an
    /// error.
    fn object(&mut self, value: &serde_yaml::Value, alone: bool) {
        let header: Header = match serde_yaml::from_value(value.clone()) {
            Ok(header) => header,
            Err(error) => return self.report(Rule::WrongType, &error),
        };
        let kind = header.kind.unwrap_or_default();
        match (object::add(&kind, value, &mut self.manifests.cluster), header.items) {
            (None, Some(items)) if kind.ends_with("List") => {
                for item in &items {
                    self.object(item, false);
                }
            }
            (None, _) => {
                let name = header.metadata.and_then(|metadata| metadata.name).unwrap_or_default();
                let span = self.span();
                self.manifests.skipped.push(Skipped { kind: kind.into(), name: name.into(), span });
            }
            (Some(Ok(())), _) => {}
            (Some(Err(error)), _) => {
                let text = &self.text[self.document.clone()];
                let placed = if alone { object::error(&kind, text) } else { None };
                self.report(Rule::WrongType, &placed.unwrap_or(error));
            }
        }
    }

    fn span(&self) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(self.document.start), offset(self.document.end))
    }

    fn report(&mut self, rule: Rule, error: &serde_yaml::Error) {
        let mut span = self.span().at_start();
        if let Some(location) = error.location() {
            span.start = span.start.saturating_add(u32::try_from(location.index()).unwrap_or(0));
            span.end = span.start;
        }
        // The location is the span's; the text repeats it.
        let text = error.to_string();
        let message = text.split(" at line ").next().unwrap_or(&text);
        self.manifests.diagnostics.push(Diagnostic::new(rule, span, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::LineIndex;

    /// The findings as `line:column rule message`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let index = LineIndex::new(text);
        let told = read(FileId(0), text).diagnostics.into_iter().map(|found| {
            let at = index.position(text, found.span.start);
            format!("{}:{} {} {}", at.line, at.column, found.rule, found.message)
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_document_that_cannot_be_read_does_not_hide_the_others() {
        let text = "kind: [\n---\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\nspec: {priority: high}\n---\n\
                    kind: CatalogSource\nmetadata: {name: d, namespace: olm}\nspec: {priority: -3}\n";
        let manifests = read(FileId(0), text);
        let sources: Vec<_> =
            manifests.cluster.catalog_sources.iter().map(|source| (&*source.key.name, source.priority)).collect();
        assert_eq!((sources, manifests.diagnostics.len()), (vec![("d", -3)], 2));
    }

    #[test]
    fn errors_stand_at_their_place() {
        check(
            "a: 1\n---\nkind: Subscription\nmetadata:\n  namespace: ns\nspec: {}\n",
            &["5:3 wrong-type metadata: missing field `name`"],
        );
    }

    #[test]
    fn lists_and_json_are_read_and_other_kinds_named() {
        let text = r#"{"kind": "List", "items": [
            {"kind": "Subscription", "metadata": {"name": "s"}, "spec": {"name": "a", "source": "c"}},
            {"kind": "ConfigMap", "metadata": {"name": "m"}}]}"#;
        let manifests = read(FileId(0), text);
        assert_eq!(manifests.diagnostics, []);
        let subscription = &manifests.cluster.subscriptions[0];
        assert_eq!((&*subscription.namespace, &*subscription.wish.name), ("default", "s"));
        let skipped = &manifests.skipped[0];
        assert_eq!((&*skipped.kind, &*skipped.name, manifests.skipped.len()), ("ConfigMap", "m", 1));
    }

    #[test]
    fn a_catalog_source_in_the_marketplace_makes_that_the_global_namespace() {
        let source = |namespace| format!("---\nkind: CatalogSource\nmetadata: {{name: c, namespace: {namespace}}}\n");
        let global = |text: String| read(FileId(0), &text).cluster.global_namespace;
        assert_eq!(&*global(source("openshift-marketplace")), "openshift-marketplace");
        assert_eq!(&*global(source("openshift-marketplace") + &source("olm")), "olm");
    }
}
