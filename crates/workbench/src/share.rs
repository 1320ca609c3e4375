//! Visits as bytes, to be passed on: all catalogs as they are, and what the page adds to them.
//!
//! The format, numbered by [`VISIT_FORMAT`], is a row of netstrings (`4:text,`): nothing in a text has to be escaped, and
//! every length is checked before it is believed. First what the page adds; then, catalog by catalog, name, namespace,
//! priority, the number of files, and path and text of each. The same visit gives the same bytes. Compressed, they make a
//! link or a file; compression is not done here.

use crate::input::CatalogInput;
use views::ShareFault;

/// The number of the format that is written, and the only one that is read.
pub const VISIT_FORMAT: &str = "1";

/// What a file begins with, before the number of its format and the end of that line.
const TITLE: &str = "opscope ";

/// A catalog of a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitCatalog {
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i32,
    /// Paths below the catalog's root, and texts.
    pub files: Vec<(String, String)>,
}

/// A visit as bytes. `page` is what the page adds.
#[must_use]
pub fn encode_visit(catalogs: &[CatalogInput], page: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    put(&mut bytes, page);
    for catalog in catalogs {
        put(&mut bytes, &catalog.name);
        put(&mut bytes, &catalog.namespace);
        put(&mut bytes, &catalog.priority.to_string());
        // What a template was expanded to is made again.
        let files = catalog.files.iter().filter(|file| file.made_of.is_none());
        put(&mut bytes, &files.clone().count().to_string());
        for file in files {
            put(&mut bytes, &file.path);
            put(&mut bytes, &file.text);
        }
    }
    bytes
}

fn put(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(text.len().to_string().as_bytes());
    bytes.push(b':');
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b',');
}

/// The catalogs of a visit and what the page had added to them.
///
/// # Errors
///
/// [`ShareFault::Garbled`] for anything but the bytes of a visit.
pub fn decode_visit(bytes: &[u8]) -> Result<(Vec<VisitCatalog>, String), ShareFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| ShareFault::Garbled)?;
    read_visit(text).ok_or(ShareFault::Garbled)
}

fn read_visit(text: &str) -> Option<(Vec<VisitCatalog>, String)> {
    let mut rest = text;
    let page = take(&mut rest)?;
    let mut catalogs = Vec::new();
    while !rest.is_empty() {
        catalogs.push(read_catalog(&mut rest)?);
    }
    Some((catalogs, page))
}

fn read_catalog(rest: &mut &str) -> Option<VisitCatalog> {
    let (name, namespace) = (take(rest)?, take(rest)?);
    let priority = take(rest)?.parse().ok()?;
    let count: usize = take(rest)?.parse().ok()?;
    let mut files = Vec::new();
    for _ in 0..count {
        files.push((take(rest)?, take(rest)?));
    }
    Some(VisitCatalog { name, namespace, priority, files })
}

/// Takes the netstring at the start.
fn take(rest: &mut &str) -> Option<String> {
    let (length, after) = rest.split_once(':')?;
    let length: usize = length.parse().ok()?;
    let text = after.get(..length)?;
    *rest = after[length..].strip_prefix(',')?;
    Some(text.to_owned())
}

/// A file of a visit: a line with title and format, then the compressed bytes.
#[must_use]
pub fn visit_file(compressed: &[u8]) -> Vec<u8> {
    [TITLE.as_bytes(), VISIT_FORMAT.as_bytes(), b"\n", compressed].concat()
}

/// The compressed bytes of a file, if it is one of a visit and not of a catalog.
///
/// # Errors
///
/// [`ShareFault::Unknown`] for a file of another format.
pub fn open_visit_file(file: &[u8]) -> Option<Result<&[u8], ShareFault>> {
    let rest = file.strip_prefix(TITLE.as_bytes())?;
    // A text that happens to begin so has no short line of letters and digits there.
    let end = rest.iter().take(9).position(|&byte| byte == b'\n')?;
    let format = std::str::from_utf8(&rest[..end]).ok().filter(|format| is_format(format))?;
    Some(check(format).map(|()| &rest[end + 1..]))
}

/// The part of a link behind the number of its format.
///
/// # Errors
///
/// [`ShareFault::Unknown`] for a link of another format, [`ShareFault::Garbled`] for one without.
pub fn open_visit_link(link: &str) -> Result<&str, ShareFault> {
    let (format, rest) = link.split_once('.').filter(|(format, _)| is_format(format)).ok_or(ShareFault::Garbled)?;
    check(format).map(|()| rest)
}

fn check(format: &str) -> Result<(), ShareFault> {
    if format == VISIT_FORMAT { Ok(()) } else { Err(ShareFault::Unknown { format: format.to_owned() }) }
}

fn is_format(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;

    #[test]
    fn a_visit_comes_back_as_it_was() {
        let mut here = workbench(&[("mine", "package p c"), ("other", "package q c")]);
        let id = here.catalogs()[1].id;
        here.describe(id, "Odd Name", "elsewhere", -7);
        let page = "{\"tab\": \"é:,\"}";
        let bytes = encode_visit(here.catalogs(), page);
        let (catalogs, back) = decode_visit(&bytes).unwrap();
        assert_eq!(back, page);
        let described: Vec<_> =
            catalogs.iter().map(|row| (row.name.as_str(), row.namespace.as_str(), row.priority)).collect();
        assert_eq!(described, [("mine", "olm", 0), ("Odd Name", "elsewhere", -7)]);
        for (read, had) in catalogs.iter().zip(here.catalogs()) {
            let had: Vec<_> = had.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
            assert_eq!(read.files, had);
        }
    }

    #[test]
    fn the_bytes_are_written_down() {
        let here = workbench(&[("mine", "package p c")]);
        let text = here.catalogs()[0].files[0].text.clone();
        let path = here.catalogs()[0].files[0].path.clone();
        let expected = format!("2:{{}},4:mine,3:olm,1:0,1:1,{}:{path},{}:{text},", path.len(), text.len());
        assert_eq!(String::from_utf8(encode_visit(here.catalogs(), "{}")), Ok(expected));
    }

    #[test]
    fn what_is_no_visit_is_refused() {
        let broken = [
            "",
            "2:{}",
            "2:{};",
            "3:{},",
            "-1:,",
            "1:\u{e9},",
            "99999999999999999999:x,",
            "2:{},4:mine,",
            "0:,0:,0:,1:x,1:0,",
            "0:,0:,0:,1:0,1:9,",
        ];
        for text in broken {
            assert_eq!(decode_visit(text.as_bytes()), Err(ShareFault::Garbled), "{text}");
        }
        assert_eq!(decode_visit(b"\xff"), Err(ShareFault::Garbled));
        assert_eq!(decode_visit(b"2:{},"), Ok((vec![], "{}".to_owned())));
    }

    #[test]
    fn files_and_links_say_their_format() {
        let unknown = |format: &str| ShareFault::Unknown { format: format.to_owned() };
        assert_eq!(open_visit_file(&visit_file(b"\0x\n")), Some(Ok(&b"\0x\n"[..])));
        assert_eq!(open_visit_file(b"opscope 27\nxyz"), Some(Err(unknown("27"))));
        for catalog in ["opscope is nice\n", "opscope: 1\n", "opscope 1", "opscope \n", "schema: olm.package\n"] {
            assert_eq!(open_visit_file(catalog.as_bytes()), None, "{catalog}");
        }
        assert_eq!(open_visit_link("1.abc"), Ok("abc"));
        assert_eq!(open_visit_link("2b.abc"), Err(unknown("2b")));
        for link in ["", "abc", ".abc", "1-2.abc", "123456789.abc"] {
            assert_eq!(open_visit_link(link), Err(ShareFault::Garbled), "{link}");
        }
    }
}
