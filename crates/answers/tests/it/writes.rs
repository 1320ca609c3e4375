//! What is written into generated catalogs and templates, in every way to spell them, is what was meant and nothing else.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use session::{Authoring, Expand, NewBundle, NewText, Policy, ReleaseRequest, Workbench};
use source::FileId;
use std::collections::BTreeSet;
use views::Deprecatee;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Catalog,
    Basic,
    Substitutes,
    Semver,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Block,
    Flow,
    Pretty,
    Compact,
}

/// How a text is written. Comments and anchors are only in block style.
#[derive(Clone, Copy, Debug)]
struct Spelling {
    style: Style,
    is_capital: bool,
    is_crlf: bool,
    has_comments: bool,
    has_anchors: bool,
}

#[derive(Clone, Copy, Debug)]
enum Edit {
    Release,
    Remove(usize),
    Deprecate(usize),
}

const VERSIONS: [&str; 5] = ["1.0.0", "1.0.1", "1.1.0", "1.2.0", "2.0.0"];
const NEW: &str = "3.0.0";

fn name(version: &str) -> String {
    format!("p.v{version}")
}

fn image(version: &str) -> String {
    format!("quay.io/p:{version}")
}

fn bundle(version: &str) -> Value {
    let property = json!({"type": "olm.package", "value": {"packageName": "p", "version": version}});
    json!({"schema": "olm.bundle", "package": "p", "name": name(version), "image": image(version), "properties": [property]})
}

/// The documents of a text with these versions, of which each replaces the one before it. An `olm.semver` template lists the
/// first one in `fast`, too.
fn documents(form: Form, versions: &[&str]) -> Vec<Value> {
    if form == Form::Semver {
        let list =
            |versions: &[&str]| versions.iter().map(|version| json!({"image": image(version)})).collect::<Vec<_>>();
        let mut template =
            json!({"schema": "olm.semver", "generateMajorChannels": true, "stable": {"bundles": list(versions)}});
        if versions.contains(&VERSIONS[0]) {
            template["fast"] = json!({"bundles": list(&VERSIONS[..1])});
        }
        return vec![template];
    }
    let entry = |at: usize| match at.checked_sub(1) {
        Some(before) => json!({"name": name(versions[at]), "replaces": name(versions[before])}),
        None => json!({"name": name(versions[at])}),
    };
    let entries: Vec<Value> = (0..versions.len()).map(entry).collect();
    let mut documents = vec![
        json!({"schema": "olm.package", "name": "p", "defaultChannel": "c"}),
        json!({"schema": "olm.channel", "package": "p", "name": "c", "entries": entries}),
    ];
    let image = |version: &&str| json!({"schema": "olm.bundle", "image": image(version)});
    match form {
        Form::Basic => documents.extend(versions.iter().map(image)),
        _ => documents.extend(versions.iter().map(|version| bundle(version))),
    }
    match form {
        Form::Basic => vec![json!({"schema": "olm.template.basic", "entries": documents})],
        Form::Substitutes => vec![json!({"schema": "olm.template.substitutes", "entries": documents})],
        Form::Catalog | Form::Semver => documents,
    }
}

impl Spelling {
    fn write(self, documents: &[Value]) -> String {
        let text = |document: &Value| {
            let document =
                if self.is_capital { with_keys(document, &str::to_ascii_uppercase) } else { document.clone() };
            match self.style {
                Style::Block => self.block(&document, "", &mut self.has_anchors.clone()),
                Style::Flow => flow(&document) + "\n",
                Style::Pretty => format!("{document:#}\n"),
                Style::Compact => format!("{document}\n"),
            }
        };
        let separator = if matches!(self.style, Style::Block | Style::Flow) { "---\n" } else { "" };
        let text = documents.iter().map(text).collect::<Vec<_>>().join(separator);
        if self.is_crlf { text.replace('\n', "\r\n") } else { text }
    }

    fn block(self, value: &Value, indent: &str, is_anchor_due: &mut bool) -> String {
        let comment = if self.has_comments { " # why" } else { "" };
        let inner = format!("{indent}  ");
        match value {
            Value::Object(fields) => {
                let mut out = String::new();
                for (key, value) in fields {
                    let anchor = if value.is_array() && std::mem::take(is_anchor_due) { " &list" } else { "" };
                    out += &match value {
                        Value::Object(_) | Value::Array(_) => {
                            format!("{indent}{key}:{anchor}\n{}", self.block(value, &inner, is_anchor_due))
                        }
                        scalar => format!("{indent}{key}: {}{comment}\n", flow(scalar)),
                    };
                }
                out
            }
            Value::Array(items) => {
                let above = if self.has_comments { format!("{indent}# above\n") } else { String::new() };
                let item = |item: &Value| {
                    let lines = self.block(item, &inner, is_anchor_due);
                    format!("{above}{indent}- {}", lines.trim_start())
                };
                items.iter().map(item).collect()
            }
            scalar => flow(scalar),
        }
    }
}

/// A value in flow style, without quotes.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value whose keys have another first letter. No two keys are the same then.
fn with_keys(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Object(fields) => {
            let mut changed = Map::new();
            for (key, value) in fields {
                let before = changed.insert(change(&key[..1]) + &key[1..], with_keys(value, change));
                assert_eq!(before, None, "`{key}` in two spellings");
            }
            Value::Object(changed)
        }
        Value::Array(items) => items.iter().map(|item| with_keys(item, change)).collect(),
        other => other.clone(),
    }
}

/// The documents of a text, without the order of lists and without what only describes bundles.
fn read(text: &str) -> BTreeSet<String> {
    let nodes = fbc::untyped_values(FileId(0), text).nodes;
    let values = nodes.iter().map(|node| node.to_json(text).unwrap_or_else(|error| panic!("{error:?} in {text}")));
    values.map(|value| normal(with_keys(&value, &str::to_ascii_lowercase)).to_string()).collect()
}

fn normal(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            if fields.get("schema") == Some(&json!("olm.bundle")) {
                fields.retain(|key, _| ["schema", "name", "image"].contains(&&**key));
            }
            fields.into_iter().map(|(key, value)| (key, normal(value))).collect()
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.into_iter().map(normal).collect();
            items.sort_by_key(Value::to_string);
            Value::Array(items)
        }
        other => other,
    }
}

fn expected(documents: Vec<Value>) -> BTreeSet<String> {
    documents.into_iter().map(|document| normal(document).to_string()).collect()
}

/// The documents with a deprecation.
fn deprecated(form: Form, versions: &[&str], version: &str) -> Vec<Value> {
    let reference = json!({"schema": "olm.bundle", "name": name(version)});
    let entries = json!([{"reference": reference, "message": "gone"}]);
    let document = json!({"schema": "olm.deprecations", "package": "p", "entries": entries});
    let mut documents = documents(form, versions);
    match documents[0].get_mut("entries").and_then(Value::as_array_mut) {
        Some(entries) => entries.push(document),
        None => documents.push(document),
    }
    documents
}

fn add(workbench: &mut Workbench, path: &str, text: &str) -> views::CatalogId {
    let file = NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) };
    workbench.add_catalog(path, vec![file], &mut |_| {})
}

/// A workbench with the text, and with a catalog that has all bundles.
fn opened(text: &str) -> (Workbench, views::CatalogId) {
    let mut workbench = Workbench::expanding(Expand::Templates);
    let id = add(&mut workbench, "c.yaml", text);
    let all: Vec<String> = VERSIONS.iter().chain([&NEW]).map(|version| bundle(version).to_string()).collect();
    add(&mut workbench, "images.json", &all.join("\n"));
    (workbench, id)
}

/// All that channels list.
fn listed(workbench: &Workbench, id: views::CatalogId) -> BTreeSet<String> {
    let catalog = &workbench.catalog(id).expect("it is open").analysis.catalog;
    let channels = catalog.packages.iter().flat_map(|package| &package.channels);
    channels.flat_map(|channel| &channel.entries).map(|entry| entry.name.value.to_string()).collect()
}

fn new_bundle(version: &str) -> NewBundle {
    let prefix = "operators.operatorframework.io.bundle";
    let annotations = format!("annotations:\n  {prefix}.package.v1: p\n  {prefix}.channels.v1: c\n");
    let csv = format!(
        "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {{name: {}}}\nspec: {{version: {version}}}\n",
        name(version)
    );
    let file = |path: &str, text: &str| NewText { path: path.to_owned(), content: Ok(text.into()) };
    let files = [file("metadata/annotations.yaml", &annotations), file("manifests/csv.yaml", &csv)];
    NewBundle::of(&files).expect("a bundle").in_image(&image(version))
}

/// Makes an edit, and checks what the text says then.
fn check(form: Form, count: usize, spelling: Spelling, edit: Edit) {
    let versions = &VERSIONS[..count];
    let text = spelling.write(&documents(form, versions));
    let (mut workbench, id) = opened(&text);
    assert_eq!(listed(&workbench, id).len(), count, "{text}");
    let new = new_bundle(NEW);
    let list = if form == Form::Semver { "stable" } else { "c" };
    let channels = [list.to_owned()];
    let policy = (form != Form::Semver).then_some(Policy::ReplaceHead);
    let version = |at: usize| versions[at % count];
    let deprecatee = match edit {
        Edit::Deprecate(at) => Deprecatee::Bundle(name(version(at))),
        Edit::Release | Edit::Remove(_) => Deprecatee::Package,
    };
    let what = match edit {
        Edit::Release => Authoring::Release(ReleaseRequest::of(&new, policy, &channels)),
        Edit::Remove(at) => Authoring::Remove { package: "p", version: version(at), stays_listed: false },
        Edit::Deprecate(_) => Authoring::Deprecate { package: "p", what: &deprecatee, message: "gone" },
    };
    let result = workbench.author(id, &what);
    let after = workbench.catalog(id).expect("it is open").files[0].text.clone();
    if let Err(refusal) = result {
        assert_eq!(after, text, "{refusal:?}");
        let is_head = |at: usize| form != Form::Semver && at % count == count - 1;
        let may_be_refused = match edit {
            // Its entries are whole documents.
            Edit::Release => form == Form::Substitutes,
            Edit::Remove(at) => is_head(at),
            Edit::Deprecate(_) => form == Form::Semver,
        };
        assert!(may_be_refused, "{refusal:?}\n{text}");
        return;
    }
    let (again, id) = opened(&after);
    let mut names: BTreeSet<String> = versions.iter().map(|version| name(version)).collect();
    let meant = match edit {
        Edit::Release => {
            names.insert(name(NEW));
            Some(expected(documents(form, &[versions, &[NEW]].concat())))
        }
        Edit::Deprecate(at) => Some(expected(deprecated(form, versions, version(at)))),
        Edit::Remove(at) => {
            names.remove(&name(version(at)));
            let others: Vec<&str> = versions.iter().copied().filter(|other| *other != version(at)).collect();
            (form == Form::Semver).then(|| expected(documents(form, &others)))
        }
    };
    assert_eq!(listed(&again, id), names, "{after}");
    if let Some(meant) = meant {
        assert_eq!(read(&after), meant, "{after}");
    }
    assert!(!spelling.is_crlf || !after.replace("\r\n", "").contains('\n'), "mixed line ends: {after:?}");
}

fn spelling() -> impl Strategy<Value = Spelling> {
    let styles = prop::sample::select(&[Style::Block, Style::Block, Style::Flow, Style::Pretty, Style::Compact][..]);
    (styles, any::<[bool; 4]>()).prop_map(|(style, [is_capital, is_crlf, has_comments, has_anchors])| Spelling {
        style,
        is_capital,
        is_crlf,
        has_comments,
        has_anchors,
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![Just(Edit::Release), (0..5_usize).prop_map(Edit::Remove), (0..5_usize).prop_map(Edit::Deprecate)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn an_edit_of_a_generated_text_changes_what_is_meant(
        form in prop::sample::select(&[Form::Catalog, Form::Basic, Form::Substitutes, Form::Semver, Form::Semver][..]),
        count in 2..=VERSIONS.len(),
        spelling in spelling(),
        edit in edit(),
    ) {
        check(form, count, spelling, edit);
    }
}

/// A catalog whose channels list the versions that are marked, each of which replaces the one before it.
fn two_channels(marks: [[bool; 5]; 2]) -> String {
    let channel = |name: &str, marks: [bool; 5]| {
        let listed: Vec<&str> =
            VERSIONS.iter().zip(marks).filter(|(_, has)| *has).map(|(version, _)| *version).collect();
        let mut channel = documents(Form::Catalog, &listed).remove(1);
        channel["name"] = json!(name);
        channel
    };
    let known = |at: &usize| marks[0][*at] || marks[1][*at];
    let bundles = (0..5).filter(known).map(|at| bundle(VERSIONS[at]));
    let package = json!({"schema": "olm.package", "name": "p", "defaultChannel": "c"});
    let all = [package, channel("c", marks[0]), channel("d", marks[1])].into_iter().chain(bundles);
    all.map(|document| format!("{document}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_a_refusal_advises_is_not_refused(
        marks in [any::<[bool; 5]>(), any::<[bool; 5]>()],
        version in prop::sample::select(&["1.0.0", "1.0.2", "1.1.0", "1.1.1", "2.0.0", "3.0.0-rc1", NEW][..]),
        policy in prop::sample::select(&Policy::ALL[..]),
        channels in prop::sample::select(&["c", "d", "c d", "e"][..]),
    ) {
        let text = two_channels([[true, marks[0][1], marks[0][2], marks[0][3], marks[0][4]], marks[1]]);
        let (new, channels) = (new_bundle(version), channels.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let request = ReleaseRequest::of(&new, Some(policy), &channels);
        let (mut workbench, id) = opened(&text);
        let refusal = workbench.author(id, &Authoring::Release(request.clone())).err();
        prop_assert!(refusal.is_none() || workbench.catalog(id).expect("it is open").files[0].text == text);
        let instead = refusal.map(|refusal| refusal.instead).unwrap_or_default();
        for word in instead.split('`').skip(1).step_by(2) {
            let own = word.strip_prefix("--channel ").and_then(|own| own.split_once('='));
            let named = own.map_or(word, |(_, policy)| policy);
            let Some(advised) = Policy::ALL.into_iter().find(|policy| policy.id() == named) else { continue };
            let policies: Vec<_> = own.iter().map(|(channel, _)| ((*channel).to_owned(), advised)).collect();
            let policy = if own.is_some() { policy } else { advised };
            let advised = ReleaseRequest { policy: Some(policy), policies: &policies, ..request.clone() };
            let (mut again, id) = opened(&text);
            let refused = again.author(id, &Authoring::Release(advised)).err();
            prop_assert!(refused.is_none(), "{instead}: {refused:?}\n{text}");
        }
    }

    #[test]
    fn what_the_refusal_of_a_removal_advises_is_not_refused(marks in [any::<[bool; 5]>(), any::<[bool; 5]>()], at in 0..5_usize) {
        let text = two_channels([[true, marks[0][1], marks[0][2], marks[0][3], marks[0][4]], marks[1]]);
        let (mut workbench, id) = opened(&text);
        let removal = Authoring::Remove { package: "p", version: VERSIONS[at], stays_listed: false };
        let instead = workbench.author(id, &removal).err().map(|refusal| refusal.instead).unwrap_or_default();
        let bundle = Deprecatee::Bundle(VERSIONS[at].to_owned());
        let deprecation = Authoring::Deprecate { package: "p", what: &bundle, message: "gone" };
        prop_assert!(!instead.contains("deprecate it") || workbench.author(id, &deprecation).is_ok(), "{text}");
    }
}

#[test]
fn a_list_that_another_one_shares_is_not_edited() {
    let text = "Schema: olm.semver\nFast:\n  Bundles: &list\n  - Image: quay.io/p:1.0.0\n  - Image: quay.io/p:1.1.0\nStable:\n  Bundles: *list\n";
    let (mut workbench, id) = opened(text);
    let (new, channels) = (new_bundle(NEW), ["fast".to_owned()]);
    let release = Authoring::Release(ReleaseRequest::of(&new, None, &channels));
    let refusal = workbench.author(id, &release).expect_err("both lists would get it");
    assert_eq!(refusal.sentence, "the edit would also change `stable` of the template");
    let remove = Authoring::Remove { package: "", version: "p.v1.0.0", stays_listed: false };
    assert!(workbench.author(id, &remove).is_ok() || workbench.catalog(id).expect("it is open").files[0].text == text);
}
