//! The files of an archive or an image as a tree: layers put on each other, links followed.

use crate::container::{EntryKind, walk};
use crate::error::NameFault;
use crate::form::{Reader, drain, unpack};
use crate::image::Hashing;
use crate::run::{Pool, Run, Stream, read_sized};
use crate::{Compression, Error, FileFault, Form, Limits};
use std::collections::BTreeMap;

/// The longest way along links.
const LINKS: usize = 40;

/// What a layer does to the files below it.
#[derive(Debug)]
pub(crate) enum LayerChange {
    /// Removes what lower layers have in a folder.
    Empty(String),
    /// Removes a file or folder of lower layers.
    Remove(String),
    /// Puts something at a path.
    Put(String, Node),
    /// Puts the same thing at a path as is at another one.
    HardLink { path: String, target: String },
    /// Puts a folder at a path, which leaves in place what an older folder has.
    Folder(String),
}

/// What is at a path.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A file, with the index of its content.
    File(usize),
    Link(String),
    /// A file without content.
    Fault(FileFault),
}

/// The files of an archive or an image.
pub(crate) struct Tree<'f> {
    folders: &'f [String],
    /// Whether a link may begin with `/`, which means the root of the image.
    has_root: bool,
    /// With the layer that each node is from.
    nodes: BTreeMap<String, (Node, usize)>,
}

/// A file after links were followed.
pub(crate) struct Leaf {
    pub(crate) path: String,
    pub(crate) layer: usize,
    /// The index of its content.
    pub(crate) content: Result<usize, FileFault>,
}

impl<'f> Tree<'f> {
    pub(crate) const fn new(folders: &'f [String], has_root: bool) -> Self {
        Self { folders, has_root, nodes: BTreeMap::new() }
    }

    /// Puts a layer on the tree. Returns the number of files that it removes.
    ///
    /// What a layer removes is always of lower layers, wherever it stands in the layer: image-spec, `layer.md`, "Whiteouts".
    pub(crate) fn apply(&mut self, changes: &[LayerChange], layer: usize) -> u64 {
        let before = self.nodes.len();
        for change in changes {
            match change {
                LayerChange::Empty(folder) => self.remove_below(folder),
                LayerChange::Remove(path) => self.remove(path),
                LayerChange::Put(..) | LayerChange::HardLink { .. } | LayerChange::Folder(_) => {}
            }
        }
        let removed = before - self.nodes.len();
        for change in changes {
            match change {
                LayerChange::Empty(_) | LayerChange::Remove(_) => {}
                LayerChange::Put(path, node) => self.put(path, node.clone(), layer),
                LayerChange::HardLink { path, target } => {
                    let node =
                        self.nodes.get(target).map_or_else(|| self.dead_end(target, target), |found| found.0.clone());
                    self.put(path, node, layer);
                }
                LayerChange::Folder(path) => drop(self.nodes.remove(path)),
            }
        }
        removed as u64
    }

    /// The files in the folders that are read.
    pub(crate) fn leaves(&self) -> Vec<Leaf> {
        let read = self.nodes.iter().filter(|(path, _)| self.is_read(path));
        let leaf = |(path, (node, layer)): (&String, &(Node, usize))| Leaf {
            path: path.clone(),
            layer: *layer,
            content: self.follow(path, node),
        };
        read.map(leaf).collect()
    }

    fn is_read(&self, path: &str) -> bool {
        self.folders.iter().any(|folder| is_below(path, folder))
    }

    fn put(&mut self, path: &str, node: Node, layer: usize) {
        self.remove_below(path);
        let mut folder = split(path).0;
        while !folder.is_empty() {
            self.nodes.remove(folder);
            folder = split(folder).0;
        }
        self.nodes.insert(path.to_owned(), (node, layer));
    }

    fn remove(&mut self, path: &str) {
        self.nodes.remove(path);
        self.remove_below(path);
    }

    fn remove_below(&mut self, folder: &str) {
        if folder.is_empty() {
            self.nodes.clear();
            return;
        }
        let first = format!("{folder}/");
        while let Some((path, _)) =
            self.nodes.range(first.clone()..).next().filter(|(path, _)| path.starts_with(&first))
        {
            let path = path.clone();
            self.nodes.remove(&path);
        }
    }

    fn follow(&self, path: &str, node: &Node) -> Result<usize, FileFault> {
        let Node::Link(text) = node else { return content(node) };
        let target = || shortened(text);
        let (mut path, mut text) = (path.to_owned(), text);
        for _ in 0..LINKS {
            if !self.has_root && text.starts_with('/') {
                return Err(FileFault::LinkOutside { target: target() });
            }
            let next = link_target(&path, text).ok_or_else(|| FileFault::LinkOutside { target: target() })?;
            match self.nodes.get(&next) {
                Some((Node::Link(next_text), _)) => (path, text) = (next, next_text),
                Some((node, _)) => return content(node),
                None => return content(&self.dead_end(&next, &target())),
            }
        }
        Err(FileFault::LinkCycle { target: target() })
    }

    /// What a link to a path without file is.
    fn dead_end(&self, path: &str, target: &str) -> Node {
        let target = target.to_owned();
        let inside = format!("{path}/");
        let has_files = path.is_empty()
            || self.nodes.range(inside.clone()..).next().is_some_and(|(below, _)| below.starts_with(&inside));
        Node::Fault(match () {
            () if !self.is_read(path) => FileFault::LinkOutside { target },
            () if has_files => FileFault::LinkToFolder { target },
            () => FileFault::LinkToNothing { target },
        })
    }
}

fn content(node: &Node) -> Result<usize, FileFault> {
    match node {
        Node::File(content) => Ok(*content),
        Node::Fault(fault) => Err(fault.clone()),
        Node::Link(target) => Err(FileFault::LinkCycle { target: shortened(target) }),
    }
}

// Reads one layer of an image.

/// A layer's file is listed as a change, in the tree, and as a leaf.
const LISTS: u64 = 3;

/// A layer: what it does to the folders that are read.
pub(crate) struct Layer {
    pub(crate) changes: Vec<LayerChange>,
    pub(crate) compressions: Vec<Compression>,
    /// The number of entries, also those that are not read.
    pub(crate) entries: u64,
    /// The number of bytes as they are stored.
    pub(crate) size: u64,
    /// The digest of the bytes as they are stored.
    pub(crate) stored: Option<String>,
    /// The digest of the tar archive.
    pub(crate) unpacked: Option<String>,
}

/// Which digests of a layer are needed. Each takes about as long as decompressing it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Digests {
    pub(crate) stored: bool,
    pub(crate) unpacked: bool,
}

/// Reads a layer; of its files only those in the folders are kept.
pub(crate) fn read_layer(
    run: &Run<'_>,
    reader: Reader<'_>,
    digests: Digests,
    folders: &[String],
    pool: &mut Pool,
) -> Result<Layer, Error> {
    let mut stored = Hashing::new(reader, digests.stored);
    let unpacked = unpack(run, Box::new(stored.clone()))?;
    let mut tar = Hashing::new(unpacked.reader, digests.unpacked);
    let mut changes = Vec::new();
    let mut entries = 0;
    match unpacked.form {
        Form::Tar => {
            walk(run, Stream(tar.clone()), &mut |entry, bytes| {
                entries += 1;
                run.or_failure(run.count_entries(1), Form::Tar)?;
                let content = || Ok(pool.add(run.or_failure(read_sized(run, bytes, entry.size), Form::Tar)?));
                if let Some(change) = change(&entry.path, entry.kind, folders, content)? {
                    run.or_failure(run.count_listed(&entry.path, LISTS), Form::Tar)?;
                    changes.push(change);
                }
                Ok(())
            })?;
        }
        // Docker writes layers without files as an end mark alone.
        Form::Other if unpacked.head.iter().all(|byte| *byte == 0) => {}
        _ => return Err(Error::NotALayer),
    }
    drain(run, &mut tar)?;
    drain(run, &mut stored)?;
    Ok(Layer {
        changes,
        compressions: unpacked.compressions,
        entries,
        size: stored.count(),
        stored: stored.digest(),
        unpacked: tar.digest(),
    })
}

/// What an entry does to the folders.
fn change(
    path: &str,
    kind: EntryKind,
    folders: &[String],
    content: impl FnOnce() -> Result<usize, Error>,
) -> Result<Option<LayerChange>, Error> {
    let (folder, name) = split(path);
    if let Some(hidden) = name.strip_prefix(".wh.") {
        // Names that begin with `.wh..wh.` are aufs's own, apart from the mark of an opaque folder.
        let change = match hidden {
            ".wh..opq" => LayerChange::Empty(folder.to_owned()),
            "" => return Ok(None),
            own if own.starts_with(".wh.") => return Ok(None),
            removed => LayerChange::Remove(joined(folder, removed)),
        };
        let (LayerChange::Empty(path) | LayerChange::Remove(path)) = &change else { return Ok(None) };
        let concerns = folders.iter().any(|read| is_below(path, read) || is_below(read, path));
        return Ok(concerns.then_some(change));
    }
    let is_read = folders.iter().any(|read| is_below(path, read));
    let is_around = || folders.iter().any(|read| is_below(read, path));
    let path = path.to_owned();
    Ok(match kind {
        EntryKind::File if is_read => Some(LayerChange::Put(path, Node::File(content()?))),
        EntryKind::Sparse if is_read => Some(LayerChange::Put(path, Node::Fault(FileFault::Sparse))),
        EntryKind::HardLink(target) if is_read => Some(LayerChange::HardLink { path, target }),
        EntryKind::Link(target) if is_read => Some(LayerChange::Put(path, Node::Link(target))),
        EntryKind::Folder if is_read => Some(LayerChange::Folder(path)),
        // Something that is no folder any more has no files.
        EntryKind::File | EntryKind::Sparse | EntryKind::HardLink(_) | EntryKind::Link(_) if is_around() => {
            Some(LayerChange::Remove(path))
        }
        _ => None,
    })
}

// Names of entries as paths below the root of their archive.

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

    fn put(path: &str, content: usize) -> LayerChange {
        LayerChange::Put(path.to_owned(), Node::File(content))
    }

    fn link(path: &str, target: &str) -> LayerChange {
        LayerChange::Put(path.to_owned(), Node::Link(target.to_owned()))
    }

    /// The files of `/configs` after the layers, with the index of their content or the fault.
    fn check(layers: &[&[LayerChange]], expected: &[&str]) {
        let folders = ["configs".to_owned()];
        let mut tree = Tree::new(&folders, true);
        for (number, changes) in layers.iter().enumerate() {
            tree.apply(changes, number);
        }
        let found: Vec<String> = (tree.leaves().iter())
            .map(|leaf| match &leaf.content {
                Ok(content) => format!("{}={content}", leaf.path),
                Err(fault) => format!("{}: {fault}", leaf.path),
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn upper_layers_replace_and_remove_files_of_lower_ones() {
        let lower: &[LayerChange] =
            &[put("configs/a/x", 1), put("configs/a/y", 2), put("configs/b", 3), put("configs/ab", 4)];
        check(&[lower, &[put("configs/b", 5)]], &["configs/a/x=1", "configs/a/y=2", "configs/ab=4", "configs/b=5"]);
        check(&[lower, &[LayerChange::Remove("configs/a".to_owned())]], &["configs/ab=4", "configs/b=3"]);
        check(&[lower, &[LayerChange::Remove("configs".to_owned())], &[put("configs/n", 9)]], &["configs/n=9"]);
        check(
            &[lower, &[put("configs/a/z", 9), LayerChange::Empty("configs/a".to_owned())]],
            &["configs/a/z=9", "configs/ab=4", "configs/b=3"],
        );
    }

    #[test]
    fn a_whiteout_spares_its_own_layer() {
        check(
            &[&[put("configs/a", 1)], &[put("configs/a", 2), LayerChange::Remove("configs/a".to_owned())]],
            &["configs/a=2"],
        );
        check(
            &[&[put("configs/a", 1)], &[put("configs/a", 2), LayerChange::Remove("configs".to_owned())]],
            &["configs/a=2"],
        );
    }

    #[test]
    fn a_file_replaces_a_folder_and_a_folder_a_file() {
        check(&[&[put("configs/a/x", 1)], &[put("configs/a", 2)]], &["configs/a=2"]);
        check(&[&[put("configs/a", 1)], &[put("configs/a/x", 2)]], &["configs/a/x=2"]);
        check(&[&[put("configs/a", 1)], &[LayerChange::Folder("configs/a".to_owned())]], &[]);
        check(&[&[put("configs/a/x", 1)], &[LayerChange::Folder("configs/a".to_owned())]], &["configs/a/x=1"]);
    }

    #[test]
    fn links_are_followed_inside_of_the_folder() {
        let hard =
            |path: &str, target: &str| LayerChange::HardLink { path: path.to_owned(), target: target.to_owned() };
        check(
            &[&[put("configs/a", 1), hard("configs/b", "configs/a"), link("configs/c", "b")]],
            &["configs/a=1", "configs/b=1", "configs/c=1"],
        );
        check(&[&[link("configs/p/c", "/configs/a"), put("configs/a", 1)]], &["configs/a=1", "configs/p/c=1"]);
        check(
            &[&[hard("configs/a", "etc/passwd"), link("configs/b", "../etc/passwd"), link("configs/c", "../../x")]],
            &[
                "configs/a: this is a link to `etc/passwd`, outside of the folder that is read",
                "configs/b: this is a link to `../etc/passwd`, outside of the folder that is read",
                "configs/c: this is a link to `../../x`, outside of the folder that is read",
            ],
        );
        check(
            &[&[link("configs/a", "b"), link("configs/b", "a"), link("configs/n", "none")]],
            &[
                "configs/a: this is a link to `b`, which leads back in a circle",
                "configs/b: this is a link to `a`, which leads back in a circle",
                "configs/n: this is a link to `none`, which does not exist",
            ],
        );
        check(
            &[&[put("configs/p/x", 1), link("configs/q", "p")]],
            &["configs/p/x=1", "configs/q: this is a link to the folder `p`, which opm does not follow"],
        );
    }

    #[test]
    fn a_hard_link_keeps_what_a_later_layer_removes() {
        let hard = LayerChange::HardLink { path: "configs/b".to_owned(), target: "configs/a".to_owned() };
        check(&[&[put("configs/a", 1)], &[hard], &[LayerChange::Remove("configs/a".to_owned())]], &["configs/b=1"]);
    }

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
