//! What the parser does when a token does not fit: ANTLR's default error strategy, as far as complaints depend on it.
//!
//! A single token too many is dropped, a single missing one imagined; otherwise tokens are dropped until one that may
//! follow any of the rules in progress. While recovering nothing more is said until a token matches again.

use crate::issue::Found;
use crate::parse::{Fatal, Parser};
use crate::token::{Kind, Kinds, Token, shown};

/// cel-go's `errorRecoveryLimit`.
const MAX_ATTEMPTS: u32 = 30;
/// cel-go's `errorRecoveryTokenLookaheadLimit`.
const MAX_DROPPED: u32 = 256;
/// cel-go's `errorReportingLimit`.
pub(crate) const MAX_REPORTS: usize = 100;

/// What the recovery remembers.
#[derive(Default)]
pub(crate) struct Recovery {
    recovering: bool,
    attempts: u32,
    last_error: Option<usize>,
    /// What may follow the rules in progress.
    pub(crate) follow: Vec<Kinds>,
}

/// The rule in progress cannot go on; the recovery is done.
pub(crate) struct Mismatch;

/// A token may be missing where it was expected.
pub(crate) type Matched = Result<Result<(), Mismatch>, Fatal>;

impl Parser<'_> {
    /// Takes a token of the kind. `after` are the tokens that may come then, as far as the rules in progress tell.
    pub(crate) fn expect(&mut self, kind: Kind, after: Kinds) -> Matched {
        if self.peek() == kind {
            self.take();
            return Ok(Ok(()));
        }
        self.attempt()?;
        let expected = Kinds::of(&[kind]);
        if self.drop_extraneous(expected)? {
            self.take();
            return Ok(Ok(()));
        }
        if after.has(self.peek()) {
            let message = format!("missing {} at {}", expected.expected(), self.told(self.token()));
            self.complain(self.token(), message)?;
            return Ok(Ok(()));
        }
        self.mismatch(expected).map(Err)
    }

    /// Makes sure that the next token is one of these, dropping a single one that is not.
    pub(crate) fn sync(&mut self, expected: Kinds) -> Matched {
        if self.recovery.recovering || expected.has(self.peek()) || self.drop_extraneous(expected)? {
            return Ok(if expected.has(self.peek()) { Ok(()) } else { Err(self.recover_from()?) });
        }
        self.mismatch(expected).map(Err)
    }

    /// `no viable alternative`: the tokens from the next one to the one after it begin nothing.
    pub(crate) fn no_viable(&mut self) -> Result<Mismatch, Fatal> {
        let (start, offending) = (self.token(), self.token_after());
        let end = if offending.kind == Kind::End { start.end } else { offending.end };
        let text = shown(&self.rule[start.start..end]);
        let message = match offending.kind {
            Kind::True | Kind::False | Kind::Null if start.kind == Kind::Dot && start.end == offending.start => {
                format!("mismatched input {} expecting IDENTIFIER", offending.kind.name())
            }
            _ => format!("no viable alternative at input {text}"),
        };
        self.complain(offending, message)?;
        self.recover_from()
    }

    /// Complains that the next token is too many and goes on at one that may come or follow.
    pub(crate) fn skip_unwanted(&mut self, expected: Kinds) -> Result<(), Fatal> {
        let message = format!("extraneous input {} expecting {}", self.told(self.token()), expected.expected());
        self.complain(self.token(), message)?;
        self.drop_until(expected)
    }

    /// A token matched: the next complaint counts again.
    pub(crate) fn matched(&mut self) {
        self.recovery.recovering = false;
    }

    fn mismatch(&mut self, expected: Kinds) -> Result<Mismatch, Fatal> {
        let message = format!("mismatched input {} expecting {}", self.told(self.token()), expected.expected());
        self.complain(self.token(), message)?;
        self.recover_from()
    }

    fn drop_extraneous(&mut self, expected: Kinds) -> Result<bool, Fatal> {
        if self.peek() == Kind::End || !expected.has(self.token_after().kind) {
            return Ok(false);
        }
        let message = format!("extraneous input {} expecting {}", self.told(self.token()), expected.expected());
        self.complain(self.token(), message)?;
        self.take();
        Ok(true)
    }

    /// Drops tokens until one that a rule in progress may be followed by.
    fn recover_from(&mut self) -> Result<Mismatch, Fatal> {
        self.attempt()?;
        if self.recovery.last_error == Some(self.at) && self.peek() != Kind::End {
            self.at += 1;
        }
        self.recovery.last_error = Some(self.at);
        self.drop_until(Kinds::NONE)?;
        Ok(Mismatch)
    }

    fn drop_until(&mut self, or: Kinds) -> Result<(), Fatal> {
        let follow = self.recovery.follow.iter().fold(or, |all, follow| all.with(*follow));
        let mut dropped = 0;
        while self.peek() != Kind::End && !follow.has(self.peek()) {
            if dropped == MAX_DROPPED {
                let message = format!("error recovery token lookahead limit exceeded: {MAX_DROPPED}");
                self.found.push(Found { offset: None, message });
                return Err(Fatal);
            }
            dropped += 1;
            self.at += 1;
        }
        Ok(())
    }

    fn attempt(&mut self) -> Result<(), Fatal> {
        if self.recovery.attempts == MAX_ATTEMPTS {
            let message = format!("Syntax error: error recovery attempt limit exceeded: {MAX_ATTEMPTS}");
            self.found.push(Found::new(self.token().start, message));
            return Err(Fatal);
        }
        self.recovery.attempts += 1;
        Ok(())
    }

    fn complain(&mut self, token: Token, message: String) -> Result<(), Fatal> {
        if self.recovery.recovering {
            return Ok(());
        }
        self.recovery.recovering = true;
        if self.found.len() >= MAX_REPORTS {
            let message = format!("Syntax error: More than {MAX_REPORTS} syntax errors");
            self.found.push(Found::new(token.start, message));
            return Err(Fatal);
        }
        self.found.push(Found::new(token.start, format!("Syntax error: {message}")));
        Ok(())
    }

    fn told(&self, token: Token) -> String {
        match token.kind {
            Kind::End => "'<EOF>'".to_owned(),
            _ => shown(&self.rule[token.start..token.end]),
        }
    }
}
