//! The files of a catalog, which are found by their keys in logarithmic time: a catalog may have a hundred thousand.

use crate::file::FileInput;
use std::collections::BTreeMap;
use std::ops::Deref;
use views::FileKey;

/// The files of a catalog, in the order that `opm` walks them.
#[derive(Default)]
pub struct Files {
    list: Vec<FileInput>,
    /// The index of each file.
    positions: BTreeMap<FileKey, usize>,
}

impl Files {
    /// The file with this key.
    #[must_use]
    pub fn get(&self, key: FileKey) -> Option<&FileInput> {
        self.list.get(*self.positions.get(&key)?)
    }

    /// The file with this key, to be changed.
    pub(crate) fn get_mut(&mut self, key: FileKey) -> Option<&mut FileInput> {
        self.list.get_mut(*self.positions.get(&key)?)
    }

    /// All files, to be changed at their places.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [FileInput] {
        &mut self.list
    }

    /// Adds a file behind the others.
    pub(crate) fn push(&mut self, file: FileInput) {
        self.positions.insert(file.key, self.list.len());
        self.list.push(file);
    }

    /// Changes which files there are, or their order.
    pub(crate) fn rearrange<T>(&mut self, change: impl FnOnce(&mut Vec<FileInput>) -> T) -> T {
        let result = change(&mut self.list);
        self.positions = self.list.iter().enumerate().map(|(at, file)| (file.key, at)).collect();
        result
    }
}

impl From<Vec<FileInput>> for Files {
    fn from(list: Vec<FileInput>) -> Self {
        let mut files = Self::default();
        files.rearrange(|all| *all = list);
        files
    }
}

impl Deref for Files {
    type Target = [FileInput];

    fn deref(&self) -> &[FileInput] {
        &self.list
    }
}

impl<'f> IntoIterator for &'f Files {
    type Item = &'f FileInput;
    type IntoIter = std::slice::Iter<'f, FileInput>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewText;

    fn file(key: u32) -> FileInput {
        FileInput::new(FileKey(key), NewText { path: format!("{key}.yaml"), content: Ok(Vec::new()) })
    }

    #[test]
    fn a_file_is_found_wherever_it_was_moved() {
        let mut files = Files::from(vec![file(7), file(2)]);
        files.push(file(9));
        files.rearrange(|all| {
            all.swap(0, 2);
            all.insert(1, file(4));
        });
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["9.yaml", "4.yaml", "2.yaml", "7.yaml"]);
        for key in [9, 4, 2, 7] {
            assert_eq!(files.get(FileKey(key)).unwrap().key, FileKey(key));
            assert_eq!(files.get_mut(FileKey(key)).unwrap().key, FileKey(key));
        }
        files.rearrange(|all| all.truncate(1));
        assert!(files.get(FileKey(7)).is_none() && files.get(FileKey(9)).is_some());
    }
}
