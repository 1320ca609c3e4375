//! The entries of a channel that OLM chooses from, as rungs: what it updates an installed operator to.

use crate::{SortError, Via, hop, sort_channel};
use blang_semver::{Range, Version};
use catalog::{BundleName, Channel, Entry, Package};
use std::collections::BTreeMap;

/// A channel as OLM climbs it.
///
/// Of all entries that `replaces`, `skips` or a skipRange make successors of what is installed, OLM takes the one that
/// is nearest to the head (olm-runtime A2.3, A4.1). Dependencies, which may rule it out, are left aside here.
#[derive(Clone, Debug)]
pub struct Ladder<'c> {
    /// The channel.
    pub channel: &'c Channel,
    /// What OLM chooses from, the head first; never empty.
    pub rungs: Vec<&'c Entry>,
    /// The rung nearest to the head that replaces or skips a name.
    named: BTreeMap<&'c BundleName, usize>,
    /// Rungs that have a skipRange, the one nearest to the head first.
    ranged: Vec<(usize, &'c Range)>,
}

/// One update that OLM makes.
#[derive(Clone, Copy, Debug)]
pub struct Climb<'c> {
    /// The entry that it updates to.
    pub to: &'c Entry,
    /// Its place on the ladder, 0 for the head.
    pub rung: usize,
    /// The field that allows it.
    pub via: Via,
}

impl<'c> Ladder<'c> {
    /// The ladder of a channel of `package`.
    ///
    /// # Errors
    /// When OLM finds no order in the channel.
    pub fn of(package: &Package, channel: &'c Channel) -> Result<Self, SortError> {
        let order = sort_channel(channel.name.value.as_str(), package.name.as_str(), &channel.entries)?;
        let rungs: Vec<&Entry> = order.into_iter().map(|at| &channel.entries[at]).collect();
        let mut named = BTreeMap::new();
        for (rung, entry) in rungs.iter().enumerate() {
            for name in entry.replaces.iter().chain(&entry.skips) {
                named.entry(&name.value).or_insert(rung);
            }
        }
        let range = |entry: &&'c Entry| entry.skip_range.as_ref()?.value.range.as_ref().ok();
        let ranged = rungs.iter().enumerate().filter_map(|(rung, entry)| Some((rung, range(entry)?))).collect();
        Ok(Self { channel, rungs, named, ranged })
    }

    /// The rung of a name.
    #[must_use]
    pub fn rung(&self, name: &BundleName) -> Option<usize> {
        self.rungs.iter().position(|entry| entry.name.value == *name)
    }

    /// What OLM updates to; nothing when no rung follows, or when the best that does is what is installed.
    #[must_use]
    pub fn climb(&self, installed: &BundleName, version: Option<&Version>) -> Option<Climb<'c>> {
        let named = self.named.get(installed).copied();
        let covers = |&&(rung, range): &&(usize, &Range)| {
            named.is_none_or(|named| rung < named)
                && version.is_some_and(|version| range.matches(version).unwrap_or(false))
        };
        let rung = self.ranged.iter().find(covers).map(|(rung, _)| *rung).or(named)?;
        let to = self.rungs[rung];
        let via = hop(to, installed, version)?;
        (to.name.value != *installed).then_some(Climb { to, rung, via })
    }

    /// How many rungs follow what is installed.
    #[must_use]
    pub fn choices(&self, installed: &BundleName, version: Option<&Version>) -> usize {
        self.rungs.iter().filter(|entry| hop(entry, installed, version).is_some()).count()
    }

    /// The rung that each of many installed versions climbs to, as [`Ladder::climb`] finds it one by one.
    #[must_use]
    pub fn climbs(&self, installed: &[(&BundleName, Option<&Version>)]) -> Vec<Option<usize>> {
        let mut versions: Vec<(usize, &Version)> =
            installed.iter().enumerate().filter_map(|(at, (_, version))| Some((at, (*version)?))).collect();
        versions.sort_by_key(|(_, version)| *version);
        let ascending: Vec<&Version> = versions.iter().map(|(_, version)| *version).collect();
        let mut climbs: Vec<Option<usize>> = installed.iter().map(|(name, _)| self.named.get(*name).copied()).collect();
        for (rung, range) in &self.ranged {
            for &(at, _) in range.runs(&ascending).into_iter().flat_map(|run| &versions[run]) {
                climbs[at] = Some(climbs[at].map_or(*rung, |other| other.min(*rung)));
            }
        }
        let moves = |(name, _): &(&BundleName, _), rung: &usize| self.rungs[*rung].name.value != **name;
        installed.iter().zip(climbs).map(|(row, rung)| rung.filter(|rung| moves(row, rung))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bundles, catalog};

    /// Where an installed version goes in a channel of these entries: `name via`.
    #[track_caller]
    fn check(entries: &str, installed: &str, expected: &str) {
        let catalog = catalog(&format!("{entries}{}", bundles(&["3.0.0"])));
        let package = &catalog.packages[0];
        let ladder = Ladder::of(package, &package.channels[0]).unwrap();
        let name = BundleName::from(format!("p.v{installed}").as_str());
        let climb = ladder.climb(&name, Some(&Version::parse(installed).unwrap()));
        let told = climb.map_or_else(String::new, |climb| format!("{} {}", climb.to.name, climb.via.as_str()));
        assert_eq!(told, expected);
    }

    const CHAIN: &str = "- {name: p.v3.0.0, replaces: p.v2.0.0, skipRange: '>=1.0.0 <1.5.0'}\n- {name: p.v2.0.0, replaces: p.v1.0.0, skips: [p.v1.9.0]}\n- name: p.v1.0.0\n";

    #[test]
    fn the_nearest_to_the_head_wins() {
        check(CHAIN, "1.0.0", "p.v3.0.0 skipRange");
        check(CHAIN, "2.0.0", "p.v3.0.0 replaces");
        check(CHAIN, "1.9.0", "p.v2.0.0 skips");
    }

    #[test]
    fn what_nothing_follows_stays() {
        check(CHAIN, "3.0.0", "");
        check(CHAIN, "0.9.0", "");
        check(CHAIN, "4.0.0", "");
    }

    #[test]
    fn a_range_that_covers_its_own_entry_keeps_it() {
        check(
            "- {name: p.v3.0.0, replaces: p.v2.0.0}\n- {name: p.v2.0.0, skipRange: <=2.0.0}\n",
            "2.0.0",
            "p.v3.0.0 replaces",
        );
        check("- {name: p.v3.0.0, skipRange: <=3.0.0}\n", "3.0.0", "");
    }

    #[test]
    fn an_older_rung_with_a_wide_range_leads_back() {
        check(
            "- {name: p.v3.0.0, replaces: p.v2.0.0}\n- {name: p.v2.0.0, skipRange: <4.0.0}\n",
            "3.0.0",
            "p.v2.0.0 skipRange",
        );
    }
}
