//! How old entries of a text are. The newest one of the text is the clock: a dump may be read days later.

use time::{Date, Month, PrimitiveDateTime, Time};

/// The time of an entry, such as `2024-11-05T10:00:00Z`; Kubernetes writes UTC without fractions.
fn moment(text: &str) -> Option<PrimitiveDateTime> {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<u16>().ok();
    let small = |from: usize, to: usize| u8::try_from(part(from, to)?).ok();
    let month = Month::try_from(small(5, 7)?).ok()?;
    let date = Date::from_calendar_date(part(0, 4)?.into(), month, small(8, 10)?).ok()?;
    let time = Time::from_hms(small(11, 13)?, small(14, 16)?, small(17, 19)?).ok()?;
    text.ends_with('Z').then_some(PrimitiveDateTime::new(date, time))
}

/// The latest of some times.
pub(super) fn newest<'t>(times: impl Iterator<Item = &'t str>) -> Option<PrimitiveDateTime> {
    times.filter_map(moment).max()
}

/// How much older an entry is, in words; empty if that is not known.
pub(super) fn age(since: &str, newest: Option<PrimitiveDateTime>) -> String {
    let Some(older) = moment(since).zip(newest).map(|(since, newest)| (newest - since).whole_minutes()) else {
        return String::new();
    };
    match older {
        0 => "as new as the newest entry".to_owned(),
        1 => "a minute older than the newest entry".to_owned(),
        2..120 => format!("{older} minutes older than the newest entry"),
        120..2880 => format!("{} hours older than the newest entry", older / 60),
        _ => format!("{} days older than the newest entry", older / 1440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_old_as_the_newest_one_says() {
        let newest = newest(["2024-03-01T00:00:00Z", "2024-02-29T23:59:00Z", "never"].into_iter());
        let words = |since: &str| age(since, newest);
        assert_eq!(words("2024-03-01T00:00:00Z"), "as new as the newest entry");
        assert_eq!(words("2024-02-29T23:59:00Z"), "a minute older than the newest entry");
        assert_eq!(words("2024-02-29T21:00:00Z"), "3 hours older than the newest entry");
        assert_eq!(words("2024-02-28T00:00:00Z"), "2 days older than the newest entry");
        assert_eq!(words("yesterday"), "");
    }
}
