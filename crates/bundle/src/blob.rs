//! Documents as text: `alpha/declcfg/write.go`.

use fbc::indented_json;
use source::FileId;

/// A document that `opm render` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub schema: String,
    /// `package`; empty when it has none.
    pub package: String,
    /// `name`; empty when it has none.
    pub name: String,
    pub json: String,
}

/// A JSON object with its fields in this order.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

impl Document {
    /// The document as `opm render` prints it as JSON, with a line break at its end.
    #[must_use]
    pub fn to_json(&self) -> String {
        indented_json(&self.json) + "\n"
    }

    /// The document as `opm render -o yaml` prints it, with its separator.
    ///
    /// # Errors
    /// When it is nested too deeply, holds more than is kept in memory, or has a control character that JSON allows and YAML
    /// does not; `opm` fails there, too.
    pub fn to_yaml(&self) -> Result<String, String> {
        // `opm` takes the JSON for YAML, too.
        let document = fbc::yaml_document(FileId(0), &self.json).map_err(|finding| finding.message)?;
        let value = document.node.to_exact_json(&self.json).map_err(|error| error.message)?;
        Ok(format!("---\n{}", fbc::to_opm_yaml(&value)))
    }
}
