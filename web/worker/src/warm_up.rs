//! Loads a made-up catalog while nobody waits for the worker.
//!
//! A browser runs a function of WebAssembly slowly at first, and compiles it in the background once it has run for a
//! while. A catalog that comes after this load is read by compiled functions: 12.7 MB take 0.24 s instead of 0.4 s in
//! Chromium.

use workbench::{Loading, NewText, Workbench};

/// Bytes that are read in a step, a few milliseconds of work.
const STEP: u32 = 128 * 1024;
/// How many packages the catalog has. With fewer, Chromium does not yet compile all that takes time.
const PACKAGES: usize = 50;
/// How many bundles a package has.
const BUNDLES: usize = 6;

pub(crate) struct WarmUp {
    /// Where it is loaded. Its checks run at the end, if their code is here.
    pub(crate) workbench: Workbench,
    loading: Loading,
}

impl WarmUp {
    /// Begins. Makes the text, a megabyte; nothing is read yet.
    pub(crate) fn new() -> Self {
        let mut workbench = Workbench::unchecked();
        let text = NewText { path: "catalog.yaml".to_owned(), content: Ok(catalog().into_bytes()) };
        let loading = workbench.begin_loading("catalog", vec![text]);
        Self { workbench, loading }
    }

    /// Goes on for a few milliseconds. Returns whether that was the end.
    pub(crate) fn step(&mut self) -> bool {
        let is_read = self.workbench.continue_loading(&mut self.loading, STEP);
        if is_read {
            self.workbench.finish_loading(std::slice::from_ref(&self.loading));
            drop(self.workbench.overview());
        }
        is_read
    }
}

/// A catalog like those that users have: most of it describes bundles, in nested mappings, quoted texts and long
/// blocks.
fn catalog() -> String {
    (0..PACKAGES).map(|number| package(&format!("example-{number}"))).collect()
}

fn package(name: &str) -> String {
    let entry = |number: usize| match number.checked_sub(1) {
        None => format!("- name: {name}.v1.0.0\n"),
        Some(before) => format!(
            "- name: {name}.v1.{number}.0
  replaces: {name}.v1.{before}.0
  skips:
  - {name}.v1.{before}.1
  skipRange: '>=1.0.0 <1.{number}.0'
"
        ),
    };
    let entries: String = (0..BUNDLES).map(entry).collect();
    let bundles: String = (0..BUNDLES).map(|number| bundle(name, number)).collect();
    let icon = "iVBORw0KGgoAAAANSUhEUgAA".repeat(200);
    format!(
        "---
schema: olm.package
name: {name}
defaultChannel: stable
icon:
  base64data: {icon}
  mediatype: image/png
---
schema: olm.channel
package: {name}
name: stable
entries:
{entries}{bundles}"
    )
}

fn bundle(package: &str, number: usize) -> String {
    let examples = "          {
            \"kind\": \"Example\",
            \"spec\": {
              \"size\": 1
            }
          },
"
    .repeat(6);
    let crds = "      - kind: Example
        name: examples.example.com
        version: v1
        displayName: \"An example\"
"
    .repeat(4);
    let description = "      A paragraph of the description, with `code`, [links](https://example.com) and \"quotes\".

"
    .repeat(12);
    format!(
        "---
schema: olm.bundle
package: {package}
name: {package}.v1.{number}.0
image: registry.example.com/{package}:1.{number}.0
properties:
- type: olm.gvk
  value:
    group: {package}.example.com
    kind: Example
    version: v1
- type: olm.package
  value:
    packageName: {package}
    version: 1.{number}.0
- type: olm.csv.metadata
  value:
    annotations:
      alm-examples: |-
        [
{examples}        ]
      capabilities: Basic Install
      createdAt: \"2026-01-01T00:00:00Z\"
      description: An operator that runs examples, and the description of it goes on
        over some lines, as those of real operators do.
    crdDescriptions:
      owned:
{crds}    description: |
{description}    installModes:
    - supported: false
      type: OwnNamespace
    - supported: true
      type: AllNamespaces
    keywords:
    - example
    provider:
      name: Example
relatedImages:
- image: registry.example.com/{package}:1.{number}.0
  name: \"\"
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    #[wasm_bindgen_test]
    fn all_of_the_catalog_is_read_and_has_no_errors() {
        let mut warm_up = WarmUp::new();
        let mut steps = 1;
        while !warm_up.step() {
            steps += 1;
        }
        assert!(steps > 1);
        warm_up.workbench.start_checks();
        let overview = warm_up.workbench.overview();
        assert_eq!(overview.packages.len(), PACKAGES);
        assert!(overview.packages.iter().all(|package| package.findings.errors == 0), "{overview:?}");
    }
}
