//! Accessibility checks with axe-core.

use serde_json::Value;

use super::error::{BrowserError, Result};
use super::page::Page;

/// Vendored, with its licence beside it.
const AXE: &str = include_str!("../../vendor/axe-core/axe.min.js");

const RUN: &str = "
    return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap((rule) =>
        rule.nodes.map((node) => `${rule.id}: ${rule.help}\\n  ${node.html.slice(0, 200)}\\n  ${node.failureSummary}`)))";

impl Page {
    /// What the rules of axe-core report for the page as it is now, one text for each element.
    pub async fn violations(&self) -> Result<Vec<String>> {
        if self.eval("return typeof axe", vec![]).await? == "undefined" {
            self.eval(AXE, vec![]).await?;
        }
        match self.eval(RUN, vec![]).await? {
            Value::Array(found) => Ok(found.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
            other => Err(BrowserError::Unexpected(format!("expected violations, found `{other}`"))),
        }
    }
}
