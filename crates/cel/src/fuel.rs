//! Bounds on evaluation: each step, each copied element and each eight bytes of text cost one unit of fuel, which bounds
//! time and memory together.

use std::fmt;

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
