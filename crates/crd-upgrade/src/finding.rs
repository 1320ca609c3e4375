//! What the check of OLM v1 finds, as values; the texts are in `wording.rs`.

use crate::go::Go;
use crate::schema::Raw;

/// Something that forbids an upgrade.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub place: Place,
    /// What is different.
    pub change: SchemaChange,
}

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Crd,
    /// A property of a version that both CRDs have.
    Version {
        version: Box<str>,
        /// The path of the property, such as `^.spec.replicas`.
        path: String,
    },
    /// A property that two served versions of the new CRD have.
    Served {
        /// The older version.
        old: Box<str>,
        /// The newer version.
        new: Box<str>,
        /// The path of the property in the older version.
        path: String,
    },
}

/// What is different.
#[derive(Clone, Debug, PartialEq)]
pub enum SchemaChange {
    /// `spec.scope` is another one.
    Scope {
        /// The old scope.
        old: Box<str>,
        /// The new scope.
        new: Box<str>,
    },
    /// Versions that objects are stored in are gone.
    StoredVersions(
        /// Their names.
        Vec<Box<str>>,
    ),
    /// A property is gone.
    Field { version: Box<str>, path: String },
    /// `default` was added, removed or changed.
    Default { old: Option<Raw>, new: Option<Raw> },
    /// `enum` restricts a property that was not restricted.
    EnumAdded(
        /// The values, sorted.
        Vec<Raw>,
    ),
    /// `enum` has fewer values.
    EnumRemoved(
        /// The values that are gone, sorted.
        Vec<Raw>,
    ),
    /// An upper limit was added or lowered.
    Maximum { limit: Maximum, old: Option<Limit>, new: Limit },
    /// A lower limit was added or raised.
    Minimum { limit: Minimum, old: Option<Limit>, new: Limit },
    /// More properties are required.
    Required(
        /// Their names, sorted; OLM prints them in any order.
        Vec<String>,
    ),
    /// `type` is another one, or none.
    Type {
        /// The old type.
        old: String,
        /// The new type.
        new: String,
    },
    /// `pattern` was added, removed or changed.
    Pattern {
        /// The old pattern.
        old: String,
        /// The new pattern.
        new: String,
    },
    /// `nullable` is the opposite.
    Nullable {
        /// Whether the property may be null now.
        is_nullable: bool,
    },
    /// `oneOf` is new or has other members.
    OneOf {
        how: OneOfChange,
        /// OLM's dumps of the members that this is about, sorted.
        members: Vec<String>,
        /// Whether the dumps are the same each time. Those with an address of memory are not, and OLM takes them for others.
        is_repeatable: bool,
    },
    /// Fields changed that no check knows.
    Unhandled(Vec<FieldChange>),
}

/// A field of a schema that no check knows, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// The name of the field in JSON.
    pub name: &'static str,
    pub(crate) change: ValueChange,
}

/// A value before and after. OLM compares the texts of such changes, in which a whole schema that comes or goes is like any other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueChange {
    /// With its text, if it has no schema.
    Added(Option<String>),
    Removed(Option<String>),
    Changed(Box<[Go; 2]>),
}

/// How `oneOf` changed. Of several changes OLM reports the first in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneOfChange {
    /// There was none before.
    New,
    /// Members are gone.
    Removed,
    /// There are more members.
    Added,
}

/// An upper limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maximum {
    Value,
    /// `maxItems`
    Items,
    /// `maxLength`
    Length,
    /// `maxProperties`
    Properties,
}

/// A lower limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minimum {
    Value,
    /// `minItems`
    Items,
    /// `minLength`
    Length,
    /// `minProperties`
    Properties,
}

/// The value of a limit.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Limit {
    Float(f64),
    /// Of a length or count.
    Integer(i64),
}
