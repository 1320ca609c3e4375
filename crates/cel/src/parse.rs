//! Builds an expression from a rule's tokens by cel-go's grammar (`parser/gen/CEL.g4`).
//!
//! Parsing ends at the first syntax error. What cel-go itself refuses while it builds the expression, such as a number out
//! of range, is collected.

mod operand;
mod operation;

use crate::ast::Expr;
use crate::error::{CompileError, Issue};
use crate::lex::{Kind, Token, lex};

/// cel-go's `expressionSizeCodePointLimit`.
const MAX_CHARACTERS: usize = 100_000;
/// cel-go's `maxRecursionDepth`.
const MAX_DEPTH: u16 = 250;

type Parsed = Result<Expr, CompileError>;

/// Parses a rule.
pub(crate) fn parse(rule: &str) -> Parsed {
    let size = rule.chars().count();
    if size > MAX_CHARACTERS {
        let message = format!("expression code point size exceeds limit: size: {size}, limit {MAX_CHARACTERS}");
        return Err(CompileError::limit(&message));
    }
    let mut parser = Parser { rule, tokens: lex(rule)?, at: 0, issues: Vec::new(), depth: Depth::default() };
    let expr = parser.expr()?;
    parser.expect(Kind::End, "an operator or the end of the rule")?;
    if expr.height > MAX_DEPTH {
        return Err(CompileError::limit("max recursion depth exceeded"));
    }
    if parser.issues.is_empty() { Ok(expr) } else { Err(CompileError::reported(rule, parser.issues)) }
}

pub(crate) struct Parser<'r> {
    rule: &'r str,
    /// The last one is the end.
    tokens: Vec<Token>,
    /// The index of the next token.
    at: usize,
    /// What cel-go's parser refuses although its grammar allows it.
    issues: Vec<Issue>,
    depth: Depth,
}

/// How deep the parser is in each rule of the grammar that nests; cel-go limits each by itself.
#[derive(Clone, Copy, Default)]
struct Depth {
    expr: u16,
    relation: u16,
    calc: u16,
    member: u16,
}

impl Parser<'_> {
    /// The next token.
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> Kind {
        self.token().kind
    }

    fn peek_after(&self) -> Kind {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    /// Takes the next token; the end stays.
    fn take(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Takes the next token if it is of the kind.
    fn take_if(&mut self, kind: Kind) -> Option<Token> {
        (self.peek() == kind).then(|| self.take())
    }

    /// Takes the next token, which must be of the kind; `expected` names the kind to the user.
    fn expect(&mut self, kind: Kind, expected: &str) -> Result<Token, CompileError> {
        self.take_if(kind).ok_or_else(|| self.unexpected(expected))
    }

    /// The syntax error for the next token.
    fn unexpected(&self, expected: &str) -> CompileError {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the rule".to_owned(),
            _ => format!("`{}`", self.text(token)),
        };
        CompileError::syntax(self.rule, token.start, &format!("expected {expected}, found {found}"))
    }

    fn text(&self, token: Token) -> &str {
        &self.rule[token.start..token.end]
    }

    /// Records an error of cel-go's parser; parsing goes on.
    pub(crate) fn report(&mut self, at: usize, message: impl Into<String>) {
        self.issues.push(Issue::new(at, message));
    }

    fn deeper(&mut self, depth: fn(&mut Depth) -> &mut u16) -> Result<(), CompileError> {
        let depth = depth(&mut self.depth);
        *depth += 1;
        if *depth > MAX_DEPTH {
            return Err(CompileError::limit(&format!("expression recursion limit exceeded: {MAX_DEPTH}")));
        }
        Ok(())
    }
}

pub(crate) fn height(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.height).max().unwrap_or(0)
}
