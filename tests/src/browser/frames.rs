//! Measures frames while the graph is moved.

use std::time::Duration;

use serde_json::{Value, json};

use super::error::{BrowserError, Result};
use super::page::Page;

/// How the graph is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Across, to the older versions.
    Pan,
    /// In and out around the middle.
    Zoom,
}

/// Turns the wheel once a frame, and records how long each frame took.
const MOVE: &str = "
    const [zoom, frames, done] = arguments;
    const drawing = document.querySelector(\"[data-testid='graph']\");
    const rect = drawing.getBoundingClientRect();
    const middle = { clientX: rect.left + rect.width / 2, clientY: rect.top + rect.height / 2 };
    const times = [];
    let last;
    const step = (now) => {
        if (last !== undefined) times.push(now - last);
        last = now;
        if (times.length >= frames) return done(times);
        const back = Math.floor(times.length / 45) % 2 === 1;
        const by = zoom ? { deltaY: back ? -50 : 50 } : { deltaX: -40, shiftKey: true };
        drawing.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...middle, ...by }));
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step)";

impl Page {
    /// Moves the graph for some frames. Returns how long each took.
    pub async fn frames(&self, motion: Motion, frames: u32) -> Result<Vec<Duration>> {
        let times = self.client.execute_async(MOVE, vec![json!(motion == Motion::Zoom), json!(frames)]).await?;
        let times =
            times.as_array().ok_or_else(|| BrowserError::Unexpected(format!("expected times, found `{times}`")))?;
        let millis = times.iter().filter_map(Value::as_f64);
        Ok(millis.map(|millis| Duration::from_secs_f64(millis.max(0.0) / 1e3)).collect())
    }
}
