//! WebDriver commands that fantoccini has no method for.

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};

use super::error::Result;

/// A command of the Chrome DevTools protocol.
pub(crate) async fn devtools(client: &Client, command: &str, parameters: Value) -> Result<Value> {
    post(client, "goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
}

/// The entries of a log since this was last asked.
pub(crate) async fn log(client: &Client, kind: &str) -> Result<Value> {
    post(client, "se/log", json!({ "type": kind })).await
}

/// A `GET` of a path below the session.
pub(crate) async fn get(client: &Client, path: String) -> Result<Value> {
    Ok(client.issue_cmd(Raw { path, body: None }).await?)
}

async fn post(client: &Client, path: &str, body: Value) -> Result<Value> {
    Ok(client.issue_cmd(Raw { path: path.to_owned(), body: Some(body) }).await?)
}

/// A request to a path below the session.
#[derive(Debug)]
struct Raw {
    path: String,
    body: Option<Value>,
}

impl WebDriverCompatibleCommand for Raw {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> std::result::Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (hyper::Method, Option<String>) {
        match &self.body {
            Some(body) => (hyper::Method::POST, Some(body.to_string())),
            None => (hyper::Method::GET, None),
        }
    }
}
