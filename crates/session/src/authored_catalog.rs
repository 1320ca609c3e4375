//! What was written into a catalog, what becomes of installed versions, and both as the page and programs get it.

use crate::Workbench;
use crate::authoring::{Authoring, Written};
use crate::edit_views::{edit_view, refused};
use crate::side::Side;
use crate::write_edits::WrittenFile;
use catalog::BundleName;
use compare::{Comparison, Level, Levels, Scope};
use release::Refusal;
use update_graph::{ChannelEdit, NewEntry};
use views::{AddedEntry, CatalogId, ChannelEditView, WrittenCatalog, WrittenFileView, headed_diff};

/// What was written into a catalog, or why nothing was, and what that does.
pub struct AuthoredCatalog {
    pub(crate) result: Result<Written, Refusal>,
    /// What becomes of installed versions, as sentences.
    effects: Vec<String>,
    worst: Option<Level>,
}

impl From<Refusal> for AuthoredCatalog {
    fn from(refusal: Refusal) -> Self {
        Self { result: Err(refusal), effects: Vec::new(), worst: None }
    }
}

impl AuthoredCatalog {
    /// What changed in channels.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &ChannelEdit> {
        self.result.iter().flat_map(|written| &written.channels)
    }

    /// The lists of an `olm.semver` template that got an image.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &String> {
        self.result.iter().flat_map(|written| &written.lists)
    }

    /// Whether it was written.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        self.result.is_ok()
    }

    /// The files that changed.
    pub fn files(&self) -> impl Iterator<Item = &WrittenFile> {
        self.result.iter().flat_map(|written| &written.files)
    }

    /// The same as the page and programs get it, with the paths of files.
    pub fn view(&self, title: String, path: impl Fn(&WrittenFile) -> String) -> WrittenCatalog {
        let file = |file: &WrittenFile| WrittenFileView {
            path: path(file),
            diff: headed_diff(&path(file), &file.diff),
            expansion: file.expansion.clone(),
        };
        WrittenCatalog {
            title,
            channels: self.channels().map(channel_view).collect(),
            files: self.files().map(file).collect(),
            effects: self.effects.clone(),
            worst: self.worst,
            reason: self.result.as_ref().err().map(refused),
            ..WrittenCatalog::default()
        }
    }
}

fn channel_view(edit: &ChannelEdit) -> ChannelEditView {
    let names = |names: &[BundleName]| names.iter().map(ToString::to_string).collect();
    let added = |entry: &NewEntry| AddedEntry {
        name: entry.name.to_string(),
        replaces: entry.replaces.as_ref().map(ToString::to_string),
        skips: names(&entry.skips),
        skip_range: entry.skip_range.as_deref().map(str::to_owned),
        text: entry.edges(),
    };
    ChannelEditView {
        channel: edit.channel.to_string(),
        new: edit.is_new,
        added: edit.added.iter().map(added).collect(),
        edits: edit.edits.iter().map(|edit| edit_view(edit, None)).collect(),
        removed: names(&edit.removed),
    }
}

impl Workbench {
    /// Writes into a catalog as [`Workbench::author`], and says what becomes of installed versions.
    pub fn author_catalog(&mut self, id: CatalogId, what: &Authoring<'_>) -> AuthoredCatalog {
        let result = self.author(id, what);
        let (effects, worst) = self.effects_of_edits(id);
        AuthoredCatalog { result, effects, worst }
    }

    /// What the edits of a catalog since it was opened do to installed versions, as sentences, and the worst level of that. Of an
    /// `olm.semver` template also what cannot be said, because its channels are made of bundles that are not known.
    #[must_use]
    pub fn effects_of_edits(&self, id: CatalogId) -> (Vec<String>, Option<Level>) {
        let Some(catalog) = self.catalog(id) else { return (Vec::new(), None) };
        let levels = Levels::default();
        let comparison = Comparison::of(Side::opened(catalog), Side::present(catalog), &levels, Scope::default());
        let texts = comparison
            .shown()
            .map(|found| format!("{}: {}", found.comparison.package, comparison.happens(found)))
            .chain(catalog.unknown_versions())
            .collect();
        let worst = comparison.packages.iter().filter_map(|found| comparison.worst(found)).max();
        (texts, worst)
    }
}
