//! From which installed versions OLM comes to the heads of channels, and how it comes from one version to another.

use crate::{EntryKey, Place, ReasonView};
use serde::{Deserialize, Serialize};

/// The table of a package: what becomes of each version that may be installed, in each channel. It comes in parts, some
/// channels at a time; all parts have the same rows, and only the first one brings them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReachView {
    /// The newest first; empty in all parts but the first.
    pub rows: Vec<ReachRow>,
    /// How many older versions were left out.
    pub omitted: u32,
    /// The next channels.
    pub columns: Vec<ReachColumn>,
    /// How many channels there are in all.
    pub total: u32,
}

/// A version that may be installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachRow {
    /// The name of its CSV.
    pub name: String,
    /// The version, or the name if there is none or another row has the same.
    pub label: String,
    /// Whether the catalog has a bundle of the name.
    pub bundle: bool,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachColumn {
    /// Its name.
    pub channel: String,
    /// Whether it is the default channel.
    pub default: bool,
    /// The row of its head.
    pub head: Option<u32>,
    /// Why OLM finds no order in it, in OLM's words; it has no cells then.
    pub problem: Option<String>,
    /// One a row, packed; see [`ReachColumn::cell`].
    pub cells: Vec<u32>,
}

/// What becomes of a version in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachCell {
    /// So many updates are made, at most 4095.
    pub hops: u32,
    /// The row where they end, at most 4095.
    pub end: u32,
    /// Why they end there.
    pub halt: Halt,
    /// Whether the channel lists the version.
    pub listed: bool,
}

/// Why OLM makes no further update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Halt {
    /// It is the head of the channel.
    Head,
    /// It is newer than the head, and nothing of the channel follows it.
    Newer,
    /// It is an entry of the channel, but none that OLM chooses from follows it.
    Stranded,
    /// It is no entry of the channel, and none follows it.
    Uncovered,
    /// Updates lead in a circle.
    Circle,
}

/// Bits of a row or of a number of hops.
const BITS: u32 = 12;
const MASK: u32 = (1 << BITS) - 1;

impl ReachCell {
    /// The most rows that a table can have.
    pub const ROWS: usize = MASK as usize + 1;

    /// As one number, which travels faster.
    #[must_use]
    pub fn packed(self) -> u32 {
        let halt = match self.halt {
            Halt::Head => 0,
            Halt::Newer => 1,
            Halt::Stranded => 2,
            Halt::Uncovered => 3,
            Halt::Circle => 4,
        };
        self.hops.min(MASK) | self.end.min(MASK) << BITS | halt << (2 * BITS) | u32::from(self.listed) << 31
    }

    fn unpacked(cell: u32) -> Self {
        let halt = match cell >> (2 * BITS) & 7 {
            0 => Halt::Head,
            1 => Halt::Newer,
            2 => Halt::Stranded,
            3 => Halt::Uncovered,
            _ => Halt::Circle,
        };
        Self { hops: cell & MASK, end: cell >> BITS & MASK, halt, listed: cell >> 31 == 1 }
    }
}

impl ReachColumn {
    /// The cell of a row; none where OLM finds no order.
    #[must_use]
    pub fn cell(&self, row: usize) -> Option<ReachCell> {
        self.cells.get(row).copied().map(ReachCell::unpacked)
    }
}

/// How OLM comes from an installed version to an entry, or why it does not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WayView {
    /// The answer in a sentence; names are in backticks.
    pub title: String,
    /// Whether OLM comes there.
    pub arrives: bool,
    /// What OLM does with a Subscription to the channel of the entry, from the installed version on, until it comes there
    /// or nothing follows.
    pub olm: Vec<HopView>,
    /// Why it does not come there, and what would mend it.
    pub because: Vec<ReasonView>,
    /// The fewest updates along the fields of the channel; only where OLM makes others.
    pub fewest: Option<Vec<HopView>>,
    /// What OLM does if the Subscription changes its channel on the way; only where it does not come there otherwise.
    pub detour: Option<Vec<HopView>>,
}

/// One update.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HopView {
    /// The name of what is installed before it.
    pub from: String,
    /// What it updates to.
    pub to: EntryKey,
    /// The version of that, else its name.
    pub label: String,
    /// The field that allows it: `replaces`, `skips` or `skipRange`.
    pub via: String,
    /// Why, a sentence; names are in backticks.
    pub because: String,
    /// Where the field stands.
    pub place: Place,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_out_as_they_were_packed() {
        for halt in [Halt::Head, Halt::Newer, Halt::Stranded, Halt::Uncovered, Halt::Circle] {
            for (hops, end, listed) in [(0, 4095, true), (4095, 0, false), (17, 1000, true)] {
                let cell = ReachCell { hops, end, halt, listed };
                assert_eq!(ReachCell::unpacked(cell.packed()), cell);
            }
        }
    }
}
