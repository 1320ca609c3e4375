//! Opscope as a value: catalogs in, answers out.
//!
//! [`Workbench`] holds the inputs and what follows from each of them (parsed files, models, findings); every query is a
//! function of that. It knows no clock, no thread, no browser and no terminal; the worker and the command line put the
//! same questions to it.

mod analysis;
mod attached_files;
mod document_index;
mod file;
mod ignore;
mod input;
mod load;
mod queries;
mod share;
mod split_manifests;
mod templates;
#[cfg(test)]
mod testing;

pub use analysis::{Analysis, Finding};
pub use document_index::FindingSubject;
pub use file::{FileInput, NewText};
pub use input::{AttachedFiles, CatalogInput, Workbench};
pub use load::Loading;
pub use queries::{examples, goes_round};
pub use share::{
    SESSION_FORMAT, Session, SessionCatalog, decode_base64_text, link_length, open_session_file, open_session_link,
    session_file, session_link,
};
pub use split_manifests::{SplitText, split_manifests};
