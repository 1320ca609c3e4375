//! Repairs of channels.

mod properties;
mod text;
mod worked;
