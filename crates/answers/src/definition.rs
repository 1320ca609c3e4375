//! The symbol at a position of a file, and where it is defined.

use super::entry::holds;
use ::source::{FileId, Span};
use catalog::predicate::Requirement;
use catalog::{Bundle, Package};
use fbc::raw::{RawBundle, RawChannel, RawDeprecations, RawDoc, Text};
use session::DocumentIndex;
use session::FileInput;
use session::{CatalogInput, Workbench};
use views::{DefinitionKind, DefinitionView, EntryKey, FileKey, PackageKey, SymbolView, TextPlace};

/// The number of bundles that are listed as meeting a requirement.
const MET_BY: usize = 12;

/// A name in a document, or a requirement.
enum Named<'d> {
    Package(&'d str),
    Channel(&'d str),
    Bundle(&'d str),
    /// An entry of the channel, as `replaces` and `skips` name it.
    Entry(&'d str, &'d str),
    /// The entries of a bundle. At the definition itself, the useful answer is who refers to it.
    EntriesOf(&'d str),
    Requirement(Requirement),
}

/// The package and entry at a position of a file, and the definitions of the name there.
#[must_use]
pub fn symbol(workbench: &Workbench, key: FileKey, at: TextPlace) -> Option<SymbolView> {
    let (catalog, file) = workbench.file(key)?;
    let offset = file.offset(at);
    let span = Span::new(FileId(key.0), offset, offset);
    let subject = DocumentIndex::of(&catalog.analysis.catalog).subject(&catalog.analysis.catalog, span);
    let entry = subject.as_ref().and_then(|subject| {
        let channel = subject.channel.as_ref().map(ToString::to_string);
        Some(EntryKey { channel, name: subject.entry.as_ref()?.to_string() })
    });
    let package = subject.map(|subject| PackageKey { catalog: catalog.id, package: subject.package.to_string() });
    Some(SymbolView { package, entry, definitions: definitions(workbench, key, offset) })
}

/// The definitions of the name at a byte of a file, the best first; empty when nothing loaded has the name.
#[must_use]
pub fn definitions(workbench: &Workbench, key: FileKey, offset: u32) -> Vec<DefinitionView> {
    let Some((catalog, file)) = workbench.file(key) else { return Vec::new() };
    let before = file.parse().docs.partition_point(|doc| doc.span.start <= offset);
    let Some(doc) = file.parse().docs[..before].last() else { return Vec::new() };
    let Some((package, named)) = named(catalog, file, &doc.raw, offset) else { return Vec::new() };
    match named {
        Named::Package(name) => package_definitions(workbench, catalog, name),
        Named::Requirement(requirement) => providers(workbench, catalog, &requirement),
        named => {
            let package = package.and_then(|name| catalog.analysis.catalog.package(name));
            package.map(|package| in_package(catalog, package, &named)).unwrap_or_default()
        }
    }
}

/// The declarations of a package: the one in the same catalog, else those in the others.
fn package_definitions(workbench: &Workbench, catalog: &CatalogInput, name: &str) -> Vec<DefinitionView> {
    let own: Vec<DefinitionView> = declared(catalog, name).into_iter().collect();
    if own.is_empty() { workbench.catalogs().iter().filter_map(|other| declared(other, name)).collect() } else { own }
}

/// The newest bundles that meet a requirement; if there are none, the package that it names.
fn providers(workbench: &Workbench, catalog: &CatalogInput, requirement: &Requirement) -> Vec<DefinitionView> {
    let mut met: Vec<(&CatalogInput, &Bundle)> = Vec::new();
    for other in workbench.catalogs() {
        for package in &other.analysis.catalog.packages {
            let meeting = package.bundles.iter().filter(|bundle| holds(requirement, package, bundle));
            met.extend(meeting.map(|bundle| (other, bundle)));
        }
    }
    met.sort_by(|(_, a), (_, b)| b.version().cmp(&a.version()).then_with(|| a.name.value.cmp(&b.name.value)));
    match requirement {
        Requirement::Package { name, .. } if met.is_empty() => package_definitions(workbench, catalog, name.as_str()),
        _ => met.into_iter().take(MET_BY).map(|(catalog, bundle)| bundle_definition(catalog, bundle)).collect(),
    }
}

/// The name at a byte of a document, else the first one on its line, and the package of the document.
fn named<'d>(
    catalog: &'d CatalogInput,
    file: &FileInput,
    doc: &'d RawDoc,
    offset: u32,
) -> Option<(Option<&'d str>, Named<'d>)> {
    let (package, names) = match doc {
        RawDoc::Package(raw) => {
            let channel = raw.default_channel.iter().map(|text| (text.span, Named::Channel(&text.value)));
            (raw.name.as_ref(), channel.collect())
        }
        RawDoc::Channel(raw) => (raw.package.as_ref(), channel_names(raw)),
        RawDoc::Bundle(raw) => (raw.package.as_ref(), bundle_names(catalog, raw)),
        RawDoc::Deprecations(raw) => (raw.package.as_ref(), deprecation_names(raw)),
        RawDoc::Other(raw) => (raw.package.as_ref(), Vec::new()),
    };
    let name = package.map(|text| &*text.value);
    let mut names: Vec<(Span, Named<'d>)> = names;
    if !matches!(doc, RawDoc::Package(_)) {
        names.extend(package.map(|text| (text.span, Named::Package(&text.value))));
    }
    let line = file.lines.position(&file.text, offset).line;
    let on_line = |span: Span| file.lines.position(&file.text, span.start).line == line;
    let length = |span: Span| span.end - span.start;
    let holding = |span: Span| (span.start..=span.end).contains(&offset);
    names.sort_by_key(|(span, _)| (!holding(*span), length(*span) * u32::from(holding(*span)), span.start));
    let found = names.into_iter().find(|(span, _)| holding(*span) || on_line(*span));
    found.map(|(_, named)| (name, named))
}

fn channel_names(raw: &RawChannel) -> Vec<(Span, Named<'_>)> {
    let channel = raw.name.as_ref().map_or("", |text| &text.value);
    let mut names = Vec::new();
    for entry in &raw.entries {
        names.extend(entry.name.iter().map(|text| (text.span, Named::Bundle(&text.value))));
        let edges = entry.replaces.iter().chain(&entry.skips);
        names.extend(edges.map(|text| (text.span, Named::Entry(channel, &text.value))));
    }
    names
}

fn bundle_names<'d>(catalog: &'d CatalogInput, raw: &'d RawBundle) -> Vec<(Span, Named<'d>)> {
    let text = |text: &'d Option<Text>| text.as_ref().map_or("", |text| &*text.value);
    let mut names: Vec<_> = raw.name.iter().map(|text| (text.span, Named::EntriesOf(&text.value))).collect();
    let bundle =
        catalog.analysis.catalog.package(text(&raw.package)).and_then(|package| package.bundle(text(&raw.name)));
    for property in bundle.iter().flat_map(|bundle| &bundle.properties) {
        if let Some(Ok(requirement)) = Requirement::of(&property.value) {
            names.push((property.span, Named::Requirement(requirement)));
        }
    }
    names
}

fn deprecation_names(raw: &RawDeprecations) -> Vec<(Span, Named<'_>)> {
    let names = raw.entries.iter().filter_map(|entry| {
        let name = entry.name.as_ref()?;
        let named = match &*entry.schema.as_ref()?.value {
            "olm.channel" => Named::Channel(&name.value),
            "olm.bundle" => Named::Bundle(&name.value),
            _ => return None,
        };
        Some((name.span, named))
    });
    names.collect()
}

fn in_package(catalog: &CatalogInput, package: &Package, named: &Named<'_>) -> Vec<DefinitionView> {
    let entry_in = |channel: &catalog::Channel, name: &str| {
        let entry = channel.entry(name)?;
        Some(definition(catalog, DefinitionKind::Entry, &format!("{name} in {}", channel.name), entry.name.span))
    };
    let bundle = |name: &str| package.bundle(name).map(|bundle| bundle_definition(catalog, bundle));
    match named {
        Named::Channel(name) => {
            let channel = package.channel(name);
            channel.map(|c| definition(catalog, DefinitionKind::Channel, name, c.name.span)).into_iter().collect()
        }
        Named::Bundle(name) => bundle(name).into_iter().collect(),
        Named::Entry(channel, name) => {
            let listed = package.channel(channel).and_then(|channel| entry_in(channel, name));
            listed.or_else(|| bundle(name)).into_iter().collect()
        }
        Named::EntriesOf(name) => package.channels.iter().filter_map(|channel| entry_in(channel, name)).collect(),
        Named::Package(_) | Named::Requirement(_) => Vec::new(),
    }
}

fn bundle_definition(catalog: &CatalogInput, bundle: &Bundle) -> DefinitionView {
    definition(catalog, DefinitionKind::Bundle, bundle.name.value.as_str(), bundle.name.span)
}

/// The declaration of a package, at its name.
fn declared(catalog: &CatalogInput, name: &str) -> Option<DefinitionView> {
    let span = catalog.analysis.catalog.package(name)?.declared?;
    let file = catalog.file(FileKey(span.file.0))?;
    let doc = file.parse().docs.iter().find(|doc| doc.span == span);
    let named = doc.and_then(|doc| match &doc.raw {
        RawDoc::Package(raw) => Some(raw.name.as_ref()?.span),
        _ => None,
    });
    Some(definition(catalog, DefinitionKind::Package, name, named.unwrap_or(span)))
}

fn definition(catalog: &CatalogInput, kind: DefinitionKind, name: &str, span: Span) -> DefinitionView {
    let name = name.to_owned();
    DefinitionView { kind, name, catalog: catalog.name.clone(), path: catalog.path(span), place: catalog.place(span) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::{workbench, yaml};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0-p.v0.9.0 p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0\nbundle p 2.0.0\nbundle p 0.9.0";
    const OTHER: &str = "package q c\nchannel q c q.v1.1.0\nbundle q 1.1.0\nbundle q 1.0.0\nbundle q 0.1.0";

    /// The definitions at the `nth` occurrence of the text, as `kind name catalog:line:column`.
    #[track_caller]
    fn check(text: &str, nth: usize, expected: &[&str]) {
        let workbench = workbench(&[("a", CATALOG), ("b", OTHER)]);
        let key = workbench.catalogs()[0].files[0].key;
        let (at, _) = yaml(CATALOG).match_indices(text).nth(nth).map(|(at, text)| (at as u32, text)).unwrap();
        let line = |DefinitionView { kind, name, catalog, place, .. }: &DefinitionView| {
            format!("{kind:?} {name} {catalog}:{}:{}", place.line, place.column)
        };
        let found: Vec<String> = definitions(&workbench, key, at + 1).iter().map(line).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_default_channel_leads_to_the_channel() {
        check("c\n---", 0, &["Channel c a:8:7"]);
    }

    #[test]
    fn an_entry_leads_to_the_bundle() {
        check("p.v2.0.0, replaces", 0, &["Bundle p.v2.0.0 a:25:7"]);
    }

    #[test]
    fn edges_lead_to_entries_or_unlisted_bundles() {
        check("p.v1.0.0', skips", 0, &["Entry p.v1.0.0 in c a:11:10"]);
        check("p.v0.9.0]", 0, &["Bundle p.v0.9.0 a:33:7"]);
    }

    #[test]
    fn a_package_leads_to_its_declaration() {
        check("p\nname: c", 0, &["Package p a:3:7"]);
    }

    #[test]
    fn a_requirement_leads_to_bundles_that_meet_it() {
        check("packageName: q", 0, &["Bundle q.v1.1.0 b:14:7", "Bundle q.v1.0.0 b:22:7"]);
    }

    #[test]
    fn a_bundle_leads_to_its_entries() {
        check("p.v1.0.0\nimage", 0, &["Entry p.v1.0.0 in c a:11:10"]);
    }

    #[test]
    fn a_name_is_found_anywhere_on_its_line() {
        check("name: p.v2.0.0\n", 0, &["Entry p.v2.0.0 in c a:10:10"]);
        check("schema", 1, &[]);
    }

    #[test]
    fn a_position_has_a_package_and_an_entry() {
        let workbench = workbench(&[("a", CATALOG)]);
        let key = workbench.catalogs()[0].files[0].key;
        let found = symbol(&workbench, key, TextPlace { line: 11, column: 4 }).unwrap();
        assert_eq!(found.package.unwrap().package, "p");
        assert_eq!(found.entry, Some(EntryKey { channel: Some("c".to_owned()), name: "p.v1.0.0".to_owned() }));
        assert_eq!(symbol(&workbench, key, TextPlace { line: 1, column: 1 }).unwrap().package, None);
    }
}
