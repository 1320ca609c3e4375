//! The arrangement of the regions, as the user chose it. Calls `compare` and `source`.

use super::action::CompareAction;
use super::{Effect, State, Tab, compare, source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use views::Presence;

/// The arrangement of the regions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Whether the graph and the source are shown side by side; unless the user chose, a wide page shows both in the
    /// tab of the source.
    pub split: Option<bool>,
    /// The sizes of regions whose boundaries were moved, in CSS pixels.
    pub sizes: BTreeMap<Boundary, u32>,
}

/// A boundary that the user can move, by the region whose size it determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Boundary {
    Packages,
    Details,
    /// The simulation on a very wide screen, where it is beside the package.
    Simulation,
    /// The source beside the graph.
    Source,
}

impl Boundary {
    pub const ALL: [Self; 4] = [Self::Packages, Self::Details, Self::Simulation, Self::Source];

    /// The id of the region's element, and the end of the name of the style sheet's variable.
    #[must_use]
    pub const fn region(self) -> &'static str {
        match self {
            Self::Packages => "packages",
            Self::Details => "details",
            Self::Simulation => "simulation",
            Self::Source => "source",
        }
    }
}

/// What the user did to the arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutAction {
    /// A boundary was moved, which gives its region a size in CSS pixels; or reset to where the style sheet has it.
    BoundaryMoved { boundary: Boundary, size: Option<u32> },
    /// Graph and source were put side by side, or apart.
    SplitSwitched { on: bool },
    /// Only the headline and the drawing are shown, or everything again.
    Presented { on: bool },
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: LayoutAction) {
    match action {
        LayoutAction::BoundaryMoved { boundary, size } => {
            match size {
                Some(size) => state.layout.sizes.insert(boundary, size),
                None => state.layout.sizes.remove(&boundary),
            };
            effects.push(Effect::ApplySizes(state.layout.sizes.clone()));
        }
        LayoutAction::Presented { on } => {
            if on && state.tab == Tab::Compare && state.compare.drawing.is_some() {
                compare::handle(state, effects, CompareAction::GraphShown(Some(Presence::Both)));
            }
            state.is_presenting = on && state.selection.package.is_some();
            if state.is_presenting {
                state.tab = Tab::Graph;
            }
        }
        LayoutAction::SplitSwitched { on } => {
            state.layout.split = Some(on);
            if on && !state.shows_both() {
                state.tab = Tab::Graph;
            }
            if on {
                source::chosen(state, effects);
            }
        }
    }
}
