//! Propositional satisfiability: formulas whose constraints carry reasons, solutions found choice by choice, and
//! minimal unsatisfiable cores. Knows nothing of catalogs; no other crate names the solver behind it.
//!
//! splr, a CDCL solver, decides whether a formula that unit propagation leaves open has a model, and refutes every minimal
//! core. Only formulas with very long at-most-one constraints, which it simplifies slowly, are put to the bounded search first. It
//! has to be loaded again for each question, so cheaper methods move from its first model to the next ones and cut
//! cores: the current model, unit propagation, and a bounded search without clause learning. [`Tally`] counts the answers of
//! each method, and a [`Budget`] bounds the work of all of them.
//!
//! ```
//! use sat::{Cnf, Part, PartialSolution, Role, Tally, minimal_core};
//!
//! let mut cnf = Cnf::default();
//! let (operator, library) = (cnf.add_var(), cnf.add_var());
//! cnf.add_clause([operator.positive()], "subscribed");
//! cnf.add_clause([operator.negative(), library.positive()], "requires the library");
//!
//! let tally = Tally::default();
//! let mut solution = PartialSolution::new(&cnf, &tally).unwrap().expect("the formula has a model");
//! assert_eq!(solution.is_possible(library.positive()), Ok(true));
//! assert_eq!(solution.is_possible(library.negative()), Ok(false));
//!
//! cnf.add_clause([library.negative()], "not in any catalog");
//! assert_eq!(cnf.is_satisfiable(&tally), Ok(false));
//! let role = |reason| if reason == "subscribed" { Role::Deletable(0) } else { Role::Always };
//! assert_eq!(minimal_core(&cnf, role, &[], &[], None, &tally), Ok(Some(vec![Part::Rank(0)])));
//! ```

mod budget;
mod cnf;
mod core;
mod solution;
mod splr;
mod trail;

pub use crate::budget::Budget;
pub use crate::cnf::{Cnf, Lit, Var};
pub use crate::core::{Part, Role, minimal_core};
pub use crate::solution::{Bound, Model, PartialSolution, Tally};
