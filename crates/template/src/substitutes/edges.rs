//! The edges of a channel in which one bundle takes the place of another (`processSubstitution`).

use crate::budget::{Budget, TooLarge};
use crate::images::text_of;
use fbc::raw::{RawChannel, RawEntry, Text};
use source::Span;

/// Whether a substitution for `base` changes the channel.
pub(super) fn names(channel: &RawChannel, base: &str) -> bool {
    channel.entries.iter().any(|entry| is(entry.name.as_ref(), base) || skips(entry, base) || replaces(entry, base))
}

/// Lets the bundle `name` take the place of `base`; what is new has the place of the entry that it is made of.
///
/// The new entry gets the edges of `base`, and skips it. Of other entries, one that replaces `base` replaces `name` and skips
/// `base`; one that only skips `base` skips `name` instead.
pub(super) fn substitute(
    channel: &mut RawChannel,
    base: &str,
    name: &str,
    budget: &mut Budget,
) -> Result<(), TooLarge> {
    let text = |text: &str, place: Span| Text::new(text.into(), place);
    let written = channel.entries.len();
    for at in (0..written).rev().filter(|&at| is(channel.entries[at].name.as_ref(), base)).collect::<Vec<_>>() {
        let entry = &mut channel.entries[at];
        let span = entry.span;
        let mut skips = std::mem::take(&mut entry.skips);
        skips.push(text(base, span));
        budget.spend(size_of::<RawEntry>() + base.len() + name.len())?;
        let (replaces, skip_range) = (entry.replaces.take(), entry.skip_range.take());
        channel.entries.push(RawEntry { span, name: Some(text(name, span)), replaces, skips, skip_range });
    }
    for entry in &mut channel.entries[..written] {
        let replaces = replaces(entry, base);
        if replaces || skips(entry, base) {
            budget.spend(size_of::<Text>() + base.len() + name.len())?;
        }
        if replaces {
            entry.replaces = Some(text(name, entry.span));
            entry.skips.push(text(base, entry.span));
        } else if skips(entry, base) {
            entry.skips.push(text(name, entry.span));
            entry.skips.retain(|skip| *skip.value != *base);
        }
    }
    Ok(())
}

fn replaces(entry: &RawEntry, base: &str) -> bool {
    is(entry.replaces.as_ref(), base)
}

fn skips(entry: &RawEntry, base: &str) -> bool {
    entry.skips.iter().any(|skip| *skip.value == *base)
}

fn is(text: Option<&Text>, name: &str) -> bool {
    text_of(text) == name
}
