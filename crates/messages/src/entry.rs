//! What a state of a namespace, a condition, or a message means, with what helps and what does harm: one entry for each, to which
//! the objects of a cluster and the texts that OLM writes both lead.

use source::{StateId, Verdict};

/// What follows what is to be done first where the failed InstallPlan is to run again.
pub const RUN_AGAIN: &str =
    ", then delete the failed InstallPlan if it has made no CSV, or set its `status.phase` to `Installing` again";

/// What something means. A text may have parts in brackets: the first of its alternatives, separated by `|`, of which all names in
/// braces are known and not empty; none if there is none.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Absent for what is no state of a namespace.
    pub state: Option<StateId>,
    /// Absent if the text does not tell.
    pub verdict: Option<Verdict>,
    /// Whether the failed InstallPlan is to run again after what is to be done first.
    pub runs_again: bool,
    meaning: &'static str,
    /// What to do first; empty if nothing is to be done.
    first: &'static str,
    /// What does harm; empty if nothing special.
    never: &'static str,
}

impl Entry {
    pub(crate) const fn of_text(
        verdict: Option<Verdict>,
        meaning: &'static str,
        first: &'static str,
        never: &'static str,
    ) -> Self {
        Self { state: None, verdict, runs_again: false, meaning, first, never }
    }

    pub(crate) const fn of_state(
        state: StateId,
        meaning: &'static str,
        first: &'static str,
        never: &'static str,
    ) -> Self {
        Self { state: Some(state), verdict: Some(state.verdict()), runs_again: false, meaning, first, never }
    }

    pub(crate) const fn that_runs_again(mut self) -> Self {
        self.runs_again = true;
        self
    }

    /// What it means, with these values for the names.
    #[must_use]
    pub fn meaning(&self, value: impl Fn(&str) -> Option<String>) -> String {
        filled(self.meaning, &value, &value)
    }

    /// What to do first.
    #[must_use]
    pub fn first(&self, value: impl Fn(&str) -> Option<String>) -> Option<String> {
        let then = if self.runs_again { RUN_AGAIN } else { "" };
        Some(filled(self.first, &value, &value) + then).filter(|text| !text.is_empty())
    }

    /// What does harm.
    #[must_use]
    pub fn never(&self, value: impl Fn(&str) -> Option<String>) -> Option<String> {
        Some(filled(self.never, &value, &value)).filter(|text| !text.is_empty())
    }

    /// The same for objects that are not known: their names are in capitals.
    #[must_use]
    pub(crate) fn in_general(&self) -> [String; 3] {
        let capital = |name: &str| Some(format!("`{}`", name.to_uppercase()));
        [self.meaning, self.first, self.never].map(|text| filled(text, &|_| None, &capital))
    }

    #[cfg(test)]
    pub(crate) const fn texts(&self) -> [&'static str; 3] {
        [self.meaning, self.first, self.never]
    }
}

/// A text with values: `optional` for names in brackets, `value` for all others.
fn filled(text: &str, optional: &impl Fn(&str) -> Option<String>, value: &impl Fn(&str) -> Option<String>) -> String {
    let known = |name: &str| optional(name).filter(|value| !value.is_empty());
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, part)) = rest.split_once('[') {
        // A bracket without an end is part of the text.
        let Some((part, after)) = part.split_once(']') else { break };
        whole.push_str(&named(before, value).unwrap_or_default());
        whole.push_str(&part.split('|').find_map(|alternative| named(alternative, &known)).unwrap_or_default());
        rest = after;
    }
    whole + &named(rest, value).unwrap_or_default()
}

/// A text with the values of its names; `None` if one is not known.
fn named(text: &str, value: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut parts = text.split('{');
    let mut whole = parts.next()?.to_owned();
    for part in parts {
        let (name, after) = part.split_once('}')?;
        whole.push_str(&value(name)?);
        whole.push_str(after);
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_whose_names_are_not_known_are_left_out() {
        let text = "[{a} and {b}|{a}|nobody] waits[ for {c}].";
        let with = |known: &[&str]| {
            let value = |name: &str| known.contains(&name).then(|| name.to_uppercase());
            filled(text, &value, &value)
        };
        assert_eq!(with(&["a", "b", "c"]), "A and B waits for C.");
        assert_eq!(with(&["a", "c"]), "A waits for C.");
        assert_eq!(with(&["b"]), "nobody waits.");
    }
}
