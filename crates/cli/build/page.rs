//! Packs the page into the program: the files of the folder that `OPSCOPE_PAGE` names. Of a file with a `.br` beside it, which is
//! the same compressed, only that.

use std::fs;
use std::path::{Path, PathBuf};
use std::{env, fmt::Write as _};

/// The variable with the folder of a built page; without it, the program has no page.
const FOLDER: &str = "OPSCOPE_PAGE";

/// Writes the table `PAGE` of paths and files.
pub(crate) fn pack() {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    let mut table = String::from("/// The files of the page, in ascending order.\n");
    table += "const PAGE: &[(&str, &[u8])] = &[\n";
    if let Some(folder) = env::var_os(FOLDER).map(PathBuf::from).filter(|folder| !folder.as_os_str().is_empty()) {
        println!("cargo::rerun-if-changed={}", folder.display());
        assert!(folder.join("index.html").is_file(), "{FOLDER}: `{}` has no index.html", folder.display());
        for (path, file) in files(&folder, "") {
            if !file.with_added_extension("br").exists() {
                writeln!(table, "    ({path:?}, include_bytes!({file:?})),").expect("a text takes all");
            }
        }
    }
    table += "];\n";
    fs::write(out.join("page.rs"), table).expect("there is room");
}

/// The files below a folder by their paths, in ascending order.
fn files(folder: &Path, below: &str) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).expect("the page can be read").map(|entry| entry.expect("the page can be read"));
    let found = entries.flat_map(|entry| {
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() { files(&entry.path(), &format!("{path}/")) } else { vec![(path, entry.path())] }
    });
    let mut found: Vec<_> = found.collect();
    found.sort();
    found
}
