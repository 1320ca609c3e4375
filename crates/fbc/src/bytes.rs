//! Decodes the bytes of a file to text, before anything is parsed.

use crate::foreign;
use crate::yaml::{BLOCK, Undecoded};
use source::{Diagnostic, FileId, Rule, Span};
use std::borrow::Cow;

/// A file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, with U+FFFD in the place of bytes that are not UTF-8; empty if the bytes are not a text.
    pub text: String,
    /// Why `opm` does not read the file as this text.
    pub fault: Option<Diagnostic>,
}

/// A file is still a text if at most one byte in `TEXT` is not UTF-8. This also bounds how much U+FFFD makes it grow.
const TEXT: usize = 10;

/// The most bytes of a UTF-8 character.
const LONGEST_CHAR: usize = 4;

const HELP: &str = "opm reads every file of a folder: save it as UTF-8, or name it in an `.indexignore` file";

/// Decodes the bytes of a file to text.
///
/// Bytes that are not UTF-8 become U+FFFD. `opm` does the same in a file that it reads as JSON; elsewhere it rejects
/// them. A byte order mark stays: [`parse`](crate::parse()) knows what it does to the reading.
#[must_use]
pub fn decode_bytes(file: FileId, bytes: Vec<u8>) -> Decoded {
    if u32::try_from(bytes.len()).is_err() {
        return no_text(file, "the file is larger than 4 GiB", None);
    }
    if let Some(text) = utf_16(&bytes) {
        return decoded_utf_16(file, &text, bytes);
    }
    let form = foreign::of_bytes(&bytes);
    let decoded = decode_text(file, bytes);
    match (form, decoded.fault) {
        (Some(form), Some(fault)) if decoded.text.is_empty() => {
            let fault = Diagnostic { message: form.what.to_owned(), ..fault };
            Decoded { text: decoded.text, fault: Some(fault.with_help(form.help)) }
        }
        (_, fault) => Decoded { text: decoded.text, fault },
    }
}

/// Why bytes are no text at all, in a sentence about a file that was opened by itself; `None` if they are a text.
#[must_use]
pub fn no_text_reason(bytes: &[u8]) -> Option<String> {
    // Most files are a text, and large: they are not copied.
    let is_text = || std::str::from_utf8(bytes).is_ok() && memchr::memchr(0, bytes).is_none();
    if utf_16(bytes).is_some() || is_text() {
        return None;
    }
    let Decoded { text, fault } = decode_text(FileId(0), bytes.to_vec());
    let fault = fault.filter(|_| text.is_empty())?;
    Some(match foreign::of_bytes(bytes) {
        Some(form) => format!("{}; {}", form.what, form.help),
        None => format!("{}; a catalog is a YAML or JSON file, or a folder of these", fault.message),
    })
}

/// Decodes bytes that are not UTF-16.
fn decode_text(file: FileId, bytes: Vec<u8>) -> Decoded {
    if let Some(at) = memchr::memchr(0, &bytes) {
        let opm = "error converting YAML to JSON: yaml: control characters are not allowed";
        return no_text(file, &format!("not a text file: byte {at} is NUL"), Some(opm));
    }
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, fault: None },
        Err(error) => repaired(file, error.as_bytes(), error.utf8_error().valid_up_to(), is_json),
    }
}

/// The text of bytes of which the one at `at` is the first that is not UTF-8.
fn repaired(file: FileId, bytes: &[u8], at: usize, is_json: bool) -> Decoded {
    // `opm` reads lines, and adds the line break that the last one lacks.
    let line_end = if bytes.ends_with(b"\n") { None } else { Some(&b'\n') };
    let undecoded: Vec<u8> = bytes[at..].iter().chain(line_end).take(LONGEST_CHAR).copied().collect();
    let opm = &format!("error converting YAML to JSON: yaml: {}", utf_8_fault(&undecoded));
    let bad: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    let text = String::from_utf8_lossy(bytes).into_owned();
    if u32::try_from(text.len()).is_err() || (!is_json && bad > bytes.len() / TEXT + 1) {
        return no_text(file, &format!("not a text file: byte {at} is not UTF-8"), Some(opm));
    }
    let more = match bad - 1 {
        0 => String::new(),
        1 => ", and 1 more is not".to_owned(),
        more => format!(", and {more} more are not"),
    };
    let place = Span::new(file, at as u32, (at + char::REPLACEMENT_CHARACTER.len_utf8()) as u32);
    let message = format!("the byte {:02X} is not UTF-8{more}", bytes[at]);
    let fault = Diagnostic::new(Rule::UnreadableFile, place, message).with_help(HELP).with_opm(opm);
    Decoded { text, fault: (!is_json).then_some(fault) }
}

/// The error of yaml.v2 for a character of which not all bytes are there.
const CUT_OFF: &str = "incomplete UTF-8 octet sequence";

/// The error of yaml.v2 for bytes that do not begin with a UTF-8 character.
fn utf_8_fault(bytes: &[u8]) -> &'static str {
    let width = match bytes[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    let Some(trailing) = bytes.get(1..width) else { return CUT_OFF };
    if trailing.iter().any(|octet| octet & 0xc0 != 0x80) {
        return "invalid trailing UTF-8 octet";
    }
    match (bytes[0], trailing[0]) {
        (0xc0 | 0xc1, _) | (0xe0, ..0xa0) | (0xf0, ..0x90) => "invalid length of a UTF-8 sequence",
        _ => "invalid Unicode character",
    }
}

/// What yaml.v2 decodes of bytes, and what is behind that if it is not all of them (`readerc.go`).
pub(crate) fn decoded(bytes: &[u8]) -> (Cow<'_, str>, Option<Undecoded>) {
    if let Some(unit) = utf_16_unit(bytes) {
        let (text, behind) = decoded_units(bytes, unit);
        return (Cow::Owned(text), behind);
    }
    let mut chunks = bytes.utf8_chunks();
    let text = chunks.next().map_or("", |chunk| chunk.valid());
    let behind = (text.len() < bytes.len()).then(|| {
        let words = utf_8_fault(&bytes[text.len()..]);
        let block = if words == CUT_OFF { text.len() } else { text.len() / BLOCK * BLOCK };
        Undecoded { words, block: text.floor_char_boundary(block) }
    });
    (Cow::Borrowed(text), behind)
}

/// What yaml.v2 decodes of UTF-16, with the byte order mark.
fn decoded_units(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<Undecoded>) {
    let (mut text, mut at) = (String::new(), 0);
    let mut block = (0, 0);
    let unit_at = |at: usize| bytes.get(at..at + 2).map(|pair| unit([pair[0], pair[1]]));
    while at < bytes.len() {
        if at / BLOCK > block.0 {
            block = (at / BLOCK, text.len());
        }
        let (c, cut_off) = match (unit_at(at), unit_at(at + 2)) {
            (None, _) => (Err("incomplete UTF-16 character"), true),
            (Some(0xdc00..=0xdfff), _) => (Err("unexpected low surrogate area"), false),
            (Some(0xd800..=0xdbff), None) => (Err("incomplete UTF-16 surrogate pair"), true),
            (Some(high), low) => {
                let pair = [high, low.unwrap_or_default()];
                let c = char::decode_utf16(pair).next().and_then(Result::ok);
                (c.ok_or("expected low surrogate area"), false)
            }
        };
        match c {
            Ok(c) => {
                text.push(c);
                at += 2 * c.len_utf16();
            }
            Err(words) => {
                let block = if cut_off { text.len() } else { block.1 };
                return (text, Some(Undecoded { words, block }));
            }
        }
    }
    (text, None)
}

/// How the units of UTF-16 are written in bytes that begin with its byte order mark.
fn utf_16_unit(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// The text of bytes that begin with a byte order mark of UTF-16.
#[must_use]
pub fn utf_16(bytes: &[u8]) -> Option<String> {
    let unit = utf_16_unit(bytes)?;
    let units = bytes[2..].chunks_exact(2).map(|bytes| unit([bytes[0], bytes[1]]));
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// The text of a file in UTF-16: its first document. `opm` looks for separators in bytes and finds none, so that the YAML
/// parser gets the whole file, of which it reads one document.
fn decoded_utf_16(file: FileId, text: &str, mut bytes: Vec<u8>) -> Decoded {
    // The byte order mark stays, so that the file is not taken for JSON.
    let mut text = if text.is_empty() { String::new() } else { format!("\u{feff}{text}") };
    let is_separator = |at: usize| text[at + 4..].chars().next().is_none_or(char::is_whitespace);
    let mut separators = text.match_indices("\n---").map(|(at, _)| at).filter(|&at| is_separator(at));
    let end = separators.find(|&at| !text['\u{feff}'.len_utf8()..=at].trim().is_empty()).map(|at| at + 1);
    // Behind the last line a line break of one byte is added, unless its last byte is one.
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let (read, behind) = decoded(&bytes);
    let behind = behind.filter(|behind| end.is_none_or(|end| behind.is_seen(&read, end)));
    let place = Span::new(file, 0, 0);
    let fault = match (behind, end) {
        (Some(Undecoded { words, .. }), _) => {
            let message = format!("not valid UTF-16: {words}");
            let opm = format!("error converting YAML to JSON: yaml: {words}");
            Some(Diagnostic::new(Rule::UnreadableFile, place, message).with_help("save it as UTF-8").with_opm(opm))
        }
        (None, Some(end)) => {
            text.truncate(end);
            let message = "opm reads only the first document of a file in UTF-16";
            Some(Diagnostic::new(Rule::LostText, place, message).with_help("save it as UTF-8"))
        }
        (None, None) => None,
    };
    Decoded { text, fault }
}

fn no_text(file: FileId, message: &str, opm: Option<&str>) -> Decoded {
    let finding = Diagnostic::new(Rule::UnreadableFile, Span::new(file, 0, 0), message).with_help(HELP);
    Decoded { text: String::new(), fault: Some(Diagnostic { opm: opm.map(str::to_owned), ..finding }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: &str, fault: Option<(u32, &str)>) {
        let decoded = decode_bytes(FileId(0), bytes.to_vec());
        assert_eq!(decoded.text, text);
        let told = decoded.fault.as_ref().map(|finding| (finding.span.start, finding.message.as_str()));
        assert_eq!(told, fault);
    }

    #[test]
    fn text_is_utf_8_without_nul() {
        check("é\n".as_bytes(), "é\n", None);
        check("\u{feff}a".as_bytes(), "\u{feff}a", None);
        check(b"\x7fELF\0", "", Some((0, "not a text file: byte 4 is NUL")));
    }

    #[test]
    fn a_single_file_that_is_no_text_has_a_reason_without_advice_about_folders() {
        let reason = "not a text file: byte 8 is NUL; a catalog is a YAML or JSON file, or a folder of these";
        assert_eq!(no_text_reason(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").as_deref(), Some(reason));
        for text in [&b"schema: olm.package\n"[..], b"", b"a: \xff", b"\xff\xfea\0"] {
            assert_eq!(no_text_reason(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_utf_8_is_replaced_and_told() {
        check(b"a: \xff", "a: \u{fffd}", Some((3, "the byte FF is not UTF-8")));
        check(
            b"name: caf\xe9 # \xfc, ou\n",
            "name: caf\u{fffd} # \u{fffd}, ou\n",
            Some((9, "the byte E9 is not UTF-8, and 1 more is not")),
        );
        check(&[0xff; 64], "", Some((0, "not a text file: byte 0 is not UTF-8")));
    }

    #[test]
    fn go_names_what_is_wrong_with_utf_8() {
        for (bytes, words) in [
            (&b"\xff"[..], "invalid leading UTF-8 octet"),
            (b"\xd8a\n", "invalid trailing UTF-8 octet"),
            (b"\xe2\x82\n", "invalid trailing UTF-8 octet"),
            (b"\xe2\n", "incomplete UTF-8 octet sequence"),
            (b"\xc0\x80\n", "invalid length of a UTF-8 sequence"),
            (b"\xed\xa0\x80\n", "invalid Unicode character"),
            (b"\xf4\x90\x80\x80\n", "invalid Unicode character"),
        ] {
            assert_eq!(utf_8_fault(bytes), words, "{bytes:?}");
        }
    }

    #[test]
    fn files_in_utf_16_have_one_document() {
        let bytes = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        let big = bytes("\u{feff}a: é\n", u16::to_be_bytes);
        check(&big, "\u{feff}a: é\n", None);
        let little = bytes("\u{feff}---\na\n---\nb\n", u16::to_le_bytes);
        check(&little, "\u{feff}---\na\n", Some((0, "opm reads only the first document of a file in UTF-16")));
    }

    /// The units of UTF-16 after its byte order mark, in either order of bytes; `end` follows as it is.
    #[track_caller]
    fn check_units(units: &[u16], end: &[u8], expected: Option<&str>) {
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let all = [&[0xfeff], units].concat();
            let bytes = [all.into_iter().flat_map(unit).collect(), end.to_vec()].concat();
            let behind = decoded(&bytes).1.map(|behind| behind.words);
            assert_eq!(behind, expected, "{bytes:x?}");
        }
    }

    #[test]
    fn go_names_what_is_wrong_with_utf_16() {
        check_units(&[0x61, 0xd83d, 0xde00, 0xe9], b"", None);
        check_units(&[0x61], b"\0", Some("incomplete UTF-16 character"));
        check_units(&[0x61, 0xd83d], b"", Some("incomplete UTF-16 surrogate pair"));
        check_units(&[0x61, 0xd83d], b"\n", Some("incomplete UTF-16 surrogate pair"));
        check_units(&[0xde00, 0x61], b"", Some("unexpected low surrogate area"));
        check_units(&[0xd83d, 0x61], b"", Some("expected low surrogate area"));
        check_units(&[0xd83d, 0xd83d], b"", Some("expected low surrogate area"));
    }

    #[test]
    fn broken_utf_16_is_said_in_the_words_of_go() {
        for (bytes, words) in [
            // Half of the last line break is left, behind which a whole one of one byte is added.
            (&b"\xff\xfea\0\n\0"[..], "incomplete UTF-16 character"),
            (b"\xfe\xff\0a", "incomplete UTF-16 character"),
            (b"\xfe\xff\0a\xde\0\0\n", "unexpected low surrogate area"),
            (b"\xff\xfea\0\0\xd8a\0\n", "expected low surrogate area"),
        ] {
            let opm = decode_bytes(FileId(0), bytes.to_vec()).fault.and_then(|fault| fault.opm);
            assert_eq!(opm, Some(format!("error converting YAML to JSON: yaml: {words}")), "{bytes:x?}");
        }
    }

    #[test]
    fn json_is_repaired() {
        check(b" {\"a\": \"\xff\"}", " {\"a\": \"\u{fffd}\"}", None);
    }
}
