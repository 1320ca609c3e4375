//! The built command: what it prints, what it reads and how it ends.

mod command;
mod inputs;
mod names;
