//! Standard base64 with padding, as Go's `encoding/base64` reads it: `\r` and `\n` are skipped anywhere.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// Go ignores the bits behind the last whole byte.
const ENGINE: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// Decodes `text` as Go's `encoding/base64` does: standard alphabet, with padding, line breaks skipped.
///
/// # Errors
/// The offset that Go's `CorruptInputError` names.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    check(text)?;
    let symbols = match memchr::memchr2(b'\r', b'\n', text.as_bytes()) {
        None => Cow::Borrowed(text.as_bytes()),
        Some(_) => text.bytes().filter(|byte| !is_skipped(*byte)).collect(),
    };
    ENGINE.decode(symbols).map_err(|_| text.len())
}

/// The offset at which `text` stops being base64, as Go names it; the crate counts otherwise.
pub(crate) fn check(text: &str) -> Result<(), usize> {
    // Whole quanta, and many of them at once: icons and bundle objects are long.
    const BLOCK: usize = 64;
    let is_clear = |block: &&[u8]| block.iter().fold(true, |clear, &byte| clear & is_symbol(byte));
    let clear = BLOCK * text.as_bytes().chunks_exact(BLOCK).take_while(is_clear).count();
    let rest = text.bytes().enumerate().skip(clear).filter(|&(_, byte)| !is_skipped(byte));
    let mut behind = rest.clone().skip_while(|&(_, byte)| is_symbol(byte));
    let last = rest.take_while(|&(_, byte)| is_symbol(byte)).count() % 4;
    let garbage = match (behind.next(), last) {
        (None, 0) => return Ok(()),
        (None, _) => return Err(text.len() - last),
        (Some((at, byte)), _) if byte != b'=' || last < 2 => return Err(at),
        (Some(_), 2) => match behind.next() {
            Some((_, b'=')) => behind.next(),
            Some((at, _)) => return Err(at - 1),
            None => return Err(text.len()),
        },
        (Some(_), _) => behind.next(),
    };
    garbage.map_or(Ok(()), |(at, _)| Err(at))
}

const fn is_skipped(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Written without branches, so that the compiler can check many bytes at once.
const fn is_symbol(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    letter | digit | (byte == b'+') | (byte == b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes() {
        for (text, expected) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\nYmE=\r\n", "fooba")]
        {
            assert_eq!(decode(text).as_deref(), Ok(expected.as_bytes()), "{text}");
        }
    }

    #[test]
    fn names_the_offending_byte() {
        // The offsets are those of Go's own tests.
        for (text, at) in [
            ("!", 0),
            ("Zm9v!", 4),
            ("AA=A", 2),
            ("AA==A", 4),
            ("Zg==Zg==", 4),
            ("=", 0),
            ("A=AA", 1),
            ("AA=", 3),
            ("AAAAA", 4),
            ("AAAAAA", 4),
            ("AAAAAA=", 7),
        ] {
            assert_eq!(check(text), Err(at), "{text}");
            let behind_more = "0+/z".repeat(99) + text;
            assert_eq!(check(&behind_more), Err(4 * 99 + at), "{text}");
        }
    }
}
