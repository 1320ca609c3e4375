//! From what is typed to the smallest change of the file's bytes.
//!
//! A text area shows every line end as `\n`, whatever the file has; positions are translated here.

/// A replacement in the worker's text of the excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// First byte replaced (UTF-8), counted in the excerpt.
    pub start: u32,
    /// One past the last byte replaced.
    pub end: u32,
    /// The new text, with the file's line ends.
    pub text: String,
}

impl Change {
    /// The excerpt after the change.
    #[must_use]
    pub fn apply(&self, raw: &str) -> String {
        let (start, end) = (self.start as usize, self.end as usize);
        [&raw[..start], &self.text, &raw[end..]].concat()
    }
}

/// How a text area shows a text: `\r\n` and `\r` become `\n`.
#[must_use]
pub fn shown(raw: &str) -> String {
    if raw.contains('\r') { raw.replace("\r\n", "\n").replace('\r', "\n") } else { raw.to_owned() }
}

/// The position of a UTF-16 unit of `raw` in what is shown of it.
#[must_use]
pub fn shown_offset(raw: &str, unit: u32) -> u32 {
    let mut seen = 0;
    let mut dropped = 0;
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        if seen >= unit {
            break;
        }
        seen += width(c);
        dropped += u32::from(c == '\r' && rest.peek() == Some(&'\n'));
    }
    unit - dropped
}

/// The smallest single change that makes `raw` show as `typed`; `None` when it does already.
#[must_use]
pub fn change(raw: &str, typed: &str) -> Option<Change> {
    let old = shown(raw);
    if old == typed {
        return None;
    }
    let head = common_head(&old, typed);
    let tail = common_tail(&old[head..], &typed[head..]);
    let inserted = &typed[head..typed.len() - tail];
    let text = if raw.contains("\r\n") { inserted.replace('\n', "\r\n") } else { inserted.to_owned() };
    Some(Change { start: raw_offset(raw, head), end: raw_offset(raw, old.len() - tail), text })
}

/// UTF-16 units of a character: 1 or 2.
fn width(c: char) -> u32 {
    if c.len_utf16() == 1 { 1 } else { 2 }
}

fn common_head(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

fn common_tail(a: &str, b: &str) -> usize {
    a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// The byte of `raw` that byte `at` of what is shown of it comes from.
fn raw_offset(raw: &str, at: usize) -> u32 {
    let mut shown = 0;
    let mut offset = 0;
    let mut rest = raw.chars().peekable();
    while shown < at {
        let Some(c) = rest.next() else { break };
        offset += c.len_utf8();
        if !(c == '\r' && rest.peek() == Some(&'\n')) {
            shown += c.len_utf8();
        }
    }
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, typed: &str, (start, end, text): (u32, u32, &str)) {
        let change = change(raw, typed).unwrap();
        assert_eq!((change.start, change.end, change.text.as_str()), (start, end, text));
        assert_eq!(shown(&change.apply(raw)), typed);
    }

    #[test]
    fn only_what_differs_is_replaced() {
        check("abc", "abXc", (2, 2, "X"));
        check("abc", "ac", (1, 2, ""));
        check("aaa", "aaaa", (3, 3, "a"));
        check("", "new", (0, 0, "new"));
        assert_eq!(change("same", "same"), None);
    }

    #[test]
    fn offsets_are_bytes_and_never_split_a_character() {
        check("é🙂z", "é🙃z", (2, 6, "🙃"));
        check("ä", "ö", (0, 2, "ö"));
    }

    #[test]
    fn line_ends_of_the_file_are_kept() {
        check("a\r\nb\r\n", "a\nb\nc\n", (6, 6, "c\r\n"));
        check("a\r\nb\r\nc", "a\nX\nc", (3, 4, "X"));
        assert_eq!(change("a\r\nb", "a\nb"), None);
    }

    #[test]
    fn selections_count_what_is_shown() {
        assert_eq!(shown_offset("a\r\nb", 3), 2);
        assert_eq!(shown_offset("🙂b", 2), 2);
        assert_eq!(shown_offset("ab", 9), 9);
    }
}
