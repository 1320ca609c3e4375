//! Operators and what binds how tightly.
//!
//! One method for all levels instead of one for each: a rule nests 250 expressions deep, and the stack is small in the
//! browser. The counts of levels are kept as if each had its own.

use super::{MEMBER, OPERAND, OPERATORS, Parsed, Parser, QUESTION, RELATIONS, height};
use crate::ast::{Expr, ExprKind};
use crate::token::{Kind, Kinds, Token};

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
            Kind::Plus | Kind::Minus => Self::Sum,
            Kind::Star | Kind::Slash | Kind::Percent => Self::Product,
            kind if RELATIONS.has(kind) => Self::Relation,
            _ => return None,
        })
    }

    /// What an operand to the right of such an operator consists of.
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
    /// An expression that these tokens may follow: `operation ('?' operation ':' expr)?`
    pub(super) fn expr(&mut self, follow: Kinds) -> Parsed {
        self.deeper(|depth| &mut depth.expr)?;
        self.recovery.follow.push(follow);
        self.recovery.follow.push(OPERATORS.with(QUESTION));
        let mut expr = self.operation(Level::Or)?;
        self.recovery.follow.pop();
        if self.peek() == Kind::Question {
            expr = self.conditional(expr, follow)?;
        }
        self.recovery.follow.pop();
        self.depth.expr -= 1;
        Ok(expr)
    }

    fn conditional(&mut self, condition: Expr, follow: Kinds) -> Parsed {
        let question = self.take().start;
        self.recovery.follow.extend([Kinds::of(&[Kind::Colon]), OPERATORS]);
        let yes = self.operation(Level::Or)?;
        self.recovery.follow.truncate(self.recovery.follow.len() - 2);
        if self.expect(Kind::Colon, OPERAND)?.is_err() {
            return Ok(self.broken());
        }
        let no = self.expr(follow)?;
        Ok(self.call(question, "_?_:_", None, vec![condition, yes, no]))
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

    /// All terms of a row of `&&` or `||`.
    fn logic(&mut self, level: Level, first: Expr) -> Parsed {
        let sign = self.token();
        let mut terms = vec![first];
        while self.peek() == sign.kind {
            self.take();
            terms.push(self.operation(level.tighter())?);
        }
        Ok(Expr { at: sign.start, height: height(&terms), kind: ExprKind::Logic { or: level == Level::Or, terms } })
    }

    /// `outer_calc` is how deep the sum or product was whose result is compared.
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
        if self.sync(OPERAND)?.is_err() {
            return Ok(self.broken());
        }
        match self.peek() {
            Kind::Not => self.negations(Kind::Not, "!_"),
            Kind::Minus if !self.is_negative_number() => {
                if !MEMBER.has(self.peek_after()) {
                    self.no_viable()?;
                    return Ok(self.broken());
                }
                self.negations(Kind::Minus, "-_")
            }
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
        while self.peek() == sign {
            self.take();
            odd = !odd;
        }
        if sign == Kind::Not && !OPERAND.has(self.peek()) {
            self.skip_unwanted(OPERAND)?;
        }
        let operand = self.member()?;
        Ok(if odd { self.call(at, name, None, vec![operand]) } else { operand })
    }
}
