//! Catalogs that change, and catalogs that are not served.

use super::world::{World, installed, lines};
use cluster::CatalogKey;
use simulate::{Action, Blocker, End, FailureReason, timelines};

#[test]
fn a_new_version_is_found_when_the_catalog_is_updated() {
    let manifests = installed("a", "", "a.v1");
    let mut controller = World::new("package a\nch: a.v1", &manifests).controller();
    assert_eq!(controller.settle(200).end, End::Settled);
    controller.act(World::new("package a\nch: a.v1 <- a.v2", &manifests).update());
    let lines = lines(&controller.settle(200).events);
    assert_eq!(lines[0], "ns: resolved [a.v2]");
    // The same content is not an update.
    let same = World::new("package a\nch: a.v1 <- a.v2", &manifests).update();
    assert!(controller.act(same).is_empty());
}

#[test]
fn a_package_that_leaves_the_catalog_breaks_the_namespace() {
    let manifests = installed("a", "", "a.v1");
    let mut controller = World::new("package a\nch: a.v1", &manifests).controller();
    controller.settle(200);
    controller.act(World::new("package b\nch: b.v1", &manifests).update());
    assert_eq!(lines(&controller.settle(200).events)[0], "ns: failed ConstraintsNotSatisfiable");
}

#[test]
fn a_catalog_that_is_not_served_blocks_every_namespace_that_sees_it() {
    let mut world = World::new("package a\nch: a.v1 <- a.v2", &installed("a", "", "a.v1"));
    let key = CatalogKey::new("c", "olm");
    world.cluster.not_served.insert(key.clone());
    assert_eq!(world.cluster.blocking("ns").collect::<Vec<_>>(), [&key]);
    let mut controller = world.controller();
    let run = controller.settle(200);
    let End::Blocked(blockers) = &run.end else { panic!("{:?}", run.end) };
    let Blocker::Resolution { reason: FailureReason::ErrorPreventedResolution, message } = &blockers[0] else {
        panic!("{blockers:?}")
    };
    let expected = "error using catalogsource olm/c: failed to list bundles: rpc error: code = Unavailable desc = ";
    assert!(message.starts_with(expected), "{message}");
    // Both as it is and as if all catalogs were served.
    let first = |cluster| {
        timelines(cluster, "ns", &world.snapshots, &simulate::no_modes, 12, 8).timelines[0].steps[0].error.clone()
    };
    assert_eq!(first(&world.cluster).as_ref(), Some(message));
    assert_eq!(first(&world.cluster.all_served()), None);
    controller.act(Action::ServeCatalog { catalog: key, served: true });
    assert!(lines(&controller.settle(200).events).contains(&"ns: resolved [a.v2]".to_owned()));
}
