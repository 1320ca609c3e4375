//! Releases, removals and deprecations, written into the texts of a catalog that is open.

use crate::comparison::words::happens;
use crate::comparison::{Comparison, Scope, Side};
use crate::new_bundle::{NewBundle, trial_edits};
use crate::queries::channel_edit;
use crate::repairs::RepairedText;
use crate::write_edits::{Splice, WrittenFile};
use crate::{CatalogInput, FileInput, Workbench};
use bundle::Bundle;
use catalog::{BundleName, Channel, ChannelName, Package};
use compare::{Level, Levels};
use fbc::TextEdit;
use go_semver::blang::Version;
use release::{Authored, ChannelEdit, Deprecated, Form, Intent, NewBlob, NewItem, Policy, Release, release, removal};
use repair::{AppliedText, Edit, Reason, Refusal, Repair, diff};
use serde::de::IgnoredAny;
use source::{FileId, Span};
use std::collections::BTreeMap;
use template::TemplateKind;
use update_graph::version_of;
use views::{CatalogId, EdgeEdit, FileKey, Trial};

/// How a bundle is released.
#[derive(Clone, Debug)]
pub struct ReleaseRequest<'r> {
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
    pub files: Vec<WrittenFile>,
}

/// What is done with the versions and channels of a package.
#[derive(Clone, Debug)]
pub enum Authoring<'a> {
    Release(ReleaseRequest<'a>),
    /// A version is taken out of all channels, or stays listed without being offered.
    Remove {
        package: &'a str,
        name: BundleName,
        /// Whether its entries stay.
        stays_listed: bool,
    },
    Deprecate {
        package: &'a str,
        what: Deprecated,
        /// What users are told.
        message: &'a str,
    },
    /// A bundle is added with these entries, whether `opm` accepts that or not.
    Trial {
        new: &'a NewBundle,
        /// Its entries.
        trial: &'a Trial,
    },
    /// The edges of an entry are changed, whether `opm` accepts that or not.
    Edge {
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
        let may_be_rejected = matches!(what, Authoring::Edge { .. } | Authoring::Trial { .. });
        if let Some((text, _)) = catalog.why_rejected().filter(|_| !may_be_rejected) {
            let sentence = format!("`opm` rejects the catalog as it is: {text}");
            return Err(Refusal::new(
                Reason::RejectedOtherwise,
                sentence,
                "repair it first: `opscope validate`, `opscope repair`",
            ));
        }
        let package = match what {
            Authoring::Release(request) => &*request.new.bundle.package,
            Authoring::Trial { new, .. } => &*new.bundle.package,
            Authoring::Remove { package, .. }
            | Authoring::Deprecate { package, .. }
            | Authoring::Edge { package, .. } => package,
        };
        let new = match what {
            Authoring::Release(request) => Some(request.new),
            Authoring::Trial { new, .. } => Some(*new),
            _ => None,
        };
        new.map_or(Ok(()), NewBundle::check_read)?;
        let author = Author { catalog, package };
        let (mut channels, mut items) = (Vec::new(), Vec::new());
        let splices = match what {
            Authoring::Release(request) => author.release(request, &mut channels, &mut items)?,
            Authoring::Remove { name, stays_listed, .. } => author.remove(name, *stays_listed, &mut channels)?,
            Authoring::Deprecate { what, message, .. } => author.deprecate(what, message)?,
            Authoring::Trial { new, trial } => {
                channels = trial_edits(catalog, &new.bundle, trial)?;
                author.channels(&channels, Some(&new.bundle))?
            }
            Authoring::Edge { edit, .. } => {
                channels.push(channel_edit(author.model()?, edit).ok_or_else(gone)?);
                author.channels(&channels, None)?
            }
        };
        let is_listed = |bundle: &Bundle| author.model().is_ok_and(|package| package.bundle(&bundle.name).is_some());
        let intent = Intent {
            channels: channels.iter().map(|edit| (package, edit)).collect(),
            bundle: new.map(|new| &new.bundle).filter(|bundle| items.is_empty() && !is_listed(bundle)),
            removed: match what {
                Authoring::Remove { name, stays_listed: false, .. } => Some((package, name)),
                _ => None,
            },
            deprecated: match what {
                Authoring::Deprecate { what, message, .. } => Some((package, what, *message)),
                _ => None,
            },
            items,
        };
        let files = self.write_edits(id, &intent, splices, may_be_rejected)?;
        Ok(Written { channels, files })
    }

    /// What the edits of a catalog since it was opened do to installed versions, as sentences, and the worst level of that.
    #[must_use]
    pub fn effects_of_edits(&self, id: CatalogId) -> (Vec<String>, Option<Level>) {
        let Some(catalog) = self.catalog(id) else { return (Vec::new(), None) };
        let levels = Levels::default();
        let comparison = Comparison::of(Side::opened(catalog), Side::present(catalog), &levels, Scope::default());
        let texts = comparison
            .shown()
            .map(|found| format!("{}: {}", found.found.package, happens(&comparison, found)))
            .collect();
        let worst = comparison.packages.iter().filter_map(|found| comparison.worst(found)).max();
        (texts, worst)
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
        let edit = ChannelEdit::of(&channel.name.value, edits);
        let (found, _) = text.channel(self.package, &edit, &|_| None).ok()?;
        let mut new = file.text.clone();
        for TextEdit { span, text } in found.iter().rev() {
            new.replace_range(span.start as usize..span.end as usize, text);
        }
        let id = FileId(file.key.0);
        let after = Authored::of(id, &new, &[], template::kind_of(&fbc::parse(id, &new)));
        let intent = Intent { channels: vec![(self.package, &edit)], ..Intent::default() };
        if !intent.is_difference_of(&[(text, &after)]) {
            return None;
        }
        let listed = text.entries(self.package, name);
        let place = |edit: &Edit| {
            let found = listed.iter().find(|(_, entry)| entry.name == edit.entry);
            self.catalog.place(found.map_or(Span::new(id, 0, 0), |(span, _)| *span))
        };
        let diff = diff(&file.text, &new);
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

    /// The edits that release a bundle. Adds what they change in channels, and the items that lists of a template get.
    fn release(
        &self,
        request: &ReleaseRequest<'_>,
        channels: &mut Vec<ChannelEdit>,
        items: &mut Vec<NewItem>,
    ) -> Result<Vec<Splice>, Refusal> {
        let bundle = &request.new.bundle;
        let version = Version::parse(&bundle.version).map_err(|error| {
            let sentence = format!("`{}` is no version: {error}", bundle.version);
            Refusal::new(Reason::Missing, sentence, "give the bundle a semantic version")
        })?;
        let texts = self.texts();
        let of_semver = |(_, text): &&(&FileInput, Authored<'_>)| text.form == Form::Template(TemplateKind::Semver);
        if let Some((file, text)) = texts.iter().find(of_semver) {
            return semver(file, text, request, &version, items);
        }
        let package = self.model()?;
        if request.policy == Policy::Rebuild {
            return rebuild(&texts, package, bundle, items);
        }
        self.check_version(package, request, &version)?;
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
        let edits = names.iter().map(|name| release(request.policy, package, &ChannelName::from(&**name), &new));
        channels.extend(edits.collect::<Result<Vec<ChannelEdit>, _>>()?);
        let is_new = package.bundle(&bundle.name).is_none();
        self.channels(channels, is_new.then_some(bundle))
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

    /// The edits that remove a bundle. Adds what they change in channels.
    fn remove(
        &self,
        name: &BundleName,
        stays_listed: bool,
        channels: &mut Vec<ChannelEdit>,
    ) -> Result<Vec<Splice>, Refusal> {
        let package = self.model()?;
        let edits = package.channels.iter().filter_map(|channel| removal(channel, name, stays_listed).transpose());
        channels.extend(edits.collect::<Result<Vec<ChannelEdit>, _>>()?);
        if channels.is_empty() {
            let sentence = format!("no channel of `{}` lists `{name}`", self.package);
            return Err(Refusal::new(Reason::Missing, sentence, "give the version or the name of an entry"));
        }
        let mut splices = self.channels(channels, None)?;
        if !stays_listed {
            for (file, text) in self.texts() {
                let found = text.without_bundle(self.package, name)?;
                splices.extend(found.into_iter().map(|edit| splice(file, edit)));
            }
        }
        Ok(splices)
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
                let mut channels = package.channels.iter();
                package.bundle(name.as_str()).is_some()
                    || channels.any(|channel| channel.entry(name.as_str()).is_some())
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
                    // From OpenShift 4.17 on, catalogs have metadata in the place of manifests (operator-pipelines
                    // `docs/users/fbc_workflow.md`).
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

/// Adds the image to the lists of an `olm.semver` template, which computes the edges.
fn semver(
    file: &FileInput,
    text: &Authored<'_>,
    request: &ReleaseRequest<'_>,
    version: &Version,
    items: &mut Vec<NewItem>,
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
    let item = |list: &String| NewItem {
        list: vec![list.clone(), "bundles".to_owned()],
        fields: vec![("image", image.to_owned())],
    };
    items.extend(request.channels.iter().map(item));
    request.channels.iter().map(|list| Ok(splice(file, text.semver_image(list, image, version)?))).collect()
}

/// Names the image of a new build of a bundle that the package has.
fn rebuild(
    texts: &[(&FileInput, Authored<'_>)],
    package: &Package,
    bundle: &Bundle,
    items: &mut Vec<NewItem>,
) -> Result<Vec<Splice>, Refusal> {
    let is_there = package.bundle(&bundle.name).is_some()
        || package.channels.iter().any(|channel| channel.entry(&bundle.name).is_some());
    if !is_there {
        let sentence = format!("the package has no bundle `{}` to be built again", bundle.name);
        return Err(Refusal::new(Reason::Missing, sentence, "name the bundle whose place it takes with `--name`"));
    }
    let image = image(bundle)?;
    let of_form = |(_, text): &&(&FileInput, Authored<'_>)| text.form == Form::Template(TemplateKind::Substitutes);
    let (file, text) = texts.iter().find(of_form).or(texts.first()).ok_or_else(not_editable)?;
    items.push(NewItem {
        list: vec!["substitutions".to_owned()],
        fields: vec![("name", image.to_owned()), ("base", bundle.name.clone())],
    });
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
