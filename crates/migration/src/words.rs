//! The words of migrations. Names and OLM's own texts are in backticks.

use crate::cluster_catalog::CatalogOrigin;
use crate::crds::{BundleReadiness, CrdCheck};
use crate::obstacle::{MigrationObstacle, check_of_refusal};
use crate::plan::{ChannelChoice, Migration, NextV0, NextV1, PackageShare, VersionChoice};
use catalog::BundleName;
use cluster::TargetNamespaces;
use crd_upgrade::UpgradeOutcome;
use extension::{ReadinessVerdict, ResolveError};
use source::first_and_more;
use std::sync::Arc;
use views::{MigrationNote, MigrationNoteKind, MigrationVerdict};

/// The number of Subscriptions with the same package that a note names.
const NAMED: usize = 5;

/// The verdict in a few words.
pub(crate) fn summary(migration: &Migration) -> String {
    if let Some(PackageShare::Ends { of, extension, .. }) = &migration.share {
        let made =
            of.as_ref().map(|(namespace, name)| format!(", which is made of Subscription `{name}` in `{namespace}`,"));
        let made = made.unwrap_or_else(|| " of the cluster".to_owned());
        return format!("ends: OLM v1 installs a package once, and ClusterExtension `{extension}`{made} has it");
    }
    if migration.obstacles.iter().any(MigrationObstacle::is_rejection) {
        return "is refused, because the API server rejects the ClusterExtension".to_owned();
    }
    let (next, bundle) = match &migration.v1_adopted {
        NextV1::Installs(bundle) => ("installs", bundle),
        NextV1::Moves(bundle) => ("moves first to", bundle),
        NextV1::Stays(bundle) => ("stays at", bundle),
        NextV1::Fails(ResolveError::Dependency { bundle, .. }) => {
            return format!("is refused, because `{bundle}` has a dependency");
        }
        NextV1::Fails(_) => return "fails, because OLM v1 finds no bundle".to_owned(),
        NextV1::Unknown => return format!("cannot be known, because {}", no_catalog(migration)),
        NextV1::UnknownVersion(bundle) => return format!("cannot be known, because {}", no_version(bundle)),
    };
    match migration.verdict {
        MigrationVerdict::Refused => {
            let why = refused(migration).map(|why| format!(": {why}")).unwrap_or_default();
            format!("is refused, because OLM v1 does not install `{bundle}`{why}")
        }
        MigrationVerdict::CannotBeKnown => {
            format!("{next} `{bundle}`, if OLM v1 accepts it: the catalog does not show its ClusterServiceVersion")
        }
        MigrationVerdict::Moves | MigrationVerdict::Stays | MigrationVerdict::Ends | MigrationVerdict::Fails => {
            format!("{next} `{bundle}`")
        }
    }
}

/// What OLM v0 does next.
pub(crate) fn v0(migration: &Migration) -> String {
    let when = if migration.version == VersionChoice::Any { "" } else { " once somebody approves it" };
    let requires = if migration.v0_is_open { ", if all that it requires is there" } else { "" };
    match &migration.v0 {
        NextV0::Installs(bundle) => format!("OLM v0 installs `{bundle}`{when}{requires}"),
        NextV0::Updates(bundle) => format!("OLM v0 updates it to `{bundle}`{when}{requires}"),
        NextV0::Stays => "OLM v0 does not update it".to_owned(),
        NextV0::NoPackage => "OLM v0 finds no such package in the catalog".to_owned(),
        NextV0::NoChannel => "OLM v0 finds no such channel in the catalog".to_owned(),
        NextV0::BrokenChannel(error) => format!("OLM v0 cannot order the channel: `{error}`"),
        NextV0::Fails(error) => format!("OLM v0 resolves nothing in the namespace: `{error}`"),
        NextV0::Unknown => format!("what OLM v0 does is not known, because {}", no_catalog(migration)),
    }
}

/// What OLM v1 does next.
pub(crate) fn v1(migration: &Migration) -> String {
    if let Some(PackageShare::Ends { extension, bundle, .. }) = &migration.share {
        return match bundle {
            Some(bundle) => format!("OLM v1 runs `{bundle}` for all, with ClusterExtension `{extension}`"),
            None => format!("what OLM v1 runs for all with ClusterExtension `{extension}` is not known"),
        };
    }
    match &migration.v1_adopted {
        NextV1::Installs(bundle) | NextV1::Moves(bundle) | NextV1::Stays(bundle)
            if migration.verdict == MigrationVerdict::Refused =>
        {
            format!("OLM v1 chooses `{bundle}`, and refuses to install it")
        }
        NextV1::Installs(bundle) => format!("OLM v1 installs `{bundle}`"),
        NextV1::Moves(bundle) => format!("OLM v1 updates it to `{bundle}`"),
        NextV1::Stays(bundle) => format!("OLM v1 keeps it at `{bundle}`"),
        NextV1::Fails(error) => format!("OLM v1 fails: `{error}`"),
        NextV1::Unknown => format!("what OLM v1 does is not known, because {}", no_catalog(migration)),
        NextV1::UnknownVersion(bundle) => format!("what OLM v1 does is not known, because {}", no_version(bundle)),
    }
}

/// The first reason why OLM v1 refuses what it chooses.
fn refused(migration: &Migration) -> Option<String> {
    let mut of_bundle = migration.chosen.iter().flat_map(|chosen| &chosen.readiness.refusals);
    let of_crd = || migration.crds.as_ref()?.refused().map(|(name, finding)| format!("`{name}`: `{finding}`")).next();
    of_bundle.next().map(|refusal| format!("`{refusal}`")).or_else(of_crd)
}

/// Why the version of the installed bundle is not known.
fn no_version(bundle: &BundleName) -> String {
    format!("neither the manifests nor the catalog have `{bundle}`, which is installed")
}

/// Why nothing is known of the catalog.
fn no_catalog(migration: &Migration) -> String {
    match &migration.source {
        Some(key) => format!("no catalog is loaded for CatalogSource `{}` in `{}`", key.name, key.namespace),
        None => "the Subscription names no catalog".to_owned(),
    }
}

/// All notes, the worst first.
pub(crate) fn notes(migration: &Migration) -> Vec<MigrationNote> {
    let mut notes: Vec<MigrationNote> = shared(migration).into_iter().collect();
    if migration.verdict == MigrationVerdict::Ends {
        return notes;
    }
    notes.extend(migration.chosen.iter().flat_map(|bundle| chosen(migration, bundle)));
    if let Some(crds) = &migration.crds {
        notes.extend(crd_notes(migration, crds));
    }
    let others = migration.obstacles.iter().filter(|one| !matches!(one, MigrationObstacle::SharedPackage(_)));
    notes.extend(others.map(obstacle));
    notes.extend(current(migration));
    notes.extend(further(migration));
    notes.extend(catalog_note(migration));
    notes.extend(channel(&migration.channel));
    notes.extend(version(&migration.version));
    notes.extend(new_extension(migration));
    // The sort is stable.
    notes.sort_by_key(|note| note.kind);
    notes
}

/// What has to go besides, where several Subscriptions have the package.
pub(crate) fn shared(migration: &Migration) -> Option<MigrationNote> {
    let text = match migration.share.as_ref()? {
        PackageShare::Stands { others } => {
            let what = if others.len() == 1 { "has to go with its" } else { "have to go with their" };
            let many = if others.len() == 1 { "" } else { "s" };
            let names = others.iter().map(|(namespace, name)| format!("`{name}` in `{namespace}`"));
            format!(
                "OLM v1 installs a package once, at one version: the ClusterExtension also stands for Subscription{many} {}, which \
                 {what} ClusterServiceVersion{many}",
                first_and_more(names, NAMED)
            )
        }
        PackageShare::Ends { of, .. } => {
            let when = if of.is_some() { " when the ClusterExtension takes over" } else { "" };
            format!("delete the Subscription and its ClusterServiceVersion{when}; custom resources stay")
        }
    };
    Some(note(MigrationNoteKind::Obstacle, text))
}

fn note(kind: MigrationNoteKind, text: String) -> MigrationNote {
    MigrationNote { kind, text }
}

/// A text with the check of the migration tool that fails for it.
fn with_check(text: String, check: Option<&str>) -> String {
    match check {
        Some(check) => format!("{text} (check {check} of the migration tool)"),
        None => text,
    }
}

/// The bundle that OLM v1 applies.
fn chosen(migration: &Migration, chosen: &BundleReadiness) -> Vec<MigrationNote> {
    let BundleReadiness { bundle, readiness, .. } = chosen;
    // The tool looks at what is installed.
    let is_installed = migration.installed.as_ref().is_some_and(|installed| installed.name == *bundle);
    let refusals = readiness.refusals.iter().map(|refusal| {
        let outlook = refusal.outlook().map(|outlook| format!(" ({outlook})")).unwrap_or_default();
        let text = format!("OLM v1 refuses `{bundle}`: `{refusal}`{outlook}");
        note(MigrationNoteKind::Refusal, with_check(text, is_installed.then(|| check_of_refusal(refusal)).flatten()))
    });
    let needs = readiness.needs.iter().map(|one| note(MigrationNoteKind::Obstacle, format!("`{bundle}` needs {one}")));
    let unknown = readiness
        .unknown
        .iter()
        .map(|one| note(MigrationNoteKind::Unknown, format!("the catalog does not show {one} of `{bundle}`")));
    refusals.chain(needs).chain(unknown).collect()
}

fn crd_notes(migration: &Migration, crds: &CrdCheck) -> Vec<MigrationNote> {
    let mut notes: Vec<MigrationNote> = Vec::new();
    for (name, finding) in crds.refused() {
        let text = format!("OLM v1 refuses to upgrade CustomResourceDefinition `{name}`: `{finding}`");
        notes.push(note(MigrationNoteKind::Refusal, text));
    }
    for crd in &crds.upgrades {
        let UpgradeOutcome::Compared(compared) = &crd.outcome else { continue };
        for finding in &compared.v1_by_chance {
            let name = &crd.name;
            let text = format!("in some runs OLM v1 refuses to upgrade CustomResourceDefinition `{name}`: `{finding}`");
            notes.push(note(MigrationNoteKind::Obstacle, text));
        }
    }
    if crds.has_unknown() {
        let new = migration.v1_adopted.bundle().map(BundleName::as_str).unwrap_or_default();
        let text = format!(
            "whether OLM v1 upgrades the CustomResourceDefinitions to those of `{new}` is not known: the catalog does not have all of their manifests"
        );
        notes.push(note(MigrationNoteKind::Unknown, text));
    }
    notes
}

fn obstacle(obstacle: &MigrationObstacle) -> MigrationNote {
    let kind = match obstacle {
        _ if obstacle.is_rejection() => MigrationNoteKind::Refusal,
        _ => MigrationNoteKind::Obstacle,
    };
    let text = match obstacle {
        MigrationObstacle::PackageName(package) => {
            format!("the API server rejects `packageName: {package}`, which is no DNS subdomain")
        }
        MigrationObstacle::ChannelName(channel) => {
            format!("the API server rejects `channels: [{channel}]`, which is no DNS subdomain")
        }
        MigrationObstacle::Version(version) => {
            format!("approval is Manual, and the API server rejects `version: {version}`")
        }
        MigrationObstacle::LongName => {
            "the name is longer than 61 characters, so the API server rejects a label of the revisions that OLM v1 makes".to_owned()
        }
        MigrationObstacle::NotInstalled { csv, phase, reason } => {
            let reason = if reason.is_empty() { String::new() } else { format!(" (`{reason}`)") };
            format!("ClusterServiceVersion `{csv}` is `{phase}`{reason}, so OLM v0 has not installed it completely")
        }
        MigrationObstacle::TargetNamespaces { group, targets } => {
            let watched = match targets {
                TargetNamespaces::All => "all namespaces".to_owned(),
                TargetNamespaces::Named(names) => {
                    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                    format!("the {} {}", if names.len() == 1 { "namespace" } else { "namespaces" }, names.join(", "))
                }
                TargetNamespaces::Labelled => "the namespaces with some labels".to_owned(),
            };
            format!(
                "OperatorGroup `{group}` lets the operator watch {watched} only; OLM v1 installs it for all namespaces, and it then sees all"
            )
        }
        MigrationObstacle::ServiceAccount { group, account } => format!(
            "OperatorGroup `{group}` lets OLM v0 install with the permissions of ServiceAccount `{account}` only; OLM v1 does not limit its own"
        ),
        MigrationObstacle::Config(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
            format!(
                "`spec.config` ({}) becomes `config.inline.deploymentConfig`, which OLM v1 takes only with the feature gate DeploymentConfig; without it: `unknown field \"deploymentConfig\"`",
                fields.join(", ")
            )
        }
        MigrationObstacle::OperatorCondition(csv) => format!(
            "the operator reports conditions with OperatorCondition `{csv}`, which OLM v1 does not read: it updates also when the operator forbids it"
        ),
        MigrationObstacle::UsesOlmV0(csv) => format!(
            "ClusterServiceVersion `{csv}` lets the operator use objects of OLM v0 (`operators.coreos.com`), which OLM v1 neither makes nor reads"
        ),
        MigrationObstacle::GeneratedForOther => {
            "OLM v0 created the Subscription for a dependency of another operator; OLM v1 resolves no dependencies".to_owned()
        }
        MigrationObstacle::GeneratedDependency { subscription, package } => format!(
            "OLM v0 created Subscription `{subscription}` of this namespace for a dependency: under OLM v1 package `{package}` needs a ClusterExtension of its own"
        ),
        MigrationObstacle::RequiredBy(subscriptions) => {
            let names = subscriptions.iter().map(|(namespace, name)| format!("`{name}` in `{namespace}`"));
            format!("what Subscription {} installed requires the package; OLM v1 does not look at that", first_and_more(names, NAMED))
        }
        MigrationObstacle::SharedPackage(_) => "OLM v1 installs a package once, for all namespaces".to_owned(),
        MigrationObstacle::Installer(account) => format!(
            "before v1.11 OLM v1 installs with the permissions of a ServiceAccount: create `{account}` with those that the bundle needs"
        ),
        MigrationObstacle::NameTaken(name) => {
            format!("ClusterExtension `{name}` exists already")
        }
        MigrationObstacle::OtherExtension(name) => {
            format!("ClusterExtension `{name}` of the cluster has the same package")
        }
    };
    note(kind, with_check(text, obstacle.check()))
}

/// What OLM v1 refuses in the installed bundle, if it moves on: it cannot be installed again.
fn current(migration: &Migration) -> Option<MigrationNote> {
    let current =
        migration.current.as_ref().filter(|current| migration.v1_adopted.bundle() != Some(&current.bundle))?;
    let refusal = current.readiness.refusals.first()?;
    let text = format!(
        "OLM v1 could not install `{}`, which is installed now: `{refusal}`. If it stays, OLM v1 renders it anew and fails",
        current.bundle
    );
    Some(note(MigrationNoteKind::Obstacle, with_check(text, check_of_refusal(refusal))))
}

/// The other bundles that the channel leads to and that OLM v1 refuses.
fn further(migration: &Migration) -> Option<MigrationNote> {
    let is_other = |bundle: &&Arc<BundleReadiness>| migration.v1_adopted.bundle() != Some(&bundle.bundle);
    let refused = |bundle: &&Arc<BundleReadiness>| bundle.readiness.verdict() == ReadinessVerdict::Refused;
    let names: Vec<String> = migration
        .reachable
        .iter()
        .filter(is_other)
        .filter(refused)
        .map(|bundle| format!("`{}`", bundle.bundle))
        .collect();
    let text = match &names[..] {
        [] => return None,
        [one] => format!("of the bundles that updates may lead to, OLM v1 refuses {one}"),
        [first, .., last] => {
            format!("of the bundles that updates may lead to, OLM v1 refuses {}: from {last} to {first}", names.len())
        }
    };
    Some(note(MigrationNoteKind::Obstacle, text))
}

fn catalog_note(migration: &Migration) -> Option<MigrationNote> {
    let target = migration.catalog.as_ref()?;
    let kind = match target.origin {
        CatalogOrigin::New(_) | CatalogOrigin::SameImage | CatalogOrigin::SameName => MigrationNoteKind::Hint,
        CatalogOrigin::OtherImage(_) | CatalogOrigin::NoImage | CatalogOrigin::UnknownImage => {
            MigrationNoteKind::Obstacle
        }
    };
    let text = format!("ClusterCatalog `{}` {}", target.name, catalog(&target.origin));
    let check = matches!(target.origin, CatalogOrigin::NoImage).then_some("C10");
    Some(note(kind, with_check(text, check)))
}

/// What a ClusterCatalog is to its CatalogSource, behind its name.
pub(crate) fn catalog(origin: &CatalogOrigin) -> String {
    match origin {
        CatalogOrigin::New(new) => format!("is made of the image `{}` of the CatalogSource", new.image),
        CatalogOrigin::SameImage => "has the image of the CatalogSource".to_owned(),
        CatalogOrigin::SameName => "exists, and is taken to serve what the CatalogSource serves".to_owned(),
        CatalogOrigin::OtherImage(image) => {
            format!("exists with the image `{image}`, which is not that of the CatalogSource: create another one")
        }
        CatalogOrigin::NoImage => {
            "has to be created first: OLM v1 serves catalogs from images, and the CatalogSource has none".to_owned()
        }
        CatalogOrigin::UnknownImage => {
            "has to be created first: the image of the CatalogSource is not known".to_owned()
        }
    }
}

fn channel(channel: &ChannelChoice) -> Option<MigrationNote> {
    let text = match channel {
        ChannelChoice::Named(_) | ChannelChoice::NotAccepted(_) => return None,
        ChannelChoice::Default(Some(default)) => {
            format!("the Subscription names no channel, so the extension names the default channel `{default}`")
        }
        ChannelChoice::Default(None) => {
            "the Subscription names no channel, and the default channel is not known: OLM v1 follows all channels then"
                .to_owned()
        }
    };
    Some(note(MigrationNoteKind::Hint, text))
}

fn version(version: &VersionChoice) -> Option<MigrationNote> {
    Some(match version {
        VersionChoice::Any | VersionChoice::NotAccepted(_) => return None,
        VersionChoice::Installed(version) => note(
            MigrationNoteKind::Hint,
            format!("approval is Manual, and OLM v1 has no approval: `version: {version}` holds the installed version until somebody changes it"),
        ),
        VersionChoice::NotKnown => note(
            MigrationNoteKind::Obstacle,
            "approval is Manual, and OLM v1 has no approval: state the installed version, which the manifests do not show".to_owned(),
        ),
    })
}

/// What a new ClusterExtension does, if that is something else, and how it begins with the installed version.
fn new_extension(migration: &Migration) -> Option<MigrationNote> {
    let installed = migration.installed.as_ref()?;
    let does = match &migration.v1_new {
        new if new.bundle().is_some() && new.bundle() == migration.v1_adopted.bundle() => return None,
        NextV1::Installs(bundle) | NextV1::Moves(bundle) | NextV1::Stays(bundle) => format!("installs `{bundle}`"),
        NextV1::Fails(error) if !matches!(migration.v1_adopted, NextV1::Fails(_)) => format!("fails: `{error}`"),
        NextV1::Fails(_) | NextV1::Unknown | NextV1::UnknownVersion(_) => return None,
    };
    let advice = migration.first_version.as_ref();
    let advice = advice.map(|version| format!("; with `version: {version}` it begins with the installed version"));
    let advice = advice.unwrap_or_default();
    let name = &installed.name;
    let text = format!(
        "a ClusterExtension that is applied by hand does not know that `{name}` is installed, and {does}{advice}"
    );
    Some(note(MigrationNoteKind::Hint, text))
}

/// The notice about what is installed now.
pub(crate) const TOOL: &str = "the migration tool of operator-framework/library-olm makes the installed bundle known to OLM v1, which a ClusterExtension that is applied by hand does not";
