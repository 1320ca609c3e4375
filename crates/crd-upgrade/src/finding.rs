//! What the check of OLM v1 finds, as values, with their texts.

use crate::go::Go;
use crate::hop::Unknown;
use crate::schema::Raw;
use fbc::{float_with_v, quoted};
use std::fmt;

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
    Scope { old: Box<str>, new: Box<str> },
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
    Type { old: String, new: String },
    /// `pattern` was added, removed or changed.
    Pattern { old: String, new: String },
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

// OLM v1's texts: crdify's messages, and how operator-controller puts them together and shortens them
// (`internal/operator-controller/rukpak/preflights/crdupgradesafety/crdupgradesafety.go`).

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Crd => {}
            Place::Version { version, path } => write!(f, "{version}: {path}: ")?,
            Place::Served { old, new, path } => write!(f, "{old} -> {new}: {path}: ")?,
        }
        write!(f, "{}: {}", self.change.check(), self.change)
    }
}

impl SchemaChange {
    /// The name of the check that finds the change.
    #[must_use]
    pub const fn check(&self) -> &'static str {
        match self {
            Self::Scope { .. } => "scope",
            Self::StoredVersions(_) => "storedVersionRemoval",
            Self::Field { .. } => "existingFieldRemoval",
            Self::Default { .. } => "default",
            Self::EnumAdded(_) | Self::EnumRemoved(_) => "enum",
            Self::Maximum { limit, .. } => match limit {
                Maximum::Value => "maximum",
                Maximum::Items => "maxItems",
                Maximum::Length => "maxLength",
                Maximum::Properties => "maxProperties",
            },
            Self::Minimum { limit, .. } => match limit {
                Minimum::Value => "minimum",
                Minimum::Items => "minItems",
                Minimum::Length => "minLength",
                Minimum::Properties => "minProperties",
            },
            Self::Required(_) => "required",
            Self::Type { .. } => "type",
            Self::Pattern { .. } => "pattern",
            Self::Nullable { .. } => "nullable",
            Self::OneOf { .. } => "oneOf",
            Self::Unhandled(_) => "unhandled",
        }
    }
}

impl fmt::Display for SchemaChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scope { old, new } => write!(f, "scope changed : {} -> {}", quoted(old), quoted(new)),
            Self::StoredVersions(names) => write!(f, "stored versions removed : [{}]", names.join(" ")),
            Self::Field { version, path } => write!(f, "removed field : {version}.{path}"),
            Self::Default { old, new } => match (old, new) {
                (None, Some(new)) => write!(f, "default added when there was none previously : {}", quoted(&new.0)),
                (Some(old), None) => write!(f, "default value removed : {}", quoted(&old.0)),
                (old, new) => {
                    let text = |value: &Option<Raw>| quoted(value.as_ref().map_or("", |value| &value.0));
                    write!(f, "default value changed : {} -> {}", text(old), text(new))
                }
            },
            Self::EnumAdded(values) => {
                write!(f, "enum constraint added when there was none previously : {}", list(values))
            }
            Self::EnumRemoved(values) => write!(f, "allowed enum values removed : {}", list(values)),
            Self::Maximum { old: None, new, .. } => {
                write!(f, "maximum constraint added when there was none previously : {new}")
            }
            Self::Maximum { old: Some(old), new, .. } => write!(f, "maximum decreased : {old} -> {new}"),
            Self::Minimum { old: None, new, .. } => {
                write!(f, "minimum constraint added when there was none previously : {new}")
            }
            Self::Minimum { old: Some(old), new, .. } => write!(f, "minimum increased : {old} -> {new}"),
            Self::Required(names) => write!(f, "new required fields: [{}]", names.join(" ")),
            Self::Type { old, new } => write!(f, "type changed : {} -> {}", quoted(old), quoted(new)),
            Self::Pattern { old, new } => {
                let verb = match () {
                    () if old.is_empty() => "added",
                    () if new.is_empty() => "removed",
                    () => "changed",
                };
                write!(f, "pattern {verb} : {} -> {}", quoted(old), quoted(new))
            }
            Self::Nullable { is_nullable: true } => f.write_str("nullable added : false -> true"),
            Self::Nullable { is_nullable: false } => f.write_str("nullable removed : true -> false"),
            Self::OneOf { how, members, .. } => {
                let what = match how {
                    OneOfChange::New => "oneOf constraint added when there was none previously",
                    OneOfChange::Removed => "allowed oneOf schemas removed",
                    OneOfChange::Added => "allowed oneOf schemas added",
                };
                write!(f, "{what}: [{}]", members.join(" "))
            }
            Self::Unhandled(changes) => {
                let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
                write!(f, "unhandled changes found: {}", changes.join("; "))
            }
        }
    }
}

/// Our words: OLM shows a report of go-cmp here, whose layout is unstable on purpose.
impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, change } = self;
        match change {
            ValueChange::Added(None) => write!(f, "`{name}` added"),
            ValueChange::Added(Some(value)) => write!(f, "`{name}` added: {value}"),
            ValueChange::Removed(_) => write!(f, "`{name}` removed"),
            ValueChange::Changed(values) => match [values[0].short(), values[1].short()] {
                [Some(before), Some(after)] => write!(f, "`{name}` changed from {before} to {after}"),
                _ => write!(f, "`{name}` changed"),
            },
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Float(value) => f.write_str(&float_with_v(*value)),
            Self::Integer(value) => value.fmt(f),
        }
    }
}

fn list(values: &[Raw]) -> String {
    let values: Vec<&str> = values.iter().map(|value| value.0.as_str()).collect();
    format!("[{}]", values.join(" "))
}

/// A clause with names of errors in backticks.
impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOldBody => f.write_str("the catalog does not have its manifest in the installed bundle"),
            Self::NoNewBody => f.write_str("the catalog does not have its manifest in the next bundle"),
            Self::NoOldList => f.write_str(
                "the installed bundle may have it, too: the catalog does not list its CustomResourceDefinitions",
            ),
            Self::NoNewList => {
                f.write_str("the next bundle may have it, too: the catalog does not list its CustomResourceDefinitions")
            }
            Self::OldUnreadable(error) => {
                write!(f, "its manifest in the installed bundle cannot be read: `{error}`")
            }
            Self::NewUnreadable(error) => write!(f, "its manifest in the next bundle cannot be read: `{error}`"),
        }
    }
}
