//! Makes the channels, their edges and the default channel (`generateChannels`, `linkChannels`).

use super::bundles::Member;
use super::read::Template;
use super::stream::{Archetype, StreamType};
use crate::budget::{Budget, TooLarge};
use crate::{Channel, Entry};
use go_semver::blang::Version;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The bytes of an entry without its names.
const ENTRY_BYTES: usize = 64;

/// The channels, sorted by name, and which of them is the default.
#[derive(Debug)]
pub(super) struct Channels {
    pub(super) channels: Vec<Channel>,
    /// Empty when no channel rises above the first mark.
    pub(super) default_channel: Box<str>,
}

/// Makes the channels. The bundles of each archetype have distinct, ascending versions.
pub(super) fn channels(
    template: &Template,
    package: &str,
    members: &[Vec<Member<'_>>; 3],
    budget: &mut Budget,
) -> Result<Channels, TooLarge> {
    let mut channels: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let mut mark = HighWater::start();
    for (archetype, members) in Archetype::ALL.into_iter().zip(members) {
        for &stream in &template.streams {
            // opm never links major versions, archetypes or types of channels with each other.
            for major in members.chunk_by(|one, other| one.version.major() == other.version.major()) {
                for (member, entry) in major.iter().zip(linked(major, budget)?) {
                    let name = channel_name(archetype, stream, &member.version);
                    let entries = channels.entry(name.clone()).or_insert_with(|| {
                        mark.rise(
                            HighWater { archetype, version: &member.version, stream: Some(stream), name },
                            template,
                        );
                        Vec::new()
                    });
                    entries.push(entry);
                }
            }
        }
    }
    let default_channel = mark.name.into();
    let channel =
        |(name, entries): (String, Vec<Entry>)| Channel { name: name.into(), package: package.into(), entries };
    Ok(Channels { channels: channels.into_iter().map(channel).collect(), default_channel })
}

fn channel_name(archetype: Archetype, stream: StreamType, version: &Version) -> String {
    let (archetype, major) = (archetype.name(), version.major());
    match stream {
        StreamType::Major => format!("{archetype}-v{major}"),
        StreamType::Minor => format!("{archetype}-v{major}.{}", version.minor()),
    }
}

/// The entries of one major version. The highest of each minor version replaces the highest of the one before and skips
/// everything else below it; the others have no edges. Edges go from channel to channel where each is of one minor
/// version.
fn linked(members: &[Member<'_>], budget: &mut Budget) -> Result<Vec<Entry>, TooLarge> {
    let mut entries: Vec<Entry> = Vec::with_capacity(members.len());
    let mut previous: Option<&str> = None;
    let mut below = 0;
    for minor in members.chunk_by(|one, other| one.version.minor() == other.version.minor()) {
        let Some((head, others)) = minor.split_last() else { continue };
        let first = entries.len();
        entries.extend(others.iter().map(|member| Entry { name: member.name.into(), ..Entry::default() }));
        below += others.iter().map(|member| member.name.len() + ENTRY_BYTES).sum::<usize>();
        budget.spend(below + head.name.len() + ENTRY_BYTES)?;
        let lower = members[..first + others.len()].iter().map(|member| member.name);
        let mut skips: Vec<Box<str>> = lower.filter(|name| Some(*name) != previous).map(Into::into).collect();
        skips.sort();
        let replaces = previous.map(Into::into);
        entries.push(Entry { name: head.name.into(), replaces, skips, skip_range: None });
        below += head.name.len() + ENTRY_BYTES;
        previous = Some(head.name);
    }
    Ok(entries)
}

/// The best channel so far. `opm` compares a channel when it makes it, that is, by its lowest bundle.
struct HighWater<'a> {
    archetype: Archetype,
    version: &'a Version,
    /// Absent before the first channel.
    stream: Option<StreamType>,
    name: String,
}

/// The mark that the first channel has to exceed. A lone `0.0.0-alpha` does not, and leaves no default channel.
static START: Version = Version::new(0, 0, 0);

impl<'a> HighWater<'a> {
    fn start() -> Self {
        Self { archetype: Archetype::Candidate, version: &START, stream: None, name: String::new() }
    }

    fn rise(&mut self, candidate: Self, template: &Template) {
        if candidate.order(self, template.preference) == Ordering::Greater {
            *self = candidate;
        }
    }

    /// Archetype, then version, then the preferred kind of channel, then minor before major.
    fn order(&self, other: &Self, preference: StreamType) -> Ordering {
        let by_stream = |mark: &Self| (mark.stream == Some(preference), mark.stream);
        let by_trust = self.archetype.cmp(&other.archetype).then_with(|| self.version.cmp(other.version));
        by_trust.then_with(|| by_stream(self).cmp(&by_stream(other)))
    }
}
