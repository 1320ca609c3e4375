//! The words of migrations. Names and OLM's own texts are in backticks.

use crate::CatalogInput;
use ::migration::{
    BundleReadiness, CatalogOrigin, ChannelChoice, CrdCheck, Migration, MigrationObstacle, MigrationState,
    MigrationVerdict, NextV0, NextV1, VersionChoice,
};
use catalog::BundleName;
use crd_upgrade::{Unknown as UnknownCrd, UpgradeOutcome};
use extension::{Need, ReadinessVerdict, ResolveError, Unknown};
use simulate::TargetNamespaces;
use std::sync::Arc;
use views::{MigrationNote, MigrationNoteKind, ReadinessRow, ReadinessVerdictView};

/// The number of Subscriptions with the same package that a note names.
const NAMED: usize = 5;

/// The verdict in a few words.
pub(super) fn summary(migration: &Migration) -> String {
    if migration.obstacles.iter().any(MigrationObstacle::is_rejection) {
        return "is refused, because the API server rejects the objects of the migration".to_owned();
    }
    let (next, bundle) = match &migration.v1 {
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
        MigrationVerdict::Moves | MigrationVerdict::Stays | MigrationVerdict::Fails => format!("{next} `{bundle}`"),
    }
}

/// What OLM v0 does next.
pub(super) fn v0(migration: &Migration) -> String {
    let when = if migration.version == VersionChoice::Any { "" } else { " once somebody approves it" };
    let requires = if migration.v0_requires { ", if all that it requires is there" } else { "" };
    match &migration.v0 {
        NextV0::Installs(bundle) => format!("OLM v0 installs `{bundle}`{when}{requires}"),
        NextV0::Updates(bundle) => format!("OLM v0 updates it to `{bundle}`{when}{requires}"),
        NextV0::Stays => "OLM v0 does not update it".to_owned(),
        NextV0::NoPackage => "OLM v0 finds no such package in the catalog".to_owned(),
        NextV0::NoChannel => "OLM v0 finds no such channel in the catalog".to_owned(),
        NextV0::BrokenChannel(error) => format!("OLM v0 cannot order the channel: `{error}`"),
        NextV0::Unknown => format!("what OLM v0 does is not known, because {}", no_catalog(migration)),
    }
}

/// What OLM v1 does next.
pub(super) fn v1(migration: &Migration) -> String {
    match &migration.v1 {
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
pub(super) fn notes(migration: &Migration) -> Vec<MigrationNote> {
    let mut notes: Vec<MigrationNote> = Vec::new();
    notes.extend(migration.chosen.iter().flat_map(|bundle| chosen(bundle)));
    if let Some(crds) = &migration.crds {
        notes.extend(crd_notes(migration, crds));
    }
    notes.extend(migration.obstacles.iter().map(obstacle));
    notes.extend(refusal(migration));
    notes.extend(hidden(migration));
    notes.extend(current(migration));
    notes.extend(further(migration));
    notes.extend(catalog(migration));
    notes.extend(channel(&migration.channel));
    notes.extend(version(&migration.version));
    notes.extend(anew(migration));
    // The sort is stable.
    notes.sort_by_key(|note| note.kind);
    notes
}

fn note(kind: MigrationNoteKind, text: String) -> MigrationNote {
    MigrationNote { kind, text }
}

/// The bundle that OLM v1 applies.
fn chosen(chosen: &BundleReadiness) -> Vec<MigrationNote> {
    let BundleReadiness { bundle, readiness, .. } = chosen;
    let refusals = readiness.refusals.iter().map(|refusal| {
        let outlook = refusal.outlook().map(|outlook| format!(" ({outlook})")).unwrap_or_default();
        note(MigrationNoteKind::Refusal, format!("OLM v1 refuses `{bundle}`: `{refusal}`{outlook}"))
    });
    let needs =
        readiness.needs.iter().map(|one| note(MigrationNoteKind::Obstacle, format!("`{bundle}` needs {}", need(*one))));
    let unknown = readiness.unknown.iter().map(|one| {
        note(MigrationNoteKind::Unknown, format!("the catalog does not show {} of `{bundle}`", unknown(*one)))
    });
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
        let new = migration.v1.bundle().map(BundleName::as_str).unwrap_or_default();
        let text = format!(
            "whether OLM v1 upgrades the CustomResourceDefinitions to those of `{new}` is not known: the catalog does not have all of their manifests"
        );
        notes.push(note(MigrationNoteKind::Unknown, text));
    }
    notes
}

/// What the API server does with an object of the tool, and when.
const TOO_LATE: &str = "the migration tool notices it when the Subscription is gone, and refuses to undo that";

fn obstacle(obstacle: &MigrationObstacle) -> MigrationNote {
    let kind = if obstacle.is_rejection() { MigrationNoteKind::Refusal } else { MigrationNoteKind::Obstacle };
    let text = match obstacle {
        MigrationObstacle::PackageName(package) => {
            format!("the API server rejects `packageName: {package}`, which is no DNS subdomain; {TOO_LATE}")
        }
        MigrationObstacle::ChannelName(channel) => {
            format!("the API server rejects `channels: [{channel}]`, which is no DNS subdomain; {TOO_LATE}")
        }
        MigrationObstacle::Version(version) => {
            format!("approval is Manual, and the API server rejects `version: {version}`; {TOO_LATE}")
        }
        MigrationObstacle::SetTaken(name) => {
            format!("ClusterObjectSet `{name}` exists, and the tool creates one of this name; {TOO_LATE}")
        }
        MigrationObstacle::FullPhase { phase, objects } => format!(
            "phase `{phase}` of the ClusterObjectSet has {objects} objects, and the API server takes 50 at most; {TOO_LATE}"
        ),
        MigrationObstacle::LongName => {
            format!(
                "the name is longer than 61 characters, so the API server rejects the label of its ClusterObjectSet; {TOO_LATE}"
            )
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
        MigrationObstacle::Config(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
            format!(
                "`spec.config` ({}) becomes `config.inline.deploymentConfig`, which OLM v1 takes only with the feature gate DeploymentConfig; without it: `unknown field \"deploymentConfig\"`. The tool does not check that",
                fields.join(", ")
            )
        }
        MigrationObstacle::GeneratedDependency { subscription, package } => format!(
            "OLM v0 created Subscription `{subscription}` of this namespace for a dependency: the migration tool does not take it, and package `{package}` is not managed by OLM v1 afterwards"
        ),
        MigrationObstacle::SharedName(namespaces) => {
            let names = namespaces.iter().map(|namespace| format!("`{namespace}`"));
            format!(
                "Subscriptions of {} have this name, and a ClusterExtension is named like its Subscription: `convert --all` ends at the second; `--ce-name` names one otherwise",
                views::first_and_more(names, NAMED)
            )
        }
        MigrationObstacle::NameTaken(name) => {
            format!(
                "ClusterExtension `{name}` exists: `check` does not look at it, and `convert` refuses with `ClusterExtension {name} already exists`"
            )
        }
        MigrationObstacle::OtherExtension(name) => {
            format!(
                "ClusterExtension `{name}` of the cluster has the same package, and the migration tool does not look at that"
            )
        }
        MigrationObstacle::OtherCatalog(name) => format!(
            "the migration tool selects ClusterCatalog `{name}`, which has the package, too, and comes first; it is not that of the CatalogSource"
        ),
    };
    note(kind, text)
}

/// Why `convert` refuses though the checks pass. A ClusterExtension of the name is an obstacle of its own.
fn refusal(migration: &Migration) -> Option<MigrationNote> {
    let is_taken = |obstacle: &MigrationObstacle| matches!(obstacle, MigrationObstacle::NameTaken(_));
    let is_eligible = migration.eligibility.state == MigrationState::Eligible;
    let text = migration.conversion.refusal.as_ref().filter(|_| is_eligible)?;
    (!migration.obstacles.iter().any(is_taken))
        .then(|| note(MigrationNoteKind::Refusal, format!("`convert` refuses: `{text}`")))
}

/// The tool does not see that OLM v1 fails after it, because the first revision is installed.
fn hidden(migration: &Migration) -> Option<MigrationNote> {
    let fails = matches!(migration.verdict, MigrationVerdict::Fails | MigrationVerdict::Refused);
    let is_rejected = migration.obstacles.iter().any(MigrationObstacle::is_rejection);
    let is_converted =
        migration.eligibility.state == MigrationState::Eligible && migration.conversion.refusal.is_none();
    (fails && is_converted && !is_rejected).then(|| {
        let text = "the migration tool still reports success, because its first revision is installed";
        note(MigrationNoteKind::Obstacle, text.to_owned())
    })
}

/// What OLM v1 refuses in the installed bundle, if it moves on: it cannot be installed again.
fn current(migration: &Migration) -> Option<MigrationNote> {
    let current = migration.current.as_ref().filter(|current| migration.v1.bundle() != Some(&current.bundle))?;
    let refusal = current.readiness.refusals.first()?;
    let text = format!(
        "OLM v1 could not install `{}`, which is installed now: `{refusal}`. If it stays, OLM v1 renders it anew and fails",
        current.bundle
    );
    Some(note(MigrationNoteKind::Obstacle, text))
}

/// The other bundles that the channel leads to and that OLM v1 refuses.
fn further(migration: &Migration) -> Option<MigrationNote> {
    let is_other = |bundle: &&Arc<BundleReadiness>| migration.v1.bundle() != Some(&bundle.bundle);
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

fn catalog(migration: &Migration) -> Option<MigrationNote> {
    let choice = migration.catalog.as_ref()?;
    let name = &choice.name;
    Some(match &choice.origin {
        CatalogOrigin::SameImage => note(
            MigrationNoteKind::Hint,
            format!("ClusterCatalog `{name}` exists, and has the image of the CatalogSource"),
        ),
        CatalogOrigin::Existing => note(
            MigrationNoteKind::Hint,
            format!("ClusterCatalog `{name}` exists, and is taken to serve what the CatalogSource serves"),
        ),
        CatalogOrigin::Created(_) => {
            note(MigrationNoteKind::Hint, format!("ClusterCatalog `{name}` is made of the image of the CatalogSource"))
        }
        CatalogOrigin::NoImage => note(
            MigrationNoteKind::Obstacle,
            format!("ClusterCatalog `{name}` has to be created first: the image of the CatalogSource is not known"),
        ),
        CatalogOrigin::Refused(reason) => note(
            MigrationNoteKind::Obstacle,
            format!("ClusterCatalog `{name}` has to be created first: `migrate-catalogs-v0-to-v1` says `{reason}`"),
        ),
    })
}

fn channel(channel: &ChannelChoice) -> Option<MigrationNote> {
    let text = match channel {
        ChannelChoice::Named(_) | ChannelChoice::NotAccepted(_) => return None,
        ChannelChoice::Default(Some(default)) => {
            format!("the Subscription names no channel, so the tool names the default channel `{default}`")
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
            "approval is Manual, and OLM v1 has no approval: the tool holds the installed version, which the manifests do not tell".to_owned(),
        ),
    })
}

/// What a new ClusterExtension does, if that is something else, and how it begins with the installed version.
fn anew(migration: &Migration) -> Option<MigrationNote> {
    let installed = migration.installed.as_ref()?;
    let does = match &migration.anew {
        anew if anew.bundle().is_some() && anew.bundle() == migration.v1.bundle() => return None,
        NextV1::Installs(bundle) | NextV1::Moves(bundle) | NextV1::Stays(bundle) => format!("installs `{bundle}`"),
        NextV1::Fails(error) if !matches!(migration.v1, NextV1::Fails(_)) => format!("fails: `{error}`"),
        NextV1::Fails(_) | NextV1::Unknown | NextV1::UnknownVersion(_) => return None,
    };
    let advice = migration.first_version.as_ref();
    let advice = advice.map(|version| format!("; with `version: {version}` it begins with the installed version"));
    let advice = advice.unwrap_or_default();
    let name = &installed.name;
    let text = format!(
        "without the migration tool, a ClusterExtension that is written by hand does not know that `{name}` is installed, and {does}{advice}"
    );
    Some(note(MigrationNoteKind::Hint, text))
}

/// What a bundle needs.
pub(super) fn need(need: Need) -> String {
    match need {
        Need::CertificateProvider => {
            "a provider of certificates for its webhooks: cert-manager, or the service CA of OpenShift".to_owned()
        }
    }
}

/// What a catalog does not show.
pub(super) fn unknown(unknown: Unknown) -> String {
    match unknown {
        Unknown::Csv => "the install modes and API services".to_owned(),
        Unknown::Manifests => "the webhooks, deployments and other manifests".to_owned(),
    }
}

/// Why a CRD cannot be checked.
pub(in crate::queries) fn unknown_crd(reason: &UnknownCrd) -> String {
    match reason {
        UnknownCrd::NoOldBody => "the catalog does not have its manifest in the installed bundle".to_owned(),
        UnknownCrd::NoNewBody => "the catalog does not have its manifest in the next bundle".to_owned(),
        UnknownCrd::NoOldList => {
            "the installed bundle may have it, too: the catalog does not list its CustomResourceDefinitions".to_owned()
        }
        UnknownCrd::NoNewList => {
            "the next bundle may have it, too: the catalog does not list its CustomResourceDefinitions".to_owned()
        }
        UnknownCrd::OldUnreadable(error) => format!("its manifest in the installed bundle cannot be read: `{error}`"),
        UnknownCrd::NewUnreadable(error) => format!("its manifest in the next bundle cannot be read: `{error}`"),
    }
}

/// The notice about the tool and what is installed now.
pub(super) const TOOL: &str = "the checks are those of the migration tool of operator-framework/library-olm, a prototype; it makes the installed bundle known to OLM v1, which a ClusterExtension written by hand does not";

/// The notice that `opm` rejects a catalog.
pub(super) fn rejected(catalog: &CatalogInput) -> Option<String> {
    catalog.rejection()?;
    let name = &catalog.name;
    Some(format!("`opm` rejects catalog `{name}`, so OLM v0 gets nothing from it; OLM v1 validates no catalog"))
}

/// The bundles of a package in a few words.
pub(super) fn readiness_summary(bundles: &[ReadinessRow]) -> String {
    let count = |verdict: ReadinessVerdictView| bundles.iter().filter(|row| row.verdict == verdict).count();
    let refused = count(ReadinessVerdictView::Refused);
    let unknown = count(ReadinessVerdictView::CannotBeKnown);
    let all = bundles.len();
    let bundles = if all == 1 { "1 bundle".to_owned() } else { format!("{all} bundles") };
    match (refused, unknown) {
        (0, 0) => format!("the catalog shows nothing that OLM v1 refuses in {bundles}"),
        (0, unknown) => {
            format!("of {bundles} none is refused by what the catalog shows, and {unknown} cannot be known")
        }
        (refused, 0) => format!("OLM v1 refuses {refused} of {bundles}"),
        (refused, unknown) => format!("OLM v1 refuses {refused} of {bundles}, and {unknown} cannot be known"),
    }
}
