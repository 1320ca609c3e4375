//! The one way in which edits of texts are made: the texts are read again, and the edits taken back unless they changed exactly
//! what was meant.

use crate::{CatalogInput, FileInput, Workbench};
use bundle::Document;
use catalog::{BundleName, Channel, ChannelName, Entry, Package};
use go_semver::blang::Version;
use release::{Authored, Intent, ListItem, Reason, Refusal, diff};
use source::{FileId, Span, first_and_more, name_list};
use std::collections::{BTreeMap, BTreeSet};
use template::TemplateKind;
use update_graph::{Change, ChannelEdit, Edit, version_of};
use views::{CatalogId, EdgeGesture, EditView, FileEdit, FileKey, Gesture, Place, RefusedView, TextEdit};

/// The most entries that a refusal names.
const UNMEANT: usize = 3;

/// A file that changed.
#[derive(Clone, Debug)]
pub struct WrittenFile {
    pub key: FileKey,
    /// The text that it had.
    pub before: String,
    pub undo: FileEdit,
    /// The changed lines as a unified diff, without the lines that name files.
    pub diff: String,
    /// The same of what it expands to, if it is a template.
    pub expansion: Option<String>,
}

impl Workbench {
    /// Makes edits of the texts of a catalog, reads the result again, and takes the edits back unless it differs by exactly what is
    /// meant and `opm` accepts it, if it has to.
    pub fn write_edits(
        &mut self,
        id: CatalogId,
        intent: &Intent<'_>,
        edits: &[FileEdit],
        may_be_rejected: bool,
    ) -> Result<Vec<WrittenFile>, Refusal> {
        let gone = || Refusal::new(Reason::Missing, "the catalog is not open any more", "open it again");
        let edits = joined(edits);
        if edits.iter().any(|edit| !are_apart(&edit.splices)) {
            return Err(Refusal::changes_more([]));
        }
        let catalog = self.catalog(id).ok_or_else(gone)?;
        let edited: BTreeSet<FileKey> = edits.iter().map(|edit| edit.file).collect();
        let is_edited = |file: &&FileInput| {
            edited.contains(&file.key) || file.expanded_from.is_some_and(|template| edited.contains(&template))
        };
        let before: BTreeMap<FileKey, Before> =
            catalog.files.iter().filter(is_edited).map(|file| (file.key, Before::of(file))).collect();
        let listed = listed(catalog);
        let undo = self.edit_files(&edits);
        let catalog = self.catalog(id).ok_or_else(gone)?;
        let rejected = || {
            let (text, _) = catalog.why_rejected().filter(|_| !may_be_rejected)?;
            let sentence = format!("`opm` would reject the catalog: {text}");
            Some(Refusal::new(
                Reason::RejectedOtherwise,
                sentence,
                "correct what `opm` names, or choose another policy, channel or version",
            ))
        };
        let refusal = check_texts(catalog, &before, intent).err();
        let refusal = refusal.or_else(rejected).or_else(|| unmeant(&listed, &self::listed(catalog), intent));
        if let Some(refusal) = refusal {
            self.edit_files(&undo);
            return Err(refusal);
        }
        let file = |undo: FileEdit| {
            let key = undo.file;
            let text = &before.get(&key)?.text;
            let expansion = catalog.files.iter().find(|file| file.expanded_from == Some(key));
            let expansion = expansion.map(|file| diff(before.get(&file.key).map_or("", |old| &old.text), &file.text));
            let diff = diff(text, &catalog.file(key)?.text);
            Some(WrittenFile { key, before: text.clone(), undo, diff, expansion })
        };
        Ok(undo.into_iter().filter_map(file).collect())
    }
}

/// The refusal to write into a catalog of which a part was not read: what it lacks may be there.
pub fn not_read(catalog: &CatalogInput) -> Option<Refusal> {
    let names: BTreeSet<&str> = catalog.files.iter().filter(|file| file.is_unread()).map(|file| &*file.path).collect();
    let sentence = format!("not all of the catalog was read: {}", name_list(names.into_iter()));
    let refusal = Refusal::new(Reason::NotRead, sentence, "make the files readable, or take them out of the folder");
    catalog.analysis.catalog.is_partial.then_some(refusal)
}

/// The same edits, all of one file together and in the order of its text.
fn joined(edits: &[FileEdit]) -> Vec<FileEdit> {
    let mut by_file: BTreeMap<FileKey, Vec<TextEdit>> = BTreeMap::new();
    for FileEdit { file, splices } in edits {
        by_file.entry(*file).or_default().extend(splices.iter().cloned());
    }
    by_file.values_mut().for_each(|splices| splices.sort_by_key(|edit| (edit.start, edit.end)));
    let changed = by_file.into_iter().filter(|(_, splices)| !splices.is_empty());
    changed.map(|(file, splices)| FileEdit { file, splices }).collect()
}

/// Whether no two edits change the same bytes, or insert the same text at one place.
fn are_apart(splices: &[TextEdit]) -> bool {
    TextEdit::are_apart(splices) && splices.windows(2).all(|pair| pair[0] != pair[1])
}

/// A file before an edit.
struct Before {
    text: String,
    kind: Option<TemplateKind>,
    docs: Vec<Span>,
}

impl Before {
    fn of(file: &FileInput) -> Self {
        Self { text: file.text.clone(), kind: template::kind_of(file.parse()), docs: spans(file) }
    }
}

fn spans(file: &FileInput) -> Vec<Span> {
    file.parse().docs.iter().map(|doc| doc.span).collect()
}

/// Checks that the texts of a catalog differ from what they were by exactly what is meant.
fn check_texts(catalog: &CatalogInput, before: &BTreeMap<FileKey, Before>, intent: &Intent<'_>) -> Result<(), Refusal> {
    let edited = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let pairs = edited.filter_map(|file| {
        let old = before.get(&file.key)?;
        let (kind, id) = (template::kind_of(file.parse()), FileId(file.key.0));
        // Changes of values are made in documents, whatever these are.
        let kinds = if intent.rewrites.is_empty() { [old.kind, kind] } else { [None, None] };
        let (start, [one, other]) = match kinds {
            [None, None] => changed([(&old.text, &old.docs), (&file.text, &spans(file))]),
            _ => (0, [&*old.text, &*file.text]),
        };
        let old = Authored::of(id, one, &[], kinds[0]).starting_at(start);
        Some((old, Authored::of(id, other, &[], kinds[1])))
    });
    let pairs: Vec<(Authored<'_>, Authored<'_>)> = pairs.collect();
    intent.check(&pairs.iter().map(|(old, new)| (old, new)).collect::<Vec<_>>())
}

/// The parts of two texts without the documents at the beginning and at the end that are the same in both: a catalog may be large,
/// and an edit changes a few documents. Also returns the byte at which the first part begins.
fn changed<'t>([(old, a), (new, b)]: [(&'t str, &[Span]); 2]) -> (u32, [&'t str; 2]) {
    // A file that is no catalog.
    if a.is_empty() && b.is_empty() {
        return (0, [old, new]);
    }
    let is_same = |(one, other): (&Span, &Span)| one.slice(old) == other.slice(new);
    let start = a.iter().zip(b).take_while(|pair| is_same(*pair)).count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|pair| is_same(*pair)).count();
    let part = |text: &'t str, spans: &[Span]| match &spans[start..spans.len() - end] {
        [first, .., last] => &text[first.start as usize..last.end as usize],
        [only] => only.slice(text),
        [] => "",
    };
    (a.get(start).map_or(0, |span| span.start), [part(old, a), part(new, b)])
}

/// The entries of a catalog, with templates expanded: package, channel and bundle, and the image of the bundle.
type Listed = BTreeMap<[String; 3], String>;

fn listed(catalog: &CatalogInput) -> Listed {
    let packages = catalog.analysis.catalog.packages.iter();
    let channels = packages.flat_map(|package| package.channels.iter().map(move |channel| (package, channel)));
    let entries = channels.flat_map(|(package, channel)| {
        let names = channel.entries.iter().map(|entry| entry.name.value.as_str());
        names.map(|name| {
            let image = package.bundle(name).and_then(|bundle| bundle.image.as_ref());
            let place = [package.name.as_str(), channel.name.value.as_str(), name].map(str::to_owned);
            (place, image.map(|image| image.value.to_string()).unwrap_or_default())
        })
    });
    entries.collect()
}

/// The refusal of an edit after which channels do not list exactly what they listed before and are meant to list.
fn unmeant(before: &Listed, after: &Listed, intent: &Intent<'_>) -> Option<Refusal> {
    // What a quick fix takes out is meant.
    if !intent.rewrites.is_empty() {
        return None;
    }
    let edits = |[package, channel, _]: &[String; 3]| {
        let is_it = |(of, edit): &&(&str, &ChannelEdit)| of == package && edit.channel.as_str() == channel;
        intent.channels.iter().filter(is_it).map(|(_, edit)| *edit).collect::<Vec<_>>()
    };
    // Templates name bundles by images.
    let has_item = |image: &String, is_removed: bool| {
        let is_it = |item: &&ListItem| item.is_removed == is_removed;
        let texts = || intent.items.iter().filter(is_it).flat_map(|item| &item.fields).map(|(_, text)| text);
        texts().any(|text| text == image)
    };
    // A document that goes or comes back has entries.
    let goes = |[package, channel, _]: &[String; 3]| {
        intent.gone.iter().any(|gone| *gone == ["olm.channel", package.as_str(), channel.as_str()])
    };
    let comes = |[package, channel, _]: &[String; 3]| {
        let is_it = |one: &Document| one.schema == "olm.channel" && one.package == *package && one.name == *channel;
        intent.documents.iter().any(is_it)
    };
    let is_lost = |(place, image): &(&[String; 3], &String)| {
        let is_removed = |edit: &&ChannelEdit| edit.removed.iter().any(|name| name.as_str() == place[2]);
        !after.contains_key(*place) && !edits(place).iter().any(is_removed) && !has_item(image, true) && !goes(place)
    };
    let is_gained = |(place, image): &(&[String; 3], &String)| {
        let is_added = |edit: &&ChannelEdit| edit.added.iter().any(|entry| entry.name.as_str() == place[2]);
        !before.contains_key(*place) && !edits(place).iter().any(is_added) && !has_item(image, false) && !comes(place)
    };
    let lost = before.iter().filter(is_lost).map(|(place, _)| (place, "no longer"));
    let gained = after.iter().filter(is_gained).map(|(place, _)| (place, "also"));
    let words =
        |([_, channel, name], how): (&[String; 3], &str)| format!("channel `{channel}` would {how} list `{name}`");
    let sentence = first_and_more(&mut lost.chain(gained).map(words), UNMEANT);
    (!sentence.is_empty()).then(|| Refusal::new(Reason::NotEditable, sentence, "edit the text by hand, and compare"))
}

// Edits, and why there is none, as the page and programs get them.

/// A refusal as the page and programs get it.
pub fn refused(Refusal { reason, sentence, instead, .. }: &Refusal) -> RefusedView {
    RefusedView { id: reason.id().to_owned(), sentence: sentence.clone(), instead: instead.clone() }
}

/// An edit as the page and programs get it.
pub fn edit_view(edit: &Edit, place: Option<Place>) -> EditView {
    EditView {
        edit: edit.change.kind().to_owned(),
        entry: edit.entry.to_string(),
        value: edit.change.value().map(str::to_owned),
        text: edit.describe(),
        place,
    }
}

// Changes of the edges of an entry, as the user makes them in the drawing, as edits.

pub(crate) fn channel_edit(package: &Package, edit: &EdgeGesture) -> Option<ChannelEdit> {
    let edits = vec![entry_edit(package, package.channel(&edit.channel)?, edit)?];
    Some(ChannelEdit::of(&ChannelName::from(&*edit.channel), edits))
}

/// The same as an edit of an entry; `None` if there is no such entry.
pub fn entry_edit(package: &Package, channel: &Channel, edit: &EdgeGesture) -> Option<Edit> {
    let entry = channel.entry(&edit.entry)?;
    let to = BundleName::from(&*edit.to);
    let change = match edit.gesture {
        Gesture::Replace if entry.replaces.as_ref().is_some_and(|name| name.value == to) => Change::Unreplace,
        Gesture::Replace => Change::Replace(to),
        Gesture::Skip if entry.skips.iter().any(|name| name.value == to) => Change::Unskip(to),
        Gesture::Skip => Change::Skip(to),
        Gesture::RangeFrom => {
            let from = version_of(package, &to)?;
            let last = version_of(package, &entry.name.value)?;
            Change::Range(Some(format!(">={from} <{last}").into()))
        }
        Gesture::RangeTo => {
            let last = version_of(package, &to)?;
            let from = first_covered(package, channel, entry).filter(|first| *first <= last);
            let from = from.map(|first| format!(">={first} ")).unwrap_or_default();
            Change::Range(Some(format!("{from}<={last}").into()))
        }
    };
    (edit.entry != edit.to).then(|| Edit { entry: entry.name.value.clone(), change })
}

/// The lowest version of the channel that the skipRange of an entry has.
fn first_covered(package: &Package, channel: &Channel, entry: &Entry) -> Option<Version> {
    let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
    let versions = channel.entries.iter().filter_map(|entry| version_of(package, &entry.name.value));
    versions.filter(|version| range.matches(version).unwrap_or(false)).min()
}
