//! The arguments of `open`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Open {
    /// What to open: files, folders, archives, saved images, catalogs for several versions of OpenShift, manifests of a cluster, `image:REF`
    /// for an image of a registry, or `git:REV:PATH` for a path at a revision of the git repository of the current folder.
    pub(crate) paths: Vec<PathBuf>,
    /// The catalog before a change: the page opens with the comparison. Such as `git:origin/main:catalog`.
    #[arg(long, value_name = "PATH")]
    pub(crate) baseline: Option<PathBuf>,
    /// The cluster to simulate: manifests as `kubectl get -o yaml` prints them, the folder of a must-gather, or `live` for the one
    /// that kubectl reaches, with its catalogs; what changes there is shown.
    #[arg(long, value_name = "FILE")]
    pub(crate) cluster: Option<PathBuf>,
    /// Let the page save edits to the files that they come from, never to one that changed meanwhile.
    #[arg(long)]
    pub(crate) write: bool,
    /// The port on 127.0.0.1 [default: a free one].
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Print the address, and open no browser.
    #[arg(long)]
    pub(crate) no_browser: bool,
    /// A folder with a built page, or with one that is unpacked from `dist.tar.gz` of a release [default: the page in the program].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) page: Option<PathBuf>,
}
