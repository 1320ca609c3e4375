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
