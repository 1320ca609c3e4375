//! Standard output that remembers whether its reader went away, as `head` does when it has seen enough.

use std::io::{self, ErrorKind, Write};

/// The exit code of what a shell ends with SIGPIPE.
pub(crate) const NOBODY_READS: u8 = 128 + 13;

/// Where answers go.
pub(crate) struct Output<W> {
    to: W,
    /// Nobody reads what is written any more.
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
