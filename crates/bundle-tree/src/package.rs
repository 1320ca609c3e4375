//! A package: its bundles in order, its channels, and the findings about both.

use crate::replaces::{self, compare, stated};
use crate::semver;
use bundle::{Bundle, Document, Entry};
use go_semver::blang::Version;
use source::{BundleMode, Diagnostic, FileId, Rule, Span, Spanned};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A bundle and the folder that it is in.
pub(crate) struct Rendered<'a> {
    pub(crate) folder: &'a str,
    pub(crate) bundle: Bundle,
    /// Where its CSV states its name.
    pub(crate) place: Span,
}

/// How many pruned bundles of a package get a finding of their own.
const MAX_PRUNED: usize = 1000;

/// The documents of a package; none when the rules refuse it. What a bundle replaces that is alone is in the index that it goes into.
pub(crate) fn build(
    name: &str,
    rendered: &[&Rendered<'_>],
    mode: BundleMode,
    is_alone: bool,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Document> {
    let bundles = ascending(rendered);
    if mode == BundleMode::Replaces {
        report_substitutions(&bundles, findings);
    }
    let channels = unreadable(&bundles).map_or_else(
        || match mode {
            BundleMode::Replaces => replaces::channels(&bundles, is_alone),
            BundleMode::Semver => semver::channels(&bundles, false),
            BundleMode::SemverSkippatch => semver::channels(&bundles, true),
        },
        Err,
    );
    let channels = match channels {
        Ok(channels) => channels,
        Err(refusal) => {
            findings.push(refused(name, rendered, mode, refusal));
            return Vec::new();
        }
    };
    report_pruned(rendered, &bundles, &channels, findings);
    let of_channel = |(channel, Channel { entries, .. }): (&String, &Channel)| {
        let entries: Vec<Entry> = entries.values().cloned().collect();
        Document::of_channel(name, channel, &entries)
    };
    let listed = |bundle: &&&Bundle| is_listed(&channels, &bundle.name);
    let head = channels.by_name.get(&channels.default).map(|channel| &channel.head);
    let head = bundles.iter().find(|bundle| Some(&bundle.name) == head);
    let package = Document::of_package(name, &channels.default, head.and_then(|head| head.icon.as_ref()));
    let mut documents = vec![package];
    documents.extend(channels.by_name.iter().map(of_channel));
    documents.extend(bundles.iter().filter(listed).map(|bundle| bundle.document()));
    documents
}

fn is_listed(channels: &Channels, bundle: &str) -> bool {
    channels.by_name.values().any(|channel| channel.entries.contains_key(bundle))
}

/// The bundles in ascending order of their versions; those without a valid one first.
pub(crate) fn ascending<'b>(rendered: &[&'b Rendered<'_>]) -> Vec<&'b Bundle> {
    let version = |bundle: &Bundle| Version::parse(stated(&bundle.version)).ok();
    let mut bundles: Vec<_> = rendered.iter().map(|rendered| (version(&rendered.bundle), &rendered.bundle)).collect();
    bundles.sort_by(|(one, _), (other, _)| match (one, other) {
        // Precedence alone decides where build metadata cannot be compared, and then there is an error anyway.
        (Some(one), Some(other)) => compare(one, other).unwrap_or(Ordering::Equal),
        _ => one.is_some().cmp(&other.is_some()),
    });
    bundles.into_iter().map(|(_, bundle)| bundle).collect()
}

/// What `opm` refuses before it makes channels.
fn unreadable(bundles: &[&Bundle]) -> Option<Refusal> {
    let mut names = BTreeSet::new();
    bundles.iter().find_map(|bundle| match &bundle.updates.fault {
        Some(fault) => Some(Refusal::new(fault.clone(), Some(bundle))),
        None if names.insert(&bundle.name) => None,
        None => Some(Refusal::new("Bundle already added that provides package and csv", Some(bundle))),
    })
}

/// Where a bundle states its name. Of several with one name it is the last one.
fn place(rendered: &[&Rendered<'_>], bundle: Option<&str>) -> Span {
    let named = rendered.iter().rev().find(|rendered| bundle.is_none_or(|name| name == rendered.bundle.name));
    named.map_or(Span::new(FileId(0), 0, 0), |rendered| rendered.place)
}

fn refused(name: &str, rendered: &[&Rendered<'_>], mode: BundleMode, refusal: Refusal) -> Diagnostic {
    let message = format!("package `{name}` cannot be built in {} mode: {}", mode.name(), refusal.message);
    let finding = Diagnostic::new(Rule::UnbuiltPackage, place(rendered, refusal.bundle.as_deref()), message);
    if refusal.is_of_opm { finding.with_opm(refusal.message) } else { finding }
}

/// Reports bundles with `olm.substitutesFor`, which `opm` reads only with `--enable-alpha`.
fn report_substitutions(bundles: &[&Bundle], findings: &mut Vec<Diagnostic>) {
    let substitutes = |bundle: &'_ &Bundle| bundle.updates.substitutes_for.clone();
    let by_name: BTreeMap<&str, String> =
        bundles.iter().filter_map(|bundle| Some((&*bundle.name, substitutes(bundle)?.value))).collect();
    for bundle in bundles {
        let Some(Spanned { value: base, span }) = substitutes(bundle) else { continue };
        let name = &bundle.name;
        let mut message = format!(
            "`{name}` substitutes for `{base}`, which replaces mode here ignores: opm follows `olm.substitutesFor` only \
             with `--enable-alpha`"
        );
        let mut passed = BTreeSet::new();
        let chain = std::iter::successors(Some(&base), |at| by_name.get(at.as_str()));
        if chain.take_while(|at| passed.insert(at.as_str())).any(|at| at == name) {
            message +=
                &format!("; with it, opm v1.73.0 fails: cyclic substitutesFor chain detected involving \"{name}\"");
        }
        let help = match base == *name {
            true => "remove the annotation",
            false => "name it in `skips`, and what it replaces in `replaces`, or make a substitutes template",
        };
        findings.push(Diagnostic::new(Rule::IgnoredSubstitution, span, message).with_help(help));
    }
}

/// Tells of every channel that a bundle names and is not in.
fn report_pruned(rendered: &[&Rendered<'_>], bundles: &[&Bundle], channels: &Channels, findings: &mut Vec<Diagnostic>) {
    let places: BTreeMap<&str, Span> =
        rendered.iter().map(|rendered| (&*rendered.bundle.name, rendered.place)).collect();
    let mut pruned: Vec<(&Bundle, String)> = Vec::new();
    for bundle in bundles {
        let is_lost = !is_listed(channels, &bundle.name);
        let lost = if is_lost { "; it is in no other channel either, so the catalog does not have it" } else { "" };
        if bundle.channels.is_empty() && is_lost {
            let why = "its annotations name no channel, so the catalog does not have it";
            pruned.push((bundle, format!("bundle `{}` is in no channel: {why}", bundle.name)));
        }
        for name in &bundle.channels {
            let Some(channel) =
                channels.by_name.get(name).filter(|channel| !channel.entries.contains_key(&bundle.name))
            else {
                continue;
            };
            // The reason takes a look at all bundles, and so is found only for those that are listed.
            let is_told = pruned.len() < MAX_PRUNED;
            let why = if is_told { why_pruned(bundle, channel, bundles) } else { String::new() };
            pruned.push((bundle, format!("bundle `{}` is pruned from channel `{name}`: {why}{lost}", bundle.name)));
        }
    }
    let more = pruned.len().saturating_sub(MAX_PRUNED);
    for (at, (bundle, message)) in pruned.into_iter().take(MAX_PRUNED).enumerate() {
        let message = match at {
            0 if more > 0 => format!("{message} ({more} more are not listed)"),
            _ => message,
        };
        let place = places.get(&*bundle.name).copied().unwrap_or(Span::new(FileId(0), 0, 0));
        let help = "name it in `replaces` or `skips` of a bundle on the update chain, or take the channel out of its \
                    annotations";
        findings.push(Diagnostic::new(Rule::PrunedBundle, place, message).with_help(help));
    }
}

/// Why replaces mode leaves a bundle out of a channel that it names.
fn why_pruned(bundle: &Bundle, channel: &Channel, bundles: &[&Bundle]) -> String {
    let head = &channel.head;
    let entry = channel.entries.get(head);
    if entry.is_some_and(|entry| entry.replaces.is_empty() && entry.skips.is_empty()) {
        let range = if entry.is_some_and(|entry| entry.skip_range.is_empty()) {
            ""
        } else {
            ", and a skipRange adds no entries"
        };
        return format!("the head `{head}` has neither `replaces` nor `skips`{range}");
    }
    let names = |other: &&&Bundle| other.updates.replaces == bundle.name || other.updates.skips.contains(&bundle.name);
    let above: Vec<&str> = bundles.iter().filter(names).map(|other| &*other.name).collect();
    match above.iter().find(|name| channel.entries.contains_key(**name)) {
        Some(skipped) => {
            format!("it is on the way from `{skipped}` alone, which the chain of the head `{head}` only skips")
        }
        None => match above.first() {
            Some(above) => format!("`{above}` leads to it, and is not on the chain of the head `{head}`"),
            None => format!("no bundle replaces or skips it, so it is not on the chain of the head `{head}`"),
        },
    }
}

// The channels of a package: what both kinds of rules make.

/// How many entries and skips the channels of a package have at most. They grow with the product of channels and bundles.
const MAX_EDGES: usize = 1_000_000;

#[derive(Debug, Default)]
pub(crate) struct Channels {
    pub(crate) default: String,
    pub(crate) by_name: BTreeMap<String, Channel>,
}

#[derive(Debug, Default)]
pub(crate) struct Channel {
    pub(crate) head: String,
    /// The entries by name, as `opm` exports them.
    pub(crate) entries: BTreeMap<String, Entry>,
}

/// Why a package has no channels.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The error of `opm`; `None` when the answer is ours.
    is_of_opm: bool,
    pub(crate) message: String,
    pub(crate) bundle: Option<String>,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, bundle: Option<&Bundle>) -> Self {
        Self { is_of_opm: true, message: message.into(), bundle: bundle.map(|bundle| bundle.name.clone()) }
    }
}

/// Counts what is built of a package.
#[derive(Default)]
pub(crate) struct Budget(usize);

impl Budget {
    /// Counts an entry with its skips.
    pub(crate) fn take(&mut self, skips: usize) -> Result<(), Refusal> {
        self.0 += 1 + skips;
        if self.0 <= MAX_EDGES {
            return Ok(());
        }
        let message = format!("its channels would have more than {MAX_EDGES} entries and skips");
        Err(Refusal { is_of_opm: false, message, bundle: None })
    }
}
