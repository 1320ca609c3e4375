//! Changes of catalogs that are offered as fixes: what they mean crosses to the page, and the text is made when one is chosen.

use crate::authoring::{Author, Authoring, PackageText, Written};
use crate::side::Side;
use crate::write_edits::{WrittenFile, edit_view, refused};
use crate::{CatalogInput, Workbench};
use bundle::Document;
use catalog::BundleName;
use compare::{Level, Levels};
use fbc::Rewriter;
use release::{Intent, Reason, Refusal};
use source::{FileId, Rewrite, Span};
use update_graph::{Change, ChannelEdit, Edit, NewEntry, PackageEdit};
use views::{
    AddedEntry, CatalogChange, CatalogId, ChannelEditView, EditView, FileEdit, FileKey, InputEdit, Kept, SideKey,
    WrittenCatalog, WrittenFileView, headed_diff,
};

/// The edits of texts that make changes, and what these mean.
#[derive(Default)]
struct Made<'c> {
    edits: Vec<FileEdit>,
    channels: Vec<(&'c str, ChannelEdit)>,
    documents: Vec<Document>,
    gone: Vec<[String; 3]>,
    rewrites: Vec<Rewrite>,
    ranges: Vec<[&'c str; 4]>,
}

impl Workbench {
    /// Makes changes that were offered together.
    ///
    /// # Errors
    ///
    /// Why the text does not change, and what to do.
    pub(crate) fn make_offered(
        &mut self,
        id: CatalogId,
        title: &str,
        changes: &[CatalogChange],
    ) -> Result<Written, Refusal> {
        let catalog = self.catalog(id).ok_or_else(gone)?;
        let mut made = Made::default();
        for change in changes {
            self.make(catalog, title, change, &mut made)?;
        }
        let intent = Intent {
            channels: made.channels.iter().map(|(package, edit)| (*package, edit)).collect(),
            documents: made.documents,
            gone: made.gone,
            rewrites: &made.rewrites,
            ranges: made.ranges,
            ..Intent::default()
        };
        let files = self.write_edits(id, &intent, &made.edits, true)?;
        Ok(Written { channels: made.channels.into_iter().map(|(_, edit)| edit).collect(), lists: Vec::new(), files })
    }

    fn make<'c>(
        &self,
        catalog: &CatalogInput,
        title: &str,
        change: &'c CatalogChange,
        made: &mut Made<'c>,
    ) -> Result<(), Refusal> {
        match change {
            CatalogChange::QuickFix { file, rule, start, end } => {
                let span = Span::new(FileId(file.0), *start, *end);
                let mut found = catalog.analysis.findings.iter().map(|found| &found.diagnostic);
                let fix = found.find_map(|finding| {
                    let fixes = (finding.span == span && finding.rule.id() == rule).then_some(&finding.fixes);
                    fixes?.iter().find(|fix| fix.title == title)
                });
                let fix = fix.ok_or_else(gone)?;
                let file = fix.changes.first().and_then(|change| catalog.file(FileKey(change.span().file.0)));
                let file = file.filter(|file| file.is_editable()).ok_or_else(gone)?;
                let splices = Rewriter::new(&file.text, &file.parse().docs).edits(&fix.changes).ok_or_else(gone)?;
                made.edits.push(FileEdit { file: file.key, splices });
                made.rewrites.extend(fix.changes.iter().cloned());
            }
            CatalogChange::Entries { package, channel, edits } => {
                let author = Author { catalog, package };
                let edit = ChannelEdit::of(
                    &(&**channel).into(),
                    edits.iter().map(edit).collect::<Option<_>>().ok_or_else(gone)?,
                );
                let (file, text) =
                    author.edited_channel(author.model()?.channel(channel).ok_or_else(gone)?, &edit, None)?;
                made.edits.push(FileEdit { file, splices: text.edits });
                made.channels.push((package, edit));
            }
            CatalogChange::Range { package, bundle, required, from, to } => {
                let author = Author { catalog, package };
                let found = author.model()?.bundle(bundle).ok_or_else(gone)?;
                made.edits.push(author.requirement(found.span, required, [from, to])?);
                made.ranges.push([bundle, required, from, to]);
            }
            CatalogChange::Kept { package, before, what } => {
                let before =
                    Side { input: self.catalog(before.catalog).ok_or_else(gone)?, is_opened: before.is_opened };
                let old = before.catalog().package(package).ok_or_else(gone)?;
                let edit = kept(what);
                let PackageText { edits, documents, gone } =
                    Author { catalog, package }.package_edit(before, old, &edit)?;
                if let Kept::Entries { channel, names } = what {
                    let names: Vec<BundleName> = names.iter().map(|name| BundleName::from(&**name)).collect();
                    let edit = old.channel(channel).map(|channel| PackageEdit::restored(channel, &names));
                    made.channels.extend(edit.map(|edit| (&**package, edit)));
                }
                made.edits.extend(edits);
                made.documents.extend(documents);
                made.gone.extend(gone);
            }
        }
        Ok(())
    }
}

fn gone() -> Refusal {
    Refusal::new(Reason::Missing, "the text is another one than when this was offered", "look at the new findings")
}

/// Changes as an offer. Edits of one channel are one change.
pub fn offered_edit(catalog: CatalogId, changes: impl IntoIterator<Item = CatalogChange>) -> InputEdit {
    let mut joined: Vec<CatalogChange> = Vec::new();
    for change in changes {
        match (joined.last_mut(), change) {
            (
                Some(CatalogChange::Entries { package, channel, edits }),
                CatalogChange::Entries { package: same, channel: same_channel, edits: more },
            ) if *package == same && *channel == same_channel => edits.extend(more),
            (Some(last), change) if *last == change => {}
            (_, change) => joined.push(change),
        }
    }
    InputEdit::Catalog { catalog, changes: joined }
}

/// Edits of a channel's entries as an offer.
pub fn entries_change(package: &str, channel: &str, edits: &[Edit]) -> CatalogChange {
    let edits = edits.iter().map(|edit| edit_view(edit, None)).collect();
    CatalogChange::Entries { package: package.to_owned(), channel: channel.to_owned(), edits }
}

fn edit(EditView { edit, entry, value, .. }: &EditView) -> Option<Edit> {
    Some(Edit { entry: BundleName::from(&**entry), change: Change::of(edit, value.as_deref())? })
}

/// An edit of a package that was changed as an offer.
pub fn package_change(package: &str, before: Side<'_>, edit: &PackageEdit) -> CatalogChange {
    let what = match edit {
        PackageEdit::Entries(edit) => return entries_change(package, edit.channel.as_str(), &edit.edits),
        PackageEdit::Restore { channel, names } => {
            Kept::Entries { channel: channel.to_string(), names: names.iter().map(ToString::to_string).collect() }
        }
        PackageEdit::KeepChannel(channel) => Kept::Channel(channel.to_string()),
        PackageEdit::KeepPackage => Kept::Package,
    };
    let before = SideKey { catalog: before.input.id, is_opened: before.is_opened };
    CatalogChange::Kept { package: package.to_owned(), before, what }
}

fn kept(what: &Kept) -> PackageEdit {
    match what {
        Kept::Entries { channel, names } => PackageEdit::Restore {
            channel: (&**channel).into(),
            names: names.iter().map(|name| BundleName::from(&**name)).collect(),
        },
        Kept::Channel(channel) => PackageEdit::KeepChannel((&**channel).into()),
        Kept::Package => PackageEdit::KeepPackage,
    }
}

/// The place of a finding, by which its quick fixes are found again.
pub fn quick_fix(finding: &source::Diagnostic) -> CatalogChange {
    let Span { file, start, end } = finding.span;
    CatalogChange::QuickFix { file: FileKey(file.0), rule: finding.rule.id().to_owned(), start, end }
}

// What was written into a catalog, what becomes of installed versions, and both as the page and programs get it.

/// What was written into a catalog, or why nothing was, and what that does.
pub struct AuthoredCatalog {
    pub(crate) result: Result<Written, Refusal>,
    /// What becomes of installed versions, as sentences.
    effects: Vec<String>,
    worst: Option<Level>,
    /// That the catalog is ahead of its template, which is written into.
    outgrown: Option<String>,
}

impl From<Refusal> for AuthoredCatalog {
    fn from(refusal: Refusal) -> Self {
        Self { result: Err(refusal), effects: Vec::new(), worst: None, outgrown: None }
    }
}

impl AuthoredCatalog {
    pub(crate) fn channels(&self) -> impl Iterator<Item = &ChannelEdit> {
        self.result.iter().flat_map(|written| &written.channels)
    }

    /// The lists of an `olm.semver` template that got an image.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &String> {
        self.result.iter().flat_map(|written| &written.lists)
    }

    /// The channels that it makes, or that get something.
    pub fn channels_with(&self, is_new: bool) -> impl Iterator<Item = &str> {
        self.channels().filter(move |edit| edit.is_new == is_new).map(|edit| edit.channel.as_str())
    }

    /// Why a release is not for the catalog, if it does not have what the policy is about.
    #[must_use]
    pub fn not_for_it(&self) -> Option<&str> {
        self.result.as_ref().err().filter(|refusal| refusal.is_not_for_it).map(|refusal| &*refusal.sentence)
    }

    /// Whether it was written.
    #[must_use]
    pub const fn is_written(&self) -> bool {
        self.result.is_ok()
    }

    /// Why the catalog lacks the named version or channel, if it does.
    #[must_use]
    pub fn missing(&self) -> Option<&str> {
        self.result.as_ref().err().filter(|refusal| refusal.reason == Reason::Missing).map(|refusal| &*refusal.sentence)
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
            outgrown: self.outgrown.clone(),
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
        AuthoredCatalog { result, effects, worst, outgrown: self.outgrown(id) }
    }

    /// What the edits of a catalog since it was opened do to installed versions, as sentences, and the worst level of that. If
    /// it is a template, these are the versions of the catalog that is served. Of an
    /// `olm.semver` template also what cannot be said, because its channels are made of bundles that are not known.
    #[must_use]
    pub fn effects_of_edits(&self, id: CatalogId) -> (Vec<String>, Option<Level>) {
        let Some(catalog) = self.catalog(id) else { return (Vec::new(), None) };
        let levels = Levels::default();
        let comparison = self.comparison_of_edits(catalog, &levels);
        let texts = comparison
            .shown()
            .map(|found| format!("{}: {}", found.comparison.package, comparison.happens(found)))
            .chain(catalog.unknown_versions())
            .collect();
        let worst = comparison.packages.iter().filter_map(|found| comparison.worst(found)).max();
        (texts, worst)
    }
}
