//! Contents of files, each once, however many paths lead to it.

use crate::name::split;
use crate::report::File;
use crate::run::Run;
use crate::tree::Leaf;
use crate::{Error, Form};

/// Contents of files by index.
#[derive(Default)]
pub(crate) struct Pool {
    contents: Vec<Vec<u8>>,
    /// How many leaves still need each.
    uses: Vec<usize>,
}

impl Pool {
    /// Adds a content. Returns its index.
    pub(crate) fn add(&mut self, content: Vec<u8>) -> usize {
        self.contents.push(content);
        self.uses.push(0);
        self.contents.len() - 1
    }

    /// Notes that the leaves will be made files.
    pub(crate) fn claim(&mut self, leaves: &[Leaf]) {
        for index in leaves.iter().filter_map(|leaf| leaf.content.as_ref().ok()) {
            self.uses[*index] += 1;
        }
    }

    /// The files of leaves that were claimed, with their paths below a folder, sorted as a walk through the folders meets them.
    ///
    /// # Errors
    /// When the copies of a content that several leaves have are too large.
    pub(crate) fn files(&mut self, run: &Run<'_>, leaves: Vec<Leaf>, folder: &str) -> Result<Vec<File>, Error> {
        let mut files = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let content = match leaf.content {
                Err(fault) => Err(fault),
                Ok(index) => Ok(self.take(run, index)?),
            };
            let below = leaf.path.strip_prefix(folder).map_or(leaf.path.as_str(), |path| path.trim_start_matches('/'));
            // The label of an image may name a file.
            let path = if below.is_empty() { split(&leaf.path).1 } else { below };
            files.push(File { path: path.to_owned(), content });
        }
        files.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
        Ok(files)
    }

    fn take(&mut self, run: &Run<'_>, index: usize) -> Result<Vec<u8>, Error> {
        self.uses[index] -= 1;
        if self.uses[index] == 0 {
            return Ok(std::mem::take(&mut self.contents[index]));
        }
        run.or_failure(run.count_kept(self.contents[index].len() as u64), Form::Other)?;
        Ok(self.contents[index].clone())
    }
}
