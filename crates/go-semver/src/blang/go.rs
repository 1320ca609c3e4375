//! The parts of Go's standard library that error texts depend on: `%q`, `unicode.IsDigit`, `strconv`.

use std::fmt::{self, Write};

/// The zero of every block of decimal digits (category Nd) in Unicode 15.0, the version of Go 1.21 and later.
const DIGIT_ZEROS: [u32; 68] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0,
    0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620,
    0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50,
    0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950,
    0x1FBF0,
];

/// `unicode.IsDigit`.
pub(crate) fn is_digit(c: char) -> bool {
    let code = u32::from(c);
    let blocks_at_or_before = DIGIT_ZEROS.partition_point(|&zero| zero <= code);
    blocks_at_or_before > 0 && code - DIGIT_ZEROS[blocks_at_or_before - 1] < 10
}

/// Displays text as Go's `%q` (`strconv.Quote`) does; OLM's error texts need it too.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\x07' => f.write_str("\\a")?,
                '\x08' => f.write_str("\\b")?,
                '\x0c' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\x0b' => f.write_str("\\v")?,
                ' '..='~' => f.write_char(c)?,
                '\0'..='\x7f' => write!(f, "\\x{:02x}", u32::from(c))?,
                _ if is_print(c) => f.write_char(c)?,
                '\u{80}'..='\u{ffff}' => write!(f, "\\u{:04x}", u32::from(c))?,
                '\u{10000}'.. => write!(f, "\\U{:08x}", u32::from(c))?,
            }
        }
        f.write_char('"')
    }
}

/// `strconv.IsPrint` for a character beyond ASCII, up to the difference between Go's and Rust's Unicode versions.
fn is_print(c: char) -> bool {
    // Rust's debug escapes follow the same categories, but a combining mark is escaped when it comes first.
    let mut buffer = [b'a'; 5];
    let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let text = std::str::from_utf8(&buffer[..length]).expect("one letter and one encoded character");
    text.escape_debug().nth(1) == Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_go_does() {
        // Expected column: `fmt.Printf("%q", s)`.
        let table = [
            ("a b", r#""a b""#),
            ("a\"\\", r#""a\"\\""#),
            ("\t\n\x07\0\x7f", r#""\t\n\a\x00\x7f""#),
            ("é\u{301}", "\"é\u{301}\""),
            ("\u{301}", "\"\u{301}\""),
            ("\u{a0}\u{ad}\u{200b}\u{feff}", r#""\u00a0\u00ad\u200b\ufeff""#),
            ("\u{e0001}\u{1f600}", "\"\\U000e0001\u{1f600}\""),
            ("\u{fffd}", "\"\u{fffd}\""),
        ];
        for (text, quoted) in table {
            assert_eq!(Quoted(text).to_string(), quoted);
        }
    }

    #[test]
    fn digits_are_decimal_digits_of_any_script() {
        for c in ['0', '9', '\u{660}', '\u{669}', '\u{ff11}', '\u{1fbf9}'] {
            assert!(is_digit(c), "{c:?}");
        }
        for c in ['/', ':', '\u{66a}', '²', '½', 'Ⅷ', '\u{1fbfa}', '\u{10ffff}'] {
            assert!(!is_digit(c), "{c:?}");
        }
    }
}
