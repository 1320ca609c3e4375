//! The user's levels for rules of a comparison: a YAML file that maps ids to levels.

use crate::Failure;
use crate::folder;
use compare::{ChangeRule, Level, RowRule};
use serde_yaml::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The level that switches a rule off.
const OFF: &str = "off";

/// Levels that differ from those of the rules themselves.
#[derive(Default)]
pub(super) struct Levels {
    /// By id; `None` switches a rule off.
    chosen: BTreeMap<String, Option<Level>>,
}

impl Levels {
    /// Reads a file such as `v0-next-changed: breaking`, a line for each rule.
    ///
    /// # Errors
    /// When the file cannot be read, is no map of texts, or has unknown rules or levels; all of those are named.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = folder::text(path)?;
        let shown = path.display();
        let failed = |error: serde_yaml::Error| {
            let line = error.location().map(|at| format!(":{}:{}", at.line(), at.column())).unwrap_or_default();
            format!("{shown}{line}: expected lines such as `v0-next-changed: breaking`: {error}")
        };
        let read: Option<BTreeMap<String, Value>> = serde_yaml::from_str(&text).map_err(failed)?;
        let mut chosen = BTreeMap::new();
        let mut wrong: Vec<(usize, String)> = Vec::new();
        for (id, level) in read.unwrap_or_default() {
            let line = text.lines().position(|line| is_key(line, &id)).map_or(1, |at| at + 1);
            if !ids().any(|known| known == id) {
                let all = ids().collect::<Vec<_>>().join(", ");
                wrong.push((line, format!("there is no rule `{id}`; the rules are {all}")));
            }
            match level.as_str().and_then(level_of) {
                Some(level) => drop(chosen.insert(id, level)),
                None => wrong.push((line, format!("`{id}` needs a level: breaking, risky, neutral, good or {OFF}"))),
            }
        }
        wrong.sort();
        let lines = wrong.iter().map(|(line, what)| format!("{shown}:{line}: {what}"));
        if wrong.is_empty() { Ok(Self { chosen }) } else { Err(lines.collect::<Vec<_>>().join("\nopscope: ")) }
    }

    /// The level of a rule; `None` if it is switched off.
    pub(super) fn of(&self, id: &str, default: Level) -> Option<Level> {
        self.chosen.get(id).copied().unwrap_or(Some(default))
    }
}

/// Whether a line begins with this key.
fn is_key(line: &str, id: &str) -> bool {
    let quotes = ['"', '\''];
    let rest = line.trim_start().trim_start_matches(quotes).strip_prefix(id);
    rest.is_some_and(|rest| rest.trim_start_matches(quotes).trim_start().starts_with(':'))
}

fn ids() -> impl Iterator<Item = &'static str> {
    RowRule::ALL.into_iter().map(RowRule::id).chain(ChangeRule::ALL.into_iter().map(ChangeRule::id))
}

fn level_of(name: &str) -> Option<Option<Level>> {
    if name == OFF {
        return Some(None);
    }
    let levels = [Level::Breaking, Level::Risky, Level::Neutral, Level::Good];
    levels.into_iter().find(|level| level.as_str() == name).map(Some)
}
