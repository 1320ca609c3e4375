//! Small catalogs for the tests of this crate and of those above it.

use crate::{Expand, NewText, Workbench};
use views::{AuthoringInput, CatalogId, Compared, FileEdit, FixView, InputEdit, SetId};

/// A workbench with the catalogs and the cluster of an example of the gallery.
pub fn example(slug: &str) -> Workbench {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let opened = workbench.open_example(slug).expect("there is such an example");
    workbench.set_cluster(&opened.cluster);
    workbench
}

impl Workbench {
    /// The same, for queries about this comparison.
    pub fn comparing(&mut self, compared: &Compared) -> &Self {
        self.set_comparison(compared.clone());
        self
    }

    /// Adds a catalog of one file.
    pub fn add_text(&mut self, name: &str, path: &str, text: impl Into<Vec<u8>>) -> CatalogId {
        let file = NewText { path: path.to_owned(), content: Ok(text.into()) };
        self.add_catalog(name, vec![file], &mut |_| {})
    }

    /// The same with a catalog of one file.
    pub fn with_text(mut self, name: &str, path: &str, text: impl Into<Vec<u8>>) -> Self {
        self.add_text(name, path, text);
        self
    }

    /// The same with the cluster of these manifests.
    pub fn with_cluster(mut self, manifests: &str) -> Self {
        self.set_cluster(manifests);
        self
    }
}

/// A workbench with the set of these files.
pub fn set_of(files: &[(&str, &str)]) -> (Workbench, SetId) {
    let text = |(path, text): &(&str, &str)| NewText { path: (*path).to_owned(), content: Ok((*text).into()) };
    let mut workbench = Workbench::new();
    workbench.open_files("repository", files.iter().map(text).collect(), &mut Vec::new());
    let set = workbench.sets().first().expect("the members have a package in common").id;
    (workbench, set)
}

/// A workbench with a catalog for each name and sketch.
pub fn workbench(catalogs: &[(&str, &str)]) -> Workbench {
    let mut workbench = Workbench::new();
    for (name, sketch) in catalogs {
        workbench.add_text(name, "catalog.yaml", yaml(sketch));
    }
    workbench
}

/// A catalog from lines `package NAME DEFAULT`, `channel PACKAGE NAME ENTRY...` and `bundle PACKAGE VERSION`, the last
/// perhaps with `requires PACKAGE RANGE`, `provides KIND`, or `unknown` for one without CSV metadata. An entry is `name>replaces-skip-skip~skipRange`, with `_`
/// for a blank in the range.
pub fn yaml(sketch: &str) -> String {
    sketch.lines().map(|line| document(&line.split(' ').collect::<Vec<_>>())).collect()
}

fn document(words: &[&str]) -> String {
    match words {
        ["package", name, default] => format!("---\nschema: olm.package\nname: {name}\ndefaultChannel: {default}\n"),
        ["channel", package, name, entries @ ..] => {
            let entries: String = entries.iter().map(|text| entry(text)).collect();
            format!("---\nschema: olm.channel\npackage: {package}\nname: {name}\nentries:\n{entries}")
        }
        ["bundle", package, version, rest @ ..] => {
            let csv = "- {type: olm.csv.metadata, value: {displayName: P, installModes: [{type: AllNamespaces, supported: true}]}}\n";
            let csv = if *rest == ["unknown"] { "" } else { csv };
            let more = match rest {
                [] | ["unknown"] => String::new(),
                ["requires", name, range] => {
                    format!("- type: olm.package.required\n  value: {{packageName: {name}, versionRange: '{range}'}}\n")
                }
                ["provides", kind] => {
                    format!("- type: olm.gvk\n  value: {{group: example.com, version: v1, kind: {kind}}}\n")
                }
                other => panic!("expected `requires` or `provides`, not {other:?}"),
            };
            format!(
                "---\nschema: olm.bundle\npackage: {package}\nname: {package}.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: {package}, version: {version}}}}}\n{csv}{more}"
            )
        }
        other => panic!("expected a package, a channel or a bundle, not {other:?}"),
    }
}

fn entry(text: &str) -> String {
    let (links, range) = text.split_once('~').unwrap_or((text, ""));
    let mut names = links.split('-');
    let first = names.next().unwrap_or_default();
    let (name, replaces) = first.split_once('>').unwrap_or((first, ""));
    let skips: Vec<&str> = names.collect();
    format!(
        "- {{name: {name}, replaces: '{replaces}', skips: [{}], skipRange: '{}'}}\n",
        skips.join(", "),
        range.replace('_', " ")
    )
}

/// Makes a fix of a catalog as a click does. Returns the edits that undo it.
#[track_caller]
pub fn click(workbench: &mut Workbench, fix: &FixView) -> Vec<FileEdit> {
    let Some(InputEdit::Catalog { catalog, changes }) = fix.edit.clone() else { panic!("{}", fix.text) };
    let input = AuthoringInput::Fix { title: fix.text.clone(), changes };
    workbench.author_input(catalog, &input, None).unwrap_or_else(|reason| panic!("{}: {reason}", fix.text))
}
