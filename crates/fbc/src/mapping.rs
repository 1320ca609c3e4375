//! Removes keys of a mapping that a later equal key replaces.

use crate::findings::Findings;
use crate::{Node, raw::Text};
use source::{Diagnostic, Rule};
use std::collections::{HashMap, HashSet};

/// A key and its value; `merged` when YAML's `<<` brought it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Text,
    pub(crate) node: Node,
    pub(crate) merged: bool,
}

/// The entries without those that a later equal key replaces, which are reported. yaml.v2 (not strict) and
/// `encoding/json` both let the last one win.
pub(crate) fn last_of_each(entries: Vec<Entry>, diagnostics: &mut Findings) -> Vec<(Text, Node)> {
    let replaced = if distinct(&entries) { Vec::new() } else { replaced(&entries, diagnostics) };
    let kept_count = entries.len() - replaced.iter().filter(|&&gone| gone).count();
    let kept = entries.into_iter().enumerate().filter(|(index, _)| !replaced.get(*index).is_some_and(|&gone| gone));
    // Not collected in place, which would keep memory that the larger entries took.
    let mut pairs = Vec::with_capacity(kept_count);
    pairs.extend(kept.map(|(_, entry)| (entry.key, entry.node)));
    pairs
}

fn distinct(entries: &[Entry]) -> bool {
    const FEW: usize = 16;
    if entries.len() > FEW {
        let mut seen = HashSet::with_capacity(entries.len());
        return entries.iter().all(|entry| seen.insert(&*entry.key.value));
    }
    let rest = |index: usize| &entries[index + 1..];
    entries.iter().enumerate().all(|(index, entry)| rest(index).iter().all(|other| other.key.value != entry.key.value))
}

fn replaced(entries: &[Entry], diagnostics: &mut Findings) -> Vec<bool> {
    let mut replaced = vec![false; entries.len()];
    let mut latest: HashMap<&str, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(earlier) = latest.insert(&entry.key.value, index) else { continue };
        replaced[earlier] = true;
        if !entry.merged && !entries[earlier].merged {
            diagnostics.report(false, || duplicate_key(&entries[earlier].key, &entry.key));
        }
    }
    replaced
}

fn duplicate_key(earlier: &Text, later: &Text) -> Diagnostic {
    Diagnostic::new(Rule::DuplicateKey, later.span, format!("the key `{later}` occurs twice; the last one wins"))
        .with_label(earlier.span, "this one is ignored")
        .with_help("remove one of them")
}
