//! How long each version of a package is supported, and on which platforms: documents of the schema
//! `io.openshift.operators.lifecycles.v1alpha1`.
//!
//! Follows `enhancements/olm/lifecycle-and-compatibility.md` of openshift/enhancements. `opm` does not look at these documents.

use source::{Span, Spanned};
use time::Date;
use time::macros::format_description;

/// A document with lifecycle data, with what could be read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifecycle {
    /// The whole document.
    pub span: Span,
    /// `package`; absent if empty.
    pub package: Option<Spanned<Box<str>>>,
    /// `versions`, in the order of the text.
    pub versions: Vec<LifecycleVersion>,
}

/// What a document says about one minor version.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecycleVersion {
    /// `name`: MAJOR.MINOR; absent if it is not a text.
    pub name: Option<Spanned<Box<str>>>,
    /// `phases`, in the order of the text.
    pub phases: Vec<LifecyclePhase>,
    /// `platformCompatibility`, in the order of the text.
    pub platforms: Vec<Platform>,
}

/// A phase of support.
#[derive(Clone, Debug, PartialEq)]
pub struct LifecyclePhase {
    /// `name`, such as `Full support`; empty if it is missing.
    pub name: Box<str>,
    /// `startDate`: the first day; absent if it cannot be read.
    pub start: Option<Spanned<Date>>,
    /// `endDate`: the last day; absent if it cannot be read.
    pub end: Option<Spanned<Date>>,
}

/// A platform and those of its versions that a version of a package fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// `name`, such as `openshift`.
    pub name: Box<str>,
    /// `versions`: each MAJOR.MINOR, in the order of the text.
    pub versions: Vec<Box<str>>,
}

/// What the console shows of the support of a version on a day. `No data` is shown for versions without an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Support<'l> {
    Phase {
        /// The phase; of overlapping ones the first.
        phase: &'l LifecyclePhase,
        /// The last day.
        end: Date,
        /// Whether more than 12 months are left: the console then shows it in green, else in yellow.
        is_long: bool,
    },
    /// `Self-support`: all phases are over.
    SelfSupport,
    /// What the console shows is not known: the day is before all phases or between two of them, or a date cannot be read.
    Unknown,
}

/// A day, `YYYY-MM-DD`; absent if the text is none.
#[must_use]
pub fn parse_day(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

impl Lifecycle {
    /// The data of a bundle with this version. As in the console, an item with the whole version comes first, else one with its
    /// MAJOR.MINOR.
    #[must_use]
    pub fn of_version(&self, version: &str) -> Option<&LifecycleVersion> {
        let named = |name: &str| self.versions.iter().find(|of| of.name.as_ref().is_some_and(|of| *of.value == *name));
        named(version).or_else(|| named(minor_of(version)?))
    }

    /// Whether another document says the same, wherever it stands in the text.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let mut pairs = self.versions.iter().zip(&other.versions);
        self.versions.len() == other.versions.len() && pairs.all(|(one, other)| one.says_the_same(other))
    }
}

impl LifecycleVersion {
    /// The support on a day.
    #[must_use]
    pub fn support(&self, day: Date) -> Support<'_> {
        let current = self.phases.iter().find_map(|phase| {
            let (start, end) = (phase.start.as_ref()?.value, phase.end.as_ref()?.value);
            (start <= day && day <= end).then_some((phase, end))
        });
        let is_over = |phase: &LifecyclePhase| phase.end.as_ref().is_some_and(|end| end.value < day);
        match current {
            Some((phase, end)) => Support::Phase { phase, end, is_long: is_later(end, day.year() + 1, day) },
            None if !self.phases.is_empty() && self.phases.iter().all(is_over) => Support::SelfSupport,
            None => Support::Unknown,
        }
    }

    /// The last day of the last phase; absent if an end cannot be read.
    #[must_use]
    pub fn end(&self) -> Option<Date> {
        let ends: Option<Vec<Date>> = self.phases.iter().map(|phase| Some(phase.end.as_ref()?.value)).collect();
        ends?.into_iter().max()
    }

    /// Whether another item says the same, wherever it stands in the text.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let name = |of: &Self| of.name.as_ref().map(|name| name.value.clone());
        let date = |date: &Option<Spanned<Date>>| date.as_ref().map(|date| date.value);
        let phases = |of: &Self| -> Vec<_> {
            of.phases.iter().map(|phase| (phase.name.clone(), date(&phase.start), date(&phase.end))).collect()
        };
        name(self) == name(other) && phases(self) == phases(other) && self.platforms == other.platforms
    }
}

/// Whether a date is later than `day` in another year. February 29 counts as a day of each year.
fn is_later(date: Date, year: i32, day: Date) -> bool {
    let in_year = |date: Date| (u8::from(date.month()), date.day());
    (date.year(), in_year(date)) > (year, in_year(day))
}

/// MAJOR.MINOR of a version; absent if it has no patch number.
#[must_use]
pub fn minor_of(version: &str) -> Option<&str> {
    let (major, rest) = version.split_once('.')?;
    let minor = rest.split_once('.')?.0;
    version.get(..major.len() + 1 + minor.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    /// A version with phases, each as its name, start and end.
    fn version(phases: &[(&str, &str, &str)]) -> LifecycleVersion {
        let date = |text: &str| Some(Spanned::new(parse_day(text)?, Span::new(FileId(0), 0, 0)));
        let phase = |(name, start, end): &(&str, &str, &str)| LifecyclePhase {
            name: (*name).into(),
            start: date(start),
            end: date(end),
        };
        LifecycleVersion { name: None, phases: phases.iter().map(phase).collect(), platforms: Vec::new() }
    }

    /// What is shown on a day, in short.
    fn shown(version: &LifecycleVersion, day: &str) -> String {
        match version.support(parse_day(day).unwrap()) {
            Support::Phase { phase, end, is_long } => {
                format!("{} until {end}, {}", phase.name, if is_long { "green" } else { "yellow" })
            }
            Support::SelfSupport => "Self-support".to_owned(),
            Support::Unknown => "?".to_owned(),
        }
    }

    #[test]
    fn a_day_is_in_a_phase_from_its_start_to_its_end() {
        let version = version(&[
            ("Full support", "2024-10-01", "2025-05-25"),
            ("Maintenance support", "2025-05-26", "2026-04-01"),
        ]);
        assert_eq!(shown(&version, "2024-09-30"), "?", "what is shown before the first phase is not known");
        assert_eq!(shown(&version, "2024-10-01"), "Full support until 2025-05-25, yellow");
        assert_eq!(shown(&version, "2025-05-25"), "Full support until 2025-05-25, yellow");
        assert_eq!(shown(&version, "2025-05-26"), "Maintenance support until 2026-04-01, yellow");
        assert_eq!(shown(&version, "2026-04-01"), "Maintenance support until 2026-04-01, yellow");
        assert_eq!(shown(&version, "2026-04-02"), "Self-support");
    }

    #[test]
    fn a_phase_is_green_with_more_than_12_months_left() {
        let version = version(&[("A", "2023-01-01", "2025-03-01")]);
        let colour = |day| shown(&version, day).rsplit(' ').next().unwrap().to_owned();
        assert_eq!(["2024-02-29", "2024-03-01", "2024-03-02"].map(colour), ["green", "yellow", "yellow"]);
    }

    #[test]
    fn gaps_and_dates_that_cannot_be_read_are_not_known() {
        let gap = version(&[("A", "2024-01-01", "2024-06-30"), ("B", "2024-08-01", "2024-12-31")]);
        assert_eq!([shown(&gap, "2024-07-15"), shown(&gap, "2025-01-01")], ["?", "Self-support"]);
        let open = version(&[("A", "2024-01-01", "")]);
        assert_eq!([shown(&open, "2024-07-15"), shown(&version(&[]), "2024-07-15")], ["?", "?"]);
    }

    #[test]
    fn support_ends_with_the_last_phase() {
        let phases = [("A", "2024-01-01", "2024-06-30"), ("B", "2024-07-01", "2024-12-31")];
        assert_eq!(version(&phases).end(), parse_day("2024-12-31"));
        assert_eq!(version(&[phases[0], ("B", "2024-07-01", "x")]).end(), None);
    }
}
