//! The ClusterExtensions of manifests, resolved with the loaded catalogs: which bundle each gets next, and what became
//! of the other bundles of its package.

use catalog::{BundleName, DeprecationTarget};
use cluster::{
    CatalogName, ClusterCatalog, ClusterExtension, FailedProbe, Manifests, ReportedCondition, ReportedFailure,
    Revision, RollOut, UpgradeConstraintPolicy,
};
use extension::{
    Candidate, CatalogState, Fix, Readiness, Reconciliation, ReconciliationEffect, Refusal, Resolution, ResolveError,
    Resolved, Verdict, VersionRelease, fixes, skipped_sentences, timeline_with_refusals,
};
use messages::explained;
use report::contract::{DroppedBundle, ResolvedExtension, RollsOut, SkippedCatalog};
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
    /// What a ClusterCatalog reports that is not served and keeps OLM v1 from resolving the extension.
    pub unserved: Option<ExplainedMessage>,
    /// The Subscriptions with which OLM v0 has installed the same package, as namespace and name.
    pub of_olm_v0: Vec<[String; 2]>,
}

impl ExtensionAnswer {
    /// The first resolution.
    #[must_use]
    pub fn first(&self) -> &Resolution {
        &self.first.resolution
    }

    /// The revision that rolls out. Until it has, OLM v1 resolves nothing: the reconciliations are those after it, if its bundle is
    /// known (operator-controller `internal/operator-controller/controllers/clusterextension_reconcile_steps.go`, `ResolveBundle`).
    #[must_use]
    pub fn roll_out(&self) -> Option<&Revision> {
        self.extension.rolling_out.first()
    }

    /// Why nobody can tell what OLM v1 chooses.
    #[must_use]
    pub fn unknown(&self) -> Option<&ResolveError> {
        self.first().outcome.as_ref().err().filter(|error| error.is_unknown())
    }

    /// Whether OLM v1 keeps the installed bundle, without an error, because there is no catalog that the extension selects.
    #[must_use]
    pub fn falls_back(&self) -> bool {
        self.first.change == ReconciliationEffect::FellBack && self.unknown().is_none()
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
    // What the extension reports itself of a bundle.
    let reported = |extension: &ClusterExtension, bundle: &BundleName| {
        let failure = extension.failure.as_ref().filter(|failure| failure.bundle == *bundle);
        failure.cloned().map(Refusal::Reported)
    };
    let answer = |(given, rejections): (&ClusterExtension, &[Box<str>])| {
        let mut extension = given.clone();
        if let Some(revision) = given.rolling_out.last() {
            extension.installed = revision.bundle.clone().or(extension.installed);
            extension.failure = None;
        }
        let refusals_in = |catalog: &str, bundle: &BundleName| {
            let shown = || refusals(content(catalog)?, &extension, bundle);
            reported(&extension, bundle).into_iter().chain(shown().unwrap_or_default()).collect::<Vec<_>>()
        };
        let refusals = |resolved: &Resolved| refusals_in(resolved.catalog.as_str(), &resolved.bundle);
        let reconciliations = timeline_with_refusals(&extension, std::slice::from_ref(&catalogs), &refusals);
        let most = if rejections.is_empty() { usize::MAX } else { 1 };
        let mut reconciliations = reconciliations.into_iter().take(most);
        let mut first = reconciliations.next()?;
        if let Some(error) = not_known(given, manifests, &catalogs, &first.resolution) {
            first.resolution.outcome = Err(error);
        }
        let refused = first.resolution.candidates.iter().filter_map(|candidate| {
            let Candidate { catalog, bundle, .. } = candidate;
            let refused = refusals_in(catalog.as_str(), bundle);
            (!refused.is_empty()).then(|| ((catalog.clone(), bundle.clone()), refused))
        });
        let refused = refused.collect();
        // While a revision rolls out, no change of the extension has an effect.
        let is_open = given.finalizers.is_none()
            && given.rolling_out.is_empty()
            && !first.resolution.outcome.as_ref().is_err_and(ResolveError::is_unknown);
        let fixes = if is_open { fixes(&extension, &catalogs, &refusals) } else { Vec::new() };
        let (rejections, later) = (rejections.to_vec(), reconciliations.collect());
        let of_olm_v0 = subscriptions_to(manifests, given);
        let unserved = match &first.resolution.outcome {
            Err(ResolveError::NotServed { catalog, .. }) => why_not_served(workbench, catalog),
            _ => None,
        };
        Some(ExtensionAnswer {
            rejections,
            first,
            later,
            fixes,
            refused,
            unserved,
            of_olm_v0,
            extension: given.clone(),
        })
    };
    extensions.into_iter().filter_map(answer).collect()
}

/// Why catalogd does not serve a ClusterCatalog, as far as its status tells.
fn why_not_served(workbench: &Workbench, catalog: &CatalogName) -> Option<ExplainedMessage> {
    let of_catalog = format!("ClusterCatalog {catalog} Progressing=");
    let is_why =
        |one: &ExplainedMessage| one.verdict == Some(source::Verdict::Stuck) && one.about.starts_with(&of_catalog);
    crate::reported(workbench).into_iter().find(is_why)
}

/// Why nobody can tell what OLM v1 chooses for an extension: what is not in the input need not be missing on the cluster.
fn not_known(
    extension: &ClusterExtension,
    manifests: &Manifests,
    catalogs: &[CatalogState<'_>],
    resolution: &Resolution,
) -> Option<ResolveError> {
    if let Some(finalizers) = &extension.finalizers {
        return Some(ResolveError::Terminating { finalizers: finalizers.clone() });
    }
    if let Some(revision) = extension.rolling_out.last().filter(|revision| revision.bundle.is_none()) {
        return Some(ResolveError::RevisionNotKnown { revision: revision.name.clone() });
    }
    let selects = |state: &CatalogState<'_>| extension.selector.matches(state.object) != Ok(false);
    let is_open = !manifests.has_all_cluster_catalogs && !catalogs.iter().any(selects);
    let finds_nothing = matches!(resolution.outcome, Err(ResolveError::NoAnswer(_)));
    (is_open && finds_nothing).then_some(ResolveError::CatalogsNotKnown)
}

/// The Subscriptions with which OLM v0 has installed the package of an extension that has nothing installed.
fn subscriptions_to(manifests: &Manifests, extension: &ClusterExtension) -> Vec<[String; 2]> {
    let all = manifests.cluster.subscriptions.iter().filter(|_| extension.installed.is_none());
    let same = all.filter(|one| one.spec.package == extension.package && one.spec.installed_csv.is_some());
    same.map(|one| [one.namespace.to_string(), one.spec.name.to_string()]).collect()
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
    /// Whether the API server accepts the extension, what rolls out goes on by itself, and there is a bundle that OLM v1 does not
    /// refuse, or the installed one stays as it is.
    #[must_use]
    pub fn succeeds(&self) -> bool {
        let is_resolved = self.first().outcome.is_ok() && self.first.refusals.is_empty();
        let is_stuck = self.roll_out().is_some_and(|revision| revision.progress != RollOut::Continues);
        let is_open = self.roll_out().is_some() && self.unknown().is_some();
        let is_deleted = self.extension.finalizers.is_some();
        self.rejections.is_empty() && !is_stuck && (is_resolved || is_open || is_deleted || self.falls_back())
    }

    /// Whether something is in the way of the extension that is known, also where the catalogs are not.
    #[must_use]
    pub fn fails(&self) -> bool {
        let is_reported = || self.roll_out().is_some() || self.extension.failure.is_some();
        !self.succeeds() && (self.unknown().is_none() || is_reported())
    }

    /// The answer for programs.
    #[must_use]
    pub fn for_programs(&self) -> ResolvedExtension {
        let answer = self;
        let (extension, resolution) = (&answer.extension, answer.first());
        let (refusals, is_unknown) = (&answer.first.refusals, answer.unknown().is_some());
        let resolved = resolution.outcome.as_ref().ok();
        // Without a catalog the extension itself is believed.
        let reported = extension.failure.as_ref().filter(|_| is_unknown && answer.roll_out().is_none());
        let skipped = resolution
            .skipped
            .iter()
            .map(|(catalog, reason)| SkippedCatalog { catalog: catalog.to_string(), because: reason.to_string() });
        ResolvedExtension {
            extension: extension.name.to_string(),
            rejected: answer.rejections.iter().map(ToString::to_string).collect(),
            bundle: reported.map(|failure| failure.bundle.to_string()).or(resolved.map(|one| one.bundle.to_string())),
            version: resolved.map(|one| one.version.to_string()),
            release: resolved.and_then(|one| Some(one.release.as_ref()?.to_string())),
            catalog: resolved.map(|one| one.catalog.to_string()),
            image: resolved.and_then(|one| Some(one.image.as_ref()?.to_string())),
            rolls_out: answer.roll_out().map(|revision| RollsOut {
                revision: revision.name.to_string(),
                bundle: revision.bundle.as_ref().map(|bundle| bundle.name.to_string()),
                stuck: revision.progress != RollOut::Continues,
                unavailable: revision.failed_probes.iter().map(probe).collect(),
            }),
            error: (resolution.outcome.as_ref().err().filter(|_| !is_unknown && !answer.falls_back()))
                .map(ToString::to_string),
            unknown: answer.unknown().map(ToString::to_string),
            refusals: (reported.map(|failure| failure.text.to_string()).into_iter())
                .chain(refusals.iter().map(ToString::to_string))
                .collect(),
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
        if let Err(error @ ResolveError::Terminating { finalizers }) = &resolution.outcome {
            let item = Item::new(Grade::Notice, "", error.to_string());
            let waits = source::joined(finalizers.iter().map(|one| format!("`{one}`")), 8, "and");
            let first = "if it stays for minutes, look at the log of operator-controller, which has to remove these finalizers; a newer \
                         release may know more of them. Removing them by hand leaves behind what they are for";
            let notes = [("waits for", format!("its finalizers: {waits}")), ("first", first.to_owned())];
            let notes = notes.into_iter().filter(|_| !finalizers.is_empty());
            blocks.push(Block::Item(notes.fold(item, |item, (label, text)| item.with(Note::of(label, text)))));
            return blocks;
        }
        if let Some(revision) = self.roll_out() {
            blocks.push(Block::Item(self.with_olm_v0(self.rolls_out(revision))));
            return blocks;
        }
        let item = match &resolution.outcome {
            Ok(resolved) => {
                let sentence = next_bundle(extension, resolved, refusals.is_empty());
                let is_reported = refusals.iter().any(|one| matches!(one, Refusal::Reported(_)));
                let own = self.reports().filter(|own| is_reported && own.grade != Grade::Notice);
                let is_told = own.is_some();
                let refused = refusals.iter().filter(|one| !is_told || !matches!(one, Refusal::Reported(_)));
                let refused = refused.map(|one| format!("but {}", refuses(one)));
                match own {
                    // The same as without a catalog.
                    Some(own) => with_notes(own, std::iter::once(format!("it {sentence}")).chain(refused)),
                    None if refusals.is_empty() => Item::new(Grade::Difference(Level::Good), "", sentence),
                    None => with_notes(failure(sentence), refused),
                }
            }
            Err(error) if error.is_unknown() => self.not_known(error),
            Err(_) if self.falls_back() => {
                let sentence = "the cluster has no ClusterCatalog that it selects, so OLM v1 keeps what is installed and reports no \
                                error; it updates again once there is one";
                let stays = extension.installed.iter().map(|installed| format!("stays at `{}`: ", installed.name));
                Item::new(Grade::Difference(Level::Good), "", stays.collect::<String>() + sentence)
            }
            Err(error) => {
                let stays = extension.installed.iter().map(|installed| format!("`{}` stays installed", installed.name));
                let item = with_notes(failure(error.to_string()), stays);
                let why = self.unserved.iter().map(|why| Note::of("why", why.meaning.clone()));
                let first = self.unserved.iter().filter_map(|why| Some(Note::of("first", why.first.clone()?)));
                first.chain(why).fold(item, Item::with)
            }
        };
        let item = self.fixes.iter().fold(item, |item, fix| item.with(self.fix(fix)));
        blocks.push(Block::Item(self.with_olm_v0(item)));
        blocks.extend(resolution.outcome.iter().flat_map(|resolved| deprecations(extension, resolved)));
        blocks.extend(
            skipped_sentences(&resolution.skipped).into_iter().map(|text| Block::line(format!("note: {text}"))),
        );
        blocks.extend(not_taken(&resolution.candidates));
        blocks
    }
}

impl ExtensionAnswer {
    /// That a revision rolls out, what is in its way, and what follows.
    fn rolls_out(&self, revision: &Revision) -> Item {
        let grade = match revision.progress {
            RollOut::Continues => Grade::Notice,
            RollOut::Overdue | RollOut::Fails(_) => Grade::Finding(Severity::Error),
        };
        let mut item = Item::new(grade, "", self.roll_out_sentence(revision));
        if let RollOut::Fails(text) = &revision.progress {
            item = item.with(Note::of("", format!("it reports: {text}")));
        }
        item = with_notes(item, revision.failed_probes.iter().map(probe));
        if revision.progress == RollOut::Overdue {
            let first = match revision.failed_probes.first() {
                Some(FailedProbe { kind, namespace, name, .. }) => {
                    format!("repair {kind} `{name}` in `{namespace}`: its events, logs and image tell what it lacks")
                }
                None => "look at the Deployments and pods of the revision: at their events, logs and images".to_owned(),
            };
            item = item.with(Note::of("first", first));
        }
        item.with(Note::of("then", self.after_roll_out(revision)))
    }

    /// What rolls out, and that nothing else is considered.
    #[must_use]
    pub fn roll_out_sentence(&self, revision: &Revision) -> String {
        let of = revision.bundle.as_ref().map(|bundle| format!(" (`{}`)", bundle.name)).unwrap_or_default();
        let does = match revision.progress {
            RollOut::Continues => "rolls out",
            RollOut::Overdue => "has not rolled out in time",
            RollOut::Fails(_) => "does not roll out",
        };
        format!(
            "revision `{}`{of} {does}; until it has, OLM v1 considers nothing else, neither a new version in the catalogs nor a change \
             of `spec`",
            revision.name
        )
    }

    fn after_roll_out(&self, revision: &Revision) -> String {
        let from = self.extension.rolling_out.last().and_then(|last| last.bundle.clone());
        let then = ClusterExtension { installed: from, ..self.extension.clone() };
        match &self.first().outcome {
            Ok(resolved) => {
                let sentence = next_bundle(&then, resolved, self.first.refusals.is_empty());
                let refused = self.first.refusals.first().map(|one| format!(", but {}", refuses(one)));
                format!("once `{}` has rolled out, it {sentence}{}", revision.name, refused.unwrap_or_default())
            }
            Err(error) if error.is_unknown() => format!("what follows cannot be known: {error}"),
            Err(error) => format!("once `{}` has rolled out, the resolution fails: {error}", revision.name),
        }
    }

    /// What cannot be known, with what the extension reports itself.
    fn not_known(&self, error: &ResolveError) -> Item {
        let ClusterExtension { conditions, installed, .. } = &self.extension;
        let add = match error {
            ResolveError::CatalogsNotKnown => {
                "; `kubectl get clustercatalogs -o yaml` prints the ClusterCatalogs, `--catalog NAME=PATH` gives what one serves"
            }
            _ => "",
        };
        let add = Note::of("why", format!("{error}{add}"));
        let installed = installed.iter().map(|installed| format!("`{}` is installed", installed.name));
        // Without a catalog the extension itself is believed.
        if let Some(item) = self.reports() {
            return item.with(add);
        }
        let own = conditions.iter().filter(|one| matches!(&*one.kind, "Progressing" | "Deprecated"));
        let own = own.map(|ReportedCondition { kind, status, reason, message }| {
            format!("it reports {kind}={status}/{reason}: {}", source::one_line(message))
        });
        let item = Item::new(Grade::Notice, "", "what it gets next cannot be known".to_owned());
        with_notes(item, installed.chain(own)).with(add)
    }

    /// What the extension reports itself, if that is stuck or passes.
    fn reports(&self) -> Option<Item> {
        let ClusterExtension { conditions, installed, failure, namespace, .. } = &self.extension;
        let texts = ["Progressing", "Installed"]
            .into_iter()
            .filter_map(|kind| conditions.iter().find(|one| *one.kind == *kind));
        let mut known = texts.filter_map(|one| explained("", &one.message));
        let known =
            known.find(|known| matches!(known.verdict, Some(source::Verdict::Stuck | source::Verdict::Passes)))?;
        let is_stuck = known.verdict == Some(source::Verdict::Stuck);
        let grade = if is_stuck { Grade::Finding(Severity::Error) } else { Grade::Notice };
        let installed = installed.iter().map(|installed| format!("`{}` is installed", installed.name));
        let item = with_notes(Item::new(grade, "", known.meaning), installed);
        let account = || account(failure.as_ref()?, namespace);
        let first = known.first.map(|first| Note::of("first", first)).or_else(account);
        // Where OLM v0 has the operator, that decides.
        let first = first.filter(|_| !self.is_kept_by_olm_v0());
        Some(first.into_iter().chain(known.never.map(|never| Note::of("", never))).fold(item, Item::with))
    }

    /// Whether OLM v0 has the same operator, and what the extension reports is not about its own bundle.
    fn is_kept_by_olm_v0(&self) -> bool {
        let is_own = self.extension.failure.as_ref().is_some_and(|failure| failure.is_about_bundle);
        !self.of_olm_v0.is_empty() && !is_own
    }

    /// Adds that OLM v0 has the same operator, whose objects have only one owner, and what helps.
    fn with_olm_v0(&self, mut item: Item) -> Item {
        let Some([namespace, name]) = self.of_olm_v0.first() else { return item };
        let ClusterExtension { name: own, package, failure, .. } = &self.extension;
        let has = format!("OLM v0 has installed package `{package}` with Subscription `{name}` in `{namespace}`");
        let owner = "each object has one owner, and OLM v1 does not take over those of OLM v0";
        item = item.with(Note::of("", format!("{has}; {owner}")));
        if !self.is_kept_by_olm_v0() {
            return item;
        }
        if item.grade == Grade::Difference(Level::Good) {
            item.grade = Grade::Finding(Severity::Warning);
        }
        let no_version = if failure.is_some() { "; no other version helps" } else { "" };
        let help = format!(
            "delete ClusterExtension `{own}`, or move the Subscription to OLM v1, for which `opscope migrate` prints the \
             objects{no_version}"
        );
        item.with(Note::of("first", help))
    }
}

/// What to do where the ServiceAccount of an extension is in the way.
fn account(failure: &ReportedFailure, namespace: &str) -> Option<Note> {
    let account = failure.account.as_ref()?;
    let text =
        format!("ServiceAccount `{account}` in `{namespace}` has to exist, and to have the rights that the text names");
    Some(Note::of("first", text))
}

/// An object whose probe fails.
fn probe(FailedProbe { kind, namespace, name, found }: &FailedProbe) -> String {
    let place = if namespace.is_empty() { String::new() } else { format!(" in `{namespace}`") };
    format!("{kind} `{name}`{place} is not as the revision needs it: {found}")
}

impl ExtensionAnswer {
    /// A change with what OLM v1 does after it.
    #[must_use]
    pub fn fix_text(&self, fix: &Fix) -> String {
        format!("{}: {}", fix.change, self.fix_end(fix))
    }

    /// What OLM v1 does after a change, as a clause.
    #[must_use]
    pub fn fix_end(&self, fix: &Fix) -> String {
        let bundle = &fix.resolved.bundle;
        let end = match (&fix.refused, &self.extension.installed) {
            (Some((last, refusal)), _) if last == bundle => {
                return format!("then it chooses `{bundle}`, but {}", refuses(refusal));
            }
            (Some((last, refusal)), _) => format!(", and after it chooses `{last}`, but {}", refuses(refusal)),
            (None, _) => String::new(),
        };
        match &self.extension.installed {
            None => format!("then it installs `{bundle}`{end}"),
            Some(installed) if installed.name == *bundle => format!("then it stays at `{bundle}`{end}"),
            Some(_) => format!("then it goes to `{bundle}`{end}"),
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
        let title = match self.roll_out() {
            Some(revision) => format!("Why (not) {} once {} has rolled out?", first.bundle, revision.name),
            None => format!("Why (not) {}?", first.bundle),
        };
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
        Refusal::Reported(failure) => format!("the extension itself reports: {}", failure.text),
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
