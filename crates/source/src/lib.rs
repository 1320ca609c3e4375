//! Places in text and what is said about them: files, spans, lines, diagnostics.
//!
//! Knows nothing of catalogs. Every other crate of the core points into text with the types of this one, so that a
//! finding, an explanation and a drawing can all lead back to the same line.
//!
//! ```
//! use source::{FileId, LineIndex, Span};
//!
//! let text = "name: étcd\nimage: 5\n";
//! let span = Span::new(FileId(0), 19, 20);
//! let position = LineIndex::new(text).position(text, span.start);
//! assert_eq!((position.line, position.column), (2, 8));
//! ```

mod diagnostic;
mod edit;
mod findings;
mod line_index;
mod rule;
mod span;

pub use diagnostic::{Diagnostic, Label, OpmVersion, Severity};
pub use edit::Edit;
pub use findings::Findings;
pub use line_index::{LineIndex, Position};
pub use rule::{Rule, UnknownRule};
pub use span::{FileId, Span, Spanned};
