//! Measures a large graph: the time until it is shown, and frames while it is moved.

use std::time::Duration;

use suite::browser::{Motion, Result, Scheme, WIDE, journey};
use suite::inputs;

use super::terminal::{FIRST_PACKAGES, longest, say};

/// How long a page gets to become idle.
const AFTERMATH: Duration = Duration::from_secs(3);

/// Frames to measure in a row.
const FRAMES: u32 = 240;

/// The channels of the graph, and the entries of each.
const CHANNELS: u32 = 60;
const ENTRIES: u32 = 160;

/// Questions that are asked of a worker with nothing else to do.
const QUESTIONS: u32 = 7;

/// Notes how long the page waits for the answer to each of its questions for a graph, whatever it does meanwhile.
const WATCH_GRAPHS: &str = "
    window.graphs = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.request?.ask?.Query?.Graph) {
            window.asked = [this, message];
            const start = performance.now();
            this.addEventListener('message', function look({ data }) {
                if (data?.message?.Reply?.id !== message.request.id) return;
                window.graphs.push(performance.now() - start);
                this.removeEventListener('message', look);
            });
        }
        return post.call(this, message, ...rest);
    }";

/// Asks the last of those questions again while nothing else goes on: the milliseconds until the answer is there. The worker
/// keeps no graphs, so that each is built and laid out anew.
const ASK_AGAIN: &str = "
    const [worker, message] = window.asked;
    return new Promise((resolve) => {
        const start = performance.now();
        worker.addEventListener('message', function look({ data }) {
            if (data?.message?.Reply?.id !== message.request.id) return;
            worker.removeEventListener('message', look);
            resolve(performance.now() - start);
        });
        worker.postMessage(message);
    })";

pub(crate) async fn measure() -> Result {
    let catalog = inputs::package("wide", CHANNELS, ENTRIES);
    let what = format!("{CHANNELS} channels of {ENTRIES} entries");
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.eval(WATCH_GRAPHS, vec![]).await?;
        page.record_long_tasks().await?;
        page.drop_texts("body", &[("wide.yaml", &catalog)]).await?;
        page.css(FIRST_PACKAGES).await?;
        tokio::time::sleep(AFTERMATH).await;
        let answer = page.eval("return window.graphs[0]", vec![]).await?.as_f64().unwrap_or_default();
        let longest = longest(vec![page.long_tasks().await?]);
        let mut alone = Vec::new();
        for _ in 0..QUESTIONS {
            alone.push(page.eval(ASK_AGAIN, vec![]).await?.as_f64().unwrap_or_default());
        }
        alone.sort_by(f64::total_cmp);
        let (least, middle) = (alone[0], alone[alone.len() / 2]);
        say(&format!(
            "{what}: graph from a quiet worker in {middle:.0} ms (least {least:.0}); the first after {answer:.0} ms, while the \
             page drew the rest; longest main-thread task until shown: {longest}"
        ));
        for (motion, name) in [(Motion::Pan, "panning"), (Motion::Zoom, "zooming")] {
            say(&format!("{what}, {name}: {}", summary(page.frames(motion, FRAMES).await?)));
        }
        Ok(())
    })
    .await
}

fn summary(mut frames: Vec<Duration>) -> String {
    frames.sort();
    let millis =
        |percent: usize| frames.get((frames.len().max(1) - 1) * percent / 100).map_or(0.0, |f| f.as_secs_f64() * 1e3);
    format!(
        "frames of {:.1} ms (median), {:.1} ms (95 of 100), {:.1} ms (longest)",
        millis(50),
        millis(95),
        millis(100)
    )
}
