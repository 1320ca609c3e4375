//! Layouts of graphs.

mod layout;
