//! The built command: what it prints, what it reads and how it ends.

mod action;
mod answers;
mod archives;
mod author;
#[cfg(unix)]
mod cluster;
mod command;
mod commands;
mod crd;
mod explain;
mod growth;
mod inputs;
mod inventory;
mod names;
#[cfg(unix)]
mod pasted;
mod plan;
mod render;
mod repair;
mod revisions;
mod set;
mod solver_budget;
mod template;
mod validate;
mod writes;
