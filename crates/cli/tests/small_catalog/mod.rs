//! A catalog with one package and one update.

/// `p.v1.1.0` replaces `p.v1.0.0`.
pub(crate) const CATALOG: &str = "schema: olm.package
name: p
defaultChannel: stable
---
schema: olm.channel
package: p
name: stable
entries:
- {name: p.v1.1.0, replaces: p.v1.0.0}
- {name: p.v1.0.0}
---
schema: olm.bundle
package: p
name: p.v1.0.0
image: i
properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]
---
schema: olm.bundle
package: p
name: p.v1.1.0
image: i
properties: [{type: olm.package, value: {packageName: p, version: 1.1.0}}]
";
