//! Resolutions of which Opscope cannot tell how they end.

use crate::{FOLDER, opscope};

/// `app.v2.0.0` has a rule whose value in cel-go is not known.
const UNKNOWN: &str = "schema: olm.package
name: app
defaultChannel: stable
---
schema: olm.channel
package: app
name: stable
entries: [{name: app.v2.0.0, replaces: app.v1.0.0}, {name: app.v1.0.0}]
---
schema: olm.bundle
package: app
name: app.v1.0.0
image: i
properties: [{type: olm.package, value: {packageName: app, version: 1.0.0}}]
---
schema: olm.bundle
package: app
name: app.v2.0.0
image: i
properties:
- {type: olm.package, value: {packageName: app, version: 2.0.0}}
- type: olm.constraint
  value: {failureMessage: old, cel: {rule: \"timestamp('2026-01-01T00:00:00Z').getFullYear() > 2025\"}}
";

#[test]
fn an_unknown_outcome_is_neither_yes_nor_no() {
    std::fs::write(FOLDER.join("unknown.yaml"), UNKNOWN).unwrap();
    for (command, failure) in [
        ("resolve --subscribe app", "cannot tell what OLM does"),
        ("resolve --format json --subscribe app", "cannot tell what OLM does"),
        ("why app 1.0.0 --subscribe app", "cannot tell: "),
        ("why app 2.0.0 --subscribe app", "cannot tell: "),
    ] {
        let output = opscope(&format!("{command} --catalog community=unknown.yaml"), &[]);
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(2), "{command}\n{out}{error}");
        assert!(error.contains(failure), "{command}\n{error}");
        assert!(!out.contains("no: ") && !out.contains("finds no solution"), "{command}\n{out}");
    }
}
