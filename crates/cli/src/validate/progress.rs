//! How far reading is, on standard error, when there is much to read and somebody looks.

use std::io::{self, IsTerminal, Write};
use workbench::NewText;

/// Less than this many bytes are read before anybody could look.
const WORTH_TELLING: usize = 32 << 20;

pub(super) struct Progress {
    total: usize,
    /// The percentage that was told last; nothing when nobody is told.
    told: Option<usize>,
}

impl Progress {
    pub(super) fn new(files: &[NewText]) -> Self {
        let total = files.iter().map(|file| file.content.as_ref().map_or(0, Vec::len)).sum();
        let told = (total >= WORTH_TELLING && io::stderr().is_terminal()).then_some(0);
        Self { total, told }
    }

    /// So many bytes are done.
    pub(super) fn tell(&mut self, done: u32) {
        let percent = done as usize * 100 / self.total.max(1);
        if self.told.is_some_and(|told| told < percent) {
            self.told = Some(percent);
            drop(write!(io::stderr(), "\rreading {percent:3} % of {} MB", self.total / 1_000_000));
        }
    }

    /// Takes away what was told.
    pub(super) fn end(&self) {
        if self.told.is_some() {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
