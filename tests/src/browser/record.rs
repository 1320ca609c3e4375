//! What the browser records while a journey runs: console, requests, long tasks.

use std::time::Duration;

use serde_json::{Value, json};

use super::journey::{BrowserError, Result};
use super::page::Page;
use super::pointer::log;

/// A stretch in which the page's main thread could not answer the user (W3C Long Tasks: above 50 ms).
#[derive(Clone, Debug, PartialEq)]
pub struct LongTask {
    /// Since the page was opened.
    pub start: Duration,
    pub duration: Duration,
    /// What took longest in it: scripts by what called them, and style and layout.
    pub cause: String,
}

/// Records long tasks, and the frames that tell what was done in them (W3C Long Animation Frames).
pub const RECORD: &str = "
    window.longTasks = [];
    window.longFrames = [];
    const record = (type, list) => new PerformanceObserver((found) => list.push(...found.getEntries()))
        .observe({ type, buffered: true });
    record('longtask', window.longTasks);
    record('long-animation-frame', window.longFrames)";

const LONG_TASKS: &str = "
    const cause = (start, end) => {
        const parts = [];
        const add = (from, to, what) => { if (from < end && to > start) parts.push([to - from, what]); };
        for (const frame of window.longFrames) {
            for (const { startTime, duration, invoker } of frame.scripts) add(startTime, startTime + duration, invoker);
            const layout = frame.styleAndLayoutStart;
            if (layout > 0) add(layout, frame.startTime + frame.duration, 'style and layout');
        }
        parts.sort(([one], [other]) => other - one);
        return parts.slice(0, 3).map(([millis, what]) => `${what} ${millis.toFixed(0)} ms`).join(', ') || 'no script';
    };
    return window.longTasks.map(({ startTime, duration }) => [startTime, duration, cause(startTime, startTime + duration)])";

impl Page {
    /// The errors in the console since this was last asked.
    ///
    /// A journey that provokes one must read it here, or it fails at its end.
    pub async fn console_errors(&self) -> Result<Vec<String>> {
        let entries = self.log("browser").await?;
        let errors = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        Ok(errors.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// All messages in the console since this was last asked.
    pub async fn console(&self) -> Result<Vec<String>> {
        let entries = self.log("browser").await?;
        Ok(entries.iter().map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect())
    }

    /// The addresses of requests since this was last asked.
    pub async fn requests(&self) -> Result<Vec<String>> {
        let entries = self.log("performance").await?;
        let messages = entries.iter().filter_map(|entry| serde_json::from_str(entry["message"].as_str()?).ok());
        let url = |message: Value| message["message"]["params"]["request"]["url"].as_str().map(str::to_owned);
        Ok(messages.filter_map(url).collect())
    }

    /// Lets requests to addresses of this pattern fail, instead of those of the pattern before; with an empty one, none.
    pub async fn block(&self, pattern: &str) -> Result {
        let urls: Vec<&str> = Some(pattern).into_iter().filter(|pattern| !pattern.is_empty()).collect();
        self.devtools("Network.enable", json!({})).await?;
        self.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await.map(drop)
    }

    /// Starts to record long tasks, until another page is opened.
    pub async fn record_long_tasks(&self) -> Result {
        self.eval(RECORD, vec![]).await.map(drop)
    }

    /// The long tasks since [`record_long_tasks`](Self::record_long_tasks).
    pub async fn long_tasks(&self) -> Result<Vec<LongTask>> {
        let tasks = self.eval(LONG_TASKS, vec![]).await?;
        let millis = |value: &Value| value.as_f64().map(|millis| Duration::from_secs_f64(millis / 1e3));
        let list = tasks.as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter()
            .map(|task| match (millis(&task[0]), millis(&task[1])) {
                (Some(start), Some(duration)) => {
                    let cause = task[2].as_str().unwrap_or_default().to_owned();
                    Ok(LongTask { start, duration, cause })
                }
                _ => Err(BrowserError::Unexpected(format!("expected a long task, found `{task}`"))),
            })
            .collect()
    }

    /// Fails on an error in the console and on a request to another host.
    pub(crate) async fn check_console_and_requests(&self) -> Result {
        let errors = self.console_errors().await?;
        if !errors.is_empty() {
            return Err(BrowserError::Console(errors));
        }
        let inside = [self.site.origin(), "blob:".to_owned(), "data:".to_owned()];
        let mut foreign = self.requests().await?;
        foreign.retain(|url| !inside.iter().any(|start| url.starts_with(start)));
        if foreign.is_empty() { Ok(()) } else { Err(BrowserError::ForeignRequests(foreign)) }
    }

    async fn log(&self, kind: &str) -> Result<Vec<Value>> {
        match log(&self.client, kind).await? {
            Value::Array(entries) => Ok(entries),
            other => Err(BrowserError::Unexpected(format!("expected log entries, found `{other}`"))),
        }
    }
}

// Measures frames while the graph is moved.

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
