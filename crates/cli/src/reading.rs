//! Reads files, pipes and standard input, never more than a bound. Devices and files of the kernel are refused: they have no
//! end, or wait for something that never comes.

use archive::Limits;
use source::one_line;
use std::fs::{File, FileType, Metadata};
use std::hash::Hash;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The most bytes of one input. A pipe says nothing about its size before it is read.
pub(crate) const MOST: u64 = 1 << 30;
/// The most bytes of a line.
const LINE: u64 = 16 << 20;

/// Where Linux shows its own state as files. Some of them never end, some wait for messages.
const KERNEL: [&str; 2] = ["/proc", "/sys"];

/// The bytes of a file or a pipe that the user named.
///
/// # Errors
/// When it is a device, is too large, or cannot be read.
pub(crate) fn file(path: &Path) -> io::Result<Vec<u8>> {
    check(path)?;
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    if size > MOST {
        return Err(too_large());
    }
    bounded(file)
}

/// Checks that something with this path may be read: a file, a folder or a pipe.
///
/// # Errors
/// When it is of another kind, or there is nothing.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    if let Some(what) = special(kind) {
        return Err(refused(what));
    }
    let is_on_disk = kind.is_file() || kind.is_dir();
    if is_on_disk && path.canonicalize().is_ok_and(|real| KERNEL.iter().any(|root| real.starts_with(root))) {
        return Err(refused("a part of the kernel"));
    }
    Ok(())
}

/// Why an entry of a folder is not read: it is no file. A pipe in a folder would wait for a writer for ever.
pub(crate) fn refusal(kind: FileType) -> Option<String> {
    let what = if kind.is_file() { None } else { Some(special(kind).unwrap_or("a pipe")) };
    what.map(|what| refused(what).to_string())
}

/// What a file has in common with no other one, whatever names it has.
#[cfg(unix)]
pub(crate) fn identity(_: &Path, data: &Metadata) -> impl Eq + Hash + use<> {
    use std::os::unix::fs::MetadataExt;
    (data.dev(), data.ino())
}

/// The same, as far as symbolic links lead to it.
#[cfg(not(unix))]
pub(crate) fn identity(path: &Path, _: &Metadata) -> impl Eq + Hash + use<> {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// When a file changed, as the system notes it; nothing where it does not.
#[cfg(unix)]
pub(crate) fn changed(data: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (data.ctime(), data.ctime_nsec())
}

/// When a file changed, as the system notes it; nothing where it does not.
#[cfg(not(unix))]
pub(crate) const fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
}

/// The bytes of standard input, which can be read once only: a command may ask for them again.
///
/// # Errors
/// When it is closed or a device other than a terminal, is too large, or cannot be read.
pub(crate) fn standard_input() -> Result<Vec<u8>, String> {
    static INPUT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let read = || {
        let input = io::stdin();
        if is_device(&input)? {
            return Err(io::Error::other("it is closed, or a device"));
        }
        bounded(input.lock())
    };
    INPUT.get_or_init(|| read().map_err(|error| error.to_string())).clone()
}

/// The lines of a source, each bounded, without the line breaks.
pub(crate) fn lines(mut source: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match source.by_ref().take(LINE + 1).read_until(b'\n', &mut line) {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(size) if size as u64 > LINE => Some(Err(io::Error::other("a line has more than 16 MiB"))),
            Ok(_) => Some(String::from_utf8(line).map_err(|_| io::Error::other("it is not UTF-8"))),
        }
    })
}

fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST { Err(too_large()) } else { Ok(bytes) }
}

/// What a file takes besides its text, in bytes.
const BESIDES: u64 = 4096;

/// Adds a file, which has another name before, to the number of bytes of such files. Each name of a file is a file of the catalog,
/// so links to one large file, or many links to a folder, could take all memory.
///
/// # Errors
/// When all have more than an archive may have.
pub(crate) fn add_repeated(sum: &mut u64, bytes: u64, path: &str) -> io::Result<()> {
    let most = Limits::default().kept;
    *sum = sum.saturating_add(bytes).saturating_add(BESIDES);
    let help = "remove these names, or name a folder without them";
    let (size, path) = (most >> 20, one_line(path));
    let reason =
        || format!("it has more than {size} MiB of its files again under other names, such as `{path}`; {help}");
    if *sum > most { Err(io::Error::other(reason())) } else { Ok(()) }
}

/// Why an input is not read.
pub(crate) fn too_large() -> io::Error {
    io::Error::other("it has more than 1 GiB")
}

fn refused(what: &str) -> io::Error {
    io::Error::other(format!("it is {what}, not a file"))
}

/// What a path is that has no content of its own.
#[cfg(unix)]
fn special(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let is_device = kind.is_char_device() || kind.is_block_device();
    if is_device { Some("a device") } else { kind.is_socket().then_some("a socket") }
}

#[cfg(not(unix))]
const fn special(_: FileType) -> Option<&'static str> {
    None
}

/// Whether standard input is a device. One that was closed is `/dev/null` by now: the runtime of Rust opens it instead.
#[cfg(unix)]
fn is_device(input: &io::Stdin) -> io::Result<bool> {
    use std::io::IsTerminal;
    Ok(special(kind_of(input)?).is_some_and(|what| what == "a device") && !input.is_terminal())
}

#[cfg(unix)]
fn kind_of(input: &io::Stdin) -> io::Result<FileType> {
    use std::os::fd::AsFd;
    Ok(File::from(input.as_fd().try_clone_to_owned()?).metadata()?.file_type())
}

/// Whether standard input is a file, as after `<`. A pipe may wait for ever for something that never comes.
#[cfg(unix)]
pub(crate) fn is_input_a_file() -> bool {
    kind_of(&io::stdin()).is_ok_and(|kind| kind.is_file())
}

#[cfg(not(unix))]
pub(crate) const fn is_input_a_file() -> bool {
    false
}

#[cfg(not(unix))]
fn is_device(_: &io::Stdin) -> io::Result<bool> {
    Ok(false)
}
