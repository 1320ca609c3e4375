//! Findings beyond `opm`: what it accepts and what is still not what was meant, or what OLM cannot use.
//!
//! [`check`] judges a catalog by itself, [`check_together`] what depends on all loaded catalogs, and [`silence()`] takes out
//! what comments in the text switch off. No finding from here stands for an error of `opm`. What only takes the replaces
//! chain is in `catalog`, what a skipRange prunes in `update-graph`.
//!
//! ```
//! use catalog::{ParsedFile, lower};
//! use lint::{Input, check, ignored, silence};
//! use source::FileId;
//!
//! let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.1.0, replaces: p.v1.0.0, skipRange: '~1.x'}\n- name: p.v1.0.0\n";
//! let parse = fbc::parse(FileId(0), text);
//! let files = [ParsedFile { text, parse: &parse }];
//! let (catalog, _) = lower(&files);
//! let found = check(Input { catalog: &catalog, files: &files }, &Default::default());
//! assert_eq!(found[0].rule.id(), "misread-range");
//! assert_eq!(silence(&ignored(FileId(0), text), found).len(), 1);
//! ```

mod demand;
mod input;
mod lane;
mod matching;
mod operator;
mod reading;
mod rules;
mod silence;
mod supply;
#[cfg(test)]
mod testing;
mod together;
mod written;

pub use input::Input;
pub use reading::{Reading, read};
pub use rules::check;
pub use silence::{Ignored, ignored, silence};
pub use together::check_together;
