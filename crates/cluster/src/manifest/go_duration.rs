//! Whether Go reads a text as a duration (`time.ParseDuration`, Go `src/time/format.go`).

const UNITS: [&str; 8] = ["ns", "us", "\u{b5}s", "\u{3bc}s", "ms", "s", "m", "h"];

/// # Errors
/// Go's error.
pub(super) fn check(text: &str) -> Result<(), String> {
    let invalid = || format!("time: invalid duration {text:?}");
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(());
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    while !rest.is_empty() {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        if !number.contains(|c: char| c.is_ascii_digit()) || number.matches('.').count() > 1 {
            return Err(invalid());
        }
        let end = after.find(is_number).unwrap_or(after.len());
        let (unit, next) = after.split_at(end);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {text:?}"));
        }
        if !UNITS.contains(&unit) {
            return Err(format!("time: unknown unit {unit:?} in duration {text:?}"));
        }
        rest = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_go() {
        for valid in ["0", "10m", "1h30m", "-1.5s", "+3ms", ".5s"] {
            assert_eq!(check(valid), Ok(()), "{valid}");
        }
        let table = [
            ("ten", "time: invalid duration \"ten\""),
            ("", "time: invalid duration \"\""),
            ("1.2.3s", "time: invalid duration \"1.2.3s\""),
            ("3", "time: missing unit in duration \"3\""),
            ("1 m", "time: unknown unit \" m\" in duration \"1 m\""),
        ];
        for (text, error) in table {
            assert_eq!(check(text), Err(error.to_owned()), "{text}");
        }
    }
}
