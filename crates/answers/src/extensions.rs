//! The ClusterExtensions of manifests, resolved with the loaded catalogs: which bundle each gets next, and what became
//! of the other bundles of its package.

use crate::reported;
use catalog::{BundleName, DeprecationTarget};
use cluster::{CatalogName, ClusterCatalog, ClusterExtension, Manifests, UpgradeConstraintPolicy};
use extension::{
    Candidate, CatalogState, Fix, Readiness, Reconciliation, Refusal, Resolution, ResolveError, Resolved, Verdict,
    VersionRelease, fixes, skipped_sentences, timeline_with_refusals,
};
use report::contract::{DroppedBundle, ResolvedExtension, SkippedCatalog};
use report::{Block, Grade, Item, Note};
use session::{CatalogInput, Workbench, pair_cluster_catalogs};
use std::collections::BTreeMap;
use views::{ExplainedMessage, FileKey, Level, Severity};

/// An extension and what OLM v1 does with it, one update after the other.
#[derive(Clone, Debug)]
pub struct ExtensionAnswer {
    /// The extension as the manifests have it.
    pub extension: ClusterExtension,
    /// Why the API server rejects the extension, each with the path of the field; empty if it accepts it. A rejected extension
    /// does not exist: the first reconciliation is what would happen if the API server accepted it, and there is no later one.
    pub rejections: Vec<Box<str>>,
    pub first: Reconciliation,
    /// Those after it, until nothing changes or OLM v1 refuses a bundle.
    pub later: Vec<Reconciliation>,
    /// Changes of the extension that help if its first resolution fails or its bundle is refused, and those that lead to a bundle
    /// that is refused.
    pub fixes: Vec<Fix>,
    /// What OLM v1 refuses in each bundle of its package, as far as the catalogs show it, by catalog and bundle.
    pub refused: BTreeMap<(CatalogName, BundleName), Vec<Refusal>>,
}

impl ExtensionAnswer {
    /// The first resolution.
    #[must_use]
    pub fn first(&self) -> &Resolution {
        &self.first.resolution
    }

    /// Why nobody can tell what OLM v1 chooses.
    #[must_use]
    pub fn unknown(&self) -> Option<&ResolveError> {
        self.first().outcome.as_ref().err().filter(|error| matches!(error, ResolveError::NotLoaded { .. }))
    }

    /// The last reconciliation.
    #[must_use]
    pub fn last(&self) -> &Reconciliation {
        self.later.last().unwrap_or(&self.first)
    }
}

/// Resolves the ClusterExtensions of the manifests; sorted by name.
#[must_use]
pub fn extensions(workbench: &Workbench) -> Vec<ExtensionAnswer> {
    extensions_of(workbench, workbench.cluster_manifests().1)
}

pub(crate) fn extensions_of(workbench: &Workbench, manifests: &Manifests) -> Vec<ExtensionAnswer> {
    let loaded = workbench.catalogs();
    let (paired, _) = pair_cluster_catalogs(workbench, manifests);
    let content = |name: &str| workbench.catalog(*paired.get(name)?);
    let assumed: Vec<ClusterCatalog>;
    let objects = if !manifests.has_cluster_catalogs() {
        assumed = loaded.iter().map(|catalog| ClusterCatalog::new(catalog.name.as_str().into())).collect();
        &assumed
    } else {
        &manifests.cluster_catalogs
    };
    let catalogs: Vec<CatalogState<'_>> = objects
        .iter()
        .map(|object| CatalogState { object, content: content(object.name.as_str()).map(|one| &one.analysis.catalog) })
        .collect();
    let accepted = manifests.cluster_extensions.iter().map(|extension| (extension, &[][..]));
    let rejected = manifests.rejected_extensions.iter().map(|rejected| (&rejected.extension, &rejected.reasons[..]));
    let mut extensions: Vec<(&ClusterExtension, &[Box<str>])> = accepted.chain(rejected).collect();
    extensions.sort_by_key(|(extension, _)| &extension.name);
    let reported = if extensions.is_empty() { Vec::new() } else { reported(workbench) };
    // What the extension reports itself of a bundle.
    let reported = |extension: &ClusterExtension, bundle: &BundleName| {
        let about = format!("ClusterExtension {} Progressing", extension.name);
        let is_it = |one: &&ExplainedMessage| {
            let mut csvs = one.names.iter().filter(|name| name.kind == "csv");
            one.verdict == Some(views::Verdict::Stuck)
                && one.about.starts_with(&about)
                && csvs.any(|csv| csv.name == bundle.as_str())
        };
        reported.iter().find(is_it).map(|one| Refusal::Reported(one.text.as_str().into()))
    };
    let answer = |(extension, rejections): (&ClusterExtension, &[Box<str>])| {
        let extension = extension.clone();
        let refusals_in = |catalog: &str, bundle: &BundleName| {
            let shown = || refusals(content(catalog)?, &extension, bundle);
            reported(&extension, bundle).into_iter().chain(shown().unwrap_or_default()).collect::<Vec<_>>()
        };
        let refusals = |resolved: &Resolved| refusals_in(resolved.catalog.as_str(), &resolved.bundle);
        let reconciliations = timeline_with_refusals(&extension, std::slice::from_ref(&catalogs), &refusals);
        let most = if rejections.is_empty() { usize::MAX } else { 1 };
        let mut reconciliations = reconciliations.into_iter().take(most);
        let first = reconciliations.next()?;
        let refused = first.resolution.candidates.iter().filter_map(|candidate| {
            let Candidate { catalog, bundle, .. } = candidate;
            let refused = refusals_in(catalog.as_str(), bundle);
            (!refused.is_empty()).then(|| ((catalog.clone(), bundle.clone()), refused))
        });
        let refused = refused.collect();
        let fixes = fixes(&extension, &catalogs, &refusals);
        let (rejections, later) = (rejections.to_vec(), reconciliations.collect());
        Some(ExtensionAnswer { rejections, first, later, fixes, refused, extension: extension.clone() })
    };
    extensions.into_iter().filter_map(answer).collect()
}

/// What the catalog shows that OLM v1 refuses in a bundle.
fn refusals(catalog: &CatalogInput, extension: &ClusterExtension, bundle: &BundleName) -> Option<Vec<Refusal>> {
    let bundle = catalog.analysis.catalog.package(extension.package.as_str())?.bundle(bundle.as_str())?;
    let file = catalog.file(FileKey(bundle.span.file.0))?;
    Some(Readiness::of(bundle, Some(&file.text), extension.olm).refusals_for(extension))
}

// What is said of a ClusterExtension of OLM v1: which bundle it gets next, and what became of the other bundles of its
// package.

impl ExtensionAnswer {
    /// Whether the API server accepts the extension, and there is a bundle that OLM v1 does not refuse.
    #[must_use]
    pub fn succeeds(&self) -> bool {
        self.rejections.is_empty() && self.first().outcome.is_ok() && self.first.refusals.is_empty()
    }

    /// The answer for programs.
    #[must_use]
    pub fn for_programs(&self) -> ResolvedExtension {
        let answer = self;
        let (extension, resolution) = (&answer.extension, answer.first());
        let (refusals, is_unknown) = (&answer.first.refusals, answer.unknown().is_some());
        let resolved = resolution.outcome.as_ref().ok();
        let skipped = resolution
            .skipped
            .iter()
            .map(|(catalog, reason)| SkippedCatalog { catalog: catalog.to_string(), because: reason.to_string() });
        ResolvedExtension {
            extension: extension.name.to_string(),
            rejected: answer.rejections.iter().map(ToString::to_string).collect(),
            bundle: resolved.map(|one| one.bundle.to_string()),
            version: resolved.map(|one| one.version.to_string()),
            release: resolved.and_then(|one| Some(one.release.as_ref()?.to_string())),
            catalog: resolved.map(|one| one.catalog.to_string()),
            image: resolved.and_then(|one| Some(one.image.as_ref()?.to_string())),
            error: resolution.outcome.as_ref().err().filter(|_| !is_unknown).map(ToString::to_string),
            unknown: answer.unknown().map(ToString::to_string),
            refusals: refusals.iter().map(ToString::to_string).collect(),
            dropped: resolution.candidates.iter().filter_map(dropped).collect(),
            skipped: skipped.collect(),
        }
    }

    /// What happens to the extension, and below it the bundles that OLM did not take, with the rule that dropped each.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let (extension, resolution, refusals) = (&self.extension, self.first(), &self.first.refusals);
        let mut blocks = vec![Block::heading(format!("ClusterExtension {}", extension.name))];
        let failure = |sentence: String| Item::new(Grade::Finding(Severity::Error), "", sentence);
        if !self.rejections.is_empty() {
            let item = failure("the API server rejects it, so nothing is created or changed".to_owned());
            blocks.push(Block::Item(with_notes(item, self.rejections.iter().map(ToString::to_string))));
            return blocks;
        }
        let item = match &resolution.outcome {
            Ok(resolved) => {
                let sentence = next_bundle(extension, resolved, refusals.is_empty());
                match refusals.is_empty() {
                    true => Item::new(Grade::Difference(Level::Good), "", sentence),
                    false => with_notes(failure(sentence), refusals.iter().map(|one| format!("but {}", refuses(one)))),
                }
            }
            Err(error @ ResolveError::NotLoaded { .. }) => {
                Item::new(Grade::Notice, "", format!("cannot be known: {error}"))
            }
            Err(error) => {
                let stays = extension.installed.iter().map(|installed| format!("`{}` stays installed", installed.name));
                with_notes(failure(error.to_string()), stays)
            }
        };
        let item = self.fixes.iter().fold(item, |item, fix| item.with(self.fix(fix)));
        blocks.push(Block::Item(item));
        blocks.extend(resolution.outcome.iter().flat_map(|resolved| deprecations(extension, resolved)));
        blocks.extend(
            skipped_sentences(&resolution.skipped).into_iter().map(|text| Block::line(format!("note: {text}"))),
        );
        blocks.extend(not_taken(&resolution.candidates));
        blocks
    }
}

impl ExtensionAnswer {
    /// What OLM v1 does after a change, as a sentence.
    #[must_use]
    pub fn fix_text(&self, fix: &Fix) -> String {
        let bundle = &fix.resolved.bundle;
        let end = match (&fix.refused, &self.extension.installed) {
            (Some((last, refusal)), _) if last == bundle => {
                return format!("{}: then it chooses `{bundle}`, but {}", fix.change, refuses(refusal));
            }
            (Some((last, refusal)), _) => format!(", and after it chooses `{last}`, but {}", refuses(refusal)),
            (None, _) => String::new(),
        };
        match &self.extension.installed {
            None => format!("{}: then it installs `{bundle}`{end}", fix.change),
            Some(installed) if installed.name == *bundle => format!("{}: then it stays at `{bundle}`{end}", fix.change),
            Some(_) => format!("{}: then it goes to `{bundle}`{end}", fix.change),
        }
    }

    fn fix(&self, fix: &Fix) -> Note {
        Note::of(if fix.refused.is_none() { "fix" } else { "no fix" }, self.fix_text(fix))
    }
}

impl ExtensionAnswer {
    /// Why OLM v1 takes a bundle of the package, given as a version or a CSV, or why it does not; `None` if no catalog that it
    /// looks into has it.
    #[must_use]
    pub fn why(&self, bundle: &str) -> Option<Vec<Block>> {
        let version = |candidate: &Candidate| candidate.version.as_ref().map(VersionRelease::recorded);
        let candidates = &self.first().candidates;
        let found: Vec<&Candidate> = (candidates.iter())
            .filter(|one| one.bundle.as_str() == bundle || version(one).as_deref() == Some(bundle))
            .collect();
        let first = found.first()?;
        let title = format!("Why (not) {}?", first.bundle);
        let items = found.iter().map(|candidate| {
            let Candidate { catalog, bundle, verdict, .. } = candidate;
            let item = match verdict {
                Verdict::Chosen => {
                    Item::new(Grade::Difference(Level::Good), "", format!("OLM v1 chooses it from catalog `{catalog}`"))
                }
                Verdict::Dropped(reason) => {
                    let sentence = format!("not from catalog `{catalog}`: {reason}");
                    Item::new(Grade::Finding(Severity::Error), "", sentence)
                }
            };
            let refused = self.refused.get(&(catalog.clone(), bundle.clone())).into_iter().flatten();
            let lead = if *verdict == Verdict::Chosen { "but" } else { "even if it chose it:" };
            with_notes(item, refused.map(|one| format!("{lead} {}", refuses(one))))
        });
        Some(std::iter::once(Block::heading(title)).chain(items.map(Block::Item)).collect())
    }

    /// The versions of the package in the catalogs that it looks into.
    #[must_use]
    pub fn versions(&self) -> Vec<String> {
        let candidates = self.first().candidates.iter();
        candidates.filter_map(|candidate| Some(candidate.version.as_ref()?.recorded())).collect()
    }
}

/// What OLM v1 refuses.
fn refuses(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Reported(text) => format!("the extension itself reports: {text}"),
        _ => format!("OLM v1 refuses to install it: {}", refusal.text()),
    }
}

fn with_notes(item: Item, notes: impl Iterator<Item = String>) -> Item {
    notes.fold(item, |item, text| item.with(Note::of("", text)))
}

/// What is deprecated of what the extension gets.
fn deprecations(extension: &ClusterExtension, resolved: &Resolved) -> Vec<Block> {
    let is_about_it = |target: &DeprecationTarget| match target {
        DeprecationTarget::Package => true,
        DeprecationTarget::Channel(name) => extension.channels.contains(name),
        DeprecationTarget::Bundle(name) => *name == resolved.bundle,
    };
    let deprecated = resolved.deprecations.iter().filter(|deprecation| is_about_it(&deprecation.target));
    let sentence = deprecated.map(|deprecation| format!("deprecated: {}", deprecation.message));
    sentence.map(|text| Block::Item(Item::new(Grade::Finding(Severity::Warning), "", text))).collect()
}

fn dropped(candidate: &Candidate) -> Option<DroppedBundle> {
    let Verdict::Dropped(reason) = &candidate.verdict else { return None };
    Some(DroppedBundle {
        catalog: candidate.catalog.to_string(),
        bundle: candidate.bundle.to_string(),
        version: candidate.version.as_ref().map(VersionRelease::recorded),
        because: reason.to_string(),
    })
}

/// The bundles that OLM did not take, those of each catalog that the same rule dropped together, the highest version first.
fn not_taken(candidates: &[Candidate]) -> Vec<Block> {
    // The resolution has them by name, where 3.9.10 is before 3.9.2.
    let mut candidates: Vec<&Candidate> = candidates.iter().collect();
    candidates.sort_by(|one, other| one.catalog.cmp(&other.catalog).then_with(|| other.version.cmp(&one.version)));
    let rows: Vec<DroppedBundle> = candidates.into_iter().filter_map(dropped).collect();
    let mut blocks = Vec::new();
    for of_catalog in rows.chunk_by(|one, other| one.catalog == other.catalog) {
        let [first, ..] = of_catalog else { continue };
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for DroppedBundle { bundle, because, .. } in of_catalog {
            match groups.iter_mut().find(|(reason, _)| reason == because) {
                Some((_, bundles)) => bundles.push(bundle),
                None => groups.push((because, vec![bundle])),
            }
        }
        let title = format!("Not taken from catalog `{}`:", first.catalog);
        let item = |(because, bundles): (&str, Vec<&str>)| {
            let sentence = format!("{because}: {}", bundles.join(", "));
            Block::Item(Item::new(Grade::Difference(Level::Neutral), "", sentence))
        };
        let all = std::iter::once(Block::line(title.clone())).chain(groups.into_iter().map(item));
        blocks.push(Block::Folded { title, is_open: false, blocks: all.collect() });
    }
    blocks
}

/// What happens to the extension; a bundle that OLM v1 refuses is chosen, but not installed.
fn next_bundle(extension: &ClusterExtension, resolved: &Resolved, is_installed: bool) -> String {
    let bundle = format!("`{}` from catalog `{}`", resolved.bundle, resolved.catalog);
    match &extension.installed {
        _ if !is_installed => format!("chooses {bundle}"),
        None => format!("installs {bundle}"),
        Some(installed) if installed.name == resolved.bundle => format!("stays at {bundle}"),
        Some(installed) => {
            let by = match extension.policy {
                UpgradeConstraintPolicy::CatalogProvided => "",
                UpgradeConstraintPolicy::SelfCertified => ", whatever the update graph says",
            };
            format!("goes from `{}` to {bundle}{by}", installed.name)
        }
    }
}
