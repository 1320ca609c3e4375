//! What a mirror has of a catalog, as a model and as text. Edges stay as they are: what an entry replaces or skips may be gone.

use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Channel, ChannelName, DeprecationTarget, Package};
use fbc::raw::{RawChannel, RawDeprecations, RawDoc, RawPackage};
use fbc::{Doc, Parse, Value, json_member, parse, plain, to_yaml, untyped_values};
use source::{FileId, Span, Spanned};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a mirror has of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub packages: BTreeMap<PackageName, KeptPackage>,
    /// Whether the configuration names packages, so that all others are left out on purpose.
    pub is_selection: bool,
    /// Whether it has `olm.deprecations` and documents of other schemas.
    pub has_all_schemas: bool,
}

/// What a mirror has of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPackage {
    /// The default channel that takes the place of the one of the catalog.
    pub default_channel: Option<ChannelName>,
    pub channels: BTreeMap<ChannelName, BTreeSet<BundleName>>,
    pub bundles: BTreeSet<BundleName>,
    /// The channels that the configuration selects, also those that are empty within their bounds: `olm.deprecations` are cut
    /// to these.
    pub(crate) selected: BTreeSet<ChannelName>,
}

impl Kept {
    /// The catalog that a mirror serves.
    #[must_use]
    pub fn catalog(&self, full: &Catalog) -> Catalog {
        let package = |package: &Arc<Package>| {
            let mut kept = self.packages.get(&package.name)?.package(package);
            if !self.has_all_schemas {
                kept.deprecations.clear();
                kept.lifecycles.clear();
            }
            Some(Arc::new(kept))
        };
        let keeps_unmatched = self.has_all_schemas && !self.is_selection;
        Catalog {
            packages: full.packages.iter().filter_map(package).collect(),
            unmatched_lifecycles: if keeps_unmatched { full.unmatched_lifecycles.clone() } else { Vec::new() },
            is_partial: full.is_partial,
            opm: full.opm,
        }
    }
}

impl KeptPackage {
    /// The package that a mirror serves.
    #[must_use]
    pub fn package(&self, full: &Package) -> Package {
        let channel = |channel: &Channel| {
            let names = self.channels.get(&channel.name.value)?;
            let entries = channel.entries.iter().filter(|entry| names.contains(&entry.name.value));
            Some(Channel { entries: entries.cloned().collect(), ..channel.clone() })
        };
        let place = || full.default_channel.as_ref().map(|channel| channel.span).or_else(|| full.span());
        let default_channel = match (&self.default_channel, place()) {
            (Some(name), Some(place)) => Some(Spanned::<ChannelName>::new(name.clone(), place)),
            _ => full.default_channel.clone(),
        };
        let has_target = |target: &DeprecationTarget| match target {
            DeprecationTarget::Package => true,
            DeprecationTarget::Channel(name) => self.selected.contains(name),
            DeprecationTarget::Bundle(name) => self.bundles.contains(name),
        };
        Package {
            name: full.name.clone(),
            declared: full.declared,
            default_channel,
            description: full.description.clone(),
            icon: full.icon.clone(),
            channels: full.channels.iter().filter_map(channel).collect(),
            bundles: full.bundles.iter().filter(|bundle| self.bundles.contains(&bundle.name.value)).cloned().collect(),
            deprecations: full.deprecations.iter().filter(|entry| has_target(&entry.target)).cloned().collect(),
            lifecycles: full.lifecycles.clone(),
            has_unknown_bundles: full.has_unknown_bundles,
        }
    }

    /// Whether an entry of `olm.deprecations` is kept.
    fn keeps_deprecation(&self, schema: Option<&str>, name: &str) -> bool {
        match schema {
            Some("olm.bundle") => self.bundles.contains(name),
            Some("olm.channel") => self.selected.contains(name),
            _ => true,
        }
    }
}

/// A place in a text that is kept or not.
pub(crate) struct Item {
    pub(crate) span: Span,
    pub(crate) is_kept: bool,
}

// The text of a filtered catalog, made of the original one: documents are kept or left out as they are written, and
// lists are cut. Only a document in which that goes wrong is written again.

const SEPARATOR: &str = "---\n";

impl Kept {
    /// The text of a file without what the mirror lacks; `None` if nothing is left. Comments between documents are lost, and
    /// so are those in a document that has to be written again.
    #[must_use]
    pub fn text(&self, text: &str, parse: &Parse) -> Option<String> {
        let separator = if is_json_stream(text, &parse.docs) { "" } else { SEPARATOR };
        let mut filtered = String::new();
        for document in parse.docs.iter().filter_map(|doc| self.document(text, doc)) {
            if !filtered.is_empty() {
                filtered.push_str(separator);
            }
            filtered.push_str(&document);
            if !filtered.ends_with('\n') {
                filtered.push('\n');
            }
        }
        (!filtered.is_empty()).then_some(filtered)
    }

    /// A document, if the mirror has it.
    fn document<'t>(&self, text: &'t str, doc: &Doc) -> Option<Cow<'t, str>> {
        let written = doc.span.slice(text);
        let package = |name: Option<&fbc::raw::Text>| self.packages.get(&*name?.value);
        match &doc.raw {
            RawDoc::Package(raw) => Some(with_default(written, doc.span, raw, package(raw.name.as_ref())?)),
            RawDoc::Channel(raw) => {
                let package = package(raw.package.as_ref())?;
                let names = package.channels.get(&*raw.name.as_ref()?.value)?;
                // An entry without a name has the empty one.
                let is_kept = |name: Option<&fbc::raw::Text>| names.contains(name.map_or("", |name| &*name.value));
                let items =
                    raw.entries.iter().map(|entry| Item { span: entry.span, is_kept: is_kept(entry.name.as_ref()) });
                let is_it = |cut: &RawDoc| matches!(cut, RawDoc::Channel(cut) if is_cut(raw, cut, &is_kept));
                Some(with_items(written, doc.span, &items.collect::<Vec<_>>(), is_it))
            }
            RawDoc::Bundle(raw) => {
                let is_kept = package(raw.package.as_ref())?.bundles.contains(&*raw.name.as_ref()?.value);
                is_kept.then_some(Cow::Borrowed(written))
            }
            RawDoc::Deprecations(_) | RawDoc::Other(_) if !self.has_all_schemas => None,
            RawDoc::Deprecations(raw) => {
                let package = package(raw.package.as_ref())?;
                let items: Vec<Item> = deprecations(raw, package);
                let kept = items.iter().filter(|item| item.is_kept).count();
                let is_it = |cut: &RawDoc| matches!(cut, RawDoc::Deprecations(cut) if cut.entries.len() == kept);
                Some(with_items(written, doc.span, &items, is_it))
            }
            RawDoc::Other(raw) => {
                let owner = raw.package.as_ref().filter(|name| !name.value.is_empty());
                let is_kept = owner.is_none() || !self.is_selection || package(owner).is_some();
                is_kept.then_some(Cow::Borrowed(written))
            }
        }
    }
}

/// Whether documents follow each other without separators, as JSON values do.
fn is_json_stream(text: &str, docs: &[Doc]) -> bool {
    let gap = |pair: &[Doc]| text.get(pair[0].span.end as usize..pair[1].span.start as usize).unwrap_or_default();
    text.trim_start().starts_with('{') && docs.windows(2).all(|pair| !gap(pair).contains("---"))
}

fn deprecations(raw: &RawDeprecations, package: &KeptPackage) -> Vec<Item> {
    let item = |entry: &fbc::raw::RawDeprecation| {
        let schema = entry.schema.as_ref().map(|schema| &*schema.value);
        let name = entry.name.as_ref().map_or("", |name| &*name.value);
        Item { span: entry.span, is_kept: package.keeps_deprecation(schema, name) }
    };
    raw.entries.iter().map(item).collect()
}

/// Whether a channel has the kept entries of another one, with all their edges.
fn is_cut(full: &RawChannel, cut: &RawChannel, is_kept: &dyn Fn(Option<&fbc::raw::Text>) -> bool) -> bool {
    let value = |text: &Option<fbc::raw::Text>| text.as_ref().map(|text| text.value.clone());
    let entry = |entry: &fbc::raw::RawEntry| {
        let skips: Vec<Box<str>> = entry.skips.iter().map(|skip| skip.value.clone()).collect();
        (value(&entry.name), value(&entry.replaces), skips, value(&entry.skip_range))
    };
    let kept = full.entries.iter().filter(|entry| is_kept(entry.name.as_ref())).map(entry);
    (value(&full.name), value(&full.package)) == (value(&cut.name), value(&cut.package))
        && kept.eq(cut.entries.iter().map(entry))
}

/// A package document with another default channel.
fn with_default<'t>(written: &'t str, span: Span, raw: &RawPackage, kept: &KeptPackage) -> Cow<'t, str> {
    let Some(wanted) = kept.default_channel.as_ref().map(catalog::ChannelName::as_str) else {
        return Cow::Borrowed(written);
    };
    let own = raw.default_channel.as_ref().map(|channel| channel.span);
    let is_it = |found: &RawDoc| match found {
        RawDoc::Package(found) => found.default_channel.as_ref().is_some_and(|channel| *channel.value == *wanted),
        _ => false,
    };
    let edited = own.and_then(|own| {
        let (start, end) = inside(own, span)?;
        let new = if written[start..end].starts_with('"') {
            serde_json::Value::from(wanted).to_string()
        } else {
            plain(wanted)
        };
        Some([&written[..start], &new, &written[end..]].concat())
    });
    Cow::Owned(edited.filter(|text| reads_as(text, is_it)).unwrap_or_else(|| {
        rewritten(written, |fields| {
            let key = json_member(fields, "defaultChannel").cloned().unwrap_or_else(|| "defaultChannel".to_owned());
            fields.insert(key, wanted.into());
        })
    }))
}

/// A document with the kept items of its list `entries`.
fn with_items<'t>(written: &'t str, span: Span, items: &[Item], is_it: impl Fn(&RawDoc) -> bool) -> Cow<'t, str> {
    if items.iter().all(|item| item.is_kept) {
        return Cow::Borrowed(written);
    }
    let cut = cut_list(written, span, items).filter(|text| reads_as(text, is_it));
    Cow::Owned(cut.unwrap_or_else(|| {
        rewritten(written, |fields| {
            let key = json_member(fields, "entries").cloned();
            let Some(serde_json::Value::Array(entries)) = key.and_then(|key| fields.get_mut(&key)) else { return };
            let mut kept = items.iter().map(|item| item.is_kept);
            entries.retain(|_| kept.next().unwrap_or(false));
        })
    }))
}

/// The text with the kept items, each with what stands between it and the item before it. `None` if nothing is kept, or the
/// items do not follow each other.
fn cut_list(written: &str, span: Span, items: &[Item]) -> Option<String> {
    let places: Vec<(usize, usize)> = items.iter().map(|item| inside(item.span, span)).collect::<Option<_>>()?;
    let (first, last) = (places.first()?, places.last()?);
    if places.windows(2).any(|pair| pair[0].1 > pair[1].0) || !items.iter().any(|item| item.is_kept) {
        return None;
    }
    let mut text = written.get(..first.0)?.to_owned();
    let mut is_first = true;
    for (at, (start, end)) in places.iter().enumerate().filter(|(at, _)| items[*at].is_kept) {
        if !std::mem::replace(&mut is_first, false) {
            text.push_str(written.get(places[at - 1].1..*start)?);
        }
        text.push_str(written.get(*start..*end)?);
    }
    text.push_str(written.get(last.1..)?);
    Some(text)
}

/// The bytes of a span in the text of a document.
fn inside(span: Span, document: Span) -> Option<(usize, usize)> {
    document.contains(span).then(|| ((span.start - document.start) as usize, (span.end - document.start) as usize))
}

/// Whether a text is one document without faults that is what it should be.
fn reads_as(text: &str, is_it: impl Fn(&RawDoc) -> bool) -> bool {
    let parse = parse(FileId(0), text);
    let is_sound = parse.diagnostics.iter().all(|finding| finding.opm.is_none());
    is_sound && matches!(&parse.docs[..], [only] if is_it(&only.raw))
}

/// A document with changed fields, written again.
fn rewritten(written: &str, change: impl FnOnce(&mut serde_json::Map<String, serde_json::Value>)) -> String {
    let node = untyped_values(FileId(0), written).nodes.into_iter().next();
    let fields = node.as_ref().filter(|node| matches!(node.value, Value::Mapping(_)));
    let Some(Ok(serde_json::Value::Object(mut fields))) = fields.map(|node| node.to_json(written)) else {
        return written.to_owned();
    };
    change(&mut fields);
    let value = serde_json::Value::Object(fields);
    if written.trim_start().starts_with('{') { value.to_string() } else { to_yaml(&value) }
}
