//! Decodes the bytes of a file to text, before anything is parsed.

use crate::foreign;
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
        return decoded_utf_16(file, text, &bytes);
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
    let opm = &format!("error converting YAML to JSON: yaml: {}", utf_8_fault(&bytes[at..]));
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

/// The error of yaml.v2 for bytes that do not begin with a UTF-8 character (`readerc.go`). `opm` reads lines, and adds the
/// line break that the last one lacks.
fn utf_8_fault(bytes: &[u8]) -> &'static str {
    let width = match bytes[0] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return "invalid leading UTF-8 octet",
    };
    let line_end = if bytes.ends_with(b"\n") { None } else { Some(&b'\n') };
    let trailing: Vec<u8> = bytes.iter().chain(line_end).skip(1).take(width - 1).copied().collect();
    if trailing.len() + 1 < width {
        return "incomplete UTF-8 octet sequence";
    }
    if trailing.iter().any(|octet| octet & 0xc0 != 0x80) {
        return "invalid trailing UTF-8 octet";
    }
    match (bytes[0], trailing[0]) {
        (0xc0 | 0xc1, _) | (0xe0, ..0xa0) | (0xf0, ..0x90) => "invalid length of a UTF-8 sequence",
        _ => "invalid Unicode character",
    }
}

/// The text of a manifest, or the error of yaml.v2 for its bytes.
pub(crate) fn yaml_text(bytes: &[u8]) -> Result<Cow<'_, str>, &'static str> {
    match (utf_16(bytes), std::str::from_utf8(bytes)) {
        (Some(_), _) if bytes.len() % 2 == 1 => Err("incomplete UTF-16 character"),
        (Some(text), _) => Ok(Cow::Owned(text)),
        (None, Ok(text)) => Ok(Cow::Borrowed(text)),
        (None, Err(error)) => Err(utf_8_fault(&bytes[error.valid_up_to()..])),
    }
}

/// The text of bytes that begin with a byte order mark of UTF-16.
#[must_use]
pub fn utf_16(bytes: &[u8]) -> Option<String> {
    let (unit, units): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, units @ ..] => (u16::from_le_bytes, units),
        [0xfe, 0xff, units @ ..] => (u16::from_be_bytes, units),
        _ => return None,
    };
    let units = units.chunks_exact(2).map(|bytes| unit([bytes[0], bytes[1]]));
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// The text of a file in UTF-16: its first document. `opm` looks for separators in bytes and finds none, so that the YAML
/// parser gets the whole file, of which it reads one document.
fn decoded_utf_16(file: FileId, mut text: String, bytes: &[u8]) -> Decoded {
    let end = text.match_indices("\n---").map(|(at, _)| at + 1).find(|&at| at > 1 && !text[..at].trim().is_empty());
    let place = Span::new(file, 0, 0);
    let fault = match end {
        Some(end) => {
            text.truncate(end);
            let message = "opm reads only the first document of a file in UTF-16";
            Some(Diagnostic::new(Rule::LostText, place, message).with_help("save it as UTF-8"))
        }
        // Of the last line break, half a character is left, behind which the reader adds a line break of one byte.
        None if !bytes.ends_with(b"\n") => {
            let opm = "error converting YAML to JSON: yaml: incomplete UTF-16 character";
            let message = "a file in UTF-16 must not end in half a line break";
            Some(Diagnostic::new(Rule::UnreadableFile, place, message).with_help("save it as UTF-8").with_opm(opm))
        }
        None => None,
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
            (b"\xe2\x82", "invalid trailing UTF-8 octet"),
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
        check(&big, "a: é\n", None);
        let little = bytes("\u{feff}---\na\n---\nb\n", u16::to_le_bytes);
        check(&little, "---\na\n", Some((0, "opm reads only the first document of a file in UTF-16")));
        let half = decode_bytes(FileId(0), bytes("\u{feff}a\n", u16::to_le_bytes)).fault.and_then(|fault| fault.opm);
        assert_eq!(half.as_deref(), Some("error converting YAML to JSON: yaml: incomplete UTF-16 character"));
    }

    #[test]
    fn json_is_repaired() {
        check(b" {\"a\": \"\xff\"}", " {\"a\": \"\u{fffd}\"}", None);
    }
}
