//! Simulates every example and compares the outcomes with those in its file. `UPDATE=1` rewrites the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, ParsedFile, bundle_details, lower};
use cluster::{CatalogKey, ClusterCatalog, ClusterExtension, Manifests};
use extension::{CatalogState, Readiness, Reconciliation, ReconciliationEffect, Resolved};
use session::gallery::{Example, ExampleCatalog, Theme, gallery};
use simulate::{Step, timelines};
use source::FileId;

/// The default number of steps of `opscope resolve`.
const STEPS: usize = 12;

/// One test for each example, and a test that no example is missing.
macro_rules! example_tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_example_has_a_test() {
            let tested = BTreeSet::from([$(stringify!($name)),*]);
            let listed: Vec<String> = gallery().iter().map(|example| example.slug.replace('-', "_")).collect();
            assert_eq!(listed.len(), tested.len());
            assert!(listed.iter().all(|name| tested.contains(name.as_str())), "{listed:?}");
        }
    };
}

example_tests! {
    addition_strands_four each_release_strands_one_more entry_exchanged skips_instead_of_replaces head_withdrawn
    channel_gone images_exchanged lower_by_name substitution_strands_the_base support_ends_earlier normal_release same_catalog higher_priority default_channel_first
    new_operator operator_update deprecating_dependent_apis version_deadlock and_caveat compound_constraint
    cel_constraint downgrade held_back two_hops_deadlock one_hop older_entry channel_without_an_edge
    csv_without_subscription unknown_package install_mode_dropped fail_forward manual_approval at_a_skipped_entry at_a_skiprange_entry
    at_a_missing_entry at_a_stranded_entry stuck_at_a_stranded_entry in_a_channel_with_two_heads two_heads
    at_an_entry_that_replaces_itself at_an_entry_that_skips_itself ignored_once_installed after_the_csv_was_deleted
    deleted_without_starting_csv deprecations exclusive_updates exclusive_heads three_exclusive_heads
    update_against_a_bound unowned_dependant owned_dependant channel_by_chance update_without_an_edge
    skipped_in_its_channel mid_update two_subscriptions_one_package two_conflicts two_unknown_packages
    two_broken_channels highest_version_not_head every_channel_counts hop_over_a_skipped_entry no_route_to_a_version
    channel_without_the_installed_version prerelease_without_a_range pinned_version_moves same_priority
    priority_over_version deprecation_over_priority deprecated_update_not_taken down_from_a_deprecated_version
    self_certified_downgrade dependency_refused install_mode_refused unserved_catalog graph_that_opm_rejects
    renamed_bundles migration_blocked
}

/// One sentence or a few, of which every name is in the catalogs, the cluster or the outcomes of the example.
#[test]
fn every_example_says_what_to_look_at() {
    for Example { slug, description, look_at, catalogs, cluster, outcomes, extensions, change, .. } in gallery() {
        assert!(look_at.ends_with('.') && look_at.len() > 40 && !description.contains(look_at), "{slug}: {look_at}");
        assert!(!look_at.contains("\n>"), "{slug}: the page shows the sign of a quotation that goes on");
        let before = change.map(|change| change.before.text);
        let texts = || catalogs.iter().map(|catalog| catalog.text).chain([cluster, outcomes, extensions]).chain(before);
        let is_known = |name: &str| {
            name == "opm"
                || texts().any(|text| text.contains(name))
                || catalogs.iter().any(|catalog| catalog.name == name)
        };
        let unknown: Vec<&str> = look_at.split('`').skip(1).step_by(2).filter(|name| !is_known(name)).collect();
        assert!(unknown.is_empty(), "{slug} has no {unknown:?}");
    }
}

#[track_caller]
fn check(name: &str) {
    let listed = gallery();
    let example =
        listed.iter().find(|example| example.slug.replace('-', "_") == name).expect("a test is named for an example");
    let Expected { outcomes, extensions } = Expected::of(example);
    if std::env::var_os("UPDATE").is_some() {
        rewrite(example, "outcomes", &outcomes);
        rewrite(example, "extensions", &extensions);
    } else {
        assert_eq!((&*outcomes, &*extensions), (example.outcomes, example.extensions));
    }
    assert!(!(outcomes.is_empty() && extensions.is_empty()));
}

/// Replaces a block, unless there is nothing to write.
fn rewrite(example: &Example, label: &str, body: &str) {
    if body.is_empty() {
        return;
    }
    let folder = match example.theme {
        Theme::Changes => "changes",
        Theme::Documentation => "documentation",
        Theme::Updates => "updates",
        Theme::Start => "start",
        Theme::Chance => "chance",
        Theme::Extensions => "v1",
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gallery").join(folder).join(format!("{}.md", example.slug));
    let text = fs::read_to_string(&path).expect("every example has a file");
    let (before, rest) = text.split_once(&format!("```{label}\n")).expect("a block with this label");
    let (_, after) = rest.split_once("```\n").expect("the end of the block");
    fs::write(path, format!("{before}```{label}\n{body}```\n{after}")).expect("the gallery can be written");
}

/// The blocks of an example that say what is expected.
struct Expected {
    outcomes: String,
    extensions: String,
}

impl Expected {
    fn of(example: &Example) -> Self {
        let manifests = cluster::read(FileId(0), example.cluster);
        assert_eq!(manifests.diagnostics, []);
        let served: Vec<(&str, String)> =
            example.catalogs.iter().map(|catalog| (catalog.name, served(catalog.text, &example.catalogs))).collect();
        let catalogs: BTreeMap<&str, (&str, Catalog)> =
            served.iter().map(|(name, text)| (*name, (text.as_str(), read(text)))).collect();
        Self { outcomes: outcomes(&manifests, &catalogs), extensions: extensions(&manifests, &catalogs) }
    }
}

/// The outcomes as text: a line for each step, `or` between outcomes.
fn outcomes(manifests: &Manifests, catalogs: &BTreeMap<&str, (&str, Catalog)>) -> String {
    if manifests.cluster.subscriptions.is_empty() {
        return String::new();
    }
    let snapshots = simulate::snapshots(&manifests.cluster, |key| catalogs.get(&*key.name).map(|(_, catalog)| catalog));
    let modes = |key: &CatalogKey, package: &PackageName, bundle: &BundleName| {
        let (text, catalog) = catalogs.get(&*key.name)?;
        let bundle = catalog.package(package.as_str())?.bundle(bundle.as_str())?;
        Some(bundle_details(bundle, text)?.csv?.install_modes)
    };
    let mut cluster = manifests.cluster.clone();
    simulate::complete(&mut cluster, &snapshots, &modes);
    let found = timelines(&cluster, "operators", &snapshots, &modes, STEPS, 64);
    let outcomes: Vec<String> =
        found.timelines.iter().map(|timeline| timeline.unrolled(STEPS).map(line).collect()).collect();
    outcomes.join("or\n")
}

/// What becomes of the ClusterExtensions: a line for each bundle that one gets, and for its error.
fn extensions(manifests: &Manifests, catalogs: &BTreeMap<&str, (&str, Catalog)>) -> String {
    let content = |object: &ClusterCatalog| catalogs.get(object.name.as_str()).map(|(_, catalog)| catalog);
    let objects = manifests.cluster_catalogs.iter();
    let states: Vec<CatalogState<'_>> =
        objects.map(|object| CatalogState { object, content: content(object) }).collect();
    let lines = manifests.cluster_extensions.iter().flat_map(|extension| {
        let steps = extension::timeline(extension, std::slice::from_ref(&states));
        let is_one = steps.len() == 1;
        let mut lines = Vec::new();
        for Reconciliation { change, resolution, .. } in steps {
            let resolved = match &resolution.outcome {
                Ok(resolved) => resolved,
                Err(error) => {
                    lines.push(format!("{}: fails: {error}\n", extension.name));
                    continue;
                }
            };
            let refusal = refusal(catalogs, extension, resolved);
            let what = match change {
                _ if refusal.is_some() => "cannot install",
                ReconciliationEffect::Installed => "installs",
                ReconciliationEffect::Replaced { .. } => "updates to",
                _ if is_one => "stays at",
                _ => continue,
            };
            let reason = refusal.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
            lines.push(format!("{}: {what} {} ({}){reason}\n", extension.name, resolved.bundle, resolved.catalog));
            if refusal.is_some() {
                break;
            }
        }
        lines
    });
    lines.collect()
}

/// Why OLM v1 does not install the bundle that it has chosen.
fn refusal(
    catalogs: &BTreeMap<&str, (&str, Catalog)>,
    extension: &ClusterExtension,
    resolved: &Resolved,
) -> Option<String> {
    let (text, catalog) = &catalogs[resolved.catalog.as_str()];
    let bundle = catalog.package(extension.package.as_str())?.bundle(resolved.bundle.as_str())?;
    let readiness = Readiness::of(bundle, Some(text), extension.olm);
    readiness.refusals.first().map(ToString::to_string)
}

/// The text that a catalog serves: of a template what it expands to.
fn served(text: &str, all: &[ExampleCatalog]) -> String {
    if template::kind_of(&fbc::parse(FileId(1), text)).is_none() {
        return text.to_owned();
    }
    let parses: Vec<_> = all.iter().map(|other| (other.text, fbc::parse(FileId(2), other.text))).collect();
    let mut images = template::Images::default();
    parses.iter().for_each(|(text, parse)| images.add(text, parse));
    let expansion = template::expand(FileId(1), text, &images);
    assert_eq!(expansion.status, template::RenderStatus::Accepted);
    expansion.catalog.expect("an accepted template has a catalog").to_yaml()
}

fn read(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(1), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// What a step installs. Of several contradictions OLM names one by chance, so the text ends at the colon.
fn line(step: &Step) -> String {
    let selected = step.selected.iter().map(|bundle| {
        let replaces = bundle.replaces.as_ref().map_or_else(String::new, |name| format!(" replaces {name}"));
        format!("{} ({}, {}){replaces}", bundle.name, bundle.channel, bundle.catalog.name)
    });
    let failures = step.csv_failures.iter().map(|failure| format!("; {} fails: {}", failure.csv, failure.reason));
    let what = match &step.error {
        Some(error) if error.starts_with("constraints not satisfiable") => {
            "error constraints not satisfiable".to_owned()
        }
        Some(error) => format!("error {error}"),
        None if step.selected.is_empty() => "nothing".to_owned(),
        None => selected.collect::<Vec<_>>().join(", "),
    };
    what + &failures.collect::<String>() + "\n"
}
