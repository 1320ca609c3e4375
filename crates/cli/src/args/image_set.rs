//! The arguments that name a configuration of oc-mirror.

use clap::Args;
use std::path::PathBuf;

// What a mirror has of a catalog. (A doc comment would replace the help text of each command that has these arguments.)
#[derive(Debug, Args)]
pub(crate) struct ImageSetArguments {
    /// An ImageSetConfiguration: the catalog as oc-mirror filters it (oc-mirror v2 with catalog-filter v0.0.4).
    #[arg(long, value_name = "FILE")]
    pub(crate) image_set: Option<PathBuf>,
    /// The `catalog` in the configuration that is meant, where it has several and none has the name of the catalog.
    #[arg(long, value_name = "CATALOG", requires = "image_set")]
    pub(crate) image_set_catalog: Option<String>,
}
