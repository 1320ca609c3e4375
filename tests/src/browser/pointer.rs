//! The mouse, the wheel, fingers, and downloads.

use std::path::Path;

use serde_json::json;

use super::error::Result;
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
