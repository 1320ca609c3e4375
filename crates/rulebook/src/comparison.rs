//! The documentation of the rules of comparisons.

use compare::Rule;
use views::ComparisonRuleDoc;

/// The documentation of a rule of comparisons.
#[must_use]
pub fn comparison_doc(rule: Rule) -> ComparisonRuleDoc {
    ComparisonRuleDoc {
        id: rule.id().to_owned(),
        level: rule.level(),
        about: rule.about().to_owned(),
        effect: rule.effect().to_owned(),
    }
}

/// The ids of the rules of comparisons.
pub fn comparison_ids() -> impl Iterator<Item = &'static str> {
    Rule::all().into_iter().map(Rule::id)
}

/// The documentation of the rule of comparisons with this id.
#[must_use]
pub fn comparison_doc_of(id: &str) -> Option<ComparisonRuleDoc> {
    Rule::all().into_iter().find(|rule| rule.id() == id).map(comparison_doc)
}
