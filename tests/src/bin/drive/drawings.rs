//! How large packages are drawn: how long until they are there, and how long frames take while they are moved.

use std::time::Duration;

use suite::browser::{Motion, Result, Scheme, WIDE, journey};
use suite::wide;

use super::{AFTERMATH, FIRST_GRAPH, say};

/// Frames to measure in a row.
const FRAMES: u32 = 240;

/// What they are, channels, entries of each.
const DRAWINGS: [(&str, u32, u32); 2] =
    [("1000 entries in one channel", 1, 1000), ("60 channels of 160 entries", 60, 160)];

/// Notes how long the worker takes to answer each question for a graph.
const WATCH_GRAPHS: &str = "
    window.graphs = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
        if (message.request?.ask?.Graph) {
            const start = performance.now();
            this.addEventListener('message', function look({ data }) {
                if (!data?.answer?.Graph) return;
                window.graphs.push(performance.now() - start);
                this.removeEventListener('message', look);
            });
        }
        return post.call(this, message, ...rest);
    }";

/// Measures and tells all of them.
pub(crate) async fn measure() -> Result {
    for (what, channels, entries) in DRAWINGS {
        drawing(what, &wide::package("wide", channels, entries)).await?;
    }
    Ok(())
}

async fn drawing(what: &str, catalog: &str) -> Result {
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.eval(WATCH_GRAPHS, vec![]).await?;
        page.record_long_tasks().await?;
        page.drop_texts("body", &[("wide.yaml", catalog)]).await?;
        page.css(FIRST_GRAPH).await?;
        tokio::time::sleep(AFTERMATH).await;
        let answer = page.eval("return window.graphs[0]", vec![]).await?.as_f64().unwrap_or_default();
        let longest = page.long_tasks().await?.iter().map(|task| task.duration).max();
        let longest = longest.map_or("none over 50 ms".to_owned(), |task| format!("{} ms", task.as_millis()));
        say(&format!(
            "{what}: graph from the worker in {answer:.0} ms, longest main-thread task until shown: {longest}"
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
