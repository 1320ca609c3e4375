//! What may be selected from, called or indexed, and the selections, calls and indices.

use super::{Attempt, COMMA, Fatal, NAME, OPERAND, Parsed, Parser, QUESTION};
use crate::ast::{Expr, ExprKind, MessageType};
use crate::recover::Mismatch;
use crate::token::{Kind, Kinds, Token};

impl Parser<'_> {
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
            expr = match suffix(self, expr)? {
                Ok(expr) => expr,
                Err(Mismatch) => {
                    expr = self.broken();
                    break;
                }
            };
        }
        self.depth.member = outer;
        Ok(expr)
    }

    /// `.field`, `.?field` or `.method(...)`
    fn dot(&mut self, operand: Expr) -> Attempt {
        let fits = NAME.with(QUESTION);
        if !fits.has(self.peek_after()) {
            return self.no_viable().map(Err);
        }
        let at = self.take().start;
        let optional = self.peek() == Kind::Question;
        if optional {
            self.take();
            self.note(at, "unsupported syntax '.?'");
        }
        if let Err(mismatch) = self.sync(NAME)? {
            return Ok(Err(mismatch));
        }
        let name = self.take();
        if name.kind == Kind::Ident && self.peek() == Kind::OpenParen && !optional {
            return self.method(operand, name);
        }
        let field = self.field_name(name);
        Ok(Ok(select(at, operand, field)))
    }

    /// The name of a field; cel-go knows quoted ones only on demand.
    pub(super) fn field_name(&mut self, name: Token) -> Box<str> {
        if name.kind == Kind::QuotedIdent {
            self.note(name.start, "unsupported syntax: '`'");
        }
        self.text(name).into()
    }

    fn method(&mut self, target: Expr, name: Token) -> Attempt {
        let at = self.token().start;
        let args = match self.arguments()? {
            Ok(args) => args,
            Err(mismatch) => return Ok(Err(mismatch)),
        };
        let name = self.text(name).to_owned();
        Ok(Ok(self.call_or_macro(at, &name, Some(target), args)))
    }

    /// `(...)` of a call.
    pub(super) fn arguments(&mut self) -> Result<Result<Vec<Expr>, Mismatch>, Fatal> {
        self.take();
        let close = Kinds::of(&[Kind::CloseParen]);
        if let Err(mismatch) = self.sync(OPERAND.with(close))? {
            return Ok(Err(mismatch));
        }
        let mut args = Vec::new();
        if OPERAND.has(self.peek()) {
            args.push(self.expr(close.with(COMMA))?);
            while self.peek() == Kind::Comma {
                self.take();
                args.push(self.expr(close.with(COMMA))?);
            }
        }
        Ok(self.close(Kind::CloseParen)?.map(|()| args))
    }

    /// The closing sign of something that a member goes on after.
    pub(super) fn close(&mut self, kind: Kind) -> Result<Result<(), Mismatch>, Fatal> {
        let after = self.after_operand().with(Kinds::of(&[Kind::Dot, Kind::OpenBracket]));
        self.expect(kind, after)
    }

    fn index(&mut self, operand: Expr) -> Attempt {
        let at = self.take().start;
        if let Err(mismatch) = self.sync(OPERAND.with(QUESTION))? {
            return Ok(Err(mismatch));
        }
        if self.peek() == Kind::Question {
            self.take();
            self.note(at, "unsupported syntax '[?'");
        }
        let index = self.expr(Kinds::of(&[Kind::CloseBracket]))?;
        let closed = self.close(Kind::CloseBracket)?;
        Ok(closed.map(|()| self.call(at, "_[_]", None, vec![operand, index])))
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
