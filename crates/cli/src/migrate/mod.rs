//! `opscope migrate`

mod group;
mod json;
mod text;

use crate::args::{self, Acknowledged, MigrateFormat};
use crate::output::{Failure, say, write_json, written};
use crate::paths::shown_path;
use crate::printer::Printer;
use crate::scene::Scene;
use crate::terminal::Terminal;
use json::Report;
use migration::Acknowledgments;
use std::io::Write;
use views::MigrationRow;

/// Prints what becomes of the Subscriptions under OLM v1, or the objects that the migration tool creates. Returns whether the tool
/// takes each, and it moves or stays.
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
    let is_set = |flag| arguments.acknowledge.contains(&flag);
    let acknowledged = Acknowledgments {
        watch_scope_change: is_set(Acknowledged::WatchScopeChange),
        operator_condition: is_set(Acknowledged::OperatorCondition),
        olmv0_api_access: is_set(Acknowledged::Olmv0ApiAccess),
        scoped_serviceaccount: is_set(Acknowledged::ScopedServiceaccount),
        not_steady_state: is_set(Acknowledged::NotSteadyState),
    };
    let view = scene.migration(acknowledged, arguments.complete);
    match arguments.format {
        MigrateFormat::Text => {
            let mut printer = Printer::new(out, terminal, &scene.inputs);
            text::write(&mut printer, &view).map_err(written)?;
        }
        MigrateFormat::Json => write_json(out, &Report::of(&view))?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    let succeeds = |row: &MigrationRow| row.eligibility.is_eligible() && row.verdict.succeeds();
    scene.inputs.answer(view.subscriptions.iter().all(succeeds))
}
