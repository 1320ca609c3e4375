//! Replaces mode: `SemverPackageManifest` (`pkg/registry/populator.go`) for heads and default channel, then
//! `addPackageChannels` (`pkg/sqlite/load.go`) for the entries.

use crate::package::{Budget, Channel, Channels, Refusal};
use bundle::{Bundle, Entry};
use go_semver::blang::Version;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A bundle, its version, and how many bundles have this one.
#[derive(Clone)]
struct Highest<'b> {
    bundle: &'b Bundle,
    version: Version,
    count: usize,
}

/// The channels of bundles that are added together, in ascending order of their versions. What one replaces that is alone is in the
/// index that it goes into.
pub(crate) fn channels(bundles: &[&Bundle], is_alone: bool) -> Result<Channels, Refusal> {
    let mut heads: BTreeMap<&str, Highest<'_>> = BTreeMap::new();
    // As in Go, the search begins at version 0.0.0, which no bundle has yet.
    let mut max = (Version::new(0, 0, 0), 0);
    let mut default = "";
    for &bundle in bundles {
        let raw = stated(&bundle.version);
        let version = Version::parse(raw).map_err(|error| {
            Refusal::new(format!("error parsing bundle {} version {raw}: {error}", bundle.name), Some(bundle))
        })?;
        let order = |other: &Version| compare(&version, other).map_err(|error| Refusal::new(error, Some(bundle)));
        for channel in &bundle.channels {
            let mut count = 1;
            if let Some(head) = heads.get(&**channel) {
                match order(&head.version)? {
                    Ordering::Less => continue,
                    Ordering::Equal => count += head.count,
                    Ordering::Greater => {}
                }
            }
            heads.insert(channel, Highest { bundle, version: version.clone(), count });
        }
        let count = match order(&max.0)? {
            Ordering::Less => continue,
            Ordering::Equal => max.1 + 1,
            Ordering::Greater => 1,
        };
        max = (version, count);
        if !bundle.default_channel.is_empty() {
            default = &bundle.default_channel;
        }
    }
    if max.1 > 1 {
        let message = format!("more than one bundle with maximum version {}", max.0);
        return Err(Refusal::new(message, bundles.last().copied()));
    }
    if let Some((channel, head)) = heads.iter().find(|(_, head)| head.count > 1) {
        let message = format!("more than one potential channel head for {channel}");
        return Err(Refusal::new(message, Some(head.bundle)));
    }
    let single = heads.keys().next().filter(|_| heads.len() == 1).copied();
    let default = match single {
        Some(single) if default.is_empty() => single,
        _ if heads.contains_key(default) => default,
        // An index may have a default channel already.
        _ if is_alone && default.is_empty() => heads.keys().next().copied().unwrap_or_default(),
        _ => {
            let message = format!("unable to determine default channel among channel heads: {}", listed(&heads));
            return Err(Refusal::new(message, bundles.last().copied()));
        }
    };
    let by_name: BTreeMap<&str, &Bundle> = bundles.iter().map(|bundle| (&*bundle.name, *bundle)).collect();
    let mut channels = Channels { default: default.to_owned(), ..Channels::default() };
    let mut errors = Vec::new();
    let mut place = None;
    let mut budget = Budget::default();
    for (name, head) in heads {
        let (channel, error) = walk(head.bundle, &by_name, is_alone, &mut budget)?;
        if let Some(error) = error {
            place = place.or(Some(head.bundle));
            errors.push(error);
        }
        channels.by_name.insert(name.to_owned(), channel);
    }
    // An aggregate of Go's errors names each text once.
    let mut seen = BTreeSet::new();
    errors.retain(|error| seen.insert(error.clone()));
    match &errors[..] {
        [] => Ok(channels),
        [error] => Err(Refusal::new(&**error, place)),
        _ => Err(Refusal::new(format!("[{}]", errors.join(", ")), place)),
    }
}

/// The entries from a head down, and the error that ends the walk.
fn walk(
    head: &Bundle,
    bundles: &BTreeMap<&str, &Bundle>,
    is_alone: bool,
    budget: &mut Budget,
) -> Result<(Channel, Option<String>), Refusal> {
    let mut channel = Channel { head: head.name.clone(), ..Channel::default() };
    let mut visited = BTreeSet::from([&*head.name]);
    let mut bundle = head;
    loop {
        let updates = &bundle.updates;
        budget.take(2 * updates.skips.len())?;
        for skipped in updates.skips.iter().filter_map(|skip| bundles.get(&**skip)) {
            channel.entries.entry(skipped.name.clone()).or_insert_with(|| bare(skipped));
        }
        let mut entry = Entry { skips: updates.skips.clone(), ..bare(bundle) };
        let next = match &*updates.replaces {
            "" => Ok(None),
            _ if is_alone => Ok(None),
            name if visited.contains(name) => Err(format!("Cycle detected, {} replaces {name}", bundle.name)),
            name => bundles
                .get(name)
                .copied()
                .map(Some)
                .ok_or_else(|| format!("Invalid bundle {}, replaces nonexistent bundle {name}", head.name)),
        };
        if is_alone || matches!(next, Ok(Some(_))) {
            entry.replaces.clone_from(&updates.replaces);
        }
        channel.entries.insert(bundle.name.clone(), entry);
        match next {
            Ok(Some(next)) => {
                visited.insert(&next.name);
                bundle = next;
            }
            Ok(None) => return Ok((channel, None)),
            Err(error) => return Ok((channel, Some(error))),
        }
    }
}

/// An entry without edges.
fn bare(bundle: &Bundle) -> Entry {
    Entry { name: bundle.name.clone(), skip_range: bundle.updates.skip_range.clone(), ..Entry::default() }
}

/// The heads as Go prints its map.
fn listed(heads: &BTreeMap<&str, Highest<'_>>) -> String {
    let head = |(channel, head): (&&str, &Highest<'_>)| {
        format!("{channel}:{{name:{} version:{} count:{}}}", head.bundle.name, fields(&head.version), head.count)
    };
    let heads: Vec<String> = heads.iter().map(head).collect();
    format!("map[{}]", heads.join(" "))
}

// The order of versions in replaces mode: `bundleVersion` (`pkg/registry/populator.go`).

/// The version that a bundle without one has.
const NONE: &str = "0.0.0-z";

/// The version of a bundle as its CSV has it, or the one that stands for none.
pub(crate) fn stated(version: &str) -> &str {
    if version.is_empty() { NONE } else { version }
}

/// Compares by precedence, then build metadata as if it were a pre-release; none is lowest.
pub(crate) fn compare(one: &Version, other: &Version) -> Result<Ordering, String> {
    match one.cmp(other) {
        Ordering::Equal => Ok(build(one)?.cmp(&build(other)?)),
        unequal => Ok(unequal),
    }
}

/// A version whose pre-release is the build metadata.
fn build(version: &Version) -> Result<Version, String> {
    if version.build().is_empty() {
        return Ok(Version::new(0, 0, 0));
    }
    Version::parse(&format!("1.0.0-{}", version.build())).map_err(|error| {
        format!("failed to convert build-id of {version} to prerelease version for comparison: {error}")
    })
}

/// A version as Go prints its fields with `%+v`.
pub(crate) fn fields(version: &Version) -> String {
    let list = |text: &str, part: &dyn Fn(&str) -> String| {
        let parts: Vec<String> = text.split('.').filter(|part| !part.is_empty()).map(part).collect();
        parts.join(" ")
    };
    let pre = list(version.pre(), &|part| match part.parse::<u64>() {
        Ok(number) => format!("{{VersionStr: VersionNum:{number} IsNum:true}}"),
        Err(_) => format!("{{VersionStr:{part} VersionNum:0 IsNum:false}}"),
    });
    let build = list(version.build(), &str::to_owned);
    let (major, minor, patch) = (version.major(), version.minor(), version.patch());
    format!("{{Major:{major} Minor:{minor} Patch:{patch} Pre:[{pre}] Build:[{build}]}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn build_metadata_is_compared_like_a_prerelease() {
        let ascending = ["1.0.0-a", "1.0.0", "1.0.0+1", "1.0.0+2", "1.0.0+10", "1.0.0+a", "1.0.1"].map(version);
        for pair in ascending.windows(2) {
            assert_eq!(compare(&pair[0], &pair[1]), Ok(Ordering::Less), "{} {}", pair[0], pair[1]);
        }
        assert_eq!(compare(&ascending[2], &ascending[2]), Ok(Ordering::Equal));
        assert_eq!(
            compare(&version("1.0.0+01"), &version("1.0.0")).unwrap_err(),
            "failed to convert build-id of 1.0.0+01 to prerelease version for comparison: Numeric PreRelease version must \
             not contain leading zeroes \"01\""
        );
    }

    #[test]
    fn fields_are_those_of_go() {
        assert_eq!(
            fields(&version("1.2.3-a.4+b")),
            "{Major:1 Minor:2 Patch:3 Pre:[{VersionStr:a VersionNum:0 IsNum:false} {VersionStr: VersionNum:4 IsNum:true}] \
             Build:[b]}"
        );
    }
}
