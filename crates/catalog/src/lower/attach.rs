//! Adds properties from files next to a catalog to its bundles.

use super::bundle;
use crate::{BundleName, Catalog};
use fbc::Legacy;
use source::{Diagnostic, Findings};
use std::fmt;
use std::sync::Arc;

/// The catalog has no bundle with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchBundle(
    /// The name.
    pub BundleName,
);

impl fmt::Display for NoSuchBundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the catalog has no bundle `{}`", self.0)
    }
}

impl std::error::Error for NoSuchBundle {}

/// Adds the properties of a `dependencies.yaml` or `properties.yaml` to the bundle `name`, after its own, in every package
/// that has a bundle with this name. `text` is the text of the file.
///
/// Returns findings about the values. None of them stands for an error of `opm`, which reads such files only when it
/// renders a bundle image.
///
/// # Errors
/// If the catalog has no such bundle.
pub fn attach(
    catalog: &mut Catalog,
    name: &BundleName,
    legacy: &Legacy,
    text: &str,
) -> Result<Vec<Diagnostic>, NoSuchBundle> {
    let mut findings = Findings::default();
    let properties = bundle::properties(&legacy.properties, name, text, &mut findings);
    let mut diagnostics = findings.into_diagnostics();
    for finding in &mut diagnostics {
        finding.opm = None;
    }
    let mut is_found = false;
    for package in &mut catalog.packages {
        if let Ok(at) = package.bundles.binary_search_by(|bundle| bundle.name.value.cmp(name)) {
            Arc::make_mut(package).bundles[at].properties.extend(properties.iter().cloned());
            is_found = true;
        }
    }
    if is_found { Ok(diagnostics) } else { Err(NoSuchBundle(name.clone())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParsedFile, lower};
    use source::FileId;

    fn catalog() -> Catalog {
        let text = "schema: olm.bundle\npackage: a\nname: a.v1\nproperties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}]\n";
        let parse = fbc::parse(FileId(0), text);
        lower(&[ParsedFile { text, parse: &parse }]).0
    }

    fn attached(name: &str, text: &str) -> Result<(Vec<String>, Vec<String>), NoSuchBundle> {
        let mut catalog = catalog();
        let legacy = fbc::legacy(FileId(1), text).expect("a file of properties");
        let findings = attach(&mut catalog, &name.into(), &legacy, text)?;
        let kinds = catalog.packages[0].bundles[0].properties.iter().map(|property| property.value.kind().to_owned());
        Ok((kinds.collect(), findings.into_iter().map(|finding| finding.message).collect()))
    }

    #[test]
    fn properties_are_added_after_those_of_the_bundle() {
        let (kinds, findings) = attached("a.v1", "properties: [{type: sushi, value: salmon}]").unwrap();
        assert_eq!((kinds, findings), (vec!["olm.package".to_owned(), "sushi".to_owned()], Vec::new()));
    }

    #[test]
    fn an_invalid_value_is_reported() {
        let (kinds, findings) = attached("a.v1", "dependencies: [{type: olm.gvk, value: 1}]").unwrap();
        assert_eq!((kinds.len(), findings.len()), (1, 1));
    }

    #[test]
    fn an_unknown_bundle_is_an_error() {
        assert_eq!(attached("b.v1", "properties: []"), Err(NoSuchBundle("b.v1".into())));
    }
}
