//! `oneOf`: crdify `pkg/validations/property/oneof.go`.

use crate::finding::{Change, OneOfChange};
use crate::go;
use crate::schema::Schema;

/// Members are told apart by their dumps, without what does not restrict values. A dump with an address of memory is never
/// the same twice.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<Change> {
    let (old, new) = (members(old), members(new));
    let without = |members: &[(String, bool)], others: &[(String, bool)]| {
        let is_new = |member: &&(String, bool)| member.1 || !others.contains(member);
        members.iter().filter(is_new).map(|(dump, _)| dump.clone()).collect::<Vec<_>>()
    };
    let (removed, added) = (without(&old, &new), without(&new, &old));
    let (how, members) = match () {
        () if old.is_empty() && !added.is_empty() => (OneOfChange::New, added),
        () if !removed.is_empty() => (OneOfChange::Removed, removed),
        () if !added.is_empty() => (OneOfChange::Added, added),
        () => return None,
    };
    Some(Change::OneOf { how, members })
}

/// The dumps of the members, sorted, and whether they have addresses of memory.
fn members(schema: &Schema) -> Vec<(String, bool)> {
    let dump = |member: &Schema| {
        let structure = Schema {
            description: String::new(),
            title: String::new(),
            example: None,
            external_docs: None,
            ..member.clone()
        };
        go::dump(&go::schema(&structure))
    };
    let mut dumps: Vec<(String, bool)> = schema.one_of.iter().map(dump).collect();
    dumps.sort();
    dumps.dedup();
    dumps
}
