//! Files that are one text, such as manifests, and texts as `opm` prints them.

use serde_json::json;
use source::FileId;

/// The text of a file. All of it if it is UTF-16, as PowerShell writes it, of which `opm` reads the first document only.
///
/// # Errors
/// Why it is no text.
pub fn decode_text(bytes: Vec<u8>) -> Result<String, String> {
    if let Some(text) = fbc::utf_16(&bytes) {
        return Ok(text);
    }
    let decoded = fbc::decode_bytes(FileId(0), bytes);
    decoded.fault.map_or(Ok(decoded.text), |finding| Err(finding.message))
}

/// A text that can be read as YAML.
///
/// # Errors
/// The first thing that is wrong in it.
pub fn well_formed(text: String) -> Result<String, String> {
    let fault = fbc::untyped_values(FileId(0), &text).diagnostics.into_iter().next();
    fault.map_or(Ok(text), |fault| Err(fault.message))
}

/// The verdict as `opm validate -o json` prints it (`cmd/opm/validate/validate.go`), to the byte around the text of the error;
/// `error` is the text of `opm`, if it rejects the catalog.
#[must_use]
pub fn opm_json(error: Option<&str>) -> String {
    match error {
        None => "{\n  \"passed\": true\n}\n".to_owned(),
        Some(error) => {
            let message = fbc::json_for_html(&json!(error));
            format!("{{\n  \"passed\": false,\n  \"error\": {{\n    \"message\": {message}\n  }}\n}}\n")
        }
    }
}

/// The verdict as `opm validate -o yaml` prints it. It ends with an empty line.
#[must_use]
pub fn opm_yaml(error: Option<&str>) -> String {
    let verdict = match error {
        None => json!({"passed": true}),
        Some(error) => json!({"passed": false, "error": {"message": error}}),
    };
    fbc::to_opm_yaml(&verdict) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: Option<&str>, json: &str, yaml: &str) {
        assert_eq!((opm_json(error).as_str(), opm_yaml(error).as_str()), (json, yaml));
    }

    #[test]
    fn a_catalog_that_opm_accepts() {
        check(None, "{\n  \"passed\": true\n}\n", "passed: true\n\n");
    }

    #[test]
    fn an_error_of_one_line() {
        check(
            Some("object '{\"a\":\"<b>\"}' is missing root schema field"),
            "{\n  \"passed\": false,\n  \"error\": {\n    \"message\": \"object '{\\\"a\\\":\\\"\\u003cb\\u003e\\\"}' is missing root schema field\"\n  }\n}\n",
            "error:\n  message: object '{\"a\":\"<b>\"}' is missing root schema field\npassed: false\n\n",
        );
    }

    #[test]
    fn a_tree_of_errors() {
        check(
            Some("invalid index:\n└── invalid package \"p\":\n    └── default channel must be set"),
            "{\n  \"passed\": false,\n  \"error\": {\n    \"message\": \"invalid index:\\n└── invalid package \\\"p\\\":\\n    └── default channel must be set\"\n  }\n}\n",
            "error:\n  message: |-\n    invalid index:\n    └── invalid package \"p\":\n        └── default channel must be set\npassed: false\n\n",
        );
    }
}
