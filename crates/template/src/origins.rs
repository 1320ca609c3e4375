//! Where in a template the parts of its expansion come from.

use crate::images::text_of;
use fbc::raw::{RawBundle, RawChannel, RawDoc};
use fbc::{Node, Parse, Value};
use source::{FileId, Span};
use std::collections::BTreeMap;

/// The places in a template, or in bundle directories, that the documents and entries of a catalog made of it come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Parts of the expansion, by their beginnings, each with its place in the template.
    parts: Vec<(Span, Span)>,
}

impl Origins {
    /// Of the template in `text`, which expands to what was parsed.
    #[must_use]
    pub fn of(file: FileId, text: &str, expansion: &Parse) -> Self {
        let node = fbc::untyped_values(file, text).nodes.into_iter().next();
        let Some(node) = node else { return Self::default() };
        let template = Template::of(&node, expansion);
        let mut parts: Vec<(Span, Span)> = Vec::new();
        for doc in &expansion.docs {
            let (of_doc, entries) = match &doc.raw {
                RawDoc::Package(raw) => {
                    let name = text_of(raw.name.as_ref());
                    (template.document("olm.package", "", name).map(|item| item.span), Vec::new())
                }
                RawDoc::Channel(raw) => template.channel(raw),
                RawDoc::Bundle(raw) => (template.bundle(raw), Vec::new()),
                RawDoc::Deprecations(raw) => {
                    let package = text_of(raw.package.as_ref());
                    (template.document("olm.deprecations", package, "").map(|item| item.span), Vec::new())
                }
                RawDoc::Other(raw) => {
                    let (package, name) = (text_of(raw.package.as_ref()), text_of(raw.name.as_ref()));
                    (template.document(&raw.schema.value, package, name).map(|item| item.span), Vec::new())
                }
            };
            parts.push((doc.span, of_doc.unwrap_or(node.span.at_start())));
            parts.extend(entries);
        }
        Self::from_parts(parts)
    }

    /// Of parts of an expansion, each with where it was written.
    #[must_use]
    pub fn from_parts(mut parts: Vec<(Span, Span)>) -> Self {
        parts.sort();
        Self { parts }
    }

    /// Whether any part of the expansion was written in a file.
    #[must_use]
    pub fn are_in(&self, file: FileId) -> bool {
        self.parts.iter().any(|(_, origin)| origin.file == file)
    }

    /// Where a part of the expansion was written: the same text, if the entry of the template has it once, else the entry. `text`
    /// are the texts of templates.
    #[must_use]
    pub fn written<'t>(&self, span: Span, expansion: &str, text: impl Fn(FileId) -> Option<&'t str>) -> Option<Span> {
        let behind = self.parts.partition_point(|(part, _)| part.start <= span.start);
        // An entry is behind its document.
        let (part, origin) = self.parts[..behind].iter().rev().find(|(part, _)| span.end <= part.end)?;
        if *part == span {
            return Some(*origin);
        }
        let (wanted, own) = (span.slice(expansion), origin.slice(text(origin.file)?));
        let mut found = own.match_indices(wanted).filter(|_| !wanted.is_empty());
        let same = |at: usize| {
            let start = origin.start + at as u32;
            Span::new(origin.file, start, start + wanted.len() as u32)
        };
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Some(same(at)),
            _ => Some(*origin),
        }
    }
}

struct Template<'n, 'p> {
    entries: Vec<&'n Node>,
    /// Where it names an image: the list of an `olm.semver` template, else an empty name, the image and the place.
    images: Vec<(&'n str, &'n str, Span)>,
    /// The images of the bundles, by package and name.
    bundles: BTreeMap<(&'p str, &'p str), &'p str>,
}

impl<'n, 'p> Template<'n, 'p> {
    fn of(node: &'n Node, expansion: &'p Parse) -> Self {
        let entries: Vec<&Node> = items(node, "entries").collect();
        let image = |item: &'n Node, field: &str| Some(("", item.field(field)?.as_str()?, item.span));
        let own = entries.iter().filter_map(|item| image(item, "image"));
        let substitutes = items(node, "substitutions").filter_map(|item| image(item, "name"));
        let lists = ["candidate", "fast", "stable"].into_iter().flat_map(|list| {
            let bundles = node.field(list).into_iter().flat_map(|list| items(list, "bundles"));
            bundles.filter_map(move |item| Some((list, item.field("image")?.as_str()?, item.span)))
        });
        let images = own.chain(substitutes).chain(lists).collect();
        let bundle = |raw: &'p RawBundle| {
            let key = (text_of(raw.package.as_ref()), text_of(raw.name.as_ref()));
            (key, text_of(raw.image.as_ref()))
        };
        let bundles = expansion.docs.iter().filter_map(|doc| match &doc.raw {
            RawDoc::Bundle(raw) => Some(bundle(raw)),
            _ => None,
        });
        Self { images, bundles: bundles.collect(), entries }
    }

    /// The item of `entries` with a schema, a package and a name; empty ones are not looked at.
    fn document(&self, schema: &str, package: &str, name: &str) -> Option<&'n Node> {
        let has = |item: &Node, field: &str, text: &str| {
            text.is_empty() || item.field(field).and_then(Node::as_str).is_some_and(|own| own == text)
        };
        let is_it =
            |item: &&&Node| has(item, "schema", schema) && has(item, "package", package) && has(item, "name", name);
        self.entries.iter().find(is_it).copied()
    }

    /// Where an image is named, first of all in the list that a channel is made of.
    fn image(&self, image: &str, channel: &str) -> Option<Span> {
        let mut named: Vec<_> = self.images.iter().filter(|(_, own, _)| *own == image).collect();
        named.sort_by_key(|(list, ..)| list.is_empty() || !channel.starts_with(list));
        named.first().map(|(.., span)| *span)
    }

    fn bundle(&self, raw: &RawBundle) -> Option<Span> {
        let named = self.image(text_of(raw.image.as_ref()), "");
        let own = || self.document("olm.bundle", text_of(raw.package.as_ref()), text_of(raw.name.as_ref()));
        named.or_else(|| own().map(|item| item.span))
    }

    /// Where a channel and each of its entries come from.
    fn channel(&self, raw: &RawChannel) -> (Option<Span>, Vec<(Span, Span)>) {
        let (package, name) = (text_of(raw.package.as_ref()), text_of(raw.name.as_ref()));
        let own = self.document("olm.channel", package, name);
        let written: Vec<&Node> = own.into_iter().flat_map(|own| items(own, "entries")).collect();
        let of_entry = |entry: &fbc::raw::RawEntry| {
            let bundle = text_of(entry.name.as_ref());
            let is_it = |item: &&&Node| item.field("name").and_then(Node::as_str) == Some(bundle);
            let written = written.iter().find(is_it).map(|item| item.span);
            let image = || self.image(self.bundles.get(&(package, bundle))?, name);
            Some((entry.span, written.or_else(image)?))
        };
        let entries: Vec<(Span, Span)> = raw.entries.iter().filter_map(of_entry).collect();
        let first = entries.first().map(|(_, origin)| *origin);
        (own.map(|item| item.span).or(first), entries)
    }
}

/// The items of a list in a mapping.
fn items<'n>(node: &'n Node, field: &str) -> impl Iterator<Item = &'n Node> + use<'n> {
    let items = match node.field(field).map(|list| &list.value) {
        Some(Value::Sequence(items)) => &items[..],
        _ => &[],
    };
    items.iter()
}

// Copies documents out of a file as they are written, with comments and style, where the copy reads back as the same.

/// The document at `span` of a file, as YAML with a line break at its end.
pub(crate) fn document(text: &str, span: Span) -> String {
    let own = span.slice(text);
    let node = Node { span, value: Value::Unopened };
    if own.starts_with(['{', '[']) {
        return checked(&node, text, own.to_owned() + "\n");
    }
    let lines = Span::new(span.file, span.start - margin(text, span), span.end).slice(text);
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let candidate = lines.trim_start_matches('\u{feff}').to_owned() + trailing(behind);
    // With a line break at its end a block of text can have another value.
    let is_unended = !text.ends_with('\n') && behind.trim().is_empty();
    if is_unended { checked(&node, text, candidate) } else { candidate }
}

/// A part of a file as a document of its own, moved to the left margin.
pub(crate) fn part(text: &str, node: &Node) -> String {
    let span = node.span;
    let slice = span.slice(text);
    let margin = margin(text, span) as usize;
    let mut lines = slice.split_inclusive('\n');
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let blanks = line.bytes().take(margin).take_while(|&byte| byte == b' ').count();
        out.push_str(&line[blanks..]);
    }
    out.push('\n');
    checked(node, text, out)
}

/// `candidate` if it reads back as the node, else the node written by [`fbc::to_yaml`]. A node that is nested too deeply
/// to be compared is taken as it is written.
fn checked(node: &Node, text: &str, candidate: String) -> String {
    let Ok(expected) = node.to_json(text) else { return candidate };
    let yaml = format!("---\n{candidate}");
    let trees = fbc::untyped_values(FileId(0), &yaml);
    let same = match trees.nodes.as_slice() {
        [only] => only.to_json(&yaml).is_ok_and(|found| found == expected),
        _ => false,
    };
    if same { candidate } else { fbc::to_yaml(&expected) }
}

/// The bytes before a place on its line. Nobody indents by more than a page, but JSON can stand on one line.
fn margin(text: &str, span: Span) -> u32 {
    const PAGE: u32 = 4096;
    let start = span.start as usize;
    let page = text.as_bytes().get(span.start.saturating_sub(PAGE) as usize..start).unwrap_or_default();
    let line = page.iter().rposition(|&byte| byte == b'\n').map_or(page.len(), |newline| page.len() - newline - 1);
    if line == PAGE as usize { 0 } else { line as u32 }
}

/// The blank lines between a document and the next one, which may belong to its last text (`|+`). Ends with a line break,
/// so that the text behind it starts a line.
fn trailing(behind: &str) -> &str {
    let end = behind.find("\n---").map_or(behind.len(), |at| at + 1);
    let blanks = &behind[..end];
    match blanks.rfind('\n') {
        Some(last) if blanks.trim().is_empty() => &blanks[..=last],
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Images, expand};
    use source::LineIndex;

    const CATALOG: &str = "schema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i:1\nproperties: \
        [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n---\nschema: olm.bundle\npackage: p\n\
        name: p.v1.1.0\nimage: i:2\nproperties: [{type: olm.package, value: {packageName: p, version: 1.1.0}}]\n";

    /// Checks which line of the template each of these texts in its expansion comes from.
    #[track_caller]
    fn check(template: &str, expected: &[(&str, u32)]) {
        let catalog = fbc::parse(FileId(0), CATALOG);
        let mut images = Images::default();
        images.add(CATALOG, &catalog);
        let expanded = expand(FileId(1), template, &images).catalog.unwrap().to_yaml();
        let parse = fbc::parse(FileId(2), &expanded);
        let origins = Origins::of(FileId(1), template, &parse);
        for (text, line) in expected {
            let at = expanded.find(text).unwrap_or_else(|| panic!("{text} is not in {expanded}")) as u32;
            let span = Span::new(FileId(2), at, at + text.len() as u32);
            let origin = origins.written(span, &expanded, |_| Some(template)).unwrap();
            let found = LineIndex::new(template).position(template, origin.start).line;
            assert_eq!((origin.file, found), (FileId(1), *line), "{text}");
        }
    }

    #[test]
    fn a_basic_template_has_the_entries_themselves() {
        let text = "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: p\n  defaultChannel: c\n\
                    # the only one\n- schema: olm.channel\n  package: p\n  name: c\n  entries:\n  - name: p.v1.1.0\n    \
                    replaces: p.v1.0.0\n  - name: p.v1.0.0\n- schema: olm.bundle\n  image: i:1\n- schema: olm.bundle\n  \
                    image: i:2\n";
        let expected = [
            ("defaultChannel: c", 5),
            ("name: c", 9),
            ("name: p.v1.1.0", 11),
            ("replaces: p.v1.0.0", 12),
            ("image: i:2", 17),
            ("{packageName: p, version: 1.1.0}", 16),
        ];
        check(text, &expected);
        let json = "{\"schema\": \"olm.template.basic\", \"entries\": [\n{\"schema\": \"olm.package\", \"name\": \"p\"},\n\
                    {\"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"c\", \"entries\": [\n\
                    {\"name\": \"p.v1.0.0\"}]},\n{\"schema\": \"olm.bundle\", \"image\": \"i:1\"}]}\n";
        check(json, &[("{\"name\": \"p.v1.0.0\"}", 4), ("image: i:1", 5)]);
    }

    #[test]
    fn a_semver_template_has_the_images() {
        let text = "Schema: olm.semver\nGenerateMajorChannels: true\nGenerateMinorChannels: false\nFast:\n  Bundles:\n  \
                    - Image: i:1\nStable:\n  Bundles:\n  - Image: i:1\n  - Image: i:2\n";
        let expected = [
            ("schema: olm.package", 1),
            ("name: fast-v1", 6),
            ("name: stable-v1", 9),
            ("- name: p.v1.1.0\n  replaces: p.v1.0.0".trim_start_matches("- "), 10),
            ("image: i:2", 10),
        ];
        check(text, &expected);
    }

    #[test]
    fn a_substitute_has_its_substitution() {
        let text = "schema: olm.template.substitutes\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n\
                    - schema: olm.channel\n  package: p\n  name: c\n  entries:\n  - name: p.v1.0.0\n- schema: olm.bundle\n  \
                    package: p\n  name: p.v1.0.0\n  image: i:1\n  properties:\n  - type: olm.package\n    \
                    value: {packageName: p, version: 1.0.0}\nsubstitutions:\n- {name: 'i:2', base: p.v1.0.0}\n";
        check(text, &[("name: p.v1.1.0", 17), ("name: p.v1.0.0", 8), ("image: i:1", 12), ("image: i:2", 17)]);
    }

    #[track_caller]
    fn check_source_text(text: &str, expected: &str) {
        let parse = fbc::parse(FileId(0), text);
        assert_eq!(document(text, parse.docs[0].span), expected);
    }

    #[test]
    fn documents_are_copied_as_written() {
        check_source_text(
            "schema: olm.bundle # the first\nname: a\n---\nschema: b\n",
            "schema: olm.bundle # the first\nname: a\n",
        );
        check_source_text(
            "---\n# b\n  schema: olm.bundle\n  # c\n  name: a",
            "  schema: olm.bundle\n  # c\n  name: a\n",
        );
        check_source_text("schema: olm.bundle\r\nname: a\r\n", "schema: olm.bundle\r\nname: a\r\n");
        check_source_text(
            "schema: olm.bundle\nname: |+\n  a\n\n\n---\nschema: b\n",
            "schema: olm.bundle\nname: |+\n  a\n\n\n",
        );
        check_source_text("schema: olm.bundle\nname: a\n...\nlost\n", "schema: olm.bundle\nname: a\n");
        check_source_text("&a schema: olm.bundle\nname: *a\n", "&a schema: olm.bundle\nname: *a\n");
        check_source_text("\u{feff}schema: olm.bundle\nname: a\n", "schema: olm.bundle\nname: a\n");
    }

    #[test]
    fn a_document_ends_with_its_last_line() {
        check_source_text("schema: olm.bundle\nname:\n ", "schema: olm.bundle\nname:\n");
        check_source_text("schema: olm.bundle\nname: |+\n  a\n\n ", "name: |+\n  a\n\n\nschema: olm.bundle\n");
        check_source_text("schema: olm.bundle\nname: |\n  a\n   ", "name: \"a\\n \\n\"\nschema: olm.bundle\n");
    }

    #[test]
    fn json_stays_json_where_yaml_reads_it() {
        check_source_text(
            "{\"schema\": \"olm.bundle\",\n \"name\": \"a\"}{}",
            "{\"schema\": \"olm.bundle\",\n \"name\": \"a\"}\n",
        );
        check_source_text(
            "{\"schema\": \"olm.bundle\", \"name\": \"\\ud83d\\ude00\"}",
            "name: 😀\nschema: olm.bundle\n",
        );
    }

    #[test]
    fn parts_move_to_the_margin() {
        let text = "entries:\n  - schema: a\n    name: |\n      x\n\n       y\n    # c\n    b: 1\n  - {schema: b,\n     c: d}\n";
        let node = fbc::yaml_document(FileId(0), text).unwrap().node;
        let Some(Value::Sequence(items)) = node.get("entries").map(|list| list.value.clone()) else { panic!() };
        let parts: Vec<_> = items.iter().map(|item| part(text, item)).collect();
        assert_eq!(parts, ["schema: a\nname: |\n  x\n\n   y\n# c\nb: 1\n", "{schema: b,\n c: d}\n"]);
    }

    #[test]
    fn parts_that_refer_to_other_parts_are_written_again() {
        let text = "- &a\n  schema: a\n- schema: b\n  c: *a\n";
        let node = fbc::yaml_document(FileId(0), text).unwrap().node;
        let Value::Sequence(items) = node.value else { panic!() };
        assert_eq!(part(text, &items[1]), "c:\n  schema: a\nschema: b\n");
    }
}
