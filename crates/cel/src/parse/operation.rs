//! Operators and how tightly they bind.
//!
//! One method for all levels instead of one for each: rules nest up to 250 expressions, and the stack is small in the
//! browser. The depths are counted as if each level had its own method, as in cel-go.

use super::{Parsed, Parser, height};
use crate::ast::{Expr, ExprKind};
use crate::lex::{Kind, Token};

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Relation,
    Sum,
    Product,
    Unary,
}

impl Level {
    fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Or => Self::Or,
            Kind::And => Self::And,
            Kind::Less
            | Kind::LessEquals
            | Kind::GreaterEquals
            | Kind::Greater
            | Kind::Equals
            | Kind::NotEquals
            | Kind::In => Self::Relation,
            Kind::Plus | Kind::Minus => Self::Sum,
            Kind::Star | Kind::Slash | Kind::Percent => Self::Product,
            _ => return None,
        })
    }

    /// The level of the operands to the right of such an operator.
    fn tighter(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Relation,
            Self::Relation => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product | Self::Unary => Self::Unary,
        }
    }
}

impl Parser<'_> {
    /// `operation ('?' operation ':' expr)?`
    pub(super) fn expr(&mut self) -> Parsed {
        self.deeper(|depth| &mut depth.expr)?;
        let mut expr = self.operation(Level::Or)?;
        if let Some(question) = self.take_if(Kind::Question) {
            let yes = self.operation(Level::Or)?;
            self.expect(Kind::Colon, "`:`")?;
            let no = self.expr()?;
            expr = self.call(question.start, "_?_:_", None, vec![expr, yes, no]);
        }
        self.depth.expr -= 1;
        Ok(expr)
    }

    /// Operands and operators that bind as tightly as `level` or more so.
    fn operation(&mut self, level: Level) -> Parsed {
        let outer = self.depth;
        if level <= Level::Relation {
            self.deeper(|depth| &mut depth.relation)?;
        }
        self.deeper(|depth| &mut depth.calc)?;
        let mut left = self.unary()?;
        while let Some(found) = Level::of(self.peek()).filter(|found| *found >= level) {
            left = match found {
                Level::Or | Level::And => {
                    self.depth = outer;
                    self.logic(found, left)?
                }
                _ => self.binary(found, left, outer.calc)?,
            };
        }
        self.depth = outer;
        Ok(left)
    }

    /// The terms after the first of a row of `&&` or `||`.
    fn logic(&mut self, level: Level, first: Expr) -> Parsed {
        let sign = self.token();
        let mut terms = vec![first];
        while self.take_if(sign.kind).is_some() {
            terms.push(self.operation(level.tighter())?);
        }
        Ok(Expr { at: sign.start, height: height(&terms), kind: ExprKind::Logic { or: level == Level::Or, terms } })
    }

    /// An operator and its right operand. `outer_calc` is the depth of the sum or product that is compared.
    fn binary(&mut self, level: Level, left: Expr, outer_calc: u16) -> Parsed {
        if level == Level::Relation {
            self.depth.calc = outer_calc;
            self.deeper(|depth| &mut depth.relation)?;
        } else {
            self.deeper(|depth| &mut depth.calc)?;
        }
        let sign = self.take();
        if level == Level::Relation {
            self.deeper(|depth| &mut depth.relation)?;
        }
        let right = self.operation(level.tighter())?;
        if level == Level::Relation {
            self.depth.relation -= 1;
        }
        let name = self.operator(sign);
        Ok(self.call(sign.start, &name, None, vec![left, right]))
    }

    fn operator(&self, sign: Token) -> String {
        match sign.kind {
            Kind::In => "@in".to_owned(),
            _ => format!("_{}_", self.text(sign)),
        }
    }

    fn unary(&mut self) -> Parsed {
        match self.peek() {
            Kind::Not => self.negations(Kind::Not, "!_"),
            Kind::Minus if !self.is_negative_number() => self.negations(Kind::Minus, "-_"),
            _ => self.member(),
        }
    }

    pub(super) fn is_negative_number(&self) -> bool {
        self.peek() == Kind::Minus && matches!(self.peek_after(), Kind::Int | Kind::Float)
    }

    /// A row of `!` or `-`; an even number of them means nothing, not even a check of the operand's type.
    fn negations(&mut self, sign: Kind, name: &str) -> Parsed {
        let at = self.token().start;
        let mut odd = false;
        while self.take_if(sign).is_some() {
            odd = !odd;
        }
        let operand = self.member()?;
        Ok(if odd { self.call(at, name, None, vec![operand]) } else { operand })
    }
}
