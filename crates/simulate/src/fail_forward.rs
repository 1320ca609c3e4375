//! The CSVs that count as installed with the upgrade strategy `TechPreviewUnsafeFailForward`.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/source_csvs.go` and `fail_forward.go`.

use std::collections::{BTreeMap, BTreeSet};

use catalog::BundleName;

use cluster::Csv;

/// All CSVs but those in phase `Replacing` in a chain that ends in a failed CSV; or OLM's error if a chain is broken.
pub(crate) fn installed_csvs<'c>(csvs: &[&'c Csv]) -> Result<Vec<&'c Csv>, String> {
    let mut chains = Chains::of(csvs);
    let mut installed = Vec::new();
    for &csv in csvs {
        let last = chains.last(csv)?;
        if !(is_in(csv, "Replacing") && is_in(last, "Failed")) {
            installed.push(csv);
        }
    }
    Ok(installed)
}

/// The chains of CSVs that replace each other.
struct Chains<'c> {
    /// The CSV that replaces the one with the given name; of several the first.
    successors: BTreeMap<&'c BundleName, &'c Csv>,
    /// The last CSV of the chain of the one with the given name. Each CSV is visited once, so that long chains stay cheap.
    last: BTreeMap<&'c BundleName, &'c Csv>,
}

impl<'c> Chains<'c> {
    fn of(csvs: &[&'c Csv]) -> Self {
        let mut successors = BTreeMap::new();
        for &csv in csvs {
            if let Some(replaced) = &csv.replaces {
                successors.entry(replaced).or_insert(csv);
            }
        }
        Self { successors, last: BTreeMap::new() }
    }

    /// The last CSV of the chain that starts with `first`. All before it must be in phase `Replacing`.
    fn last(&mut self, first: &'c Csv) -> Result<&'c Csv, String> {
        let mut seen = BTreeSet::new();
        let mut current = first;
        let last = loop {
            let name = &current.installed.name;
            if let Some(last) = self.last.get(name) {
                break *last;
            }
            if !seen.insert(name) {
                return Err(format!("csv {}/{name} has already been seen", current.namespace));
            }
            let Some(next) = self.successors.get(name) else { break current };
            if !is_in(current, "Replacing") {
                let phase = current.phase.as_deref().unwrap_or_default();
                return Err(format!("csv {}/{name} in phase {phase} instead of Replacing", current.namespace));
            }
            current = next;
        };
        self.last.extend(seen.into_iter().map(|name| (name, last)));
        Ok(last)
    }
}

fn is_in(csv: &Csv, phase: &str) -> bool {
    csv.phase.as_deref() == Some(phase)
}

#[cfg(test)]
mod tests {
    use cluster::{CsvProperties, InstalledCsv};

    use super::*;

    fn csv(name: &str, replaces: &str, phase: &str) -> Csv {
        let properties = CsvProperties::Known([].into());
        let version = go_semver::blang::Version::new(0, 0, 0);
        let installed = InstalledCsv { name: name.into(), version, properties };
        Csv {
            phase: (!phase.is_empty()).then(|| phase.into()),
            replaces: (!replaces.is_empty()).then(|| replaces.into()),
            ..Csv::running("ns", installed)
        }
    }

    #[track_caller]
    fn check(csvs: &[(&str, &str, &str)], expected: Result<&[&str], &str>) {
        let csvs: Vec<Csv> = csvs.iter().map(|(name, replaces, phase)| csv(name, replaces, phase)).collect();
        let installed = installed_csvs(&csvs.iter().collect::<Vec<_>>());
        let names = installed.as_ref().map(|csvs| csvs.iter().map(|csv| csv.installed.name.as_str()).collect());
        assert_eq!(names.map_err(String::as_str), expected.map(<[&str]>::to_vec));
    }

    #[test]
    fn chains_are_followed_to_their_end() {
        let broken = [("a", "", "Replacing"), ("b", "a", "Replacing"), ("c", "b", "Failed"), ("d", "", "Failed")];
        check(&broken, Ok(&["c", "d"]));
        let on_the_way = [("a", "", "Replacing"), ("b", "a", "Replacing"), ("c", "b", "Pending")];
        check(&on_the_way, Ok(&["a", "b", "c"]));
        check(&[("a", "", ""), ("b", "a", "Failed")], Err("csv ns/a in phase  instead of Replacing"));
        check(&[("a", "b", "Replacing"), ("b", "a", "Replacing")], Err("csv ns/a has already been seen"));
        check(&[("a", "a", "Replacing")], Err("csv ns/a has already been seen"));
        // Of two CSVs that replace the same one, the first by name counts.
        check(&[("a", "", "Replacing"), ("b", "a", "Succeeded"), ("c", "a", "Failed")], Ok(&["a", "b", "c"]));
    }

    #[test]
    fn a_long_chain_is_visited_once() {
        let name = |at: usize| format!("{at:05}");
        let phase = |at| if at == 30_000 { "Failed" } else { "Replacing" };
        let chain: Vec<Csv> = (1..=30_000).map(|at| csv(&name(at), &name(at - 1), phase(at))).collect();
        let installed = installed_csvs(&chain.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(installed.len(), 1);
    }
}
