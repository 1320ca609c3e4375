//! Requirements of bundles, and which bundles meet them (`predicates.go` and `resolver.go` of OLM's
//! `pkg/controller/registry/resolver`).

use crate::predicate::constraint::{self, Constraint};
use crate::predicate::{Gvk, PackageName, Property};
use cel::{EvalError, Fuel, NotKnown, Program};
use go_semver::blang::{Range, RangePanic, Version};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A predicate over bundles.
#[derive(Clone, Debug, PartialEq)]
pub enum Requirement {
    /// Provides an API.
    Gvk(Gvk),
    /// Is of a package, in a range of versions.
    Package {
        name: PackageName,
        range: Range,
        /// The range as written.
        text: Box<str>,
    },
    Label(Box<str>),
    /// Meets all of them; none of them is always met.
    All(Vec<Requirement>),
    /// Meets at least one of them; none of them is never met.
    Any(Vec<Requirement>),
    /// Meets none of them.
    Not(Vec<Requirement>),
    /// Makes a rule of the Common Expression Language true.
    Cel {
        rule: Box<str>,
        /// `failureMessage`
        message: Box<str>,
        /// The rule, ready to be evaluated.
        program: Arc<Program>,
    },
}

/// Why OLM cannot read a requirement, which aborts the resolution of the whole namespace. Shows OLM's own text, except for
/// syntax errors of CEL rules (see [`cel::CompileError`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementError(pub(crate) Box<str>);

impl fmt::Display for RequirementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RequirementError {}

/// Why it is not known whether a bundle meets a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unevaluated {
    /// The result of a rule in cel-go is not known.
    Cel { rule: Box<str>, why: NotKnown },
    /// OLM would crash on the range.
    Range {
        range: Box<str>,
        /// How it crashes.
        panic: RangePanic,
    },
}

impl fmt::Display for Unevaluated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cel { rule, why } => write!(f, "cannot evaluate the CEL rule `{rule}`: it {why}"),
            Self::Range { range, panic } => write!(f, "the range `{range}`: {panic}"),
        }
    }
}

impl std::error::Error for Unevaluated {}

impl Requirement {
    /// The requirement of a property; `None` for properties that require nothing.
    ///
    /// # Errors
    /// When OLM cannot read it and gives up on the namespace.
    pub fn of(property: &Property) -> Option<Result<Self, RequirementError>> {
        match property {
            Property::GvkRequired(gvk, _) => Some(Ok(Self::Gvk(gvk.clone()))),
            Property::PackageRequired { name, range, .. } => Some(Self::package(name.as_str(), range)),
            Property::Other { kind, value } => Self::of_other(kind, value),
            Property::Package { .. } | Property::Gvk(..) => None,
        }
    }

    /// The requirement of a property of another type, or without the shape of its type.
    fn of_other(kind: &str, value: &Value) -> Option<Result<Self, RequirementError>> {
        match kind {
            "olm.gvk.required" => {
                Some(constraint::anonymous(["group", "version", "kind"], value).map(|[group, version, kind]| {
                    Self::Gvk(Gvk { group: group.into(), version: version.into(), kind: kind.into() })
                }))
            }
            "olm.package.required" => {
                let fields = constraint::anonymous(["packageName", "versionRange"], value);
                Some(fields.and_then(|[name, range]| Self::package(name, range)))
            }
            "olm.label.required" => {
                Some(constraint::anonymous(["label"], value).map(|[label]| Self::Label(label.into())))
            }
            "olm.constraint" => Some(Constraint::parse(value).and_then(Self::of_constraint)),
            _ => None,
        }
    }

    fn of_constraint(constraint: Constraint) -> Result<Self, RequirementError> {
        let wrap = |error| RequirementError(format!("convert olm.constraint to resolver predicate: {error}").into());
        Self::convert(constraint).map_err(wrap)
    }

    /// If a constraint has several kinds, OLM reads the first one in this order.
    fn convert(constraint: Constraint) -> Result<Self, RequirementError> {
        match constraint {
            Constraint { gvk: Some(gvk), .. } => Ok(Self::Gvk(gvk)),
            Constraint { package: Some((name, range)), .. } => Self::package(&name, &range),
            Constraint { all: Some(inner), .. } => Self::convert_each(inner).map(Self::All),
            Constraint { any: Some(inner), .. } => Self::convert_each(inner).map(Self::Any),
            Constraint { not: Some(inner), .. } => Self::convert_each(inner).map(Self::Not),
            Constraint { cel: Some(rule), failure_message, .. } => Self::cel(rule, failure_message),
            _ => Err(RequirementError("constraint is empty".into())),
        }
    }

    fn convert_each(constraints: Vec<Constraint>) -> Result<Vec<Self>, RequirementError> {
        constraints.into_iter().map(Self::convert).collect()
    }

    fn cel(rule: Box<str>, message: Box<str>) -> Result<Self, RequirementError> {
        match Program::compile(&rule) {
            Ok(program) => Ok(Self::Cel { rule, message, program: Arc::new(program) }),
            Err(error) => Err(RequirementError(error.to_string().into())),
        }
    }

    fn package(name: &str, text: &str) -> Result<Self, RequirementError> {
        match Range::parse(text) {
            Ok(range) => Ok(Self::Package { name: name.into(), range, text: text.into() }),
            Err(error) => Err(RequirementError(error.to_string().into())),
        }
    }

    /// Whether a bundle of this package, version and these properties meets the requirement.
    ///
    /// Package and version may come from any `olm.package` property or from the bundle's entry in the catalog, and need not
    /// come from the same place.
    ///
    /// # Errors
    /// When the answer depends on a CEL rule whose result in cel-go is not known, or on a range that crashes OLM.
    pub fn holds<'p>(
        &self,
        package: &PackageName,
        version: Option<&Version>,
        properties: impl Iterator<Item = &'p Property> + Clone,
    ) -> Result<bool, Unevaluated> {
        self.holds_within(package, version, properties, &mut Fuel::default())
    }

    /// As [`holds`](Self::holds), with fuel that the evaluations of several CEL rules share.
    ///
    /// # Errors
    /// As those of [`holds`](Self::holds), and when the fuel is used up.
    pub fn holds_within<'p>(
        &self,
        package: &PackageName,
        version: Option<&Version>,
        properties: impl Iterator<Item = &'p Property> + Clone,
        fuel: &mut Fuel,
    ) -> Result<bool, Unevaluated> {
        self.holds_for(&mut Candidate { package, version, properties, fuel })
    }

    fn holds_for<'p, I: Iterator<Item = &'p Property> + Clone>(
        &self,
        candidate: &mut Candidate<'_, I>,
    ) -> Result<bool, Unevaluated> {
        match self {
            Self::Gvk(wanted) => {
                Ok(candidate.has(|property| matches!(property, Property::Gvk(gvk, _) if gvk == wanted)))
            }
            Self::Label(wanted) => Ok(candidate.has(|property| label(property) == Some(wanted))),
            Self::Package { name, range, text } => Ok(candidate.is_of(name) && candidate.is_in(range, text)?),
            Self::All(inner) => Ok(!candidate.meets_until(inner, false)?),
            Self::Any(inner) => candidate.meets_until(inner, true),
            Self::Not(inner) => candidate.meets_until(inner, true).map(|met| !met),
            Self::Cel { rule, program, .. } => candidate.makes_true(rule, program),
        }
    }
}

/// The text of an `olm.label` property.
fn label(property: &Property) -> Option<&str> {
    match property {
        Property::Other { kind, value } if **kind == *"olm.label" => {
            constraint::anonymous(["label"], value).ok().map(|[label]| label)
        }
        _ => None,
    }
}

/// The bundle that a requirement is tested on.
struct Candidate<'c, I> {
    package: &'c PackageName,
    version: Option<&'c Version>,
    properties: I,
    fuel: &'c mut Fuel,
}

impl<'p, I: Iterator<Item = &'p Property> + Clone> Candidate<'_, I> {
    fn has(&self, test: impl FnMut(&'p Property) -> bool) -> bool {
        self.properties.clone().any(test)
    }

    fn is_of(&self, package: &PackageName) -> bool {
        self.package == package
            || self.has(|property| matches!(property, Property::Package { name, .. } if name == package))
    }

    fn is_in(&self, range: &Range, text: &str) -> Result<bool, Unevaluated> {
        let own = self.properties.clone().filter_map(|property| match property {
            Property::Package { version, .. } => Version::parse(version).ok(),
            _ => None,
        });
        for version in own.chain(self.version.cloned()) {
            if range.matches(&version).map_err(|panic| Unevaluated::Range { range: text.into(), panic })? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a rule is true for the properties; OLM takes errors for `false`.
    fn makes_true(&mut self, rule: &str, program: &Program) -> Result<bool, Unevaluated> {
        let properties: Vec<cel::Property<'_>> = self.properties.clone().map(Property::for_cel).collect();
        match program.evaluate(&properties, self.fuel) {
            Ok(met) => Ok(met),
            Err(EvalError::Failed(_)) => Ok(false),
            Err(EvalError::NotKnown(why)) => Err(Unevaluated::Cel { rule: rule.into(), why }),
        }
    }

    /// Whether one of the requirements, in order, has the answer `wanted`.
    fn meets_until(&mut self, requirements: &[Requirement], wanted: bool) -> Result<bool, Unevaluated> {
        for requirement in requirements {
            if requirement.holds_for(self)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// OLM's text for the predicate in its condition messages. There, `Not` of one requirement reads like the requirement
/// itself, and nothing is in parentheses.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, inner: &[Self], separator: &str| {
            inner.iter().enumerate().try_for_each(|(index, requirement)| {
                let before = if index == 0 { "" } else { separator };
                write!(f, "{before}{requirement}")
            })
        };
        match self {
            Self::Gvk(Gvk { group, version, kind }) => {
                write!(f, "providing an API with group: {group}, version: {version}, kind: {kind}")
            }
            Self::Package { name, text, .. } => write!(f, "with package: {name} and with version in range: {text}"),
            Self::Label(label) => write!(f, "with label: {label}"),
            Self::All(inner) => joined(f, inner, " and "),
            Self::Any(inner) => joined(f, inner, " or "),
            Self::Not(inner) => joined(f, inner, " and not "),
            Self::Cel { rule, message, .. } => {
                let (rule, message) = (go_semver::blang::Quoted(rule), go_semver::blang::Quoted(message));
                write!(f, "with constraint: {rule} and message: {message}")
            }
        }
    }
}

/// Writes another range for a required package, in every part of a value that requires it in the range `from`.
pub fn exchange_range(value: &mut Value, required: &str, [from, to]: [&str; 2]) {
    match value {
        Value::Object(fields) => {
            let has = |key: &str, text: &str| fields.get(key).and_then(Value::as_str) == Some(text);
            if has("packageName", required) && has("versionRange", from) {
                fields.insert("versionRange".to_owned(), to.into());
            }
            fields.values_mut().for_each(|inner| exchange_range(inner, required, [from, to]));
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| exchange_range(inner, required, [from, to])),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

// Keys by which properties with the same requirement are recognized.

/// Identifies the requirement of a property without parsing it: parsing is slow, and thousands of bundles have the same
/// requirement. Ordered by kind, then by text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequirementKey<'p>(Kind<'p>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind<'p> {
    Gvk(&'p Gvk),
    Package(&'p PackageName, &'p str),
    Other(&'p str, String),
}

/// The types that [`Requirement::of`](crate::predicate::Requirement::of) reads in [`Property::Other`]. Properties without the shape of
/// their type are among them.
const TYPES: [&str; 4] = ["olm.constraint", "olm.gvk.required", "olm.label.required", "olm.package.required"];

impl<'p> RequirementKey<'p> {
    /// The key of a property; `None` if it requires nothing.
    pub fn of(property: &'p Property) -> Option<Self> {
        match property {
            Property::GvkRequired(gvk, _) => Some(Self(Kind::Gvk(gvk))),
            Property::PackageRequired { name, range, .. } => Some(Self(Kind::Package(name, range))),
            Property::Other { kind, value } if TYPES.contains(&&**kind) => {
                Some(Self(Kind::Other(kind, value.to_string())))
            }
            Property::Other { .. } | Property::Package { .. } | Property::Gvk(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn properties_with_a_key_have_a_requirement() {
        for kind in TYPES.into_iter().chain(["olm.label", "olm.csv.metadata", "app.constraint"]) {
            let property = Property::Other { kind: kind.into(), value: json!({}) };
            assert_eq!(RequirementKey::of(&property).is_some(), Requirement::of(&property).is_some(), "{kind}");
        }
    }
}
