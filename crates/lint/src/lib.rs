//! Findings beyond `opm validate`: what `opm` accepts but is likely a mistake, or what OLM cannot use.
//!
//! [`check_package`] looks at one package, [`check_together`] at one catalog, [`check_across_catalogs`] at all loaded catalogs, and
//! [`apply_ignore_comments`] removes findings that comments in the text ignore. No finding from here stands for an error
//! of `opm`. Rules that need only the replaces chain are in `catalog`; what a skipRange prunes is in `update-graph`.
//!
//! ```
//! use catalog::{ParsedFile, lower};
//! use lint::{Input, ParsedFiles, apply_ignore_comments, check_package, ignore_comments};
//! use source::{FileId, Findings};
//!
//! let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.1.0, replaces: p.v1.0.0, skipRange: '~1.x'}\n- name: p.v1.0.0\n";
//! let parse = fbc::parse(FileId(0), text);
//! let files = ParsedFiles::from(vec![ParsedFile { text, parse: &parse }]);
//! let (catalog, _) = lower(&files);
//! let mut findings = Findings::default();
//! check_package(Input { catalog: &catalog, files: &files }, &catalog.packages[0], &mut findings);
//! let findings = findings.into_diagnostics();
//! assert_eq!(findings[0].rule.id(), "misread-range");
//! assert_eq!(apply_ignore_comments(&ignore_comments(FileId(0), text), findings, &[]).len(), 1);
//! ```

mod candidates;
mod ignore_comments;
mod index;
mod ranges;
mod rules;
#[cfg(test)]
mod testing;

pub use candidates::check_across_catalogs;
pub use ignore_comments::{IgnoreComment, apply_ignore_comments, ignore_comments};
pub use index::{Input, ParsedFiles};
pub use rules::{check_package, check_together};
