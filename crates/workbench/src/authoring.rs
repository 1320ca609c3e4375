//! Releases, removals and deprecations, written into the texts of a catalog that is open.

use crate::comparison::words::sentence;
use crate::comparison::{Comparison, Scope, Side};
use crate::new_bundle::NewBundle;
use crate::queries::{channel_edit, inverse};
use crate::repairs::RepairedText;
use crate::{CatalogInput, FileInput, Workbench};
use blang_semver::Version;
use bundle::Bundle;
use catalog::{BundleName, Channel, ChannelName, Entries, Package};
use compare::{Level, Levels};
use fbc::TextEdit;
use release::{Authored, ChannelEdit, Deprecated, Form, NewBlob, NewEntry, Policy, Release, release, removal};
use repair::{AppliedText, Edit, Reason, Refusal, Repair};
use serde::de::IgnoredAny;
use source::{FileId, Span};
use std::collections::BTreeMap;
use std::ops::Range;
use template::TemplateKind;
use update_graph::version_of;
use views::{CatalogId, EdgeEdit, FileEdit, FileKey, TextSplice};

/// A text that takes the place of bytes of a file.
pub(crate) type Splice = (FileKey, Range<u32>, String);

/// How a bundle is released.
#[derive(Clone, Debug)]
pub struct ReleaseRequest<'r> {
    /// The bundle.
    pub new: &'r NewBundle,
    /// Which edges it gets.
    pub policy: Policy,
    /// The channels, or the lists of an `olm.semver` template; those that the bundle names, or else the default channel, if
    /// there are none.
    pub channels: &'r [String],
    /// The lowest version from which it may be updated to directly.
    pub from: Option<Version>,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// What changed in channels.
    pub channels: Vec<ChannelEdit>,
    /// The files that changed.
    pub files: Vec<WrittenFile>,
}

/// A file that changed.
#[derive(Clone, Debug)]
pub struct WrittenFile {
    /// The file.
    pub key: FileKey,
    /// The edits that undo it.
    pub undo: FileEdit,
    /// The changed lines as a unified diff, without the lines that name files.
    pub diff: String,
    /// The same of what it expands to, if it is a template.
    pub expansion: Option<String>,
}

/// What is done with the versions and channels of a package.
#[derive(Clone, Debug)]
pub enum Authoring<'a> {
    /// A bundle is released.
    Release(ReleaseRequest<'a>),
    /// A version is taken out of all channels, or stays listed without being offered.
    Remove {
        /// Its package.
        package: &'a str,
        /// Its bundle.
        name: BundleName,
        /// Whether its entries stay.
        stays_listed: bool,
    },
    /// Something is deprecated.
    Deprecate {
        /// The package.
        package: &'a str,
        /// What.
        what: Deprecated,
        /// What users are told.
        message: &'a str,
    },
    /// The edges of an entry are changed, whether `opm` accepts that or not.
    Edge {
        /// The package.
        package: &'a str,
        /// The change.
        edit: &'a EdgeEdit,
    },
}

impl Workbench {
    /// Writes into a catalog what is asked for. Nothing changes unless `opm` accepts the result.
    ///
    /// # Errors
    ///
    /// Why it cannot be written, and what to do instead.
    pub fn author(&mut self, id: CatalogId, what: &Authoring<'_>) -> Result<Written, Refusal> {
        let gone = || Refusal::new(Reason::Missing, "the catalog is not open any more", "open it again");
        let catalog = self.catalog(id).ok_or_else(gone)?;
        let may_be_rejected = matches!(what, Authoring::Edge { .. });
        if let Some(text) = catalog.rejection_text().filter(|_| !may_be_rejected) {
            let sentence = format!("`opm` rejects the catalog as it is: {}", text.lines().next().unwrap_or_default());
            return Err(Refusal::new(
                Reason::RejectedOtherwise,
                sentence,
                "repair it first: `opscope validate`, `opscope repair`",
            ));
        }
        let package = match what {
            Authoring::Release(request) => &*request.new.bundle.package,
            Authoring::Remove { package, .. }
            | Authoring::Deprecate { package, .. }
            | Authoring::Edge { package, .. } => package,
        };
        let author = Author { catalog, package };
        let (channels, splices) = match what {
            Authoring::Release(request) => author.release(request)?,
            Authoring::Remove { name, stays_listed, .. } => author.remove(name, *stays_listed)?,
            Authoring::Deprecate { what, message, .. } => (Vec::new(), author.deprecate(what, message)?),
            Authoring::Edge { edit, .. } => {
                let edits = vec![channel_edit(author.model()?, edit).ok_or_else(gone)?];
                let splices = author.channels(&edits, None)?;
                (edits, splices)
            }
        };
        let before: BTreeMap<FileKey, String> =
            catalog.files.iter().map(|file| (file.key, file.text.clone())).collect();
        let old = catalog.analysis.catalog.packages.iter().find(|found| found.name.as_str() == package).cloned();
        let undo = self.splice_all(id, splices);
        let catalog = self.catalog(id).ok_or_else(gone)?;
        let new = catalog.analysis.catalog.package(package);
        let is_meant = channels.iter().all(|edit| says(new, old.as_deref(), edit));
        let refusal = catalog.rejection_text().filter(|_| !may_be_rejected).map(|text| {
            let sentence = format!("`opm` would reject the catalog: {}", text.lines().next().unwrap_or_default());
            Refusal::new(Reason::RejectedOtherwise, sentence, "choose another policy or channel")
        });
        let refusal = refusal.or_else(|| {
            let sentence = "the edit would change other entries, too";
            let instead = "write the entries without anchors and aliases, or edit the channel by hand";
            (!is_meant).then(|| Refusal::new(Reason::NotEditable, sentence, instead))
        });
        if let Some(refusal) = refusal {
            for FileEdit { file, splices } in undo {
                for TextSplice { start, end, text } in splices.into_iter().rev() {
                    self.edit(file, start..end, &text);
                }
            }
            return Err(refusal);
        }
        let diff = |key: FileKey, new: &str| {
            let old = before.get(&key).map_or("", String::as_str);
            repair::diff(old, Span::new(FileId(key.0), 0, old.len() as u32), new)
        };
        let file = |undo: FileEdit| {
            let key = undo.file;
            let expansion = catalog.files.iter().find(|file| file.expanded_from == Some(key));
            let expansion = expansion.map(|file| diff(file.key, &file.text));
            Some(WrittenFile { key, undo, diff: diff(key, &catalog.file(key)?.text), expansion })
        };
        Ok(Written { channels, files: undo.into_iter().filter_map(file).collect() })
    }

    /// What the edits of a catalog since it was opened do to installed versions, as sentences, and the worst level of that.
    #[must_use]
    pub fn effects_of_edits(&self, id: CatalogId) -> (Vec<String>, Option<Level>) {
        let Some(catalog) = self.catalog(id) else { return (Vec::new(), None) };
        let levels = Levels::default();
        let comparison = Comparison::of(Side::opened(catalog), Side::present(catalog), &levels, Scope::default());
        let texts = comparison.shown().map(|found| sentence(&comparison, found)).collect();
        let worst = comparison.packages.iter().filter_map(|found| comparison.worst(found)).max();
        (texts, worst)
    }

    /// Makes edits of a catalog that are apart from each other. Returns the edits that undo them, one for each edited file.
    pub(crate) fn splice_all(&mut self, id: CatalogId, mut edits: Vec<Splice>) -> Vec<FileEdit> {
        edits.sort_by_key(|(key, bytes, _)| (*key, bytes.start));
        let mut splices: BTreeMap<FileKey, Vec<TextSplice>> = BTreeMap::new();
        for (key, bytes, text) in &edits {
            let splice = TextSplice { start: bytes.start, end: bytes.end, text: text.clone() };
            splices.entry(*key).or_default().push(splice);
        }
        let back = |(file, splices): (FileKey, Vec<TextSplice>)| {
            let text = &self.catalog(id)?.file(file)?.text;
            Some(FileEdit { file, splices: inverse(text, &splices) })
        };
        let undo = splices.into_iter().filter_map(back).collect();
        // From the last to the first, so that the places of the others stay valid.
        self.edit_all(id, edits.into_iter().rev().collect());
        undo
    }
}

/// A catalog whose texts are edited, and the package that it is about.
pub(crate) struct Author<'c> {
    pub(crate) catalog: &'c CatalogInput,
    pub(crate) package: &'c str,
}

impl<'c> Author<'c> {
    /// The texts that a maintainer writes.
    fn texts(&self) -> Vec<(&'c FileInput, Authored<'c>)> {
        let files = self.catalog.files.iter().filter(|file| file.is_editable() && !file.ignored);
        let text = |file: &'c FileInput| {
            let parse = file.parse();
            (file, Authored::of(FileId(file.key.0), &file.text, &parse.docs, template::kind_of(parse)))
        };
        files.map(text).collect()
    }

    /// A repair of a channel in the text of its template. `None` if the text leaves no simple edit, or says something else after
    /// the edits.
    pub(crate) fn repaired(&self, channel: &Channel, repair: &Repair) -> Option<RepairedText> {
        let edits = &repair.edits[..];
        let name = channel.name.value.as_str();
        let texts = self.texts();
        let (file, text) = texts.iter().find(|(_, text)| text.has_channel(self.package, name))?;
        let edit = ChannelEdit {
            channel: channel.name.value.clone(),
            is_new: false,
            added: None,
            edits: edits.to_vec(),
            removed: Vec::new(),
        };
        let (found, _) = text.channel(self.package, &edit, &|_| None).ok()?;
        let mut new = file.text.clone();
        for TextEdit { span, text } in found.iter().rev() {
            new.replace_range(span.start as usize..span.end as usize, text);
        }
        let id = FileId(file.key.0);
        let parse = fbc::parse(id, &new);
        let entries = |text: &Authored<'_>| {
            let mut entries: Vec<NewEntry> =
                text.entries(self.package, name).into_iter().map(|(_, entry)| entry).collect();
            entries.sort();
            entries
        };
        let mut meant: Vec<NewEntry> = repair::applied(channel, edits).entries.iter().map(NewEntry::of).collect();
        meant.sort();
        if entries(&Authored::of(id, &new, &parse.docs, template::kind_of(&parse))) != meant {
            return None;
        }
        let listed = text.entries(self.package, name);
        let place = |edit: &Edit| {
            let found = listed.iter().find(|(_, entry)| entry.name == edit.entry);
            self.catalog.place(found.map_or(Span::new(id, 0, 0), |(span, _)| *span))
        };
        let diff = repair::diff(&file.text, Span::new(id, 0, file.text.len() as u32), &new);
        let places = edits.iter().map(place).collect();
        Some(RepairedText { repair: repair.clone(), file: file.key, places, text: AppliedText { edits: found, diff } })
    }

    fn model(&self) -> Result<&'c Package, Refusal> {
        if self.catalog.bundle_tree.is_some() {
            let sentence = "the catalog is made of bundle directories, and published ones are not edited";
            let instead =
                "write the edges into the CSV of the new bundle, or convert the operator to a file-based catalog";
            return Err(Refusal::new(Reason::NotEditable, sentence, instead));
        }
        self.catalog.analysis.catalog.package(self.package).ok_or_else(|| {
            let sentence = format!("the catalog has no package `{}`", self.package);
            Refusal::new(Reason::Missing, sentence, "write its `olm.package` and `olm.channel` documents first")
        })
    }

    fn release(&self, request: &ReleaseRequest<'_>) -> Result<(Vec<ChannelEdit>, Vec<Splice>), Refusal> {
        let bundle = &request.new.bundle;
        let version = Version::parse(&bundle.version).map_err(|error| {
            let sentence = format!("`{}` is no version: {error}", bundle.version);
            Refusal::new(Reason::Missing, sentence, "give the bundle a semantic version")
        })?;
        let texts = self.texts();
        let of_semver = |(_, text): &&(&FileInput, Authored<'_>)| text.form == Form::Template(TemplateKind::Semver);
        if let Some((file, text)) = texts.iter().find(of_semver) {
            return Ok((Vec::new(), semver(file, text, request, &version)?));
        }
        let package = self.model()?;
        if request.policy == Policy::Rebuild {
            return Ok((Vec::new(), rebuild(&texts, package, bundle)?));
        }
        self.check_version(package, request, &version)?;
        let named = || bundle.channels.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let default = || package.default_channel.iter().map(|name| name.value.to_string());
        let mut channels: Vec<String> = request.channels.to_vec();
        if channels.is_empty() {
            channels = named().collect();
        }
        if channels.is_empty() {
            channels = default().collect();
        }
        let new = Release { name: BundleName::from(&*bundle.name), version, from: request.from.clone() };
        let edits = channels.iter().map(|name| release(request.policy, package, &ChannelName::from(&**name), &new));
        let edits: Vec<ChannelEdit> = edits.collect::<Result<_, _>>()?;
        let is_new = package.bundle(&bundle.name).is_none();
        let splices = self.channels(&edits, is_new.then_some(bundle))?;
        Ok((edits, splices))
    }

    /// Whether the package has the version already, as a promotion needs and a release must not.
    fn check_version(&self, package: &Package, request: &ReleaseRequest<'_>, version: &Version) -> Result<(), Refusal> {
        let bundle = &request.new.bundle;
        let listed = package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &entry.name.value);
        let same =
            |name: &&BundleName| name.as_str() == bundle.name || version_of(package, name).as_ref() == Some(version);
        match (listed.clone().find(same), request.policy) {
            (None, Policy::Promote) => {
                let sentence = format!("no channel of `{}` lists `{}`", self.package, bundle.name);
                Err(Refusal::new(Reason::Missing, sentence, "release it first, with another policy"))
            }
            (Some(name), policy) if policy != Policy::Promote => {
                let sentence = format!("the package has version {version} already, as `{name}`");
                let instead = "use `promote` to list it in another channel, or give the release a version of its own";
                Err(Refusal::new(Reason::AlreadyListed, sentence, instead))
            }
            _ => Ok(()),
        }
    }

    fn remove(&self, name: &BundleName, stays_listed: bool) -> Result<(Vec<ChannelEdit>, Vec<Splice>), Refusal> {
        let package = self.model()?;
        let edits = package.channels.iter().filter_map(|channel| removal(channel, name, stays_listed).transpose());
        let edits: Vec<ChannelEdit> = edits.collect::<Result<_, _>>()?;
        if edits.is_empty() {
            let sentence = format!("no channel of `{}` lists `{name}`", self.package);
            return Err(Refusal::new(Reason::Missing, sentence, "give the version or the name of an entry"));
        }
        let mut splices = self.channels(&edits, None)?;
        if !stays_listed {
            for (file, text) in self.texts() {
                let found = text.without_bundle(self.package, name)?;
                splices.extend(found.into_iter().map(|edit| splice(file, edit)));
            }
        }
        Ok((edits, splices))
    }

    fn deprecate(&self, what: &Deprecated, message: &str) -> Result<Vec<Splice>, Refusal> {
        let texts = self.texts();
        if let Some((_, text)) = texts.iter().find(|(_, text)| text.form == Form::Template(TemplateKind::Semver)) {
            text.deprecate(self.package, what, message)?;
        }
        let package = self.model()?;
        let is_there = match what {
            Deprecated::Package => true,
            Deprecated::Channel(name) => package.channel(name.as_str()).is_some(),
            Deprecated::Bundle(name) => {
                package.bundle(name.as_str()).is_some() || package.may_be_unknown(name.as_str())
            }
        };
        if !is_there {
            let sentence = format!("cannot deprecate `{}`: package `{}` does not have it", what.name(), self.package);
            return Err(Refusal::new(Reason::Missing, sentence, "name a channel or a bundle of the package"));
        }
        let has = |schema: &str| texts.iter().find(|(_, text)| text.has_blob(schema, self.package));
        let Some((file, text)) = has("olm.deprecations").or_else(|| has("olm.channel")).or(texts.first()) else {
            return Err(not_editable());
        };
        let (edits, blob) = text.deprecate(self.package, what, message)?;
        let splices = edits.into_iter().map(|edit| splice(file, edit)).collect();
        Ok(with_documents(splices, file, blob.as_slice()))
    }

    /// The edits that change channels, and add the document of a bundle, or its image in a template.
    pub(crate) fn channels(&self, edits: &[ChannelEdit], bundle: Option<&Bundle>) -> Result<Vec<Splice>, Refusal> {
        let package = self.model()?;
        let texts = self.texts();
        let own = bundle.and_then(|bundle| Some((&*bundle.name, Version::parse(&bundle.version).ok()?)));
        let version = |name: &str| match &own {
            Some((new, version)) if *new == name => Some(version.clone()),
            _ => version_of(package, &BundleName::from(name)),
        };
        let home = package.span().and_then(|span| texts.iter().find(|(file, _)| file.key == FileKey(span.file.0)));
        let has = |schema: &str| texts.iter().rev().find(|(_, text)| text.has_blob(schema, self.package));
        let mut splices = Vec::new();
        let mut new: BTreeMap<FileKey, Vec<NewBlob>> = BTreeMap::new();
        for edit in edits {
            let own = texts.iter().find(|(_, text)| text.has_channel(self.package, edit.channel.as_str()));
            let (file, text) = own.or_else(|| has("olm.channel")).or(home).ok_or_else(not_editable)?;
            let (found, blob) = text.channel(self.package, edit, &version)?;
            splices.extend(found.into_iter().map(|edit| splice(file, edit)));
            new.entry(file.key).or_default().extend(blob);
        }
        if let Some(bundle) = bundle {
            let like = has("olm.bundle").or_else(|| has("olm.channel"));
            let (file, text) = like.or(home).or(texts.first()).ok_or_else(not_editable)?;
            match text.form {
                Form::Template(_) => splices.push(splice(file, text.image(image(bundle)?)?)),
                Form::Catalog if bundle.properties.is_empty() => {
                    let sentence =
                        "a catalog needs the document of the bundle, which its directory says, and an image does not";
                    return Err(Refusal::new(
                        Reason::Missing,
                        sentence,
                        "give the bundle directory, and its image with `--image`",
                    ));
                }
                // The bundle comes first, as before there was a choice of files.
                Form::Catalog => {
                    // From OpenShift 4.17 on, catalogs have metadata in the place of manifests (authoring 2.5).
                    let is_migrated = file.text.contains("olm.csv.metadata");
                    let bundle = if is_migrated { bundle.clone().migrated() } else { bundle.clone() };
                    new.entry(file.key).or_default().insert(0, rendered(&bundle)?);
                }
            }
        }
        for (key, documents) in new.iter().filter(|(_, documents)| !documents.is_empty()) {
            let file = self.catalog.file(*key).ok_or_else(not_editable)?;
            splices = with_documents(splices, file, documents);
        }
        Ok(splices)
    }
}

/// The document of a bundle, as `opm render` prints it.
fn rendered(bundle: &Bundle) -> Result<NewBlob, Refusal> {
    let document = bundle.document();
    let refused = |error| Refusal::new(Reason::NotExpressible, error, "write the document by hand");
    let yaml = document.to_yaml().map_err(refused)?;
    Ok(NewBlob { json: document.to_json(), yaml: yaml.strip_prefix("---\n").unwrap_or(&yaml).to_owned() })
}

/// The same edits with documents at the end of a file, in its format.
fn with_documents(mut splices: Vec<Splice>, file: &FileInput, documents: &[NewBlob]) -> Vec<Splice> {
    if documents.is_empty() {
        return splices;
    }
    // Mappings in braces that are not JSON are documents of YAML.
    let mut values = serde_json::Deserializer::from_str(&file.text).into_iter::<IgnoredAny>().peekable();
    let is_json = values.peek().is_some() && values.all(|value| value.is_ok());
    let mut text = if file.text.ends_with('\n') || file.text.is_empty() { String::new() } else { "\n".to_owned() };
    for NewBlob { json, yaml } in documents {
        text += &if is_json { format!("{}\n", json.trim_end()) } else { format!("---\n{yaml}") };
    }
    let end = file.text.len() as u32;
    splices.push((file.key, end..end, file.with_line_ends(end, &text)));
    splices
}

/// Whether a package has exactly the entries that an edit means.
fn says(new: Option<&Package>, old: Option<&Package>, edit: &ChannelEdit) -> bool {
    let name = edit.channel.as_str();
    let Some(found) = new.and_then(|package| package.channel(name)) else { return false };
    let before = old.and_then(|package| package.channel(name)).cloned();
    let before = before.unwrap_or_else(|| Channel { entries: Entries::default(), ..found.clone() });
    repair::says_the_same(found, &release::applied(&before, edit))
}

/// Adds the image to the lists of an `olm.semver` template, which computes the edges.
fn semver(
    file: &FileInput,
    text: &Authored<'_>,
    request: &ReleaseRequest<'_>,
    version: &Version,
) -> Result<Vec<Splice>, Refusal> {
    let is_computed = matches!(
        request.policy,
        Policy::ReplaceHead
            | Policy::ZStream
            | Policy::NewMinor
            | Policy::Hotfix
            | Policy::PreRelease
            | Policy::Final
            | Policy::Promote
    );
    if !is_computed {
        let sentence =
            format!("an `olm.semver` template computes all edges, so `{}` cannot be written", request.policy.id());
        let instead = "use another policy, or render the template and keep the catalog instead";
        return Err(Refusal::new(Reason::NotExpressible, sentence, instead));
    }
    if request.channels.is_empty() {
        let sentence = "the template does not say which of its lists the bundle is for";
        return Err(Refusal::new(Reason::Missing, sentence, "name `candidate`, `fast` or `stable` with `--channel`"));
    }
    let image = image(&request.new.bundle)?;
    request.channels.iter().map(|list| Ok(splice(file, text.semver_image(list, image, version)?))).collect()
}

/// Names the image of a new build of a bundle that the package has.
fn rebuild(texts: &[(&FileInput, Authored<'_>)], package: &Package, bundle: &Bundle) -> Result<Vec<Splice>, Refusal> {
    let is_there = package.bundle(&bundle.name).is_some()
        || package.channels.iter().any(|channel| channel.entry(&bundle.name).is_some());
    if !is_there {
        let sentence = format!("the package has no bundle `{}` to be built again", bundle.name);
        return Err(Refusal::new(Reason::Missing, sentence, "name the bundle whose place it takes with `--name`"));
    }
    let image = image(bundle)?;
    let of_form = |(_, text): &&(&FileInput, Authored<'_>)| text.form == Form::Template(TemplateKind::Substitutes);
    let (file, text) = texts.iter().find(of_form).or(texts.first()).ok_or_else(not_editable)?;
    Ok(vec![splice(file, text.substitution(image, &bundle.name)?)])
}

fn image(bundle: &Bundle) -> Result<&str, Refusal> {
    if bundle.image.is_empty() {
        let sentence = "a template names the bundle by its image, which the directory does not say";
        return Err(Refusal::new(Reason::Missing, sentence, "give it with `--image`"));
    }
    Ok(&bundle.image)
}

fn splice(file: &FileInput, edit: fbc::TextEdit) -> Splice {
    (file.key, edit.span.start..edit.span.end, edit.text)
}

fn not_editable() -> Refusal {
    Refusal::new(Reason::NotEditable, "no file of the catalog is plain text", "convert it to UTF-8")
}
