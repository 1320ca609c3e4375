//! The built command: what it prints, what it reads and how it ends.

mod action;
mod archives;
mod cases;
#[cfg(unix)]
mod cluster;
mod command;
mod forms;
mod growth;
mod images;
mod inputs;
mod limits;
#[cfg(unix)]
mod memory;
mod names;
mod open;
mod output;
#[cfg(unix)]
mod pasted;
mod readme;
mod reviews;
mod revisions;
mod schemas;
mod version;
mod writes;
