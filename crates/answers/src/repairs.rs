//! Repairs of the channels of a catalog, applied to its text, and the reasons where there are none.

pub(super) mod found;

use crate::comparison::{before_change_of, strips};
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Channel, ChannelName, Package};
use cluster::{Budget, Cluster};
use compare::{Row, Rule as RowRule, State, groups, rows_without_texts, words};
use found::listings;
use release::{AppliedText, Reason, Refusal};
use repair::{Question, Repair, Search, is_harmless};
use session::{
    Author, CatalogInput, FileInput, Finding, Side, Workbench, edit_view, entries_change, offered_edit, refused,
};
use source::{OpmVersion, Rule, name_list};
use std::collections::BTreeSet;
use std::sync::Arc;
use template::TemplateKind;
use update_graph::{ChannelEdit, Paths, applied, describe, version_of};
use views::{CatalogId, FileKey, FixView, PathsView, Place, RepairView, RepairsView, Runtime, headed_diff};

/// The most groups of installed versions whose updates are shown for a repair.
const GROUPS: usize = 4;

/// Which channels are repaired.
#[derive(Clone, Copy)]
pub(crate) struct RepairScope<'s> {
    /// The catalog before the change, if that is known.
    pub before: Option<Side<'s>>,
    pub after: &'s CatalogInput,
    /// Only these packages; all if there are none.
    pub packages: &'s [&'s str],
    /// Only these channels; all if there are none.
    pub channels: &'s [&'s str],
    /// The versions or names that nobody may be updated to.
    pub avoid: &'s [String],
    /// What clusters have installed: package, channel and the name of the CSV.
    pub installed: &'s [(PackageName, ChannelName, BundleName)],
    /// The work that the solver may do.
    pub budget: &'s Budget,
}

/// What helps a channel in which versions do not reach the head, or that `opm` rejects.
pub(crate) struct ChannelRepairs {
    pub package: PackageName,
    pub channel: ChannelName,
    /// The versions that do not reach the head, or that `opm` finds stranded.
    pub stranded: Vec<BundleName>,
    /// Those of them that OLM v0 updates to the head.
    pub by_opm_alone: BTreeSet<BundleName>,
    /// The bundles that no channel lists.
    pub unlisted: Vec<BundleName>,
    /// The repairs, the cheapest first. Each was applied to the text, read again and compared.
    pub repairs: Vec<RepairedText>,
    /// Why there is no repair, or none for some of the versions.
    pub refusal: Option<Refusal>,
}

/// A repair, and the text with it.
pub(crate) struct RepairedText {
    pub repair: Repair,
    pub file: FileKey,
    /// The place of the entry of each edit.
    pub places: Vec<Place>,
    /// The edits of the text.
    pub text: AppliedText,
}

impl ChannelRepairs {
    /// Whether each repair brings a row with a Subscription to the head.
    pub(crate) fn heal(&self, row: &Row) -> bool {
        let mut refused = self.refusal.iter().flat_map(|refusal| &refusal.versions);
        !row.updated_by.is_v1()
            && !self.repairs.is_empty()
            && self.channel == row.channel
            && self.stranded.contains(&row.installed)
            && refused.all(|name| *name != row.installed)
    }

    /// What is wrong with the channel; names are in backticks.
    fn problem(&self) -> String {
        let names = |names: &[&BundleName]| name_list(names.iter().map(|name| name.as_str()));
        let unlisted: Vec<&BundleName> = self.unlisted.iter().collect();
        if !unlisted.is_empty() {
            return format!("`opm` rejects the package: no channel lists {}", names(&unlisted));
        }
        let (by_opm, stuck): (Vec<_>, Vec<_>) =
            self.stranded.iter().partition(|name| self.by_opm_alone.contains(*name));
        let stuck = match stuck.len() {
            0 => None,
            1 => Some(format!("1 version does not reach the head: {}", names(&stuck))),
            count => Some(format!("{count} versions do not reach the head: {}", names(&stuck))),
        };
        let by_opm = match (by_opm.len(), &stuck) {
            (0, None) => Some("`opm` rejects it".to_owned()),
            (0, Some(_)) => None,
            (1, _) => Some(format!("`opm` finds {} stranded, though OLM v0 updates it to the head", names(&by_opm))),
            (count, _) => Some(format!(
                "`opm` finds {count} stranded, though OLM v0 updates them to the head: {}",
                names(&by_opm)
            )),
        };
        stuck.into_iter().chain(by_opm).collect::<Vec<_>>().join("; ")
    }
}

impl ChannelRepairs {
    /// What helps the channel, in words.
    pub(crate) fn view(&self, scope: RepairScope<'_>) -> RepairsView {
        RepairsView {
            package: self.package.to_string(),
            channel: self.channel.to_string(),
            problem: self.problem(),
            stranded: self.stranded.iter().map(ToString::to_string).collect(),
            fixes: self.repairs.iter().filter_map(|repaired| self.fix(scope, repaired)).collect(),
            reason: self.refusal.as_ref().map(refused),
        }
    }

    /// How many versions a repair brings to the head, and what it changes for the others.
    fn effects(&self, scope: RepairScope<'_>, repair: &Repair) -> Vec<String> {
        let stuck = || self.stranded.iter().filter(|name| !self.by_opm_alone.contains(*name));
        let refused = |name: &&BundleName| self.refusal.iter().any(|refusal| refusal.versions.contains(*name));
        let reach = match (stuck().count(), stuck().filter(refused).count()) {
            (0, _) => None,
            (1, 0) => Some("it then reaches the head".to_owned()),
            (all, left) if all == left + 1 => Some(format!("1 of {all} then reaches the head")),
            (all, left) => Some(format!("{} of {all} then reach the head", all - left)),
        };
        let before = if scope.before.is_some() { "before the change" } else { "now" };
        let others = match repair.widening {
            0 => format!("all others are updated as {before}"),
            1 => format!("1 version takes another way than {before}"),
            count => format!("{count} versions take another way than {before}"),
        };
        reach.into_iter().chain([others]).collect()
    }

    fn fix(&self, scope: RepairScope<'_>, repaired: &RepairedText) -> Option<FixView> {
        let package = scope.after.analysis.catalog.package(self.package.as_str())?;
        let channel = package.channel(self.channel.as_str())?;
        let file = scope.after.file(repaired.file)?;
        let rows = changed_rows(scope.before, package, &applied(channel, &repaired.repair.edits));
        let paths = groups(&rows).into_iter().take(GROUPS).map(|group| {
            let [before, after] = strips(group.first);
            PathsView { title: words::versions(&group), before, after }
        });
        let edits = repaired.repair.edits.iter().zip(&repaired.places);
        Some(FixView {
            text: describe(&repaired.repair.edits),
            effects: self.effects(scope, &repaired.repair),
            place: repaired.places.first().copied(),
            edit: Some(offered_edit(
                scope.after.id,
                [entries_change(self.package.as_str(), self.channel.as_str(), &repaired.repair.edits)],
            )),
            repair: Some(RepairView {
                weight: repaired.repair.weight,
                widening: repaired.repair.widening as u32,
                edits: edits.map(|(edit, place)| edit_view(edit, Some(*place))).collect(),
                path: file.path.clone(),
                diff: headed_diff(&file.path, &repaired.text.diff),
                paths: paths.collect(),
            }),
            ..FixView::default()
        })
    }
}

impl RepairedText {
    /// The text with a repair; `None` if the text leaves no simple edit.
    pub(crate) fn of(catalog: &CatalogInput, package: &Package, channel: &Channel, repair: Repair) -> Option<Self> {
        let author = Author { catalog, package: package.name.as_str() };
        let edit = ChannelEdit::of(&channel.name.value, repair.edits.clone());
        let (file, text) = author.edited_channel(channel, &edit, None).ok()?;
        let places = author.places(channel, &repair.edits).ok()?;
        Some(Self { repair, file, places, text })
    }
}

/// What the Subscriptions of the cluster have installed, with the package and the channel that they name.
pub(crate) fn installed(workbench: &Workbench) -> Vec<(PackageName, ChannelName, BundleName)> {
    installed_in(&workbench.cluster_manifests().1.cluster).collect()
}

/// What helps a channel of a catalog; `None` if nothing is wrong with its updates. `more` are versions that are installed,
/// beside those that the channel names and those of the cluster. If the catalog is compared with what it was before a change, repairs keep the updates
/// that it had.
#[must_use]
pub fn channel_repairs(
    workbench: &Workbench,
    catalog: &CatalogInput,
    (package, channel): (&str, &str),
    more: &[&BundleName],
) -> Option<RepairsView> {
    let more = more.iter().map(|name| (package.into(), channel.into(), (*name).clone()));
    let installed: Vec<_> = installed(workbench).into_iter().chain(more).collect();
    repairs_of(workbench, catalog, package, Some(channel), &installed).into_iter().next()
}

/// What helps the channels of packages of a catalog, by package and channel; nothing if the catalog is not open.
pub(crate) fn package_repairs(workbench: &Workbench, catalog: CatalogId, packages: &[String]) -> Vec<RepairsView> {
    let Some(catalog) = workbench.catalog(catalog) else { return Vec::new() };
    let installed = installed(workbench);
    packages.iter().flat_map(|package| repairs_of(workbench, catalog, package, None, &installed)).collect()
}

fn repairs_of(
    workbench: &Workbench,
    catalog: &CatalogInput,
    package: &str,
    channel: Option<&str>,
    installed: &[(PackageName, ChannelName, BundleName)],
) -> Vec<RepairsView> {
    let scope = RepairScope {
        before: before_change_of(workbench, catalog.id),
        after: catalog,
        packages: &[package],
        channels: channel.as_slice(),
        avoid: &[],
        installed,
        budget: &workbench.budget(),
    };
    repairs_in(scope).iter().map(|found| found.view(scope)).collect()
}

/// What the Subscriptions of a cluster have installed, with the package and the channel that they name.
pub(crate) fn installed_in(cluster: &Cluster) -> impl Iterator<Item = (PackageName, ChannelName, BundleName)> + '_ {
    cluster.subscriptions.iter().filter_map(|one| {
        Some((one.spec.package.clone(), one.spec.channel.clone()?, cluster.installed(one).name()?.clone()))
    })
}

/// The channels that something is wrong with, by package and channel.
pub(crate) fn repairs_in(scope: RepairScope<'_>) -> Vec<ChannelRepairs> {
    let mut found = Vec::new();
    let is_meant =
        |package: &&Arc<Package>| scope.packages.is_empty() || scope.packages.contains(&package.name.as_str());
    for package in scope.after.analysis.catalog.packages.iter().filter(is_meant) {
        let channels = package.channels.iter().filter(|channel| scope.has(channel));
        let mut own: Vec<ChannelRepairs> =
            channels.filter_map(|channel| repairs_of_channel(scope, package, channel)).collect();
        if own.is_empty() {
            own.extend(listings(scope, package));
        }
        found.extend(own);
    }
    // What is missing in a catalog that was not read completely may be there.
    let before = scope.before.filter(|_| !scope.after.analysis.catalog.is_partial);
    let before = before.map(|before| &before.catalog().packages[..]).unwrap_or_default();
    for package in before.iter().filter(is_meant) {
        let after = scope.after.analysis.catalog.package(package.name.as_str());
        let is_gone = |channel: &&Channel| {
            after.is_none_or(|after| after.channel(channel.name.value.as_str()).is_none()) && scope.has(channel)
        };
        let gone = package.channels.iter().filter(is_gone).filter(|channel| !channel.entries.is_empty());
        found.extend(gone.map(|channel| gone_channel(package, channel, after.is_some())));
    }
    found.sort_by(|a, b| (&a.package, &a.channel).cmp(&(&b.package, &b.channel)));
    found
}

impl RepairScope<'_> {
    pub(crate) fn has(&self, channel: &Channel) -> bool {
        self.channels.is_empty() || self.channels.contains(&channel.name.value.as_str())
    }

    /// Whether any channel lists a version or name.
    pub(crate) fn is_known(&self, text: &str) -> bool {
        let packages = self.after.analysis.catalog.packages.iter();
        let mut channels = packages.flat_map(|package| package.channels.iter().map(move |channel| (package, channel)));
        channels.any(|(package, channel)| !named(&[text], package, channel).is_empty())
    }
}

/// The entries of a channel with one of these versions or names.
fn named(texts: &[impl AsRef<str>], package: &Package, channel: &Channel) -> BTreeSet<BundleName> {
    let is_it = |name: &&BundleName| {
        let version = version_of(package, name).map(|version| version.to_string());
        let mut texts = texts.iter().map(AsRef::as_ref);
        texts.any(|text| name.as_str() == text || version.as_deref() == Some(text))
    };
    channel.entries.iter().map(|entry| &entry.name.value).filter(is_it).cloned().collect()
}

/// A channel that the state before the change had. A Subscription names it, and nothing in another channel helps.
fn gone_channel(package: &Package, channel: &Channel, has_package: bool) -> ChannelRepairs {
    let what = if has_package { "the channel is gone" } else { "the package is gone" };
    let sentence = format!("{what}, and Subscriptions that name it are not moved to another one");
    ChannelRepairs {
        package: package.name.clone(),
        channel: channel.name.value.clone(),
        stranded: channel.entries.iter().map(|entry| entry.name.value.clone()).collect(),
        by_opm_alone: BTreeSet::new(),
        unlisted: Vec::new(),
        repairs: Vec::new(),
        refusal: Some(Refusal::new(Reason::ChannelGone, sentence, "keep the channel, with the entries of the new one")),
    }
}

/// `None` if nothing is wrong with the channel.
fn repairs_of_channel(scope: RepairScope<'_>, package: &Package, channel: &Channel) -> Option<ChannelRepairs> {
    let avoid = named(scope.avoid, package, channel);
    let is_here = |(of, in_channel, _): &&(PackageName, ChannelName, BundleName)| {
        *of == package.name && *in_channel == channel.name.value
    };
    let installed = scope.installed.iter().filter(is_here).map(|(.., name)| name.clone()).collect();
    let before = scope.before.and_then(|before| before.catalog().package(package.name.as_str()));
    let (after, budget) = (package, scope.budget);
    let question = Question { before, after, channel, installed: &installed, avoid: &avoid, budget };
    let mut search = Search::new(question);
    let stranded: Vec<BundleName> = search.stranded().into_iter().cloned().collect();
    let by_opm_alone: BTreeSet<BundleName> =
        Paths::of(package).stranded_by_opm_alone(channel).into_iter().cloned().collect();
    let is_served = scope.after.analysis.catalog.opm < OpmVersion::CHAIN_ENDS_AT_SKIPPED && !stranded.is_empty();
    if is_served && stranded.iter().all(|name| by_opm_alone.contains(name)) {
        return None;
    }
    let is_fine = stranded.is_empty() && scope.after.is_accepted();
    let found = |repairs: Vec<RepairedText>, refusal: Option<Refusal>| {
        let is_wrong = !repairs.is_empty() || refusal.is_some();
        is_wrong.then(|| ChannelRepairs {
            package: package.name.clone(),
            channel: channel.name.value.clone(),
            stranded,
            by_opm_alone,
            unlisted: Vec::new(),
            repairs,
            refusal,
        })
    };
    if search.is_needed()
        && let Some(refusal) = not_editable(scope.after, channel).or_else(|| rejected_otherwise(scope.after, package))
    {
        return found(Vec::new(), Some(refusal));
    }
    while !search.advance() {}
    let mut repairs = Vec::new();
    for repair in search.repairs() {
        if is_harmless(&question, &applied(channel, &repair.edits)) {
            repairs.extend(RepairedText::of(scope.after, package, channel, repair.clone()));
        }
    }
    let is_lost = repairs.is_empty() && !search.repairs().is_empty();
    // An older `opm` reads no range: a wrong one is no fault of a channel in which nobody is stuck.
    let refusal = search.refusal().filter(|_| !is_fine).cloned().or_else(|| is_lost.then(no_safe_edit));
    found(repairs, refusal)
}

/// The installed versions whose updates a repair changes, with their updates without it and with it: those that the channel
/// lists, then those that it listed before the change.
pub(crate) fn changed_rows(before: Option<Side<'_>>, package: &Package, repaired: &Channel) -> Vec<Row> {
    let alone = |package: &Package| Catalog { packages: vec![package.clone().into()], ..Catalog::default() };
    let mut with = package.clone();
    with.channels.iter_mut().filter(|channel| channel.name.value == repaired.name.value).for_each(|channel| {
        *channel = repaired.clone();
    });
    let (now, with) = (alone(package), alone(&with));
    let rows = |old: &Catalog, new: &Catalog| {
        let [old, new] = [old, new].map(|catalog| State { catalog, rejected: None });
        let mut rows = rows_without_texts(old, new, &package.name, Runtime::V0).rows;
        rows.retain(|row| row.channel == repaired.name.value);
        rows
    };
    let mut found = rows(&now, &with);
    if let Some(before) = before.and_then(|before| before.catalog().package(package.name.as_str())) {
        let before = alone(before);
        let listed: BTreeSet<_> = found.iter().map(|row| row.installed.clone()).collect();
        let pairs = rows(&before, &now).into_iter().zip(rows(&before, &with));
        let gone = pairs.filter(|(row, _)| !listed.contains(&row.installed));
        found.extend(gone.map(|(without, with)| Row { old: without.new, ..with }));
    }
    found.retain(|row| row.old != row.new);
    // One rule for all: groups are of versions whose updates end alike.
    found.iter_mut().for_each(|row| row.rule = Some(RowRule::V0Unstranded));
    found
}

// Why a channel has no repair.

/// Why no edit that was found is offered.
fn no_safe_edit() -> Refusal {
    Refusal::new(
        Reason::NotEditable,
        "the edits that would help change other entries, too, or break what other versions or OLM v1 do",
        "write the entries without anchors and aliases, or edit the channel by hand and compare",
    )
}

/// Whether a file is the expansion of a template that does not list the entries as they are.
fn is_computed(catalog: &CatalogInput, file: &FileInput) -> bool {
    let template = file.expanded_from.and_then(|key| catalog.file(key));
    template.is_some_and(|template| template::kind_of(template.parse()) != Some(TemplateKind::Basic))
}

/// Why the text of a channel is not edited, if it is not.
pub(super) fn not_editable(catalog: &CatalogInput, channel: &Channel) -> Option<Refusal> {
    let file = catalog.file(FileKey(channel.span.file.0))?;
    let (sentence, instead) = if catalog.bundle_tree.is_some() {
        (
            "the channel is made of bundle directories, and published ones are not edited",
            "let the next release skip the versions, or convert the operator to a file-based catalog",
        )
    } else if is_computed(catalog, file) {
        (
            "the channel is made of a template that has other entries",
            "render the template with `opscope template`, and repair the result",
        )
    } else if file.expanded_from.is_none() && !file.is_editable() {
        ("the file is not plain text", "convert it to UTF-8")
    } else {
        return None;
    };
    Some(Refusal::new(Reason::NotEditable, sentence, instead))
}

/// The refusal if `opm` rejects the package for something else than the edges of its channels.
fn rejected_otherwise(catalog: &CatalogInput, package: &Package) -> Option<Refusal> {
    let mut findings = faults(catalog)
        .filter(|finding| finding.subject.as_ref().is_none_or(|subject| subject.package == package.name));
    findings.next().map(|_| Refusal::rejected_otherwise())
}

/// What `opm` rejects the catalog for, and no edge mends.
pub(crate) fn faults(catalog: &CatalogInput) -> impl Iterator<Item = &Finding> {
    let edges = [Rule::MultipleChannelHeads, Rule::NoChannelHead, Rule::ReplacesCycle, Rule::StrandedEntry];
    let is_fault = move |found: &&Finding| found.diagnostic.opm.is_some() && !edges.contains(&found.diagnostic.rule);
    catalog.analysis.findings.iter().filter(is_fault)
}

/// The refusal of a catalog that `opm` rejects for something that no edge mends: nobody gets an update from it.
pub(crate) fn rejected_catalog(catalog: &CatalogInput) -> Option<Refusal> {
    let fault = &faults(catalog).next()?.diagnostic;
    let sentence = format!("opm rejects the catalog: {}", fault.opm.as_deref().unwrap_or_default());
    let instead = fault.help.clone().unwrap_or_else(|| Refusal::rejected_otherwise().instead);
    Some(Refusal::new(Reason::RejectedOtherwise, sentence, instead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compare_package, compare_report, path, simulate, subject};
    use session::testing::{click, workbench};
    use views::{Compared as Sides, DiffLine, DiffSign, EntryKey, FindingsFilter, PackageKey, SideKey, Subject};

    const TWO_HEADS: &str =
        "package p c\nchannel p c p.v1.2.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";
    const CHAIN: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";

    fn side(catalog: u32) -> SideKey {
        SideKey { catalog: CatalogId(catalog), is_opened: false }
    }

    fn comparing(workbench: &mut Workbench) -> &Workbench {
        workbench.comparing(&Sides::between(side(0), side(1)))
    }

    fn of_channel(workbench: &Workbench, catalog: u32) -> Option<RepairsView> {
        let key = PackageKey { catalog: CatalogId(catalog), package: "p".to_owned() };
        subject(workbench, &key, &Subject::Channel { channel: "c".to_owned() }, "").unwrap().repairs
    }

    fn ends(paths: &PathsView) -> (String, String, String) {
        (paths.title.clone(), paths.before.end.clone(), paths.after.versions.join(" "))
    }

    #[test]
    fn a_channel_says_what_repairs_it_and_what_becomes_of_its_versions() {
        let workbench = workbench(&[("c", TWO_HEADS)]);
        let view = of_channel(&workbench, 0).expect("two heads");
        assert!(view.title().starts_with("Channel `c`: 3 versions do not reach the head: "), "{}", view.title());
        assert_eq!(view.reason, None);
        let cheapest = &view.fixes[0];
        assert_eq!(cheapest.text, "let `p.v1.2.0` replace `p.v1.1.0`");
        assert_eq!(cheapest.effects, ["3 of 3 then reach the head", "all others are updated as now"]);
        let repair = cheapest.repair.as_ref().expect("it is one");
        assert_eq!(repair.paths[0].after.versions, ["1.0.0", "1.1.0", "1.2.0"]);
        assert!(repair.paths.iter().all(|paths| paths.after.is_fine && !paths.before.is_fine));
        let lines: Vec<DiffLine> = DiffLine::of(&repair.diff).collect();
        let mut added = lines.iter().filter(|line| line.sign == DiffSign::Added);
        assert!(lines.len() > 1 && added.all(|line| line.text.contains("replaces")), "{lines:?}");
        assert_eq!(of_channel(&super::tests::workbench(&[("c", CHAIN)]), 0), None);
    }

    /// Nothing in the channel names the version; a cluster has it.
    #[test]
    fn what_the_cluster_has_installed_is_repaired() {
        let catalog = CHAIN.to_owned() + "\nchannel p d p.v0.9.0\nbundle p 0.9.0";
        let mut workbench = workbench(&[("c", &catalog)]);
        assert_eq!(of_channel(&workbench, 0), None);
        let installed = |channel: &str| {
            format!(
                "kind: Subscription\nmetadata: {{name: s, namespace: ns}}\nspec: {{name: p, channel: {channel}}}\nstatus: {{installedCSV: p.v0.9.0}}\n"
            )
        };
        workbench.set_cluster(&installed("c"));
        let view = of_channel(&workbench, 0).expect("no update leads on from it");
        assert_eq!((view.stranded, view.fixes.is_empty()), (vec!["p.v0.9.0".to_owned()], false));
        workbench.set_cluster(&installed("d"));
        assert_eq!(of_channel(&workbench, 0), None, "the Subscription names another channel");
    }

    /// From a finding to a catalog without it: what the page does with two clicks, and with Undo.
    #[test]
    fn each_repair_leaves_nothing_to_repair_and_can_be_undone() {
        let mut workbench = workbench(&[("c", TWO_HEADS)]);
        let findings = crate::findings(&workbench, &FindingsFilter::default(), 10);
        let named: Vec<_> =
            findings.groups.iter().flat_map(|group| &group.rows).map(|row| &row.repaired_channel).collect();
        assert_eq!(named, [&Some("c".to_owned())]);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let entry = EntryKey { channel: Some("c".to_owned()), name: "p.v1.0.0".to_owned() };
        let of_entry = crate::entry(&workbench, &key, &entry, "").unwrap().findings;
        assert_eq!(of_entry[0].rule, "multiple-channel-heads", "it keeps the entry from its updates");
        let before = workbench.catalogs()[0].files[0].text.clone();
        for fix in of_channel(&workbench, 0).unwrap().fixes {
            let undo = click(&mut workbench, &fix);
            assert_eq!(of_channel(&workbench, 0), None, "{}", fix.text);
            assert_eq!(crate::findings(&workbench, &FindingsFilter::default(), 10).counts.errors, 0, "{}", fix.text);
            workbench.edit_files(&undo);
            assert_eq!(workbench.catalogs()[0].files[0].text, before);
        }
    }

    #[test]
    fn a_comparison_has_the_repairs_of_the_channel_instead_of_the_fixes_of_each_group() {
        let after = "package p c\nchannel p c p.v1.2.0 \nbundle p 1.2.0".replace(" \n", "\n");
        let mut workbench = workbench(&[("before", CHAIN), ("after", &after)]);
        let view = compare_package(comparing(&mut workbench), "p").unwrap();
        let fixes: Vec<&str> = view.repairs.iter().flat_map(|channel| &channel.fixes).map(|fix| &*fix.text).collect();
        assert_eq!(fixes[0], "set `skipRange` of `p.v1.2.0` to `>=1.0.0 <1.2.0`");
        // Both versions are gone from the channel, and clusters have them.
        let paths: Vec<_> = view.repairs[0].fixes[0].repair.iter().flat_map(|repair| &repair.paths).map(ends).collect();
        assert_eq!(paths, [("1.0.0 to 1.1.0 (2 versions)".to_owned(), "stuck".to_owned(), "1.0.0 1.2.0".to_owned())]);
        assert!(view.groups.iter().all(|group| group.fixes.is_empty()), "{:?}", view.groups);
        assert_eq!(view.left, 0);
        // The details of the channel know the state before, too.
        assert_eq!(of_channel(&workbench, 1).as_ref(), view.repairs.first());
    }

    #[test]
    fn several_channels_are_repaired_together() {
        let channels = "channel p c p.v1.2.0 p.v1.1.0>p.v1.0.0 p.v1.0.0";
        let both = format!("{TWO_HEADS}\n{}", channels.replace("p c", "p d"));
        let sound = format!("{CHAIN}\n{}", "channel p d p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0");
        let mut workbench = workbench(&[("before", &sound), ("after", &both)]);
        let view = compare_package(comparing(&mut workbench), "p").unwrap();
        assert_eq!(RepairsView::together(&view.repairs[..1]).map(|(count, _)| count), Some(1));
        assert_eq!(package_repairs(&workbench, CatalogId(1), &["p".to_owned()]), view.repairs);
        let (count, edit) = RepairsView::together(&view.repairs).unwrap();
        click(&mut workbench, &FixView { edit: Some(edit), ..FixView::default() });
        let repaired = compare_package(comparing(&mut workbench), "p").unwrap();
        assert_eq!((count, repaired.repairs), (2, Vec::new()));
    }

    #[test]
    fn what_no_edit_repairs_has_the_reason_and_keeps_the_fixes_of_groups() {
        let after = "package p c\nchannel p c p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
        let mut workbench = workbench(&[("before", CHAIN), ("after", after)]);
        let view = compare_package(comparing(&mut workbench), "p").unwrap();
        let expected = [
            "No repair: `p.v1.2.0` is above `p.v1.1.0`, the head of the channel, and OLM must not go down.",
            "Instead: list `p.v1.2.0` again, or release a new version above it whose `skipRange` covers it.",
        ];
        assert_eq!(
            (&view.repairs[0].refusal()[..], view.repairs[0].fixes.len()),
            (&expected.map(str::to_owned)[..], 0)
        );
        let fixes: Vec<&str> = view.groups.iter().flat_map(|group| &group.fixes).map(|fix| &*fix.text).collect();
        assert!(fixes.contains(&"list `p.v1.2.0` in channel `c` again"), "{fixes:?}");
    }

    /// Names that YAML writes in quotes alone, in a text with the line ends of Windows.
    #[test]
    fn entries_are_listed_again_as_names_and_lines_are_written() {
        let entries = |more: &str| {
            let text = format!(
                "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n{more}- name: p.v1.0.0\n---\nschema: olm.bundle\nname: p.v1.0.0\npackage: p\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: p, version: 1.0.0}}}}\n"
            );
            text.replace('\n', "\r\n")
        };
        let odd = "---\nschema: olm.bundle\nname: \"p.v2\\x7f\"\npackage: p\nimage: j\nproperties:\n- {type: olm.package, value: {packageName: p, version: 2.0.0}}\n";
        let before = entries("- name: \"p.v2\\x7f\"\n  replaces: p.v1.0.0\n") + odd;
        let mut workbench =
            Workbench::new().with_text("before", "c.yaml", before).with_text("after", "c.yaml", entries(""));
        let view = compare_package(comparing(&mut workbench), "p").unwrap();
        let fixes: Vec<_> = view.groups.iter().flat_map(|group| &group.fixes).collect();
        let fix = fixes.iter().find(|fix| fix.text.contains("again")).expect("the head was withdrawn");
        click(&mut workbench, &(*fix).clone());
        let after = &workbench.catalogs()[1];
        let text = &after.files[0].text;
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text}");
        let channel = after.analysis.catalog.package("p").unwrap().channel("c").unwrap();
        let names: Vec<&str> = channel.entries.iter().map(|entry| entry.name.value.as_str()).collect();
        assert_eq!((names, after.is_accepted()), (vec!["p.v2\u{7f}", "p.v1.0.0"], true), "{text}");
    }

    /// The example of the documentation: 0.2.1 is stuck, whatever is asked about it.
    #[test]
    fn all_that_is_asked_about_a_stuck_version_has_the_same_list() {
        let [before, after] = [
            include_str!("../../../docs/examples/before/catalog.yaml"),
            include_str!("../../../docs/examples/catalog/catalog.yaml"),
        ];
        let cluster = include_str!("../../../docs/examples/cluster.yaml");
        let mut workbench = Workbench::new().with_text("community", "catalog.yaml", after).with_cluster(cluster);
        let texts = |view: Option<RepairsView>| {
            view.map(|view| view.fixes.into_iter().map(|fix| fix.text).collect::<Vec<_>>()).unwrap_or_default()
        };
        let expected = [
            "set `skipRange` of `clusterpulse.v0.3.0` to `>=0.1.1 <0.3.0`",
            "take `clusterpulse.v0.2.3` out of `skips` of `clusterpulse.v0.3.0`",
        ];
        let key = PackageKey { catalog: CatalogId(0), package: "clusterpulse".to_owned() };
        let channel = Subject::Channel { channel: "fast-v0".to_owned() };
        let of_channel = |workbench: &Workbench| texts(subject(workbench, &key, &channel, "").unwrap().repairs);
        assert_eq!(of_channel(&workbench), expected, "findings, drawing and reach lead to the channel");
        let head = EntryKey { channel: Some("fast-v0".to_owned()), name: "clusterpulse.v0.3.0".to_owned() };
        let path = path(&workbench, &key, "clusterpulse.v0.2.1", &head).unwrap();
        assert_eq!((texts(path.repairs), path.advice.len()), (expected.map(str::to_owned).to_vec(), 1));
        let simulated = simulate(&workbench, "operators").outcomes.remove(0).subscriptions.remove(0);
        assert_eq!((texts(simulated.repairs), simulated.fixes), (expected.map(str::to_owned).to_vec(), Vec::new()));
        workbench.add_text("before", "catalog.yaml", before);
        let sides = Sides::between(side(1), side(0));
        let compared = compare_package(workbench.comparing(&sides), "clusterpulse").unwrap();
        assert_eq!(texts(compared.repairs.into_iter().next()), expected);
        assert_eq!(of_channel(&workbench), expected);
        let report = compare_report(&workbench, false).unwrap();
        let places = expected.map(|text| report.find(text).expect(text));
        assert!(places[0] < places[1] && report.matches("- fix: ").count() == 2, "{report}");
    }
}
