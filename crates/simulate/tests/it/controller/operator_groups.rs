//! CSVs that do not fit their OperatorGroup.

use catalog::InstallModes;
use cluster::{CatalogKey, GroupMismatch};
use simulate::{Blocker, End};

use super::world::{World, csv, installed, lines};

const CATALOG: &str = "package a\nch: a.v1 <- a.v2";

/// A world with `a.v1`, and the install modes of `a.v2`.
fn world(manifests: &str, mode: &str) -> World {
    let mut world = World::new(CATALOG, manifests);
    let key = (CatalogKey::new("c", "olm"), "a".into(), "a.v2".into());
    world.install_modes.insert(key, [(mode, true)].into_iter().collect::<InstallModes>());
    world
}

#[test]
fn a_new_csv_fails_at_its_first_synchronisation_and_freezes_the_namespace() {
    let run = world(&installed("a", "", "a.v1"), "OwnNamespace").controller().settle(100);
    let lines = lines(&run.events);
    let csvs: Vec<&str> = lines.iter().filter(|line| line.starts_with("csv ")).map(String::as_str).collect();
    assert_eq!(
        csvs,
        [
            "csv a.v2: created replaces a.v1",
            "csv a.v1: Succeeded->Replacing",
            "csv a.v2: fails UnsupportedOperatorGroup"
        ]
    );
    // The failure does not pass by itself.
    assert!(lines.contains(&"ns: failed ConstraintsNotSatisfiable".to_owned()), "{lines:?}");
    assert!(!lines.contains(&"sub a: ResolutionFailed removed".to_owned()), "{lines:?}");
    let End::Blocked(blockers) = run.end else { panic!("{:?}", run.end) };
    let message = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
    let failed = Blocker::CsvFailed {
        name: "a.v2".into(),
        reason: GroupMismatch::UnsupportedOperatorGroup,
        message: message.into(),
    };
    assert!(blockers.contains(&failed), "{blockers:?}");
}

#[test]
fn a_csv_recovers_when_the_group_is_corrected() {
    let dump =
        installed("a", "", "a.v2").replace("phase: Succeeded", "phase: Failed, reason: UnsupportedOperatorGroup");
    let text = dump.replace("replaces: ''", "replaces: a.v1, installModes: [{type: AllNamespaces, supported: true}]")
        + &csv("a.v1", "Replacing", "");
    let run = world(&text, "AllNamespaces").controller().settle(100);
    let lines = lines(&run.events);
    let csvs: Vec<&str> = lines.iter().filter(|line| line.starts_with("csv ")).map(String::as_str).collect();
    let expected = [
        "csv a.v2: Failed->Pending",
        "csv a.v2: Pending->InstallReady",
        "csv a.v2: InstallReady->Installing",
        "csv a.v2: Installing->Succeeded",
        "csv a.v1: Replacing->Deleting",
        "csv a.v1: deleted for a.v2",
    ];
    assert_eq!((csvs.as_slice(), run.end), (&expected[..], End::Settled));
}
