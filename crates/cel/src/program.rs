//! Rules that are compiled once and evaluated for many bundles.

use crate::ast::Expr;
use crate::check::{Checked, check};
use crate::error::CompileError;
use crate::eval::evaluate;
use crate::fuel::{EvalError, Fuel, NotKnown};
use crate::parse::parse;
use crate::value::Property;

/// A rule that cel-go accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Absent when the check was given up, because the types are too large.
    rule: Option<Expr>,
}

impl Program {
    /// Parses and checks a rule as OLM's `constraints.ValidateCelConstraint` does: it must be of type bool, exactly.
    ///
    /// # Errors
    /// When cel-go refuses the rule, with its text.
    pub fn compile(rule: &str) -> Result<Self, CompileError> {
        let parsed = parse(rule)?;
        match check(&parsed) {
            Checked::Bool => Ok(Self { rule: Some(parsed) }),
            Checked::Other => Err(CompileError::not_bool()),
            Checked::Faulty(issues) => Err(CompileError::reported(rule, issues)),
            Checked::TooComplex => Ok(Self { rule: None }),
        }
    }

    /// Evaluates the rule for a bundle with these properties.
    ///
    /// # Errors
    /// When cel-go reports an error, which OLM takes for `false`; and when the result in cel-go is not known.
    pub fn evaluate(&self, properties: &[Property<'_>], fuel: &mut Fuel) -> Result<bool, EvalError> {
        match &self.rule {
            Some(rule) => evaluate(rule, properties, fuel),
            None => Err(EvalError::NotKnown(NotKnown::Exhausted)),
        }
    }
}
