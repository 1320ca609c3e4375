//! The hook that Trunk calls after a build (`Trunk.toml`).
//!
//! Trunk does not name the worker and the editor by their content, so that a browser could pair cached ones with a new app:
//! here they get names with a hash, and the page these names. The hook also writes the texts about rules, the service worker
//! that keeps a release in the browser, and the book, which is not kept, and moves the custom element for other pages into a
//! folder, where its names stay the same.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::workspace::{self, files_below, say};
use crate::{book, commit, dist, serve};

/// The texts about rules; the page fetches them when somebody opens one.
const RULES: &str = "rules.json";

const EDITOR: &str = "codemirror.js";

/// Files whose names get a hash, as the page names them before.
const NAMED_BY_CONTENT: [&str; 4] = [RULES, EDITOR, "opscope-worker.js", "opscope-worker_bg.wasm"];

/// The custom element for other pages, in a folder of its own. It is no part of the page, so the service worker does not
/// keep it.
const ELEMENT_FOLDER: &str = "element";

/// The file that pages name, after the files that it loads: each but the first names the one before it.
const ELEMENT: [&str; 3] = ["opscope-element_bg.wasm", "opscope-element.js", "opscope-graph.js"];

/// The place in the page for the editor's integrity.
const EDITOR_INTEGRITY: &str = "integrity-of-codemirror";

/// The place in the page for the version; the blanks keep its quotes when the page is minified.
const VERSION: &str = "version of opscope";

/// Only pages of `trunk serve` hold this: the address of the socket that tells them to reload.
const RELOAD: &str = "{{__TRUNK_ADDRESS__}}";

/// Tells the page of a release that there is a service worker for it.
const OFFLINE: &str = "<meta content=sw.js name=opscope-offline>";

/// `cargo xtask post-build`.
pub(crate) fn run() -> Result<()> {
    let staging = std::env::var_os("TRUNK_STAGING_DIR")
        .context("`TRUNK_STAGING_DIR` is not set\nhelp: `cargo xtask build` runs Trunk, which calls this with it")?;
    let is_release = std::env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    let folder = PathBuf::from(staging);
    finish(&folder, is_release)?;
    if serve::puts_off_documentation(&folder)? {
        return Ok(());
    }
    if !is_release && which::which("mdbook").is_err() {
        say("mdbook is not on `PATH`: the page has no documentation");
        return Ok(());
    }
    // The browser keeps what `finish` found: the page without the book.
    book::build(&workspace::shell()?, &folder.join(dist::DOCUMENTATION))
}

fn finish(folder: &Path, is_release: bool) -> Result<()> {
    let page = folder.join("index.html");
    fs::write(folder.join(RULES), serde_json::to_vec(&rulebook::all())?)?;
    let mut text = allow_reload(fs::read_to_string(&page)?);
    text = text.replace(VERSION, &version(is_release.then(|| commit::of(&workspace::root().join("xtask"))).flatten()));
    text = text.replace(EDITOR_INTEGRITY, &integrity(&fs::read(folder.join(EDITOR))?));
    for name in NAMED_BY_CONTENT {
        let path = folder.join(name);
        let named = name_by_content(name, &fs::read(&path)?);
        fs::rename(&path, folder.join(&named))?;
        text = text.replace(name, &named);
    }
    move_element(folder)?;
    if is_release {
        text = announce_service_worker(&text)?;
    }
    fs::write(&page, text)?;
    let sources = workspace::root().join("web");
    let service_worker = if is_release {
        with_files(&files_with_integrity(folder)?, &fs::read_to_string(sources.join("sw.js"))?)
    } else {
        // Takes out what a release has kept under the same address.
        fs::read_to_string(sources.join("sw-gone.js"))?
    };
    Ok(fs::write(folder.join("sw.js"), service_worker)?)
}

/// The version as `opscope --version` has it. Only a release has the commit.
fn version(commit: Option<String>) -> String {
    let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
    format!("{}{commit}", env!("CARGO_PKG_VERSION"))
}

/// Moves the custom element into its folder. Only the file that pages name keeps its name.
fn move_element(folder: &Path) -> Result<()> {
    let target = folder.join(ELEMENT_FOLDER);
    fs::create_dir_all(&target)?;
    let [module, glue, element] = ELEMENT.map(|name| folder.join(name));
    let named_module = name_by_content(ELEMENT[0], &fs::read(&module)?);
    let glue_text = fs::read_to_string(&glue)?.replace(ELEMENT[0], &named_module);
    let named_glue = name_by_content(ELEMENT[1], glue_text.as_bytes());
    let text = fs::read_to_string(&element)?.replace(ELEMENT[1], &named_glue);
    fs::rename(&module, target.join(named_module))?;
    fs::write(target.join(named_glue), glue_text)?;
    fs::write(target.join(ELEMENT[2]), text)?;
    fs::remove_file(glue)?;
    Ok(fs::remove_file(element)?)
}

/// Lets the inline script of `trunk serve` run, which reloads the page; a built page keeps its strict policy.
fn allow_reload(page: String) -> String {
    if !page.contains(RELOAD) {
        return page;
    }
    page.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
        .replace("connect-src 'self'", "connect-src 'self' ws:")
}

/// `name.js` with a hash of the content before the extension.
fn name_by_content(name: &str, content: &[u8]) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("{stem}-{}.{extension}", short_hash(content))
}

/// 16 hexadecimal digits that differ when the contents do.
pub(crate) fn short_hash(content: impl AsRef<[u8]>) -> String {
    Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What a browser compares a file with (W3C Subresource Integrity).
fn integrity(content: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(content)))
}

fn announce_service_worker(page: &str) -> Result<String> {
    ensure!(page.contains("<title>"), "the page has no `<title>` to put `{OFFLINE}` before");
    Ok(page.replacen("<title>", &format!("{OFFLINE}<title>"), 1))
}

/// The files of a release with the integrity of each, in path order. The page is listed by the address of its folder.
fn files_with_integrity(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut list = Vec::new();
    let is_of_page = |file: &PathBuf| !file.starts_with(folder.join(ELEMENT_FOLDER));
    for file in files_below(folder)?.into_iter().filter(is_of_page) {
        let name = file.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        let name = if name == "index.html" { "./".to_owned() } else { name };
        list.push((name, integrity(&fs::read(&file)?)));
    }
    Ok(list)
}

/// The service worker with its list of files. Its version changes with each of them and with its own source.
fn with_files(files: &[(String, String)], source: &str) -> String {
    let list: String = files.iter().map(|(name, integrity)| format!("[{name:?},{integrity:?}],")).collect();
    let version = short_hash(format!("{list}{source}"));
    format!("const VERSION = {version:?};\nconst FILES = [{list}];\n{source}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let names = NAMED_BY_CONTENT.map(|name| format!("<meta content=\"{name}\">")).concat();
        format!("<head><title>Opscope</title>{names}<meta integrity=\"{EDITOR_INTEGRITY}\">{VERSION}")
    }

    /// A build in a folder of its own: the page and the listed names of its files.
    fn built(test: &str, is_release: bool) -> (String, String) {
        let folder = std::env::temp_dir().join(format!("opscope-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), page()).unwrap();
        for name in NAMED_BY_CONTENT.into_iter().chain([ELEMENT[0]]) {
            fs::write(folder.join(name), "abc").unwrap();
        }
        fs::write(folder.join("opscope-element.js"), "load('opscope-element_bg.wasm')").unwrap();
        fs::write(folder.join("opscope-graph.js"), "import('./opscope-element.js')").unwrap();
        finish(&folder, is_release).unwrap();
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        let service_worker = fs::read_to_string(folder.join("sw.js")).unwrap();
        let element = files_below(&folder.join("element")).unwrap();
        let texts: Vec<String> = element.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        let names = element.iter().map(|file| file.file_name().unwrap().to_str().unwrap());
        fs::remove_dir_all(&folder).unwrap();
        let expected =
            ["opscope-element-5a0f57f0aeef8f22.js", "opscope-element_bg-ba7816bf8f01cfea.wasm", "opscope-graph.js"];
        assert_eq!(names.collect::<Vec<_>>(), expected, "pages name only the last one");
        assert_eq!(texts[0], format!("load('{}')", expected[1]));
        assert_eq!(texts[2], format!("import('./{}')", expected[0]));
        (page, service_worker)
    }

    #[test]
    fn a_release_names_its_files_by_their_content_and_keeps_them() {
        let (page, service_worker) = built("release", true);
        let hash = "ba7816bf8f01cfea";
        let integrity = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        for name in ["codemirror-HASH.js", "opscope-worker-HASH.js", "opscope-worker_bg-HASH.wasm"] {
            let name = name.replace("HASH", hash);
            assert!(page.contains(&format!("\"{name}\"")), "{page}");
            assert!(service_worker.contains(&format!("[{name:?},{integrity:?}],")), "{service_worker}");
        }
        assert!(page.contains(&format!("integrity=\"{integrity}\"")), "{page}");
        assert!(page.starts_with(&format!("<head>{OFFLINE}<title>")), "{page}");
        assert!(page.contains(concat!(">", env!("CARGO_PKG_VERSION"))) && !page.contains(VERSION), "{page}");
        assert!(service_worker.contains("[\"./\","), "{service_worker}");
        assert!(!service_worker.contains("element"), "{service_worker}");
    }

    #[test]
    fn a_page_that_is_worked_on_is_not_kept() {
        let (page, service_worker) = built("debug", false);
        assert!(!page.contains(OFFLINE) && !service_worker.contains("FILES"), "{page}\n{service_worker}");
    }

    #[test]
    fn a_release_names_its_commit() {
        assert_eq!(version(None), env!("CARGO_PKG_VERSION"));
        assert_eq!(version(Some("0123456789ab".to_owned())), concat!(env!("CARGO_PKG_VERSION"), " (0123456789ab)"));
    }

    #[test]
    fn other_files_make_another_version() {
        let one = with_files(&[("a".to_owned(), "sha256-x".to_owned())], "rest");
        let two = with_files(&[("a".to_owned(), "sha256-y".to_owned())], "rest");
        assert!(one.ends_with("const FILES = [[\"a\",\"sha256-x\"],];\nrest"), "{one}");
        assert_ne!(one.lines().next(), two.lines().next());
    }

    #[test]
    fn only_a_page_that_reloads_gets_the_looser_policy() {
        let policy = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
        assert_eq!(allow_reload(policy.to_owned()), policy);
        assert_eq!(
            allow_reload(format!("{policy} '{RELOAD}'")),
            format!("script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self' ws: '{RELOAD}'")
        );
    }
}
