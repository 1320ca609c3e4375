//! The documentation of the rules of comparisons.

use compare::{ComparisonRule, Level};
use views::{ComparisonRuleDoc, LevelView};

/// The documentation of a rule of comparisons.
#[must_use]
pub fn comparison_doc(rule: ComparisonRule) -> ComparisonRuleDoc {
    ComparisonRuleDoc {
        id: rule.id.to_owned(),
        level: match rule.level {
            Level::Breaking => LevelView::Breaking,
            Level::Risky => LevelView::Risky,
            Level::Neutral => LevelView::Neutral,
            Level::Good => LevelView::Good,
        },
        about: rule.about.to_owned(),
        effect: rule.effect.to_owned(),
    }
}
