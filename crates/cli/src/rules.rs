//! The documentation of rules for code scanners.

use report::sarif::RuleText;
use source::Rule;
use views::{Level, Severity};

/// The documentation of the rule with this id.
pub(crate) fn text(id: &str) -> RuleText {
    if let Ok(rule) = id.parse::<Rule>() {
        let doc = rulebook::doc(rule);
        let markdown = rulebook::markdown(&doc);
        return RuleText { about: doc.about.join(" "), summary: doc.summary, markdown, severity: Some(rule.severity()) };
    }
    let compared = compare::Rule::all().into_iter().find(|rule| rule.id() == id);
    let severity = compared.map(|rule| match rule.level() {
        Level::Breaking => Severity::Error,
        Level::Risky => Severity::Warning,
        Level::Neutral | Level::Good => Severity::Hint,
    });
    let summary = match (compared, id) {
        (Some(rule), _) => rule.about(),
        (None, "not-comparable") => "One of the states cannot be compared.",
        (None, "not-served") => "`opm` rejects the catalog, so a cluster does not serve it.",
        (None, "catalog-change") => "A change of a catalog harms what is installed.",
        (None, _) => "",
    };
    RuleText { summary: summary.to_owned(), severity, ..RuleText::default() }
}
