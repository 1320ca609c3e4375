//! The verdict as `opm validate -o json` and `-o yaml` print it (`cmd/opm/validate/validate.go`), to the byte around the text of
//! the error.

use serde_json::json;
use std::io::{self, Write};

/// Writes the verdict as JSON; `error` is the text of `opm`, if it rejects the catalog.
pub(super) fn write_json(out: &mut dyn Write, error: Option<&str>) -> io::Result<()> {
    match error {
        None => writeln!(out, "{{\n  \"passed\": true\n}}"),
        Some(error) => {
            let message = fbc::json_for_html(&json!(error));
            let error = format!("{{\n    \"message\": {message}\n  }}");
            writeln!(out, "{{\n  \"passed\": false,\n  \"error\": {error}\n}}")
        }
    }
}

/// The verdict as YAML. It ends with an empty line, as that of `opm` does.
pub(super) fn write_yaml(out: &mut dyn Write, error: Option<&str>) -> io::Result<()> {
    let verdict = match error {
        None => json!({"passed": true}),
        Some(error) => json!({"passed": false, "error": {"message": error}}),
    };
    writeln!(out, "{}", fbc::to_opm_yaml(&verdict))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: Option<&str>, json: &str, yaml: &str) {
        let written = |write: fn(&mut dyn Write, Option<&str>) -> io::Result<()>| {
            let mut out = Vec::new();
            write(&mut out, error).expect("memory can be written");
            String::from_utf8(out).expect("text")
        };
        assert_eq!((written(write_json).as_str(), written(write_yaml).as_str()), (json, yaml));
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
