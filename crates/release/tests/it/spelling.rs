//! New text has the spelling of keys and the layout of the text around it.

use crate::worked::{BASIC, edited, version};
use catalog::{BundleName, ChannelName, DeprecationTarget};
use go_semver::blang::Version;
use release::{Authored, Refusal};
use source::{FileId, TextEdit};
use template::TemplateKind;
use update_graph::{Change, ChannelEdit, Edit, NewEntry};

/// A text after edits of it as a catalog or a template.
fn after(
    text: &str,
    kind: Option<TemplateKind>,
    edits: impl FnOnce(&Authored<'_>) -> Result<Vec<TextEdit>, Refusal>,
) -> Result<String, String> {
    let parse = fbc::parse(FileId(0), text);
    let authored = Authored::of(FileId(0), text, &parse.docs, kind);
    edits(&authored).map(|edits| edited(text, &edits)).map_err(|refusal| refusal.sentence)
}

/// A template after the release of `q:1.2.0` into its list `stable`.
fn with_image(text: &str) -> String {
    let version = Version::parse("1.2.0").expect("a version");
    let release = |text: &Authored<'_>| Ok(vec![text.semver_image("Stable", "q:1.2.0", &version)?]);
    after(text, Some(TemplateKind::Semver), release).expect("an edit")
}

#[test]
fn an_image_goes_into_the_list_that_is_there_in_its_spelling() {
    let cases = [
        ("Schema: olm.semver\nStable:\n  Bundles:\n  - Image: q:1.1.0 # last\n", "\n  - Image: q:1.2.0"),
        ("schema: olm.semver\nstable:\n  bundles:\n  - image: q:1.1.0\n", "\n  - image: q:1.2.0"),
        ("schema: olm.semver\nSTABLE:\n  BUNDLES:\n  - image: q:1.1.0\n", "\n  - image: q:1.2.0"),
        ("Schema: olm.semver\r\nStable:\r\n  Bundles:\r\n  - Image: 'q:1.1.0'\r\n", "\r\n  - Image: q:1.2.0"),
        ("{Schema: olm.semver, Stable: {Bundles: [{Image: 'q:1.1.0'}]}}\n", ", {Image: q:1.2.0}"),
        ("{\"Stable\": {\"Bundles\": [{\"Image\": \"q:1.1.0\"}]}}", ", {\"Image\": \"q:1.2.0\"}"),
        ("{\"Stable\":{\"Bundles\":[{\"Image\":\"q:1.1.0\"}]}}", ",{\"Image\":\"q:1.2.0\"}"),
        ("Stable:\n  Bundles: &b\n  - Image: q:1.1.0\n", "\n  - Image: q:1.2.0"),
        ("Stable: {Bundles: [], x: y}\n", "{Image: q:1.2.0}"),
        ("Stable:\n  Bundles:\n", " [{Image: q:1.2.0}]"),
        ("Stable:\n  X: y\n", "Bundles: [{Image: q:1.2.0}]\n  "),
    ];
    for (text, added) in cases {
        let new = with_image(text);
        assert_eq!(new.replacen(added, "", 1), text, "{new}");
        let node = fbc::yaml_document(FileId(0), &new).unwrap_or_else(|fault| panic!("{new}: {fault:?}")).node;
        let list = node.field("stable").and_then(|stable| stable.field("bundles")).expect("a list");
        let fbc::Value::Sequence(items) = &list.value else { panic!("{new}") };
        let last = items.last().and_then(|item| item.field("image")).and_then(fbc::Node::as_str);
        assert_eq!(last, Some("q:1.2.0"), "{new}");
    }
}

#[test]
fn an_image_goes_out_of_the_lists_of_a_template() {
    let without = |text: &str| {
        let remove = |text: &Authored<'_>| text.without_semver_image("q:1.1.0");
        after(text, Some(TemplateKind::Semver), remove).expect("edits")
    };
    let cases = [
        (
            "Fast:\n  Bundles:\n  - Image: q:1.0.0\n  - Image: q:1.1.0 # gone\n",
            "Fast:\n  Bundles:\n  - Image: q:1.0.0\n",
        ),
        ("fast: {bundles: [{image: 'q:1.0.0'}, {image: 'q:1.1.0'}]}\n", "fast: {bundles: [{image: 'q:1.0.0'}]}\n"),
        (
            "Candidate:\n  Bundles:\n  - Image: q:1.1.0\nStable:\n  Bundles:\n  - Image: q:1.0.0\n  - Image: q:1.1.0\n",
            "Stable:\n  Bundles:\n  - Image: q:1.0.0\n",
        ),
        (
            "{\n  \"fast\": {\n    \"bundles\": [\n      {\"image\": \"q:1.0.0\"},\n      {\"image\": \"q:1.1.0\"}\n    ]\n  }\n}\n",
            "{\n  \"fast\": {\n    \"bundles\": [\n      {\"image\": \"q:1.0.0\"}\n    ]\n  }\n}\n",
        ),
    ];
    for (text, expected) in cases {
        let with_schema = |text: &str| match text.strip_prefix('{') {
            Some(rest) => format!("{{\"schema\": \"olm.semver\",{rest}"),
            None => format!("Schema: olm.semver\n{text}"),
        };
        assert_eq!(without(&with_schema(text)), with_schema(expected));
    }
}

/// A channel edit with a new entry, and with a skip of the old head.
fn channel_edit() -> ChannelEdit {
    let name = |text: &str| BundleName::from(text);
    let skip = Edit { entry: name("p.v1.1.0"), change: Change::Skip(name("p.v1.0.1")) };
    let added = NewEntry {
        name: name("p.v1.2.0"),
        replaces: Some(name("p.v1.1.0")),
        skips: vec![name("p.v1.0.0"), name("p.v1.0.1")],
        skip_range: None,
    };
    ChannelEdit { added: vec![added], ..ChannelEdit::of(&ChannelName::from("c"), vec![skip]) }
}

fn with_channel_edit(text: &str, kind: Option<TemplateKind>) -> String {
    after(text, kind, |text| Ok(text.channel("p", &channel_edit(), &version)?.0)).expect("edits")
}

#[test]
fn an_entry_in_json_has_the_layout_of_its_neighbours() {
    let head = "{\n\t\"schema\": \"olm.channel\",\n\t\"package\": \"p\",\n\t\"name\": \"c\",\n\t\"entries\": [\n";
    let entry = "\t\t{\n\t\t\t\"name\": \"p.v1.1.0\"\n\t\t}";
    let expected = "\t\t{\n\t\t\t\"name\": \"p.v1.1.0\",\n\t\t\t\"skips\": [\n\t\t\t\t\"p.v1.0.1\"\n\t\t\t]\n\t\t},\n\t\t{\n\t\t\t\"name\": \
                    \"p.v1.2.0\",\n\t\t\t\"replaces\": \"p.v1.1.0\",\n\t\t\t\"skips\": [\n\t\t\t\t\"p.v1.0.0\",\n\t\t\t\t\"p.v1.0.1\"\n\t\t\t]\n\t\t}";
    let end = "\n\t]\n}\n";
    // Before one entry the order is not known, so the new one is behind it.
    let text = format!("{head}{entry},\n\t\t{{\n\t\t\t\"name\": \"x\"\n\t\t}}{end}");
    let new = with_channel_edit(&text, None);
    assert!(new.contains(&expected[..expected.find("},").expect("two entries")]), "{new}");
    assert!(new.ends_with(&format!("{}{end}", &expected[expected.find("},").expect("two entries") + 1..])), "{new}");
    // Lists that the text has on one line stay so, and entries on one line, too.
    let text = "{\n  \"schema\": \"olm.channel\", \"package\": \"p\", \"name\": \"c\",\n  \"entries\": [\n    {\"name\": \"x\", \"skips\": \
                [\"y\"]},\n    {\"name\": \"p.v1.1.0\"}\n  ]\n}\n";
    let new = with_channel_edit(text, None);
    let expected = "    {\"name\": \"p.v1.1.0\", \"skips\": [\"p.v1.0.1\"]},\n    {\"name\": \"p.v1.2.0\", \"replaces\": \"p.v1.1.0\", \"skips\": \
                    [\"p.v1.0.0\", \"p.v1.0.1\"]}\n  ]\n}\n";
    assert!(new.ends_with(expected), "{new}");
    let compact = "{\"schema\":\"olm.channel\",\"package\":\"p\",\"name\":\"c\",\"entries\":[{\"name\":\"x\"},{\"name\":\"p.v1.1.0\"}]}";
    let new = with_channel_edit(compact, None);
    assert!(!new.contains(' ') && new.contains("\"skips\":[\"p.v1.0.0\",\"p.v1.0.1\"]}]}"), "{new}");
}

#[test]
fn a_channel_is_edited_in_the_spelling_of_its_keys() {
    let text = "Schema: olm.template.basic\nEntries:\n- Schema: olm.channel\n  Package: p\n  Name: c\n  Entries:\n  - Name: p.v1.1.0\n    \
                Skips: [x]\n  - Name: x\n";
    let expected = "Schema: olm.template.basic\nEntries:\n- Schema: olm.channel\n  Package: p\n  Name: c\n  Entries:\n  - Name: p.v1.1.0\n    \
                    Skips: [x, p.v1.0.1]\n  - Name: x\n  - Name: p.v1.2.0\n    Replaces: p.v1.1.0\n    Skips: [p.v1.0.0, p.v1.0.1]\n";
    assert_eq!(with_channel_edit(text, BASIC), expected);
}

#[test]
fn a_deprecation_in_json_has_the_layout_of_its_neighbours() {
    let what = DeprecationTarget::Package;
    let text = "{\n  \"schema\": \"olm.deprecations\",\n  \"package\": \"p\",\n  \"entries\": [\n    {\n      \"reference\": {\n        \
                \"schema\": \"olm.channel\",\n        \"name\": \"c\"\n      },\n      \"message\": \"m\"\n    }\n  ]\n}\n";
    let new = after(text, None, |text| Ok(text.deprecate("p", &what, "gone")?.0)).expect("an edit");
    let expected = "    },\n    {\n      \"reference\": {\n        \"schema\": \"olm.package\"\n      },\n      \"message\": \"gone\"\n    }\n  \
                    ]\n}\n";
    assert!(new.ends_with(expected), "{new}");
}

#[test]
fn an_edit_that_changes_more_names_what() {
    let channel = |name: &str, anchor: &str| {
        format!(
            "schema: olm.channel\npackage: p\nname: {name}\nentries:\n- name: p.v1.1.0\n  skips: {anchor}\n- name: x\n"
        )
    };
    let catalog = format!(
        "schema: olm.template.basic\nentries:\n{}{}",
        format!("- {}", channel("c", "&s [x]").replace('\n', "\n  ").trim_end()) + "\n",
        format!("- {}", channel("d", "*s").replace('\n', "\n  ").trim_end()) + "\n"
    );
    let skip = |channel: &str| {
        let edits = channel_edit().edits;
        let edit = ChannelEdit::of(&ChannelName::from(channel), edits);
        after(&catalog, BASIC, |text| Ok(text.edited("p", &edit, &version)?.edits))
    };
    assert_eq!(skip("c"), Err("the edit would also change `p.v1.1.0` of channel `d`".to_owned()));
}
