//! Files that `.indexignore` leaves out.

use crate::file::FileInput;

/// Marks files as `.indexignore` files say now, and reads those anew that this concerns.
pub(crate) fn ignore_again(files: &mut [FileInput]) {
    let before: Vec<bool> = files.iter().map(|file| file.ignored).collect();
    mark_ignored(files);
    for (file, before) in files.iter_mut().zip(before) {
        if file.ignored != before {
            file.read();
        }
    }
}

/// Marks files as `.indexignore` files say.
pub(crate) fn mark_ignored(files: &mut [FileInput]) {
    let ignore = fbc::Ignore::new(
        files.iter().filter(|file| is_ignore_file(&file.path)).map(|file| (file.path.as_str(), &*file.text)),
    );
    let ignored: Vec<bool> = files.iter().map(|file| ignore.ignores(&file.path)).collect();
    for (file, ignored) in files.iter_mut().zip(ignored) {
        file.ignored = ignored;
    }
}

/// Whether it says which files are ignored.
pub(crate) fn is_ignore_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(".indexignore")
}
