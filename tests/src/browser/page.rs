//! The app's page: opens it, reads it, waits for it, runs scripts in it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::driver::{Browser, Lease};
use super::journey::{BrowserError, Result};
use super::pointer::devtools;
use super::site::Site;

/// The most time that anything on the page may take to appear, also on a machine that does other work.
const PATIENCE: Duration = Duration::from_secs(40);

/// A tab of a browser with the app in it.
pub struct Page {
    pub(crate) client: Client,
    pub(crate) site: Arc<Site>,
    lease: Lease,
    browser: Browser,
}

impl Page {
    /// Opens the app in a browser that holds nothing of other journeys.
    pub(crate) async fn open(site: Arc<Site>) -> Result<Self> {
        let (lease, browser) = Lease::browser().await?;
        let client = browser.client.clone();
        let page = Self { client, site, lease, browser };
        match page.client.goto(&page.site.home()).await {
            Ok(()) => Ok(page),
            Err(error) => {
                page.throw_away().await;
                Err(error.into())
            }
        }
    }

    /// Leaves the browser to the next journey.
    pub(crate) async fn leave(self) {
        self.lease.give_back(self.browser, &self.site.origin()).await;
    }

    /// Ends the browser.
    pub(crate) async fn throw_away(self) {
        self.lease.throw_away(self.browser).await;
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

    /// Stops the server, which must be that of this journey alone: from now on only what the browser keeps can be loaded.
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

    /// Waits for an element, and opens the closed menu that it is in, if there is one.
    pub async fn open_menu_of(&self, css: &str) -> Result {
        const OPEN: &str = "
            const element = document.querySelector(arguments[0]);
            element?.parentElement.closest(`details:is([name='menu'], .fold-row):not([open])`)?.querySelector('summary').click();
            return element !== null";
        let opened = async || Ok((self.eval(OPEN, vec![json!(css)]).await? == true).then_some(()));
        self.wait_for(&format!("`{css}`"), opened).await
    }

    /// A command of the Chrome DevTools protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Result<Value> {
        devtools(&self.client, command, parameters).await
    }
}

// The size and colours of the page, and screenshots.

/// The size of the page in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
}

/// A laptop.
pub const WIDE: Viewport = Viewport { width: 1440, height: 900 };

/// A phone.
pub const NARROW: Viewport = Viewport { width: 390, height: 844 };

/// A monitor, and most projectors.
pub const FULL: Viewport = Viewport { width: 1920, height: 1080 };

/// A very wide screen.
pub const ULTRA_WIDE: Viewport = Viewport { width: 3440, height: 1440 };

/// The colours that the user's system prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Page {
    /// Sets the page's size and colours, and stops animations.
    pub async fn look(&self, Viewport { width, height }: Viewport, scheme: Scheme) -> Result {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await?;
        let scheme = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await?;
        Ok(())
    }

    /// Writes a PNG of what the page shows.
    pub async fn screenshot(&self, path: &Path) -> Result {
        let png = self.client.screenshot().await?;
        tokio::fs::write(path, png).await.map_err(|error| BrowserError::File(path.to_path_buf(), error))
    }
}

// Accessibility checks with axe-core.

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
