//! Exports the update graph as text for other tools.

mod covered;
mod dot;
mod mermaid;

pub use dot::dot;
pub use mermaid::mermaid;
