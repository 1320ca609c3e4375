//! What there is to say about every rule: why it is there, an example that fails, one that passes, and its source.
//!
//! The texts stand beside the rules, in Markdown of a narrow form. A test puts both examples of every rule to
//! the real checker and holds the marks in the failing one against what is found.
//!
//! ```
//! use source::Rule;
//!
//! let doc = rulebook::doc(Rule::Downgrade);
//! assert_eq!(doc.id, "downgrade");
//! assert!(doc.fails.files[0].text.contains("^^^ warning[downgrade]"));
//! ```

#[cfg(test)]
mod examples;
mod markdown;
mod read;
mod texts;

pub use markdown::markdown;
pub use read::doc;

use source::Rule;
use views::RuleDoc;

/// All rules, in the order of the list of rules.
#[must_use]
pub fn all() -> Vec<RuleDoc> {
    Rule::ALL.iter().copied().map(doc).collect()
}
