//! Properties of bundles as they are written: a type and a raw JSON value.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The type of the properties that hold the manifests.
pub(crate) const BUNDLE_OBJECT: &str = "olm.bundle.object";
/// The type of the property with the metadata of the CSV.
pub(crate) const CSV_METADATA: &str = "olm.csv.metadata";

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Property {
    /// `type`
    pub kind: String,
    /// The text of its value: JSON as `opm` read or made it, with the blanks that it was written with. Empty when the list
    /// that it comes from gives none, which is printed as `null`.
    pub value: String,
}

impl Property {
    /// A property whose value is an object of texts, which `opm` writes without HTML escapes.
    pub(crate) fn of_texts(kind: &str, fields: &[(&str, &str)]) -> Self {
        let text = |text: &str| fbc::plain_json(&Value::from(text));
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{}", text(value))).collect();
        Self { kind: kind.to_owned(), value: format!("{{{}}}", fields.join(",")) }
    }

    /// The property of a manifest, whose JSON is written with HTML escapes.
    pub(crate) fn of_object(object: &Value) -> Self {
        let data = STANDARD.encode(fbc::json_for_html(object));
        Self { kind: BUNDLE_OBJECT.to_owned(), value: format!("{{\"data\":\"{data}\"}}") }
    }

    /// Whether the property is written behind all others.
    pub(crate) fn is_object(&self) -> bool {
        self.kind == BUNDLE_OBJECT || self.kind == CSV_METADATA
    }

    /// The value as compact JSON.
    #[must_use]
    pub fn json(&self) -> String {
        if self.value.is_empty() { "null".to_owned() } else { fbc::compact_json(&self.value) }
    }
}
