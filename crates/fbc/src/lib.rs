//! Text to raw documents: file-based catalogs as written, with a span for everything that a finding can name.
//!
//! [`parse()`] accepts any text and returns the documents that could be read and the findings; it never fails and never
//! looks at meaning (whether a package exists, what a range matches). Reading follows operator-registry's
//! `alpha/declcfg/load.go` and the YAML 1.1 of yaml.v2.

mod base64;
mod budget;
mod bundle_object;
mod bytes;
mod decode;
mod embedded;
mod emit;
mod findings;
mod first_document;
mod foreign;
mod go;
mod go_syntax;
mod go_type;
mod json;
mod json_stream;
mod key_order;
mod layout;
mod legacy;
mod list_edit;
mod mapping;
mod meta;
mod moved_spans;
mod nearest;
mod node;
mod parse;
mod parts;
pub mod raw;
mod reading;
mod reinterpreted_text;
mod render_order;
mod reusable_suffix;
mod rewrite;
mod rewritten;
mod stream;
mod text_edit;
mod text_style;
mod unopened;
mod untyped;
mod write;
mod yaml;

pub use base64::decode as decode_base64;
pub use bundle_object::{ObjectFault, bundle_object_fault};
pub use bytes::{Decoded, decode_bytes, no_text_reason, utf_16};
pub use decode::{found, second_spellings};
pub use embedded::{YamlDocument, documents, yaml_document};
pub use first_document::{FirstDocument, first_document, first_yaml_document};
pub use foreign::no_catalog_reason;
pub use go::{compact_json, float as float_with_v, indented_json, json as plain_json, json_for_html, quoted};
pub use go_syntax::go_syntax_error;
pub use go_type::{FieldNames, GoStruct, GoType, Misfit, go_misfit};
pub use layout::json_like;
pub use legacy::{Legacy, legacy};
pub use node::{Node, Number, Value, json_member, member, same_field};
pub use parse::parse;
pub use parts::{Part, parts, read_part};
pub use reading::{Changes, Reading};
pub use render_order::{DocumentKey, put_in_render_order};
pub use rewrite::Rewriter;
pub use rewritten::rewritten;
pub use text_edit::{Field, Fields, TextEditor, in_json};
pub use text_style::{flow, plain, with_line_ends};
pub use unopened::{OpenError, property_misfit};
pub use untyped::{UntypedValues, untyped_values};
pub use write::{to_opm_yaml, to_yaml};

use source::{Diagnostic, Span};

/// The documents of a file, in order, and the findings about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parse {
    /// The documents that could be read.
    pub docs: Vec<Doc>,
    /// Everything that `opm` rejects, loses, or reads as something else than it looks like.
    pub diagnostics: Vec<Diagnostic>,
}

/// One document of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Doc {
    /// The text of the document, without separators.
    pub span: Span,
    pub raw: raw::RawDoc,
}
