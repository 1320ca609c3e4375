//! The palette: a field to search in, and its results to pick from; the actions below them are in `commands`. Imports
//! no functions.

use super::Shared;
use views::{SearchGroup, SearchHit, SearchKind, SearchView};

/// The palette, while its dialog is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    /// What becomes of the result that is picked.
    pub purpose: PalettePurpose,
    /// The text of the field.
    pub text: String,
    /// How many results of a kind are requested, if the user wants more of one.
    pub more: Option<(SearchKind, u32)>,
    /// The results, once the worker has answered. They stay until those for another text arrive.
    pub found: Option<Shared<SearchView>>,
    /// The item that Enter picks, counted over all groups.
    pub active: usize,
    /// Whether Enter was pressed before the results arrived: the first one is picked as soon as it is there.
    pub picks_first: bool,
}

/// What becomes of the result that is picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PalettePurpose {
    /// It is shown.
    #[default]
    Open,
    /// It is the end of a path from the selected entry.
    Path,
}

/// An item of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PaletteItem<'p> {
    /// A result.
    Hit(&'p SearchHit),
    /// More results of a kind; the number of those that are listed.
    More(SearchKind, usize),
}

impl Palette {
    /// The items of all groups, in the order of the arrow keys.
    pub fn items(&self) -> impl Iterator<Item = PaletteItem<'_>> {
        self.found.iter().flat_map(|found| &found.groups).flat_map(group_items)
    }
}

pub fn group_items(group: &SearchGroup) -> impl Iterator<Item = PaletteItem<'_>> {
    let more = (group.more > 0).then_some(PaletteItem::More(group.kind, group.hits.len()));
    group.hits.iter().map(PaletteItem::Hit).chain(more)
}

/// What the user did in the palette.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteAction {
    Opened(PalettePurpose),
    /// The text was changed.
    Typed(String),
    /// An arrow key was pressed.
    Stepped(Direction),
    Entered,
    /// An item was picked, by its number over all groups.
    Picked(usize),
}

/// Backwards or forwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the one before.
    Earlier,
    /// To the one after.
    Later,
}
