//! The inputs of `bench`: a folder of real catalogs, as it is and as one file, and both repeated up to a size at which
//! constant costs no longer count.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::workspace::files_below;

/// The least size of the repeated inputs in bytes.
const LARGE: usize = 100_000_000;

/// A file or folder of catalogs.
pub(super) struct Input {
    pub(super) path: PathBuf,
    /// The file itself, or the files of the folder.
    pub(super) files: Vec<PathBuf>,
    pub(super) bytes: usize,
}

/// Writes the inputs that are made of `catalogs` below `folder`, which is emptied first.
pub(super) fn make(catalogs: &Path, folder: &Path) -> Result<Vec<Input>> {
    let mut files = Vec::new();
    for path in files_below(catalogs)? {
        let text = fs::read_to_string(&path)?;
        files.push((path.strip_prefix(catalogs)?.to_path_buf(), text));
    }
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let times = LARGE.div_ceil(bytes.max(1));
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let repeated = folder.join("repeated");
    Ok(vec![
        Input { path: catalogs.to_path_buf(), files: files_below(catalogs)?, bytes },
        one_file(&folder.join("one.yaml"), &files, 1)?,
        many_files(&repeated, &files, times)?,
        one_file(&folder.join("repeated.yaml"), &files, times)?,
    ])
}

fn one_file(path: &Path, files: &[(PathBuf, String)], times: usize) -> Result<Input> {
    let mut all = String::new();
    for time in 1..=times {
        for (name, text) in files {
            let text = renamed(text, name, time);
            all.push_str(if text.starts_with("---") { "" } else { "---\n" });
            all.push_str(&text);
            all.push_str(if text.ends_with('\n') { "" } else { "\n" });
        }
    }
    fs::write(path, &all)?;
    Ok(Input { path: path.to_path_buf(), files: vec![path.to_path_buf()], bytes: all.len() })
}

fn many_files(folder: &Path, files: &[(PathBuf, String)], times: usize) -> Result<Input> {
    let mut bytes = 0;
    for time in 1..=times {
        for (name, text) in files {
            let text = renamed(text, name, time);
            bytes += text.len();
            let path = folder.join(time.to_string()).join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(&path, text)?;
        }
    }
    Ok(Input { path: folder.to_path_buf(), files: files_below(folder)?, bytes })
}

/// The text with its package renamed, so that repetitions are different packages; the first one keeps the name. The folder
/// is named for the package.
fn renamed(text: &str, path: &Path, time: usize) -> String {
    let package = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    if time == 1 || package.is_empty() {
        return text.to_owned();
    }
    text.replace(&format!(": {package}\n"), &format!(": {package}-{time}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_renamed_where_it_is_a_whole_value() {
        let text = "name: etcd\npackage: etcd\nentries:\n- name: etcd.v1\n";
        let expected = "name: etcd-2\npackage: etcd-2\nentries:\n- name: etcd.v1\n";
        assert_eq!(renamed(text, Path::new("etcd/catalog.yaml"), 2), expected);
        assert_eq!(renamed(text, Path::new("etcd/catalog.yaml"), 1), text);
        assert_eq!(renamed(text, Path::new("catalog.yaml"), 2), text);
    }
}
