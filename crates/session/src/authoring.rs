//! Releases, removals and deprecations, written into the texts of a catalog that is open.

use crate::new_bundle::{NewBundle, trial_edits};
use crate::side::Side;
use crate::template_authoring::{self, rebuild};
use crate::write_edits::{WrittenFile, channel_edit, not_read};
use crate::{CatalogInput, FileInput, Workbench};
use bundle::{Bundle, Document};
use catalog::{BundleName, Channel, ChannelName, DeprecationTarget, Package, image_identity};
use fbc::{Node, Rewriter, Value};
use go_semver::blang::Version;
use release::{
    Advice, AppliedText, Authored, Form, Intent, ListItem, NewBlob, Policy, Reason, Refusal, Release, release, removal,
};
use serde::de::IgnoredAny;
use source::{CsvForm, FileId, Rewrite, Span};
use std::collections::BTreeMap;
use update_graph::{ChannelEdit, Edit, PackageEdit, version_of};
use views::{CatalogChange, CatalogId, Deprecatee, EdgeGesture, FileEdit, FileKey, Place, TextEdit, Trial};

/// How a bundle is released.
#[derive(Clone, Debug)]
pub struct ReleaseRequest<'r> {
    pub new: &'r NewBundle,
    /// Which edges it gets; an `olm.semver` template computes them.
    pub policy: Option<Policy>,
    /// The channels, or the lists of an `olm.semver` template; those that the bundle names, or else the default channel, if
    /// there are none.
    pub channels: &'r [String],
    /// The policies of single channels.
    pub policies: &'r [(String, Policy)],
    /// The lowest version from which it may be updated to directly.
    pub from: Option<Version>,
    /// How a catalog gets the CSV of the bundle; as its other bundles have theirs, if that is not known.
    pub form: Option<CsvForm>,
}

impl<'r> ReleaseRequest<'r> {
    /// A release in channels, all by one policy.
    #[must_use]
    pub const fn of(new: &'r NewBundle, policy: Option<Policy>, channels: &'r [String]) -> Self {
        Self { new, policy, channels, policies: &[], from: None, form: None }
    }

    /// The policy in a channel.
    pub(crate) fn policy_of(&self, channel: &str) -> Option<Policy> {
        let own = self.policies.iter().find(|(name, _)| name == channel).map(|(_, policy)| *policy);
        own.or(self.policy)
    }
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    pub(crate) channels: Vec<ChannelEdit>,
    /// The lists of an `olm.semver` template that got the image.
    pub(crate) lists: Vec<String>,
    pub files: Vec<WrittenFile>,
}

/// What is done with the versions and channels of a package.
#[derive(Clone, Debug)]
pub enum Authoring<'a> {
    Release(ReleaseRequest<'a>),
    /// A version is taken out of all channels, or stays listed without being offered.
    Remove {
        package: &'a str,
        /// The version, or the name of its bundle.
        version: &'a str,
        stays_listed: bool,
    },
    Deprecate {
        package: &'a str,
        /// A bundle by its name or version.
        what: &'a Deprecatee,
        /// What users are told.
        message: &'a str,
    },
    /// A bundle is added with these entries, whether `opm` accepts that or not.
    Trial {
        new: &'a NewBundle,
        trial: &'a Trial,
    },
    /// The edges of an entry are changed, whether `opm` accepts that or not.
    Edge {
        package: &'a str,
        edit: &'a EdgeGesture,
    },
    /// A fix that was offered under a title is made, whether `opm` accepts the result or not.
    Fix {
        title: &'a str,
        changes: &'a [CatalogChange],
    },
}

impl Authoring<'_> {
    const fn may_be_rejected(&self) -> bool {
        matches!(self, Self::Edge { .. } | Self::Trial { .. } | Self::Fix { .. })
    }
}

/// The edits of texts that make something of a package as it was, and the documents that this is about.
pub struct PackageText {
    pub(crate) edits: Vec<FileEdit>,
    /// The documents that are as they were.
    pub(crate) documents: Vec<Document>,
    /// The schema, package and name of documents that go.
    pub(crate) gone: Vec<[String; 3]>,
}

impl Workbench {
    /// Writes into a catalog what is asked for. Nothing changes unless `opm` accepts the result; what it rejects before, the change may
    /// mend, such as a channel without entries.
    ///
    /// # Errors
    ///
    /// Why it cannot be written, and what to do instead.
    pub fn author(&mut self, id: CatalogId, what: &Authoring<'_>) -> Result<Written, Refusal> {
        let rejected = self.catalog(id).filter(|_| !what.may_be_rejected()).and_then(CatalogInput::why_rejected);
        let rejected = rejected.map(|(text, _)| text.to_owned());
        self.write(id, what).map_err(|refusal| match rejected {
            Some(text) if refusal.reason != Reason::RejectedOtherwise || refusal.sentence.ends_with(&text) => {
                let sentence = format!("`opm` rejects the catalog as it is: {text}");
                let instead = "correct first what `opscope validate` reports";
                Refusal::new(Reason::RejectedOtherwise, sentence, instead)
            }
            _ => self.advised(id, what, refusal),
        })
    }

    pub(crate) fn write(&mut self, id: CatalogId, what: &Authoring<'_>) -> Result<Written, Refusal> {
        let gone = || Refusal::new(Reason::Missing, "the catalog is not open any more", "open it again");
        let package = match what {
            Authoring::Release(request) => &*request.new.bundle.package,
            Authoring::Trial { new, .. } => &*new.bundle.package,
            Authoring::Remove { package, .. }
            | Authoring::Deprecate { package, .. }
            | Authoring::Edge { package, .. } => package,
            Authoring::Fix { title, changes } => return self.make_offered(id, title, changes),
        };
        let catalog = self.catalog(id).ok_or_else(gone)?;
        not_read(catalog).map_or(Ok(()), Err)?;
        let new = match what {
            Authoring::Release(request) => Some(request.new),
            Authoring::Trial { new, .. } => Some(*new),
            _ => None,
        };
        new.map_or(Ok(()), NewBundle::check)?;
        let author = Author { catalog, package };
        let removed = match what {
            Authoring::Remove { version, .. } => Some(author.listed(version)),
            _ => None,
        };
        let deprecated = match what {
            Authoring::Deprecate { what, .. } => Some(match what {
                Deprecatee::Package => DeprecationTarget::Package,
                Deprecatee::Channel(name) => DeprecationTarget::Channel(ChannelName::from(&**name)),
                Deprecatee::Bundle(text) => DeprecationTarget::Bundle(author.listed(text)),
            }),
            _ => None,
        };
        let (mut channels, mut items) = (Vec::new(), Vec::new());
        let mut removed_image = None;
        let edits = match what {
            Authoring::Release(request) => author.release(request, &mut channels, &mut items)?,
            Authoring::Remove { stays_listed, .. } => {
                let name = removed.as_ref().ok_or_else(gone)?;
                let (edits, image) = author.remove(name, *stays_listed, &mut channels, &mut items)?;
                removed_image = image;
                edits
            }
            Authoring::Deprecate { message, .. } => author.deprecate(deprecated.as_ref().ok_or_else(gone)?, message)?,
            Authoring::Trial { new, trial } => {
                channels = trial_edits(catalog, &new.bundle, trial)?;
                author.channels(&channels, Some((&new.bundle, None)))?
            }
            Authoring::Edge { edit, .. } => {
                channels.push(channel_edit(author.model()?, edit).ok_or_else(gone)?);
                author.channels(&channels, None)?
            }
            Authoring::Fix { .. } => Vec::new(),
        };
        let lists: Vec<String> = (items.iter())
            .filter(|item| item.list.len() > 1)
            .filter_map(|item| item.list.first().map(ToString::to_string))
            .collect();
        let is_listed = |bundle: &Bundle| author.model().is_ok_and(|package| is_listed(package, &bundle.name));
        let intent = Intent {
            channels: channels.iter().map(|edit| (package, edit)).collect(),
            bundle: new.map(|new| &new.bundle).filter(|bundle| items.is_empty() && !is_listed(bundle)),
            removed: match what {
                Authoring::Remove { stays_listed: false, .. } if items.is_empty() => {
                    removed.as_ref().map(|name| (package, name))
                }
                _ => None,
            },
            removed_image: removed_image.as_deref(),
            deprecated: match what {
                Authoring::Deprecate { message, .. } => deprecated.as_ref().map(|what| (package, what, *message)),
                _ => None,
            },
            items,
            ..Intent::default()
        };
        let files = self.write_edits(id, &intent, &edits, what.may_be_rejected())?;
        Ok(Written { channels, lists, files })
    }
}

/// A catalog whose texts are edited, and the package that it is about.
pub struct Author<'c> {
    pub catalog: &'c CatalogInput,
    pub package: &'c str,
}

impl<'c> Author<'c> {
    /// The texts that a maintainer writes.
    pub(crate) fn texts(&self) -> Vec<(&'c FileInput, Authored<'c>)> {
        let files = self.catalog.files.iter().filter(|file| file.is_editable() && !file.ignored);
        let text = |file: &'c FileInput| {
            let parse = file.parse();
            (file, Authored::of(FileId(file.key.0), &file.text, &parse.docs, template::kind_of(parse)))
        };
        files.map(text).collect()
    }

    /// The version of a bundle, in the catalog or, if it is gone from there, in the package before a change.
    fn version(&self, old: Option<&Package>, name: &str) -> Option<Version> {
        let name = BundleName::from(name);
        let new = self.catalog.analysis.catalog.package(self.package);
        let has_bundle = |package: &&Package| package.bundle(name.as_str()).is_some();
        let package = new.into_iter().chain(old).find(has_bundle).or(new)?;
        version_of(package, &name)
    }

    /// The text of a channel, or that of the template that it is made of.
    fn text_of(&self, channel: &Channel) -> Result<(&'c FileInput, Authored<'c>), Refusal> {
        let home = self.catalog.file(FileKey(channel.span.file.0)).ok_or_else(not_editable)?;
        if home.expanded_from.is_some() {
            let has_channel = |text: &Authored<'_>| text.has_channel(self.package, channel.name.value.as_str());
            return self.texts().into_iter().find(|(_, text)| has_channel(text)).ok_or_else(not_editable);
        }
        let text = Authored::of_document(&home.text, &home.parse().docs, channel.span);
        Ok((home, text.filter(|_| home.is_editable()).ok_or_else(not_editable)?))
    }

    /// An edit of a channel in its text, or in that of the template that it is made of. Returns the file.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit, or would say something else.
    pub fn edited_channel(
        &self,
        channel: &Channel,
        edit: &ChannelEdit,
        old: Option<&Package>,
    ) -> Result<(FileKey, AppliedText), Refusal> {
        let (file, text) = self.text_of(channel)?;
        Ok((file.key, text.edited(self.package, edit, &|name| self.version(old, name))?))
    }

    /// The places of the entries that are edited; of one that the channel does not list yet, that of the channel.
    pub fn places(&self, channel: &Channel, edits: &[Edit]) -> Result<Vec<Place>, Refusal> {
        let (file, text) = self.text_of(channel)?;
        let listed = text.entries(self.package, channel.name.value.as_str());
        let place = |edit: &Edit| match listed.iter().find(|(_, entry)| entry.name == edit.entry) {
            Some((span, _)) => self.catalog.place(*span),
            None if file.key.0 == channel.span.file.0 => self.catalog.place(channel.span),
            None => self.catalog.place(Span::new(FileId(file.key.0), 0, 0)),
        };
        Ok(edits.iter().map(place).collect())
    }

    /// The edits of a text after which the bundle at a place requires a package in another range.
    ///
    /// # Errors
    ///
    /// If the text is not edited, does not have the range, or would say something else.
    pub fn requirement(&self, place: Span, required: &str, [from, to]: [&str; 2]) -> Result<FileEdit, Refusal> {
        let file =
            self.catalog.file(FileKey(place.file.0)).filter(|file| file.is_editable()).ok_or_else(not_editable)?;
        let text = Authored::of_document(&file.text, &file.parse().docs, place).ok_or_else(not_editable)?;
        Ok(FileEdit { file: file.key, splices: text.requirement(required, [from, to])? })
    }

    /// The edits of a file that make an edit of the package, which was `old` before a change.
    ///
    /// # Errors
    ///
    /// If the text leaves no simple edit, or would say something else.
    pub fn package_edit(&self, before: Side<'_>, old: &Package, edit: &PackageEdit) -> Result<PackageText, Refusal> {
        let new = self.catalog.analysis.catalog.package(self.package);
        let channel = |name: &ChannelName| new.and_then(|new| new.channel(name.as_str()));
        let missing = |names: &[BundleName]| {
            let is_missing = |name: &&BundleName| new.is_none_or(|new| new.bundle(name.as_str()).is_none());
            names.iter().filter(is_missing).filter_map(|name| Some(old.bundle(name.as_str())?.span)).collect::<Vec<_>>()
        };
        let mut names_gone = Vec::new();
        let (file, edits, spans) = match edit {
            PackageEdit::Entries(edit) => {
                let (file, text) = self.edited_channel(channel(&edit.channel).ok_or_else(not_editable)?, edit, None)?;
                (file, text.edits, Vec::new())
            }
            PackageEdit::Restore { channel: name, names } => {
                let was = old.channel(name.as_str()).ok_or_else(not_editable)?;
                let edit = PackageEdit::restored(was, names);
                let found = channel(name).ok_or_else(not_editable)?;
                let (file, text) = self.edited_channel(found, &edit, Some(old))?;
                (file, text.edits, missing(names))
            }
            PackageEdit::KeepChannel(name) => {
                let was = old.channel(name.as_str()).ok_or_else(not_editable)?;
                let file = self.home(before, old, channel(name).map(|channel| channel.span))?;
                // What goes: the channel as it is now, and the bundles that it alone lists.
                let kept = edit.applied(new, old);
                let bundles = new.into_iter().flat_map(|new| &new.bundles);
                let gone = bundles.filter(|bundle| kept.bundle(bundle.name.value.as_str()).is_none());
                let key = |schema: &str, name: &str| [schema, self.package, name].map(str::to_owned);
                names_gone.extend(channel(name).map(|_| key("olm.channel", name.as_str())));
                names_gone.extend(gone.clone().map(|bundle| key("olm.bundle", bundle.name.value.as_str())));
                let gone = channel(name).map(|channel| channel.span).into_iter().chain(gone.map(|bundle| bundle.span));
                let gone: Vec<Rewrite> = gone.map(|span| Rewrite::RemoveDocument { span }).collect();
                if gone.iter().any(|change| change.span().file.0 != file.key.0) {
                    return Err(not_editable());
                }
                let edits = Rewriter::new(&file.text, &file.parse().docs).edits(&gone).ok_or_else(not_editable)?;
                let names: Vec<BundleName> = was.entries.iter().map(|entry| entry.name.value.clone()).collect();
                (file.key, edits, std::iter::once(was.span).chain(missing(&names)).collect())
            }
            PackageEdit::KeepPackage => {
                let parts = old.channels.iter().map(|channel| channel.span);
                let parts = parts.chain(old.bundles.iter().map(|bundle| bundle.span));
                (self.home(before, old, None)?.key, Vec::new(), old.declared.into_iter().chain(parts).collect())
            }
        };
        let documents: Option<Vec<(NewBlob, Document)>> =
            spans.into_iter().map(|span| document(before, span)).collect();
        let file = self.catalog.file(file).ok_or_else(not_editable)?;
        let (blobs, documents): (Vec<NewBlob>, Vec<Document>) = documents.ok_or_else(not_editable)?.into_iter().unzip();
        if !documents.is_empty() && template::kind_of(file.parse()).is_some() {
            return Err(not_editable());
        }
        let edits = with_documents(vec![FileEdit { file: file.key, splices: edits }], file, &blobs);
        Ok(PackageText { edits, documents, gone: names_gone })
    }

    /// The file that something of the package is written into: the one of a place, else that of the package, else the one of the
    /// same path as before the change.
    fn home(&self, before: Side<'_>, old: &Package, place: Option<Span>) -> Result<&'c FileInput, Refusal> {
        let new = self.catalog.analysis.catalog.package(self.package);
        if let Some(span) = place.or_else(|| new.and_then(Package::span)) {
            let file = self.catalog.file(FileKey(span.file.0));
            return file.filter(|file| file.is_editable()).ok_or_else(not_editable);
        }
        let path = old.span().and_then(|span| Some(&before.input.file(FileKey(span.file.0))?.path));
        let files = || self.catalog.files.iter().filter(|file| file.is_editable() && !file.ignored);
        files().find(|file| Some(&file.path) == path).or_else(|| files().next()).ok_or_else(not_editable)
    }

    /// The first entry with this name or version; else the text is its name.
    fn listed(&self, text: &str) -> BundleName {
        let package = self.catalog.analysis.catalog.package(self.package);
        let found = package.and_then(|package| {
            let mut entries =
                package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &entry.name.value);
            entries.find(|name| {
                name.as_str() == text || version_of(package, name).is_some_and(|version| version.to_string() == text)
            })
        });
        found.cloned().unwrap_or_else(|| BundleName::from(text))
    }

    pub(crate) fn model(&self) -> Result<&'c Package, Refusal> {
        if self.catalog.bundle_tree.is_some() {
            return Err(made_of_bundles());
        }
        self.catalog.analysis.catalog.package(self.package).ok_or_else(|| {
            let sentence = format!("the catalog has no package `{}`", self.package);
            Refusal::new(Reason::Missing, sentence, "write its `olm.package` and `olm.channel` documents first")
        })
    }

    /// The edits that release a bundle. Adds what they change in channels, and the items that lists of a template get.
    fn release(
        &self,
        request: &ReleaseRequest<'_>,
        channels: &mut Vec<ChannelEdit>,
        items: &mut Vec<ListItem>,
    ) -> Result<Vec<FileEdit>, Refusal> {
        let bundle = &request.new.bundle;
        let version = Version::parse(&bundle.version).map_err(|error| {
            let sentence = format!("`{}` is no version: {error}", bundle.version);
            Refusal::new(Reason::Missing, sentence, "give the bundle a semantic version")
        })?;
        let texts = self.texts();
        if let Some((file, text)) = template_authoring::template(&texts) {
            return template_authoring::released((file, text), request, &version, items);
        }
        let unknown = || {
            let sentence = "nothing says which edges the new version gets";
            Refusal::new(Reason::Missing, sentence, "choose them with `--policy`")
        };
        let package = self.model()?;
        if request.policy == Some(Policy::Rebuild) {
            return rebuild(&texts, package, bundle, items);
        }
        let named = || bundle.channels.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
        let default = || package.default_channel.iter().map(|name| name.value.to_string());
        let mut names: Vec<String> = request.channels.to_vec();
        if names.is_empty() {
            names = named().collect();
        }
        if names.is_empty() {
            names = default().collect();
        }
        let new = Release { name: BundleName::from(&*bundle.name), version, from: request.from.clone() };
        for name in &names {
            let policy = request.policy_of(name).ok_or_else(unknown)?;
            self.check_version(package, bundle, policy, &new.version)?;
            channels.push(release(policy, package, &ChannelName::from(&**name), &new)?);
        }
        let is_new = !is_listed(package, &bundle.name);
        self.channels(channels, is_new.then_some((bundle, request.form)))
    }

    /// Whether the package has the version already, as a promotion needs, a hotfix may, and other releases must not.
    fn check_version(
        &self,
        package: &Package,
        bundle: &Bundle,
        policy: Policy,
        version: &Version,
    ) -> Result<(), Refusal> {
        let mut listed = package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &entry.name.value);
        let same =
            |name: &&BundleName| name.as_str() == bundle.name || version_of(package, name).as_ref() == Some(version);
        let Some(name) = listed.find(same) else {
            if policy != Policy::Promote {
                return Ok(());
            }
            let sentence = format!("no channel of `{}` lists `{}`", self.package, bundle.name);
            return Err(Refusal::new(Reason::Missing, sentence, "release its bundle first").not_for_it());
        };
        let image = package.bundle(name.as_str()).and_then(|bundle| bundle.image.as_ref());
        let is_other = image.is_some_and(|image| {
            !bundle.image.is_empty() && image_identity(&image.value) != image_identity(&bundle.image)
        });
        let is_added = matches!(policy, Policy::Promote | Policy::Hotfix | Policy::SkippedHotfix);
        if is_added && name.as_str() == bundle.name && !is_other {
            return Ok(());
        }
        let sentence = match image.filter(|_| is_added && is_other) {
            Some(image) => format!("the package has `{name}` already, with the image `{}`", image.value),
            None => format!("the package has version {version} already, as `{name}`"),
        };
        let refusal = Refusal::new(Reason::AlreadyListed, sentence, "give the release a version of its own");
        Err(refusal.advising(None, [Advice::Policy(Policy::Promote), Advice::Policy(Policy::Hotfix)]))
    }

    /// The edits that remove a bundle, and the image of a template that goes with it. Adds what they change in channels.
    fn remove(
        &self,
        name: &BundleName,
        stays_listed: bool,
        channels: &mut Vec<ChannelEdit>,
        items: &mut Vec<ListItem>,
    ) -> Result<(Vec<FileEdit>, Option<String>), Refusal> {
        if let Some((file, text)) = template_authoring::template(&self.texts()) {
            let edits = template_authoring::removed(self.catalog, (file, text), name, stays_listed, items)?;
            return Ok((edits, None));
        }
        let package = self.model()?;
        let edits = |channel| removal(package, channel, name, stays_listed).transpose();
        let edits = package.channels.iter().filter_map(edits);
        channels.extend(edits.collect::<Result<Vec<ChannelEdit>, _>>()?);
        if channels.is_empty() {
            let sentence = format!("no channel of `{}` lists `{name}`", self.package);
            return Err(Refusal::new(Reason::Missing, sentence, "give the version or the name of an entry"));
        }
        let mut edits = self.channels(channels, None)?;
        let image = if stays_listed { None } else { self.image_of(name)? };
        if !stays_listed {
            for (file, text) in self.texts() {
                edits.push(FileEdit {
                    file: file.key,
                    splices: text.without_bundle(self.package, name, image.as_deref())?,
                });
            }
        }
        Ok((edits, image))
    }

    fn deprecate(&self, what: &DeprecationTarget, message: &str) -> Result<Vec<FileEdit>, Refusal> {
        let texts = self.texts();
        let has = |schema: &str| texts.iter().find(|(_, text)| text.has_blob(schema, self.package));
        if let (None, Some((_, text))) = (has("olm.deprecations"), template_authoring::template(&texts)) {
            text.deprecate(self.package, what, message)?;
        }
        let package = self.model()?;
        let is_there = match what {
            DeprecationTarget::Package => true,
            DeprecationTarget::Channel(name) => package.channel(name.as_str()).is_some(),
            DeprecationTarget::Bundle(name) => {
                let mut channels = package.channels.iter();
                package.bundle(name.as_str()).is_some()
                    || channels.any(|channel| channel.entry(name.as_str()).is_some())
            }
        };
        if let Some(name) = what.name().filter(|_| !is_there) {
            let sentence = format!("cannot deprecate `{name}`: package `{}` does not have it", self.package);
            return Err(Refusal::new(Reason::Missing, sentence, "name a channel or a bundle of the package"));
        }
        let of_package = ["olm.deprecations", "olm.package", "olm.channel"].into_iter().find_map(has);
        let Some((file, text)) = of_package.or(texts.first()) else { return Err(not_editable()) };
        let (edits, blob) = text.deprecate(self.package, what, message)?;
        Ok(with_documents(vec![FileEdit { file: file.key, splices: edits }], file, blob.as_slice()))
    }

    /// The edits that change channels, and add the document of a bundle, or its image in a template.
    pub(crate) fn channels(
        &self,
        edits: &[ChannelEdit],
        released: Option<(&Bundle, Option<CsvForm>)>,
    ) -> Result<Vec<FileEdit>, Refusal> {
        let package = self.model()?;
        let texts = self.texts();
        let own = released.and_then(|(bundle, _)| Some((&*bundle.name, Version::parse(&bundle.version).ok()?)));
        let version = |name: &str| match &own {
            Some((new, version)) if *new == name => Some(version.clone()),
            _ => version_of(package, &BundleName::from(name)),
        };
        let home = package.span().and_then(|span| texts.iter().find(|(file, _)| file.key == FileKey(span.file.0)));
        let has = |schema: &str| texts.iter().rev().find(|(_, text)| text.has_blob(schema, self.package));
        let mut written = Vec::new();
        let mut new: BTreeMap<FileKey, Vec<NewBlob>> = BTreeMap::new();
        for edit in edits {
            let own = texts.iter().find(|(_, text)| text.has_channel(self.package, edit.channel.as_str()));
            let (file, text) = own.or_else(|| has("olm.channel")).or(home).ok_or_else(not_editable)?;
            let (splices, blob) = text.channel(self.package, edit, &version)?;
            written.push(FileEdit { file: file.key, splices });
            new.entry(file.key).or_default().extend(blob);
        }
        if let Some((bundle, form)) = released {
            let like = has("olm.bundle").or_else(|| has("olm.channel"));
            let (file, text) = like.or(home).or(texts.first()).ok_or_else(not_editable)?;
            match text.form {
                Form::Template(_) => {
                    written.push(FileEdit { file: file.key, splices: vec![text.image(image(bundle)?)?] });
                }
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
                    let has_metadata = file.text.contains(CsvForm::Metadata.property());
                    let of_others = if has_metadata { CsvForm::Metadata } else { CsvForm::Objects };
                    let bundle = match form.unwrap_or(of_others) {
                        CsvForm::Metadata => bundle.clone().migrated(),
                        CsvForm::Objects => bundle.clone(),
                    };
                    new.entry(file.key).or_default().insert(0, rendered(&bundle)?);
                }
            }
        }
        for (key, documents) in new.iter().filter(|(_, documents)| !documents.is_empty()) {
            let file = self.catalog.file(*key).ok_or_else(not_editable)?;
            written = with_documents(written, file, documents);
        }
        Ok(written)
    }
}

/// Whether a package has a bundle, whose image may not be known.
fn is_listed(package: &Package, name: &str) -> bool {
    package.bundle(name).is_some() || package.channels.iter().any(|channel| channel.entry(name).is_some())
}

/// The document of a bundle, as `opm render` prints it.
fn rendered(bundle: &Bundle) -> Result<NewBlob, Refusal> {
    let document = bundle.document();
    let refused = |error| Refusal::new(Reason::NotExpressible, error, "write the document by hand");
    let yaml = document.to_yaml().map_err(refused)?;
    Ok(NewBlob { json: document.to_json(), yaml: yaml.strip_prefix("---\n").unwrap_or(&yaml).to_owned() })
}

/// The same edits with documents at the end of a file, in its format.
fn with_documents(mut edits: Vec<FileEdit>, file: &FileInput, documents: &[NewBlob]) -> Vec<FileEdit> {
    if documents.is_empty() {
        return edits;
    }
    // Mappings in braces that are not JSON are documents of YAML. `opm` decides by the first value for the whole file.
    let mut values = serde_json::Deserializer::from_str(&file.text).into_iter::<IgnoredAny>();
    let is_json = values.next().is_some_and(|value| value.is_ok());
    let mut text = if file.text.ends_with('\n') || file.text.is_empty() { String::new() } else { "\n".to_owned() };
    for NewBlob { json, yaml } in documents {
        text += &if is_json { fbc::json_like(&file.text, json) + "\n" } else { format!("---\n{yaml}") };
    }
    let end = file.text.len() as u32;
    let edit = TextEdit { start: end, end, text: fbc::with_line_ends(&file.text, end, &text) };
    edits.push(FileEdit { file: file.key, splices: vec![edit] });
    edits
}

pub(crate) fn image(bundle: &Bundle) -> Result<&str, Refusal> {
    if bundle.image.is_empty() {
        let sentence = "a template names the bundle by its image, which the directory does not say";
        return Err(Refusal::new(Reason::Missing, sentence, "give it with `--image`"));
    }
    Ok(&bundle.image)
}

/// A document of the state before a change, to be written behind others. `None` if its text is not kept.
fn document(before: Side<'_>, span: Span) -> Option<(NewBlob, Document)> {
    let text = before.text(span.file)?;
    let document = bundle::catalog_document(&Node { span, value: Value::Unopened }.open(&text).ok()?, &text).ok()?;
    let yaml = text.get(span.start as usize..span.end as usize)?.trim_end();
    Some((NewBlob { json: document.json.clone(), yaml: format!("{yaml}\n") }, document))
}

pub(crate) fn not_editable() -> Refusal {
    Refusal::new(Reason::NotEditable, "no file of the catalog is plain text", "convert it to UTF-8")
}
/// Why nothing is written into what is made of bundle directories.
pub(crate) fn made_of_bundles() -> Refusal {
    let sentence = "the catalog is made of bundle directories, and published ones are not edited";
    let instead = "write the edges into the CSV of the new bundle, or convert the operator to a file-based catalog";
    Refusal::new(Reason::NotEditable, sentence, instead)
}
