//! The parts of `cargo xtask bench` and `cargo xtask shots` that drive a browser.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use suite::browser::{BrowserError, Key, Page, Result, Scheme, WIDE, journey};
use terminal::{FIRST_PACKAGES, say};

#[path = "drive/comparisons.rs"]
mod comparisons;
#[path = "../../../crates/resolver/benches/dense/mod.rs"]
mod dense;
#[path = "drive/drawings.rs"]
mod drawings;
#[path = "drive/first_visit.rs"]
mod first_visit;
#[path = "drive/images.rs"]
mod images;
#[path = "drive/loads.rs"]
mod loads;
#[path = "drive/opened.rs"]
mod opened;
#[path = "drive/screens.rs"]
mod screens;
#[path = "drive/sets.rs"]
mod sets;
#[path = "drive/shots.rs"]
mod shots;
#[path = "drive/terminal.rs"]
mod terminal;

/// Simulations to measure in one browser.
const SIMULATIONS: usize = 7;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bench", part, catalogs, ref others @ ..] => bench(part, Path::new(catalogs), others).await,
        ["screens", folder, catalogs, only] => screens::take(Path::new(folder), Path::new(catalogs), only).await,
        ["shots", folder, docs] => shots::take(Path::new(folder), Path::new(docs)).await,
        _ => {
            let usage = "expected `bench PART CATALOGS OTHERS...`, `shots DIR DIR` or `screens DIR CATALOGS NAME`";
            Err(BrowserError::Unexpected(usage.to_owned()))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Measures one of the parts that `xtask/src/bench/mod.rs` names.
async fn bench(part: &str, catalogs: &Path, others: &[&str]) -> Result {
    match part {
        "loads" => {
            let paths: Vec<&Path> = std::iter::once(catalogs).chain(others.iter().map(Path::new)).collect();
            loads::measure(&paths).await
        }
        "images" => images::measure(others.get(1).map_or(catalogs, Path::new)).await,
        "comparisons" => comparisons::measure(catalogs).await,
        "sets" => sets::measure(catalogs).await,
        "open" => opened::measure(catalogs).await,
        "visit" => first_visit::bench().await,
        "drawings" => drawings::measure().await,
        "simulations" => all_simulations(catalogs).await,
        other => Err(BrowserError::Unexpected(format!("there is no part `{other}` of the bench"))),
    }
}

async fn all_simulations(catalogs: &Path) -> Result {
    let name = catalogs.file_name().unwrap_or_default().to_string_lossy();
    simulations(&name, &name, &packages(catalogs)?, async |page| page.drop_paths(&[catalogs]).await).await?;
    let dense: Vec<String> = (0..dense::PACKAGES).map(dense::package).collect();
    let text = dense::text(false);
    simulations("a dense catalog", "dense", &dense, async |page| {
        page.drop_texts("body", &[("dense.json", &text)]).await
    })
    .await
}

/// How long the worker takes to answer what OLM does with a Subscription to every package, explanations included.
async fn simulations(what: &str, catalog: &str, packages: &[String], open: impl AsyncFn(&Page) -> Result) -> Result {
    let mut manifests = String::new();
    for package in packages {
        write!(
            manifests,
            "---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {{name: {package}, namespace: \
             operators}}\nspec: {{name: {package}, source: {catalog}, sourceNamespace: olm}}\n"
        )
        .expect("writing to a string never fails");
    }
    journey(async |page| {
        page.look(WIDE, Scheme::Light).await?;
        open(page).await?;
        page.css(FIRST_PACKAGES).await?;
        page.eval(loads::WATCH_WORKER, vec![]).await?;
        page.drop_texts("body", &[("cluster.yaml", &manifests)]).await?;
        let mut runs = Vec::new();
        for run in 1..=SIMULATIONS {
            runs = page.wait_for("an answer of the worker", async || answered(page, run).await).await?;
            page.press(&format!("{}{}", Key::Control, Key::Enter)).await?;
        }
        let first = runs.remove(0);
        runs.sort_by(f64::total_cmp);
        let (least, middle, most) = (runs[0], runs[runs.len() / 2], runs[runs.len() - 1]);
        let outcomes = times(page, "firstOutcomes").await?;
        let alone = if outcomes.is_empty() {
            String::new()
        } else {
            format!("; the first outcome alone after {:.0} ms, the first time {:.0} ms", loads::median(outcomes.clone()), outcomes[0])
        };
        let waits = times(page, "longestWaits").await?;
        let longest = waits.iter().copied().fold(0.0, f64::max);
        let waits = format!("; other answers wait up to {:.0} ms, at most {longest:.0} ms", loads::median(waits));
        say(&format!(
            "simulation of {what}, {} Subscriptions: {middle:.0} ms ({least:.0} to {most:.0}), the first time {first:.0} ms{alone}{waits}",
            packages.len()
        ));
        Ok(())
    })
    .await
}

/// The answers so far, once there are `count`.
async fn answered(page: &Page, count: usize) -> Result<Option<Vec<f64>>> {
    let times = times(page, "simulations").await?;
    Ok((times.len() >= count).then_some(times))
}

/// A list of [`loads::WATCH_WORKER`], in milliseconds.
async fn times(page: &Page, list: &str) -> Result<Vec<f64>> {
    let times = page.eval("return window[arguments[0]]", vec![list.into()]).await?;
    Ok(times.as_array().into_iter().flatten().filter_map(serde_json::Value::as_f64).collect())
}

/// The folders of packages below a folder of catalogs.
fn packages(catalogs: &Path) -> Result<Vec<String>> {
    let failed = |error| BrowserError::File(catalogs.to_path_buf(), error);
    let folders = std::fs::read_dir(catalogs).map_err(failed)?.filter_map(std::result::Result::ok);
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}
