//! The updates of an installed version, as a strip of versions.

use compare::{Path, Row, words};
use views::PathStrip;

/// The most versions that a strip shows.
const STRIP: usize = 12;

/// The updates of a row before and after the change, as much of them as a strip shows.
pub(crate) fn strips(row: &Row) -> [PathStrip; 2] {
    let (old, new) = (&row.old, &row.new);
    let differs = old.names().zip(new.names()).position(|(old, new)| old != new);
    let differs = differs.or_else(|| (old.len != new.len).then(|| old.len.min(new.len)));
    // The installed version is before the updates.
    [old, new].map(|path| strip(row, path, differs.map(|update| update + 1)))
}

/// The installed version and where each update leads, with the first version that differs.
fn strip(row: &Row, path: &Path, differs: Option<usize>) -> PathStrip {
    let skipped = differs.filter(|at| *at >= STRIP).map_or(0, |at| at.min(path.len + 1).saturating_sub(STRIP / 2));
    let updates = path.hops().skip(skipped).take(STRIP - 1).map(|hop| words::hop_label(&hop));
    let versions: Vec<String> = std::iter::once(words::label(row)).chain(updates).collect();
    PathStrip {
        differs: differs.map(|at| at - skipped).filter(|at| *at < versions.len()).map(|at| at as u32),
        more: (path.len + 1 - skipped - versions.len()) as u32,
        skipped: skipped as u32,
        last: path.last().map(words::last_label),
        head: path
            .head()
            .map(|head| words::last_label((head, path.version_of(head))))
            .filter(|_| !row.updated_by.is_v1()),
        versions,
        end: words::path_end(row, path),
        is_fine: path.error.is_none() && !path.repeats && (row.updated_by.is_v1() || is_head(row, path)),
    }
}

fn is_head(row: &Row, path: &Path) -> bool {
    path.head() == Some(path.end(&row.installed))
}
