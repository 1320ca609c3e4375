//! The sentences about a whole comparison that the page and all reports share.

use super::{Compared, Comparison, Side};
use crate::row::{Row, UpdatedBy};
use crate::rule::Rule;
use crate::words::{NOTHING, counted, sentence};
use catalog::BundleName;
use source::Level;
use std::collections::{BTreeMap, BTreeSet};

/// The most packages that a line names.
const NAMED: usize = 5;

impl<'c, S: Side<'c>> Comparison<'c, S> {
    /// What happens to installed versions, and how many other changes there are.
    pub fn happens(&self, found: &Compared) -> String {
        let changes = self.changes(found);
        let of_level = |wanted: Level| {
            changes
                .iter()
                .filter(move |(level, _)| *level == wanted)
                .map(|(_, change)| &*change.message)
                .collect::<Vec<_>>()
        };
        let (breaking, risky) = (of_level(Level::Breaking), of_level(Level::Risky));
        let mut runtimes = Vec::new();
        if self.runtime.has_v0() {
            let nothing = match changes.iter().any(|(_, change)| change.rule.is_beside_rows()) {
                true => "no effect on versions that their channels list",
                false => NOTHING,
            };
            let hangs = changes.iter().any(|(_, change)| change.rule == Rule::MinKubeNever);
            let said = sentence(&found.comparison, hangs, |row| self.level(found, row).is_some());
            // Beside what is a risk for clusters it would sound like a contradiction.
            let is_safe = breaking.is_empty() && risky.is_empty();
            runtimes.extend(said.or_else(|| is_safe.then(|| nothing.to_owned())));
        }
        if self.runtime.has_v1() {
            runtimes.push(self.extension_sentence(found));
        }
        let rows = runtimes.join("; ");
        let others = match changes.len() - breaking.len() - risky.len() {
            0 => String::new(),
            1 => "; 1 other change".to_owned(),
            many => format!("; {many} other changes"),
        };
        let others = named("breaking change", &breaking) + &named("risk", &risky) + &others;
        let hidden = match self.hidden(found) {
            0 => String::new(),
            many => format!("; {many} hidden by comments or settings"),
        };
        (rows + &others + &hidden).trim_start_matches("; ").to_owned()
    }

    /// What happens to installed versions under OLM v1.
    fn extension_sentence(&self, found: &Compared) -> String {
        let counted = counted(&found.comparison, |row| self.level(found, row).is_some());
        format!("OLM v1: {}", counted.unwrap_or_else(|| NOTHING.to_owned()))
    }

    /// What happens to installed versions, in all packages together: how many packages have the worst level, and how many of
    /// their installed versions.
    pub fn headline(&self) -> String {
        let levels: Vec<_> = self.counting().into_iter().map(|found| (found, self.levels_of(found))).collect();
        let Some(worst) = levels.iter().filter_map(|(_, levels)| levels.keys().next_back()).max().copied() else {
            return NOTHING.to_owned();
        };
        if self.stops() {
            let packages = self.names().len();
            let versions = self.rows_by_level().get(&Some(Level::Breaking)).copied().unwrap_or_default();
            let opm = self.new.catalog.opm.named();
            let stop =
                if packages == 1 { "its package stops".to_owned() } else { format!("its {packages} packages stop") };
            let versions =
                if versions == 1 { "1 installed version".to_owned() } else { format!("{versions} installed versions") };
            return format!("{opm} rejects the catalog: {stop} ({versions})");
        }
        let with_worst = levels.iter().filter(|(_, levels)| worst < Level::Risky || levels.contains_key(&worst));
        let packages = with_worst.clone().count();
        let versions = |level: Level| with_worst.clone().map(|(found, _)| self.rows_with(found, level)).sum::<usize>();
        let all = match self.names().len() {
            1 => "1 package".to_owned(),
            many => format!("{many} packages"),
        };
        let of = format!("{packages} of {all}");
        let say = |versions: usize, one: &str, many: &str| match versions {
            1 => format!("1 installed version {one} ({of})"),
            many_versions => format!("{many_versions} installed versions {many} ({of})"),
        };
        let has = if packages == 1 { "has" } else { "have" };
        match (worst, versions(worst)) {
            (Level::Breaking, 0) => format!("{of} {has} a breaking change"),
            (Level::Breaking, versions) => say(versions, "breaks", "break"),
            (Level::Risky, 0) => format!("{of} {has} a risk"),
            (Level::Risky, versions) => say(versions, "is at risk", "are at risk"),
            (Level::Neutral | Level::Good, _) => match (versions(Level::Neutral), versions(Level::Good)) {
                (0, 0) => format!("{of} {has} changes, and no installed version breaks"),
                (0, good) => say(good, "is better off, and none breaks", "are better off, and none breaks"),
                (neutral, good) => say(neutral + good, "changes, and none breaks", "change, and none breaks"),
            },
        }
    }

    /// How many rows and other changes have each level, the worst first, and what that means; `None` if there
    /// are none.
    pub fn totals(&self) -> Option<String> {
        let levels = self.levels();
        let worst_first = levels.iter().rev();
        let parts: Vec<String> = worst_first.map(|(level, count)| format!("{count} {}", level.as_str())).collect();
        let headline = if self.names().len() > 1 { format!("; {}", self.headline()) } else { String::new() };
        (!parts.is_empty()).then(|| parts.join(", ") + &headline)
    }

    /// That a catalog that `opm` rejected before the change is served again, and how many packages change only because `opm` rejects
    /// one of the catalogs.
    pub fn following(&self) -> Option<String> {
        let again = self.old.rejected.filter(|_| self.is_served_after() && self.is_read);
        let again = again.map(|text| format!("opm accepts the catalog again; before the change it rejects it: {text}"));
        let said: Vec<String> = again.into_iter().chain(self.following_text()).collect();
        (!said.is_empty()).then(|| said.join(". "))
    }

    fn following_text(&self) -> Option<String> {
        let (packages, rows) = self.following_packages().fold((0, 0), |(packages, rows), found| {
            (packages + 1, rows + self.levels_of(found).into_values().sum::<usize>())
        });
        let packages = match packages {
            0 => return None,
            1 => "1 more package".to_owned(),
            many => format!("{many} more packages"),
        };
        let versions = if rows == 1 { "1 installed version".to_owned() } else { format!("{rows} installed versions") };
        let becomes = if self.is_served_after() { "can be resolved again" } else { "can no longer be resolved" };
        let is_as_if_served = self.packages.iter().any(|found| found.unserved.is_some());
        let others =
            if is_as_if_served { ". Their own changes are compared as if the catalog were served" } else { "" };
        Some(format!("{packages} ({versions}) {becomes} for this reason alone{others}"))
    }

    /// The last sentences of a report: what is accepted, and how many packages do not change.
    pub fn remarks(&self, unchanged: usize) -> Vec<String> {
        let others = [self.unsearched_text(), self.added_text(), self.left_out_text(), unchanged_text(unchanged)];
        self.silenced_text().into_iter().chain(self.accepted_texts()).chain(others.into_iter().flatten()).collect()
    }

    /// Which packages are new.
    fn added_text(&self) -> Option<String> {
        let some = self.added.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        match self.added.len() {
            0 => None,
            1 => Some(format!("1 package is new: {some}")),
            many @ 2..=NAMED => Some(format!("{many} packages are new: {some}")),
            many => Some(format!("{many} packages are new: {some} and {} more", many - NAMED)),
        }
    }

    /// The sentence that says that the search for causes and fixes was stopped, although all findings were asked for.
    pub fn unsearched_text(&self) -> Option<String> {
        let groups = number_of_groups(self.unsearched())?;
        Some(format!("Causes and fixes of {groups} were not searched to the end, because that would take too long"))
    }

    /// How many groups of a package the stopped search left out; `None` if it left out none.
    pub fn stopped_text(&self, found: &Compared) -> Option<String> {
        let groups = number_of_groups(self.unexplained(found))?;
        Some(format!("Causes and fixes of {groups} were not searched, because the search was stopped"))
    }

    /// How many packages are not mirrored, or are beside the fragment.
    fn left_out_text(&self) -> Option<String> {
        let (count, is_mirror) = (self.left_out.len(), self.is_mirror());
        let verb = if count == 1 { "is" } else { "are" };
        let packages = if count == 1 { "1 package".to_owned() } else { format!("{count} packages") };
        match count {
            0 => None,
            _ if is_mirror => Some(format!("{packages} of the catalog {verb} not mirrored")),
            _ => Some(format!(
                "{packages} of the state before {verb} not compared: the state after is a fragment, which has less than half of them"
            )),
        }
    }
}

/// The changes of a level: how many there are, and the first of them up to what they mean.
fn named(what: &str, messages: &[&str]) -> String {
    let first: Vec<&str> = messages.iter().take(2).filter_map(|message| message.split(": ").next()).collect();
    let more = match messages.len() - first.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    match messages.len() {
        0 => String::new(),
        count => format!("; {count} {what}{}: {}{more}", if count == 1 { "" } else { "s" }, first.join(", ")),
    }
}

/// The sentence that says for how many packages nothing changes.
fn unchanged_text(packages: usize) -> Option<String> {
    match packages {
        0 => None,
        1 => Some(format!("1 package: {NOTHING}")),
        many => Some(format!("{many} packages: {NOTHING}")),
    }
}

fn number_of_groups(groups: usize) -> Option<String> {
    match groups {
        0 => None,
        1 => Some("1 group".to_owned()),
        many => Some(format!("{many} groups")),
    }
}

// How many rows and changes have each level, and which installed versions a change harms.

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
    fn hidden(&self, found: &Compared) -> usize {
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
    fn rows_with(&self, found: &Compared, wanted: Level) -> usize {
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
        let all = if self.stops() { self.as_served().collect() } else { self.counting() };
        for (level, _) in all.into_iter().flat_map(|found| self.counted(found)) {
            *levels.entry(level).or_default() += 1;
        }
        levels
    }

    /// The worst level of a package; `None` if nothing changes.
    pub fn worst(&self, found: &Compared) -> Option<Level> {
        self.levels_of(found).into_keys().next_back()
    }
}
