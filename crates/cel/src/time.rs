//! Timestamps and durations as Go's `time` package reads them (cel-go `common/types/{timestamp,duration}.go`). What splits or
//! prints them has no verdict: no known rule does it.
//!
//! Not `jiff`: it takes 54 kB of the compressed worker without time zones, and its timestamps end before cel-go's.

use crate::error::{Failure, failed};

/// 0001-01-01T00:00:00Z
const MIN_SECONDS: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
const MAX_SECONDS: i64 = 253_402_300_799;
const NANOS: i64 = 1_000_000_000;

/// An instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timestamp {
    /// Seconds since 1970.
    pub(crate) seconds: i64,
    /// Less than a second.
    pub(crate) nanos: u32,
}

impl Timestamp {
    pub(crate) fn of_seconds(seconds: i64) -> Result<Self, Failure> {
        Self { seconds, nanos: 0 }.in_range()
    }

    fn in_range(self) -> Result<Self, Failure> {
        if (MIN_SECONDS..=MAX_SECONDS).contains(&self.seconds) { Ok(self) } else { Err(failed("timestamp overflow")) }
    }

    /// In nanoseconds.
    pub(crate) fn since_1970(&self) -> i128 {
        i128::from(self.seconds) * i128::from(NANOS) + i128::from(self.nanos)
    }

    /// The instant `nanos` nanoseconds later.
    pub(crate) fn plus(self, nanos: i128) -> Result<Self, Failure> {
        let total = self.since_1970() + nanos;
        let seconds = i64::try_from(total.div_euclid(i128::from(NANOS))).map_err(|_| failed("timestamp overflow"))?;
        let nanos = u32::try_from(total.rem_euclid(i128::from(NANOS))).expect("less than a second");
        Self { seconds, nanos }.in_range()
    }

    /// Reads RFC 3339 text as `time.Parse(time.RFC3339, text)` does (Go `time/format.go`, `parse`), which takes more than
    /// the RFC: an hour of one digit, a comma before the fraction, and zones up to 24 hours and 60 minutes away. `None` for
    /// other texts.
    pub(crate) fn parse(text: &str) -> Option<Result<Self, Failure>> {
        let mut rest = text;
        let (year, month) = (field(&mut rest, 4, "-")?, field(&mut rest, 2, "-")?);
        let day = field(&mut rest, 2, "T")?;
        let one_digit = rest.as_bytes().get(1) == Some(&b':');
        let hour = field(&mut rest, if one_digit { 1 } else { 2 }, ":")?;
        let (minute, second) = (field(&mut rest, 2, ":")?, field(&mut rest, 2, "")?);
        let in_range = (1..=12).contains(&month) && hour < 24 && minute < 60 && second < 60;
        if !in_range || !(1..=days_in_month(year, month)).contains(&day) {
            return None;
        }
        let (nanos, zone) = fraction(rest)?;
        let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        Some(Self { seconds: seconds - offset(zone)?, nanos }.in_range())
    }
}

/// Takes a number of `digits` digits, and the text `behind` it, off the front of a text.
fn field(rest: &mut &str, digits: usize, behind: &str) -> Option<i64> {
    let (field, after) = rest.split_at_checked(digits)?;
    *rest = after.strip_prefix(behind)?;
    number(field)
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// `.123` or `,123` and what follows it; digits beyond nanoseconds are dropped.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let Some(digits) = text.strip_prefix(['.', ',']) else { return Some((0, text)) };
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    let kept = &digits[..end.min(9)];
    let nanos: u32 = kept.parse().ok()?;
    let missing = u32::try_from(9 - kept.len()).ok()?;
    Some((nanos * 10u32.pow(missing), &digits[end..]))
}

/// `Z` or `+01:30` in seconds east of UTC.
fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let east = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) =
        zone[1..].split_once(':').filter(|(hours, minutes)| hours.len() == 2 && minutes.len() == 2)?;
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 24 && minutes <= 60).then_some(east * (hours * 3600 + minutes * 60))
}

/// The days from 1970-01-01 to a date of the Gregorian calendar. Years start in March here, so that leap days are last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_from_civil(next_year, next_month, 1) - days_from_civil(year, month, 1)
}

/// Reads a duration as Go's `time.ParseDuration` does: `1h30m`, `-1.5s`, `0`. In nanoseconds; `None` for other texts.
#[must_use]
pub fn parse_duration(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Some(0);
    }
    if unsigned.is_empty() {
        return None;
    }
    let mut rest = unsigned;
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (nanos, after) = duration_part(rest)?;
        total += nanos;
        rest = after;
    }
    let signed = if text.starts_with('-') { -total } else { total };
    i64::try_from(signed).ok()
}

/// One number with its unit, in nanoseconds.
fn duration_part(text: &str) -> Option<(i128, &str)> {
    let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, rest) = text.split_at(number_end);
    let unit_end = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(unit_end);
    let nanos: i128 = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || whole.len() > 19 || fraction.contains('.') {
        return None;
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let kept = &fraction[..fraction.len().min(18)];
    let part: i128 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
    let scale = 10i128.pow(u32::try_from(kept.len()).ok()?);
    Some((whole * nanos + part * nanos / scale, rest))
}
