//! The order in which yaml.v2 writes the keys of a mapping (`sorter.go`, `keyList.Less`): numbers in them by their value,
//! and letters behind everything else.

use std::cmp::Ordering;

/// Compares two keys.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(one, other)| one != other) else { return a.len().cmp(&b.len()) };
    let (x, y) = (a[at], b[at]);
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (false, false) => {}
        (is_letter, _) => return if is_letter { Ordering::Greater } else { Ordering::Less },
    }
    // A zero counts only behind another digit of the same number.
    let before = a[..at].iter().rev().take_while(|c| c.is_ascii_digit());
    let is_inside = (x == '0' || y == '0') && before.into_iter().any(|c| *c != '0');
    let number = |chars: &[char]| {
        let digits = chars[at..].iter().map_while(|c| c.to_digit(10));
        digits.fold((i64::from(is_inside), at), |(number, end), digit| {
            (number.wrapping_mul(10).wrapping_add(digit.into()), end + 1)
        })
    };
    number(&a).cmp(&number(&b)).then(x.cmp(&y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_by_value_and_letters_come_last() {
        let sorted =
            ["", "$ref", "1", "2", "10", "A", "a", "a_b", "a1", "a2", "a2b", "a02", "a10", "a100", "aB", "ab", "b"];
        for (at, one) in sorted.iter().enumerate() {
            for (behind, other) in sorted.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&behind), "{one} {other}");
            }
        }
    }
}
