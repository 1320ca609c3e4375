//! `bench`: the figures that the README quotes, measured on a folder of real catalogs.

mod growth;
mod inputs;
pub(crate) mod measure;
mod native;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::cmd;

use crate::terminal::say;
use crate::{dist, setup, workspace};

/// The table that `Loads` fills.
const TABLE: [&str; 2] = [
    "From the drop of files that were held over the page for a second, until all findings are there: the median of several \
     runs, the lowest and the highest, and the highest peak of memory.",
    "input                     MB  program              ms (least to most)    MB/s  peak MB  of input",
];

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
    /// Comparisons of two states, natively and in the browser
    Comparisons,
    /// Loads, edits and selected packages in the browser
    Loads,
    /// A set in the browser; only if it is named, because `--catalogs` is then a folder of catalogs for several versions of
    /// OpenShift
    Sets,
    /// A catalog image of 1 GB in the browser
    Images,
    /// `opscope open` with the page in it: the size of the program, until catalogs are on the page, and until a save is shown
    Open,
    /// The first visit to the page
    Visit,
    /// Large graphs: until they are shown, and frames while they are moved
    Drawings,
    /// Simulations of all packages
    Simulations,
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
    let inputs = match part {
        Some(Part::Sets) => Vec::new(),
        _ => inputs::make(&catalogs, &workspace::target().join("bench"))?,
    };
    let paths: Vec<&Path> = match part {
        Some(Part::Sets) => vec![&catalogs],
        _ => inputs.iter().map(|input| input.path.as_path()).collect(),
    };
    if parts.contains(&Part::Native) {
        native::run(&inputs, arguments.compare.as_deref())?;
    }
    if parts.contains(&Part::Resolutions) {
        cmd!(shell, "cargo bench -p resolver").env("OPSCOPE_CATALOGS", &catalogs).run()?;
    }
    let is_measured = |part: &&Part| match part {
        Part::Native | Part::Growth | Part::Resolutions => false,
        Part::Sets => arguments.part.is_some(),
        _ => true,
    };
    let in_browser: Vec<&Part> = parts.iter().filter(is_measured).collect();
    if in_browser.is_empty() {
        return Ok(());
    }
    let (toolchain, browser) = setup::all()?;
    dist::build(&toolchain, dist::Profile::Web)?;
    cmd!(shell, "cargo build -p suite --bin drive").run()?;
    for part in in_browser {
        match part {
            Part::Loads => TABLE.iter().for_each(say),
            Part::Comparisons => {
                cmd!(shell, "cargo bench -p workbench --bench comparison").env("OPSCOPE_CATALOGS", &catalogs).run()?;
            }
            Part::Open => {
                let build = cmd!(shell, "cargo build --release --locked --package opscope");
                build.env("OPSCOPE_PAGE", workspace::dist()).run()?;
            }
            Part::Native
            | Part::Growth
            | Part::Resolutions
            | Part::Sets
            | Part::Images
            | Part::Visit
            | Part::Drawings
            | Part::Simulations => {}
        }
        let paths = &paths;
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let drive = cmd!(shell, "cargo run --quiet -p suite --bin drive -- bench {name} {paths...}");
        let program = workspace::target().join("release/opscope");
        browser.start_with(drive).env("OPSCOPE", program).quiet().run()?;
    }
    Ok(())
}
