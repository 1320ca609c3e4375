//! The input of the rules: the model of a catalog, and its documents for what the model leaves out.

use catalog::{Catalog, ParsedFile};
use fbc::Value;
use fbc::raw::{RawBundle, RawDoc, RawProperty};
use source::{FileId, Span};
use std::collections::BTreeMap;
use std::ops::Deref;

/// The files of a catalog, each found by its id without looking at the others: a catalog may have a hundred thousand.
#[derive(Debug)]
pub struct ParsedFiles<'a> {
    list: Vec<ParsedFile<'a>>,
    /// The index of each file that has documents.
    positions: BTreeMap<FileId, usize>,
}

impl<'a> From<Vec<ParsedFile<'a>>> for ParsedFiles<'a> {
    fn from(list: Vec<ParsedFile<'a>>) -> Self {
        let ids = list.iter().enumerate().filter_map(|(at, file)| Some((file.parse.docs.first()?.span.file, at)));
        Self { positions: ids.collect(), list }
    }
}

impl<'a> Deref for ParsedFiles<'a> {
    type Target = [ParsedFile<'a>];

    fn deref(&self) -> &[ParsedFile<'a>] {
        &self.list
    }
}

/// A catalog and the files that it was built from.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The model.
    pub catalog: &'a Catalog,
    /// The files, in any order.
    pub files: &'a ParsedFiles<'a>,
}

impl<'a> Input<'a> {
    /// The text under a span.
    pub(crate) fn text(self, span: Span) -> &'a str {
        self.file(span.file).map_or("", |file| span.slice(file.text))
    }

    /// The place of a field in the value of the property at `span`; `span` itself if there is no such field.
    pub(crate) fn field(self, span: Span, name: &str) -> Span {
        let value = self.property(span).and_then(|property| property.value.as_ref());
        let Some(Value::Mapping(pairs)) = value.map(|node| &node.value) else { return span };
        fbc::member(pairs, name).map_or(span, |(_, node)| node.span)
    }

    /// The place of such a field, if the property has it.
    pub(crate) fn scalar(self, span: Span, name: &str) -> Option<Span> {
        Some(self.field(span, name)).filter(|field| *field != span)
    }

    /// The document of a bundle, with the text of its file; `span` is of the document or of something in it.
    pub(crate) fn bundle(self, span: Span) -> Option<(&'a RawBundle, &'a str)> {
        let file = self.file(span.file)?;
        let after = file.parse.docs.partition_point(|doc| doc.span.start <= span.start);
        let RawDoc::Bundle(bundle) = &file.parse.docs[..after].last()?.raw else { return None };
        Some((bundle, file.text))
    }

    fn property(self, span: Span) -> Option<&'a RawProperty> {
        self.bundle(span)?.0.properties.iter().find(|property| property.span == span)
    }

    fn file(self, file: FileId) -> Option<&'a ParsedFile<'a>> {
        self.files.get(*self.files.positions.get(&file)?)
    }
}
