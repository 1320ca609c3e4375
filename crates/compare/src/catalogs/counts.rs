//! How many rows and changes have each level, and which installed versions a change harms.

use super::{Compared, Comparison, Side};
use crate::row::{Row, UpdatedBy};
use catalog::BundleName;
use source::Level;
use std::collections::{BTreeMap, BTreeSet};

impl<'c, S: Side<'c>> Comparison<'c, S> {
    /// What counts as one: a row with a Subscription; a row with an extension that names the channel, together with the one
    /// that names none. With the worst level, and whether there is a rule.
    fn counted(&self, found: &Compared) -> Vec<(Option<Level>, bool)> {
        let (of_any, others): (Vec<&Row>, Vec<&Row>) =
            self.rows(found).filter(|_| found.differs).partition(|row| row.updated_by == UpdatedBy::Extension);
        let mut of_any: BTreeMap<&BundleName, (&Row, bool)> =
            of_any.into_iter().map(|row| (&row.installed, (row, false))).collect();
        let mut counted: Vec<Vec<&Row>> = Vec::new();
        for row in others {
            let other = of_any.get_mut(&row.installed).filter(|_| row.updated_by.is_v1());
            let other = other.map(|(other, is_counted)| {
                *is_counted = true;
                *other
            });
            counted.push(std::iter::once(row).chain(other).collect());
        }
        counted.extend(of_any.into_values().filter(|(_, is_counted)| !is_counted).map(|(row, _)| vec![row]));
        let worst = |rows: &Vec<&Row>| rows.iter().filter_map(|row| self.level(found, row)).max();
        counted.iter().map(|rows| (worst(rows), rows.iter().any(|row| row.rule.is_some()))).collect()
    }

    /// How many rows and changes of a package are hidden, by a comment or because their rules are off.
    pub(super) fn hidden(&self, found: &Compared) -> usize {
        let rows = self.counted(found).into_iter().filter(|(level, has_rule)| *has_rule && level.is_none());
        rows.count() + found.changes.len() - self.changes(found).len()
    }

    /// How many rows and changes of a package have each level.
    pub fn levels_of(&self, found: &Compared) -> BTreeMap<Level, usize> {
        let rows = self.counted(found).into_iter().filter_map(|(level, _)| level);
        let changes = self.changes(found).into_iter().map(|(level, _)| level);
        let mut levels = BTreeMap::new();
        rows.chain(changes).for_each(|level| *levels.entry(level).or_default() += 1);
        levels
    }

    /// The installed versions of a package that a change harms, as rows of its worst level, in the order of the text.
    pub fn harmed<'f>(&self, found: &'f Compared) -> Vec<&'f BundleName> {
        let harms = self.rows(found).filter_map(|row| Some((self.level(found, row)?, &row.installed)));
        let harms: Vec<_> = harms.filter(|(level, _)| *level >= Level::Risky).collect();
        let worst = harms.iter().map(|(level, _)| *level).max();
        let mut named = BTreeSet::new();
        let of_worst = harms.into_iter().filter(|(level, name)| Some(*level) == worst && named.insert(*name));
        of_worst.map(|(_, name)| name).collect()
    }

    /// How many rows of a package have this level.
    pub(super) fn rows_with(&self, found: &Compared, wanted: Level) -> usize {
        self.counted(found).into_iter().filter(|(level, _)| *level == Some(wanted)).count()
    }

    /// How many rows and changes of the packages that count have each level.
    pub fn levels(&self) -> BTreeMap<Level, usize> {
        let mut levels = BTreeMap::new();
        for (level, count) in self.counting().into_iter().flat_map(|found| self.levels_of(found)) {
            *levels.entry(level).or_default() += count;
        }
        levels
    }

    /// How many installed versions of the packages that count have each level; `None` is that of those for which nothing changes.
    pub fn rows_by_level(&self) -> BTreeMap<Option<Level>, usize> {
        let mut levels = BTreeMap::new();
        for (level, _) in self.counting().into_iter().flat_map(|found| self.counted(found)) {
            *levels.entry(level).or_default() += 1;
        }
        levels
    }

    /// The worst level of a package; `None` if nothing changes.
    pub fn worst(&self, found: &Compared) -> Option<Level> {
        self.levels_of(found).into_keys().next_back()
    }
}
