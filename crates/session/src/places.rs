//! Where places are, with the paths of files in their catalogs.

use crate::Workbench;
use report::{Places, Spot};
use views::Place;

impl Places for Workbench {
    fn spot(&self, place: Place) -> Option<Spot> {
        let (_, file) = self.file(place.file)?;
        Some(Spot { path: file.path.clone(), ..self.spot_without_path(place) })
    }
}

impl Workbench {
    /// A place from its first to its last character, in a file whose path the caller knows.
    #[must_use]
    pub fn spot_without_path(&self, place: Place) -> Spot {
        let start = (place.line, place.column);
        let found = self.file(place.file).map(|(_, file)| file.lines.position(&file.text, place.end));
        let end = found.map_or(start, |end| (end.line, end.column));
        Spot { start, end, ..Spot::default() }
    }
}
