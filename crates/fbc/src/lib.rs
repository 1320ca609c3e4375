//! Text to raw documents: file-based catalogs as written, with a span for everything that a finding can name.
//!
//! [`parse()`] accepts any text and returns the documents that could be read and the findings; it never fails and never
//! looks at meaning (whether a package exists, what a range matches). Reading follows operator-registry's
//! `alpha/declcfg/load.go` and the YAML 1.1 of yaml.v2.

mod budget;
mod bundle_object;
mod bytes;
mod decode;
mod emit;
mod foreign;
mod go;
mod go_syntax;
mod go_type;
mod json;
mod list_edit;
mod meta;
mod node;
mod parse;
pub mod raw;
mod reading;
mod reinterpreted_text;
mod rewrite;
mod stream;
mod text_edit;
mod text_style;
mod write;
mod yaml;

pub use bundle_object::{ObjectFault, bundle_object_fault, decode_base64};
pub use bytes::{Decoded, decode_bytes, no_text_reason, utf_16};
pub use decode::{found, second_spellings};
pub use foreign::{Legacy, YamlDocument, documents, legacy, no_catalog_reason, yaml_document};
pub use go::{compact_json, float as float_with_v, indented_json, json as plain_json, json_for_html, quoted};
pub use go_syntax::go_syntax_error;
pub use go_type::{CSV_METADATA, FieldNames, GoStruct, GoType, Misfit, go_misfit};
pub use node::{Node, Number, OpenError, Value, json_member, member, property_misfit, same_field};
pub use parse::{UntypedValues, parse, untyped_values};
pub use reading::{Changes, Part, Reading, parts, read_part};
pub use rewrite::{Rewriter, rewritten};
pub use stream::{FirstDocument, first_document, first_yaml_document};
pub use text_edit::{Field, Fields, TextEditor, in_json};
pub use text_style::{flow, json_like, plain, with_line_ends};
pub use write::{DocumentKey, put_in_render_order, to_opm_yaml, to_yaml};

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
