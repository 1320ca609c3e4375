//! The emitter of yaml.v2 (`emitterc.go` of go.yaml.in/yaml/v2 v2.4.4) for values in block style. Which bytes it writes depends
//! on the column, and on what stands before it on the line.

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarStyle {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// What a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A document or a list.
    Item,
    /// A key of a mapping.
    Value,
}

/// The blanks before the lines of a node; none of a document itself.
pub(crate) type Indent = Option<usize>;

/// The most bytes of a key that stands on one line with its value.
const MAX_SIMPLE_KEY: usize = 128;

pub(crate) struct Emitter {
    pub(crate) out: String,
    /// The characters of the present line.
    column: usize,
    /// Whether a blank, or nothing, stands before the next node.
    whitespace: bool,
    /// Whether the line has nothing but blanks and indicators such as `- `.
    indention: bool,
    /// The column behind which lines are folded.
    width: usize,
    /// Which characters are not escaped.
    is_printable: fn(char) -> bool,
}

impl Emitter {
    pub(crate) const fn new(width: usize, is_printable: fn(char) -> bool) -> Self {
        Self { out: String::new(), column: 0, whitespace: true, indention: true, width, is_printable }
    }

    /// Where the keys of a mapping stand.
    pub(crate) fn mapping_indent(indent: Indent) -> usize {
        indent.map_or(0, |indent| indent + 2)
    }

    /// Where the items of a list stand.
    pub(crate) fn sequence_indent(&self, indent: Indent, place: Place) -> usize {
        let is_indentless = place == Place::Value && !self.indention;
        indent.map_or(0, |indent| if is_indentless { indent } else { indent + 2 })
    }

    /// Begins an item of a list.
    pub(crate) fn item(&mut self, indent: usize) {
        self.indent(indent);
        self.indicator("-", true, true);
    }

    /// Writes a key, for which `style` is preferred, and what is between it and its value.
    pub(crate) fn key(&mut self, text: &str, style: ScalarStyle, indent: usize) {
        self.indent(indent);
        if !text.contains(is_break) && text.len() <= MAX_SIMPLE_KEY {
            self.text(text, style, Some(indent), false);
            self.indicator(":", false, false);
        } else {
            self.indicator("?", true, true);
            self.text(text, style, Some(indent), true);
            self.indent(indent);
            self.indicator(":", true, true);
        }
    }

    /// Writes a text as a value, in a style that can hold it: `style` if it does.
    pub(crate) fn scalar(&mut self, text: &str, style: ScalarStyle, indent: Indent) {
        self.text(text, style, indent, true);
    }

    /// Writes a list or a mapping that is empty.
    pub(crate) fn empty(&mut self, brackets: &str) {
        self.indicator(brackets, true, false);
    }

    /// Ends the document. yaml.v2 writes no `...` behind it.
    pub(crate) fn end(&mut self) {
        self.indent(0);
    }

    fn text(&mut self, text: &str, style: ScalarStyle, indent: Indent, may_fold: bool) {
        let indent = indent.unwrap_or(0) + 2;
        match self.fitting(text, style) {
            ScalarStyle::Plain => self.plain(text, indent, may_fold),
            ScalarStyle::SingleQuoted => self.single_quoted(text, indent, may_fold),
            ScalarStyle::DoubleQuoted => self.double_quoted(text, indent, may_fold),
            ScalarStyle::Literal => self.literal(text, indent),
        }
    }

    /// The style in place of one that cannot hold the text (`yaml_emitter_analyze_scalar`, `…_select_scalar_style`).
    fn fitting(&self, text: &str, style: ScalarStyle) -> ScalarStyle {
        let has_breaks = text.contains(is_break);
        let meet = |first: fn(char) -> bool, second: fn(char) -> bool| {
            has_breaks && text.chars().zip(text.chars().skip(1)).any(|(one, other)| first(one) && second(other))
        };
        let is_blank = |c| c == ' ';
        let is_special = text.contains(|c| !(self.is_printable)(c)) || meet(is_blank, is_break);
        let may_be_quoted = !is_special && !meet(is_break, is_blank);
        let has_edge = text.starts_with(' ') || text.ends_with(' ');
        let may_be_plain = may_be_quoted && !has_breaks && !has_edge && !has_indicator(text);
        match style {
            ScalarStyle::Plain if may_be_plain => style,
            ScalarStyle::Literal if !is_special && !text.ends_with(' ') => style,
            ScalarStyle::Plain | ScalarStyle::SingleQuoted if may_be_quoted => ScalarStyle::SingleQuoted,
            _ => ScalarStyle::DoubleQuoted,
        }
    }

    fn plain(&mut self, text: &str, indent: usize, may_fold: bool) {
        if !self.whitespace {
            self.put(' ');
        }
        let mut before = ' ';
        for (at, c) in text.char_indices() {
            let is_fold = c == ' ' && may_fold && before != ' ' && self.column > self.width;
            if is_fold && !text[at + 1..].starts_with(' ') {
                self.indent(indent);
            } else {
                self.put(c);
            }
            before = c;
        }
        (self.whitespace, self.indention) = (false, false);
    }

    fn single_quoted(&mut self, text: &str, indent: usize, may_fold: bool) {
        self.indicator("'", true, false);
        let mut before = None;
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            if c == ' ' && may_fold && self.folds(before, rest) && !rest.starts_with(' ') {
                self.indent(indent);
            } else if is_break(c) {
                self.line_break(c);
            } else {
                if before.is_some_and(is_break) {
                    self.indent(indent);
                }
                if c == '\'' {
                    self.put('\'');
                }
                self.put(c);
                self.indention = false;
            }
            before = Some(c);
        }
        self.indicator("'", false, false);
    }

    fn double_quoted(&mut self, text: &str, indent: usize, may_fold: bool) {
        self.indicator("\"", true, false);
        // `is_bom` looks at the first bytes of the text, for all its characters.
        let is_all_escaped = text.starts_with('\u{feff}');
        let mut before = None;
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            if is_all_escaped || !(self.is_printable)(c) || is_break(c) || matches!(c, '"' | '\\') {
                escaped(c).chars().for_each(|c| self.put(c));
            } else if c == ' ' && may_fold && self.folds(before, rest) {
                self.indent(indent);
                if rest.starts_with(' ') {
                    self.put('\\');
                }
            } else {
                self.put(c);
            }
            before = Some(c);
        }
        self.indicator("\"", false, false);
    }

    /// Whether the line is folded at a blank between `before` and `rest`.
    fn folds(&self, before: Option<char>, rest: &str) -> bool {
        before.is_some_and(|before| before != ' ') && !rest.is_empty() && self.column > self.width
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.indicator("|", true, false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator("2", false, false);
        }
        let mut backwards = text.chars().rev();
        match (backwards.next().is_some_and(is_break), backwards.next().is_none_or(is_break)) {
            (false, _) => self.indicator("-", false, false),
            (true, true) => self.indicator("+", false, false),
            (true, false) => {}
        }
        self.line_break('\n');
        self.whitespace = true;
        let mut is_start = true;
        for c in text.chars() {
            if is_break(c) {
                self.line_break(c);
            } else {
                if is_start {
                    self.indent(indent);
                }
                self.put(c);
                self.indention = false;
            }
            is_start = is_break(c);
        }
    }

    /// Goes to a column, on a new line if the present one has something.
    fn indent(&mut self, indent: usize) {
        if !self.indention || self.column > indent || (self.column == indent && !self.whitespace) {
            self.line_break('\n');
        }
        while self.column < indent {
            self.put(' ');
        }
        (self.whitespace, self.indention) = (true, true);
    }

    fn indicator(&mut self, indicator: &str, needs_blank: bool, is_indention: bool) {
        if needs_blank && !self.whitespace {
            self.put(' ');
        }
        indicator.chars().for_each(|c| self.put(c));
        self.whitespace = false;
        self.indention &= is_indention;
    }

    fn line_break(&mut self, c: char) {
        self.out.push(c);
        self.column = 0;
        self.indention = true;
    }

    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }
}

/// Whether a line of YAML 1.1 ends with the character.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether something in the text is more than text where it is not in quotes.
fn has_indicator(text: &str) -> bool {
    let ends_word = |rest: &str| rest.is_empty() || rest.starts_with(' ');
    let first = text.chars().next();
    text.starts_with("---")
        || text.starts_with("...")
        || first.is_some_and(|first| "#,[]{}&*!|>'\"%@`".contains(first))
        || first.is_some_and(|first| "?-".contains(first) && ends_word(&text[1..]))
        || text.contains(" #")
        || text.match_indices(':').any(|(at, _)| ends_word(&text[at + 1..]))
}

fn escaped(c: char) -> String {
    let short = match c {
        '\0' => '0',
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0b' => 'v',
        '\x0c' => 'f',
        '\r' => 'r',
        '\x1b' => 'e',
        '"' | '\\' => c,
        '\u{85}' => 'N',
        '\u{a0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => return by_code(c.into()),
    };
    format!("\\{short}")
}

fn by_code(code: u32) -> String {
    match code {
        0..0x100 => format!("\\x{code:02X}"),
        0x100..0x1_0000 => format!("\\u{code:04X}"),
        _ => format!("\\U{code:08X}"),
    }
}
