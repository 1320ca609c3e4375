//! The user's levels for rules of a comparison: a YAML file that maps ids to levels.

use crate::Failure;
use crate::folder;
use compare::{ChangeRule, Level, RowRule};
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
        let read: Option<BTreeMap<String, String>> = serde_yaml::from_str(&text).map_err(failed)?;
        let mut chosen = BTreeMap::new();
        let mut wrong = Vec::new();
        for (id, level) in read.unwrap_or_default() {
            let line = text.lines().position(|line| line.trim_start().trim_start_matches(['"', '\'']).starts_with(&id));
            let place = line.map_or_else(|| shown.to_string(), |line| format!("{shown}:{}", line + 1));
            if !ids().any(|known| known == id) {
                let all = ids().collect::<Vec<_>>().join(", ");
                wrong.push(format!("{place}: there is no rule `{id}`; the rules are {all}"));
            }
            match level_of(&level) {
                Some(level) => drop(chosen.insert(id, level)),
                None => {
                    wrong.push(format!("{place}: `{level}` is no level; use breaking, risky, neutral, good or {OFF}"));
                }
            }
        }
        if wrong.is_empty() { Ok(Self { chosen }) } else { Err(wrong.join("\nopscope: ")) }
    }

    /// The level of a rule; `None` if it is switched off.
    pub(super) fn of(&self, id: &str, default: Level) -> Option<Level> {
        self.chosen.get(id).copied().unwrap_or(Some(default))
    }
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
