//! `.opscope.yaml`: the settings of a repository.

use crate::git::Revision;
use crate::output::{Failure, say};
use crate::places::{raw_path, shown_path};
use crate::reading;
use session::{Levels, Settings, decode_text};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of the file.
const NAME: &str = ".opscope.yaml";

/// Settings with their text.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) settings: Settings,
    pub(crate) text: String,
}

/// What was read, once.
static FOUND: OnceLock<Result<Found, Vec<String>>> = OnceLock::new();

/// The settings of the current folder, or of a folder above it in the same repository. Says once on standard error which file
/// they are from.
///
/// # Errors
/// When there is a file that cannot be read, or something is wrong in it: all of that.
pub(crate) fn found() -> Result<&'static Found, Failure> {
    let read = |(path, root): (PathBuf, PathBuf)| {
        let found = read(&path, &root)?;
        say(&format!("uses the settings in `{}`", shown_path(&path)));
        Ok(found)
    };
    let found = FOUND.get_or_init(|| file().map_or_else(|| Ok(Found::default()), read));
    found.as_ref().map_err(|lines| Failure::of_lines(lines.iter().cloned()))
}

/// Takes the settings of the state before a change from now on: what a change writes into them must not decide about it. Returns what it
/// adds to them.
///
/// # Errors
/// When the revision cannot be read, or something is wrong in the settings of the change: all of that. Wrong ones of the state before,
/// which a change may mend, are left out with a message.
pub(crate) fn take_from(revision: &Revision<'_>) -> Result<Vec<String>, Failure> {
    let of_change = file().map(|(path, root)| read(&path, &root)).transpose().map_err(Failure::of_lines)?;
    let mut of_before = Found::default();
    for path in above().unwrap_or_default().0 {
        if let Some(text) = revision.text(&raw_path(&path))? {
            let shown = revision.shown_at(&raw_path(&path));
            match parsed(text, &shown) {
                Ok(found) => {
                    say(&format!("uses the settings in `{shown}`"));
                    of_before = found;
                }
                Err(faults) => say(&format!("leaves out the settings in `{shown}`: {}", faults.join("; "))),
            }
            break;
        }
    }
    let added = of_change.unwrap_or_default().settings.added_to(&of_before.settings);
    // Nothing has asked before.
    _ = FOUND.set(Ok(of_before));
    Ok(added)
}

/// The levels of the user: those of a file, or those of the settings, in which ignored rules are off.
///
/// # Errors
/// When the file or the settings cannot be read.
pub(crate) fn levels(text: Option<&str>) -> Result<Levels, Failure> {
    let found = &found()?.settings;
    let levels = text.and_then(|text| Levels::parse(text).ok()).unwrap_or_else(|| found.levels.clone());
    Ok(levels.ignoring(&found.ignored).on(&today()))
}

fn read(path: &Path, root: &Path) -> Result<Found, Vec<String>> {
    let shown = shown_path(path);
    // A message about the text of a file elsewhere would show what is in it.
    let is_inside =
        path.canonicalize().ok().zip(root.canonicalize().ok()).is_some_and(|(to, root)| to.starts_with(root));
    if !is_inside {
        return Err(vec![format!("`{shown}` is a symbolic link out of the repository, which is not followed")]);
    }
    let bytes = reading::file(path).map_err(|error| error.to_string());
    let text = bytes.and_then(decode_text).map_err(|reason| vec![format!("cannot read `{shown}`: {reason}")])?;
    parsed(text, &shown)
}

fn parsed(text: String, shown: &str) -> Result<Found, Vec<String>> {
    let settings = session::settings(&text);
    let settings =
        settings.map_err(|faults| faults.iter().map(|fault| format!("{shown}:{fault}")).collect::<Vec<_>>())?;
    Ok(Found { settings, text })
}

/// The nearest file, and the repository.
fn file() -> Option<(PathBuf, PathBuf)> {
    let (above, root) = above()?;
    Some((above.into_iter().find(|path| path.is_file())?, root))
}

/// Where the file may be, the nearest first, and the repository. The search ends at the repository, or without one at the current folder:
/// a folder that others can write, such as `/tmp`, has nothing to say.
fn above() -> Option<(Vec<PathBuf>, PathBuf)> {
    let current = std::env::current_dir().ok()?;
    let is_root = |folder: &Path| folder.join(".git").exists();
    let root = current.ancestors().find(|folder| is_root(folder)).unwrap_or(&current);
    let folders = current.ancestors().take_while(|folder| folder.starts_with(root));
    // Messages name it as the user would.
    let relative = |depth| std::iter::repeat_n("..", depth).chain([NAME]).collect::<PathBuf>();
    Some((folders.enumerate().map(|(depth, _)| relative(depth)).collect(), root.to_path_buf()))
}

/// The day by the clock of the computer, in UTC: `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    time::OffsetDateTime::now_utc().date().to_string()
}
