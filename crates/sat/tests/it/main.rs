//! Formulas at the bounds of the solver, and properties of any formula.

mod corners;
mod properties;
