//! Repairs of the channels of a catalog, applied to its text, and the reasons where there are none.

use crate::analysis::Finding;
use crate::authoring::Author;
use crate::comparison::Side;
use crate::write_edits::WrittenFile;
use crate::{CatalogInput, FileInput, Workbench};
use catalog::predicate::PackageName;
use catalog::{BundleName, Channel, ChannelName, Package};
use fbc::TextEdit;
use release::{ChannelEdit, Intent};
use repair::{AppliedText, Question, Reason, Refusal, Repair, Search, applied, applied_text, is_harmless};
use resolver::Budget;
use source::{Rule, name_list};
use std::collections::BTreeSet;
use std::sync::Arc;
use template::TemplateKind;
use update_graph::version_of;
use views::{CatalogId, FileKey, Place};

/// Which channels are repaired.
#[derive(Clone, Copy)]
pub struct RepairScope<'s> {
    /// The catalog before the change, if that is known.
    pub before: Option<Side<'s>>,
    pub after: &'s CatalogInput,
    /// Only this package.
    pub package: Option<&'s str>,
    /// Only this channel.
    pub channel: Option<&'s str>,
    /// The versions or names that nobody may be updated to.
    pub avoid: &'s [String],
    /// What clusters have installed: package, channel and the name of the CSV.
    pub installed: &'s [(PackageName, ChannelName, BundleName)],
    /// The work that the solver may do.
    pub budget: &'s Budget,
}

/// What helps a channel in which versions do not reach the head, or that `opm` rejects.
pub struct ChannelRepairs {
    pub package: PackageName,
    pub channel: ChannelName,
    /// The versions that do not reach the head.
    pub stranded: Vec<BundleName>,
    /// The repairs, the cheapest first. Each was applied to the text, read again and compared.
    pub repairs: Vec<RepairedText>,
    /// Why there is no repair, or none for some of the versions.
    pub refusal: Option<Refusal>,
}

/// A repair, and the text with it.
pub struct RepairedText {
    pub repair: Repair,
    pub file: FileKey,
    /// The place of the entry of each edit.
    pub places: Vec<Place>,
    /// The edits of the text.
    pub text: AppliedText,
}

impl ChannelRepairs {
    /// What is wrong with the channel; names are in backticks.
    #[must_use]
    pub fn problem(&self) -> String {
        let names = name_list(self.stranded.iter().map(BundleName::as_str));
        match self.stranded.len() {
            0 => "`opm` rejects it".to_owned(),
            1 => format!("1 version does not reach the head: {names}"),
            count => format!("{count} versions do not reach the head: {names}"),
        }
    }
}

impl RepairedText {
    /// What the repair costs.
    #[must_use]
    pub fn cost(&self) -> String {
        let widened = match self.repair.widening {
            0 => "nobody gets an update that was not there or not needed".to_owned(),
            1 => "1 version leaves out updates that it had, or gets one that it does not need".to_owned(),
            count => format!("{count} versions leave out updates that they had, or get one that they do not need"),
        };
        format!("weight {}; {widened}", self.repair.weight)
    }
}

impl Workbench {
    /// Writes the first repair of each channel.
    ///
    /// # Errors
    ///
    /// If they cannot be written together.
    pub fn write_repairs(&mut self, id: CatalogId, found: &[ChannelRepairs]) -> Result<Vec<WrittenFile>, Refusal> {
        let first = || found.iter().filter_map(|found| Some((found, found.repairs.first()?)));
        let splices = first().flat_map(|(_, repaired)| {
            let of_edit = |edit: &TextEdit| (repaired.file, edit.span.start..edit.span.end, edit.text.clone());
            repaired.text.edits.iter().map(of_edit)
        });
        let edits: Vec<ChannelEdit> =
            first().map(|(found, repaired)| ChannelEdit::of(&found.channel, &repaired.repair.edits)).collect();
        let packages = first().map(|(found, _)| found.package.as_str());
        let intent = Intent { channels: packages.zip(&edits).collect(), ..Intent::default() };
        self.write_edits(id, &intent, splices.collect(), true)
    }
}

/// The channels that something is wrong with, by package and channel.
#[must_use]
pub fn repairs(scope: RepairScope<'_>) -> Vec<ChannelRepairs> {
    let mut found = Vec::new();
    let is_meant = |package: &&Arc<Package>| scope.package.is_none_or(|name| package.name.as_str() == name);
    for package in scope.after.analysis.catalog.packages.iter().filter(is_meant) {
        let channels = package.channels.iter().filter(|channel| scope.has(channel));
        found.extend(channels.filter_map(|channel| repairs_of(scope, package, channel)));
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
    fn has(&self, channel: &Channel) -> bool {
        self.channel.is_none_or(|name| channel.name.value.as_str() == name)
    }

    /// Whether any channel lists a version or name.
    #[must_use]
    pub fn is_known(&self, text: &str) -> bool {
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
        repairs: Vec::new(),
        refusal: Some(Refusal::new(Reason::ChannelGone, sentence, "keep the channel, with the entries of the new one")),
    }
}

/// `None` if nothing is wrong with the channel.
fn repairs_of(scope: RepairScope<'_>, package: &Package, channel: &Channel) -> Option<ChannelRepairs> {
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
    let found = |repairs: Vec<RepairedText>, refusal: Option<Refusal>| {
        let is_wrong = !repairs.is_empty() || refusal.is_some();
        let (package, channel) = (package.name.clone(), channel.name.value.clone());
        is_wrong.then(|| ChannelRepairs { package, channel, stranded: stranded.clone(), repairs, refusal })
    };
    if search.is_needed()
        && let Some(refusal) = not_editable(scope.after, channel).or_else(|| rejected_otherwise(scope.after, package))
    {
        return found(Vec::new(), Some(refusal));
    }
    while !search.advance() {}
    let mut repairs = Vec::new();
    for repair in search.repairs() {
        let repaired = applied(channel, &repair.edits);
        if is_harmless(&question, &repaired) {
            repairs.extend(repaired_text(scope.after, package, channel, repair, &repaired));
        }
    }
    let is_lost = repairs.is_empty() && !search.repairs().is_empty();
    let refusal = search.refusal().cloned().or_else(|| is_lost.then(no_safe_edit));
    found(repairs, refusal)
}

/// A repair in the text of the channel, or in that of the template that it is made of.
fn repaired_text(
    catalog: &CatalogInput,
    package: &Package,
    channel: &Channel,
    repair: &Repair,
    repaired: &Channel,
) -> Option<RepairedText> {
    let file = catalog.file(FileKey(channel.span.file.0))?;
    if file.expanded_from.is_some() {
        return Author { catalog, package: package.name.as_str() }.repaired(channel, repair);
    }
    let text = applied_text(&file.text, &file.parse().docs, channel, repaired)?;
    let entry = |name: &BundleName| channel.entry(name.as_str()).map_or(channel.span, |entry| entry.name.span);
    let places = repair.edits.iter().map(|edit| catalog.place(entry(&edit.entry))).collect();
    Some(RepairedText { repair: repair.clone(), file: file.key, places, text })
}

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
fn not_editable(catalog: &CatalogInput, channel: &Channel) -> Option<Refusal> {
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
fn faults(catalog: &CatalogInput) -> impl Iterator<Item = &Finding> {
    let edges = [Rule::MultipleChannelHeads, Rule::NoChannelHead, Rule::ReplacesCycle, Rule::StrandedEntry];
    let is_fault = move |found: &&Finding| found.diagnostic.opm.is_some() && !edges.contains(&found.diagnostic.rule);
    catalog.analysis.findings.iter().filter(is_fault)
}

/// Why nobody knows whether the versions of a catalog reach the heads of its channels, whatever repairs there are: a part of it was
/// not read, or `opm` rejects it for something that no repair mends.
#[must_use]
pub fn without_repairs(catalog: &CatalogInput) -> Option<String> {
    Side::present(catalog).why_unread().or_else(|| {
        let fault = faults(catalog).next()?;
        Some(format!("opm rejects the catalog: {}", fault.diagnostic.opm.as_deref().unwrap_or_default()))
    })
}
