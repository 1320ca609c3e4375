//! The channel map of a package: to which channels a Subscription can switch when it is at the head of its own.

use crate::ChannelSwitch;
use serde::{Deserialize, Serialize};

/// Channels, and the switches between them that OLM follows to the head of the other channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelMapView {
    /// The one with the newest head first; channels that OLM cannot order last.
    pub channels: Vec<MapChannel>,
    /// Sorted by the channel before the switch, then by the channel after it.
    pub switches: Vec<ChannelSwitch>,
    /// How many channels are left out: those with the oldest heads.
    pub omitted: u32,
}

/// A channel of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapChannel {
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    /// Whether `olm.deprecations` names it.
    pub deprecated: bool,
    /// Its head; absent if OLM cannot order it.
    pub head: Option<MapHead>,
    /// Why OLM cannot order it, in OLM's own words.
    pub problem: Option<String>,
    /// Whether no switch leads on from its head, although another channel has a newer one.
    pub dead_end: bool,
}

/// The head of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapHead {
    pub name: String,
    /// Its version, else its name.
    pub label: String,
}
