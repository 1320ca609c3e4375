//! What the official tool `migrate-catalogs-v0-to-v1` makes of CatalogSources (library-olm
//! `migration/pkg/catalogmigration/catalogmigration.go`).

use extension::{CatalogName, ClusterCatalog};
use go_semver::blang::Quoted;
use resolver::CatalogKey;
use simulate::{CatalogSource, Cluster};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// The annotation of a ClusterCatalog with `<namespace>/<name>` of the CatalogSource that it was first made of, or adopted for.
pub const MIGRATED_FROM: &str = "olm.operatorframework.io/migrated-from-catalogsource";

/// The interval that OLM v0 takes for one that it cannot read (operator-framework/api `DefaultRegistryPollDuration`).
const DEFAULT_POLL_MINUTES: i64 = 15;
const NANOS_PER_MINUTE: i64 = 60_000_000_000;

/// The flags of the tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CatalogOptions {
    /// `--dry-run`: it changes nothing, and does not remember what it would create, so that each CatalogSource of a shared name
    /// has a result of its own.
    pub is_dry_run: bool,
    /// `--delete-catalogsource`: it deletes each CatalogSource that no Subscription names and that has a ClusterCatalog.
    pub deletes_sources: bool,
    /// `--acknowledge-priority-overflow`: a priority outside of the range of a ClusterCatalog becomes the nearest one in it.
    pub caps_priority: bool,
}

/// What the tool makes of a CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogMigration {
    /// The CatalogSource.
    pub source: CatalogKey,
    /// The result.
    pub outcome: CatalogOutcome,
    /// What of the CatalogSource a ClusterCatalog does not have, in the words of the tool.
    pub notes: Vec<Box<str>>,
    /// Whether `--delete-catalogsource` deletes the CatalogSource; absent if the tool does not get there.
    pub is_deleted: Option<bool>,
}

/// The result for a CatalogSource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogOutcome {
    /// A ClusterCatalog is created. The tool then waits up to 10 minutes until it serves, which only the cluster shows; it is
    /// taken to serve.
    Created(Arc<NewClusterCatalog>),
    /// A ClusterCatalog with the same image is adopted: one of the cluster, or one that was created for another CatalogSource.
    Adopted {
        catalog: CatalogName,
        /// Whether it gets the annotation [`MIGRATED_FROM`], because it has none.
        adds_annotation: bool,
    },
    /// An earlier CatalogSource of the same image has the ClusterCatalog of this name.
    Consolidated(CatalogName),
    /// The tool skips the CatalogSource.
    Skipped(CatalogSkip),
    /// A ClusterCatalog of the name has another image. Nothing changes.
    Failed(CatalogCollision),
    /// The manifests do not show it.
    NotKnown(CatalogGap),
}

/// A ClusterCatalog that the tool creates, with `availabilityMode: Available`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClusterCatalog {
    /// Its name: that of the CatalogSource, with the namespace behind it if CatalogSources of this name differ in their images.
    pub name: CatalogName,
    /// The value of its annotation [`MIGRATED_FROM`].
    pub migrated_from: Box<str>,
    /// `spec.source.image.ref`
    pub image: Box<str>,
    /// `spec.source.image.pollIntervalMinutes`
    pub poll_minutes: Option<i64>,
    /// `spec.priority`
    pub priority: i32,
}

/// Why the tool skips a CatalogSource. The `Display` form is its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogSkip {
    /// Its `sourceType` is another one than `grpc`.
    SourceType(Box<str>),
    NoImage,
    /// `spec.priority` is outside of the range of a ClusterCatalog.
    Priority {
        priority: i64,
        /// What it becomes with `--acknowledge-priority-overflow`.
        capped: i32,
    },
}

/// The name of a ClusterCatalog that has another image than the CatalogSource. The `Display` form is the text of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogCollision {
    /// The name of the ClusterCatalog.
    pub catalog: CatalogName,
    /// Its image.
    pub existing: Box<str>,
    pub image: Box<str>,
    /// Whether an earlier CatalogSource already got the ClusterCatalog.
    pub is_selected: bool,
}

/// What the manifests do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CatalogGap {
    /// The `sourceType` and the image of the CatalogSource.
    Source,
    /// The image of the ClusterCatalog of this name.
    CatalogImage(CatalogName),
}

impl CatalogOutcome {
    /// The ClusterCatalog that has the content of the CatalogSource afterwards.
    #[must_use]
    pub fn catalog(&self) -> Option<&CatalogName> {
        match self {
            Self::Created(new) => Some(&new.name),
            Self::Adopted { catalog, .. } | Self::Consolidated(catalog) => Some(catalog),
            Self::Skipped(_) | Self::Failed(_) | Self::NotKnown(_) => None,
        }
    }
}

impl CatalogOutcome {
    /// The reason that a dry run gives.
    #[must_use]
    pub fn dry_run_text(&self) -> String {
        match self {
            Self::Created(new) => format!("would create ClusterCatalog {} from image {}", new.name, new.image),
            Self::Adopted { catalog, .. } => format!("would adopt existing ClusterCatalog {catalog}"),
            other => other.to_string(),
        }
    }
}

/// The reason in the words of the tool; of an outcome that is not known the reason in our words.
impl fmt::Display for CatalogOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created(new) => write!(f, "created from image {}", new.image),
            Self::Adopted { .. } => f.write_str("existing ClusterCatalog with matching image adopted"),
            Self::Consolidated(catalog) => write!(f, "consolidated into shared ClusterCatalog {catalog}"),
            Self::Skipped(skip) => skip.fmt(f),
            Self::Failed(collision) => collision.fmt(f),
            Self::NotKnown(CatalogGap::Source) => {
                f.write_str("the manifests do not show the image of the CatalogSource")
            }
            Self::NotKnown(CatalogGap::CatalogImage(catalog)) => {
                write!(f, "the manifests do not show the image of ClusterCatalog `{catalog}`")
            }
        }
    }
}

impl fmt::Display for CatalogSkip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceType(kind) if matches!(&**kind, "configmap" | "internal") => {
                write!(f, "{kind}-type CatalogSource has no OLMv1 equivalent")
            }
            Self::SourceType(kind) => write!(f, "unsupported sourceType {}", Quoted(kind)),
            Self::NoImage => f.write_str("grpc address-only CatalogSource (no spec.image) has no OLMv1 equivalent"),
            Self::Priority { priority, .. } => write!(
                f,
                "spec.priority {priority} is out of int32 range; pass --acknowledge-priority-overflow to cap and proceed"
            ),
        }
    }
}

impl fmt::Display for CatalogCollision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { catalog, existing, image, is_selected } = self;
        let verb = if *is_selected { "selected" } else { "exists" };
        let (existing, image) = (Quoted(existing), Quoted(image));
        write!(
            f,
            "ClusterCatalog {catalog} already {verb} with image {existing}, which does not match CatalogSource image {image}"
        )
    }
}

/// What the tool makes of the CatalogSources of all namespaces, with the ClusterCatalogs of the cluster: first those that it
/// refuses, then those with an image, last those of which no image is known; each by namespace and name.
#[must_use]
pub fn catalog_migrations(
    cluster: &Cluster,
    existing: &[ClusterCatalog],
    options: CatalogOptions,
) -> Vec<CatalogMigration> {
    let mut sources: Vec<&CatalogSource> = cluster.catalog_sources.iter().collect();
    sources.sort_by_key(|source| (&source.key.namespace, &source.key.name));
    let names = Names::of(&sources);
    let subscribed = cluster.subscriptions.iter().filter_map(|row| row.spec.catalog.as_ref()).collect();
    let catalogs: BTreeMap<CatalogName, Known<'_>> = existing.iter().map(known).collect();
    let mut first = BTreeMap::new();
    for (name, image) in catalogs.iter().filter_map(|(name, known)| Some((name, known.image?))) {
        first.entry(image).or_insert_with(|| name.clone());
    }
    let mut run = Run { options, subscribed, names, catalogs, first, selected: BTreeMap::new() };
    let (mut refused, mut converted, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        let without =
            |outcome| CatalogMigration { source: source.key.clone(), outcome, notes: Vec::new(), is_deleted: None };
        match (source.source_type.as_deref(), &source.image) {
            (None, _) => unknown.push(without(CatalogOutcome::NotKnown(CatalogGap::Source))),
            (Some("grpc"), Some(image)) => converted.push(run.convert(source, image)),
            (Some("grpc"), None) => refused.push(without(CatalogOutcome::Skipped(CatalogSkip::NoImage))),
            (Some(kind), _) => {
                refused.push(without(CatalogOutcome::Skipped(CatalogSkip::SourceType(kind.into()))));
            }
        }
    }
    refused.into_iter().chain(converted).chain(unknown).collect()
}

/// The names of CatalogSources that have different images in different namespaces.
struct Names<'c>(BTreeSet<&'c str>);

impl<'c> Names<'c> {
    fn of(sources: &[&'c CatalogSource]) -> Self {
        let mut images: BTreeMap<&str, &str> = BTreeMap::new();
        let mut differing = BTreeSet::new();
        for source in sources.iter().filter(|source| source.source_type.as_deref() == Some("grpc")) {
            let Some(image) = &source.image else { continue };
            if **images.entry(&source.key.name).or_insert(image) != **image {
                differing.insert(&*source.key.name);
            }
        }
        Self(differing)
    }

    fn name(&self, key: &CatalogKey) -> CatalogName {
        if self.0.contains(&*key.name) {
            format!("{}-{}", key.name, key.namespace).as_str().into()
        } else {
            (*key.name).into()
        }
    }
}

/// A ClusterCatalog of the cluster, or one that the tool has created.
struct Known<'c> {
    image: Option<&'c str>,
    is_annotated: bool,
}

fn known(catalog: &ClusterCatalog) -> (CatalogName, Known<'_>) {
    let is_annotated = catalog.annotations.contains_key(MIGRATED_FROM);
    (catalog.name.clone(), Known { image: catalog.image.as_deref(), is_annotated })
}

/// The state of a run of the tool.
struct Run<'c> {
    options: CatalogOptions,
    /// The CatalogSources that Subscriptions name.
    subscribed: BTreeSet<&'c CatalogKey>,
    names: Names<'c>,
    catalogs: BTreeMap<CatalogName, Known<'c>>,
    /// The first ClusterCatalog with each image, by name.
    first: BTreeMap<&'c str, CatalogName>,
    /// The ClusterCatalogs that CatalogSources got in this run, with their images.
    selected: BTreeMap<CatalogName, &'c str>,
}

impl<'c> Run<'c> {
    /// Converts a CatalogSource with an image.
    fn convert(&mut self, source: &'c CatalogSource, image: &'c str) -> CatalogMigration {
        let key = &source.key;
        let outcome = match priority(source.priority) {
            Ok(priority) => self.outcome(source, image, priority),
            Err((_, capped)) if self.options.caps_priority => self.outcome(source, image, capped),
            Err((priority, capped)) => CatalogOutcome::Skipped(CatalogSkip::Priority { priority, capped }),
        };
        let notes = match outcome {
            CatalogOutcome::Skipped(_) => Vec::new(),
            _ => notes(source),
        };
        let is_deleted = outcome.catalog().map(|_| !self.subscribed.contains(key));
        CatalogMigration { source: key.clone(), outcome, notes, is_deleted }
    }

    fn outcome(&mut self, source: &'c CatalogSource, image: &'c str, priority: i32) -> CatalogOutcome {
        let name = self.names.name(&source.key);
        let collision = |existing: &str, is_selected| {
            let (existing, image) = (existing.into(), image.into());
            CatalogOutcome::Failed(CatalogCollision { catalog: name.clone(), existing, image, is_selected })
        };
        match self.selected.get(&name) {
            Some(selected) if *selected == image => return CatalogOutcome::Consolidated(name),
            Some(selected) => return collision(selected, true),
            None => {}
        }
        let target = self.catalogs.get(&name).map(|target| target.image);
        if target == Some(None) {
            return CatalogOutcome::NotKnown(CatalogGap::CatalogImage(name));
        }
        let adopted = if target == Some(Some(image)) { Some(name.clone()) } else { self.first.get(image).cloned() };
        if let Some(catalog) = adopted {
            let adds_annotation = self.catalogs.get(&catalog).is_some_and(|known| !known.is_annotated);
            if !self.options.is_dry_run {
                self.catalogs.entry(catalog.clone()).and_modify(|known| known.is_annotated = true);
                self.selected.insert(catalog.clone(), image);
            }
            return CatalogOutcome::Adopted { catalog, adds_annotation };
        }
        if let Some(existing) = target.flatten() {
            return collision(existing, false);
        }
        if !self.options.is_dry_run {
            self.selected.insert(name.clone(), image);
            self.first.insert(image, name.clone());
            self.catalogs.insert(name.clone(), Known { image: Some(image), is_annotated: true });
        }
        CatalogOutcome::Created(Arc::new(NewClusterCatalog {
            name,
            migrated_from: format!("{}/{}", source.key.namespace, source.key.name).into(),
            image: image.into(),
            poll_minutes: poll_minutes(source, image),
            priority,
        }))
    }
}

/// The priority of a ClusterCatalog; if it is outside of its range, also the nearest one in it.
fn priority(priority: i64) -> Result<i32, (i64, i32)> {
    i32::try_from(priority).map_err(|_| (priority, if priority < 0 { i32::MIN } else { i32::MAX }))
}

/// What a ClusterCatalog does not have.
fn notes(source: &CatalogSource) -> Vec<Box<str>> {
    let secrets = (source.secrets > 0).then(|| {
        let secrets = source.secrets;
        format!("spec.secrets ({secrets} secret(s)) has no OLMv1 equivalent; OLMv1 uses the cluster global pull secret")
    });
    let pod = source.has_pod_config.then(|| {
        "spec.grpcPodConfig has no OLMv1 equivalent; catalogd manages the serving pod configuration".to_owned()
    });
    secrets.into_iter().chain(pod).map(Into::into).collect()
}

/// The interval in whole minutes, at least 1. An image with a digest is not polled, and neither is one with the interval 0.
fn poll_minutes(source: &CatalogSource, image: &str) -> Option<i64> {
    let interval = source.poll_interval.as_deref().filter(|_| !image.contains("@sha256:"))?;
    match cel::parse_duration(interval) {
        Some(0) => None,
        Some(nanos) => Some((nanos / NANOS_PER_MINUTE).max(1)),
        // OLM's API reads an interval that is no duration, or none, as this one.
        None => Some(DEFAULT_POLL_MINUTES),
    }
}
