//! Timestamps and durations as Go's `time` package reads, prints and splits them (cel-go
//! `common/types/{timestamp,duration}.go`).
//!
//! Not `jiff`: it takes 54 kB of the compressed worker without time zones, and its timestamps end before cel-go's.

use std::fmt::Write;

use crate::fuel::{EvalError, Failure, NotKnown, failed};
use crate::function::Function;

/// 0001-01-01T00:00:00Z
const MIN_SECONDS: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z
const MAX_SECONDS: i64 = 253_402_300_799;
const NANOS: i64 = 1_000_000_000;

/// An instant, and the offset that it was written with: getters and text use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timestamp {
    /// Seconds since 1970.
    pub(crate) seconds: i64,
    /// Less than a second.
    pub(crate) nanos: u32,
    /// Seconds east of UTC.
    offset: i32,
}

impl Timestamp {
    pub(crate) fn of_seconds(seconds: i64) -> Result<Self, Failure> {
        Self { seconds, nanos: 0, offset: 0 }.in_range()
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
        Self { seconds, nanos, offset: self.offset }.in_range()
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
        let offset = offset(zone)?;
        let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
        let offset_seconds = i32::try_from(offset).ok()?;
        Some(Self { seconds: seconds - offset, nanos, offset: offset_seconds }.in_range())
    }

    /// As RFC 3339.
    pub(crate) fn text(&self) -> String {
        let (days, time) = days_and_time(self.seconds + i64::from(self.offset));
        let (year, month, day) = civil_from_days(days);
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        if self.nanos > 0 {
            let digits = format!(".{:09}", self.nanos);
            text.push_str(digits.trim_end_matches('0'));
        }
        if self.offset == 0 {
            text.push('Z');
        } else {
            let sign = if self.offset < 0 { '-' } else { '+' };
            let minutes = self.offset.abs() / 60;
            write!(text, "{sign}{:02}:{:02}", minutes / 60, minutes % 60).expect("writing to a string never fails");
        }
        text
    }

    /// The result of a getter, in the zone if one is given.
    pub(crate) fn get(&self, getter: Function, zone: Option<&str>) -> Result<i64, Failure> {
        let offset = zone.map_or(Ok(i64::from(self.offset)), zone_offset)?;
        let (days, time) = days_and_time(self.seconds + offset);
        let (year, month, day) = civil_from_days(days);
        Ok(match getter {
            Function::FullYear => year,
            Function::Month => month - 1,
            Function::DayOfYear => days - days_from_civil(year, 1, 1),
            Function::DayOfMonth => day - 1,
            Function::Date => day,
            Function::DayOfWeek => (days + 4).rem_euclid(7),
            Function::Hours => time / 3600,
            Function::Minutes => time / 60 % 60,
            Function::Seconds => time % 60,
            _ => i64::from(self.nanos / 1_000_000),
        })
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

/// The offset of the zone that a getter is given: a number of hours and minutes, or `UTC`.
fn zone_offset(zone: &str) -> Result<i64, Failure> {
    let Some((hours, minutes)) = zone.split_once(':') else {
        return match zone {
            "" | "UTC" => Ok(0),
            "Local" => Err(EvalError::NotKnown(NotKnown::TimeZone(zone.into()))),
            _ if zone.contains("..") || zone.starts_with(['/', '\\']) => Err(failed("time: invalid location name")),
            _ => Err(EvalError::NotKnown(NotKnown::TimeZone(zone.into()))),
        };
    };
    let whole = |text: &str| {
        let syntax = || failed(format!("strconv.Atoi: parsing {}: invalid syntax", blang_semver::Quoted(text)));
        text.parse::<i32>().map(i64::from).map_err(|_| syntax())
    };
    let (hours, minutes) = (whole(hours)?, whole(minutes)?);
    if !(0..60).contains(&minutes) {
        return Err(failed(format!("timezone offset minutes out of range [0, 59]: {zone}")));
    }
    let minutes = if zone.starts_with('-') { -minutes } else { minutes };
    Ok(hours * 3600 + minutes * 60)
}

/// The days since 1970, and the seconds of the last one.
fn days_and_time(seconds: i64) -> (i64, i64) {
    (seconds.div_euclid(86_400), seconds.rem_euclid(86_400))
}

/// The days from 1970-01-01 to a date of the Gregorian calendar. Years start in March here, so that leap days are last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_from_civil(next_year, next_month, 1) - days_from_civil(year, month, 1)
}

/// Reads a duration as Go's `time.ParseDuration` does: `1h30m`, `-1.5s`, `0`.
pub(crate) fn parse_duration(text: &str) -> Option<i64> {
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

/// A duration as cel-go prints it: in seconds.
pub(crate) fn duration_text(nanos: i64) -> String {
    format!("{}s", (nanos / NANOS) as f64 + (nanos % NANOS) as f64 / NANOS as f64)
}

/// The result of a getter of a duration.
pub(crate) fn duration_get(nanos: i64, getter: Function) -> i64 {
    match getter {
        Function::Hours => nanos / (3600 * NANOS),
        Function::Minutes => nanos / (60 * NANOS),
        Function::Seconds => nanos / NANOS,
        _ => nanos / 1_000_000,
    }
}
