//! `unhandled`: what no other check looks at must not change (crdify `pkg/validations/compare.go`).

use crate::finding::Change;
use crate::go::{self, Go};
use crate::schema::Schema;

/// Properties and items are compared at paths of their own; other schemas in a schema are compared here as well.
pub(super) fn check(old: &Schema, new: &Schema) -> Option<Change> {
    let (old, new) = (go::unchecked(old), go::unchecked(new));
    let (Go::Struct(_, before), Go::Struct(_, after)) = (&old, &new) else { return None };
    let changed = before.iter().zip(after).filter(|(before, after)| before != after);
    let fields: Vec<&'static str> = changed.map(|((name, _), _)| *name).collect();
    (!fields.is_empty()).then(|| Change::Unhandled { fields, lines: go::changed_lines(&old, &new) })
}
