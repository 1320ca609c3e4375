//! Literal and folded scalars.

use super::flow::Breaks;
use super::{Kind, Scanner, Style, Token};
use crate::yaml::fault::Fault;

/// Which line breaks at the end of a block scalar are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    /// `-`: none stays.
    Strip,
    /// One stays.
    Clip,
    /// `+`: all stay.
    Keep,
}

impl<'a> Scanner<'a> {
    /// A scalar that begins with `|`, or `>` when it is folded.
    pub(super) fn block_scalar(&mut self, is_literal: bool) -> Result<Token<'a>, Fault> {
        let start = self.at;
        self.at += 1;
        let (chomping, indicator) = self.block_header()?;
        let mut end = self.at;
        if !self.skip_rest_of_line() {
            return Err(self.fault("did not find expected comment or line break"));
        }
        self.skip_break();
        let mut indent = indicator.map(|width| width + self.indent.max(0) as usize);
        let mut text = String::new();
        let mut breaks = Breaks::default();
        let mut was_blank = false;
        self.block_breaks(&mut indent, &mut breaks.more)?;
        while indent == Some(self.at - self.line) && self.at < self.bytes.len() {
            let is_blank = self.is_blank(self.at);
            breaks.add_to(&mut text, !is_literal && !was_blank && !is_blank);
            was_blank = is_blank;
            let from = self.at;
            self.skip_line();
            let line = &self.text[from..self.at];
            text.push_str(line);
            let content = line.trim_end_matches([' ', '\t']);
            if !content.is_empty() {
                end = from + content.len();
            }
            breaks.first = self.read_break();
            self.block_breaks(&mut indent, &mut breaks.more)?;
        }
        if chomping != Chomping::Strip {
            text.push_str(breaks.first);
        }
        if chomping == Chomping::Keep {
            text.push_str(&breaks.more);
        }
        Ok(Token { kind: Kind::Scalar(text.into(), Style::Block), start, end })
    }

    /// The chomping and indentation indicators, in either order.
    fn block_header(&mut self) -> Result<(Chomping, Option<usize>), Fault> {
        let before = self.chomping();
        let mut width = None;
        if let Some(digit @ b'0'..=b'9') = self.byte(self.at) {
            if digit == b'0' {
                return Err(self.fault("found an indentation indicator equal to 0"));
            }
            width = Some(usize::from(digit - b'0'));
            self.at += 1;
        }
        let behind = if before.is_none() && width.is_some() { self.chomping() } else { None };
        Ok((before.or(behind).unwrap_or(Chomping::Clip), width))
    }

    fn chomping(&mut self) -> Option<Chomping> {
        let chomping = match self.byte(self.at)? {
            b'+' => Chomping::Keep,
            b'-' => Chomping::Strip,
            _ => return None,
        };
        self.at += 1;
        Some(chomping)
    }

    /// Steps over blank lines and the indentation of the line behind them. Without an indicator, that line, or a blank one
    /// that is longer, sets the indentation of the text.
    fn block_breaks(&mut self, indent: &mut Option<usize>, breaks: &mut String) -> Result<(), Fault> {
        let mut deepest = 0;
        loop {
            while self.byte(self.at) == Some(b' ') && indent.is_none_or(|indent| self.at - self.line < indent) {
                self.at += 1;
            }
            let width = self.at - self.line;
            deepest = deepest.max(width);
            if self.byte(self.at) == Some(b'\t') && indent.is_none_or(|indent| width < indent) {
                return Err(self.fault("found a tab character where an indentation space is expected"));
            }
            if self.break_length(self.at) == 0 {
                break;
            }
            breaks.push_str(self.read_break());
        }
        indent.get_or_insert_with(|| deepest.max(1).max((self.indent + 1) as usize));
        Ok(())
    }
}
