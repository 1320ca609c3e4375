//! Places in text, and findings about them: files, spans, lines, diagnostics and the list of all rules.
//!
//! Every other crate of the core points into text with these types, so that a finding, an explanation and a drawing can
//! all lead back to the same line. Does not know what a catalog is, apart from the names of the rules.
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
mod escape;
mod executor;
mod findings;
mod rule;
mod shell;
mod span;
mod suggestions;
mod vocabulary;

pub use diagnostic::{Diagnostic, Label, QuickFix, Rewrite, name_list};
pub use escape::{fenced, is_control, markdown, one_line, push_escaped};
pub use executor::{Executor, ForEach};
pub use findings::Findings;
pub use rule::{Rule, UnknownRule};
pub use shell::{ShellCommand, is_image_name, object_name, shell_word};
pub use span::{FileId, LineIndex, Position, Span, Spanned};
pub use suggestions::nearest;
pub use vocabulary::{
    Approval, AxisColumn, AxisDirection, AxisTick, BundleMode, BundleRules, ChannelSwitch, CsvForm, EntryForm,
    FeatureGate, Level, Mark, OcMirror, OlmV1, OlmV1Release, OpenShift, OpmVersion, Point, Presence, ReadinessVerdict,
    Runtime, Severity, StateId, StopReason, TextEdit, Verdict, first_and_more, joined, parse_min_kube,
};
