//! The bytes of a file to text, before anything is parsed.

use source::{Diagnostic, FileId, Rule, Span};

/// Takes the bytes of a file as text.
///
/// In a file that `opm` reads as JSON, bytes that are not UTF-8 become U+FFFD as they do there; elsewhere they make the
/// file unreadable. A byte order mark stays: [`parse`](crate::parse()) knows what it does to the reading.
///
/// # Errors
/// A finding that says why the bytes are no text and where they stop being one.
pub fn decode_bytes(file: FileId, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(unreadable(file, "the file is larger than 4 GiB", None));
    }
    if let Some(at) = memchr::memchr(0, &bytes) {
        let opm = "error converting YAML to JSON: yaml: control characters are not allowed";
        return Err(unreadable(file, &format!("not a text file: byte {at} is NUL"), Some(opm)));
    }
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    String::from_utf8(bytes).or_else(|error| {
        let at = error.utf8_error().valid_up_to();
        if is_json {
            return Ok(String::from_utf8_lossy(error.as_bytes()).into_owned());
        }
        let opm = "error converting YAML to JSON: yaml: invalid leading UTF-8 octet";
        Err(unreadable(file, &format!("not a text file: byte {at} is not UTF-8"), Some(opm)))
    })
}

fn unreadable(file: FileId, message: &str, opm: Option<&str>) -> Diagnostic {
    let help = "opm reads every file of a folder: save it as UTF-8, or name it in an `.indexignore` file";
    let finding = Diagnostic::new(Rule::UnreadableFile, Span::new(file, 0, 0), message).with_help(help);
    Diagnostic { opm: opm.map(str::to_owned), ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Result<&str, &str>) {
        let text = decode_bytes(FileId(0), bytes.to_vec()).map_err(|finding| finding.message);
        assert_eq!(text.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn text_is_utf_8_without_nul() {
        check("é\n".as_bytes(), Ok("é\n"));
        check("\u{feff}a".as_bytes(), Ok("\u{feff}a"));
        check(b"a: \xff", Err("not a text file: byte 3 is not UTF-8"));
        check(b"\x7fELF\0", Err("not a text file: byte 4 is NUL"));
    }

    #[test]
    fn json_is_repaired() {
        check(b" {\"a\": \"\xff\"}", Ok(" {\"a\": \"\u{fffd}\"}"));
    }
}
