//! The built command: what it prints, what it reads and how it ends.

mod action;
mod archives;
mod cases;
#[cfg(unix)]
mod cluster;
mod command;
mod commands;
mod crd;
mod explain;
mod explain_message;
mod forms;
#[cfg(unix)]
mod found;
mod growth;
mod images;
mod inputs;
mod inventory;
mod limits;
#[cfg(unix)]
mod memory;
mod names;
mod open;
mod output;
#[cfg(unix)]
mod pasted;
mod readme;
mod revisions;
mod set;
mod solver_budget;
mod version;
mod writes;
