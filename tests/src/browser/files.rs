//! Gives files to the app: dropped from the desktop, dropped as text, chosen in a file dialog.

use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::error::{BrowserError, Result};
use super::page::Page;

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
