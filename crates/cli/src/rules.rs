//! The documentation of rules for code scanners.

use report::sarif::RuleText;
use report::{CATALOG_CHANGE, NOT_COMPARABLE, NOT_SERVED};
use source::Rule;
use views::{Level, Severity};

/// The documentation of the rule with this id.
pub(crate) fn text(id: &str) -> RuleText {
    if let Ok(rule) = id.parse::<Rule>() {
        let doc = rulebook::doc(rule);
        let markdown = rulebook::markdown(&doc);
        return RuleText {
            about: doc.about.join(" "),
            summary: doc.summary,
            markdown,
            severity: Some(rule.severity()),
        };
    }
    let compared = rulebook::comparison_doc_of(id);
    let severity = compared.as_ref().map(|rule| match rule.level {
        Level::Breaking => Severity::Error,
        Level::Risky => Severity::Warning,
        Level::Neutral | Level::Good => Severity::Hint,
    });
    let summary = match (&compared, id) {
        (Some(rule), _) => &*rule.about,
        (None, NOT_COMPARABLE) => "One of the states cannot be compared.",
        (None, NOT_SERVED) => "`opm` rejects the catalog, so a cluster does not serve it.",
        (None, CATALOG_CHANGE) => "A change of a catalog harms what is installed.",
        (None, _) => "A smaller mirror strands nobody.",
    };
    RuleText { summary: summary.to_owned(), severity, ..RuleText::default() }
}
