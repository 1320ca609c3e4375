//! Moves the spans of documents when an edit before them changes the length of the text.

use crate::raw::{RawDoc, Text};
use crate::{Doc, Node, Value};
use source::Span;

impl Doc {
    /// Moves every span by a number of bytes.
    pub(crate) fn shift(&mut self, by: i64) {
        moved(&mut self.span, by);
        match &mut self.raw {
            RawDoc::Package(raw) => {
                texts([&mut raw.name, &mut raw.default_channel, &mut raw.description], by);
                if let Some(icon) = &mut raw.icon {
                    texts([&mut icon.mediatype], by);
                    icon.base64data.iter_mut().for_each(|span| moved(span, by));
                }
            }
            RawDoc::Channel(raw) => {
                texts([&mut raw.name, &mut raw.package], by);
                for entry in &mut raw.entries {
                    moved(&mut entry.span, by);
                    texts([&mut entry.name, &mut entry.replaces, &mut entry.skip_range], by);
                    entry.skips.iter_mut().for_each(|skip| moved(&mut skip.span, by));
                }
            }
            RawDoc::Bundle(raw) => {
                texts([&mut raw.name, &mut raw.package, &mut raw.image], by);
                for property in &mut raw.properties {
                    moved(&mut property.span, by);
                    texts([&mut property.kind], by);
                    property.value.iter_mut().for_each(|value| value.shift(by));
                }
                raw.related_images.iter_mut().for_each(|image| texts([&mut image.name, &mut image.image], by));
            }
            RawDoc::Deprecations(raw) => {
                texts([&mut raw.package], by);
                for entry in &mut raw.entries {
                    moved(&mut entry.span, by);
                    texts([&mut entry.schema, &mut entry.name, &mut entry.message], by);
                }
            }
            RawDoc::Other(raw) => {
                moved(&mut raw.schema.span, by);
                texts([&mut raw.package, &mut raw.name], by);
                raw.lifecycle.iter_mut().for_each(|(key, node)| {
                    moved(&mut key.span, by);
                    node.shift(by);
                });
            }
        }
    }
}

impl Node {
    /// Moves every span by a number of bytes.
    pub(crate) fn shift(&mut self, by: i64) {
        moved(&mut self.span, by);
        match &mut self.value {
            Value::Sequence(items) => items.iter_mut().for_each(|item| item.shift(by)),
            Value::Mapping(entries) => {
                for (key, node) in entries {
                    moved(&mut key.span, by);
                    node.shift(by);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Unopened => {}
        }
    }
}

fn texts<const N: usize>(texts: [&mut Option<Text>; N], by: i64) {
    texts.into_iter().flatten().for_each(|text| moved(&mut text.span, by));
}

fn moved(span: &mut Span, by: i64) {
    *span = span.shifted(by);
}
