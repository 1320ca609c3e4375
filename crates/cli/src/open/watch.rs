//! Notices changes of the files that `opscope open` names.

use super::inputs::Inputs;
use crate::folder;
use crate::output::say;
use crate::places::shown_path;
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};
use tokio::sync::watch::Sender;

/// An editor that saves a file changes several files: they are read once nothing has changed for this time.
const PAUSE: Duration = Duration::from_millis(30);
/// A file that changes all the time, or stays empty, is read after this number of pauses.
const MOST_PAUSES: usize = 10;

/// Reads what changes again, and tells the new version, until the program ends. Without a watcher, or where a path cannot be watched,
/// it says so, and changes there are not shown.
pub(crate) fn watch(inputs: &Arc<Mutex<Inputs>>, versions: Sender<u32>) {
    let (send, events) = mpsc::channel();
    // Nobody listens any more when the program ends.
    let mut watcher = match notify::recommended_watcher(move |event| drop(send.send(event))) {
        Ok(watcher) => watcher,
        Err(error) => return cannot("files", &error),
    };
    let mut watched = BTreeMap::new();
    let inputs = Arc::clone(inputs);
    let mut read = move |changed: &[PathBuf]| {
        let mut inputs = super::locked(&inputs);
        // What comes after this is an event, what came before is read now.
        arm(&mut watcher, &mut watched, inputs.watched());
        if let Some(version) = inputs.refresh(changed) {
            versions.send_replace(version);
        }
    };
    // What changed before files were watched.
    read(&[PathBuf::new()]);
    let follow = move || {
        while let Some(changed) = next_changes(&events) {
            read(&changed);
        }
    };
    if let Err(error) = thread::Builder::new().name("watch".to_owned()).spawn(follow) {
        cannot("files", &notify::Error::io(error));
    }
}

fn cannot(what: &str, error: &notify::Error) {
    say(&format!("cannot watch {what}, so its changes are not shown: {error}"));
}

/// Watches these paths, and the nearest folder above each that is there: what is removed and made again is another file for the
/// system. Most editors, too, put a new file in the place of the old one.
fn arm<'p>(
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeMap<PathBuf, Option<SystemTime>>,
    paths: impl Iterator<Item = &'p Path>,
) {
    for path in paths {
        let above = path.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_path_buf);
        // Linux watches folder by folder anyway, so that those of git can be left out.
        let (inside, mode) = match path.is_dir() {
            true if cfg!(target_os = "linux") => (folder::folders(path), RecursiveMode::NonRecursive),
            is_folder => (is_folder.then(|| path.to_path_buf()).into_iter().collect(), RecursiveMode::Recursive),
        };
        let above = above.map(|folder| (folder, RecursiveMode::NonRecursive));
        for (place, mode) in above.into_iter().chain(inside.into_iter().map(|folder| (folder, mode))) {
            let made = place.metadata().and_then(|data| data.created()).ok();
            if watched.get(&place) == Some(&made) && made.is_some() {
                continue;
            }
            match watcher.watch(&place, mode) {
                Ok(()) => drop(watched.insert(place, made)),
                Err(error) if !place.exists() => drop(error),
                Err(error) => cannot(&format!("`{}`", shown_path(&place)), &error),
            }
        }
    }
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
        // Who writes into a file empties it first.
        if more.is_empty() && !changed.iter().any(|path| is_empty(path)) {
            break;
        }
        changed.extend(more);
    }
    Some(changed.into_iter().collect())
}

fn is_empty(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.len() == 0)
}

/// The paths that an event changes. That files are read is no change: Opscope reads them itself. What git does in its folder is none.
fn paths(event: notify::Result<Event>) -> Vec<PathBuf> {
    let is_of_git = |path: &PathBuf| path.components().any(|part| part.as_os_str() == ".git");
    let mut paths = all_paths(event);
    paths.retain(|path| !is_of_git(path));
    paths
}

fn all_paths(event: notify::Result<Event>) -> Vec<PathBuf> {
    match event {
        Ok(Event { kind: EventKind::Access(AccessKind::Close(AccessMode::Write)), paths, .. }) => paths,
        Ok(Event { kind: EventKind::Access(_), .. }) => Vec::new(),
        // Changes were lost: anything may have changed.
        Ok(event) if event.need_rescan() => vec![PathBuf::new()],
        Ok(event) => event.paths,
        Err(error) => error.paths,
    }
}
