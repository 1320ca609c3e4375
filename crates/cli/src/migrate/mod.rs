//! `opscope migrate`

mod group;
mod json;
mod text;

use crate::args::{self, MigrateFormat};
use crate::output::{Failure, say, write_json, written};
use crate::paths::shown_path;
use crate::printer::Printer;
use crate::scene::Scene;
use crate::terminal::Terminal;
use json::Report;
use std::io::Write;

/// Prints what becomes of the Subscriptions under OLM v1, or the objects to create. Returns whether each moves or stays.
pub(crate) fn run(arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let scene = Scene::read(&arguments.cluster)?;
    let (manifests, warnings) = scene.manifests()?;
    if manifests.cluster.subscriptions.is_empty() {
        return Err(
            format!("`{}` has no Subscription, so there is nothing to migrate", shown_path(&scene.path())).into()
        );
    }
    for warning in warnings {
        say(&warning);
    }
    let view = scene.migration();
    match arguments.format {
        MigrateFormat::Text => {
            let mut printer = Printer::new(out, terminal, &scene.inputs);
            text::write(&mut printer, &view).map_err(written)?;
        }
        MigrateFormat::Json => write_json(out, &Report::of(&view))?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    scene.inputs.answer(view.subscriptions.iter().all(|row| row.verdict.succeeds()))
}
