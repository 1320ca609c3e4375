//! Changes of the edges of an entry, as the user makes them in the drawing.

use super::comparison::strips;
use crate::package;
use crate::repairs::changed_rows;
use compare::{groups, words};
use session::Workbench;
use session::entry_edit;
use update_graph::applied;
use views::{EdgeEffectView, EdgeGesture, PackageKey, PathStrip};

/// The most groups of installed versions that are shown.
const GROUPS: usize = 3;

/// What a change of the edges of an entry does to installed versions; `None` if there is no such entry.
#[must_use]
pub fn edge_effect(workbench: &Workbench, key: &PackageKey, edit: &EdgeGesture) -> Option<EdgeEffectView> {
    let (_, package) = package(workbench, key)?;
    let channel = package.channel(&edit.channel)?;
    let edit = entry_edit(package, channel, edit)?;
    let rows = changed_rows(None, package, &applied(channel, std::slice::from_ref(&edit)));
    let found = groups(&rows);
    let is_worse = found.iter().map(|group| strips(group.first)).any(|[old, new]| old.is_fine && !new.is_fine);
    let path = |path: &PathStrip| {
        let hops = path.versions.iter().map(String::as_str).chain((path.more > 0).then_some("…"));
        format!("{}, {}", hops.collect::<Vec<_>>().join(" → "), path.end)
    };
    let effect = |group: &compare::Group<'_>| {
        let [old, new] = strips(group.first);
        format!("{}: now {}; then {}", words::versions(group), path(&old), path(&new))
    };
    let effects = found.iter().take(GROUPS).map(effect).collect();
    let what = edit.describe();
    let sentence = match rows.len() {
        0 => format!("{what}: no installed version is updated in another way."),
        1 => format!("{what}: 1 installed version is updated in another way."),
        count => format!("{what}: {count} installed versions are updated in another way."),
    };
    Some(EdgeEffectView { sentence, effects, is_worse })
}

#[cfg(test)]
mod tests {
    use crate::edge_effect;
    use session::testing::workbench;
    use views::{AuthoringInput, CatalogId, EdgeGesture, Gesture, PackageKey};

    const CATALOG: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";

    fn edit(change: Gesture, to: &str) -> EdgeGesture {
        EdgeGesture { channel: "c".to_owned(), entry: "p.v1.2.0".to_owned(), gesture: change, to: format!("p.v{to}") }
    }

    #[test]
    fn a_change_says_what_becomes_of_installed_versions() {
        let workbench = workbench(&[("c", CATALOG)]);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let effect = |change, to| edge_effect(&workbench, &key, &edit(change, to)).unwrap();
        let said = |change, to| (effect(change, to).sentence, effect(change, to).is_worse);
        // Two heads: of such a channel OLM resolves nothing.
        let past = "let `p.v1.2.0` replace `p.v1.0.0`: 3 installed versions are updated in another way.";
        assert_eq!(said(Gesture::Replace, "1.0.0"), (past.to_owned(), true));
        let effects = effect(Gesture::Replace, "1.0.0").effects;
        let expected =
            "1.0.0 to 1.1.0 (2 versions): now 1.0.0 → 1.1.0 → 1.2.0, the head; then 1.0.0, OLM reports an error";
        assert_eq!((effects.len(), &*effects[0]), (2, expected));
        let gone = "remove `replaces` from `p.v1.2.0`: 3 installed versions are updated in another way.";
        assert_eq!(said(Gesture::Replace, "1.1.0"), (gone.to_owned(), true));
        let range = "set `skipRange` of `p.v1.2.0` to `>=1.0.0 <1.2.0`: 1 installed version is updated in another way.";
        assert_eq!(said(Gesture::RangeFrom, "1.0.0"), (range.to_owned(), false));
        let to = "set `skipRange` of `p.v1.2.0` to `<=1.0.0`: 1 installed version is updated in another way.";
        assert_eq!(said(Gesture::RangeTo, "1.0.0"), (to.to_owned(), false));
        assert_eq!(edge_effect(&workbench, &key, &edit(Gesture::Skip, "1.2.0")), None, "of itself");
    }

    #[test]
    fn a_change_is_written_and_undone() {
        let mut workbench = workbench(&[("c", CATALOG)]);
        let before = workbench.catalogs()[0].files[0].text.clone();
        let input = AuthoringInput::Edge { package: "p".to_owned(), edit: edit(Gesture::Replace, "1.1.0") };
        let undo = workbench.author_input(CatalogId(0), &input, None).unwrap();
        // Two heads, which `opm` rejects: the user goes on from there.
        assert!(!workbench.catalogs()[0].is_accepted());
        let input = AuthoringInput::Edge { package: "p".to_owned(), edit: edit(Gesture::Skip, "1.1.0") };
        let more = workbench.author_input(CatalogId(0), &input, None).unwrap();
        assert!(workbench.catalogs()[0].files[0].text.contains("skips"));
        workbench.edit_files(&[more, undo].concat());
        assert_eq!(workbench.catalogs()[0].files[0].text, before);
    }
}
