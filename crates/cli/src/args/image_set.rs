//! The arguments that name a configuration of oc-mirror.

use clap::Args;
use std::path::PathBuf;
use views::OcMirror;

// What a mirror has of a catalog. (A doc comment would replace the help text of each command that has these arguments.)
#[derive(Debug, Default, Args)]
pub(crate) struct ImageSetArguments {
    /// An ImageSetConfiguration: the catalog as oc-mirror v2 filters it.
    #[arg(long, value_name = "FILE")]
    pub(crate) image_set: Option<PathBuf>,
    /// The `catalog` in the configuration that is meant, where it has several and none has the name of the catalog.
    #[arg(long, value_name = "CATALOG", requires = "image_set")]
    pub(crate) image_set_catalog: Option<String>,
    /// The version of OpenShift whose oc-mirror filters, such as 4.18: releases before 5.0 drop deprecations, and that of 4.18
    /// does not keep one version alone.
    #[arg(long, value_name = "VERSION", default_value = OcMirror::default().version(), requires = "image_set")]
    pub(crate) oc_mirror: OcMirror,
}
