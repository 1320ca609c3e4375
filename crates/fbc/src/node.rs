//! A small tree of values with spans, what YAML and JSON have in common.

use source::{Span, Spanned};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The text of the value; for an alias the text of the alias.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a scalar, list or mapping says after YAML 1.1 resolution as yaml.v2 does it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// `true`, `yes`, `on`, ...
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(Box<str>),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys and values in the order of the text; of equal keys only the last is kept.
    Mapping(Vec<(Spanned<Box<str>>, Node)>),
    /// A subtree that nobody has opened yet: its text is the span of the node.
    Unopened,
}

/// A number as Go's `encoding/json` hands it on: every number passes through `float64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);
