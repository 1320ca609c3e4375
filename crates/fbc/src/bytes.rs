//! The bytes of a file to text, before anything is parsed.

use source::{Diagnostic, FileId, Rule, Span};

/// A file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text. What is no UTF-8 is U+FFFD in it; empty if the bytes are no text at all.
    pub text: String,
    /// Why `opm` does not read it as that text.
    pub fault: Option<Diagnostic>,
}

/// Of so many bytes one may be none of UTF-8 in what is still a text. It bounds how much a text grows by U+FFFD, too.
const TEXT: usize = 10;

const HELP: &str = "opm reads every file of a folder: save it as UTF-8, or name it in an `.indexignore` file";

/// Takes the bytes of a file as text.
///
/// Bytes that are not UTF-8 become U+FFFD. In a file that `opm` reads as JSON they do so there, too; elsewhere it rejects
/// them. A byte order mark stays: [`parse`](crate::parse()) knows what it does to the reading.
#[must_use]
pub fn decode_bytes(file: FileId, bytes: Vec<u8>) -> Decoded {
    if u32::try_from(bytes.len()).is_err() {
        return no_text(file, "the file is larger than 4 GiB", None);
    }
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
    let opm = "error converting YAML to JSON: yaml: invalid leading UTF-8 octet";
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
    fn json_is_repaired() {
        check(b" {\"a\": \"\xff\"}", " {\"a\": \"\u{fffd}\"}", None);
    }
}
