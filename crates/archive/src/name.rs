//! Names of entries as paths below the root of their archive.

use crate::error::NameFault;
use crate::{Error, Limits};

/// The path that an entry's name means: parts joined by `/`, without `.` and empty parts; empty for the root. And whether the
/// name begins with `/`.
///
/// # Errors
/// When the name has `..` or NUL, or too many parts or bytes.
pub(crate) fn path_of(name: &[u8], limits: Limits) -> Result<(String, bool), Error> {
    if name.len() > limits.path {
        return Err(Error::PathTooLong { limit: limits.path });
    }
    let name = String::from_utf8_lossy(name);
    let unsafe_name = |fault| Error::UnsafeName { name: shortened(&name), fault };
    if name.contains('\0') {
        return Err(unsafe_name(NameFault::Nul));
    }
    let mut parts = Vec::new();
    for part in name.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            return Err(unsafe_name(NameFault::Parent));
        }
        parts.push(part);
    }
    if parts.len() > limits.depth {
        return Err(Error::TooDeep { limit: limits.depth });
    }
    Ok((parts.join("/"), name.starts_with('/')))
}

/// The beginning of a name that may be very long.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Whether a path lies in a folder or is the folder. The root is the empty path.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder of a path, and its last part.
pub(crate) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A path in a folder.
pub(crate) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The path that a symbolic link at `path` leads to; `None` if it leads out of the root.
pub(crate) fn link_target(path: &str, target: &str) -> Option<String> {
    let base = if target.starts_with('/') { "" } else { split(path).0 };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_paths_below_the_root() {
        let path = |name: &str| path_of(name.as_bytes(), Limits::default());
        assert_eq!(path("./configs//p/./catalog.yaml"), Ok(("configs/p/catalog.yaml".to_owned(), false)));
        assert_eq!(path("/configs/"), Ok(("configs".to_owned(), true)));
        assert_eq!(path("./"), Ok((String::new(), false)));
        assert!(path("configs/../../etc/passwd").is_err());
        assert!(path("a\0b").is_err());
        assert!(path(&"a/".repeat(65)).is_err());
        assert!(path("..configs/a..").is_ok());
    }

    #[test]
    fn links_lead_from_their_folder_or_the_root() {
        assert_eq!(link_target("configs/a/b", "../c").as_deref(), Some("configs/c"));
        assert_eq!(link_target("configs/a/b", "/c").as_deref(), Some("c"));
        assert_eq!(link_target("configs/a", "../../c"), None);
    }

    #[test]
    fn a_folder_contains_whole_parts() {
        assert!(is_below("configs/a", "configs") && is_below("configs", "configs") && is_below("a", ""));
        assert!(!is_below("configs2/a", "configs"));
    }
}
