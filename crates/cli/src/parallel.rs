//! Work on all cores: reading files, decoding, parsing and checking them. The crates below know no thread; they accept what
//! was read outside, and an executor for what can be done at once. Results are in the order of their inputs, so that the
//! output is the same with any number of threads.

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use session::{FileInput, Loading, NewText, Workbench};
use source::Executor;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use views::CatalogId;

/// So many bytes are parsed before threads have started.
const WORTH_THREADS: usize = 1 << 20;

/// The bytes of the parts of a file that are parsed at once.
const PART: usize = 1 << 20;

/// `None` in it where the system gives no threads.
static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// The threads, which are started by the first call; `RAYON_NUM_THREADS` sets their number.
fn threads() -> Option<&'static ThreadPool> {
    THREADS.get_or_init(|| ThreadPoolBuilder::new().build().ok()).as_ref()
}

/// Calls `work` for each item, in any order and several at once if all items together are at least a megabyte.
pub(crate) fn map<T: Send, U: Send>(bytes: usize, items: Vec<T>, work: impl Fn(T) -> U + Send + Sync) -> Vec<U> {
    match threads().filter(|_| bytes >= WORTH_THREADS) {
        Some(threads) => threads.install(|| items.into_par_iter().map(work).collect()),
        None => items.into_iter().map(work).collect(),
    }
}

/// Does work on all cores, if threads were started to parse what it is about.
const EXECUTOR: Executor = Executor::new(|count, work| match THREADS.get().and_then(Option::as_ref) {
    Some(threads) => threads.install(|| (0..count).into_par_iter().for_each(work)),
    None => (0..count).for_each(work),
});

/// Does independent work on several cores, if it is about enough bytes.
pub(crate) fn executor(bytes: usize) -> Executor {
    let has_threads = bytes >= WORTH_THREADS && threads().is_some();
    if has_threads { EXECUTOR } else { Executor::default() }
}

/// How many bytes the files have.
pub(crate) fn size(files: &[NewText]) -> usize {
    files.iter().map(|file| file.content.as_ref().map_or(0, Vec::len)).sum()
}

pub(crate) fn add_catalog(workbench: &mut Workbench, name: &str, files: Vec<NewText>) -> CatalogId {
    let loading = begin_catalog(workbench, name, files);
    let id = loading.catalog;
    workbench.finish_loading(&[loading]);
    id
}

/// Parses a catalog that is added to the workbench, with the progress on a terminal; what is left is [`Workbench::finish_loading`].
pub(crate) fn begin_catalog(workbench: &mut Workbench, name: &str, files: Vec<NewText>) -> Loading {
    workbench.set_executor(EXECUTOR);
    let bytes = size(&files);
    let progress = Progress::new(bytes);
    let parse = |file: &mut FileInput| {
        let parts = map(file.text.len(), file.parts(PART), |part| file.parse_part(part));
        file.parse_with(parts);
        progress.add(file.text.len());
    };
    let loading = workbench.begin_loading_with(
        name,
        files,
        |files| map(bytes, files, |(key, file)| FileInput::new(key, file)),
        |files| drop(map(bytes, files.iter_mut().collect(), parse)),
    );
    progress.clear();
    loading
}

/// Fewer bytes than this are read too quickly for progress to be of use.
const WORTH_SHOWING: usize = 32 << 20;

/// Progress on standard error, if it is a terminal and there is much to read.
struct Progress {
    total: usize,
    is_shown: bool,
    done: AtomicUsize,
    /// The percentage shown last.
    percent: AtomicUsize,
}

impl Progress {
    fn new(total: usize) -> Self {
        let is_shown = total >= WORTH_SHOWING && io::stderr().is_terminal();
        Self { total, is_shown, done: AtomicUsize::new(0), percent: AtomicUsize::new(0) }
    }

    /// Counts bytes that were read, on any thread.
    fn add(&self, bytes: usize) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let percent = done * 100 / self.total.max(1);
        if self.is_shown && self.percent.fetch_max(percent, Ordering::Relaxed) < percent {
            drop(write!(io::stderr(), "\rreading {percent:3} % of {} MB", self.total / 1_000_000));
        }
    }

    fn clear(&self) {
        if self.is_shown {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}
