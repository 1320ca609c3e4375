//! Label selectors of Kubernetes, which choose the ClusterCatalogs of an extension (apimachinery
//! `pkg/apis/meta/v1/helpers.go`, `pkg/labels/selector.go`).

use std::collections::BTreeMap;
use std::fmt;

use go_semver::blang::Quoted;

use crate::extension::ClusterCatalog;

/// A label selector. An empty one selects everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    /// `matchLabels`
    pub match_labels: BTreeMap<Box<str>, Box<str>>,
    /// `matchExpressions`
    pub match_expressions: Vec<Expression>,
}

/// An element of `matchExpressions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub key: Box<str>,
    /// `operator` as written.
    pub operator: Box<str>,
    pub values: Vec<Box<str>>,
}

/// Why a selector is invalid; displays the text of apimachinery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorError {
    /// No operator has this name.
    Operator(Box<str>),
    /// A key has no valid name behind its prefix.
    Key(Box<str>),
    /// A value that no label can have.
    Value {
        key: Box<str>,
        /// The position in the list of values.
        index: usize,
        value: Box<str>,
    },
    /// `In` or `NotIn` without values.
    NoValues,
    /// `Exists` or `DoesNotExist` with values.
    Values(Vec<Box<str>>),
}

const NAME_PART: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator(operator) => write!(f, "{} is not a valid label selector operator", Quoted(operator)),
            Self::Key(key) => write!(f, "key: Invalid value: {}: {NAME_PART}", Quoted(key)),
            Self::Value { key, index, value } => {
                write!(f, "values[{index}][{key}]: Invalid value: {}: {LABEL_VALUE}", Quoted(value))
            }
            Self::NoValues => {
                f.write_str("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty")
            }
            Self::Values(values) => {
                let values: Vec<String> = values.iter().map(|value| Quoted(value).to_string()).collect();
                let values = values.join(",");
                write!(f, "values: Invalid value: [{values}]: values set must be empty for exists and does not exist")
            }
        }
    }
}

impl std::error::Error for SelectorError {}

impl Selector {
    /// Whether the selector selects everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.match_labels.is_empty() && self.match_expressions.is_empty()
    }

    /// Whether the catalog has the labels that the selector demands.
    ///
    /// # Errors
    /// When the selector is invalid; then it selects nothing, and the resolution fails.
    pub fn matches(&self, catalog: &ClusterCatalog) -> Result<bool, SelectorError> {
        self.check()?;
        let labels = self.match_labels.iter().all(|(key, value)| catalog.label(key) == Some(value));
        Ok(labels && self.match_expressions.iter().all(|expression| expression.matches(catalog)))
    }

    /// Checks the selector, `matchLabels` first.
    ///
    /// # Errors
    /// The first mistake.
    pub fn check(&self) -> Result<(), SelectorError> {
        for (key, value) in &self.match_labels {
            check_key(key)?;
            check_value(key, 0, value)?;
        }
        self.match_expressions.iter().try_for_each(Expression::check)
    }
}

impl Expression {
    fn check(&self) -> Result<(), SelectorError> {
        let takes_values = match &*self.operator {
            "In" | "NotIn" => true,
            "Exists" | "DoesNotExist" => false,
            _ => return Err(SelectorError::Operator(self.operator.clone())),
        };
        check_key(&self.key)?;
        match (takes_values, self.values.is_empty()) {
            (true, true) => return Err(SelectorError::NoValues),
            (false, false) => return Err(SelectorError::Values(self.values.clone())),
            _ => {}
        }
        self.values.iter().enumerate().try_for_each(|(index, value)| check_value(&self.key, index, value))
    }

    /// A missing label satisfies `NotIn`.
    fn matches(&self, catalog: &ClusterCatalog) -> bool {
        let label = catalog.label(&self.key);
        let is_listed = label.is_some_and(|label| self.values.iter().any(|value| **value == *label));
        match &*self.operator {
            "In" => is_listed,
            "NotIn" => !is_listed,
            "Exists" => label.is_some(),
            _ => label.is_none(),
        }
    }
}

fn check_key(key: &str) -> Result<(), SelectorError> {
    let name = key.split_once('/').map_or(key, |(_, name)| name);
    if !name.is_empty() && is_label_word(name) { Ok(()) } else { Err(SelectorError::Key(key.into())) }
}

fn check_value(key: &str, index: usize, value: &str) -> Result<(), SelectorError> {
    if is_label_word(value) {
        Ok(())
    } else {
        Err(SelectorError::Value { key: key.into(), index, value: value.into() })
    }
}

/// At most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; also the empty text.
fn is_label_word(text: &str) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && is_edge(bytes.first())
        && is_edge(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> ClusterCatalog {
        let labels = BTreeMap::from([("tier".into(), "gold".into())]);
        ClusterCatalog { labels, ..ClusterCatalog::new("a".into()) }
    }

    fn expression(key: &str, operator: &str, values: &[&str]) -> Selector {
        let values = values.iter().map(|value| (*value).into()).collect();
        let expression = Expression { key: key.into(), operator: operator.into(), values };
        Selector { match_expressions: vec![expression], ..Selector::default() }
    }

    fn labels(key: &str, value: &str) -> Selector {
        Selector { match_labels: BTreeMap::from([(key.into(), value.into())]), ..Selector::default() }
    }

    #[test]
    fn selectors_choose_by_labels() {
        let selected = |selector: &Selector| selector.matches(&catalog()).unwrap();
        assert!(selected(&Selector::default()));
        assert!(selected(&labels("tier", "gold")) && !selected(&labels("tier", "silver")));
        assert!(selected(&expression("tier", "In", &["silver", "gold"])));
        assert!(!selected(&expression("tier", "NotIn", &["gold"])));
        assert!(selected(&expression("other", "NotIn", &["gold"])));
        assert!(selected(&expression("tier", "Exists", &[])) && !selected(&expression("tier", "DoesNotExist", &[])));
    }

    #[test]
    fn every_catalog_has_a_label_with_its_name() {
        assert_eq!(labels(crate::NAME_LABEL, "a").matches(&catalog()), Ok(true));
        assert_eq!(labels(crate::NAME_LABEL, "b").matches(&catalog()), Ok(false));
    }

    #[test]
    fn invalid_selectors() {
        let error = |selector: &Selector| selector.matches(&catalog()).unwrap_err().to_string();
        let operator = error(&expression("a", "in", &["b"]));
        assert_eq!(operator, r#""in" is not a valid label selector operator"#);
        assert!(error(&expression("a", "In", &[])).ends_with("values set can't be empty"));
        assert!(error(&expression("a", "Exists", &["b"])).starts_with(r#"values: Invalid value: ["b"]: "#));
        assert!(error(&labels("a b", "c")).starts_with(r#"key: Invalid value: "a b": name part must consist"#));
        assert!(error(&labels("a", "&")).starts_with(r#"values[0][a]: Invalid value: "&": a valid label must"#));
    }
}
