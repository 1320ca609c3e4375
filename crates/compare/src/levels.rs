//! The user's levels for the rules of a comparison: a YAML text that maps ids to levels.

use crate::rule::Rule;
use fbc::Value;
use source::{FileId, Level, LineIndex, nearest};
use std::collections::BTreeMap;

/// The level that switches a rule off.
const OFF: &str = "off";
/// What a line looks like.
const EXAMPLE: &str = "expected lines such as `v0-next-changed: breaking`";

/// Levels that differ from those of the rules themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// By id; `None` switches a rule off.
    chosen: BTreeMap<String, Option<Level>>,
}

/// What is wrong in a text of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelFault {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl Levels {
    /// Reads a text such as `v0-next-changed: breaking`, a line for each rule. An empty text changes nothing.
    ///
    /// # Errors
    /// When the text is no mapping, or has unknown rules or levels, or a rule twice: all of those, by line.
    pub fn parse(text: &str) -> Result<Self, Vec<LevelFault>> {
        let lines = LineIndex::new(text);
        let fault = |at: u32, message: String| {
            let at = lines.position(text, at);
            LevelFault { line: at.line, column: at.column, message }
        };
        let document = fbc::yaml_document(FileId(0), text);
        let document =
            document.map_err(|error| vec![fault(error.span.start, format!("{}; {EXAMPLE}", error.message))])?;
        let rows = match document.node.value {
            Value::Null => Vec::new(),
            Value::Mapping(rows) => rows,
            _ => return Err(vec![fault(document.node.span.start, EXAMPLE.to_owned())]),
        };
        let (mut chosen, mut wrong) = (BTreeMap::new(), Vec::new());
        // Of equal keys the reader keeps one and reports the others.
        wrong.extend(document.diagnostics.iter().map(|found| fault(found.span.start, found.message.clone())));
        for (id, value) in rows {
            if !rule_ids().any(|known| *known == *id.value) {
                let message = match nearest(&id.value, rule_ids()).first() {
                    Some(near) => format!("there is no rule `{}`; did you mean `{near}`?", id.value),
                    None => {
                        let all = rule_ids().collect::<Vec<_>>().join(", ");
                        format!("there is no rule `{}`; the rules are {all}", id.value)
                    }
                };
                wrong.push(fault(id.span.start, message));
            }
            let level = match &value.value {
                // YAML takes `off` for `false`.
                Value::Bool(false) => Some(None),
                _ => value.as_str().and_then(level_of),
            };
            let message = || format!("`{}` needs a level: breaking, risky, neutral, good or {OFF}", id.value);
            match level {
                Some(level) => drop(chosen.insert(id.value.to_string(), level)),
                None => wrong.push(fault(value.span.start, message())),
            }
        }
        wrong.sort_by_key(|fault| (fault.line, fault.column));
        if wrong.is_empty() { Ok(Self { chosen }) } else { Err(wrong) }
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

fn level_of(name: &str) -> Option<Option<Level>> {
    if name == OFF {
        return Some(None);
    }
    let levels = [Level::Breaking, Level::Risky, Level::Neutral, Level::Good];
    levels.into_iter().find(|level| level.as_str() == name).map(Some)
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
        assert_eq!(faults("- v0-loop\n"), [format!("1:1 {EXAMPLE}")]);
        assert_eq!(faults("v0-loop: off\nv0-loop: risky\n").len(), 1);
        assert!(faults("a: [\n")[0].ends_with(EXAMPLE));
    }
}
