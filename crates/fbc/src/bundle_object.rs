//! Checks the values of `olm.bundle.object` properties, which `opm` decodes while it loads a catalog.
//!
//! Follows operator-registry `alpha/declcfg/load.go`, `readBundleObjects`: `data` is base64 of a manifest in JSON or YAML.

use crate::bytes::decoded;
use crate::go_type::Misfit;
use crate::{Node, OpenError, Value, property_misfit, yaml};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// The type of such properties.
const KIND: &str = "olm.bundle.object";

/// Why a bundle object cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectFault {
    /// The value is not `{data: base64}`.
    Parse(Misfit),
    /// The content is not YAML.
    Convert(Misfit),
}

/// What keeps `opm` from reading the value of an `olm.bundle.object` property. `text` is the text of its file.
///
/// # Errors
/// When the text of an unopened value cannot be read by itself.
pub fn bundle_object_fault(value: &Node, text: &str) -> Result<Option<ObjectFault>, OpenError> {
    let value = value.open(text)?;
    if let Some(misfit) = property_misfit(KIND, &value, text)? {
        return Ok(Some(ObjectFault::Parse(misfit)));
    }
    let Some(data) = value.field("data") else { return Ok(None) };
    if begins_as_json(data) {
        return Ok(None);
    }
    let message = bytes(data).and_then(|manifest| yaml_fault(&manifest));
    Ok(message.map(|message| ObjectFault::Convert(Misfit { span: data.span, message })))
}

/// Whether the first bytes of valid base64 begin a manifest in JSON, as most do: the others need not be decoded.
fn begins_as_json(data: &Node) -> bool {
    let start = data.as_str().and_then(|text| decode_base64(text.get(..4)?).ok());
    start.is_some_and(|start| start.starts_with(b"{"))
}

/// The bytes of `data`: base64, or numbers.
fn bytes(data: &Node) -> Option<Vec<u8>> {
    match &data.value {
        Value::String(text) => decode_base64(text).ok(),
        Value::Sequence(items) => {
            Some(items.iter().map(|item| if let Value::Number(byte) = item.value { byte.0 as u8 } else { 0 }).collect())
        }
        _ => None,
    }
}

/// The error of yaml.v2 for a manifest that is not JSON.
fn yaml_fault(manifest: &[u8]) -> Option<String> {
    let first = manifest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if first.trim_start().starts_with('{') {
        return None;
    }
    let (text, behind) = decoded(manifest);
    yaml::fault(&text, behind)?.go_words()
}

// Standard base64 with padding, as Go's `encoding/base64` reads it: `\r` and `\n` are skipped anywhere.

/// Go ignores the bits behind the last whole byte.
const ENGINE: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// Decodes `text` as Go's `encoding/base64` does: standard alphabet, with padding, line breaks skipped.
///
/// # Errors
/// The offset that Go's `CorruptInputError` names.
pub fn decode_base64(text: &str) -> Result<Vec<u8>, usize> {
    check_base64(text)?;
    let symbols = match memchr::memchr2(b'\r', b'\n', text.as_bytes()) {
        None => Cow::Borrowed(text.as_bytes()),
        Some(_) => text.bytes().filter(|byte| !is_skipped(*byte)).collect(),
    };
    ENGINE.decode(symbols).map_err(|_| text.len())
}

/// The offset at which `text` stops being base64, as Go names it; the crate counts otherwise.
pub(crate) fn check_base64(text: &str) -> Result<(), usize> {
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
    use source::FileId;

    #[track_caller]
    fn check(value: &str, expected: Option<&str>) {
        let node = crate::untyped_values(FileId(0), value).nodes.remove(0);
        let told = bundle_object_fault(&node, value).unwrap().map(|fault| match fault {
            ObjectFault::Parse(misfit) => format!("parse: {}", misfit.message),
            ObjectFault::Convert(misfit) => format!("convert: {}", misfit.message),
        });
        assert_eq!(told.as_deref(), expected, "{value}");
    }

    #[test]
    fn manifests() {
        check("{data: eyJraW5kIjoiQSJ9}", None);
        check("{data: a2luZDogQQo=}", None);
        check("{}", None);
        check("{data: e}", Some("parse: illegal base64 data at input byte 0"));
    }

    #[test]
    fn what_is_no_manifest() {
        check("{data: Zm9vOiBbCg==}", Some("convert: yaml: line 1: did not find expected node content"));
        check("{data: /w==}", Some("convert: yaml: invalid leading UTF-8 octet"));
        check("{DATA: //6A}", Some("convert: yaml: incomplete UTF-16 character"));
        check("{data: [3]}", Some("convert: yaml: control characters are not allowed"));
        let told = "parse: json: cannot unmarshal string into Go value of type property.BundleObject";
        check("plain", Some(told));
    }

    #[test]
    fn a_manifest_has_any_encoding_of_yaml() {
        let units = |text: &str, unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        for text in ["\u{feff}kind: é😀\n", "\u{feff}kind: A", "\u{feff}", "\u{feff}kind: A\u{2028}name: b\u{85}"] {
            assert_eq!(yaml_fault(text.as_bytes()), None, "{text:?}");
            assert_eq!(yaml_fault(&units(text, u16::to_le_bytes)), None, "{text:?}");
            assert_eq!(yaml_fault(&units(text, u16::to_be_bytes)), None, "{text:?}");
        }
        let words = Some("yaml: line 2: did not find expected node content".to_owned());
        assert_eq!(yaml_fault(&units("\u{feff}a: b\nc: [\n}\n", u16::to_be_bytes)), words);
    }

    #[test]
    fn a_manifest_that_is_cut_off_or_broken_is_none() {
        for (manifest, words) in [
            (&b"\xff\xfea"[..], "incomplete UTF-16 character"),
            (b"\xfe\xff\0a\0", "incomplete UTF-16 character"),
            (b"\xff\xfea\0=\xd8", "incomplete UTF-16 surrogate pair"),
            (b"\xff\xfea\0=\xd8\x00", "incomplete UTF-16 surrogate pair"),
            (b"\xfe\xff\0a\xdc\0", "unexpected low surrogate area"),
            (b"\xfe\xff\xd8\0\0a", "expected low surrogate area"),
            (b"\xfe\xff\0\x01", "control characters are not allowed"),
            (b"a: \xe2\x82", "incomplete UTF-8 octet sequence"),
            (b"\xef\xbb\xbfa: \xff", "invalid leading UTF-8 octet"),
        ] {
            assert_eq!(yaml_fault(manifest), Some(format!("yaml: {words}")), "{manifest:x?}");
        }
    }

    #[test]
    fn what_is_behind_the_first_document_is_not_decoded_to_the_end() {
        assert_eq!(yaml_fault(b"\xff\xfea\0\n\0.\0.\0.\0\n\0\x01"), None);
        let far = [b"a: b\n...\n# ", "x".repeat(600).as_bytes(), b"\xff"].concat();
        assert_eq!(yaml_fault(&far), None);
        let words = Some("yaml: invalid leading UTF-8 octet".to_owned());
        assert_eq!(yaml_fault(b"a: b\n...\n# \xff"), words);
    }

    #[test]
    fn json_may_begin_behind_any_blank_of_unicode() {
        assert_eq!(yaml_fault("\u{2028}\u{85}\u{a0}{no JSON".as_bytes()), None);
        assert!(yaml_fault("\u{feff}{no JSON".as_bytes()).is_some());
    }

    #[test]
    fn decodes() {
        for (text, expected) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\nYmE=\r\n", "fooba")]
        {
            assert_eq!(decode_base64(text).as_deref(), Ok(expected.as_bytes()), "{text}");
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
            assert_eq!(check_base64(text), Err(at), "{text}");
            let behind_more = "0+/z".repeat(99) + text;
            assert_eq!(check_base64(&behind_more), Err(4 * 99 + at), "{text}");
        }
    }
}
