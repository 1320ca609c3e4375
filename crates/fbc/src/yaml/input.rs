//! How yaml.v2 gets its input: in blocks, as lines or whole, and what it has seen of it.

/// How many bytes yaml.v2 decodes at once (`readerc.go`, `input_raw_buffer_size`).
pub(crate) const BLOCK: usize = 512;

/// How many characters it looks at behind the first of a token.
pub(super) const AHEAD: usize = 3;

/// How a text comes to yaml.v2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Whole,
    /// As lines, which lose one `\r` before the line feed.
    PassedOn,
}

impl Lines {
    /// How many lines end in a text, with the line breaks of YAML 1.1.
    pub(super) fn count(self, text: &str) -> usize {
        let breaks =
            text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count() - text.matches("\r\n").count();
        match self {
            Self::Whole => breaks,
            Self::PassedOn => breaks - text.matches("\r\r\n").count(),
        }
    }
}

/// What is behind the end of a text, where yaml.v2 cannot decode its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecoded {
    /// yaml.v2's words for it.
    pub(crate) words: &'static str,
    /// The byte of the text that is decoded together with it.
    pub(crate) block: usize,
}

impl Undecoded {
    /// Whether yaml.v2 has come to it when its scanner has come to `position` of the text.
    pub(crate) fn is_seen(self, text: &str, position: usize) -> bool {
        let between = text.get(position..self.block).unwrap_or_default();
        between.chars().take(AHEAD).count() < AHEAD
    }
}
