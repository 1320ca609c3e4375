//! `opscope cache`

use crate::args;
use crate::image::Cache;
use crate::output::{Failure, written};
use crate::paths::shown_path;
use std::io::Write;

/// Prints what was pulled from registries and is kept, or removes it.
pub(crate) fn run(arguments: &args::Cache, out: &mut dyn Write) -> Result<bool, Failure> {
    let cache = Cache::of_user()?;
    if arguments.clear {
        cache.clear()?;
    }
    let (blobs, bytes) = cache.size();
    let root = shown_path(cache.root());
    writeln!(out, "{root}: {blobs} blobs, {:.1} MiB", bytes as f64 / f64::from(1 << 20)).map_err(written)?;
    for known in cache.names() {
        writeln!(out, "{} {}", known.name, known.digest).map_err(written)?;
    }
    Ok(true)
}
