//! The checks, one file for each. Those of the whole CRD take two CRDs, those of a property two schemas.

mod default;
mod enumeration;
pub(crate) mod existing_fields;
mod limits;
mod nullable;
mod one_of;
mod pattern;
mod required;
pub(crate) mod scope;
pub(crate) mod stored_versions;
mod type_name;
mod unhandled;

#[cfg(test)]
mod testing;

use crate::finding::SchemaChange;
use crate::schema::Schema;

/// What all checks find for one property.
pub(crate) fn of_property(old: &Schema, new: &Schema) -> Vec<SchemaChange> {
    let mut found: Vec<SchemaChange> = Vec::new();
    found.extend(default::check(old, new));
    found.extend(enumeration::check(old, new));
    found.extend(limits::check(old, new));
    found.extend(required::check(old, new));
    found.extend(type_name::check(old, new));
    found.extend(pattern::check(old, new));
    found.extend(nullable::check(old, new));
    found.extend(one_of::check(old, new));
    found.extend(unhandled::check(old, new));
    found
}
