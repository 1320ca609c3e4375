//! Finds the entries of one list that meet a requirement, through the index of the list.
//!
//! OLM evaluates the requirement on every entry. Here each part of a requirement narrows the set of entries, in OLM's order:
//! it is evaluated only on entries that the parts before it leave undecided. Indexed parts are looked up instead.

use catalog::predicate::{Fuel, Requirement, Unevaluated};

use crate::entry::Entry;
use crate::index::{At, Index};

/// The entries that meet a requirement, in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    pub(crate) entries: Vec<At>,
    /// Why it is not known for some entries, which are left out.
    pub(crate) unknown: Option<Unevaluated>,
}

impl Matches {
    pub(crate) fn of(index: &Index, entries: &[Entry], requirement: &Requirement, fuel: &mut Fuel) -> Self {
        let mut lookup = Lookup { index, entries, fuel, unknown: None };
        let entries = lookup.among(requirement, None);
        Self { entries, unknown: lookup.unknown }
    }
}

struct Lookup<'l> {
    index: &'l Index,
    entries: &'l [Entry],
    fuel: &'l mut Fuel,
    unknown: Option<Unevaluated>,
}

impl Lookup<'_> {
    /// The entries that meet the requirement, among those of `within` if it is given.
    fn among(&mut self, requirement: &Requirement, within: Option<&[At]>) -> Vec<At> {
        match requirement {
            Requirement::Gvk(gvk) => {
                let mut providers = narrowed(self.index.of_gvk(gvk), within);
                providers.dedup();
                providers
            }
            Requirement::Package { name, .. } => {
                self.matching(requirement, narrowed(self.index.of_package(name.as_str()), within))
            }
            Requirement::Label(_) => self.matching(requirement, narrowed(self.index.labelled(), within)),
            Requirement::Cel { .. } => self.matching(requirement, self.all(within)),
            Requirement::All(parts) => self.all_parts(parts, within),
            Requirement::Any(parts) => self.any_part(parts, within),
            Requirement::Not(parts) => {
                let met = self.any_part(parts, within);
                without(self.all(within), &met)
            }
        }
    }

    fn all_parts(&mut self, parts: &[Requirement], within: Option<&[At]>) -> Vec<At> {
        let mut left: Option<Vec<At>> = within.map(<[At]>::to_vec);
        for part in parts {
            left = Some(self.among(part, left.as_deref()));
        }
        left.unwrap_or_else(|| self.all(None))
    }

    fn any_part(&mut self, parts: &[Requirement], within: Option<&[At]>) -> Vec<At> {
        let mut met: Vec<At> = Vec::new();
        for part in parts {
            // A part that is known of all entries may as well be checked for those that meet another.
            let more = if met.is_empty() || is_certain(part) {
                self.among(part, within)
            } else {
                let left = without(self.all(within), &met);
                self.among(part, Some(&left))
            };
            met.extend(more);
            met.sort_unstable();
            met.dedup();
        }
        met
    }

    fn all(&self, within: Option<&[At]>) -> Vec<At> {
        within.map_or_else(|| (0..).zip(self.entries).map(|(at, _)| at).collect(), <[At]>::to_vec)
    }

    /// The candidates that meet the requirement. Each bundle is checked once.
    fn matching(&mut self, requirement: &Requirement, mut candidates: Vec<At>) -> Vec<At> {
        let mut answers: Vec<(u32, bool)> = Vec::new();
        candidates.retain(|&at| {
            let bundle = self.index.bundle_of(at);
            // Entries of one bundle are far apart in a long list, but candidates are few or the answer takes long.
            match answers.binary_search_by_key(&bundle, |(bundle, _)| *bundle) {
                Ok(known) => answers[known].1,
                Err(place) => {
                    let answer = self.ask(requirement, at);
                    answers.insert(place, (bundle, answer));
                    answer
                }
            }
        });
        candidates
    }

    fn ask(&mut self, requirement: &Requirement, at: At) -> bool {
        let entry = &self.entries[at as usize];
        let answer = match requirement {
            Requirement::Package { range, text, .. } => self.index.is_in(at, range, text),
            _ => {
                let properties = entry.properties.iter().map(|placed| &placed.property);
                requirement.holds_within(&entry.package, entry.version.as_ref(), properties, self.fuel)
            }
        };
        answer.unwrap_or_else(|unevaluated| {
            self.unknown.get_or_insert(unevaluated);
            false
        })
    }
}

/// The entries that are also in `within`, if it is given; both in ascending order.
fn narrowed(entries: &[At], within: Option<&[At]>) -> Vec<At> {
    match within {
        None => entries.to_vec(),
        Some(within) if within.len() < entries.len() => {
            within.iter().copied().filter(|at| entries.binary_search(at).is_ok()).collect()
        }
        Some(within) => entries.iter().copied().filter(|at| within.binary_search(at).is_ok()).collect(),
    }
}

fn without(mut entries: Vec<At>, other: &[At]) -> Vec<At> {
    entries.retain(|at| other.binary_search(at).is_err());
    entries
}

/// How many tests of entries it takes to find those that meet the requirement; `None` if no index answers it.
pub(crate) fn cost(index: &Index, requirement: &Requirement) -> Option<usize> {
    match requirement {
        Requirement::Gvk(gvk) => Some(1 + index.of_gvk(gvk).len()),
        Requirement::Package { name, .. } => Some(1 + index.of_package(name.as_str()).len()),
        Requirement::All(parts) if !parts.is_empty() => parts.iter().map(|part| cost(index, part)).sum(),
        Requirement::Any(parts) if parts.len() < 2 || parts.iter().all(is_certain) => {
            parts.iter().map(|part| cost(index, part)).sum()
        }
        Requirement::All(_)
        | Requirement::Any(_)
        | Requirement::Not(_)
        | Requirement::Label(_)
        | Requirement::Cel { .. } => None,
    }
}

/// Whether every entry has an answer to it.
fn is_certain(requirement: &Requirement) -> bool {
    matches!(requirement, Requirement::Gvk(_) | Requirement::Label(_))
}
