//! `opm`'s errors for versions that differ only by build metadata.
//!
//! It iterates over a Go map, so that chance decides which version it meets first and in which order it names the others.

use go_semver::blang::{Quoted, Version};
use std::collections::BTreeSet;

/// The most versions of which every order is listed; of more versions there is one order only.
const MAX_ORDERED: usize = 5;

/// The most orders that are tried.
const MAX_ORDERS: usize = 256;

/// The texts for groups of versions of equal precedence, each of at least two. The first is that of a map in the order
/// of the groups; some are left out when there are very many.
pub(super) fn texts(groups: &[Vec<&Version>]) -> Vec<String> {
    let others = groups.iter().flat_map(|group| group.iter().skip(1));
    let mut search =
        Search { groups, reported: others.map(|version| error(version)).collect(), orders: 0, texts: Vec::new() };
    if search.reported.len() > MAX_ORDERED {
        return vec![aggregate(&search.distinct())];
    }
    search.reported.clear();
    search.choose(0);
    search.texts
}

struct Search<'a> {
    groups: &'a [Vec<&'a Version>],
    /// The errors for the groups so far.
    reported: Vec<String>,
    orders: usize,
    texts: Vec<String>,
}

impl Search<'_> {
    /// The errors, each text once.
    fn distinct(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.reported.iter().filter(|report| seen.insert(*report)).cloned().collect()
    }

    /// Chooses which version of each group `opm` meets first, and so does not report.
    fn choose(&mut self, at: usize) {
        let Some(group) = self.groups.get(at) else {
            self.order(self.distinct(), &mut Vec::new());
            return;
        };
        let mut tried = BTreeSet::new();
        for (first, version) in group.iter().enumerate() {
            if self.orders >= MAX_ORDERS || !tried.insert(version.to_string()) {
                continue;
            }
            let before = self.reported.len();
            let others = group.iter().enumerate().filter(|(index, _)| *index != first);
            self.reported.extend(others.map(|(_, version)| error(version)));
            self.choose(at + 1);
            self.reported.truncate(before);
        }
    }

    /// Tries every order of the errors that are left.
    fn order(&mut self, left: Vec<String>, chosen: &mut Vec<String>) {
        if self.orders >= MAX_ORDERS {
            return;
        }
        if left.is_empty() {
            self.orders += 1;
            let text = aggregate(chosen);
            if !self.texts.contains(&text) {
                self.texts.push(text);
            }
            return;
        }
        for index in 0..left.len() {
            let mut rest = left.clone();
            chosen.push(rest.remove(index));
            self.order(rest, chosen);
            chosen.pop();
        }
    }
}

fn error(version: &Version) -> String {
    let text = version.to_string();
    let stripped = text.split('+').next().unwrap_or_default();
    format!("bundle version {} cannot be compared to {}", Quoted(&text), Quoted(stripped))
}

/// `utilerrors.Aggregate.Error`.
fn aggregate(errors: &[String]) -> String {
    let list = match errors {
        [only] => only.clone(),
        _ => format!("[{}]", errors.join(", ")),
    };
    format!("encountered bundle versions which differ only by build metadata, which cannot be ordered: {list}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(groups: &[&[&str]], expected: &[&str]) {
        let versions: Vec<Vec<Version>> =
            groups.iter().map(|group| group.iter().map(|text| Version::parse(text).unwrap()).collect()).collect();
        let groups: Vec<Vec<&Version>> = versions.iter().map(|group| group.iter().collect()).collect();
        let prefix = "encountered bundle versions which differ only by build metadata, which cannot be ordered: ";
        let short = |text: &String| {
            let list = text.strip_prefix(prefix).unwrap();
            list.replace("bundle version ", "").replace(" cannot be compared to ", "~").replace('"', "")
        };
        assert_eq!(texts(&groups).iter().map(short).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn either_of_two_may_come_first() {
        check(&[&["1.0.0", "1.0.0+a"]], &["1.0.0+a~1.0.0", "1.0.0~1.0.0"]);
    }

    #[test]
    fn several_errors_come_in_any_order() {
        check(
            &[&["1.0.0+a", "1.0.0+b"], &["2.0.0+c", "2.0.0+c"]],
            &[
                "[1.0.0+b~1.0.0, 2.0.0+c~2.0.0]",
                "[2.0.0+c~2.0.0, 1.0.0+b~1.0.0]",
                "[1.0.0+a~1.0.0, 2.0.0+c~2.0.0]",
                "[2.0.0+c~2.0.0, 1.0.0+a~1.0.0]",
            ],
        );
    }

    #[test]
    fn equal_errors_come_once() {
        check(&[&["1.0.0", "1.0.0", "1.0.0"]], &["1.0.0~1.0.0"]);
    }

    #[test]
    fn the_number_of_orders_is_limited() {
        let version = |build: u32| Version::parse(&format!("1.0.0+{build}")).unwrap();
        let versions: Vec<Version> = (0..40).map(version).collect();
        assert_eq!(texts(&[versions.iter().collect()]).len(), 1);
        assert_eq!(texts(&[versions.iter().take(6).collect()]).len(), MAX_ORDERS);
    }
}
