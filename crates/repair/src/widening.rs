//! What a repair changes for those who did not need it.

use crate::known::Known;

/// Whether the update of a version to an entry is one that clusters did not make so far and do not need: the version reached
/// the head without it, or it leaves out an entry that OLM updated the version to before.
pub(crate) fn is_wide(known: &Known<'_>, is_stranded: &[bool], name: usize, entry: usize) -> bool {
    if known.now[name] == Some(entry) {
        return false;
    }
    let has_none = known.now[name].is_none() && known.before[name].is_none();
    (has_none && !is_stranded[name]) || leaves_out(known, name, entry)
}

/// Whether OLM updated the version to an entry of the channel before it came to this one, or did not come to this one.
fn leaves_out(known: &Known<'_>, name: usize, entry: usize) -> bool {
    let mut at = name;
    for _ in 0..known.names.len() {
        match known.before[at] {
            Some(next) if next != entry => at = next,
            _ => return false,
        }
        if at < known.entries.len() {
            return true;
        }
    }
    false
}

/// How many versions have such an update.
pub(crate) fn widening(known: &Known<'_>, is_stranded: &[bool], next: &[Option<usize>]) -> usize {
    let is_wide =
        |(name, next): (usize, &Option<usize>)| next.is_some_and(|entry| is_wide(known, is_stranded, name, entry));
    next.iter().enumerate().filter(|at| is_wide(*at)).count()
}
