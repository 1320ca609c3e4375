//! `spec.config.inline` of an extension, checked against the schema that the install modes of a bundle give (operator-controller
//! `internal/operator-controller/rukpak/bundle/registryv1.go`, `internal/operator-controller/config/config.go`).
//!
//! What a `deploymentConfig` has is not checked. The texts are those that operator-controller makes of the findings of santhosh-tekuri/jsonschema v6.

use std::collections::BTreeSet;
use std::fmt;

use catalog::is_dns_label;
use cluster::{ConfigValue, InlineConfig};
use go_semver::blang::Quoted;

/// The install mode that a bundle must support, unless the feature gate `SingleOwnNamespaceInstallSupport` is on.
pub(crate) const ALL_NAMESPACES: &str = "AllNamespaces";
pub(crate) const OWN_NAMESPACE: &str = "OwnNamespace";
pub(crate) const SINGLE_NAMESPACE: &str = "SingleNamespace";
/// The field for the namespace that the operator watches.
const WATCH_NAMESPACE: &str = "watchNamespace";
/// The field that the feature gate `DeploymentConfig` allows.
const DEPLOYMENT_CONFIG: &str = "deploymentConfig";
/// The maximum length of the name of a namespace.
const LONGEST_NAMESPACE: usize = 63;

/// What is wrong with a configuration. The `Display` form is OLM's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The faults, in OLM's order; at least one.
    pub faults: Vec<ConfigFault>,
}

impl ConfigError {
    /// Whether `deploymentConfig` is refused.
    pub(crate) fn has_deployment_config(&self) -> bool {
        let has =
            |fault: &ConfigFault| matches!(fault, ConfigFault::Unknown(names) if names.contains(DEPLOYMENT_CONFIG));
        self.faults.iter().any(has)
    }
}

/// Something wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigFault {
    /// `watchNamespace` is missing or null, and the bundle does not support `AllNamespaces`.
    Missing,
    /// The value of `watchNamespace` is neither null nor a namespace; the faults behind this one say why.
    NoAlternative,
    /// The type of `watchNamespace` is wrong.
    Type { found: &'static str, expected: &'static str },
    /// `watchNamespace` is not the namespace of the operator, and the bundle supports no other one.
    NotOwnNamespace {
        value: Box<str>,
        /// The namespace of the operator.
        own: Box<str>,
    },
    /// `watchNamespace` is the namespace of the operator, and the bundle supports only other ones.
    OwnNamespace { value: Box<str> },
    /// The faults behind this one are about the same value.
    Several,
    /// `watchNamespace` is empty.
    Empty,
    /// `watchNamespace` is longer than the name of a namespace, with this number of characters.
    TooLong(usize),
    /// `watchNamespace` is no DNS label.
    Form,
    /// Fields that the bundle does not have. OLM names one of them, by chance; the text names the first one.
    Unknown(
        /// At least one.
        BTreeSet<Box<str>>,
    ),
}

/// Checks a configuration for a bundle that supports these install modes, and is installed in a namespace.
///
/// # Errors
/// When OLM v1 refuses the configuration.
pub(crate) fn check(
    config: &InlineConfig,
    install_modes: &BTreeSet<Box<str>>,
    namespace: &str,
    has_deployment_config: bool,
) -> Result<(), ConfigError> {
    let supports = |mode: &str| install_modes.contains(mode);
    let schema = Schema {
        own: supports(OWN_NAMESPACE),
        single: supports(SINGLE_NAMESPACE),
        all: supports(ALL_NAMESPACES),
        namespace,
    };
    let has_watch_namespace = schema.own || schema.single;
    let is_known = |name: &str| {
        (has_watch_namespace && name == WATCH_NAMESPACE) || (has_deployment_config && name == DEPLOYMENT_CONFIG)
    };
    let unknown: BTreeSet<Box<str>> = config.keys().filter(|name| !is_known(name)).cloned().collect();
    let mut faults = match config.get(WATCH_NAMESPACE) {
        _ if !has_watch_namespace => Vec::new(),
        Some(value) if schema.all => schema.optional_faults(value),
        Some(value) => schema.text_faults(value),
        None if schema.all => Vec::new(),
        None => vec![ConfigFault::Missing],
    };
    if faults.len() > 1 && !schema.all && !unknown.is_empty() {
        faults.insert(0, ConfigFault::Several);
    }
    faults.extend((!unknown.is_empty()).then_some(ConfigFault::Unknown(unknown)));
    if faults.is_empty() { Ok(()) } else { Err(ConfigError { faults }) }
}

struct Schema<'n> {
    own: bool,
    single: bool,
    all: bool,
    namespace: &'n str,
}

impl Schema<'_> {
    /// A value that may be null: `anyOf` of null and a namespace.
    fn optional_faults(&self, value: &ConfigValue) -> Vec<ConfigFault> {
        let faults = self.text_faults(value);
        if *value == ConfigValue::Null || faults.is_empty() {
            return Vec::new();
        }
        let no_null = ConfigFault::Type { found: value.kind(), expected: "null" };
        let several = (faults.len() > 1).then_some(ConfigFault::Several);
        [ConfigFault::NoAlternative, no_null].into_iter().chain(several).chain(faults).collect()
    }

    /// A value that must be a namespace.
    fn text_faults(&self, value: &ConfigValue) -> Vec<ConfigFault> {
        let text = match value {
            ConfigValue::Text(text) => text,
            ConfigValue::Null => return vec![ConfigFault::Missing],
            other => return vec![ConfigFault::Type { found: other.kind(), expected: "string" }],
        };
        // The format comes first, and nothing is checked behind it.
        let is_own = **text == *self.namespace;
        match (self.own, self.single) {
            (true, false) if !is_own => {
                return vec![ConfigFault::NotOwnNamespace { value: text.clone(), own: self.namespace.into() }];
            }
            (false, true) if is_own => return vec![ConfigFault::OwnNamespace { value: text.clone() }],
            _ => {}
        }
        let length = text.chars().count();
        let faults = [
            text.is_empty().then_some(ConfigFault::Empty),
            (length > LONGEST_NAMESPACE).then_some(ConfigFault::TooLong(length)),
            (!is_dns_label(text)).then_some(ConfigFault::Form),
        ];
        faults.into_iter().flatten().collect()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid ClusterExtension configuration: invalid configuration: ")?;
        match self.faults.as_slice() {
            [fault] => fault.fmt(f),
            faults => {
                f.write_str("multiple errors found:")?;
                faults.iter().try_for_each(|fault| write!(f, "\n  - {fault}"))
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = Quoted(WATCH_NAMESPACE);
        match self {
            Self::Missing => write!(f, "required field {field} is missing"),
            Self::NoAlternative => write!(f, "invalid value for field {field}"),
            Self::Type { found, expected } => {
                write!(f, "invalid type for field {field}: got {found}, want {expected}")
            }
            Self::NotOwnNamespace { value, own } => write!(
                f,
                "invalid format for field {field}: {} is not valid ownNamespaceInstallMode: invalid value {}: must be {} (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode",
                single_quoted(value),
                Quoted(value),
                Quoted(own)
            ),
            Self::OwnNamespace { value } => write!(
                f,
                "invalid format for field {field}: {} is not valid singleNamespaceInstallMode: invalid value {}: must be different from {} (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace",
                single_quoted(value),
                Quoted(value),
                Quoted(value)
            ),
            Self::Several => f.write_str("validation failed"),
            Self::Empty => write!(f, "field {field} must have minimum length of 1 (len=0)"),
            Self::TooLong(length) => {
                write!(f, "field {field} must have maximum length of {LONGEST_NAMESPACE} (len={length})")
            }
            Self::Form => write!(f, "field {field} must match pattern \"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\""),
            Self::Unknown(names) => {
                let name = names.first().map(|name| single_quoted(name)).unwrap_or_default();
                // OLM takes the name from the text of the library, up to the second quote.
                let name = name.split('\'').nth(1).unwrap_or_default();
                write!(f, "unknown field {}", Quoted(name))
            }
        }
    }
}

/// A text as the library quotes it.
fn single_quoted(text: &str) -> String {
    let quoted = Quoted(text).to_string().replace("\\\"", "\"").replace('\'', "\\'");
    let inner = quoted.strip_prefix('"').and_then(|quoted| quoted.strip_suffix('"')).unwrap_or(&quoted);
    format!("'{inner}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "AllNamespaces";
    const OWN: &str = "OwnNamespace";
    const SINGLE: &str = "SingleNamespace";
    const MULTI: &str = "MultiNamespace";

    /// Checks the lines behind the prefix, for an operator in the namespace `ns`.
    #[track_caller]
    fn check(modes: &[&str], config: &[(&str, ConfigValue)], expected: &str) {
        let config = config.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        let modes = modes.iter().map(|mode| (*mode).into()).collect();
        let found = super::check(&config, &modes, "ns", false).err().map(|error| error.to_string()).unwrap_or_default();
        let prefix = "invalid ClusterExtension configuration: invalid configuration: ";
        let expected = if expected.is_empty() { String::new() } else { format!("{prefix}{expected}") };
        assert_eq!(found, expected);
    }

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.into())
    }

    #[test]
    fn without_own_and_single_namespace_every_field_is_unknown() {
        for modes in [&[ALL][..], &[MULTI], &[ALL, MULTI]] {
            check(modes, &[(WATCH_NAMESPACE, text("ns"))], "unknown field \"watchNamespace\"");
            check(modes, &[("deploymentConfig", ConfigValue::Object)], "unknown field \"deploymentConfig\"");
            check(modes, &[("b", ConfigValue::Null), ("a", ConfigValue::List)], "unknown field \"a\"");
        }
        check(&[ALL], &[("it's", ConfigValue::Null)], "unknown field \"it\\\\\"");
        check(&[ALL], &[], "");
    }

    #[test]
    fn the_namespace_is_required_without_all_namespaces() {
        let missing = "required field \"watchNamespace\" is missing";
        for modes in [&[OWN][..], &[SINGLE], &[OWN, SINGLE], &[OWN, MULTI]] {
            check(modes, &[], missing);
            check(modes, &[(WATCH_NAMESPACE, ConfigValue::Null)], missing);
        }
        for modes in [[ALL, OWN], [ALL, SINGLE]] {
            check(&modes, &[], "");
            check(&modes, &[(WATCH_NAMESPACE, ConfigValue::Null)], "");
        }
        check(
            &[OWN],
            &[("other", text(""))],
            "multiple errors found:\n  - required field \"watchNamespace\" is missing\n  - unknown field \"other\"",
        );
    }

    #[test]
    fn the_namespace_has_the_format_of_the_install_mode() {
        let own = "invalid format for field \"watchNamespace\": 'other' is not valid ownNamespaceInstallMode: invalid value \"other\": must be \"ns\" (the namespace where the operator is installed) because this operator only supports OwnNamespace install mode";
        let single = "invalid format for field \"watchNamespace\": 'ns' is not valid singleNamespaceInstallMode: invalid value \"ns\": must be different from \"ns\" (the install namespace) because this operator uses SingleNamespace install mode to watch a different namespace";
        check(&[OWN], &[(WATCH_NAMESPACE, text("ns"))], "");
        check(&[OWN], &[(WATCH_NAMESPACE, text("other"))], own);
        check(&[SINGLE], &[(WATCH_NAMESPACE, text("other"))], "");
        check(&[SINGLE, MULTI], &[(WATCH_NAMESPACE, text("ns"))], single);
        for namespace in ["ns", "other"] {
            check(&[OWN, SINGLE], &[(WATCH_NAMESPACE, text(namespace))], "");
            check(&[ALL, OWN, SINGLE], &[(WATCH_NAMESPACE, text(namespace))], "");
        }
        let alternatives = "multiple errors found:\n  - invalid value for field \"watchNamespace\"\n  - invalid type for field \"watchNamespace\": got string, want null\n  - ";
        check(&[ALL, OWN], &[(WATCH_NAMESPACE, text("other"))], &format!("{alternatives}{own}"));
        check(&[ALL, SINGLE], &[(WATCH_NAMESPACE, text("ns"))], &format!("{alternatives}{single}"));
    }

    #[test]
    fn the_namespace_is_a_text_and_a_dns_label() {
        let wrong = |found: &str| format!("invalid type for field \"watchNamespace\": got {found}, want string");
        check(&[SINGLE], &[(WATCH_NAMESPACE, ConfigValue::Number)], &wrong("number"));
        check(&[OWN], &[(WATCH_NAMESPACE, ConfigValue::Object)], &wrong("object"));
        let form = "field \"watchNamespace\" must match pattern \"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\"";
        check(&[SINGLE], &[(WATCH_NAMESPACE, text("a_b"))], form);
        let long = "field \"watchNamespace\" must have maximum length of 63 (len=64)";
        let value = (WATCH_NAMESPACE, text(&"A".repeat(64)));
        check(&[OWN, SINGLE], std::slice::from_ref(&value), &format!("multiple errors found:\n  - {long}\n  - {form}"));
        let unknown = "unknown field \"x\"";
        check(
            &[OWN, SINGLE],
            &[value.clone(), ("x", ConfigValue::Boolean)],
            &format!("multiple errors found:\n  - validation failed\n  - {long}\n  - {form}\n  - {unknown}"),
        );
        check(
            &[ALL, OWN, SINGLE],
            &[value],
            &format!(
                "multiple errors found:\n  - invalid value for field \"watchNamespace\"\n  - invalid type for field \"watchNamespace\": got string, want null\n  - validation failed\n  - {long}\n  - {form}"
            ),
        );
        let empty = "field \"watchNamespace\" must have minimum length of 1 (len=0)";
        check(&[SINGLE], &[(WATCH_NAMESPACE, text(""))], &format!("multiple errors found:\n  - {empty}\n  - {form}"));
    }
}
