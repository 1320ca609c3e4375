//! The user's levels for the rules of a comparison.

use crate::accepted::{Accepted, Difference};
use crate::rule::Rule;
use crate::settings::{Settings, SettingsFault};
use source::Level;
use std::collections::BTreeMap;

/// Levels that differ from those of the rules themselves, and differences that are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// By id; `None` switches a rule off.
    pub(crate) chosen: BTreeMap<String, Option<Level>>,
    accepted: Vec<Accepted>,
    /// Today, `YYYY-MM-DD`; empty if it is not known.
    day: String,
}

impl Levels {
    /// Levels without a day.
    pub(crate) const fn new(chosen: BTreeMap<String, Option<Level>>, accepted: Vec<Accepted>) -> Self {
        Self { chosen, accepted, day: String::new() }
    }

    /// The levels of a file of settings, or of one that has levels alone.
    ///
    /// # Errors
    /// As [`Settings::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<SettingsFault>> {
        Settings::parse(text).map(|settings| settings.levels)
    }

    /// The same on a day, `YYYY-MM-DD`, after which some differences are no longer accepted.
    #[must_use]
    pub fn on(self, day: &str) -> Self {
        Self { day: day.to_owned(), ..self }
    }

    /// What accepts a difference on the day.
    pub(crate) fn accepts(&self, difference: Difference<'_>) -> bool {
        self.accepted.iter().any(|accepted| accepted.holds_on(&self.day) && accepted.is_about(difference))
    }

    /// A sentence for each entry that accepts some of the differences, or did until it ended.
    pub(crate) fn accepted_texts<'d>(&self, differences: impl Iterator<Item = Difference<'d>>) -> Vec<String> {
        // Most users accept nothing.
        let differences: Vec<_> = if self.accepted.is_empty() { Vec::new() } else { differences.collect() };
        let text = |accepted: &Accepted| match differences.iter().filter(|of| accepted.is_about(**of)).count() {
            0 => None,
            count => Some(accepted.sentence(count, &self.day)),
        };
        self.accepted.iter().filter_map(text).collect()
    }

    /// The level of a rule; `None` if it is switched off.
    #[must_use]
    pub fn of(&self, id: &str, default: Level) -> Option<Level> {
        self.chosen.get(id).copied().unwrap_or(Some(default))
    }
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    Rule::all().into_iter().map(Rule::id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let faults = Levels::parse(text).unwrap_err();
        faults.iter().map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message)).collect()
    }

    #[test]
    fn levels_are_read() {
        let levels = Levels::parse("# ours\nv0-loop: off\nhead-changed: risky\n\"v0-stranded\": 'neutral'\n").unwrap();
        assert_eq!(levels.of("v0-loop", Level::Breaking), None);
        assert_eq!(levels.of("head-changed", Level::Neutral), Some(Level::Risky));
        assert_eq!(levels.of("v0-stranded", Level::Breaking), Some(Level::Neutral));
        assert_eq!(levels.of("v0-downgrade", Level::Breaking), Some(Level::Breaking));
        assert_eq!(Levels::parse(""), Ok(Levels::default()));
    }

    #[test]
    fn every_fault_has_its_place() {
        assert_eq!(
            faults("v0-strandd: off\nv0-loop:\n  bad\n"),
            [
                "1:1 there is no rule `v0-strandd`; did you mean `v0-stranded`?",
                "3:3 `v0-loop` needs a level: breaking, risky, neutral, good or off",
            ]
        );
        assert!(faults("x: risky\n")[0].starts_with("1:1 there is no rule `x`; the rules are v0-package-gone, "));
        assert_eq!(faults("- v0-loop\n"), [format!("1:1 {}", crate::settings::EXAMPLE)]);
        assert_eq!(faults("v0-loop: off\nv0-loop: risky\n").len(), 1);
        assert!(faults("a: [\n")[0].ends_with(crate::settings::EXAMPLE));
    }
}
