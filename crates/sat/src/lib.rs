//! Propositional satisfiability: formulas whose clauses remember why they exist, queries under assumptions, and
//! minimal unsatisfiable cores. Knows nothing of catalogs; no other crate names the solver behind it.
//!
//! ```
//! use sat::{Cnf, Core, Session, Verdict, minimal_core};
//!
//! let mut cnf = Cnf::new();
//! let (operator, library) = (cnf.add_var(), cnf.add_var());
//! cnf.add_clause([operator.positive()], "subscribed");
//! cnf.add_clause([operator.negative(), library.positive()], "requires the library");
//!
//! let Verdict::Satisfiable(model) = Session::new(&cnf).solve(&[]) else { unreachable!() };
//! assert!(model.value(library));
//! assert_eq!(Session::new(&cnf).solve(&[library.negative()]), Verdict::Unsatisfiable);
//!
//! cnf.add_clause([library.negative()], "not in any catalog");
//! let reasons = ["subscribed", "requires the library", "not in any catalog"];
//! assert_eq!(minimal_core(&cnf, &reasons), Core::Minimal(reasons.to_vec()));
//! ```

mod amo;
mod backend;
mod brute;
mod cnf;
mod core;
mod lit;
mod network;
mod residue;
mod search;
mod session;
mod splr;
mod trail;

pub use crate::backend::{Backend, Bound, Model, Verdict};
pub use crate::brute::BruteForce;
pub use crate::cnf::{AtMostOne, Clause, Cnf};
pub use crate::core::{Core, Cores, Part, Standing, minimal_core};
pub use crate::lit::{Lit, Var};
pub use crate::session::{Descent, Session};
pub use crate::splr::Splr;
