//! InstallPlans that fail.

use super::{check, put};

/// The manifest of the bundle is
/// `{"kind":"CustomResourceDefinition","metadata":{"name":"a.b"},"spec":{"versions":[{"name":"v1","storage":true}]}}`.
const CATALOG: &str = "c: 1.0.0 (property olm.bundle.object
  {data: eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEuYiJ9LCJzcGVjIjp7InZlcnNpb25zIjpbeyJuYW1lIjoidjEiLCJzdG9yYWdlIjp0cnVlfV19fQ==})";

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: c, namespace: olm}
---
kind: Subscription
metadata: {name: s, namespace: ns}
spec: {name: p, source: c, sourceNamespace: olm}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a.b}
status: {storedVersions: [v1alpha1]}
";

#[test]
fn a_plan_that_removes_a_stored_version_explains_its_subscription() {
    put("stored.yaml", fixture::yaml(CATALOG));
    put("stored-cluster.yaml", CLUSTER);
    check(
        "why s --cluster stored-cluster.yaml --catalog c=stored.yaml",
        0,
        "✓ s → 1.0.0: installs p.v1.0.0
note: the manifests have no OperatorGroup in namespace `ns`; one for all namespaces is assumed
note: the InstallPlan of step 1 fails with `risk of data loss updating \"a.b\": new CRD removes
      version v1alpha1 that is listed as a stored version on the existing CRD`: `p.v1.0.0` stays in
      phase `Pending`, and OLM installs no later version

step  installs  replaces  channel  catalog
1     p.v1.0.0  -         c        c

Why p.v1.0.0?
  - Subscription `s` installs `p.v1.0.0`, the only candidate (stored.yaml:10)
",
    );
}
