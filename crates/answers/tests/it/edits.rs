//! After any edits a workbench answers as one that was freshly loaded with the texts they led to, apart from which files are
//! edited.

use proptest::prelude::*;
use session::{NewText, Workbench};
use views::{FileKey, FindingsFilter, FindingsView, GraphOptions, GraphView, Overview};

/// Documents that have to do with each other: in a package, by a requirement, by a comment, by mistake.
const PIECES: [&str; 15] = [
    "schema: olm.package\nname: a\ndefaultChannel: c\n",
    "schema: olm.package\nname: b\ndefaultChannel: d\n",
    "schema: olm.channel\npackage: a\nname: c\nentries:\n- {name: a.v1.1.0, replaces: a.v1.0.0}\n- name: a.v1.0.0\n",
    "schema: olm.channel\npackage: a\nname: d\nentries:\n- {name: a.v1.1.0, skipRange: '<1.1.0'}\n",
    "schema: olm.channel\npackage: b\nname: d\nentries:\n- name: b.v2.0.0\n",
    "schema: olm.bundle\npackage: a\nname: a.v1.0.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: a, version: 1.0.0}}\n",
    "schema: olm.bundle\npackage: a\nname: a.v1.1.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: a, version: 1.1.0}}\n- {type: olm.package.required, value: {packageName: b, versionRange: '>=2.0.0'}}\n",
    "schema: olm.bundle\npackage: b\nname: b.v2.0.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: b, version: 2.0.0}}\n- {type: olm.gvk, value: {group: e.x, version: v1, kind: K}}\n",
    "schema: olm.bundle\npackage: b\nname: b.v2.0.0\nimage: i\nproperties:\n- type: olm.csv.metadata\n  value:\n    annotations: {}\n    displayName: Kettle\n",
    "schema: olm.deprecations\npackage: a\nentries:\n- {reference: {schema: olm.bundle, name: a.v1.0.0}, message: old}\n",
    "# opscope-ignore: unsatisfiable-requirement\nschema: olm.package\nname: é\n",
    "schema: other\n...\nlost\n",
    "broken: [\n",
    "",
    "{\"schema\": \"olm.package\", \"name\": \"a\"}\n",
];

/// What is typed over a range.
const TYPED: [&str; 10] =
    ["\0", "", "---\n", "a", "1", "\n", "[", "é", "# opscope-ignore: stuck-entry\n", "schema: olm.package\nname: q\n"];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..8).prop_map(|pieces| pieces.join("---\n"))
}

/// A file, where in it and over how much, and what.
fn edit() -> impl Strategy<Value = (usize, prop::sample::Index, u32, &'static str)> {
    (
        0..3_usize,
        any::<prop::sample::Index>(),
        prop_oneof![Just(0), Just(1), 0..80_u32],
        prop::sample::select(&TYPED[..]),
    )
}

/// Two catalogs: one of a file, one of two.
fn loaded(texts: &[String; 3]) -> Workbench {
    let file = |at: usize| NewText { path: format!("{at}.yaml"), content: Ok(texts[at].clone().into_bytes()) };
    let mut workbench = Workbench::new();
    workbench.add_catalog("one", vec![file(0)], &mut |_| {});
    workbench.add_catalog("two", vec![file(1), file(2)], &mut |_| {});
    workbench
}

fn answers(workbench: &Workbench) -> (Overview, FindingsView, Vec<Option<GraphView>>) {
    let overview = answers::overview(workbench);
    let graphs =
        overview.packages.iter().map(|row| answers::graph(workbench, &row.key, &GraphOptions::default())).collect();
    (overview, answers::findings(workbench, &FindingsFilter::default(), u32::MAX), graphs)
}

/// Which files are edited, by their keys. The answers are those without an edited file then.
fn take_edited((overview, ..): &mut (Overview, FindingsView, Vec<Option<GraphView>>)) -> Vec<bool> {
    let files = overview.catalogs.iter_mut().flat_map(|catalog| &mut catalog.files);
    files.map(|file| std::mem::take(&mut file.edited)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn edits_lead_where_loading_does(texts in [text(), text(), text()], edits in prop::collection::vec(edit(), 1..6)) {
        let opened = texts.clone();
        let mut texts = texts;
        let mut workbench = loaded(&texts);
        for (at, place, length, typed) in edits {
            let text = &mut texts[at];
            let start = text.floor_char_boundary(place.index(text.len() + 1));
            let end = text.ceil_char_boundary((start + length as usize).min(text.len()));
            // A file with NUL in it could not be read.
            text.replace_range(start..end, &typed.replace('\0', "\u{fffd}"));
            workbench.edit(FileKey(at as u32), start as u32..end as u32, typed);
            let mut answers_now = answers(&workbench);
            let edited: Vec<bool> = texts.iter().zip(&opened).map(|(text, opened)| text != opened).collect();
            prop_assert_eq!(take_edited(&mut answers_now), edited);
            prop_assert_eq!(answers_now, answers(&loaded(&texts)));
        }
    }

    #[test]
    fn steps_lead_where_loading_at_once_does(texts in [text(), text(), text()], bytes in 1..400_u32) {
        let mut workbench = Workbench::new();
        for (name, ats) in [("one", &[0][..]), ("two", &[1, 2])] {
            let file = |at: &usize| NewText { path: format!("{at}.yaml"), content: Ok(texts[*at].clone().into_bytes()) };
            let mut loading = workbench.begin_loading(name, ats.iter().map(file).collect());
            while !workbench.continue_loading(&mut loading, bytes) {
                workbench.preview(&loading);
                // Whatever is asked meanwhile has an answer.
                answers(&workbench);
            }
            workbench.finish_loading(&[loading]);
        }
        prop_assert_eq!(answers(&workbench), answers(&loaded(&texts)));
    }
}

#[test]
fn an_edit_of_nothing_changes_nothing() {
    let mut workbench = Workbench::new();
    let texts = vec![NewText { path: "catalog.yaml".to_owned(), content: Ok(b"schema: \0".to_vec()) }];
    workbench.add_catalog("one", texts, &mut |_| {});
    let before = answers::findings(&workbench, &FindingsFilter::default(), 9);
    assert_eq!(before.groups[0].rule, "unreadable-file");
    workbench.edit(FileKey(0), 150..170, "");
    assert_eq!(answers::findings(&workbench, &FindingsFilter::default(), 9), before);
}
