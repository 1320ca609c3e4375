//! Releases, removals and deprecations as edits of what a maintainer keeps: a catalog, or a template of one.
//!
//! A [`Policy`] says which edges a new version gets in a channel ([`release()`]); [`removal()`] takes a version out and keeps every
//! installed version on a path. Both give a [`ChannelEdit`](update_graph::ChannelEdit), which [`Authored`] writes into the text, in
//! its style. What a source form has no place for is a [`Refusal`].

mod authored;
mod diff;
mod intent;
mod policy;
mod refusal;
mod removal;

pub use authored::{AppliedText, Authored, Form, NewBlob, SEMVER_LISTS, tag_version};
pub use diff::{diff, diff_of_edits, patch};
pub use intent::{Intent, ListItem};
pub use policy::{Policy, Release, TemplateRelease, release, release_config};
pub use refusal::{Advice, Reason, Refusal};
pub use removal::removal;
