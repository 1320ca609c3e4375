//! Days of the calendar.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, from year 1 to 9999.
///
/// ```
/// use catalog::Date;
///
/// let day: Date = "2024-02-29".parse()?;
/// assert_eq!(day.to_string(), "2024-02-29");
/// assert!("2023-02-29".parse::<Date>().is_err());
/// # Ok::<(), catalog::NotADate>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// The number of days since the last day before year 1.
    #[must_use]
    pub fn number(self) -> i32 {
        let years = i32::from(self.year) - 1;
        let months: i32 = (1..self.month).map(|month| i32::from(days_of(self.year, month))).sum();
        365 * years + years / 4 - years / 100 + years / 400 + months + i32::from(self.day)
    }
}

const fn days_of(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// A text that is not a day written `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotADate(
    /// The text.
    pub String,
);

impl fmt::Display for NotADate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a date of the form YYYY-MM-DD", self.0)
    }
}

impl std::error::Error for NotADate {}

impl FromStr for Date {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let read = || {
            let is_form = text.len() == 10
                && text.bytes().enumerate().all(|(at, byte)| match at {
                    4 | 7 => byte == b'-',
                    _ => byte.is_ascii_digit(),
                });
            let (year, month, day) = is_form.then(|| (&text[..4], &text[5..7], &text[8..]))?;
            let date = Self { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
            let exists = date.year > 0
                && (1..=12).contains(&date.month)
                && (1..=days_of(date.year, date.month)).contains(&date.day);
            exists.then_some(date)
        };
        read().ok_or_else(|| NotADate(text.to_owned()))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_do_not_exist_are_no_dates() {
        for text in
            ["", "2024-1-01", "2024-13-01", "2024-00-10", "2024-04-31", "1900-02-29", "0000-01-01", "2024/01/01"]
        {
            assert_eq!(text.parse::<Date>(), Err(NotADate(text.to_owned())));
        }
    }

    #[test]
    fn neighbours_differ_by_one_day() {
        let number = |text: &str| text.parse::<Date>().unwrap().number();
        assert_eq!(number("0001-01-01"), 1);
        for (one, next) in [("2024-02-29", "2024-03-01"), ("2023-02-28", "2023-03-01"), ("2023-12-31", "2024-01-01")] {
            assert_eq!(number(next) - number(one), 1, "{one}");
        }
        assert_eq!(number("2000-03-01") - number("1999-03-01"), 366);
    }
}
