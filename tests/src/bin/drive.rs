//! The parts of `cargo xtask bench` and `cargo xtask shots` that drive a browser.

use std::path::Path;
use std::process::ExitCode;

use suite::browser::{BrowserError, Result};
use terminal::say;

#[path = "drive/drawing.rs"]
mod drawing;
#[path = "drive/first_visit.rs"]
mod first_visit;
#[path = "drive/load.rs"]
mod load;
#[path = "drive/screens.rs"]
mod screens;
#[path = "drive/shots.rs"]
mod shots;
#[path = "drive/terminal.rs"]
mod terminal;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bench", part, catalogs] => bench(part, Path::new(catalogs)).await,
        ["screens", folder, catalogs, only] => screens::take(Path::new(folder), Path::new(catalogs), only).await,
        ["shots", folder, docs] => shots::take(Path::new(folder), Path::new(docs)).await,
        _ => {
            let usage = "expected `bench PART CATALOGS`, `shots DIR DIR` or `screens DIR CATALOGS NAME`";
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
async fn bench(part: &str, catalogs: &Path) -> Result {
    match part {
        "visit" => {
            first_visit::bench().await?;
            first_visit::behind_a_slow_line().await
        }
        "load" => load::measure(catalogs).await,
        "drawing" => drawing::measure().await,
        other => Err(BrowserError::Unexpected(format!("there is no part `{other}` of the bench"))),
    }
}
