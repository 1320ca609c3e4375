//! Operands: names, literals, lists, maps, messages and parentheses, with the selections, calls and indices that follow.

use super::{Parsed, Parser, height};
use crate::ast::{Construct, Expr, ExprKind, FieldInit, MessageType};
use crate::error::CompileError;
use crate::lex::{Kind, Token};
use crate::literal;

/// Names that are only allowed as fields.
const RESERVED: &str =
    "as break const continue else for function if import let loop package namespace return var void while";

impl Parser<'_> {
    /// `primary ('.' name arguments? | '[' expr ']')*`
    pub(super) fn member(&mut self) -> Parsed {
        let outer = self.depth.member;
        self.deeper(|depth| &mut depth.member)?;
        let mut expr = self.primary()?;
        loop {
            let suffix = match self.peek() {
                Kind::Dot => Self::dot,
                Kind::OpenBracket => Self::index,
                _ => break,
            };
            self.deeper(|depth| &mut depth.member)?;
            expr = suffix(self, expr)?;
        }
        self.depth.member = outer;
        Ok(expr)
    }

    /// `.field`, `.?field` or `.method(...)`
    fn dot(&mut self, operand: Expr) -> Parsed {
        let at = self.take().start;
        let optional = self.take_if(Kind::Question).is_some();
        if optional {
            self.report(at, "unsupported syntax '.?'");
        }
        let (name, field) = self.field_name()?;
        if name.kind != Kind::Ident || self.peek() != Kind::OpenParen || optional {
            return Ok(select(at, operand, field));
        }
        let at = self.token().start;
        let args = self.arguments()?;
        Ok(self.call_or_macro(at, &field, Some(operand), args))
    }

    /// The name of a field. Quoted names are an option of cel-go that OLM does not set.
    fn field_name(&mut self) -> Result<(Token, Box<str>), CompileError> {
        if !matches!(self.peek(), Kind::Ident | Kind::QuotedIdent) {
            return Err(self.unexpected("a name"));
        }
        let name = self.take();
        if name.kind == Kind::QuotedIdent {
            self.report(name.start, "unsupported syntax: '`'");
        }
        Ok((name, self.text(name).into()))
    }

    /// `(...)` of a call.
    fn arguments(&mut self) -> Result<Vec<Expr>, CompileError> {
        self.take();
        let mut args = Vec::new();
        if self.peek() != Kind::CloseParen {
            args.push(self.expr()?);
            while self.take_if(Kind::Comma).is_some() {
                args.push(self.expr()?);
            }
        }
        self.expect(Kind::CloseParen, "`,` or `)`")?;
        Ok(args)
    }

    fn index(&mut self, operand: Expr) -> Parsed {
        let at = self.take().start;
        if self.take_if(Kind::Question).is_some() {
            self.report(at, "unsupported syntax '[?'");
        }
        let index = self.expr()?;
        self.expect(Kind::CloseBracket, "`]`")?;
        Ok(self.call(at, "_[_]", None, vec![operand, index]))
    }

    fn primary(&mut self) -> Parsed {
        match self.peek() {
            Kind::Ident | Kind::Dot => self.named(),
            Kind::OpenParen => {
                self.take();
                let expr = self.expr()?;
                self.expect(Kind::CloseParen, "an operator or `)`")?;
                Ok(expr)
            }
            Kind::OpenBracket => self.list(),
            Kind::OpenBrace => self.map(),
            Kind::Minus if self.is_negative_number() => Ok(self.literal()),
            kind if kind.is_literal() => Ok(self.literal()),
            _ => Err(self.unexpected("a value")),
        }
    }

    /// A name, a call of a global function, or a message.
    fn named(&mut self) -> Parsed {
        let start = self.token().start;
        if let Some(brace) = self.message_brace() {
            return self.message(start, brace);
        }
        let dotted = self.take_if(Kind::Dot).is_some();
        let token = self.expect(Kind::Ident, "a name")?;
        let name = self.text(token).to_owned();
        if RESERVED.split(' ').any(|reserved| reserved == name) {
            self.report(start, format!("reserved identifier: {name}"));
        }
        let name = if dotted { format!(".{name}") } else { name };
        if self.peek() != Kind::OpenParen {
            return Ok(Expr::leaf(token.start, ExprKind::Ident(name.into())));
        }
        let at = self.token().start;
        let args = self.arguments()?;
        Ok(self.call_or_macro(at, &name, None, args))
    }

    /// The index of the `{` of a message whose name starts here.
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

    fn message(&mut self, start: usize, brace: usize) -> Parsed {
        self.at = brace;
        let at = self.token().start;
        let name: Box<str> =
            self.rule[start..at].chars().filter(|c| c.is_ascii_alphanumeric() || "._".contains(*c)).collect();
        let fields = self.elements(Kind::CloseBrace, "`,` or `}`", |parser| {
            let (_, name) = parser.field_name()?;
            let at = parser.expect(Kind::Colon, "`:`")?.start;
            Ok(FieldInit { at, name, value: parser.expr()? })
        })?;
        let height = fields.iter().map(|field| field.value.height).max().unwrap_or(0);
        let message = MessageType::named(&name);
        Ok(Expr { at, height, kind: ExprKind::Construct(Box::new(Construct { name, message, fields })) })
    }

    fn list(&mut self) -> Parsed {
        let at = self.token().start;
        let items = self.elements(Kind::CloseBracket, "`,` or `]`", Self::expr)?;
        Ok(Expr { at, height: height(&items), kind: ExprKind::List(items) })
    }

    fn map(&mut self) -> Parsed {
        let at = self.token().start;
        let entries = self.elements(Kind::CloseBrace, "`,` or `}`", |parser| {
            let key = parser.expr()?;
            parser.expect(Kind::Colon, "`:`")?;
            Ok((key, parser.expr()?))
        })?;
        let height = entries.iter().map(|(key, value)| key.height.max(value.height)).max().unwrap_or(0);
        Ok(Expr { at, height, kind: ExprKind::Map(entries) })
    }

    /// The elements between the next token and the closing one. A comma may follow the last one, or stand alone. A `?`
    /// before an element is an option of cel-go that OLM does not set.
    fn elements<T>(
        &mut self,
        close: Kind,
        expected: &str,
        mut element: impl FnMut(&mut Self) -> Result<T, CompileError>,
    ) -> Result<Vec<T>, CompileError> {
        self.take();
        let mut elements = Vec::new();
        if self.peek() != close && self.peek() != Kind::Comma {
            loop {
                if let Some(question) = self.take_if(Kind::Question) {
                    self.report(question.start, "unsupported syntax '?'");
                }
                elements.push(element(self)?);
                if self.peek() != Kind::Comma || self.peek_after() == close {
                    break;
                }
                self.take();
            }
        }
        self.take_if(Kind::Comma);
        self.expect(close, expected)?;
        Ok(elements)
    }

    fn literal(&mut self) -> Expr {
        let sign = self.take_if(Kind::Minus);
        let token = self.take();
        let at = sign.map_or(token.start, |sign| sign.start);
        match literal::read(token.kind, sign.is_some(), self.text(token)) {
            Ok(literal) => Expr::leaf(at, ExprKind::Literal(literal)),
            Err(message) => {
                self.report(at, message);
                Expr::leaf(at, ExprKind::Broken)
            }
        }
    }
}

fn select(at: usize, operand: Expr, field: Box<str>) -> Expr {
    let height = operand.height.saturating_add(1);
    let qualified = operand.qualified_name().and_then(|name| MessageType::named(&format!("{name}.{field}")));
    let kind = match qualified {
        Some(message) => ExprKind::Message(message),
        None => ExprKind::Select { operand: Box::new(operand), field, test: false },
    };
    Expr { at, height, kind }
}
