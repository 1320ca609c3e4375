//! The order in which yaml.v2 writes the keys of a mapping (`sorter.go`, `keyList.Less`): numbers in them by their value,
//! and letters behind everything else. Rust has no table of the letters and digits of all scripts: some vowel signs count as
//! letters here, and only ASCII has digits.

use std::cmp::Ordering;

/// Sorts what has keys. The order goes in circles, as from `01` over `10` and `1a` to `01`, where that of yaml.v2 is random:
/// the sort of the standard library may panic then.
pub(crate) fn sort<T>(mut items: Vec<(&str, T)>) -> Vec<(&str, T)> {
    if items.len() < 2 {
        return items;
    }
    let second = sort(items.split_off(items.len() / 2)).into_iter();
    let (mut first, mut second) = (sort(items).into_iter().peekable(), second.peekable());
    let next = || match (first.peek(), second.peek()) {
        (Some((one, _)), Some((other, _))) if compare(one, other).is_gt() => second.next(),
        (Some(_), _) => first.next(),
        (None, _) => second.next(),
    };
    std::iter::from_fn(next).collect()
}

/// Compares two keys.
fn compare(one: &str, other: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(one, other)| one != other) else { return a.len().cmp(&b.len()) };
    let (x, y) = (a[at], b[at]);
    let is_letter = |c: char| c.is_alphabetic() && !c.is_numeric();
    match (is_letter(x), is_letter(y)) {
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
    fn an_order_that_goes_in_circles_does_no_harm() {
        let keys: Vec<String> =
            (0..600_u32).map(|at| format!("{:0>1$}{2}", at % 13, 1 + at as usize % 3, at % 7)).collect();
        let keys: Vec<String> =
            keys.into_iter().zip(["", "a", "_", "0"].into_iter().cycle()).map(|(a, b)| a + b).collect();
        let sorted = sort(keys.iter().map(|key| (&**key, ())).collect());
        assert!(compare("01", "10").is_lt() && compare("10", "1a").is_lt() && compare("1a", "01").is_lt());
        assert_eq!(sorted.len(), keys.len());
    }

    #[test]
    fn numbers_are_sorted_by_value_and_letters_come_last() {
        let sorted = [
            "", "$ref", "Ⅷ", "1", "2", "10", "A", "a", "a_b", "a1", "a2", "a2b", "a02", "a10", "a100", "aB", "ab", "b",
        ];
        let mixed = sorted.iter().rev().map(|key| (*key, ())).collect();
        assert!(sort(mixed).into_iter().map(|(key, ())| key).eq(sorted));
        for (at, one) in sorted.iter().enumerate() {
            for (behind, other) in sorted.iter().enumerate() {
                assert_eq!(compare(one, other), at.cmp(&behind), "{one} {other}");
            }
        }
    }
}
