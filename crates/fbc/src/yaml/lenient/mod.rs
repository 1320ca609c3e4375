//! Where yaml.v2 and our parser differ.
//!
//! What yaml.v2 reads and our parser does not: text inside quotes and brackets that is indented too little, comments and
//! tabs right behind a value or colon, brackets that are nested deep, a lone `-` in brackets, byte order marks, `\'` in
//! double quotes, anything behind `...`. A chunk that our parser rejects is looked over once more, and where it has such
//! places an outline is made in which they are not: blanks and quotes are added, and deep brackets are left out, to be
//! read by themselves.
//!
//! What our parser reads and yaml.v2 does not: tabs before the first text of a line or behind a dash, `?` within plain
//! text in brackets, `\/` in double quotes, dots in the names of anchors.
//!
//! Knows just enough of YAML to tell quotes, brackets, comments and block scalars from other text; where it errs, the
//! outline is rejected as well.

mod brackets;
mod lexer;

use super::fault::Fault;
use super::outline::{Edit, Filler};
use lexer::Lexer;
use std::ops::Range;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What was found in a chunk.
#[derive(Default)]
pub(super) struct Relaxed {
    /// How to make it a text that our parser reads, by place.
    pub(super) edits: Vec<Edit>,
    /// Brackets that the edits leave out.
    pub(super) deep: Vec<Range<usize>>,
    /// The first text that yaml.v2 takes for a key and that is none, and where it notices.
    pub(super) no_colon: Option<Range<usize>>,
    /// The first thing else that yaml.v2 rejects.
    pub(super) rejected: Option<Fault>,
    /// The first thing that our parser reads as something else.
    pub(super) misread: Option<usize>,
    /// The text needs more edits than a text does that is meant to be read.
    pub(super) is_over: bool,
    /// How many blanks may still be added.
    blanks_left: usize,
}

/// Looks over a chunk.
pub(super) fn relax(chunk: &str) -> Relaxed {
    let mut found = Lexer::new(chunk).run();
    let deep = &found.deep;
    found.edits.retain(|edit| !deep.iter().any(|range| range.start < edit.at && edit.at < range.end));
    found.edits.extend(deep.iter().map(|range| Edit {
        at: range.start + 1,
        removed: range.len() - 2,
        filler: Filler::Blanks(0),
    }));
    found.edits.sort_by_key(|edit| edit.at);
    found
}

/// The first thing that yaml.v2 rejects in a text that our parser reads, or else the first that it reads otherwise.
pub(super) fn rejected(text: &str) -> Option<Fault> {
    if !is_suspicious(text.as_bytes()) {
        return None;
    }
    let relaxed = relax(text);
    let misread =
        || relaxed.misread.map(|at| Fault::parser(at, "a `?` in brackets", "did not find expected node content"));
    relaxed.rejected.or_else(misread)
}

/// Whether there may be something that yaml.v2 rejects, as far as single bytes and those beside them tell.
fn is_suspicious(bytes: &[u8]) -> bool {
    let is_indent = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'-');
    let before = |at: usize| bytes[..at].iter().rev().find(|byte| !is_indent(byte)).is_none_or(|&byte| byte == b'\n');
    memchr::memchr_iter(b'\t', bytes).any(before)
        || memchr::memmem::find(bytes, br"\/").is_some()
        || (memchr::memchr2(b'[', b'{', bytes).is_some() && memchr::memchr(b'?', bytes).is_some())
        || memchr::memchr2_iter(b'&', b'*', bytes).any(|at| begins_node(bytes, at) && anchor_end(bytes, at).is_err())
}

fn begins_node(bytes: &[u8], at: usize) -> bool {
    at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'[' | b'{' | b',')
}

/// The end of the name of the anchor or alias at `at`; where it goes on as no name may.
fn anchor_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = bytes[at + 1..].iter().take_while(|&&byte| is_name(byte)).count();
    let end = at + 1 + length;
    let ends =
        |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
    match bytes.get(end).is_none_or(|&byte| ends(byte)) {
        true => Ok(end),
        // Without a single letter our parser may know better.
        false if length == 0 => Ok(end),
        false => Err(end),
    }
}

impl Relaxed {
    /// What yaml.v2 finds before it gets to `fault`, or to the end of the document.
    pub(super) fn fault_before(&self, fault: Option<&Fault>, end: usize, base: usize) -> Option<Fault> {
        let first = fault.map_or(end, |fault| fault.at);
        if let Some(rejected) =
            self.rejected.as_ref().filter(|rejected| base + rejected.at < first || !rejected.has_line())
        {
            return Some(rejected.clone().shifted(base));
        }
        let no_colon = self.no_colon.as_ref()?;
        let comes_first = match fault {
            Some(fault) if fault.is_of_scanner() => base + no_colon.end <= fault.at,
            Some(fault) => base + no_colon.start <= fault.at,
            None => base + no_colon.start < end,
        };
        comes_first.then(|| Fault::no_colon(base + no_colon.end))
    }
}
