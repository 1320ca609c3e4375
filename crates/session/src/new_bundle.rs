//! Trying a new bundle: its document and its entries are added to the text of a catalog, as the release pipelines of the
//! community catalogs do (operator-pipelines `operatorcert/entrypoints/add_bundle_to_fbc.py`).

use crate::checked_set::SetInput;
use crate::write_edits::refused;
use crate::{CatalogInput, NewText, Workbench};
use bundle::{Bundle, File, Property, RenderOutcome, Rendering, Updates, render};
use bundle_tree::bundle_folders;
use catalog::{BundleName, Channel, ChannelName, Package};
use fbc::{Decoded, decode_bytes};
use go_semver::blang::Version;
use openshift::sets::Member;
use release::{Policy, Reason, Refusal, Release, release};
use source::FileId;
use update_graph::{ChannelEdit, NewEntry};
use views::{NewBundleView, OpenShift, RefusedView, Target, Trial, TrialChannel, TrialEntry, TrialPolicy, TrialTarget};

/// A bundle that is not part of a catalog yet.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBundle {
    pub(crate) bundle: Bundle,
    /// What `opm render` loses of it, as sentences.
    findings: Vec<String>,
    /// The files of its directory that were not read, with the reasons.
    unread: Vec<String>,
}

/// The first line of the document of a bundle of which only the image is known.
pub(crate) const ONLY_IMAGE: &str = "# only the image is known\n";

impl NewBundle {
    /// The bundle in a folder, if there is one bundle directory in it, however many folders are around that, and `opm` renders
    /// it.
    #[must_use]
    pub fn of(files: &[NewText]) -> Option<Self> {
        let folder = only_bundle_folder(files.iter().map(|file| file.path.as_str()))?;
        let inside = || files.iter().filter_map(|file| Some((file.path.strip_prefix(&folder)?, &file.content)));
        let unread = inside().filter_map(|(path, content)| Some((path, content.as_ref().err()?)));
        let decoded: Vec<(&str, Decoded)> = (inside().zip(0..))
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
        let unread = unread.map(|(path, reason)| format!("`{path}`: {reason}")).collect();
        Some(Self { bundle: *bundle, findings, unread })
    }

    pub(crate) const fn rendered(bundle: Bundle) -> Self {
        Self { bundle, findings: Vec::new(), unread: Vec::new() }
    }

    /// A bundle of which only its image, its name, its version and its package are known.
    #[must_use]
    pub fn of_image(image: &str, name: &str, version: &str, package: &str) -> Self {
        let [image, name, version, package] = [image, name, version, package].map(str::to_owned);
        Self {
            bundle: Bundle { name, package, image, version, ..Bundle::default() },
            findings: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// The same with the image that it is in, if that is known.
    #[must_use]
    pub fn in_image(mut self, image: &str) -> Self {
        if !image.is_empty() {
            self.bundle = self.bundle.in_image(image);
        }
        self
    }

    /// Its document, by which templates find it; of a bundle of which only the image is known, with its version alone, behind
    /// [`ONLY_IMAGE`]. `None` without an image.
    fn document(&self) -> Option<String> {
        let mut bundle = self.bundle.clone();
        let mark = if bundle.properties.is_empty() { ONLY_IMAGE } else { "" };
        if bundle.properties.is_empty() {
            let value = serde_json::json!({ "packageName": bundle.package, "version": bundle.version });
            bundle.properties = vec![Property { kind: "olm.package".to_owned(), value: value.to_string() }];
        }
        let text = bundle.document().to_yaml().ok().filter(|_| !bundle.image.is_empty())?;
        Some(format!("{mark}{text}"))
    }

    /// The same in the image that the community pipelines build of it.
    #[must_use]
    pub fn in_built_image(self) -> Self {
        let image = format!("{}:{}", self.bundle.package, self.bundle.version);
        self.in_image(&image)
    }

    /// The name of its package.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.bundle.package
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.bundle.version
    }

    /// Whether the image that it is in is known.
    #[must_use]
    pub fn has_image(&self) -> bool {
        !self.bundle.image.is_empty()
    }

    /// Checks that all files of its directory were read.
    ///
    /// # Errors
    /// If not: the bundle may lack what they hold.
    pub fn check_read(&self) -> Result<(), RefusedView> {
        self.check().map_err(|refusal| refused(&refusal))
    }

    pub(crate) fn check(&self) -> Result<(), Refusal> {
        if self.unread.is_empty() {
            return Ok(());
        }
        let sentence = format!("not all of the bundle directory was read: {}", self.unread.join(", "));
        Err(Refusal::new(Reason::NotRead, sentence, "make the files readable, or take them out of the folder"))
    }

    /// What `opm render` loses of it, as sentences.
    #[must_use]
    pub fn findings(&self) -> &[String] {
        &self.findings
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
    /// Lets templates find the bundle by its image.
    pub fn add_new_bundle(&mut self, new: &NewBundle) {
        let Some(text) = new.document() else { return };
        let files = vec![NewText { path: "bundle.yaml".to_owned(), content: Ok(text.into_bytes()) }];
        self.add_catalog("new bundle", files, &mut |_| {});
    }

    /// What a bundle can be added to, with suggested entries; `None` if nothing has its package.
    #[must_use]
    pub fn trial(&self, number: u32, new: &NewBundle) -> Option<NewBundleView> {
        let NewBundle { bundle, findings, .. } = new;
        let of_catalog = |catalog: &CatalogInput| {
            let package = catalog.analysis.catalog.package(&bundle.package)?;
            let said = policy_row("", "what its CSV says, else replace the head", channels(package, bundle));
            let others = Policy::ALL
                .into_iter()
                .map(|policy| policy_row(policy.id(), policy.describe(), by_policy(policy, package, bundle)));
            Some(TrialTarget {
                target: Target::Catalog(catalog.id),
                name: catalog.name.clone(),
                intro: format!(
                    "See what `{}` does to installed versions: it is added to the text of `{}` here, which can be undone. Your files \
                     are not changed.",
                    bundle.name, catalog.name
                ),
                policies: different([said].into_iter().chain(others)),
            })
        };
        let of_set = |input: &SetInput| {
            let groups = input.set.edited_together(&bundle.package);
            let policies = Policy::ALL.into_iter().filter(|policy| *policy != Policy::Rebuild);
            let policies =
                policies.map(|policy| policy_row(policy.id(), policy.describe(), in_set(policy, &groups, bundle)));
            let mut policies = different(policies);
            // Those that fit what the bundle is for come first.
            policies.sort_by_key(|row| !row.channels.iter().any(|channel| channel.is_named));
            let count = groups.iter().map(Vec::len).sum::<usize>();
            (!policies.is_empty()).then(|| TrialTarget {
                target: Target::Set(input.id),
                name: format!("{} ({count} catalogs)", input.name),
                intro: format!(
                    "See what `{}` changes in the catalogs of `{}`, and keep it as a patch. Your files are not changed.",
                    bundle.name, input.name
                ),
                policies,
            })
        };
        let sets = self.sets().iter().rev().filter_map(of_set);
        let targets: Vec<TrialTarget> = self.catalogs().iter().rev().filter_map(of_catalog).chain(sets).collect();
        (!targets.is_empty()).then(|| NewBundleView {
            number,
            name: bundle.name.clone(),
            version: bundle.version.clone(),
            package: bundle.package.clone(),
            title: match &*bundle.version {
                "" => bundle.name.clone(),
                version => format!("New bundle: {} {version}", bundle.package),
            },
            targets,
            findings: findings.clone(),
        })
    }
}

pub(crate) fn policy_of(id: &str) -> Option<Policy> {
    Policy::ALL.into_iter().find(|policy| policy.id() == id)
}

fn policy_row(policy: &str, label: &str, channels: Vec<TrialChannel>) -> TrialPolicy {
    TrialPolicy { policy: policy.to_owned(), label: label.to_owned(), channels }
}

/// The policies that fit, without those that mean the same edges as one before them.
fn different(rows: impl Iterator<Item = TrialPolicy>) -> Vec<TrialPolicy> {
    let mut kept: Vec<TrialPolicy> = Vec::new();
    for row in rows.filter(|row| !row.channels.is_empty()) {
        if kept.iter().all(|known| known.channels != row.channels) {
            kept.push(row);
        }
    }
    kept
}

/// The channels of the package, and those that the bundle names besides, with a suggested entry for each.
fn channels(package: &Package, bundle: &Bundle) -> Vec<TrialChannel> {
    let named: Vec<&str> = bundle.channels.iter().map(|name| name.trim()).filter(|name| !name.is_empty()).collect();
    let suggested = |name: &str, channel: Option<&Channel>| {
        // A channel has one head: the new entry replaces or skips the present one.
        let is_head_left = |head: &String| bundle.updates.replaces.is_empty() && !bundle.updates.skips.contains(head);
        let head = channel.and_then(|channel| catalog::heads(channel).first().map(|head| (*head).to_owned()));
        let head = head.filter(is_head_left);
        let (exists, is_named) = (channel.is_some(), named.contains(&name));
        let note = match (exists, is_named) {
            (true, true) => "named by the bundle’s annotations",
            (true, false) => "not named by the bundle’s annotations",
            (false, _) => "new, named by the bundle’s annotations",
        };
        TrialChannel {
            is_named,
            note: note.to_owned(),
            edge: format!("Its entry {}.", edge(bundle, head.as_deref())),
            entry: TrialEntry {
                channel: name.to_owned(),
                replaces: head.unwrap_or_else(|| bundle.updates.replaces.clone()),
                skips: bundle.updates.skips.clone(),
                skip_range: bundle.updates.skip_range.clone(),
            },
        }
    };
    let known = package.channels.iter().map(|channel| suggested(channel.name.value.as_str(), Some(channel)));
    let new = named.iter().filter(|name| package.channel(name).is_none()).map(|name| suggested(name, None));
    known.chain(new).collect()
}

/// The release of a bundle, if its version is one.
fn released(bundle: &Bundle) -> Option<Release> {
    let version = Version::parse(&bundle.version).ok()?;
    Some(Release { name: BundleName::from(&*bundle.name), version, from: None })
}

/// The channels that a policy fits, and the new ones that the bundle names, with the entry that it gives.
fn by_policy(policy: Policy, package: &Package, bundle: &Bundle) -> Vec<TrialChannel> {
    let Some(new) = released(bundle).filter(|_| policy != Policy::Promote) else { return Vec::new() };
    let suggested = channels(package, bundle).into_iter().filter_map(|row| {
        let edit = release(policy, package, &ChannelName::from(&*row.entry.channel), &new).ok()?;
        let others: String = edit.edits.iter().map(|edit| format!("; {}", edit.describe())).collect();
        let added = edit.added.into_iter().next()?;
        Some(TrialChannel {
            edge: format!("Its entry {}{others}.", added.edges()),
            entry: TrialEntry {
                channel: row.entry.channel,
                replaces: added.replaces.map(|name| name.to_string()).unwrap_or_default(),
                skips: added.skips.iter().map(ToString::to_string).collect(),
                skip_range: added.skip_range.map(String::from).unwrap_or_default(),
            },
            ..row
        })
    });
    let rows: Vec<TrialChannel> = suggested.collect();
    let exists = |row: &TrialChannel| package.channel(&row.entry.channel).is_some();
    if rows.iter().any(exists) { rows } else { Vec::new() }
}

/// The channels that a policy fits in the members of a set. Members with the same files are together.
fn in_set(policy: Policy, groups: &[Vec<&Member>], bundle: &Bundle) -> Vec<TrialChannel> {
    let mut rows: Vec<(TrialChannel, Vec<OpenShift>)> = Vec::new();
    for members in groups {
        let package = members.first().and_then(|member| member.catalog.package(&bundle.package));
        let found = package.map(|package| by_policy(policy, package, bundle)).unwrap_or_default();
        for row in found {
            let versions = members.iter().map(|member| member.version);
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, known)) => known.extend(versions),
                None => rows.push((row, versions.collect())),
            }
        }
    }
    let all: usize = groups.iter().map(Vec::len).sum();
    let mut channels: Vec<TrialChannel> = Vec::new();
    for (row, mut versions) in rows {
        versions.sort_unstable();
        let edge = if versions.len() == all {
            row.edge
        } else {
            format!("OpenShift {}: {}", OpenShift::list(&versions), row.edge)
        };
        // The policy says the edges in each catalog.
        let entry = TrialEntry { channel: row.entry.channel, ..TrialEntry::default() };
        match channels.iter_mut().find(|known| known.entry.channel == entry.channel) {
            Some(known) => {
                known.edge = format!("{} {edge}", known.edge);
                known.is_named |= row.is_named;
            }
            None => channels.push(TrialChannel { edge, entry, ..row }),
        }
    }
    channels
}

/// What an entry of the bundle updates: the head of the channel if the CSV says nothing of it, and what the CSV says.
fn edge(bundle: &Bundle, head: Option<&str>) -> String {
    let Updates { replaces, skips, skip_range, .. } = &bundle.updates;
    let head = head.map(|head| format!("replaces `{head}`, the head of the channel"));
    let replaces = (!replaces.is_empty()).then(|| format!("replaces `{replaces}`, as its CSV says"));
    let names: Vec<String> = skips.iter().map(|name| format!("`{name}`")).collect();
    let skips = (!names.is_empty()).then(|| format!("skips {}", names.join(", ")));
    let range = (!skip_range.is_empty()).then(|| format!("has the skipRange `{skip_range}`"));
    let parts: Vec<String> = head.or(replaces).into_iter().chain(skips).chain(range).collect();
    if parts.is_empty() { "updates no version".to_owned() } else { parts.join("; ") }
}

/// The edits in the order of the files and of their texts.
pub(crate) fn trial_edits(catalog: &CatalogInput, bundle: &Bundle, trial: &Trial) -> Result<Vec<ChannelEdit>, Refusal> {
    let missing = |sentence: String| Refusal::new(Reason::Missing, sentence, "look at the catalog");
    let package = catalog.analysis.catalog.package(&bundle.package);
    let package = package.ok_or_else(|| missing("the catalog does not have the package".to_owned()))?;
    if package.bundle(&bundle.name).is_some() {
        return Err(missing(format!("the catalog has a bundle `{}` already", bundle.name)));
    }
    if trial.entries.is_empty() {
        return Err(missing("the bundle needs at least one channel".to_owned()));
    }
    let policy = policy_of(&trial.policy);
    let edit = |entry: &TrialEntry| {
        let others = policy.zip(released(bundle)).and_then(|(policy, new)| {
            Some(release(policy, package, &ChannelName::from(&*entry.channel), &new).ok()?.edits)
        });
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        let added = NewEntry {
            name: BundleName::from(&*bundle.name),
            replaces: some(&entry.replaces).map(|name| BundleName::from(&*name)),
            skips: entry.skips.iter().map(|name| BundleName::from(&**name)).collect(),
            skip_range: some(&entry.skip_range).map(Into::into),
        };
        ChannelEdit {
            is_new: package.channel(&entry.channel).is_none(),
            added: vec![added],
            ..ChannelEdit::of(&ChannelName::from(&*entry.channel), others.unwrap_or_default())
        }
    };
    Ok(trial.entries.iter().map(edit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::{AuthoringInput, CatalogId};

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
        let channels = &view.targets[0].policies[0].channels;
        let shown: Vec<_> =
            channels.iter().map(|row| (&*row.entry.channel, &*row.note, row.is_named, &*row.entry.replaces)).collect();
        assert_eq!((view.number, &*view.name), (7, "p.v1.2.0"));
        assert_eq!(
            shown,
            [
                ("stable", "named by the bundle’s annotations", true, "p.v1.1.0"),
                ("fast", "new, named by the bundle’s annotations", true, ""),
            ]
        );
        let with_edges =
            CSV.replace("spec:\n", "  annotations: {olm.skipRange: '<1.2.0'}\nspec:\n  skips: [p.v1.1.0]\n");
        let view = catalog().trial(0, &bundle(&with_edges, "stable").unwrap()).unwrap();
        let TrialEntry { replaces, skips, skip_range, .. } = &view.targets[0].policies[0].channels[0].entry;
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
        let trial = Trial {
            number: 0,
            image: String::new(),
            policy: String::new(),
            entries: vec![entry("stable"), entry("fast")],
        };
        let opened = workbench.catalog(CatalogId(0)).unwrap().files[0].text.clone();
        let undo = workbench.author_input(CatalogId(0), &AuthoringInput::Release(trial.clone()), Some(&new)).unwrap();
        let catalog = workbench.catalog(CatalogId(0)).unwrap();
        let findings: Vec<_> = catalog.analysis.findings.iter().map(|found| &found.diagnostic.message).collect();
        assert!(catalog.is_accepted(), "{findings:?}\n{}", catalog.files[0].text);
        let package = catalog.analysis.catalog.package("p").unwrap();
        assert_eq!(
            package.channels.iter().map(|channel| catalog::heads(channel).join(" ")).collect::<Vec<_>>(),
            ["p.v1.2.0"; 2]
        );
        assert_eq!(
            workbench.author_input(CatalogId(0), &AuthoringInput::Release(trial.clone()), Some(&new)),
            Err("the catalog has a bundle `p.v1.2.0` already".to_owned())
        );
        workbench.edit_files(&undo);
        assert_eq!(workbench.catalog(CatalogId(0)).unwrap().files[0].text, opened);
    }

    #[test]
    fn a_policy_suggests_its_edges_and_changes_other_entries() {
        let mut workbench = catalog();
        let hotfix = bundle(&CSV.replace("1.2.0", "1.0.5"), "stable").unwrap();
        let view = workbench.trial(0, &hotfix).unwrap();
        let shown: Vec<_> = view.targets[0]
            .policies
            .iter()
            .map(|row| (&*row.policy, row.channels.first().map(|row| &*row.edge).unwrap()))
            .collect();
        let expected = [
            ("", "Its entry replaces `p.v1.1.0`, the head of the channel."),
            ("hotfix", "Its entry replaces `p.v1.0.0`; let `p.v1.1.0` replace `p.v1.0.5`."),
            ("skipped-hotfix", "Its entry replaces `p.v1.0.0`; add `p.v1.0.5` to `skips` of `p.v1.1.0`."),
        ];
        assert_eq!(shown, expected);
        let entries = view.targets[0].policies[1].channels.iter().map(|row| row.entry.clone()).collect();
        let trial = Trial { number: 0, image: String::new(), policy: "hotfix".to_owned(), entries };
        workbench.author_input(CatalogId(0), &AuthoringInput::Release(trial), Some(&hotfix)).unwrap();
        let catalog = workbench.catalog(CatalogId(0)).unwrap();
        assert!(catalog.is_accepted(), "{}", catalog.files[0].text);
    }

    #[test]
    fn a_trial_in_several_files_is_undone_in_all_of_them() {
        let texts = [
            (
                "bundles.yaml",
                "schema: olm.bundle\nname: p.v1.1.0\npackage: p\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.1.0}}\n",
            ),
            ("channel.yaml", "schema: olm.channel\npackage: p\nname: stable\nentries:\n- name: p.v1.1.0\n"),
            ("package.yaml", "schema: olm.package\nname: p\ndefaultChannel: stable\n"),
        ];
        let files = texts.map(|(path, text)| NewText { path: path.to_owned(), content: Ok(text.into()) });
        let mut workbench = Workbench::new();
        let id = workbench.add_catalog("c", files.into(), &mut |_| {});
        let new = bundle(CSV, "stable").unwrap();
        let view = workbench.trial(0, &new).unwrap();
        let entries = view.targets[0].policies[0].channels.iter().map(|row| row.entry.clone()).collect();
        let trial = Trial { number: 0, image: String::new(), policy: String::new(), entries };
        let undo = workbench.author_input(id, &AuthoringInput::Release(trial), Some(&new)).unwrap();
        assert!(workbench.catalog(id).unwrap().is_accepted());
        assert_eq!(undo.len(), 2, "the channel and the package");
        workbench.edit_files(&undo);
        let catalog = workbench.catalog(id).unwrap();
        let after: Vec<&str> = catalog.files.iter().map(|file| &*file.text).collect();
        assert_eq!(after, texts.map(|(_, text)| text));
    }

    #[test]
    fn the_likely_edge_says_where_it_is_from() {
        let edges = |csv: &str, channels: &str| {
            let view = catalog().trial(0, &bundle(csv, channels).unwrap()).unwrap();
            view.targets[0].policies[0].channels.iter().map(|row| row.edge.clone()).collect::<Vec<_>>()
        };
        assert_eq!(
            edges(CSV, "stable,fast"),
            ["Its entry replaces `p.v1.1.0`, the head of the channel.", "Its entry updates no version."]
        );
        let own = CSV.replace("spec:\n", "spec:\n  replaces: p.v1.0.0\n  skips: [p.v1.1.0]\n");
        assert_eq!(edges(&own, "stable"), ["Its entry replaces `p.v1.0.0`, as its CSV says; skips `p.v1.1.0`."]);
        let range = CSV.replace("spec:\n", "  annotations: {olm.skipRange: '<1.2.0'}\nspec:\n  skips: [p.v1.1.0]\n");
        assert_eq!(edges(&range, "stable"), ["Its entry skips `p.v1.1.0`; has the skipRange `<1.2.0`."]);
    }

    /// Catalogs of package `p` with the head `p.v1.1.0`, in every way to write them.
    const WRITTEN: [&str; 8] = [
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
        "schema: olm.package\nname: p\ndefaultChannel: stable\n---\nschema: olm.bundle\nname: p.v1.1.0\npackage: p\nimage: i\n\
         properties:\n- type: olm.package\n  value: {packageName: p, version: 1.1.0}\n---\nschema: olm.channel\npackage: p\n\
         name: stable\nentries:\n- name: p.v1.1.0",
    ];

    #[test]
    fn a_bundle_is_added_to_every_way_of_writing_a_catalog() {
        for written in WRITTEN {
            let mut workbench = Workbench::new();
            let id = workbench.add_text("c", "catalog.yaml", written);
            assert!(workbench.catalog(id).unwrap().is_accepted(), "{written}");
            let new = bundle(CSV, "stable,fast").unwrap();
            let view = workbench.trial(0, &new).unwrap();
            let entries = view.targets[0].policies[0].channels.iter().map(|channel| channel.entry.clone()).collect();
            let trial = Trial { number: 0, image: String::new(), policy: String::new(), entries };
            let undo = workbench.author_input(id, &AuthoringInput::Release(trial), Some(&new)).unwrap();
            let catalog = workbench.catalog(id).unwrap();
            let text = &catalog.files[0].text;
            let findings: Vec<_> = catalog.analysis.findings.iter().map(|found| &found.diagnostic.message).collect();
            assert!(catalog.is_accepted(), "{findings:?}\n{text}");
            let package = catalog.analysis.catalog.package("p").unwrap();
            let heads = package.channels.iter().flat_map(|channel| catalog::heads(channel)).collect::<Vec<_>>();
            assert_eq!((heads, package.bundles.len()), (vec!["p.v1.2.0"; 2], 2), "{text}");
            assert!(!text.contains('\r') || !text.replace("\r\n", "").contains('\n'), "mixed line ends\n{text}");
            workbench.edit_files(&undo);
            assert_eq!(workbench.catalog(id).unwrap().files[0].text, written);
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
