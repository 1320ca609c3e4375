//! Opscope as a value: catalogs in, answers out.
//!
//! [`Workbench`] holds the inputs and what follows from each of them (parsed files, models, findings); every query is a
//! function of that. It knows no clock, no thread, no browser and no terminal; the worker and the command line put the
//! same questions to it.

mod arrival;
mod beside;
mod build;
mod expand;
mod file;
mod ignore;
mod input;
mod load;
mod places;
mod queries;
mod share;
#[cfg(test)]
mod testing;

pub use arrival::{Arrival, sort_out};
pub use build::{Built, Found};
pub use file::{FileInput, NewText};
pub use input::{Adopted, CatalogInput, Workbench};
pub use load::Loading;
pub use places::Subject;
pub use queries::{examples, goes_round};
pub use share::{
    SESSION_FORMAT, Session, SessionCatalog, decode_base64_text, link_length, open_session_file, open_session_link,
    session_file, session_link,
};
