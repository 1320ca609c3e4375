//! The mouse, the wheel, fingers, and files that are given or downloaded.

use std::path::Path;
use std::time::Duration;

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::journey::{BrowserError, Result};
use super::page::Page;

/// A point of the window in CSS pixels.
pub type Point = (f64, f64);

impl Page {
    /// Drags from one point to another with the left button, in steps as a hand would.
    pub async fn drag(&self, from: Point, to: Point) -> Result {
        self.mouse("mousePressed", from, 1).await?;
        for step in 1..=4 {
            let share = f64::from(step) / 4.0;
            let at = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            self.mouse("mouseMoved", at, 1).await?;
        }
        self.mouse("mouseReleased", to, 0).await
    }

    /// Moves the mouse to a point.
    pub async fn point_at(&self, at: Point) -> Result {
        self.mouse("mouseMoved", at, 0).await
    }

    /// Clicks at a point, whatever is there.
    pub async fn click_at(&self, at: Point) -> Result {
        self.mouse("mousePressed", at, 1).await?;
        self.mouse("mouseReleased", at, 0).await
    }

    /// Turns the wheel over a point by CSS pixels, downwards if positive.
    pub async fn wheel(&self, (x, y): Point, by: f64) -> Result {
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by });
        self.devtools("Input.dispatchMouseEvent", event).await.map(drop)
    }

    /// Puts fingers down, moves all of them from step to step, and lifts them.
    pub async fn touch(&self, steps: &[&[Point]]) -> Result {
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true, "maxTouchPoints": 2 })).await?;
        for (at, fingers) in steps.iter().enumerate() {
            let kind = if at == 0 { "touchStart" } else { "touchMove" };
            let points: Vec<_> =
                fingers.iter().enumerate().map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id })).collect();
            self.devtools("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points })).await?;
        }
        self.devtools("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await.map(drop)
    }

    /// Puts what the page downloads into a folder, without asking.
    pub async fn download_into(&self, folder: &Path) -> Result {
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
        self.devtools("Browser.setDownloadBehavior", behaviour).await.map(drop)
    }

    async fn mouse(&self, kind: &str, (x, y): Point, buttons: u32) -> Result {
        // A move with a button counts as one with that button held.
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
        self.devtools("Input.dispatchMouseEvent", event).await.map(drop)
    }
}

// Gives files to the app: dropped from the desktop, dropped as text, chosen in a file dialog.

/// Builds the event that a browser makes of a drop, from names and texts.
const DROP_TEXTS: &str = "
    const transfer = new DataTransfer();
    for (const [name, text] of arguments[1]) transfer.items.add(new File([text], name));
    const target = document.querySelector(arguments[0]);
    for (const type of ['dragenter', 'dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }";

impl Page {
    /// Drops files and folders of this machine onto the middle of the page, as a real drag would.
    pub async fn drop_paths(&self, paths: &[&Path]) -> Result {
        self.drag_paths(paths, Duration::ZERO).await
    }

    /// Does the same, but holds the files over the page for some time before it drops them.
    pub async fn drag_paths(&self, paths: &[&Path], held: Duration) -> Result {
        let files = paths
            .iter()
            .map(|path| path.canonicalize().map_err(|error| BrowserError::File(path.to_path_buf(), error)))
            .collect::<Result<Vec<_>>>()?;
        let middle = self.eval("return [innerWidth >> 1, innerHeight >> 1]", vec![]).await?;
        for event in ["dragEnter", "dragOver", "drop"] {
            if event == "drop" {
                sleep(held).await;
            }
            let data = json!({ "items": [], "files": files, "dragOperationsMask": 1 });
            let event = json!({ "type": event, "x": middle[0], "y": middle[1], "data": data });
            self.devtools("Input.dispatchDragEvent", event).await?;
        }
        Ok(())
    }

    /// Drops files made of `(name, text)` onto the first element that matches `css`.
    pub async fn drop_texts(&self, css: &str, files: &[(&str, &str)]) -> Result {
        self.eval(DROP_TEXTS, vec![json!(css), json!(files)]).await.map(drop)
    }

    /// Chooses files, or one folder, in the `<input type=file>` that matches `css`.
    pub async fn choose(&self, css: &str, paths: &[&Path]) -> Result {
        let input = self.client.find(fantoccini::Locator::Css(css)).await?;
        let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        Ok(input.send_keys(&paths.join("\n")).await?)
    }
}

// WebDriver commands that fantoccini has no method for.

/// A command of the Chrome DevTools protocol.
pub(crate) async fn devtools(client: &Client, command: &str, parameters: Value) -> Result<Value> {
    post(client, "goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await
}

/// The entries of a log since this was last asked.
pub(crate) async fn log(client: &Client, kind: &str) -> Result<Value> {
    post(client, "se/log", json!({ "type": kind })).await
}

/// A `GET` of a path below the session.
pub(crate) async fn get_command(client: &Client, path: String) -> Result<Value> {
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
