//! The app's page: opens it, reads it, waits for it, runs scripts in it.

use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator, elements::Element};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::driver::Driver;
use super::error::{BrowserError, Result};
use super::site::Site;

/// The most time that anything on the page may take to appear.
const PATIENCE: Duration = Duration::from_secs(15);

/// An open browser window with the app in it.
pub struct Page {
    pub(crate) client: Client,
    pub(crate) site: Site,
    _driver: Driver,
}

impl Page {
    /// Serves the app of a folder and opens it in a fresh browser.
    pub async fn open(dist: &Path) -> Result<Self> {
        let site = Site::serve(dist).await?;
        let driver = Driver::start().await?;
        let client = driver.session().await?;
        client.goto(&site.home()).await?;
        Ok(Self { client, site, _driver: driver })
    }

    /// Closes the browser.
    pub async fn close(self) -> Result {
        Ok(self.client.close().await?)
    }

    /// Opens the app's address with a fragment, coming from another page.
    pub async fn follow(&self, fragment: &str) -> Result {
        self.client.goto("about:blank").await?;
        Ok(self.client.goto(&format!("{}#{fragment}", self.site.home())).await?)
    }

    /// The origin of the app's address.
    #[must_use]
    pub fn origin(&self) -> String {
        self.site.origin().trim_end_matches('/').to_owned()
    }

    /// Stops the server: from now on only what the browser keeps can be loaded.
    pub fn cut_off(&self) {
        self.site.stop();
    }

    /// Reloads the page, as a user would.
    pub async fn reload(&self) -> Result {
        Ok(self.client.refresh().await?)
    }

    /// Runs a script before those of the page, whenever it is loaded from now on, and loads it again.
    pub async fn prepare(&self, script: &str) -> Result {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await?;
        self.reload().await
    }

    /// The text that the page shows.
    pub async fn shown(&self) -> Result<String> {
        let text = self.eval("return document.body?.innerText ?? ''", vec![]).await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Runs the body of a function with `arguments`. Returns its result.
    pub async fn eval(&self, body: &str, arguments: Vec<Value>) -> Result<Value> {
        Ok(self.client.execute(body, arguments).await?)
    }

    /// Presses keys, wherever the focus is; [`Key`] has those without a character. Ctrl, Shift, Alt and Meta are held
    /// until all are pressed.
    pub async fn press(&self, keys: &str) -> Result {
        let held = [Key::Control, Key::Shift, Key::Alt, Key::Meta].map(char::from);
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in keys.chars().map(|key| if key == '\n' { Key::Enter.into() } else { key }) {
            actions = actions.then(KeyAction::Down { value });
            if !held.contains(&value) {
                actions = actions.then(KeyAction::Up { value });
            }
        }
        self.client.perform_actions(actions).await?;
        Ok(self.client.release_actions().await?)
    }

    /// All elements that match a CSS selector, now.
    pub async fn all(&self, css: &str) -> Result<Vec<Element>> {
        Ok(self.client.find_all(Locator::Css(css)).await?)
    }

    /// Calls `probe` until it returns a value. `what` names it in the error.
    pub async fn wait_for<T>(&self, what: &str, probe: impl AsyncFn() -> Result<Option<T>>) -> Result<T> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            match probe().await {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(error) if error.is_transient() => {}
                Err(error) => return Err(error),
            }
            sleep(Duration::from_millis(25)).await;
        }
        let page = self.shown().await?.chars().take(1200).collect();
        Err(BrowserError::TimedOut { what: what.to_owned(), page })
    }

    /// A command of the Chrome DevTools protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        self.post("goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
    }

    /// A `POST` that fantoccini has no method for.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Result<Value> {
        Ok(self.client.issue_cmd(Raw { path: path.to_owned(), body: Some(body) }).await?)
    }

    /// A `GET` that fantoccini has no method for.
    pub(crate) async fn get(&self, path: String) -> Result<Value> {
        Ok(self.client.issue_cmd(Raw { path, body: None }).await?)
    }
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
