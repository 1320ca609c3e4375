//! The documentation of every rule: why it exists, an example that fails, an example that passes, and its source.
//!
//! The texts are Markdown files beside the rules. A test runs the real checks on both examples of every rule and compares
//! the findings with the marks in the failing one.
//!
//! ```
//! use source::Rule;
//!
//! let doc = rulebook::doc(Rule::Downgrade);
//! assert_eq!(doc.id, "downgrade");
//! assert!(doc.fails.files[0].text.contains("^^^ warning[downgrade]"));
//! ```

mod comparison;
mod doc;
#[cfg(test)]
mod example_tests;
mod texts;

pub use comparison::{comparison_doc, comparison_doc_of, comparison_ids};
pub use doc::{doc, index, markdown, page};

use source::Rule;
use views::Rulebook;

/// The documentation of all rules: those of findings in the order of [`Rule::ALL`], then those of comparisons.
#[must_use]
pub fn all() -> Rulebook {
    let comparison = compare::Rule::all().into_iter().map(comparison_doc).collect();
    Rulebook { findings: Rule::ALL.iter().copied().map(doc).collect(), comparison }
}
