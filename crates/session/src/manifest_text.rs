//! The manifests of the cluster: their text, the objects in it, and places.

use cluster::{FieldFinding, InputChange, Kind, ManifestFacts, Manifests, ObjectKey, OperatorGroup, TargetNamespaces};
use fbc::{Node, UntypedValues};
use source::{Diagnostic, FileId, LineIndex, Span};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use views::{FileKey, ManifestFinding, Place, TextEdit};

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

    /// The text.
    pub(crate) fn shared_text(&self) -> Rc<str> {
        Rc::clone(&self.text)
    }

    /// What the user says about the manifests.
    pub(crate) const fn facts(&self) -> &ManifestFacts {
        &self.facts
    }

    /// What was read in the text.
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
    /// Reads a text.
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
