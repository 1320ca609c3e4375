//! Measures how long a set of catalogs for several versions of OpenShift takes: until its matrix is there, and until it is complete.

use std::path::Path;
use std::time::Duration;

use suite::browser::{Result, Scheme, WIDE, journey};

use super::loads::{WATCH_FIRST, WATCH_WORKER, median, number};
use super::terminal::{longest, say};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 3;
/// How long files are held over the page before they are dropped; the worker starts meanwhile.
const HELD: Duration = Duration::from_secs(1);
/// The set is complete if it does not change for so long after it is loaded.
const QUIET: Duration = Duration::from_secs(1);

/// A row of the matrix; the sentence stands above it.
const MATRIX: &str = "[data-testid='set-answer'] ~ * [data-testid='set-package']";

/// Keeps when the set was changed last, in milliseconds from the drop.
const WATCH_SET: &str = "
    addEventListener('drop', () => {
        const start = performance.now();
        const look = () => { if (document.querySelector(\"[data-testid='set']\")) window.changed = performance.now() - start; };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    }, { capture: true, once: true })";

/// Loads the set below a folder a few times, and prints what that took.
pub(super) async fn measure(folder: &Path) -> Result {
    let (mut usable, mut complete, mut tasks) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        journey(async |page| {
            page.look(WIDE, Scheme::Light).await?;
            page.record_long_tasks().await?;
            page.eval(WATCH_WORKER, vec![]).await?;
            page.eval(WATCH_FIRST, vec![MATRIX.into()]).await?;
            page.eval(WATCH_SET, vec![]).await?;
            page.drag_paths(&[folder], HELD).await?;
            usable.push(number(&page.eval("return window.first", vec![]).await?)?);
            let loaded =
                async || Ok(page.eval("return window.loaded ?? null", vec![]).await?.is_object().then_some(()));
            page.wait_for("the whole set", loaded).await?;
            tokio::time::sleep(QUIET).await;
            complete.push(number(&page.eval("return window.changed", vec![]).await?)?);
            tasks.push(page.long_tasks().await?);
            Ok(())
        })
        .await?;
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let all = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        format!("{:.0} ms ({:.0} to {:.0})", median(times.clone()), times[0], times[times.len() - 1])
    };
    say(&format!(
        "{name}: matrix after {}, complete after {}; longest main-thread task: {}",
        all(usable),
        all(complete),
        longest(tasks)
    ));
    Ok(())
}
