//! The script that keeps a release in the browser (`web/sw.js`): its list of files, each with the hash of its content.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::failure::{About, Failure, Result};
use crate::workspace::{self, files_below};

/// What the page reads to know that it can be kept.
const MARK: &str = "<meta content=sw.js name=opscope-offline>";

/// Writes the script into the folder of a release, and its name into the page.
pub(crate) fn keep(folder: &Path) -> Result {
    let page = folder.join("index.html");
    let text = fs::read_to_string(&page).about(&page)?;
    fs::write(&page, marked(&text)?).about(&page)?;
    let source = workspace::root().join("web/sw.js");
    let script = script(&listed(folder)?, &fs::read_to_string(&source).about(&source)?);
    let path = folder.join("sw.js");
    fs::write(&path, script).about(&path)
}

/// Writes a script in its place that takes out what a release has kept under the same address.
pub(crate) fn leave(folder: &Path) -> Result {
    let source = workspace::root().join("web/sw-gone.js");
    let path = folder.join("sw.js");
    fs::copy(&source, &path).about(&path).map(drop)
}

fn marked(page: &str) -> Result<String> {
    if page.contains("<title>") {
        Ok(page.replacen("<title>", &format!("{MARK}<title>"), 1))
    } else {
        Err(Failure::new("the page has no `<title>` to put a mark before"))
    }
}

/// The files with the integrity (W3C SRI) of each, in path order. The page stands under the name of its folder.
fn listed(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut list = Vec::new();
    for file in files_below(folder)? {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&file).about(&file)?;
        let integrity = format!("sha256-{}", STANDARD.encode(Sha256::digest(&bytes)));
        list.push((if name == "index.html" { "./".to_owned() } else { name }, integrity));
    }
    Ok(list)
}

/// The script under its list. Other files make another version, and so do other words of the script.
fn script(files: &[(String, String)], source: &str) -> String {
    let list: String = files.iter().map(|(name, integrity)| format!("[{name:?},{integrity:?}],")).collect();
    let digest = Sha256::digest(format!("{list}{source}"));
    let version: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("const VERSION = {version:?};\nconst FILES = [{list}];\n{source}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_listed_with_its_hash() {
        let folder = std::env::temp_dir().join(format!("opscope-offline-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), "abc").unwrap();
        fs::write(folder.join("b.js"), "").unwrap();
        let list = listed(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let names: Vec<&str> = list.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b.js", "./"]);
        assert_eq!(list[1].1, "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    #[test]
    fn other_files_make_another_version() {
        let one = script(&[("a".to_owned(), "sha256-x".to_owned())], "rest");
        let two = script(&[("a".to_owned(), "sha256-y".to_owned())], "rest");
        assert!(one.ends_with("const FILES = [[\"a\",\"sha256-x\"],];\nrest"), "{one}");
        assert_ne!(one.lines().next(), two.lines().next());
    }

    #[test]
    fn the_page_is_marked_once() {
        assert_eq!(marked("<head><title>Opscope</title>").unwrap(), format!("<head>{MARK}<title>Opscope</title>"));
        assert!(marked("<head>").is_err());
    }
}
