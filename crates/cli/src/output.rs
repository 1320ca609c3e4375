//! Standard output: its errors, and whether its reader closed it, as `head` does when it has seen enough.

use crate::Failure;
use std::io::{self, ErrorKind, Write};

/// The exit code that a shell reports for a process ended by SIGPIPE.
pub(crate) const CLOSED_PIPE: u8 = 128 + 13;

/// A writer that remembers whether its reader closed it.
pub(crate) struct Output<W> {
    to: W,
    /// Whether the reader closed it.
    pub(crate) is_closed: bool,
}

impl<W> Output<W> {
    pub(crate) const fn new(to: W) -> Self {
        Self { to, is_closed: false }
    }

    fn noticed<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        self.is_closed |= matches!(&result, Err(error) if error.kind() == ErrorKind::BrokenPipe);
        result
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.to.write(bytes);
        self.noticed(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.to.flush();
        self.noticed(result)
    }
}

/// Writes a value as indented JSON.
pub(crate) fn write_json(out: &mut dyn Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .map_err(written)
}

/// The failure of an answer that cannot be written.
pub(crate) fn written(error: io::Error) -> Failure {
    format!("cannot write the answer: {error}")
}
