//! What a user means who names an installed version of a package: by the version, or by the name of its CSV.

use crate::chain::{covers, range_of, version_in};
use crate::reach::Installables;
use catalog::{BundleName, Package};
use go_semver::blang::Version;
use source::nearest;
use std::collections::{BTreeMap, BTreeSet};

/// Why a name does not identify one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// Nothing has the name.
    Unknown {
        /// Names that may have been meant, the likeliest first.
        nearest: Vec<String>,
    },
    /// Several things have it.
    Ambiguous {
        /// The names that tell them apart.
        names: Vec<String>,
    },
}

impl NameError {
    /// Of a name that none of the known ones is.
    pub fn unknown<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        Self::Unknown { nearest: nearest(name, known).into_iter().map(str::to_owned).collect() }
    }
}

/// The CSV that `text` names in states of a package, by its name or its version. Versions that only `replaces` or `skips` mention
/// count too: they may be installed. The first state that knows it decides.
///
/// # Errors
/// When no state knows such a name or version, or several CSVs of a state have the version.
pub fn known_csv(states: &[&Package], text: &str) -> Result<BundleName, NameError> {
    let mut known: BTreeMap<&BundleName, Option<String>> = BTreeMap::new();
    let all: Vec<Installables<'_>> = states.iter().map(|package| Installables::of(package)).collect();
    for state in &all {
        if let Some(row) = state.rows.iter().find(|row| row.name.as_str() == text) {
            return Ok(row.name.clone());
        }
    }
    for state in &all {
        let versions = state.rows.iter().map(|row| (row.name, row.version.as_ref().map(ToString::to_string)));
        known.extend(versions.clone());
        let mut names: Vec<_> = versions.filter(|(_, version)| version.as_deref() == Some(text)).collect();
        match (names.pop(), names.is_empty()) {
            (Some((name, _)), true) => return Ok(name.clone()),
            (Some(last), false) => {
                let names = names.into_iter().chain([last]).map(|(name, _)| name.to_string());
                return Err(NameError::Ambiguous { names: names.collect() });
            }
            (None, _) => {}
        }
    }
    let names = known.keys().map(|name| name.as_str());
    Err(NameError::unknown(text, names.chain(known.values().flatten().map(String::as_str))))
}

/// The installed CSV that `text` names in states of a package. They may no longer list it: a version that a skipRange covers stands for the
/// CSV of that version, and a name that ends in a version for itself.
///
/// # Errors
/// As for [`known_csv`], when it is neither of these.
pub fn installed_csv(states: &[&Package], text: &str) -> Result<BundleName, NameError> {
    let unknown = match known_csv(states, text) {
        Err(error @ NameError::Unknown { .. }) => error,
        found => return found,
    };
    let name = states.first().map_or("", |package| package.name.as_str());
    match Version::parse(text) {
        Ok(version) if is_covered(states, &version) => Ok(csv_name(name, states, text)),
        Err(_) if is_csv_name(text) => Ok(text.into()),
        _ => Err(unknown),
    }
}

/// Whether states of a package list or name a CSV, or a skipRange covers its version.
#[must_use]
pub fn is_followed(states: &[&Package], csv: &str) -> bool {
    known_csv(states, csv).is_ok() || version_in(csv).is_some_and(|version| is_covered(states, &version))
}

/// Whether a text that is no known name can be one: it ends in a version, and is none itself.
fn is_csv_name(text: &str) -> bool {
    !text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()) && version_in(text).is_some()
}

fn is_covered(states: &[&Package], version: &Version) -> bool {
    let channels = states.iter().flat_map(|package| &package.channels);
    channels.flat_map(|channel| &channel.entries).filter_map(range_of).any(|range| covers(range, Some(version)))
}

/// The name of the CSV of a version, in the way of the newest bundle whose name ends in its version.
#[must_use]
pub fn csv_name(package: &str, states: &[&Package], version: &str) -> BundleName {
    let bundles = states.iter().flat_map(|package| &package.bundles);
    let named: BTreeSet<(&Version, &str)> = bundles
        .filter_map(|bundle| {
            let text = &bundle.version.as_ref()?.value.text;
            Some((bundle.version()?, bundle.name.value.as_str().strip_suffix(&**text)?))
        })
        .collect();
    match named.last().filter(|(_, start)| !start.is_empty()) {
        Some((_, start)) => format!("{start}{version}").as_str().into(),
        None => format!("{package}.v{version}").as_str().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    fn unknown(nearest: &[&str]) -> NameError {
        NameError::Unknown { nearest: nearest.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn a_version_that_only_a_range_covers_is_installed() {
        let catalog = read("c: 1.0.0 <- 1.1.0 (skipRange >=0.5.0 <1.1.0) <- 1.2.0 (skips 0.4.0)");
        let states = [&*catalog.packages[0]];
        let installed = |text: &str| installed_csv(&states, text).map(|name| name.to_string());
        for (text, name) in [
            ("0.7.0", "p.v0.7.0"),
            ("0.4.0", "p.v0.4.0"),
            ("1.1.0", "p.v1.1.0"),
            ("p.v1.1.0", "p.v1.1.0"),
            // A name need not be covered: the answer is that nothing follows it.
            ("p.v0.1.0", "p.v0.1.0"),
            ("former.v0.1.0", "former.v0.1.0"),
        ] {
            assert_eq!(installed(text), Ok(name.to_owned()), "{text}");
        }
        assert_eq!(installed("1.3.0"), Err(unknown(&["1.0.0", "1.1.0", "1.2.0"])));
        for text in ["0.7", "v0.7", "v0.7.0", "p.vO.7.0", "q", ""] {
            assert!(installed(text).is_err(), "{text}");
        }
        assert_eq!(known_csv(&states, "0.7.0").ok(), None, "no state lists or names it");
    }

    #[test]
    fn a_name_follows_those_of_the_package() {
        let catalog = read("c: p-operator.1.0.0 (version 1.0.0), p-operator.1.1.0 (version 1.1.0; skipRange <1.1.0)");
        assert_eq!(installed_csv(&[&*catalog.packages[0]], "0.9.0"), Ok("p-operator.0.9.0".into()));
        let catalog = read("c: p.first (version 1.1.0; skipRange <1.1.0)");
        assert_eq!(installed_csv(&[&*catalog.packages[0]], "0.9.0"), Ok("p.v0.9.0".into()));
    }

    #[test]
    fn later_states_are_asked_too() {
        let [old, new] = ["c: 1.0.0", "c: 1.1.0 (skipRange <1.1.0)"].map(read);
        let states = [&*old.packages[0], &*new.packages[0]];
        assert_eq!(
            ["1.1.0", "0.9.0"].map(|text| installed_csv(&states, text)),
            [Ok("p.v1.1.0".into()), Ok("p.v0.9.0".into())]
        );
        assert_eq!(installed_csv(&states[..1], "0.9.0"), Err(unknown(&[])));
    }
}
