//! What `cargo xtask bench` and `cargo xtask shots` need a browser for.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use suite::browser::{BrowserError, NARROW, Page, Result, Scheme, WIDE, journey};

/// Browsers to measure in, each a fresh one.
const RUNS: usize = 5;

/// How long the page may go on loading after its first graph, and be measured.
const AFTERMATH: Duration = Duration::from_secs(3);

/// A bundle in a channel graph.
const FIRST_GRAPH: &str = "[data-testid='graph'] [data-testid='graph-node']";

/// Resolves to the milliseconds from the drop to the first frame with a graph in it.
const WATCH: &str = "
    window.firstGraph = new Promise((resolve) => addEventListener('drop', () => {
        const start = performance.now();
        const look = () => document.querySelector(arguments[0])
            ? resolve(performance.now() - start)
            : requestAnimationFrame(look);
        look();
    }, { capture: true, once: true }))";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bench", catalogs] => bench(Path::new(catalogs)).await,
        ["shots", folder, catalogs] => shots(Path::new(folder), Path::new(catalogs)).await,
        _ => Err(BrowserError::Unexpected("expected `bench CATALOGS` or `shots DIR CATALOGS`".to_owned())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
fn say(line: &str) {
    println!("{line}");
}

async fn bench(catalogs: &Path) -> Result {
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        runs.push(load(catalogs).await?);
    }
    runs.sort();
    let (least, middle, most) = (runs[0].0, runs[RUNS / 2].0, runs[RUNS - 1].0);
    say(&format!(
        "first graph after the drop, {RUNS} runs: {} ms ({} to {})",
        middle.as_millis(),
        least.as_millis(),
        most.as_millis()
    ));
    let longest = runs.iter().filter_map(|(_, longest)| *longest).max();
    say(&match longest {
        Some(task) => format!("longest main-thread task while loading: {} ms", task.as_millis()),
        None => "longest main-thread task while loading: none over 50 ms".to_owned(),
    });
    Ok(())
}

/// The time from the drop to the first graph, and the longest main-thread task above 50 ms.
async fn load(catalogs: &Path) -> Result<(Duration, Option<Duration>)> {
    let mut figures = (Duration::ZERO, None);
    journey(async |page| {
        // The graph is in sight from the start only on a wide page.
        page.look(WIDE, Scheme::Light).await?;
        page.record_long_tasks().await?;
        page.eval(WATCH, vec![FIRST_GRAPH.into()]).await?;
        page.drop_paths(&[catalogs]).await?;
        page.css(FIRST_GRAPH).await?;
        let millis = page.eval("return window.firstGraph", vec![]).await?;
        let Some(millis) = millis.as_f64() else {
            return Err(BrowserError::Unexpected(format!("expected milliseconds, found `{millis}`")));
        };
        tokio::time::sleep(AFTERMATH).await;
        let tasks = page.long_tasks().await?;
        figures = (Duration::from_secs_f64(millis / 1e3), tasks.iter().map(|task| task.duration).max());
        Ok(())
    })
    .await?;
    Ok(figures)
}

async fn shots(folder: &Path, catalogs: &Path) -> Result {
    std::fs::create_dir_all(folder).map_err(|error| BrowserError::File(folder.to_path_buf(), error))?;
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.drop_paths(&[catalogs]).await?;
        page.css(FIRST_GRAPH).await?;
        tokio::time::sleep(AFTERMATH).await;
        for (viewport, size) in [(WIDE, "wide"), (NARROW, "narrow")] {
            for (scheme, colours) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
                page.look(viewport, scheme).await?;
                shot(page, &folder.join(format!("{size}-{colours}.png"))).await?;
            }
        }
        Ok(())
    })
    .await
}

/// Takes a picture once the page has had time to lay itself out anew.
async fn shot(page: &Page, path: &Path) -> Result {
    tokio::time::sleep(Duration::from_millis(300)).await;
    page.screenshot(path).await?;
    say(&format!("{}", path.display()));
    Ok(())
}
