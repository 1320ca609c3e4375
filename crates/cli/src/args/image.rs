//! Arguments of images in registries.

use clap::Args;

// How every command pulls what `image:REF` names.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Images of registries (`image:REF` in place of a path)")]
pub(crate) struct ImageArguments {
    /// Use only what was pulled before, without the network.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Pull the image for this platform; linux/amd64 by default. Catalogs are the same for all of them.
    #[arg(long, global = true, value_name = "OS/ARCHITECTURE")]
    pub(crate) platform: Option<String>,
    /// Pull without TLS, such as from a registry on this computer.
    #[arg(long, global = true)]
    pub(crate) plain_http: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Cache {
    /// Remove all of it.
    #[arg(long)]
    pub(crate) clear: bool,
}
