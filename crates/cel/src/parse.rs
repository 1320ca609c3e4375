//! Tokens to an expression by cel-go's grammar (`parser/gen/CEL.g4`).

mod member;
mod operation;
mod primary;

use crate::ast::{Expr, ExprKind};
use crate::issue::Found;
use crate::lex::lex;
use crate::recover::{MAX_REPORTS, Mismatch, Recovery};
use crate::token::{Kind, Kinds, Token};

/// cel-go's `expressionSizeCodePointLimit`.
const MAX_CHARACTERS: usize = 100_000;
/// cel-go's `maxRecursionDepth`.
pub(crate) const MAX_DEPTH: u16 = 250;

/// What an operand may start with.
const OPERAND: Kinds = MEMBER.with(Kinds::of(&[Kind::Not]));
/// What a member, an operand without sign, may start with; `-` belongs to numbers.
const MEMBER: Kinds = Kinds::of(&[
    Kind::OpenBracket,
    Kind::OpenBrace,
    Kind::OpenParen,
    Kind::Dot,
    Kind::Minus,
    Kind::True,
    Kind::False,
    Kind::Null,
    Kind::Float,
    Kind::Int,
    Kind::Uint,
    Kind::String,
    Kind::Bytes,
    Kind::Ident,
]);
const RELATIONS: Kinds = Kinds::of(&[
    Kind::Less,
    Kind::LessEquals,
    Kind::GreaterEquals,
    Kind::Greater,
    Kind::Equals,
    Kind::NotEquals,
    Kind::In,
]);
/// What may follow an operand within its expression.
const OPERATORS: Kinds =
    RELATIONS.with(Kinds::of(&[Kind::And, Kind::Or, Kind::Star, Kind::Slash, Kind::Percent, Kind::Plus, Kind::Minus]));
const QUESTION: Kinds = Kinds::of(&[Kind::Question]);
const COMMA: Kinds = Kinds::of(&[Kind::Comma]);
const NAME: Kinds = Kinds::of(&[Kind::Ident, Kind::QuotedIdent]);

/// Parsing ends at once; the complaint is told.
pub(crate) struct Fatal;

type Parsed = Result<Expr, Fatal>;
/// An expression, or a mismatch that the rule in progress recovered from.
type Attempt = Result<Result<Expr, Mismatch>, Fatal>;

/// Parses a rule; the complaints are all there are if any.
pub(crate) fn parse(rule: &str) -> Result<Expr, Vec<Found>> {
    let characters = rule.chars().count();
    if characters > MAX_CHARACTERS {
        let message = format!("expression code point size exceeds limit: size: {characters}, limit {MAX_CHARACTERS}");
        return Err(vec![Found { offset: None, message }]);
    }
    let (tokens, found) = lex(rule);
    if found.len() > MAX_REPORTS {
        return Err(found);
    }
    let mut parser = Parser { rule, tokens, at: 0, found, recovery: Recovery::default(), depth: Depth::default() };
    let parsed = parser.start();
    match parsed {
        Ok(expr) if parser.found.is_empty() => Ok(expr),
        _ => Err(parser.found),
    }
}

pub(crate) struct Parser<'r> {
    pub(crate) rule: &'r str,
    tokens: Vec<Token>,
    /// The next token.
    pub(crate) at: usize,
    pub(crate) found: Vec<Found>,
    pub(crate) recovery: Recovery,
    depth: Depth,
}

/// How deep the parser is in each of the rules that nest.
#[derive(Clone, Copy, Default)]
struct Depth {
    expr: u16,
    relation: u16,
    calc: u16,
    member: u16,
}

impl Parser<'_> {
    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn token_after(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    pub(crate) fn peek(&self) -> Kind {
        self.token().kind
    }

    fn peek_after(&self) -> Kind {
        self.token_after().kind
    }

    /// Takes the next token; the end stays.
    pub(crate) fn take(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        self.matched();
        token
    }

    fn text(&self, token: Token) -> &str {
        &self.rule[token.start..token.end]
    }

    /// A complaint that does not disturb parsing.
    pub(crate) fn note(&mut self, at: usize, message: impl Into<String>) {
        self.found.push(Found::new(at, message));
    }

    fn fatal<T>(&mut self, message: String) -> Result<T, Fatal> {
        self.found.push(Found { offset: None, message });
        Err(Fatal)
    }

    fn deeper(&mut self, depth: fn(&mut Depth) -> &mut u16) -> Result<(), Fatal> {
        let depth = depth(&mut self.depth);
        *depth += 1;
        if *depth > MAX_DEPTH {
            return self.fatal(format!("expression recursion limit exceeded: {MAX_DEPTH}"));
        }
        Ok(())
    }

    /// What may follow the operand in progress: operators, and what ends the expression.
    fn after_operand(&self) -> Kinds {
        let follow = &self.recovery.follow;
        follow[follow.len().saturating_sub(2)..].iter().fold(Kinds::NONE, |all, kinds| all.with(*kinds))
    }

    fn broken(&self) -> Expr {
        Expr::leaf(self.token().start, ExprKind::Broken)
    }

    fn start(&mut self) -> Parsed {
        let end = Kinds::of(&[Kind::End]);
        let expr = self.expr(end)?;
        if self.expect(Kind::End, Kinds::NONE)?.is_err() {
            return Ok(self.broken());
        }
        if expr.height > MAX_DEPTH {
            return self.fatal("max recursion depth exceeded".to_owned());
        }
        Ok(expr)
    }
}

pub(crate) fn height(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.height).max().unwrap_or(0)
}
