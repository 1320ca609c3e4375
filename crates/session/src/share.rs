//! Share links and files: a session as bytes, and how a link or a file wraps those bytes.
//!
//! A session is encoded with postcard, so that the same session always gives the same bytes, and then compressed. A link
//! is `FORMAT.BASE64URL`, a file the line `opscope FORMAT` followed by the compressed bytes. Compression is left to the
//! caller, because the browser has it built in; the caller also limits the size of what it decompresses.

use crate::CatalogInput;
use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use views::{ShareFault, TextEdit};

/// The numbers of the formats that are read. A change of [`SavedSession`] needs a new number.
const FORMATS: [&str; 2] = ["1", "2"];

/// What a file begins with, before the number of its format and a line break.
const FILE_MAGIC: &str = "opscope ";

/// Links lose their padding in mail programs, and bits that are left over say nothing.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_encode_padding(false)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const BASE64URL: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);

/// Everything that a share link or file carries. A decoded one owns its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSession<'t> {
    /// What the page adds to the catalogs, as JSON; nothing here looks into it.
    pub page: Cow<'t, str>,
    /// The catalogs of the cluster, then the baselines.
    pub catalogs: Vec<SessionCatalog<'t>>,
    /// What comparisons need of each catalog. Not in format 1, which is written when no catalog is a baseline and none was
    /// edited.
    #[serde(skip)]
    pub compared: Vec<SessionComparison>,
}

/// What comparisons need of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionComparison {
    /// Whether it is only compared with others.
    pub is_baseline: bool,
    /// For each edited file, by its path, the change that leads back to the text that was opened.
    pub opened: Vec<(String, TextEdit)>,
}

/// A catalog of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCatalog<'t> {
    /// `metadata.name`
    pub name: Cow<'t, str>,
    /// `metadata.namespace`
    pub namespace: Cow<'t, str>,
    /// `spec.priority`
    pub priority: i64,
    /// Paths below the catalog's root, and texts.
    pub files: Vec<(Cow<'t, str>, Cow<'t, str>)>,
}

impl<'t> SavedSession<'t> {
    /// The session with these catalogs. `page` is what the page adds to them.
    #[must_use]
    pub fn of(catalogs: &'t [CatalogInput], page: &'t str) -> Self {
        let catalog = |catalog: &'t CatalogInput| SessionCatalog {
            name: (&catalog.name).into(),
            namespace: (&catalog.namespace).into(),
            priority: catalog.priority,
            // Expanded templates are left out: whoever opens the session expands them again.
            files: (catalog.files.iter().filter(|file| file.expanded_from.is_none()))
                .map(|file| ((&file.path).into(), (&file.text).into()))
                .collect(),
        };
        let compared = |catalog: &CatalogInput| SessionComparison {
            is_baseline: catalog.is_baseline,
            opened: (catalog.files.iter().filter(|file| file.expanded_from.is_none()))
                .filter_map(|file| Some((file.path.clone(), file.opened()?)))
                .collect(),
        };
        // Nor is a mirror there: what it lacks would look like a loss.
        let shared = || catalogs.iter().filter(|catalog| catalog.mirrored.is_none());
        let compared: Vec<SessionComparison> = shared().map(compared).collect();
        let is_needed = compared.iter().any(|catalog| *catalog != SessionComparison::default());
        Self {
            page: page.into(),
            catalogs: shared().map(catalog).collect(),
            compared: if is_needed { compared } else { Vec::new() },
        }
    }

    /// The number of the format that [`SavedSession::encode`] writes.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        if self.compared.is_empty() { FORMATS[0] } else { FORMATS[1] }
    }

    /// The bytes of the session, not compressed.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let compared = (!self.compared.is_empty()).then(|| encoded(&self.compared));
        [encoded(self), compared.unwrap_or_default()].concat()
    }

    /// The session that [`SavedSession::encode`] made these bytes of.
    ///
    /// # Errors
    ///
    /// [`ShareFault::Garbled`] for any other bytes, also for the bytes of a session with something behind them.
    pub fn decode(bytes: &[u8]) -> Result<Self, ShareFault> {
        let (session, rest): (Self, &[u8]) = postcard::take_from_bytes(bytes).map_err(|_| ShareFault::Garbled)?;
        if rest.is_empty() {
            return Ok(session);
        }
        match postcard::take_from_bytes::<Vec<SessionComparison>>(rest) {
            Ok((compared, [])) if compared.len() == session.catalogs.len() && !compared.is_empty() => {
                Ok(Self { compared, ..session })
            }
            Ok(_) | Err(_) => Err(ShareFault::Garbled),
        }
    }
}

fn encoded<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("a vector takes any number of bytes, and no length is unknown")
}

/// A file of a session in this format, compressed.
#[must_use]
pub fn session_file(format: &str, compressed: &[u8]) -> Vec<u8> {
    [FILE_MAGIC.as_bytes(), format.as_bytes(), b"\n", compressed].concat()
}

/// The compressed bytes of a file; `None` if the file is not one of a session.
///
/// # Errors
///
/// [`ShareFault::Unknown`] for a file of another format.
pub fn open_session_file(file: &[u8]) -> Option<Result<&[u8], ShareFault>> {
    let rest = file.strip_prefix(FILE_MAGIC.as_bytes())?;
    // A catalog that happens to begin with the same word has no short line of letters and digits there.
    let end = rest.iter().take(9).position(|&byte| byte == b'\n')?;
    let format = std::str::from_utf8(&rest[..end]).ok().filter(|format| is_format(format))?;
    Some(check_format(format).map(|()| &rest[end + 1..]))
}

/// The length in characters of a link whose content has `compressed` bytes.
#[must_use]
pub const fn link_length(compressed: usize) -> usize {
    // Four characters for three bytes, without padding.
    FORMATS[0].len() + 1 + (compressed * 4).div_ceil(3)
}

/// A link of a session in this format, compressed.
#[must_use]
pub fn session_link(format: &str, compressed: &[u8]) -> String {
    format!("{format}.{}", BASE64URL.encode(compressed))
}

/// The compressed bytes of a link.
///
/// # Errors
///
/// [`ShareFault::Unknown`] for a link of another format, [`ShareFault::Garbled`] for any other text.
pub fn open_session_link(link: &str) -> Result<Vec<u8>, ShareFault> {
    let (format, rest) = link.split_once('.').filter(|(format, _)| is_format(format)).ok_or(ShareFault::Garbled)?;
    check_format(format)?;
    BASE64URL.decode(rest).map_err(|_| ShareFault::Garbled)
}

/// The text that a link has as base64 or base64url, with or without padding.
///
/// # Errors
///
/// [`ShareFault::Garbled`] if it is neither, or the bytes are not UTF-8.
pub fn decode_base64_text(value: &str) -> Result<String, ShareFault> {
    let engine = if value.contains(['+', '/']) { &BASE64 } else { &BASE64URL };
    let bytes = engine.decode(value).map_err(|_| ShareFault::Garbled)?;
    String::from_utf8(bytes).map_err(|_| ShareFault::Garbled)
}

fn check_format(format: &str) -> Result<(), ShareFault> {
    if FORMATS.contains(&format) { Ok(()) } else { Err(ShareFault::Unknown { format: format.to_owned() }) }
}

fn is_format(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;

    #[test]
    fn a_decoded_session_equals_the_encoded_one() {
        let mut workbench = workbench(&[("mine", "package p c"), ("other", "package q c")]);
        let id = workbench.catalogs()[1].id;
        workbench.set_metadata(id, "Odd Name", "elsewhere", -7);
        let page = "{\"tab\": \"é:,\"}";
        let bytes = SavedSession::of(workbench.inputs(), page).encode();
        let session = SavedSession::decode(&bytes).unwrap();
        assert_eq!(session.page, page);
        let described: Vec<_> =
            (session.catalogs.iter()).map(|row| (&*row.name, &*row.namespace, row.priority)).collect();
        assert_eq!(described, [("mine", "olm", 0), ("Odd Name", "elsewhere", -7)]);
        for (decoded, encoded) in session.catalogs.iter().zip(workbench.catalogs()) {
            let files: Vec<_> = decoded.files.iter().map(|(path, text)| (&**path, &**text)).collect();
            assert_eq!(files, [("catalog.yaml", &*encoded.files[0].text)]);
        }
    }

    /// A link must open in every later release that reads its format.
    #[test]
    fn formats_have_these_bytes() {
        let catalog = SessionCatalog {
            name: "mine".into(),
            namespace: "olm".into(),
            priority: -1,
            files: vec![("a.yaml".into(), "b: 1".into())],
        };
        let session = SavedSession { page: "{}".into(), catalogs: vec![catalog], compared: Vec::new() };
        let bytes = b"\x02{}\x01\x04mine\x03olm\x01\x01\x06a.yaml\x04b: 1";
        assert_eq!((session.format(), session.encode().as_slice()), ("1", &bytes[..]));
        assert_eq!(SavedSession::decode(bytes).as_ref(), Ok(&session));
        let splice = TextEdit { start: 3, end: 4, text: "2".to_owned() };
        let compared = vec![SessionComparison { is_baseline: true, opened: vec![("a.yaml".to_owned(), splice)] }];
        let session = SavedSession { compared, ..session };
        let bytes = [&bytes[..], b"\x01\x01\x01\x06a.yaml\x03\x04\x012"].concat();
        assert_eq!((session.format(), &session.encode()), ("2", &bytes));
        assert_eq!(SavedSession::decode(&bytes), Ok(session));
    }

    #[test]
    fn a_session_knows_baselines_and_what_was_edited() {
        let mut workbench = workbench(&[("before", "package p c"), ("after", "package p c")]);
        let before = workbench.catalogs()[0].id;
        workbench.set_baseline(before, true);
        let key = workbench.catalogs()[0].files[0].key;
        workbench.edit(key, 0..3, "# \n---");
        let session = SavedSession::of(workbench.inputs(), "{}");
        let known: Vec<_> =
            session.compared.iter().map(|catalog| (catalog.is_baseline, catalog.opened.len())).collect();
        assert_eq!((session.format(), known.as_slice()), ("2", &[(false, 1), (true, 0)][..]));
        assert_eq!(session.catalogs[1].name, "before");
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let session = SavedSession::of(&[], "{}");
        assert_eq!(SavedSession::decode(b"\x02{}\x00"), Ok(session));
        let cases: [&[u8]; 8] = [
            b"",
            b"\x02{}",
            b"\x02{}\x00\x00",
            b"\x02{}\x00\x01\x00\x00",
            b"\x01\xff\x00",
            b"\x02{}\x01\x04mine",
            // A length that no text has.
            b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
            b"\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        ];
        for bytes in cases {
            assert_eq!(SavedSession::decode(bytes), Err(ShareFault::Garbled), "{bytes:?}");
        }
    }

    #[test]
    fn files_and_links_say_their_format() {
        let unknown = |format: &str| ShareFault::Unknown { format: format.to_owned() };
        assert_eq!(open_session_file(&session_file("1", b"\0x\n")), Some(Ok(&b"\0x\n"[..])));
        assert_eq!(open_session_file(b"opscope 27\nxyz"), Some(Err(unknown("27"))));
        for catalog in ["opscope is nice\n", "opscope: 1\n", "opscope 1", "opscope \n", "schema: olm.package\n"] {
            assert_eq!(open_session_file(catalog.as_bytes()), None, "{catalog}");
        }
        for compressed in [&b""[..], b"\xfb", b"\xfb\xff", b"\xfb\xff\xfe"] {
            let link = session_link("2", compressed);
            assert_eq!(link.len(), link_length(compressed.len()));
            assert_eq!(open_session_link(&link).as_deref(), Ok(compressed));
        }
        assert_eq!(session_link("1", b"\xfb\xff\xfe"), "1.-__-");
        assert_eq!(open_session_link("3b.abc"), Err(unknown("3b")));
        for link in ["", "abc", ".abc", "1-2.abc", "123456789.abc", "1.!!!", "1.a", "1.+//+"] {
            assert_eq!(open_session_link(link), Err(ShareFault::Garbled), "{link}");
        }
    }

    #[test]
    fn texts_come_in_either_base64() {
        for value in ["w7_Dvg", "w7/Dvg==", "w7_Dvg=="] {
            assert_eq!(decode_base64_text(value), Ok("ÿþ".to_owned()), "{value}");
        }
        for value in ["6Q", "a", "w7_Dvg/"] {
            assert_eq!(decode_base64_text(value), Err(ShareFault::Garbled), "{value}");
        }
    }
}
