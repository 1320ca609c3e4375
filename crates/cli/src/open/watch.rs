//! Notices changes of the files that `opscope open` names.

use super::inputs::Inputs;
use crate::output::say;
use crate::paths::shown_path;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tokio::sync::watch::Sender;

/// An editor that saves a file changes several files: they are read once nothing has changed for this time.
const PAUSE: Duration = Duration::from_millis(30);
/// A file that changes all the time is read after this number of pauses.
const MOST_PAUSES: usize = 5;

/// Reads what changes again, and tells the new version, as long as the watcher is kept. Without one, or where a path cannot be
/// watched, it says so, and changes there are not shown.
pub(crate) fn watch(inputs: &Arc<Mutex<Inputs>>, versions: Sender<u32>) -> Option<RecommendedWatcher> {
    let (send, events) = mpsc::channel();
    let cannot =
        |what: &str, error: notify::Error| say(&format!("cannot watch {what}, so its changes are not shown: {error}"));
    // Nobody listens any more when the program ends.
    let mut watcher = notify::recommended_watcher(move |event| drop(send.send(event)))
        .map_err(|error| cannot("files", error))
        .ok()?;
    for (path, is_folder) in super::locked(inputs).watched() {
        let (place, mode) = match is_folder {
            true => (path, RecursiveMode::Recursive),
            // Most editors put a new file in the place of the old one.
            false => (path.parent().unwrap_or(path), RecursiveMode::NonRecursive),
        };
        if let Err(error) = watcher.watch(place, mode) {
            cannot(&format!("`{}`", shown_path(path)), error);
        }
    }
    let inputs = Arc::clone(inputs);
    let follow = move || {
        while let Some(changed) = next_changes(&events) {
            if let Some(version) = super::locked(&inputs).refresh(&changed) {
                versions.send_replace(version);
            }
        }
    };
    let started = thread::Builder::new().name("watch".to_owned()).spawn(follow);
    started.map_err(|error| cannot("files", notify::Error::io(error))).ok()?;
    Some(watcher)
}

/// Waits for changes, and returns their paths when it is quiet again; `None` when the watcher has ended.
fn next_changes(events: &Receiver<notify::Result<Event>>) -> Option<Vec<PathBuf>> {
    let mut changed = BTreeSet::new();
    while changed.is_empty() {
        changed.extend(paths(events.recv().ok()?));
    }
    for _ in 0..MOST_PAUSES {
        thread::sleep(PAUSE);
        let more: Vec<PathBuf> = events.try_iter().flat_map(paths).collect();
        if more.is_empty() {
            break;
        }
        changed.extend(more);
    }
    Some(changed.into_iter().collect())
}

/// The paths that an event changes. That files are read is no change: Opscope reads them itself.
fn paths(event: notify::Result<Event>) -> Vec<PathBuf> {
    match event {
        Ok(Event { kind: EventKind::Access(AccessKind::Close(AccessMode::Write)), paths, .. }) => paths,
        Ok(Event { kind: EventKind::Access(_), .. }) => Vec::new(),
        // Changes were lost: anything may have changed.
        Ok(event) if event.need_rescan() => vec![PathBuf::new()],
        Ok(event) => event.paths,
        Err(error) => error.paths,
    }
}
