//! Repairs as edits of texts in different styles: only the lines concerned change, and all other bytes stay.

use catalog::{BundleName, Catalog, ParsedFile, lower};
use fbc::Parse;
use proptest::prelude::*;
use release::{AppliedText, Authored};
use repair::{Question, Search};
use sat::Budget;
use source::{FileId, TextEdit};
use std::collections::BTreeSet;
use update_graph::{ChannelEdit, describe};

fn read(text: &str) -> (Parse, Catalog) {
    let parse = fbc::parse(FileId(0), text);
    let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
    (parse, catalog)
}

/// Each repair of the first channel: how it says what it does, and the text with it.
fn repaired(text: &str) -> Vec<(String, Option<AppliedText>)> {
    let (parse, catalog) = read(text);
    let (package, none) = (&catalog.packages[0], BTreeSet::<BundleName>::new());
    let channel = &package.channels[0];
    let budget = Budget::default();
    let question = Question { before: None, after: package, channel, installed: &none, avoid: &none, budget: &budget };
    let mut search = Search::new(question);
    while !search.advance() {}
    let repairs = search.repairs().iter().map(|repair| {
        let edit = ChannelEdit::of(&channel.name.value, repair.edits.clone());
        let authored = Authored::of_document(text, &parse.docs, channel.span).expect("the document is read");
        (describe(&repair.edits), authored.edited(package.name.as_str(), &edit, &|_| None).ok())
    });
    repairs.collect()
}

/// The text with the repair that does this.
fn with(text: &str, wanted: &str) -> Option<String> {
    let repairs = repaired(text);
    let found = repairs.iter().find(|(edits, _)| edits == wanted);
    let (_, applied) =
        found.unwrap_or_else(|| panic!("{:?}", repairs.iter().map(|(edits, _)| edits).collect::<Vec<_>>()));
    TextEdit::applied(&applied.as_ref()?.edits, text)
}

const UNSKIP: &str = "take `p.v1.1.0` out of `skips` of `p.v1.2.0`";
const WIDEN: &str = "set `skipRange` of `p.v1.2.0` to `>=1.0.0 <1.2.0`";

const BLOCK: &str = "# the catalog
schema: olm.channel
package: p
name: c # the only one
entries:
  - name: p.v1.2.0   # the new one
    replaces: p.v1.1.0
    skips:
      - p.v1.1.0 # wrong
  - name: p.v1.1.0
    skips:
      - p.v1.0.0

  - name: p.v1.0.0
---
schema: olm.package
name: p
defaultChannel: c
";

#[test]
fn block_style() {
    let unskipped = BLOCK.replacen("    skips:\n      - p.v1.1.0 # wrong\n", "", 1);
    assert_eq!(with(BLOCK, UNSKIP), Some(unskipped));
    let widened = BLOCK.replacen("# wrong\n", "# wrong\n    skipRange: '>=1.0.0 <1.2.0'\n", 1);
    assert_eq!(with(BLOCK, WIDEN), Some(widened));
}

#[test]
fn windows_line_ends() {
    let text = BLOCK.replace('\n', "\r\n");
    let widened = BLOCK.replacen("# wrong\n", "# wrong\n    skipRange: '>=1.0.0 <1.2.0'\n", 1).replace('\n', "\r\n");
    assert_eq!(with(&text, WIDEN), Some(widened));
}

#[test]
fn flow_style() {
    let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.2.0, replaces: p.v1.1.0, skips: [p.v1.1.0]} # new\n\
        - {name: p.v1.1.0, skips: [p.v1.0.0]}\n- {name: p.v1.0.0}\n";
    assert_eq!(with(text, UNSKIP), Some(text.replacen(", skips: [p.v1.1.0]", "", 1)));
    assert_eq!(with(text, WIDEN), Some(text.replacen("[p.v1.1.0]}", "[p.v1.1.0], skipRange: '>=1.0.0 <1.2.0'}", 1)));
}

#[test]
fn json() {
    let text = "{\n  \"schema\": \"olm.channel\",\n  \"package\": \"p\",\n  \"name\": \"c\",\n  \"entries\": [\n    \
        {\"name\": \"p.v1.2.0\", \"replaces\": \"p.v1.1.0\", \"skips\": [\"p.v1.1.0\"]},\n    \
        {\"name\": \"p.v1.1.0\", \"skips\": [\"p.v1.0.0\"]},\n    {\"name\": \"p.v1.0.0\"}\n  ]\n}\n";
    assert_eq!(with(text, UNSKIP), Some(text.replacen(", \"skips\": [\"p.v1.1.0\"]", "", 1)));
    let range = "[\"p.v1.1.0\"], \"skipRange\": \">=1.0.0 <1.2.0\"}";
    assert_eq!(with(text, WIDEN), Some(text.replacen("[\"p.v1.1.0\"]}", range, 1)));
}

#[test]
fn an_edit_that_changes_an_alias_too_is_refused() {
    let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- name: p.v1.2.0\n  replaces: p.v1.1.0\n  skips: &old [p.v1.1.0]\n\
        - name: p.v1.1.0\n  skips: [p.v1.0.0]\n- name: p.v1.0.0\n- name: p.v0.9.0\n  skips: *old\n";
    let texts = repaired(text);
    assert!(!texts.is_empty());
    // The list of another entry is the same text.
    for (edits, text) in texts.iter().filter(|(edits, _)| edits.contains("`skips` of `p.v1.2.0`")) {
        assert_eq!(*text, None, "{edits}");
    }
    assert!(texts.iter().any(|(_, text)| text.is_some()), "{texts:?}");
}

#[test]
fn at_most_three_lines_for_each_edit() {
    let notation = "c: 1.5.0 (replaces 1.4.1; skips 1.4.1), 1.4.1 (replaces 1.3.4; skips 1.3.4), 1.3.4 (skips 1.3.2, 1.3.3), \
        1.3.3, 1.3.2";
    for text in [BLOCK.to_owned(), fixture::yaml(notation)] {
        for (edits, applied) in repaired(&text) {
            let diff = applied.unwrap().diff;
            let changed = diff.lines().filter(|line| line.starts_with(['+', '-'])).count();
            assert!(changed <= 3 * edits.split("; ").count(), "{edits}\n{diff}");
        }
    }
}

#[test]
fn the_last_line_of_a_document_is_shown_unchanged() {
    let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- name: p.v1.0.0\n- name: p.v1.1.0\n---\nschema: olm.package\nname: p\n";
    let repairs = repaired(text);
    let (_, applied) = repairs.iter().find(|(edits, _)| edits == "let `p.v1.1.0` replace `p.v1.0.0`").unwrap();
    let diff = &applied.as_ref().unwrap().diff;
    let changed: Vec<&str> = diff.lines().filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(changed, ["+  replaces: p.v1.0.0"], "{diff}");
}

/// An entry: its version, and the numbers of the versions that it replaces and skips, and that its range begins at.
type Drawn = (u8, Option<u8>, BTreeSet<u8>, Option<u8>);

/// How a channel is written.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// YAML in lines, with items of `skips` in lines or in brackets, and this quote.
    Block { has_lists: bool, quote: char },
    /// YAML with an entry in each line.
    Flow,
    /// JSON, in one line or in several.
    Json { has_lines: bool },
}

fn fields((version, replaces, skips, range): &Drawn) -> (String, Option<String>, Vec<String>, Option<String>) {
    let name = |version: &u8| format!("p.v1.{version}.0");
    let range = range.map(|from| format!(">=1.{from}.0 <1.{version}.0"));
    (name(version), replaces.as_ref().map(name), skips.iter().map(name).collect(), range)
}

fn written(entries: &[Drawn], style: Style) -> String {
    let json = |entry: &Drawn| {
        let (name, replaces, skips, range) = fields(entry);
        let mut fields = vec![format!("\"name\": \"{name}\"")];
        fields.extend(replaces.map(|name| format!("\"replaces\": \"{name}\"")));
        fields.extend((!skips.is_empty()).then(|| format!("\"skips\": {skips:?}")));
        fields.extend(range.map(|range| format!("\"skipRange\": \"{range}\"")));
        format!("{{{}}}", fields.join(", "))
    };
    match style {
        Style::Block { has_lists, quote } => {
            let entry = |entry: &Drawn| {
                let (name, replaces, skips, range) = fields(entry);
                let replaces = replaces.map(|name| format!("  replaces: {name} # older\n")).unwrap_or_default();
                let items: String = skips.iter().map(|name| format!("  - {name} # gone\n")).collect();
                let skips = match (skips.is_empty(), has_lists) {
                    (true, _) => String::new(),
                    (false, true) => format!("  skips:\n{items}"),
                    (false, false) => format!("  skips: [{}]\n", skips.join(", ")),
                };
                let range = range.map(|range| format!("  skipRange: {quote}{range}{quote}\n")).unwrap_or_default();
                format!("# about {name}\n- name: {name}\n{replaces}{skips}{range}")
            };
            let entries: String = entries.iter().map(entry).collect();
            format!("---\nschema: olm.channel\npackage: p\nname: c\nentries:\n{entries}# the end\n---\nschema: other\n")
        }
        Style::Flow => {
            let entries: String =
                entries.iter().map(|entry| format!("- {} # here\n", json(entry).replace('"', "'"))).collect();
            format!("schema: olm.channel\npackage: p\nname: c\nentries:\n{entries}")
        }
        Style::Json { has_lines } => {
            let line = if has_lines { "\n  " } else { " " };
            let entries: Vec<String> = entries.iter().map(json).collect();
            let entries = entries.join(&format!(",{line}"));
            format!(
                "{{\"schema\": \"olm.channel\",{line}\"package\": \"p\", \"name\": \"c\",{line}\"entries\": [{line}{entries}]}}\n"
            )
        }
    }
}

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let entry = (
        proptest::option::weighted(0.7, 0..5_u8),
        proptest::collection::btree_set(0..5_u8, 0..3),
        proptest::option::weighted(0.3, 0..5_u8),
    );
    proptest::collection::vec(entry, 1..5).prop_map(|entries| {
        let entries: Vec<_> = entries.into_iter().zip(0..5_u8).collect();
        let entries = entries.into_iter().rev();
        entries.map(|((replaces, skips, range), version)| (version, replaces, skips, range)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_say_what_is_meant_in_every_style(
        entries in drawn(),
        style in prop_oneof![
            (any::<bool>(), prop_oneof![Just('\''), Just('"')]).prop_map(|(has_lists, quote)| Style::Block { has_lists, quote }),
            Just(Style::Flow),
            any::<bool>().prop_map(|has_lines| Style::Json { has_lines }),
        ],
        is_windows in any::<bool>(),
    ) {
        let text = written(&entries, style);
        let text = if is_windows { text.replace('\n', "\r\n") } else { text };
        for (edits, applied) in repaired(&text) {
            prop_assert!(applied.is_some(), "{edits}\n{text}");
            let AppliedText { diff, edits: splices } = applied.unwrap();
            let changed = diff.lines().filter(|line| line.starts_with(['+', '-'])).count();
            prop_assert!(changed <= 3 * edits.split("; ").count(), "{edits}\n{diff}");
            let ends = splices.iter().all(|splice| splice.text.replace("\r\n", "").contains('\n') != is_windows || !splice.text.contains('\n'));
            prop_assert!(ends, "{splices:?}");
        }
    }
}
