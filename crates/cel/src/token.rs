//! The tokens of cel-go's grammar (`parser/gen/CEL.g4`), in its order, and sets of them.

use std::fmt::Write;

/// A kind of token. The order is that of the grammar: it decides in which order expected tokens are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    End,
    Equals,
    NotEquals,
    In,
    Less,
    LessEquals,
    GreaterEquals,
    Greater,
    And,
    Or,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Dot,
    Comma,
    Minus,
    Not,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
    True,
    False,
    Null,
    Float,
    Int,
    Uint,
    String,
    Bytes,
    Ident,
    QuotedIdent,
}

/// How ANTLR names the kinds, in their order.
const NAMES: [&str; 36] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize]
    }
}

/// A token and its place, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn of(kinds: &[Kind]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u64;
            at += 1;
        }
        Self(bits)
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }

    /// `')'` or `{'[', '{'}`
    pub(crate) fn expected(self) -> String {
        let names: Vec<&str> = (0..NAMES.len()).filter(|&at| self.0 & (1 << at) != 0).map(|at| NAMES[at]).collect();
        match names[..] {
            [name] => name.to_owned(),
            _ => format!("{{{}}}", names.join(", ")),
        }
    }
}

/// A text in ANTLR's messages: quoted, with line breaks and tabs spelt out.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = "'".to_owned();
    for c in text.chars() {
        match c {
            '\t' => shown.push_str("\\t"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            c => shown.write_char(c).expect("writing to a string never fails"),
        }
    }
    shown.push('\'');
    shown
}
