//! Names, literals, lists, maps, messages, and expressions in parentheses.

use super::{Attempt, COMMA, Fatal, MEMBER, NAME, OPERAND, Parsed, Parser, QUESTION, height};
use crate::ast::{Construct, Expr, ExprKind, FieldInit, MessageType};
use crate::literal;
use crate::recover::Mismatch;
use crate::token::{Kind, Kinds};

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed {
        let attempt = match self.peek() {
            Kind::Ident | Kind::Dot => self.named()?,
            Kind::OpenParen => self.nested()?,
            Kind::OpenBracket => self.list()?,
            Kind::OpenBrace => self.map()?,
            _ if self.is_negative_number() => Ok(self.literal()),
            Kind::Minus => Err(self.no_viable()?),
            _ => self.sync(MEMBER)?.map(|()| self.literal()),
        };
        Ok(attempt.unwrap_or_else(|Mismatch| self.broken()))
    }

    fn nested(&mut self) -> Attempt {
        self.take();
        let expr = self.expr(Kinds::of(&[Kind::CloseParen]))?;
        Ok(self.close(Kind::CloseParen)?.map(|()| expr))
    }

    /// A name, a call of a global function, or a message.
    fn named(&mut self) -> Attempt {
        let start = self.token().start;
        let dotted = self.peek() == Kind::Dot;
        if dotted && self.peek_after() != Kind::Ident {
            return self.no_viable().map(Err);
        }
        if let Some(brace) = self.message_brace() {
            return self.message(start, brace);
        }
        if dotted {
            self.take();
        }
        let token = self.take();
        let name = self.text(token).to_owned();
        if is_reserved(&name) {
            self.note(start, format!("reserved identifier: {name}"));
        }
        let name = if dotted { format!(".{name}") } else { name };
        if self.peek() != Kind::OpenParen {
            return Ok(Ok(Expr::leaf(token.start, ExprKind::Ident(name.into()))));
        }
        let at = self.token().start;
        let args = match self.arguments()? {
            Ok(args) => args,
            Err(mismatch) => return Ok(Err(mismatch)),
        };
        Ok(Ok(self.call_or_macro(at, &name, None, args)))
    }

    /// The `{` of a message whose name starts here.
    fn message_brace(&self) -> Option<usize> {
        let mut at = self.at + usize::from(self.peek() == Kind::Dot);
        loop {
            if self.tokens[at].kind != Kind::Ident {
                return None;
            }
            match self.tokens[at + 1].kind {
                Kind::OpenBrace => return Some(at + 1),
                Kind::Dot => at += 2,
                _ => return None,
            }
        }
    }

    fn message(&mut self, start: usize, brace: usize) -> Attempt {
        let brace = self.tokens[brace];
        let written = &self.rule[start..brace.start];
        let name: Box<str> = written.chars().filter(|c| c.is_ascii_alphanumeric() || "._".contains(*c)).collect();
        while self.token().start < brace.start {
            self.take();
        }
        self.take();
        let first = NAME.with(QUESTION);
        if let Err(mismatch) = self.sync(first.with(COMMA).with(Kinds::of(&[Kind::CloseBrace])))? {
            return Ok(Err(mismatch));
        }
        let mut fields = Vec::new();
        while first.has(self.peek()) {
            match self.field()? {
                Ok(field) => fields.push(field),
                Err(mismatch) => return Ok(Err(mismatch)),
            }
            if self.peek() != Kind::Comma || !first.has(self.peek_after()) {
                break;
            }
            self.take();
        }
        let message = MessageType::named(&name);
        let height = fields.iter().map(|field| field.value.height).max().unwrap_or(0);
        let kind = ExprKind::Construct(Box::new(Construct { name, message, fields }));
        Ok(self.end_of_list(Kind::CloseBrace)?.map(|()| Expr { at: brace.start, height, kind }))
    }

    fn field(&mut self) -> Result<Result<FieldInit, Mismatch>, Fatal> {
        self.optional_mark();
        if let Err(mismatch) = self.sync(NAME)? {
            return Ok(Err(mismatch));
        }
        let token = self.take();
        let name = self.field_name(token);
        let at = self.token().start;
        if let Err(mismatch) = self.expect(Kind::Colon, OPERAND)? {
            return Ok(Err(mismatch));
        }
        let value = self.expr(COMMA.with(Kinds::of(&[Kind::CloseBrace])))?;
        Ok(Ok(FieldInit { at, name, value }))
    }

    /// A `?` that cel-go knows only on demand.
    fn optional_mark(&mut self) {
        if self.peek() == Kind::Question {
            let at = self.take().start;
            self.note(at, "unsupported syntax '?'");
        }
    }

    /// An optional comma and the closing sign.
    fn end_of_list(&mut self, close: Kind) -> Result<Result<(), Mismatch>, Fatal> {
        if let Err(mismatch) = self.sync(COMMA.with(Kinds::of(&[close])))? {
            return Ok(Err(mismatch));
        }
        if self.peek() == Kind::Comma {
            self.take();
        }
        self.close(close)
    }

    fn list(&mut self) -> Attempt {
        let at = self.take().start;
        let close = Kinds::of(&[Kind::CloseBracket]);
        let element = OPERAND.with(QUESTION);
        if let Err(mismatch) = self.sync(element.with(COMMA).with(close))? {
            return Ok(Err(mismatch));
        }
        let mut items = Vec::new();
        while element.has(self.peek()) {
            self.optional_mark();
            items.push(self.expr(close.with(COMMA))?);
            if self.peek() != Kind::Comma || !element.has(self.peek_after()) {
                break;
            }
            self.take();
        }
        let height = height(&items);
        Ok(self.end_of_list(Kind::CloseBracket)?.map(|()| Expr { at, height, kind: ExprKind::List(items) }))
    }

    fn map(&mut self) -> Attempt {
        let at = self.take().start;
        let close = Kinds::of(&[Kind::CloseBrace]);
        let key_start = OPERAND.with(QUESTION);
        if let Err(mismatch) = self.sync(key_start.with(COMMA).with(close))? {
            return Ok(Err(mismatch));
        }
        let mut entries: Vec<(Expr, Expr)> = Vec::new();
        while key_start.has(self.peek()) {
            self.optional_mark();
            let key = self.expr(Kinds::of(&[Kind::Colon]))?;
            if let Err(mismatch) = self.expect(Kind::Colon, OPERAND)? {
                return Ok(Err(mismatch));
            }
            let value = self.expr(close.with(COMMA))?;
            entries.push((key, value));
            if self.peek() != Kind::Comma || !key_start.has(self.peek_after()) {
                break;
            }
            self.take();
        }
        let height = entries.iter().map(|(key, value)| key.height.max(value.height)).max().unwrap_or(0);
        Ok(self.end_of_list(Kind::CloseBrace)?.map(|()| Expr { at, height, kind: ExprKind::Map(entries) }))
    }

    fn literal(&mut self) -> Expr {
        let first = self.take();
        let last = if first.kind == Kind::Minus { self.take() } else { first };
        match literal::read(last.kind, first.kind == Kind::Minus, self.text(last)) {
            Ok(literal) => Expr::leaf(first.start, ExprKind::Literal(literal)),
            Err(message) => {
                self.note(first.start, message);
                Expr::leaf(first.start, ExprKind::Broken)
            }
        }
    }
}

/// Names that are legal as fields alone.
fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 17] = [
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    ];
    RESERVED.contains(&name)
}
