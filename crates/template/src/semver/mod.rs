//! Expands `olm.semver`: makes channels from the versions of bundles (`alpha/template/semver/semver.go`).

mod bundles;
mod read;

use crate::expand::{Budget, Report, TooLarge};
use crate::images::{CatalogBundle, describe, not_found};
use crate::{Channel, Document, Entry, ExpandedCatalog, Expansion, Images, Package, TemplateKind, origins};
use bundles::Member;
use fbc::YamlDocument;
use go_semver::blang::Version;
use read::Template;
use source::{Diagnostic, Rule, Span, Spanned};
use std::cmp::Ordering;
use std::collections::BTreeMap;

pub(crate) fn expand(text: &str, document: YamlDocument, images: &Images<'_>) -> Expansion {
    let mut report = Report::default();
    let place = document.node.span.at_start();
    let template = read::read(text, document, &mut report);
    let (rendered, missing) = render(&template, images, &mut report);
    if rendered.is_empty() && missing.is_empty() {
        let finding = Diagnostic::new(Rule::InvalidTemplate, place, "the template lists no bundles");
        report.reject(
            finding
                .with_opm("render: no bundles specified or no bundles could be rendered")
                .with_help("list images under `candidate`, `fast` or `stable`, as `bundles: [{image: ...}]`"),
        );
    }
    let (package, members) = bundles::members(&template, &rendered, &mut report);
    let catalog = match build(&template, &package, &members, Budget::of(images.bytes + text.len())) {
        Ok(catalog) => catalog,
        Err(too_large) => {
            report.reject_too_large(too_large.diagnostic(place));
            None
        }
    };
    report.expansion(TemplateKind::Semver, missing, catalog)
}

/// The result for a text that is not YAML.
pub(crate) fn broken(mut fault: Diagnostic) -> Expansion {
    fault.opm = fault.opm.map(|words| format!("{UNREADABLE}{words}"));
    let mut report = Report::default();
    report.reject(fault);
    report.expansion(TemplateKind::Semver, Vec::new(), None)
}

type Missing = Vec<Spanned<Box<str>>>;

/// The bundles of all images, and the images that no loaded catalog has.
fn render<'a>(
    template: &Template,
    images: &Images<'a>,
    report: &mut Report,
) -> (BTreeMap<Box<str>, CatalogBundle<'a>>, Missing) {
    let mut rendered = BTreeMap::new();
    let mut missing: BTreeMap<&str, &Spanned<Box<str>>> = BTreeMap::new();
    let mut order = Vec::new();
    for image in template.lists.iter().flatten() {
        if rendered.contains_key(&image.value) || missing.contains_key(&*image.value) {
            continue;
        }
        match images.get(&image.value) {
            Some(bundle) => {
                images.ambiguous(image).into_iter().for_each(|finding| report.note(finding));
                rendered.insert(image.value.clone(), bundle);
            }
            None => {
                missing.insert(&image.value, image);
                order.push(image.clone());
                if image.value.is_empty() {
                    report.note(no_image(image));
                }
                report.needs_registry(not_found(&image.value));
            }
        }
    }
    (rendered, order)
}

fn no_image(image: &Spanned<Box<str>>) -> Diagnostic {
    Diagnostic::new(Rule::MissingField, image.span, "the bundle has no `image`")
        .with_help("add the `image` of the bundle, or remove the entry")
}

/// The catalog of the bundles that can be ordered; `None` if there are none.
fn build(
    template: &Template,
    package: &str,
    members: &[Vec<Member<'_>>; 3],
    mut budget: Budget,
) -> Result<Option<ExpandedCatalog>, TooLarge> {
    if members.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let made = channels(template, package, members, &mut budget)?;
    let last = made.channels.iter().find(|channel| channel.name == made.default_channel);
    let head = last.and_then(|channel| channel.entries.last()).and_then(|entry| {
        members.iter().flatten().find(|member| *member.name == *entry.name).map(|member| member.bundle)
    });
    let (description, icon) = head.map(describe).unwrap_or_default();
    let package = Package { name: package.into(), default_channel: made.default_channel, description, icon };
    let mut documents = vec![Document::of_package(&package)];
    documents.extend(made.channels.iter().map(Document::of_channel));
    let bundles: BTreeMap<Span, CatalogBundle<'_>> =
        members.iter().flatten().map(|member| (member.bundle.span, member.bundle)).collect();
    for bundle in bundles.into_values() {
        documents.push(bundle_document(bundle, &mut budget)?);
    }
    Ok(Some(ExpandedCatalog::new(vec![package], made.channels, documents)))
}

/// The document of a bundle, with the text of the catalog that it was found in.
pub(crate) fn bundle_document(bundle: CatalogBundle<'_>, budget: &mut Budget) -> Result<Document, TooLarge> {
    let text = origins::document(bundle.text, bundle.span);
    budget.spend(text.len())?;
    Ok(Document { schema: "olm.bundle".into(), package: bundle.package().into(), name: bundle.name().into(), text })
}

// Makes the channels, their edges and the default channel (`generateChannels`, `linkChannels`).

/// The bytes of an entry without its names.
const ENTRY_BYTES: usize = 64;

/// The channels, sorted by name, and which of them is the default.
#[derive(Debug)]
pub(super) struct Channels {
    pub(super) channels: Vec<Channel>,
    /// Empty when no channel rises above the first mark.
    pub(super) default_channel: Box<str>,
}

/// Makes the channels. The bundles of each archetype have distinct, ascending versions.
fn channels(
    template: &Template,
    package: &str,
    members: &[Vec<Member<'_>>; 3],
    budget: &mut Budget,
) -> Result<Channels, TooLarge> {
    let mut channels: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let mut mark = HighWater::start();
    for (archetype, members) in Archetype::ALL.into_iter().zip(members) {
        for &stream in &template.streams {
            // opm never links major versions, archetypes or types of channels with each other.
            for major in members.chunk_by(|one, other| one.version.major() == other.version.major()) {
                for (member, entry) in major.iter().zip(linked(major, budget)?) {
                    let name = channel_name(archetype, stream, &member.version);
                    let entries = channels.entry(name.clone()).or_insert_with(|| {
                        mark.rise(
                            HighWater { archetype, version: &member.version, stream: Some(stream), name },
                            template,
                        );
                        Vec::new()
                    });
                    entries.push(entry);
                }
            }
        }
    }
    let default_channel = mark.name.into();
    let channel =
        |(name, entries): (String, Vec<Entry>)| Channel { name: name.into(), package: package.into(), entries };
    Ok(Channels { channels: channels.into_iter().map(channel).collect(), default_channel })
}

fn channel_name(archetype: Archetype, stream: StreamType, version: &Version) -> String {
    let (archetype, major) = (archetype.name(), version.major());
    match stream {
        StreamType::Major => format!("{archetype}-v{major}"),
        StreamType::Minor => format!("{archetype}-v{major}.{}", version.minor()),
    }
}

/// The entries of one major version. The highest of each minor version replaces the highest of the one before and skips
/// everything else below it; the others have no edges. Edges go from channel to channel where each is of one minor
/// version.
fn linked(members: &[Member<'_>], budget: &mut Budget) -> Result<Vec<Entry>, TooLarge> {
    let mut entries: Vec<Entry> = Vec::with_capacity(members.len());
    let mut previous: Option<&str> = None;
    let mut below = 0;
    for minor in members.chunk_by(|one, other| one.version.minor() == other.version.minor()) {
        let Some((head, others)) = minor.split_last() else { continue };
        let first = entries.len();
        entries.extend(others.iter().map(|member| Entry { name: member.name.into(), ..Entry::default() }));
        below += others.iter().map(|member| member.name.len() + ENTRY_BYTES).sum::<usize>();
        budget.spend(below + head.name.len() + ENTRY_BYTES)?;
        let lower = members[..first + others.len()].iter().map(|member| member.name);
        let mut skips: Vec<Box<str>> = lower.filter(|name| Some(*name) != previous).map(Into::into).collect();
        skips.sort();
        let replaces = previous.map(Into::into);
        entries.push(Entry { name: head.name.into(), replaces, skips, skip_range: None });
        below += head.name.len() + ENTRY_BYTES;
        previous = Some(head.name);
    }
    Ok(entries)
}

/// The best channel so far. `opm` compares a channel when it makes it, that is, by its lowest bundle.
struct HighWater<'a> {
    archetype: Archetype,
    version: &'a Version,
    /// Absent before the first channel.
    stream: Option<StreamType>,
    name: String,
}

/// The mark that the first channel has to exceed. A lone `0.0.0-alpha` does not, and leaves no default channel.
static START: Version = Version::new(0, 0, 0);

impl<'a> HighWater<'a> {
    fn start() -> Self {
        Self { archetype: Archetype::Candidate, version: &START, stream: None, name: String::new() }
    }

    fn rise(&mut self, candidate: Self, template: &Template) {
        if candidate.order(self, template.preference) == Ordering::Greater {
            *self = candidate;
        }
    }

    /// Archetype, then version, then the preferred kind of channel, then minor before major.
    fn order(&self, other: &Self, preference: StreamType) -> Ordering {
        let by_stream = |mark: &Self| (mark.stream == Some(preference), mark.stream);
        let by_trust = self.archetype.cmp(&other.archetype).then_with(|| self.version.cmp(other.version));
        by_trust.then_with(|| by_stream(self).cmp(&by_stream(other)))
    }
}

// The kinds of channels that a template generates.

/// The prefix of `opm`'s errors about the text.
pub(super) const UNREADABLE: &str = "render: unable to read file: ";

/// A level of maturity, in `opm`'s order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Archetype {
    Candidate,
    Fast,
    Stable,
}

impl Archetype {
    pub(super) const ALL: [Self; 3] = [Self::Candidate, Self::Fast, Self::Stable];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Fast => "fast",
            Self::Stable => "stable",
        }
    }
}

/// Whether a channel has the bundles of a major or of a minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StreamType {
    Major,
    Minor,
}
