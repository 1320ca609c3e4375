//! Why a rule has no verdict: cel-go refuses it, its evaluation fails, or it takes more than the fuel that bounds it.

use std::fmt;

/// The most errors that cel-go's `common.Errors` shows.
const MAX_SHOWN: usize = 100;

/// Why cel-go refuses a rule; prints cel-go's own text, except for syntax errors.
///
/// cel-go's syntax errors are those of ANTLR, which depend on how its parser recovers from each of them: here only the
/// first one is reported, in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError(Box<str>);

/// An error of cel-go's parser or checker.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    /// Bytes from the start of the rule.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

impl CompileError {
    /// The first syntax error of a rule.
    pub(crate) fn syntax(rule: &str, offset: usize, message: &str) -> Self {
        let place = Place::of(rule, offset);
        let Place { line, column, .. } = place;
        let excerpt = place.excerpt();
        let text = format!("cel-go refuses the rule: syntax error at line {line}, column {column}: {message}{excerpt}");
        Self(text.into())
    }

    /// What cel-go's parser or checker reports, in the order of the places.
    pub(crate) fn reported(rule: &str, mut issues: Vec<Issue>) -> Self {
        issues.sort_by_key(|issue| issue.offset);
        let mut texts: Vec<String> = issues.iter().take(MAX_SHOWN).map(|issue| issue.text(rule)).collect();
        if issues.len() > MAX_SHOWN {
            texts.push(format!("{} more errors were truncated", issues.len() - MAX_SHOWN));
        }
        Self(texts.join("\n").into())
    }

    /// The rule exceeds one of cel-go's limits.
    pub(crate) fn limit(message: &str) -> Self {
        Self(format!("ERROR: <input>:-1:0: {message}").into())
    }

    /// The rule is well-typed, but its type is not bool.
    pub(crate) fn not_bool() -> Self {
        Self("cel expressions must have type Bool".into())
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CompileError {}

impl Issue {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }

    fn text(&self, rule: &str) -> String {
        let place = Place::of(rule, self.offset);
        format!("ERROR: <input>:{}:{}: {}{}", place.line, place.column, self.message, place.excerpt())
    }
}

/// A place in a rule; lines and columns count from 1, columns in characters.
struct Place<'r> {
    line: usize,
    column: usize,
    text: &'r str,
}

impl<'r> Place<'r> {
    fn of(rule: &'r str, offset: usize) -> Self {
        let start = rule[..offset].rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: rule[..start].matches('\n').count() + 1,
            column: rule[start..offset].chars().count() + 1,
            text: rule[start..].split('\n').next().unwrap_or_default(),
        }
    }

    /// The line and a pointer to the column below it, as cel-go prints them: wide where a character is not ASCII.
    fn excerpt(&self) -> String {
        let text = self.text.replace('\t', " ");
        let mut characters = text.chars();
        let before = characters.by_ref().take(self.column - 1);
        let mut pointer: String = before.map(|c| if c.is_ascii() { '.' } else { '．' }).collect();
        pointer.push(if characters.next().is_some_and(|c| !c.is_ascii()) { '＾' } else { '^' });
        format!("\n | {text}\n | {pointer}")
    }
}

// Bounds on evaluation: each step, each copied element and each eight bytes of text cost one unit of fuel, which bounds
// time and memory together.

/// The most fuel that one evaluation may use.
const MAX_EVALUATION: u64 = 500_000;

/// Fuel that evaluations share, in steps of some tens of nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fuel(u64);

impl Fuel {
    /// Fuel for a number of steps.
    #[must_use]
    pub const fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// The steps that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.0
    }
}

impl Default for Fuel {
    /// Enough for any one evaluation.
    fn default() -> Self {
        Self(MAX_EVALUATION)
    }
}

/// Why a rule has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// cel-go reports this error. OLM then takes the bundle not to match.
    Failed(Box<str>),
    /// The result in cel-go is not known.
    NotKnown(NotKnown),
}

/// Why a result is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotKnown {
    /// The evaluation, or the check before it, takes too many steps or too much memory.
    Exhausted,
    /// A function that splits or prints a timestamp or a duration.
    Function(&'static str),
    /// A regular expression with syntax that Go and regex-lite do not have in common.
    Pattern(Box<str>),
    /// A protobuf message that is not built here.
    Message(Box<str>),
}

impl fmt::Display for NotKnown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("takes too many steps"),
            Self::Function(name) => {
                write!(f, "uses the function `{name}` of a timestamp or duration, which is not supported")
            }
            Self::Pattern(pattern) => {
                write!(f, "uses the regular expression `{pattern}`, parts of which are not supported")
            }
            Self::Message(name) => write!(f, "builds a message `{name}`"),
        }
    }
}

/// Why an expression has no value.
pub(crate) type Failure = EvalError;

/// An error of cel-go with this text.
pub(crate) fn failed(text: impl Into<Box<str>>) -> Failure {
    EvalError::Failed(text.into())
}

/// The fuel of one evaluation.
pub(crate) struct Meter {
    left: u64,
}

impl Meter {
    /// Takes the fuel that one evaluation may use.
    pub(crate) fn start(fuel: &mut Fuel) -> Self {
        let left = fuel.0.min(MAX_EVALUATION);
        fuel.0 -= left;
        Self { left }
    }

    /// Gives back the fuel that was not used.
    pub(crate) fn stop(self, fuel: &mut Fuel) {
        fuel.0 += self.left;
    }

    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Failure> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(EvalError::NotKnown(NotKnown::Exhausted))
            }
        }
    }

    pub(crate) fn spend_bytes(&mut self, bytes: usize) -> Result<(), Failure> {
        self.spend(bytes as u64 / 8)
    }
}
