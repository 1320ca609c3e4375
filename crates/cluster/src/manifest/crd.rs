//! CustomResourceDefinitions of a cluster: of these OLM reads which versions objects are stored in.

use std::collections::BTreeMap;

use super::fields::Fields;

/// The kind of the object.
pub(super) const KIND: &str = "CustomResourceDefinition";
/// Its API group.
pub(super) const GROUP: &str = "apiextensions.k8s.io/";

/// Adds a CustomResourceDefinition: `status.storedVersions` by name. Of two of one name the first counts.
pub(super) fn read(fields: &Fields<'_, '_>, into: &mut BTreeMap<Box<str>, Vec<Box<str>>>) {
    let name = fields.part("metadata").required("name");
    let stored = fields.part("status").texts("storedVersions").into_iter().map(Box::from).collect();
    if let Some(name) = name.filter(|_| fields.is_valid()) {
        into.entry(name.into()).or_insert(stored);
    }
}
