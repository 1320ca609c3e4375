//! The hook that Trunk calls after a build (`Trunk.toml`).
//!
//! Trunk names the app's files by their content and the worker's files not at all, so that a browser
//! could pair a cached worker with a new app. Here the worker and the source editor get their hashes, and the page their
//! names. Modules of a release lose the names of their functions, and a release gets the script that keeps it in the
//! browser.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha384};

use crate::failure::{About, Failure, Result};
use crate::{names, offline};

/// The worker's name in `web/worker/Cargo.toml`.
const WORKER: &str = "opscope-worker";

/// The page's name for the file of what is said about rules; it fetches that when somebody asks.
const RULES: &str = "rules.json";

/// What Trunk appends after the name: the module, its glue.
const PARTS: [&str; 2] = ["_bg.wasm", ".js"];

/// The source editor as Trunk copies it, and what stands in the page for its hash.
const EDITOR: (&str, &str) = ("codemirror", "sha384-of-codemirror");

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
    let release = std::env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    if release {
        names::remove_all(staging)?;
    }
    let hash = content_hash(staging)?;
    let rules = write_rules(staging)?;
    let page = staging.join("index.html");
    let text = fs::read_to_string(&page).about(&page)?.replace(RULES, &rules);
    let text = stamp_editor(staging, renamed(text, &hash))?;
    fs::write(&page, allow_reload(text)).about(&page)?;
    for part in PARTS {
        let plain = staging.join(format!("{WORKER}{part}"));
        fs::rename(&plain, staging.join(format!("{WORKER}-{hash}{part}"))).about(&plain)?;
    }
    if release { offline::keep(staging) } else { offline::leave(staging) }
}

/// Writes what is said about rules to a file that is named by its content; the name.
fn write_rules(staging: &Path) -> Result<String> {
    let text = serde_json::to_vec(&rulebook::all()).map_err(|error| Failure::new(error.to_string()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&text);
    let name = format!("rules-{:016x}.json", hasher.finish());
    let path = staging.join(&name);
    fs::write(&path, text).about(&path)?;
    Ok(name)
}

/// Names the editor by its content and tells the page its hash, which the browser holds the file against.
fn stamp_editor(staging: &Path, page: String) -> Result<String> {
    let (name, hash) = EDITOR;
    let plain = staging.join(format!("{name}.js"));
    let digest = Sha384::digest(fs::read(&plain).about(&plain)?);
    let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let named = format!("{name}-{short}.js");
    fs::rename(&plain, staging.join(&named)).about(&plain)?;
    let integrity = format!("sha384-{}", BASE64_STANDARD.encode(digest));
    Ok(page.replace(hash, &integrity).replace(&format!("{name}.js"), &named))
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

/// Gives the page the worker's new names.
fn renamed(page: String, hash: &str) -> String {
    PARTS.iter().fold(page, |page, part| page.replace(&format!("{WORKER}{part}"), &format!("{WORKER}-{hash}{part}")))
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
    use super::{allow_reload, renamed};

    #[test]
    fn both_files_of_the_worker_are_renamed_in_the_page() {
        let page = r#"content="opscope-worker.js" data-wasm="opscope-worker_bg.wasm""#;
        let expected = r#"content="opscope-worker-1f.js" data-wasm="opscope-worker-1f_bg.wasm""#;
        assert_eq!(renamed(page.to_owned(), "1f"), expected);
    }

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
