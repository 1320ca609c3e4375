//! What journeys open, with a browser and without one.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The path of a fixture.
#[must_use]
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/fixtures").join(name)
}

/// A catalog with the package `kettle`: its channel `stable` lists these versions, each of which replaces the one before
/// it.
#[must_use]
pub fn kettle(versions: &[&str]) -> String {
    let mut entries = String::new();
    let mut bundles = String::new();
    // Without it OperatorHub does not show a package.
    let metadata = "{type: olm.csv.metadata, value: {displayName: Kettle}}";
    for (at, version) in versions.iter().enumerate() {
        entries += &format!("- name: kettle.v{version}\n");
        if let Some(before) = at.checked_sub(1) {
            entries += &format!("  replaces: kettle.v{}\n", versions[before]);
        }
        bundles += &format!(
            "---\nschema: olm.bundle\nname: kettle.v{version}\npackage: kettle\n\
             image: registry.example.com/kettle:v{version}\n\
             properties:\n  [{{type: olm.package, value: {{packageName: kettle, version: {version}}}}}, {metadata}]\n"
        );
    }
    format!(
        "schema: olm.package\nname: kettle\ndefaultChannel: stable\n---\n\
         schema: olm.channel\npackage: kettle\nname: stable\nentries:\n{entries}{bundles}"
    )
}

/// Brackets, twenty thousand deep: twice what yaml.v2 reads.
#[must_use]
pub fn deep() -> String {
    format!("schema: olm.bundle\nproperties: {}{}\n", "[".repeat(20_000), "]".repeat(20_000))
}

/// Aliases of aliases: ten billion elements when they are expanded.
#[must_use]
pub fn bomb() -> String {
    let mut text = "schema: olm.bundle\nname: bomb\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let before = format!("*a{}", level - 1);
        text.push_str(&format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", ")));
    }
    text
}

/// A cluster with `kettle.v1.0.0`, which the last of two catalogs updates in another channel only.
pub const CLUSTER: &str = "\
apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata: {name: community-operators, namespace: openshift-marketplace}
spec: {sourceType: grpc, image: registry.example.com/index}
---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: kettle, namespace: kitchen}
spec: {name: kettle, channel: v1, source: community-operators, sourceNamespace: openshift-marketplace}
status: {installedCSV: kettle.v1.0.0, currentCSV: kettle.v1.0.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: kettle.v1.0.0, namespace: kitchen}
spec: {version: 1.0.0}
status: {phase: Succeeded}
";

// Generated packages with large channels, as text.

/// A package whose `channels` list the same `entries`: chains of `replaces`, each entry with a skipRange over those
/// before.
#[must_use]
pub fn package(name: &str, channels: u32, entries: u32) -> String {
    let mut text = format!("schema: olm.package\nname: {name}\ndefaultChannel: stable-1.0\n");
    for channel in 0..channels {
        push(
            &mut text,
            format_args!("---\nschema: olm.channel\npackage: {name}\nname: stable-1.{channel}\nentries:\n"),
        );
        for patch in 0..entries {
            push(&mut text, format_args!("- name: {name}.v1.0.{patch}\n  skipRange: '>=1.0.0 <1.0.{patch}'\n"));
            if let Some(before) = patch.checked_sub(1) {
                push(&mut text, format_args!("  replaces: {name}.v1.0.{before}\n"));
            }
        }
    }
    for patch in 0..entries {
        push(
            &mut text,
            format_args!(
                "---\nschema: olm.bundle\npackage: {name}\nname: {name}.v1.0.{patch}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: {name}, version: 1.0.{patch}}}}}\n- {{type: olm.csv.metadata, value: {{displayName: Wide}}}}\n"
            ),
        );
    }
    text
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line).expect("writing to a string never fails");
}
