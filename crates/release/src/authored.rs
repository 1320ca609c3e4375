//! The text that a maintainer keeps, and edits of it in its own form.

use crate::diff::diff_of_edits;
use crate::intent::Intent;
use crate::refusal::{Reason, Refusal};
use catalog::{BundleName, DeprecationTarget};
use fbc::{Doc, Field, Fields, Node, Rewriter, TextEditor, Value, same_field, second_spellings, with_line_ends};
use go_semver::blang::Version;
use source::{FileId, Rewrite, Span, TextEdit};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use template::TemplateKind;
use update_graph::{Change, ChannelEdit, Edit, NewEntry};

/// The form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A catalog: a stream of documents.
    Catalog,
    Template(TemplateKind),
}

/// A text in one of the forms.
pub struct Authored<'t> {
    pub(crate) text: &'t str,
    pub form: Form,
    /// The documents of a stream, and their values.
    docs: &'t [Doc],
    pub(crate) documents: Vec<Node>,
    /// The byte of its file at which it begins.
    start: u32,
}

/// A document of a catalog that has to be written behind the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBlob {
    pub json: String,
    /// It in lines, with its fields in the usual order.
    pub yaml: String,
}

/// The edits of a text that change a channel in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedText {
    /// The edits, in the order of the text and apart from each other.
    pub edits: Vec<TextEdit>,
    /// The changed lines of the text with some around them, as [`diff`](crate::diff()) has them.
    pub diff: String,
}

/// The lists of an `olm.semver` template.
pub const SEMVER_LISTS: [&str; 3] = ["candidate", "fast", "stable"];

/// The edits of a text, and documents to write behind it.
type Edits = (Vec<TextEdit>, Option<NewBlob>);

impl<'t> Authored<'t> {
    /// A text, with the kind of template that it is.
    #[must_use]
    pub fn of(file: FileId, text: &'t str, docs: &'t [Doc], kind: Option<TemplateKind>) -> Self {
        let form = kind.map_or(Form::Catalog, Form::Template);
        Self { text, form, docs, documents: fbc::untyped_values(file, text).nodes, start: 0 }
    }

    /// The document of a catalog at a place: the rest of the text is not read.
    #[must_use]
    pub fn of_document(text: &'t str, docs: &'t [Doc], place: Span) -> Option<Self> {
        let span = docs.iter().map(|doc| doc.span).find(|span| span.contains(place))?;
        let document = Node { span, value: Value::Unopened }.open(text).ok()?;
        Some(Self { text, form: Form::Catalog, docs, documents: vec![document], start: 0 })
    }

    /// The same as a part of a file that begins at this byte.
    #[must_use]
    pub fn starting_at(self, start: u32) -> Self {
        Self { start, ..self }
    }

    /// The same with changes of a file made in its values; `None` if a value is not there.
    pub(crate) fn with_values(&self, changes: &[Rewrite]) -> Option<Self> {
        let mut changes = changes.to_vec();
        changes.iter_mut().for_each(|change| change.shift(-i64::from(self.start)));
        Some(Self { documents: fbc::rewritten(self.documents.clone(), self.text, &changes)?, ..*self })
    }

    fn editor(&self) -> TextEditor<'t> {
        TextEditor { text: self.text }
    }

    /// The documents of a catalog, or the entries of a template.
    pub(crate) fn blobs(&self) -> &[Node] {
        match self.form {
            Form::Catalog => &self.documents,
            Form::Template(_) => {
                self.documents.first().and_then(|template| template.field("entries")).map_or(&[], items)
            }
        }
    }

    fn blob(&self, schema: &str, package: &str, name: &str) -> Option<&Node> {
        let is_it = |blob: &&Node| {
            let has = |field: &str, text: &str| blob.field(field).and_then(Node::as_str).unwrap_or_default() == text;
            has("schema", schema) && has("package", package) && has("name", name)
        };
        self.blobs().iter().find(is_it)
    }

    /// Whether it has a channel.
    #[must_use]
    pub fn has_channel(&self, package: &str, name: &str) -> bool {
        self.blob("olm.channel", package, name).is_some()
    }

    /// The entries of a channel with their places, in the order of the text.
    #[must_use]
    pub fn entries(&self, package: &str, channel: &str) -> Vec<(Span, NewEntry)> {
        let text = |entry: &Node, field: &str| {
            entry.field(field).and_then(Node::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let entry = |entry: &Node| {
            let skips = entry.field("skips").map_or(&[][..], items).iter().filter_map(Node::as_str);
            let skips: BTreeSet<BundleName> = skips.map(BundleName::from).collect();
            let new = NewEntry {
                name: BundleName::from(name_of(entry)),
                replaces: text(entry, "replaces").map(|name| BundleName::from(&*name)),
                skips: skips.into_iter().collect(),
                skip_range: text(entry, "skipRange").map(Into::into),
            };
            (entry.span, new)
        };
        let channel = self.blob("olm.channel", package, channel);
        channel.and_then(|channel| channel.field("entries")).map_or(&[][..], items).iter().map(entry).collect()
    }

    /// Whether it has anything of a schema for a package.
    #[must_use]
    pub fn has_blob(&self, schema: &str, package: &str) -> bool {
        let has = |blob: &Node, field: &str, text: &str| blob.field(field).and_then(Node::as_str) == Some(text);
        let field = if schema == "olm.package" { "name" } else { "package" };
        self.blobs().iter().any(|blob| has(blob, "schema", schema) && has(blob, field, package))
    }

    /// The edits of a channel. `version` gives the version of a bundle, by which a new entry finds its place.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit.
    pub fn channel(
        &self,
        package: &str,
        edit: &ChannelEdit,
        version: &dyn Fn(&str) -> Option<Version>,
    ) -> Result<Edits, Refusal> {
        let Some(channel) = self.blob("olm.channel", package, edit.channel.as_str()) else {
            return match &edit.added[..] {
                [] => Err(not_written(&format!("the text has no channel `{}`", edit.channel))),
                added => self.new_channel(package, edit.channel.as_str(), added),
            };
        };
        let entries = channel.field("entries").map_or(&[][..], items);
        let mut changes = Vec::new();
        for name in edit.edits.iter().map(|edit| &edit.entry).collect::<BTreeSet<_>>() {
            let entry = entries.iter().find(|entry| name_of(entry) == name.as_str());
            let entry = entry.ok_or_else(|| not_written(&format!("the text of the channel has no entry `{name}`")))?;
            changes.extend(rewrites(entry, edit.edits.iter().filter(|edit| edit.entry == *name)));
        }
        let is_removed = |entry: &&Node| edit.removed.iter().any(|name| name.as_str() == name_of(entry));
        changes.extend(entries.iter().filter(is_removed).map(|entry| Rewrite::Remove { span: entry.span }));
        let mut edits =
            self.rewritten(&changes).ok_or_else(|| not_written("its entries are written in a way of their own"))?;
        for added in &edit.added {
            let at = place(entries, added.name.as_str(), version);
            let names: Vec<String> = added.skips.iter().map(ToString::to_string).collect();
            let new = self.editor().insert_mapping(channel, "entries", at, &fields(added, &names));
            edits.push(self.with_line_ends(new, "the list of entries is written in a way of its own")?);
        }
        edits.sort_by_key(|edit| (edit.start, edit.end));
        if !TextEdit::are_apart(&edits) {
            return Err(not_written("the list of entries is written in a way of its own"));
        }
        Ok((edits, None))
    }

    /// The edits of a channel that the text has. The text with them is read again, and says what is meant and nothing else.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit, or would say something else: as where an anchor has aliases in other entries.
    pub fn edited(
        &self,
        package: &str,
        edit: &ChannelEdit,
        version: &dyn Fn(&str) -> Option<Version>,
    ) -> Result<AppliedText, Refusal> {
        let (edits, _) = self.channel(package, edit, version)?;
        let channel = self.blob("olm.channel", package, edit.channel.as_str()).map(|blob| blob.span);
        let part = match self.form {
            Form::Template(_) => None,
            Form::Catalog => channel,
        };
        let part = part.unwrap_or(Span::new(FileId(0), 0, self.text.len() as u32));
        // The last line of a document may end behind it.
        let end = edits.iter().map(|edit| edit.end).max().unwrap_or_default().max(part.end);
        let part = Span::new(part.file, part.start, end);
        let new = spliced(part, self.text, &edits).ok_or_else(|| Refusal::changes_more([]))?;
        let kind = match self.form {
            Form::Template(kind) => Some(kind),
            Form::Catalog => None,
        };
        let documents =
            self.documents.iter().filter(|document| part.start <= document.span.start && document.span.end <= end);
        let before = Self { documents: documents.cloned().collect(), ..*self };
        let after = Authored::of(part.file, &new, &[], kind);
        let intent = Intent { channels: vec![(package, edit)], ..Intent::default() };
        intent.check(&[(&before, &after)])?;
        Ok(AppliedText { diff: diff_of_edits(self.text, &edits), edits })
    }

    fn rewritten(&self, changes: &[Rewrite]) -> Option<Vec<TextEdit>> {
        Rewriter::new(self.text, self.docs).edits(changes)
    }

    fn new_channel(&self, package: &str, name: &str, entries: &[NewEntry]) -> Result<Edits, Refusal> {
        let names = |entry: &NewEntry| entry.skips.iter().map(ToString::to_string).collect::<Vec<_>>();
        let names: Vec<Vec<String>> = entries.iter().map(names).collect();
        let entries: Vec<_> = entries.iter().zip(&names).map(|(entry, names)| fields(entry, names)).collect();
        let entries: Vec<Fields<'_>> = entries.iter().map(|fields| &fields[..]).collect();
        let channel = [
            ("schema", Field::Text("olm.channel")),
            ("package", Field::Text(package)),
            ("name", Field::Text(name)),
            ("entries", Field::Mappings(&entries)),
        ];
        match self.form {
            Form::Template(_) => Ok((vec![self.in_template("olm.channel", &channel)?], None)),
            Form::Catalog => Ok((Vec::new(), Some(self.blob_of(&channel)))),
        }
    }

    fn blob_of(&self, fields: Fields<'_>) -> NewBlob {
        NewBlob { json: fbc::in_json(fields), yaml: self.editor().document(fields) }
    }

    /// A new entry of a template, behind the last one of its schema.
    fn in_template(&self, schema: &str, fields: &[(&str, Field<'_>)]) -> Result<TextEdit, Refusal> {
        let blobs = self.blobs();
        let is_like = |blob: &Node| blob.field("schema").and_then(Node::as_str) == Some(schema);
        let at = blobs.iter().rposition(is_like).map_or(blobs.len(), |at| at + 1);
        let edit =
            self.documents.first().and_then(|template| self.editor().insert_mapping(template, "entries", at, fields));
        self.with_line_ends(edit, "the entries of the template are written in a way of their own")
    }

    /// The edits after which the document of a bundle requires a package in another range. The text with them is read again.
    ///
    /// # Errors
    ///
    /// If it has no such range, or would say something else.
    pub fn requirement(&self, required: &str, [from, to]: [&str; 2]) -> Result<Vec<TextEdit>, Refusal> {
        let [document] = &self.documents[..] else { return Err(not_written("it is not one document")) };
        let mut found = Vec::new();
        ranges(document, (required, from), &mut found);
        let edit = |old: &&Node| self.with_line_ends(Some(self.editor().scalar(old, to)), "");
        let edits = found.iter().map(edit).collect::<Result<Vec<TextEdit>, Refusal>>()?;
        let new = spliced(document.span, self.text, &edits).ok_or_else(|| Refusal::changes_more([]))?;
        let after = Authored::of(document.span.file, &new, &[], None);
        let bundle = document.get("name").and_then(Node::as_str).unwrap_or_default();
        let intent = Intent { ranges: vec![[bundle, required, from, to]], ..Intent::default() };
        if edits.is_empty() {
            return Err(not_written("it does not require the package in this range"));
        }
        intent.check(&[(self, &after)])?;
        Ok(edits)
    }

    /// Names a bundle by its image, in a template of channels.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit.
    pub fn image(&self, image: &str) -> Result<TextEdit, Refusal> {
        self.in_template("olm.bundle", &[("schema", Field::Text("olm.bundle")), ("image", Field::Text(image))])
    }

    /// Adds an image to a list of an `olm.semver` template, among the others by the versions in their tags.
    ///
    /// # Errors
    ///
    /// If there is no such list, or the text leaves no simple edit.
    pub fn semver_image(&self, list: &str, image: &str, version: &Version) -> Result<TextEdit, Refusal> {
        let is_list = SEMVER_LISTS.iter().any(|known| same_field(list, known));
        let found = self.documents.first().filter(|_| is_list).and_then(|template| template.field(list));
        let Some(stream) = found else {
            let sentence = format!("the template has no list `{list}`: an `olm.semver` template computes its channels");
            let instead = "name `candidate`, `fast` or `stable` with `--channel`, and write the list if it is missing";
            return Err(Refusal::new(Reason::NotExpressible, sentence, instead));
        };
        self.check_spellings()?;
        let images: Vec<&str> = images(stream).filter_map(|(_, image)| image).collect();
        let is_above = |other: &str| tag_version(other).is_some_and(|other| other > *version);
        let at = images.iter().position(|image| is_above(image)).unwrap_or(images.len());
        let edit = self.editor().insert_mapping(stream, "bundles", at, &[("image", Field::Text(image))]);
        self.with_line_ends(edit, "the list of images is written in a way of its own")
    }

    /// The images of an `olm.semver` template, each with the list that it is in.
    #[must_use]
    pub fn semver_images(&self) -> Vec<(&'static str, &str)> {
        let of_list = |list: &'static str| {
            let stream = self.documents.first().and_then(|template| template.field(list));
            stream.into_iter().flat_map(images).filter_map(move |(_, image)| Some((list, image?)))
        };
        SEMVER_LISTS.into_iter().flat_map(of_list).collect()
    }

    /// Checks that no list of an `olm.semver` template has its field in two spellings: one would take the place of the other.
    fn check_spellings(&self) -> Result<(), Refusal> {
        let template = self.documents.first();
        let streams = SEMVER_LISTS.into_iter().filter_map(|list| template?.field(list));
        let of = |node: &Node, fields: &[&str]| match &node.value {
            Value::Mapping(entries) => second_spellings(entries, fields),
            _ => Vec::new(),
        };
        let lists = streams.flat_map(|stream| of(stream, &["bundles"]));
        let mut found = template.into_iter().flat_map(|template| of(template, &SEMVER_LISTS)).chain(lists);
        found.next().map_or(Ok(()), |finding| Err(not_written(&finding.message)))
    }

    /// Takes an image out of all lists of an `olm.semver` template. A list of which nothing is left goes, too.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit.
    pub fn without_semver_image(&self, image: &str) -> Result<Vec<TextEdit>, Refusal> {
        self.check_spellings()?;
        let mut changes = Vec::new();
        for stream in SEMVER_LISTS.into_iter().filter_map(|list| self.documents.first()?.field(list)) {
            let (gone, kept): (Vec<_>, Vec<_>) = images(stream).partition(|(_, other)| *other == Some(image));
            changes.extend(match (gone.is_empty(), kept.is_empty()) {
                (false, true) => vec![Rewrite::Remove { span: stream.span }],
                _ => gone.into_iter().map(|(item, _)| Rewrite::Remove { span: item.span }).collect(),
            });
        }
        self.rewritten(&changes).ok_or_else(|| not_written("the list of images is written in a way of its own"))
    }

    /// Puts a new build in the place of a bundle, in an `olm.template.substitutes`.
    ///
    /// # Errors
    ///
    /// If it is another form, or the text leaves no simple edit.
    pub fn substitution(&self, image: &str, base: &str) -> Result<TextEdit, Refusal> {
        let is_it = self.form == Form::Template(TemplateKind::Substitutes);
        let template = self.documents.first().filter(|_| is_it).ok_or_else(|| {
            let sentence = "only an `olm.template.substitutes` has a place for a new build of the same version";
            Refusal::new(Reason::NotExpressible, sentence, "release it as a new version")
        })?;
        let count = template.field("substitutions").map_or(0, |list| items(list).len());
        let fields = [("name", Field::Text(image)), ("base", Field::Text(base))];
        let edit = self.editor().insert_mapping(template, "substitutions", count, &fields);
        self.with_line_ends(edit, "the substitutions are written in a way of their own")
    }

    /// Deprecates something, in the document of the package or in a new one.
    ///
    /// # Errors
    ///
    /// If the form has no place for it, it is deprecated already, or the text leaves no simple edit.
    pub fn deprecate(&self, package: &str, what: &DeprecationTarget, message: &str) -> Result<Edits, Refusal> {
        let reference =
            [("schema", Field::Text(what.schema())), ("name", Field::Text(what.name().unwrap_or_default()))];
        let entry = [("reference", Field::Mapping(&reference)), ("message", Field::Text(message))];
        let new = [
            ("schema", Field::Text("olm.deprecations")),
            ("package", Field::Text(package)),
            ("entries", Field::Mappings(&[&entry])),
        ];
        if self.form == Form::Template(TemplateKind::Semver) {
            let sentence = "an `olm.semver` template has no place for deprecations";
            // Of bundles that are not known, nobody has said the name.
            let is_named = !package.is_empty() && Version::parse(what.name().unwrap_or_default()).is_err();
            let document = if is_named { format!(": `{}`", fbc::in_json(&new)) } else { String::new() };
            let instead = format!(
                "write an `olm.deprecations` document into a file of its own beside the rendered catalog, such as \
                 `deprecations.yaml`, which `opm` reads, too{document}"
            );
            return Err(Refusal::new(Reason::NotExpressible, sentence, instead));
        }
        let Some(blob) = self.blob("olm.deprecations", package, "") else {
            return match self.form {
                Form::Template(_) => Ok((vec![self.in_template("olm.deprecations", &new)?], None)),
                Form::Catalog => Ok((Vec::new(), Some(self.blob_of(&new)))),
            };
        };
        let entries = blob.field("entries").map_or(&[][..], items);
        if entries.iter().any(|entry| is_about(entry, what)) {
            let sentence = "it is deprecated already";
            return Err(Refusal::new(Reason::AlreadyListed, sentence, "change the message in the source"));
        }
        let edit = self.editor().insert_mapping(blob, "entries", entries.len(), &entry);
        let edit = self.with_line_ends(edit, "the deprecations are written in a way of their own")?;
        Ok((vec![edit], None))
    }

    /// The images that stand for bundles among the entries of a template, as `isBundleTemplate` of operator-registry
    /// (`alpha/template/basic/basic.go`) knows them.
    #[must_use]
    pub fn bundle_images(&self) -> Vec<&str> {
        self.image_blobs().map(|(_, image)| image).collect()
    }

    fn image_blobs(&self) -> impl Iterator<Item = (&Node, &str)> {
        let is_text =
            |blob: &Node, field: &str, text: &str| blob.field(field).and_then(Node::as_str).unwrap_or_default() == text;
        let blobs = self.blobs().iter().filter(|_| self.form != Form::Catalog);
        let bundles = blobs.filter(move |blob| is_text(blob, "schema", "olm.bundle") && is_text(blob, "package", ""));
        bundles.filter_map(|blob| Some((blob, blob.field("image")?.as_str()?)))
    }

    /// Takes out what is left of a bundle that no channel lists: its document, the image of a template that stands for it, and its
    /// deprecation.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit.
    pub fn without_bundle(
        &self,
        package: &str,
        name: &BundleName,
        image: Option<&str>,
    ) -> Result<Vec<TextEdit>, Refusal> {
        let removed = |bundle: &Node| match self.form {
            Form::Catalog => Rewrite::RemoveDocument { span: bundle.span },
            Form::Template(_) => Rewrite::Remove { span: bundle.span },
        };
        let of_image = self.image_blobs().filter(|(_, other)| image == Some(*other)).map(|(blob, _)| blob);
        let bundles = self.blob("olm.bundle", package, name.as_str()).into_iter().chain(of_image);
        let mut changes: Vec<Rewrite> = bundles.map(removed).collect();
        if let Some(blob) = self.blob("olm.deprecations", package, "") {
            let what = DeprecationTarget::Bundle(name.clone());
            let entries = blob.field("entries").map_or(&[][..], items);
            let (gone, kept): (Vec<&Node>, Vec<&Node>) = entries.iter().partition(|entry| is_about(entry, &what));
            changes.extend(match (kept.is_empty(), self.form) {
                _ if gone.is_empty() => Vec::new(),
                (true, Form::Catalog) => vec![Rewrite::RemoveDocument { span: blob.span }],
                (true, Form::Template(_)) => vec![Rewrite::Remove { span: blob.span }],
                (false, _) => gone.into_iter().map(|entry| Rewrite::Remove { span: entry.span }).collect(),
            });
        }
        self.rewritten(&changes).ok_or_else(|| not_written("its documents are written in a way of their own"))
    }

    /// An insertion with the line ends of the lines around it, or the sentence that says why there is none.
    fn with_line_ends(&self, edit: Option<TextEdit>, otherwise: &str) -> Result<TextEdit, Refusal> {
        let edit = edit.ok_or_else(|| not_written(otherwise))?;
        Ok(TextEdit { text: with_line_ends(self.text, edit.start, &edit.text), ..edit })
    }
}

/// The changes of the fields of an entry, in the order of the fields: new ones may be put at the same place.
fn rewrites<'e>(entry: &Node, edits: impl Iterator<Item = &'e Edit>) -> Vec<Rewrite> {
    let mapping = entry.span;
    let set = |field, text: &str| Some(Rewrite::Set { mapping, within: None, field, text: text.to_owned() });
    let remove = |field: &str| entry.field(field).map(|value| Rewrite::Remove { span: value.span });
    let (mut replaces, mut range) = (None, None);
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for Edit { change, .. } in edits {
        match change {
            Change::List(Some(name)) | Change::Replace(name) => replaces = set("replaces", name.as_str()),
            Change::List(None) | Change::Unreplace => replaces = remove("replaces"),
            Change::Skip(name) => added.push(name.to_string()),
            Change::Unskip(name) => removed.push(name.to_string()),
            Change::Range(Some(text)) => range = set("skipRange", text),
            Change::Range(None) => range = remove("skipRange"),
        }
    }
    let has_skips = !removed.is_empty() || !added.is_empty();
    let skips = has_skips.then_some(Rewrite::List { mapping, list: "skips", removed, added });
    replaces.into_iter().chain(skips).chain(range).collect()
}

/// A part of a text with edits in it. `None` if one of them is not within the part.
fn spliced(part: Span, text: &str, edits: &[TextEdit]) -> Option<String> {
    let shifted = |edit: &TextEdit| {
        let [start, end] = [edit.start, edit.end].map(|at| at.checked_sub(part.start));
        Some(TextEdit { start: start?, end: end?, text: edit.text.clone() })
    };
    TextEdit::applied(&edits.iter().map(shifted).collect::<Option<Vec<_>>>()?, part.slice(text))
}

/// The values of the range in which a package is required, in a property or in any of its constraints.
fn ranges<'n>(node: &'n Node, (package, range): (&str, &str), found: &mut Vec<&'n Node>) {
    if node.field("packageName").and_then(Node::as_str) == Some(package) {
        found.extend(node.field("versionRange").filter(|written| written.as_str() == Some(range)));
    }
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| ranges(item, (package, range), found)),
        Value::Mapping(entries) => entries.iter().for_each(|(_, value)| ranges(value, (package, range), found)),
        _ => {}
    }
}

fn fields<'e>(entry: &'e NewEntry, skips: &'e [String]) -> [(&'static str, Field<'e>); 4] {
    [
        ("name", Field::Text(entry.name.as_str())),
        ("replaces", Field::Text(entry.replaces.as_ref().map_or("", |name| name.as_str()))),
        ("skips", Field::Texts(skips)),
        ("skipRange", Field::Text(entry.skip_range.as_deref().unwrap_or_default())),
    ]
}

/// Where a new entry goes: in the order of the others, if they have one.
fn place(entries: &[Node], name: &str, version: &dyn Fn(&str) -> Option<Version>) -> usize {
    let versions: Vec<Option<Version>> = entries.iter().map(|entry| version(name_of(entry))).collect();
    let are = |order: Ordering| versions.windows(2).all(|pair| matches!(pair, [Some(a), Some(b)] if a.cmp(b) != order));
    let Some(new) = version(name) else { return 0 };
    let first = |is_it: &dyn Fn(&Version) -> bool| versions.iter().flatten().position(is_it).unwrap_or(entries.len());
    if are(Ordering::Less) {
        first(&|other| *other < new)
    } else if are(Ordering::Greater) {
        first(&|other| *other > new)
    } else {
        entries.len()
    }
}

fn is_about(entry: &Node, what: &DeprecationTarget) -> bool {
    let reference = entry.field("reference");
    let field = |name: &str| reference.and_then(|found| found.field(name)?.as_str()).unwrap_or_default();
    field("schema") == what.schema() && field("name") == what.name().unwrap_or_default()
}

fn name_of(entry: &Node) -> &str {
    entry.field("name").and_then(Node::as_str).unwrap_or_default()
}

fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}

/// The items of a list of an `olm.semver` template, with their images.
fn images(stream: &Node) -> impl Iterator<Item = (&Node, Option<&str>)> {
    let listed = stream.field("bundles").map_or(&[][..], items).iter();
    listed.map(|item| (item, item.field("image").and_then(Node::as_str)))
}

/// The version in the tag of an image; a digest is none.
#[must_use]
pub fn tag_version(image: &str) -> Option<Version> {
    let (named, _) = image.split_once('@').unwrap_or((image, ""));
    let (_, tag) = named.rsplit_once(':')?;
    Version::parse_tolerant(tag.trim_start_matches('v')).ok()
}

fn not_written(sentence: &str) -> Refusal {
    Refusal::new(Reason::NotEditable, sentence, "edit it by hand, and compare")
}
