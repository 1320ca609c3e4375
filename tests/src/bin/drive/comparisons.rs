//! Measures how long the worker takes to compare a catalog with a copy in which every package is edited, and an edited catalog
//! with what was opened.

use std::path::Path;

use serde_json::{Value, json};
use suite::browser::{BrowserError, Page, Result, Scheme, WIDE, journey};

use super::loads::{WATCH_WORKER, median, number};
use super::terminal::say;

/// Questions to measure in one browser.
const QUESTIONS: usize = 7;

/// Sends requests and resolves to the milliseconds until the comparison has arrived. Arguments: whether the same catalog is compared with what was opened, and where to insert a letter first.
const COMPARE: &str = "
    const [isOpened, at] = arguments;
    const { overview } = loaded;
    const of = (name) => overview.catalogs.find((row) => row.name === name);
    const first = of('before'), second = of('after') ?? overview.catalogs[0];
    const send = (ask) => {
        if (ask.Command) loaded.revision += 1;
        theWorker.postMessage({ request: { id: 0, revision: loaded.revision, ask }, files: [] });
    };
    return new Promise((resolve) => {
        const start = performance.now();
        theWorker.addEventListener('message', function look({ data }) {
            const reply = data?.message?.Reply;
            if (reply?.id !== 0 || !reply.answer.Query?.Compare) return;
            this.removeEventListener('message', look);
            resolve(performance.now() - start);
        });
        if (at !== null) {
            const splices = [{ start: at, end: at, text: 'x' }];
            send({ Command: { Edit: [{ file: second.files[0].file, splices }] } });
        }
        const before = isOpened ? { catalog: second.id, is_opened: true } : { catalog: first.id, is_opened: false };
        const compared = { before, after: { catalog: second.id, is_opened: false }, levels: '', day: '', runtime: 'V0' };
        // What is known of the same states would be kept.
        send({ SetComparison: { ...compared, runtime: 'V1' } });
        send({ SetComparison: compared });
        send({ Query: { Compare: {} } });
    })";

/// Compares the catalogs below a folder.
pub(super) async fn measure(folder: &Path) -> Result {
    let before = all(folder)?;
    let at = before.find("image: ").map_or(0, |at| at + "image: ".len());
    let after = before.replace("image: ", "image: edited.");
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (mut all_rows, mut edits) = (Vec::new(), Vec::new());
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        page.eval(WATCH_WORKER, vec![]).await?;
        // Edits of the only catalog first: of an image in its first file.
        page.drop_paths(&[folder]).await?;
        wait_for(page, &name).await?;
        for _ in 0..QUESTIONS {
            edits.push(number(&page.eval(COMPARE, vec![json!(true), json!(at)]).await?)?);
        }
        drop_text(page, "after", &after).await?;
        drop_text(page, "before", &before).await?;
        for _ in 0..QUESTIONS {
            all_rows.push(number(&page.eval(COMPARE, vec![json!(false), Value::Null]).await?)?);
        }
        Ok(())
    })
    .await?;
    say(&format!(
        "{:.1} MB in Chromium: all rows {:.0} ms, an edit to its effect {:.0} ms",
        before.len() as f64 / 1e6,
        median(all_rows),
        median(edits)
    ));
    Ok(())
}

/// Drops a catalog and waits until all of it is loaded.
async fn drop_text(page: &Page, name: &str, text: &str) -> Result {
    page.drop_texts("body", &[(&format!("{name}.yaml"), text)]).await?;
    wait_for(page, name).await
}

/// Waits until all of a catalog is loaded.
async fn wait_for(page: &Page, name: &str) -> Result {
    let loaded = "return window.loaded?.overview.catalogs.some((row) => row.name === arguments[0]) || null";
    let is_loaded = async || Ok(page.eval(loaded, vec![json!(name)]).await?.as_bool());
    page.wait_for("the whole catalog", is_loaded).await.map(drop)
}

/// The YAML files below a folder as one text.
fn all(folder: &Path) -> Result<String> {
    let failed = |error| BrowserError::File(folder.to_path_buf(), error);
    let entries = folder.read_dir().map_err(failed)?;
    let mut paths = entries.map(|entry| Ok(entry.map_err(failed)?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    let mut text = String::new();
    for path in paths {
        if path.is_dir() {
            text += &all(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            let file = std::fs::read_to_string(&path).map_err(failed)?;
            text += if file.starts_with("---") { "" } else { "---\n" };
            text += &file;
            text += if file.ends_with('\n') { "" } else { "\n" };
        }
    }
    Ok(text)
}
