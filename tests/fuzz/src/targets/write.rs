//! A catalog or a template, with the catalogs that have its images after `=== catalog`: releases, removals, deprecations, edges
//! that are drawn, and repairs change exactly what they are meant to change, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use answers::RepairRequest;
use catalog::BundleName;
use release::Policy;
use serde_json::Value;
use session::{Authoring, Expand, NewBundle, NewText, ReleaseRequest, Workbench, WrittenFile};
use source::FileId;
use template::TemplateKind;
use views::{CatalogId, Deprecatee, EdgeGesture, Gesture};

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::seeds::parts;

/// The most packages, and the most channels and entries of each, that are edited.
const EDITED: usize = 2;

/// The version that is released.
const VERSION: &str = "97.0.0";
const IMAGE: &str = "quay.io/new:97.0.0";

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    if input.len() > LOOKED_THROUGH {
        return;
    }
    let (text, others) = parts(&input);
    let others: Vec<&str> = others.iter().map(|(_, text)| *text).take(2).collect();
    let mut state = State::open(text, &others);
    let Some(before) = state.documents() else { return };
    for package in before.packages().into_iter().take(EDITED) {
        for edit in before.edits(&package) {
            state.author(&before, &package, &edit);
        }
    }
    state.repair(&before);
}

/// An edit, by what it takes out and what it adds.
struct Edit {
    what: What,
    /// The bundles that channels no longer list.
    removed: Option<String>,
    /// The bundle that channels list besides.
    added: Option<String>,
}

enum What {
    Deprecate(Deprecatee),
    Remove(BundleName, bool),
    /// Without a policy into an `olm.semver` template.
    Release(Option<Policy>, String),
    Edge(EdgeGesture),
}

/// The open texts.
struct State<'t> {
    text: &'t str,
    others: &'t [&'t str],
    workbench: Workbench,
    id: CatalogId,
}

/// What `opm` loads, by schema, package and name.
#[derive(PartialEq, Eq, Debug)]
struct Documents(BTreeMap<[String; 3], Vec<String>>);

impl<'t> State<'t> {
    fn open(text: &'t str, others: &'t [&'t str]) -> Self {
        let mut workbench = Workbench::expanding(Expand::Templates);
        let id = add(&mut workbench, "edited", text);
        for text in others {
            add(&mut workbench, "other", text);
        }
        Self { text, others, workbench, id }
    }

    fn present(&self) -> &str {
        &self.workbench.catalog(self.id).expect("it is open").files[0].text
    }

    fn documents(&self) -> Option<Documents> {
        let mut all = BTreeMap::<_, Vec<_>>::new();
        let printed = self.workbench.catalog(self.id)?.documents().ok()?.to_json();
        for document in serde_json::Deserializer::from_str(&printed).into_iter::<Value>() {
            let document = document.expect("it is JSON");
            let [schema, package, name] =
                ["schema", "package", "name"].map(|field| document[field].as_str().unwrap_or_default().to_owned());
            let package = if schema == "olm.package" { name.clone() } else { package };
            all.entry([schema, package, name]).or_default().push(document.to_string());
        }
        Some(Documents(all))
    }

    fn author(&mut self, before: &Documents, package: &str, edit: &Edit) {
        let was_accepted = self.workbench.catalog(self.id).is_some_and(session::CatalogInput::is_accepted);
        let written = match &edit.what {
            What::Deprecate(what) => {
                let message = "Use \"another\" one: it's #1";
                self.workbench.author(self.id, &Authoring::Deprecate { package, what, message })
            }
            What::Remove(name, stays_listed) => {
                let (version, stays_listed) = (name.as_str(), *stays_listed);
                self.workbench.author(self.id, &Authoring::Remove { package, version, stays_listed })
            }
            What::Release(policy, channel) => {
                let new = new_bundle(package);
                let channels = [channel.clone()];
                let request = ReleaseRequest::of(&new, *policy, &channels);
                self.workbench.author(self.id, &Authoring::Release(request))
            }
            What::Edge(edit) => self.workbench.author(self.id, &Authoring::Edge { package, edit }),
        };
        let Ok(written) = written else {
            assert_eq!(self.present(), self.text, "refused");
            return;
        };
        let is_accepted = self.workbench.catalog(self.id).is_some_and(session::CatalogInput::is_accepted);
        let may_be_rejected = matches!(edit.what, What::Edge(_));
        assert!(is_accepted || !was_accepted || may_be_rejected, "{}", self.present());
        let after = self.read_again();
        let parse = fbc::parse(FileId(0), self.text);
        let is_computed = template::kind_of(&parse) == Some(TemplateKind::Semver);
        before.check(&after, package, edit, is_computed);
        self.check_and_undo(&written.files);
    }

    fn repair(&mut self, before: &Documents) {
        let found = answers::repairs(&self.workbench, self.id, RepairRequest::default()).expect("it is open");
        if found.views.iter().all(|found| found.fixes.is_empty()) {
            return;
        }
        let Ok(written) = answers::write_repairs(&mut self.workbench, &found) else {
            assert_eq!(self.present(), self.text, "refused");
            return;
        };
        let after = self.read_again();
        // Edges of entries change, bundles that no channel had are listed, and nothing else.
        let keys = |of: &Documents| of.0.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(&after), keys(before));
        for (key, documents) in &before.0 {
            if key[0] == "olm.channel" {
                let (listed, known) = (names(&after.0[key]), names(documents));
                assert!(known.is_subset(&listed));
                let is_listed =
                    |name: &str| before.0.iter().any(|(key, all)| key[0] == "olm.channel" && names(all).contains(name));
                assert!(listed.difference(&known).all(|name| !is_listed(name)), "{}", self.present());
            } else {
                assert_eq!(after.0[key], *documents);
            }
        }
        self.check_and_undo(&written);
    }

    /// What the edited text says to somebody who opens it.
    fn read_again(&self) -> Documents {
        let again = State::open(self.present(), self.others).documents();
        assert_eq!(again, self.documents(), "{}", self.present());
        again.unwrap_or_else(|| panic!("it is not loaded any more: {}", self.present()))
    }

    /// Checks the differences, and that the edits can be undone.
    fn check_and_undo(&mut self, written: &[WrittenFile]) {
        for file in written {
            assert_eq!(file.before, self.text);
            assert_eq!(patched(self.text, &file.diff), self.present(), "{}", file.diff);
        }
        for file in written {
            for splice in file.undo.splices.iter().rev() {
                self.workbench.edit(file.undo.file, splice.start..splice.end, &splice.text);
            }
        }
        assert_eq!(self.present(), self.text, "undone");
    }
}

impl Documents {
    fn packages(&self) -> Vec<String> {
        self.0.keys().filter(|[schema, ..]| schema == "olm.package").map(|[_, package, _]| package.clone()).collect()
    }

    fn edits(&self, package: &str) -> Vec<Edit> {
        let channels = self.0.iter().filter(|([schema, of, _], _)| schema == "olm.channel" && of == package);
        let mut edits = Vec::new();
        let deprecate = |what| Edit { what: What::Deprecate(what), removed: None, added: None };
        edits.push(deprecate(Deprecatee::Package));
        let release = |policy, channel: &str| Edit {
            what: What::Release(Some(policy), channel.to_owned()),
            removed: None,
            added: Some(format!("new.v{VERSION}")),
        };
        // The lists of `olm.semver` templates; elsewhere new channels.
        edits.extend(["candidate", "Fast", "stable"].map(|list| release(Policy::ReplaceHead, list)));
        edits.push(Edit { what: What::Release(None, "Stable".to_owned()), ..release(Policy::ReplaceHead, "") });
        for ([_, _, channel], documents) in channels.take(EDITED) {
            edits.push(deprecate(Deprecatee::Channel(channel.clone())));
            let policies = Policy::ALL.into_iter().filter(|policy| *policy != Policy::Promote);
            edits.extend(policies.map(|policy| release(policy, channel)));
            if let [entry, to] = &names(documents).into_iter().take(2).collect::<Vec<_>>()[..] {
                let edge = |gesture| {
                    let (channel, entry, to) = (channel.clone(), entry.clone(), to.clone());
                    let what = What::Edge(EdgeGesture { channel, entry, gesture, to });
                    Edit { what, removed: None, added: None }
                };
                edits.extend([Gesture::Replace, Gesture::Skip, Gesture::RangeFrom, Gesture::RangeTo].map(edge));
            }
            for name in names(documents).into_iter().take(EDITED) {
                let bundle = BundleName::from(&*name);
                edits.push(deprecate(Deprecatee::Bundle(bundle.to_string())));
                let remove = |stays_listed| Edit {
                    what: What::Remove(bundle.clone(), stays_listed),
                    removed: (!stays_listed).then(|| name.clone()),
                    added: None,
                };
                edits.extend([remove(true), remove(false)]);
            }
        }
        edits
    }

    /// Checks that nothing differs but what an edit of a package may change. `is_computed` says that the default channel is made of
    /// the bundles.
    fn check(&self, after: &Self, package: &str, edit: &Edit, is_computed: bool) {
        let keys: BTreeSet<&[String; 3]> = self.0.keys().chain(after.0.keys()).collect();
        // In a template the image is named, and the catalogs say which bundle that is.
        let has_image =
            |documents: &[String]| documents.iter().any(|json| json.contains(&format!("\"image\":\"{IMAGE}\"")));
        let released = after.0.iter().filter(|([schema, ..], all)| schema == "olm.bundle" && has_image(all));
        let mut added: BTreeSet<&String> = released.map(|([.., name], _)| name).collect();
        added.extend(&edit.added);
        let is_release = edit.added.is_some();
        for key in keys {
            let (old, new) = (self.0.get(key), after.0.get(key));
            let [schema, of, name] = key;
            let is_own = of == package;
            let may_differ = match &**schema {
                "olm.channel" => is_own && !matches!(edit.what, What::Deprecate(_)),
                "olm.deprecations" => is_own && !matches!(edit.what, What::Release(..) | What::Edge(_)),
                // A bundle that is built again has another image.
                "olm.bundle" => {
                    let is_rebuilt = matches!(edit.what, What::Release(Some(Policy::Rebuild), _));
                    is_rebuilt || edit.removed.as_ref() == Some(name) || (is_release && added.contains(name))
                }
                "olm.package" => is_own && is_computed,
                _ => false,
            };
            assert!(may_differ || old == new, "{key:?}: {old:?} became {new:?}");
            if schema == "olm.channel" {
                let mut listed = old.map_or_else(BTreeSet::new, |old| names(old));
                listed.retain(|name| edit.removed.as_ref() != Some(name));
                let mut lists = new.map_or_else(BTreeSet::new, |new| names(new));
                lists.retain(|name| listed.contains(name) || !(is_release && added.contains(name)));
                assert_eq!(lists, listed, "{key:?}");
            }
        }
    }
}

fn add(workbench: &mut Workbench, name: &str, text: &str) -> CatalogId {
    let file = NewText { path: "c.yaml".to_owned(), content: Ok(text.as_bytes().to_vec()) };
    workbench.add_catalog(name, vec![file], &mut |_| {})
}

/// The names of the entries of channels.
fn names(documents: &[String]) -> BTreeSet<String> {
    let entries = |json: &String| match serde_json::from_str::<Value>(json) {
        Ok(Value::Object(mut fields)) => fields.remove("entries").unwrap_or_default(),
        other => panic!("{other:?}"),
    };
    let name = |entry: &Value| entry["name"].as_str().unwrap_or_default().to_owned();
    documents
        .iter()
        .flat_map(|json| entries(json).as_array().into_iter().flatten().map(name).collect::<Vec<_>>())
        .collect()
}

fn new_bundle(package: &str) -> NewBundle {
    let package = serde_json::to_string(package).expect("a text is JSON");
    let annotations = format!(
        "annotations:\n  operators.operatorframework.io.bundle.package.v1: {package}\n  \
         operators.operatorframework.io.bundle.channels.v1: c\n"
    );
    let csv = format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {{name: new.v{VERSION}}}\nspec: {{version: {VERSION}}}\n"
    );
    let file = |path: &str, text: String| NewText { path: path.to_owned(), content: Ok(text.into_bytes()) };
    let files = [file("metadata/annotations.yaml", annotations), file("manifests/csv.yaml", csv)];
    let known = NewBundle::of(&files).map(|new| new.in_image(IMAGE));
    known.unwrap_or_else(|| NewBundle::of_image(IMAGE, "new.v97.0.0", VERSION, "p"))
}

/// A text with a unified diff applied to it, as `patch` does.
fn patched(text: &str, diff: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut at, mut out) = (0, String::new());
    let mut rows = diff.split_inclusive('\n').peekable();
    while let Some(row) = rows.next() {
        let is_last = rows.peek().is_some_and(|next| next.starts_with('\\'));
        let content = if is_last { row[1..].trim_end_matches('\n') } else { &row[1..] };
        match row.as_bytes()[0] {
            b'@' => {
                let range = row.trim_start_matches("@@ -").split([' ', ',']).next().expect("a range has a start");
                let start: usize = range.parse().expect("lines are counted");
                let has_none = row.split(' ').nth(1).is_some_and(|range| range.ends_with(",0"));
                let start = if has_none { start } else { start - 1 };
                out.extend(lines[at..start].iter().copied());
                at = start;
            }
            b'+' => out += content,
            b'\\' => {}
            sign => {
                assert_eq!(lines[at], content, "{diff}");
                at += 1;
                if sign == b' ' {
                    out += content;
                }
            }
        }
    }
    out.extend(lines[at..].iter().copied());
    out
}
