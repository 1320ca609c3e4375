//! Character offsets, which the YAML parser counts in, to byte offsets, which everything else counts in.

/// A place in a text that follows the parser's marks. Each step walks from the last one, so a whole document is walked
/// about once.
pub(super) struct Cursor<'a> {
    text: &'a str,
    ascii: bool,
    chars: usize,
    bytes: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, ascii: text.is_ascii(), chars: 0, bytes: 0 }
    }

    /// The byte offset of the character with this index; the end of the text for indices past it.
    pub(super) fn byte(&mut self, index: usize) -> usize {
        if self.ascii {
            return index.min(self.text.len());
        }
        while self.chars > index {
            self.bytes = self.text.floor_char_boundary(self.bytes - 1);
            self.chars -= 1;
        }
        let ahead = self.text[self.bytes..].chars().take(index - self.chars);
        let (chars, bytes) = ahead.fold((0, 0), |(chars, bytes), c| (chars + 1, bytes + c.len_utf8()));
        self.chars += chars;
        self.bytes += bytes;
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_both_ways() {
        let mut cursor = Cursor::new("aé😀b");
        let walk: Vec<_> = [3, 1, 2, 4, 9, 0].into_iter().map(|index| cursor.byte(index)).collect();
        assert_eq!(walk, [7, 1, 3, 8, 8, 0]);
    }
}
