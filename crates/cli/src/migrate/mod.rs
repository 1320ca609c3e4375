//! `opscope migrate`

mod text;

use crate::args;
use crate::format::MigrateFormat;
use crate::output::{Failure, say, write_json, written};
use crate::paths::shown_path;
use crate::scene::{self, Scene};
use crate::served::Form;
use report::{Printer, Terminal};
use std::io::Write;

/// Prints what becomes of the Subscriptions under OLM v1, or the objects to apply. Returns whether each moves or stays.
pub(crate) fn run(arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let form = match arguments.format {
        MigrateFormat::Text => Form::Text,
        MigrateFormat::Json => Form::Json,
        MigrateFormat::Yaml => Form::Commented("#"),
    };
    scene::ask(&arguments.cluster, form, terminal, out, |scene, out| answer(&scene, arguments, terminal, out))
}

fn answer(scene: &Scene, arguments: &args::Migrate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let warnings = scene.warnings()?;
    if !scene.inputs.workbench.cluster_content().has_subscriptions {
        return Err(
            format!("`{}` has no Subscription, so there is nothing to migrate", shown_path(&scene.path())).into()
        );
    }
    for warning in warnings {
        say(&warning);
    }
    let view = answers::migration(&scene.inputs.workbench);
    match arguments.format {
        MigrateFormat::Text => {
            text::write(&mut Printer::new(out, terminal, &scene.inputs), &view).map_err(written)?;
        }
        MigrateFormat::Json => write_json(out, &view)?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    scene.inputs.answer(view.groups.iter().all(|group| group.verdict.succeeds()))
}
