//! Standard base64 with padding, as Go's `encoding/base64` reads it: `\r` and `\n` are skipped anywhere.

/// Decodes `text` as Go's `encoding/base64` does: standard alphabet, with padding, line breaks skipped.
///
/// # Errors
/// The offset that Go's `CorruptInputError` names.
pub fn decode(text: &str) -> Result<Vec<u8>, usize> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    visit(text, |byte| bytes.push(byte)).map(|()| bytes)
}

/// The offset at which `text` stops being base64.
pub(crate) fn check(text: &str) -> Result<(), usize> {
    // Whole quanta, and many of them at once.
    const BLOCK: usize = 64;
    let is_clear = |block: &&[u8]| block.iter().fold(true, |clear, &byte| clear & is_symbol(byte));
    let clear = BLOCK * text.as_bytes().chunks_exact(BLOCK).take_while(is_clear).count();
    visit(&text[clear..], |_| {}).map_err(|at| clear + at)
}

/// Without branches, so that many bytes are looked at at once.
const fn is_symbol(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    letter | digit | (byte == b'+') | (byte == b'/')
}

fn visit(text: &str, mut out: impl FnMut(u8)) -> Result<(), usize> {
    let mut symbols = text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\r' | b'\n')).peekable();
    while symbols.peek().is_some() {
        let mut quantum = [0; 4];
        for filled in 0..4 {
            match symbols.next() {
                None => return Err(text.len() - filled),
                Some((at, b'=')) => return finish(text, at, &quantum[..filled], symbols, out),
                Some((at, byte)) => quantum[filled] = sextet(byte).ok_or(at)?,
            }
        }
        emit(quantum, 3, &mut out);
    }
    Ok(())
}

/// The padding and nothing after it.
fn finish(
    text: &str,
    at: usize,
    quantum: &[u8],
    mut symbols: impl Iterator<Item = (usize, u8)>,
    mut out: impl FnMut(u8),
) -> Result<(), usize> {
    let count = match quantum {
        [_, _] => match symbols.next() {
            Some((_, b'=')) => 1,
            Some((other, _)) => return Err(other - 1),
            None => return Err(text.len()),
        },
        [_, _, _] => 2,
        _ => return Err(at),
    };
    if let Some((garbage, _)) = symbols.next() {
        return Err(garbage);
    }
    let mut padded = [0; 4];
    padded[..quantum.len()].copy_from_slice(quantum);
    emit(padded, count, &mut out);
    Ok(())
}

fn emit([a, b, c, d]: [u8; 4], count: usize, out: &mut impl FnMut(u8)) {
    [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d].into_iter().take(count).for_each(out);
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
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
