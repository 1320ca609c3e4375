//! `opscope migrate`

mod group;
mod json;
mod text;

use crate::args::{self, Acknowledged, MigrateFormat};
use crate::output::{Failure, say, write_json, written};
use crate::paths::shown_path;
use crate::scene::Scene;
use json::Report;
use migration::{Acknowledgments, CatalogOptions, ConvertOptions, InstallNamespace};
use report::{Printer, Terminal};
use std::io::Write;
use views::MigrationRow;
use workbench::MigrationOptions;

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
    let view = scene.migration(&options(arguments));
    match arguments.format {
        MigrateFormat::Text => {
            let mut printer = Printer::new(out, terminal, &scene.inputs);
            text::write(&mut printer, &view, arguments.dry_run).map_err(written)?;
        }
        MigrateFormat::Json => write_json(out, &Report::of(&view))?,
        MigrateFormat::Yaml => write!(out, "{}", view.manifests).map_err(written)?,
    }
    scene.inputs.answer(view.subscriptions.iter().all(MigrationRow::succeeds))
}

/// The flags of the migration tool.
fn options(arguments: &args::Migrate) -> MigrationOptions {
    let is_set = |flag| arguments.acknowledge.contains(&flag);
    let acknowledged = Acknowledgments {
        watch_scope_change: is_set(Acknowledged::WatchScopeChange),
        operator_condition: is_set(Acknowledged::OperatorCondition),
        olmv0_api_access: is_set(Acknowledged::Olmv0ApiAccess),
        scoped_serviceaccount: is_set(Acknowledged::ScopedServiceaccount),
        not_steady_state: is_set(Acknowledged::NotSteadyState),
        namespace_delete: is_set(Acknowledged::NamespaceDelete),
    };
    let install_namespace = match &arguments.install_namespace {
        _ if arguments.system_managed_install_namespace => InstallNamespace::SystemManaged,
        Some(name) => InstallNamespace::Named(name.as_str().into()),
        None => InstallNamespace::Source,
    };
    let deletes_operator_group = arguments.delete_operatorgroup;
    let catalogs = CatalogOptions {
        is_dry_run: arguments.dry_run,
        deletes_sources: arguments.delete_catalogsource,
        caps_priority: is_set(Acknowledged::PriorityOverflow),
    };
    let convert = ConvertOptions { acknowledged, install_namespace, deletes_operator_group };
    MigrationOptions { convert, catalogs, is_complete: arguments.complete }
}
