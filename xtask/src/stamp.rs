//! The hook that Trunk calls after a build (`Trunk.toml`).
//!
//! Trunk names the app's files by their content and the worker's files not at all, so that a browser
//! could pair a cached worker with a new app. Here the worker gets its hash, and the page its name.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::failure::{About, Failure, Result};

/// The worker's name in `web/worker/Cargo.toml`.
const WORKER: &str = "opscope-worker";

/// What Trunk appends after the name: the module, its glue, the script that loads both.
const PARTS: [&str; 3] = ["_bg.wasm", ".js", "_loader.js"];

/// Only pages of `trunk serve` hold this: the address of the reload socket.
const RELOADS: &str = "{{__TRUNK_ADDRESS__}}";

/// `cargo xtask stamp`.
pub(crate) fn run() -> Result {
    match std::env::var_os("TRUNK_STAGING_DIR") {
        Some(staging) => stamp(&PathBuf::from(staging)),
        None => Err(Failure::new("`TRUNK_STAGING_DIR` is not set")
            .mend("`cargo xtask build` runs Trunk, which calls this with it")),
    }
}

fn stamp(staging: &Path) -> Result {
    let hash = content_hash(staging)?;
    let rename = |text: String| {
        PARTS
            .iter()
            .fold(text, |text, part| text.replace(&format!("{WORKER}{part}"), &format!("{WORKER}-{hash}{part}")))
    };
    edit(&staging.join(format!("{WORKER}_loader.js")), rename)?;
    edit(&staging.join("index.html"), |page| allow_reload(rename(page)))?;
    for part in PARTS {
        let plain = staging.join(format!("{WORKER}{part}"));
        fs::rename(&plain, staging.join(format!("{WORKER}-{hash}{part}"))).about(&plain)?;
    }
    Ok(())
}

/// The names need only differ when the contents do: any good hash serves.
fn content_hash(staging: &Path) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for part in PARTS {
        let path = staging.join(format!("{WORKER}{part}"));
        hasher.write(&fs::read(&path).about(&path)?);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn edit(path: &Path, change: impl Fn(String) -> String) -> Result {
    let text = fs::read_to_string(path).about(path)?;
    fs::write(path, change(text)).about(path)
}

/// Lets the inline reload script of `trunk serve` run; a built page keeps its strict policy.
fn allow_reload(page: String) -> String {
    if page.contains(RELOADS) {
        page.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
            .replace("connect-src 'self'", "connect-src 'self' ws:")
    } else {
        page
    }
}

#[cfg(test)]
mod tests {
    use super::allow_reload;

    #[test]
    fn only_a_page_that_reloads_gets_the_looser_policy() {
        let policy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
        assert_eq!(allow_reload(policy.to_owned()), policy);
        assert_eq!(
            allow_reload(format!("{policy} '{{{{__TRUNK_ADDRESS__}}}}'")),
            "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self' ws: \
             '{{__TRUNK_ADDRESS__}}'"
        );
    }
}
