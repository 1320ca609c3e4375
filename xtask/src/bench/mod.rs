//! `bench`: the time and memory of the command line and of the app, mostly on a folder of real catalogs.

mod growth;
mod inputs;
pub(crate) mod measure;
mod native;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;

use crate::{dist, setup, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this part only
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// A folder with a folder for each package; without it, the folder that `OPSCOPE_CATALOGS` names
    #[arg(long)]
    catalogs: Option<PathBuf>,
    /// Measure the native part only, in turns with this revision of git
    #[arg(long, value_name = "REV", conflicts_with = "part")]
    compare: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// `opscope validate` beside parsers, `md5sum` and `opm`; needs no browser
    Native,
    /// Commands on made-up inputs of growing sizes; needs no browser and no catalogs
    Growth,
    /// Resolutions and their explanations, and who answered their questions; needs no browser
    Resolutions,
    /// Comparisons of two states; needs no browser
    Comparisons,
    /// The first visit to the page
    Visit,
    /// A load and an edit in the browser
    Load,
    /// A large graph: until it is shown, and frames while it is moved
    Drawing,
}

/// `cargo xtask bench`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let part = arguments.part.or(arguments.compare.as_ref().map(|_| Part::Native));
    let parts = part.as_ref().map_or(Part::value_variants(), std::slice::from_ref);
    if parts.contains(&Part::Growth) {
        growth::run(&workspace::target().join("growth"))?;
    }
    if parts.iter().all(|part| *part == Part::Growth) {
        return Ok(());
    }
    let catalogs = arguments.catalogs.clone().or_else(|| std::env::var_os("OPSCOPE_CATALOGS").map(PathBuf::from));
    let catalogs = catalogs.context("help: name a folder of catalogs with `--catalogs DIR` or `OPSCOPE_CATALOGS`")?;
    let catalogs = workspace::root()
        .join(&catalogs)
        .canonicalize()
        .with_context(|| format!("help: name a folder of catalogs, not `{}`", catalogs.display()))?;
    let shell = workspace::shell()?;
    if parts.contains(&Part::Native) {
        let inputs = inputs::make(&catalogs, &workspace::target().join("bench"))?;
        native::run(&inputs, arguments.compare.as_deref())?;
    }
    if parts.contains(&Part::Resolutions) {
        cmd!(shell, "cargo bench -p resolver").env("OPSCOPE_CATALOGS", &catalogs).run()?;
    }
    if parts.contains(&Part::Comparisons) {
        cmd!(shell, "cargo bench -p workbench --bench comparison").env("OPSCOPE_CATALOGS", &catalogs).run()?;
    }
    let is_in_browser = |part: &&Part| matches!(part, Part::Visit | Part::Load | Part::Drawing);
    let in_browser: Vec<&Part> = parts.iter().filter(is_in_browser).collect();
    if in_browser.is_empty() {
        return Ok(());
    }
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain, dist::Profile::Web)?;
    cmd!(shell, "cargo build -p suite --bin drive").run()?;
    for part in in_browser {
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let drive = cmd!(shell, "cargo run --quiet -p suite --bin drive -- bench {name} {catalogs}");
        browser.start_with(drive).quiet().run()?;
    }
    Ok(())
}
