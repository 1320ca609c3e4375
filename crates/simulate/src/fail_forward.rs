//! Which CSVs count as installed under `TechPreviewUnsafeFailForward`.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_csvs.go` and `fail_forward.go`.

use std::collections::BTreeSet;

use crate::cluster::Csv;

/// All but those that are being replaced in a chain that ends in a failed CSV; or OLM's text why it cannot tell.
pub(crate) fn counted<'c>(csvs: &[&'c Csv]) -> Result<Vec<&'c Csv>, String> {
    let mut counted = Vec::new();
    for &csv in csvs {
        let last = last_of_chain(csv, csvs)?;
        if !(is_in(csv, "Replacing") && is_in(last, "Failed")) {
            counted.push(csv);
        }
    }
    Ok(counted)
}

/// The CSV that replaces the one that replaces … the given one. All before it have to be in phase `Replacing`.
fn last_of_chain<'c>(first: &'c Csv, csvs: &[&'c Csv]) -> Result<&'c Csv, String> {
    let mut seen = BTreeSet::new();
    let mut current = first;
    loop {
        let name = &current.installed.name;
        if !seen.insert(name) {
            return Err(format!("csv {}/{name} has already been seen", current.namespace));
        }
        let Some(next) = csvs.iter().find(|csv| csv.replaces.as_ref() == Some(name)) else { return Ok(current) };
        if !is_in(current, "Replacing") {
            let phase = current.phase.as_deref().unwrap_or_default();
            return Err(format!("csv {}/{name} in phase {phase} instead of Replacing", current.namespace));
        }
        current = next;
    }
}

fn is_in(csv: &Csv, phase: &str) -> bool {
    csv.phase.as_deref() == Some(phase)
}
