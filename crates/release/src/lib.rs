//! Releases, removals and deprecations as edits of what a maintainer keeps: a catalog, or a template of one.
//!
//! A [`Policy`] says which edges a new version gets in a channel ([`release()`]); [`removal()`] takes a version out and keeps every
//! installed version on a path. Both give a [`ChannelEdit`], which [`Authored`] writes into the text, in its style. What a
//! source form has no place for is a [`repair::Refusal`].

mod authored;
mod channel_edit;
mod deprecation;
mod edges;
mod intent;
mod policy;
mod release_config;
mod removal;

pub use authored::{Authored, Form, NewBlob};
pub use channel_edit::{ChannelEdit, NewEntry, applied};
pub use deprecation::Deprecated;
pub use edges::{Release, release};
pub use intent::{Intent, NewItem};
pub use policy::Policy;
pub use release_config::{TemplateRelease, release_config};
pub use removal::removal;
