//! Trying a new bundle: its document and its entries are added to the text of a catalog, as the release pipelines of the
//! community catalogs do (reference: bundle-directories 4.2).

use crate::{CatalogInput, FileInput, NewText, Workbench};
use bundle::{Bundle, Document, File, RenderOutcome, Rendering, render};
use bundle_tree::bundle_folders;
use catalog::{Channel, Package};
use fbc::{Decoded, Field, TextEditor, decode_bytes};
use serde::de::IgnoredAny;
use serde_json::json;
use source::{FileId, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use views::{FileKey, NewBundleView, Trial, TrialCatalog, TrialChannel, TrialEntry};

/// A bundle that is not part of a catalog yet.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBundle {
    bundle: Bundle,
    /// What `opm render` loses of it, as sentences.
    findings: Vec<String>,
}

impl NewBundle {
    /// The bundle in a folder, if there is one bundle directory in it, however many folders are around that, and `opm` renders
    /// it.
    #[must_use]
    pub fn of(files: &[NewText]) -> Option<Self> {
        let folder = only_bundle_folder(files.iter().map(|file| file.path.as_str()))?;
        let inside = files.iter().filter_map(|file| Some((file.path.strip_prefix(&folder)?, &file.content)));
        let decoded: Vec<(&str, Decoded)> = (inside.zip(0..))
            .filter_map(|((path, content), id)| Some((path, decode_bytes(FileId(id), content.as_ref().ok()?.clone()))))
            .collect();
        let files: Vec<File<'_>> = (decoded.iter().zip(0..))
            .map(|((path, Decoded { text, fault }), id)| File { id: FileId(id), path, text, fault: fault.as_ref() })
            .collect();
        let Rendering { outcome: RenderOutcome::Bundle(bundle), findings, .. } = render(&files) else { return None };
        let findings = (findings.iter())
            .map(|found| {
                format!("`{}`: {}", decoded.get(found.span.file.0 as usize).map_or("", |file| file.0), found.message)
            })
            .collect();
        Some(Self { bundle: *bundle, findings })
    }
}

/// Whether these are the paths of bundle directories, whose manifests are those of bundles and not of a cluster.
pub fn has_bundle_directory<'p>(paths: impl Iterator<Item = &'p str>) -> bool {
    !bundle_folders(paths).is_empty()
}

/// The folder, with `/` behind it, of the only bundle directory among these paths.
fn only_bundle_folder<'p>(paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let mut folders = bundle_folders(paths).into_iter();
    let (folder, None) = (folders.next()?, folders.next()) else { return None };
    Some(if folder.is_empty() { String::new() } else { format!("{folder}/") })
}

impl Workbench {
    /// The catalogs that a bundle can be tried on, with suggested entries; `None` if no catalog has its package.
    #[must_use]
    pub fn trial(&self, number: u32, new: &NewBundle) -> Option<NewBundleView> {
        let NewBundle { bundle, findings } = new;
        let of = |catalog: &CatalogInput| {
            let package = catalog.analysis.catalog.package(&bundle.package)?;
            let channels = channels(package, bundle);
            Some(TrialCatalog { catalog: catalog.id, name: catalog.name.clone(), channels })
        };
        let catalogs: Vec<TrialCatalog> = self.catalogs().iter().rev().filter_map(of).collect();
        (!catalogs.is_empty()).then(|| NewBundleView {
            number,
            name: bundle.name.clone(),
            package: bundle.package.clone(),
            catalogs,
            findings: findings.clone(),
        })
    }

    /// Adds a bundle and its entries to the text of a catalog. Returns the files that were edited.
    ///
    /// # Errors
    ///
    /// Why it cannot be added; nothing was changed then.
    pub fn try_bundle(&mut self, new: &NewBundle, trial: &Trial) -> Result<Vec<FileKey>, String> {
        let catalog = self.catalog(trial.catalog).ok_or("the catalog is not open any more")?;
        let edits = edits(catalog, &new.bundle, &trial.entries)?;
        let keys: BTreeSet<FileKey> = edits.iter().map(|(key, ..)| *key).collect();
        self.edit_all(trial.catalog, edits);
        Ok(keys.into_iter().collect())
    }
}

/// The channels of the package, and those that the bundle names besides, with a suggested entry for each.
fn channels(package: &Package, bundle: &Bundle) -> Vec<TrialChannel> {
    let named: Vec<&str> = bundle.channels.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
    let suggested = |name: &str, channel: Option<&Channel>| {
        // A channel has one head: the new entry replaces or skips the present one.
        let is_head_left = |head: &String| bundle.updates.replaces.is_empty() && !bundle.updates.skips.contains(head);
        let head = channel.and_then(|channel| catalog::heads(channel).first().map(|head| (*head).to_owned()));
        TrialChannel {
            exists: channel.is_some(),
            is_named: named.contains(&name),
            entry: TrialEntry {
                channel: name.to_owned(),
                replaces: head.filter(is_head_left).unwrap_or_else(|| bundle.updates.replaces.clone()),
                skips: bundle.updates.skips.clone(),
                skip_range: bundle.updates.skip_range.clone(),
            },
        }
    };
    let known = package.channels.iter().map(|channel| suggested(channel.name.value.as_str(), Some(channel)));
    let new = named.iter().filter(|name| package.channel(name).is_none()).map(|name| suggested(name, None));
    known.chain(new).collect()
}

/// An edit of a file.
type FileEdit = (FileKey, Range<u32>, String);

fn edits(catalog: &CatalogInput, bundle: &Bundle, entries: &[TrialEntry]) -> Result<Vec<FileEdit>, String> {
    let package = catalog.analysis.catalog.package(&bundle.package).ok_or("the catalog does not have the package")?;
    if package.bundle(&bundle.name).is_some() {
        return Err(format!("the catalog has a bundle `{}` already", bundle.name));
    }
    if entries.is_empty() {
        return Err("the bundle needs at least one channel".to_owned());
    }
    let mut edits = Vec::new();
    let mut new = vec![bundle.document()];
    for entry in entries {
        match package.channel(&entry.channel) {
            Some(channel) => edits.push(new_entry(catalog, channel, &bundle.name, entry)?),
            None => new.push(new_channel(bundle, entry)),
        }
    }
    let place = package.span().ok_or("the catalog has no document of the package")?;
    edits.push(new_documents(file(catalog, place)?, &new)?);
    // From the last to the first, so that the places of the others stay valid.
    edits.sort_by_key(|(key, bytes, _)| std::cmp::Reverse((*key, bytes.start)));
    Ok(edits)
}

/// The file of a span, if it may be edited.
fn file(catalog: &CatalogInput, span: Span) -> Result<&FileInput, String> {
    let file = catalog.file(FileKey(span.file.0)).ok_or("the catalog has no such file")?;
    if file.is_editable() { Ok(file) } else { Err(format!("`{}` cannot be edited", file.path)) }
}

fn new_entry(catalog: &CatalogInput, channel: &Channel, name: &str, entry: &TrialEntry) -> Result<FileEdit, String> {
    let file = file(catalog, channel.span)?;
    let TrialEntry { channel: _, replaces, skips, skip_range } = entry;
    let fields = [
        ("name", Field::Text(name)),
        ("replaces", Field::Text(replaces)),
        ("skips", Field::Texts(skips)),
        ("skipRange", Field::Text(skip_range)),
    ];
    let at = channel.name.span.start;
    let documents = fbc::untyped_values(channel.span.file, &file.text).nodes;
    let edit = (documents.iter().find(|node| (node.span.start..node.span.end).contains(&at)))
        .and_then(|node| TextEditor { text: &file.text }.push_mapping(node, "entries", &fields))
        .ok_or_else(|| format!("cannot add an entry to channel `{}`; add it in the source", entry.channel))?;
    let text = file.with_line_ends(edit.span.start, &edit.text);
    Ok((file.key, edit.span.start..edit.span.end, text))
}

fn new_channel(bundle: &Bundle, entry: &TrialEntry) -> Document {
    let mut fields = serde_json::Map::new();
    fields.insert("name".to_owned(), bundle.name.as_str().into());
    let texts = [("replaces", &entry.replaces), ("skipRange", &entry.skip_range)];
    let given = texts.into_iter().filter(|(_, text)| !text.is_empty());
    fields.extend(given.map(|(name, text)| (name.to_owned(), text.as_str().into())));
    if !entry.skips.is_empty() {
        fields.insert("skips".to_owned(), entry.skips.clone().into());
    }
    let json =
        json!({ "schema": "olm.channel", "package": bundle.package, "name": entry.channel, "entries": [fields] });
    Document {
        schema: "olm.channel".to_owned(),
        package: bundle.package.clone(),
        name: entry.channel.clone(),
        json: json.to_string(),
    }
}

/// Documents at the end of a file, in its format.
fn new_documents(file: &FileInput, documents: &[Document]) -> Result<FileEdit, String> {
    // Mappings in braces that are not JSON are documents of YAML.
    let mut values = serde_json::Deserializer::from_str(&file.text).into_iter::<IgnoredAny>().peekable();
    let is_json = values.peek().is_some() && values.all(|value| value.is_ok());
    let mut text = if file.text.ends_with('\n') || file.text.is_empty() { String::new() } else { "\n".to_owned() };
    for document in documents {
        text += &if is_json { document.to_json() } else { document.to_yaml()? };
    }
    let end = file.text.len() as u32;
    Ok((file.key, end..end, file.with_line_ends(end, &text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::CatalogId;

    const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: p.v1.2.0\nspec:\n  version: 1.2.0\n";

    fn bundle(csv: &str, channels: &str) -> Option<NewBundle> {
        let annotations = format!(
            "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  operators.operatorframework.io.bundle.channels.v1: {channels}\n"
        );
        let file = |path: &str, text: &str| NewText { path: path.to_owned(), content: Ok(text.into()) };
        NewBundle::of(&[
            file("p/1.2.0/metadata/annotations.yaml", &annotations),
            file("p/1.2.0/manifests/csv.yaml", csv),
            file("p/ci.yaml", "---\n"),
        ])
    }

    fn catalog() -> Workbench {
        workbench(&[(
            "c",
            "package p stable\nchannel p stable p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0",
        )])
    }

    #[test]
    fn a_new_version_is_suggested_to_replace_the_head_of_the_channels_that_it_names() {
        let new = bundle(CSV, "stable,fast").unwrap();
        let view = catalog().trial(7, &new).unwrap();
        let channels = &view.catalogs[0].channels;
        let shown: Vec<_> =
            channels.iter().map(|row| (&*row.entry.channel, row.exists, row.is_named, &*row.entry.replaces)).collect();
        assert_eq!((view.number, &*view.name), (7, "p.v1.2.0"));
        assert_eq!(shown, [("stable", true, true, "p.v1.1.0"), ("fast", false, true, "")]);
        let with_edges =
            CSV.replace("spec:\n", "  annotations: {olm.skipRange: '<1.2.0'}\nspec:\n  skips: [p.v1.1.0]\n");
        let view = catalog().trial(0, &bundle(&with_edges, "stable").unwrap()).unwrap();
        let TrialEntry { replaces, skips, skip_range, .. } = &view.catalogs[0].channels[0].entry;
        assert_eq!((&**replaces, &skips[..], &**skip_range), ("", &["p.v1.1.0".to_owned()][..], "<1.2.0"));
    }

    #[test]
    fn a_tried_bundle_is_in_the_text_and_opm_accepts_it() {
        let mut workbench = catalog();
        let new = bundle(CSV, "stable").unwrap();
        let entry = |channel: &str| TrialEntry {
            channel: channel.to_owned(),
            replaces: "p.v1.1.0".to_owned(),
            skips: vec!["p.v1.0.0".to_owned()],
            skip_range: String::new(),
        };
        let trial = Trial { number: 0, catalog: CatalogId(0), entries: vec![entry("stable"), entry("fast")] };
        let edited = workbench.try_bundle(&new, &trial).unwrap();
        assert_eq!(edited.len(), 1);
        let catalog = workbench.catalog(CatalogId(0)).unwrap();
        let findings: Vec<_> = catalog.analysis.findings.iter().map(|found| &found.diagnostic.message).collect();
        assert!(catalog.is_accepted(), "{findings:?}\n{}", catalog.files[0].text);
        let package = catalog.analysis.catalog.package("p").unwrap();
        assert_eq!(
            package.channels.iter().map(|channel| catalog::heads(channel).join(" ")).collect::<Vec<_>>(),
            ["p.v1.2.0"; 2]
        );
        assert_eq!(workbench.try_bundle(&new, &trial), Err("the catalog has a bundle `p.v1.2.0` already".to_owned()));
    }

    /// Catalogs of package `p` with the head `p.v1.1.0`, in every way to write them.
    const WRITTEN: [&str; 7] = [
        "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: p\nname: stable\n\
         entries: # the newest first\n  - name: p.v1.1.0 # head\n---\nschema: olm.bundle\nname: p.v1.1.0\npackage: p\nimage: i\n\
         properties: [{type: olm.package, value: {packageName: p, version: 1.1.0}}]",
        "schema: olm.package\r\nname: p\r\ndefaultChannel: stable\r\n---\r\nschema: olm.channel\r\npackage: p\r\nname: stable\r\n\
         entries:\r\n- name: p.v1.1.0\r\n---\r\nschema: olm.bundle\r\nname: p.v1.1.0\r\npackage: p\r\nimage: i\r\nproperties:\r\n\
         - type: olm.package\r\n  value: {packageName: p, version: 1.1.0}\r\n",
        "{schema: olm.package, name: p, defaultChannel: stable}\n---\n{schema: olm.channel, package: p, name: stable, entries: \
         [{name: p.v1.1.0}]}\n---\n{schema: olm.bundle, name: p.v1.1.0, package: p, image: i, properties: [{type: olm.package, \
         value: {packageName: p, version: 1.1.0}}]}\n",
        "{\"schema\":\"olm.package\",\"name\":\"p\",\"defaultChannel\":\"stable\"}\n{\"schema\":\"olm.channel\",\"package\":\"p\",\
         \"name\":\"stable\",\"entries\":[{\"name\":\"p.v1.1.0\"}]}\n{\"schema\":\"olm.bundle\",\"name\":\"p.v1.1.0\",\"package\":\
         \"p\",\"image\":\"i\",\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"p\",\"version\":\"1.1.0\"}}]}",
        "{\n  \"schema\": \"olm.package\",\n  \"name\": \"p\",\n  \"defaultChannel\": \"stable\"\n}\n{\n  \"schema\": \
         \"olm.channel\",\n  \"package\": \"p\",\n  \"name\": \"stable\",\n  \"entries\": [\n    {\n      \"name\": \"p.v1.1.0\"\n    \
         }\n  ]\n}\n{\n  \"schema\": \"olm.bundle\",\n  \"name\": \"p.v1.1.0\",\n  \"package\": \"p\",\n  \"image\": \"i\",\n  \
         \"properties\": [{\"type\": \"olm.package\", \"value\": {\"packageName\": \"p\", \"version\": \"1.1.0\"}}]\n}\n",
        "---\nentries:\n- name: p.v1.1.0\n  skips:\n  - p.v1.0.1\nname: stable\npackage: p\nschema: olm.channel\n---\ndefaultChannel: \
         stable\nname: p\nschema: olm.package\n---\nimage: i\nname: p.v1.1.0\npackage: p\nproperties:\n- type: olm.package\n  value:\n    \
         packageName: p\n    version: 1.1.0\nschema: olm.bundle\n...\n# the end",
        "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- \
         {name: p.v1.1.0, skipRange: \"<1.1.0\"}\n---\nschema: olm.bundle\nname: p.v1.1.0\npackage: p\nimage: i\nproperties:\n  - \
         type: olm.package\n    value: {packageName: p, version: 1.1.0}\n\n\n",
    ];

    #[test]
    fn a_bundle_is_added_to_every_way_of_writing_a_catalog() {
        for text in WRITTEN {
            let mut workbench = Workbench::new();
            let id = workbench.add_text("c", "catalog.yaml", text);
            assert!(workbench.catalog(id).unwrap().is_accepted(), "{text}");
            let new = bundle(CSV, "stable,fast").unwrap();
            let view = workbench.trial(0, &new).unwrap();
            let entries = view.catalogs[0].channels.iter().map(|channel| channel.entry.clone()).collect();
            workbench.try_bundle(&new, &Trial { number: 0, catalog: id, entries }).unwrap();
            let catalog = workbench.catalog(id).unwrap();
            let text = &catalog.files[0].text;
            let findings: Vec<_> = catalog.analysis.findings.iter().map(|found| &found.diagnostic.message).collect();
            assert!(catalog.is_accepted(), "{findings:?}\n{text}");
            let package = catalog.analysis.catalog.package("p").unwrap();
            let heads = package.channels.iter().flat_map(|channel| catalog::heads(channel)).collect::<Vec<_>>();
            assert_eq!((heads, package.bundles.len()), (vec!["p.v1.2.0"; 2], 2), "{text}");
            assert!(!text.contains('\r') || !text.replace("\r\n", "").contains('\n'), "mixed line ends\n{text}");
        }
    }

    #[test]
    fn only_one_bundle_directory_is_a_new_bundle() {
        let paths = |paths: &[&'static str]| only_bundle_folder(paths.iter().copied());
        assert_eq!(paths(&["manifests/a", "metadata/b"]).as_deref(), Some(""));
        assert_eq!(paths(&["x/y/manifests/a", "x/y/metadata/b", "x/ci.yaml"]).as_deref(), Some("x/y/"));
        assert_eq!(paths(&["x/manifests/a", "y/metadata/b"]), None);
        assert_eq!(paths(&["x/manifests/a", "x/metadata/b", "y/manifests/a", "y/metadata/b"]), None);
        assert_eq!(bundle("kind: ConfigMap\n", "stable"), None);
    }
}
