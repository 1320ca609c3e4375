//! Any text is expanded to something without a panic, and what comes out is read back.

use crate::fixtures::{catalog, expanded};
use proptest::prelude::*;
use source::FileId;

const BASIC: &str = "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: op\n- &a\n  schema: olm.channel\n  package: op\n  \
                     name: stable\n  entries:\n  - name: op.v1.0.0\n    skips: [a, b]\n- schema: olm.bundle\n  image: op:1.0.0\n- {schema: \
                     olm.deprecations, package: op}\n- schema: x\n  y: *a\n  z: |+\n    text\n\n";

const SEMVER: &str = "Schema: olm.semver\ngenerateMajorChannels: true\ngenerateMinorChannels: on\ndefaultChannelTypePreference: \
                      minor\ncandidate:\n  bundles:\n  - image: op:1.0.0\n  - Image: \"op:1.1.0\"\nStable: {Bundles: [{image: \
                      op:1.1.0}, {image: 'op:2.0.0-rc.1'}]}\n";

const SUBSTITUTES: &str = "schema: olm.template.substitutes\nentries:\n- {schema: olm.package, name: op, defaultChannel: stable}\n- \
                           schema: olm.channel\n  package: op\n  name: stable\n  entries:\n  - name: op.v0.9.0\n    skips: [a, b]\n- \
                           schema: olm.bundle\n  package: op\n  name: op.v0.9.0\n  image: op:0.9.0\n  properties:\n  - type: \
                           olm.package\n    value: {packageName: op, version: 0.9.0}\nsubstitutions:\n- name: op:1.0.0\n  base: \
                           op.v0.9.0\n- {name: 'op:1.1.0', base: op.v1.0.0}\n";

/// A template with some of its bytes replaced, so that most of it is still one.
fn damaged() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[ \n\t]{0,3}",
        proptest::sample::select(vec![
            "null",
            "5",
            "[]",
            "{}",
            "- ",
            ": ",
            "\"",
            "'",
            "|",
            "&b ",
            "*b",
            "*a",
            "---\n",
            "...\n",
            "image: op:1.0.0",
            "<<: *a",
            "schema: olm.bundle",
            "{",
            "}",
            "[",
            "]",
            "\u{feff}",
            "é",
            "\0",
            "!!str ",
            "entries",
            "x: ",
            "\r",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    let change = (any::<prop::sample::Index>(), 0..12_usize, pieces);
    let start = prop_oneof![Just(BASIC), Just(SEMVER), Just(SUBSTITUTES)];
    (start, proptest::collection::vec(change, 0..4)).prop_map(|(start, changes)| {
        changes.into_iter().fold(start.to_owned(), |mut text, (at, length, piece)| {
            let from = text.floor_char_boundary(at.index(text.len() + 1));
            let to = text.ceil_char_boundary((from + length).min(text.len()));
            text.replace_range(from..to, &piece);
            text
        })
    })
}

fn check(template: &str) -> Result<(), TestCaseError> {
    let expansion = expanded(template, &catalog("1.0.0 1.1.0 2.0.0-rc.1"));
    for finding in &expansion.diagnostics {
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        prop_assert!(start <= end && template.get(start..end).is_some(), "{:?} lies outside", finding);
    }
    if let Some(catalog) = &expansion.catalog {
        let yaml = catalog.to_yaml();
        let parse = fbc::parse(FileId(0), &yaml);
        prop_assert_eq!(parse.docs.len(), catalog.documents.len(), "{}", yaml);
    }
    prop_assert_eq!(expanded(template, &catalog("1.0.0 1.1.0 2.0.0-rc.1")), expansion);
    Ok(())
}

#[test]
fn the_templates_are_templates() {
    for template in [BASIC, SEMVER, SUBSTITUTES] {
        check(template).unwrap();
        assert_eq!(expanded(template, &catalog("1.0.0 1.1.0 2.0.0-rc.1")).status, template::RenderStatus::Accepted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn damaged_templates_are_read(template in damaged()) {
        check(&template)?;
    }

    #[test]
    fn any_text_is_read(template in any::<String>()) {
        check(&template)?;
    }
}
