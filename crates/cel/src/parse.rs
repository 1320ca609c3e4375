//! Builds an expression from a rule's tokens by cel-go's grammar (`parser/gen/CEL.g4`).
//!
//! Parsing ends at the first syntax error. What cel-go itself refuses while it builds the expression, such as a number out
//! of range, is collected.

use crate::ast::{Call, Comprehension, ComprehensionKind, Construct, Expr, ExprKind, FieldInit, Function, MessageType};
use crate::error::{CompileError, Issue};
use crate::lex::{self, Kind, Token, lex};

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

struct Parser<'r> {
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

// Operators and how tightly they bind.
//
// One method for all levels instead of one for each: rules nest up to 250 expressions, and the stack is small in the
// browser. The depths are counted as if each level had its own method, as in cel-go.

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

    fn is_negative_number(&self) -> bool {
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

// Operands: names, literals, lists, maps, messages and parentheses, with the selections, calls and indices that follow.

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
        match lex::read_literal(token.kind, sign.is_some(), self.text(token)) {
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

// Calls, and the macros among them: `has`, `all`, `exists`, `exists_one`, `map`, `filter` (cel-go `parser/macro.go`).

/// cel-go's names of the variable in which a macro collects its result.
const ACCUMULATORS: [&str; 2] = ["@result", "__result__"];

impl Parser<'_> {
    /// A call of a function or operator.
    pub(crate) fn call(&mut self, at: usize, name: &str, target: Option<Expr>, args: Vec<Expr>) -> Expr {
        let below = height(&args).max(target.as_ref().map_or(0, |target| target.height));
        let counts = target.is_some() || name.starts_with(['_', '@']);
        let function = Function::named(name.strip_prefix('.').unwrap_or(name));
        Expr {
            at,
            height: below.saturating_add(u16::from(counts)),
            kind: ExprKind::Call(Box::new(Call { name: name.into(), function, target, args })),
        }
    }

    /// A call, or the expansion of the macro of this name.
    fn call_or_macro(&mut self, at: usize, name: &str, target: Option<Expr>, args: Vec<Expr>) -> Expr {
        if args.iter().chain(&target).any(|expr| expr.kind == ExprKind::Broken) {
            return Expr::leaf(at, ExprKind::Broken);
        }
        let kind = match (name, &target, args.len()) {
            ("has", None, 1) => return self.has(at, args),
            ("all", Some(_), 2) => ComprehensionKind::All,
            ("exists", Some(_), 2) => ComprehensionKind::Exists,
            ("exists_one", Some(_), 2) => ComprehensionKind::ExistsOne,
            ("map", Some(_), 2 | 3) | ("filter", Some(_), 2) => ComprehensionKind::Collect,
            _ => return self.call(at, name, target, args),
        };
        self.comprehension(at, kind, name == "filter", target, args)
    }

    fn has(&mut self, at: usize, args: Vec<Expr>) -> Expr {
        let [Expr { at: argument, height, kind }] =
            <[Expr; 1]>::try_from(args).expect("`has` is a macro with one argument");
        match kind {
            ExprKind::Select { operand, field, test: false } => {
                Expr { at, height, kind: ExprKind::Select { operand, field, test: true } }
            }
            _ => self.refuse(argument, "invalid argument to has() macro"),
        }
    }

    fn comprehension(
        &mut self,
        at: usize,
        kind: ComprehensionKind,
        is_filter: bool,
        target: Option<Expr>,
        args: Vec<Expr>,
    ) -> Expr {
        let range = target.expect("a macro that is called on something");
        let mut args = args.into_iter();
        let variable = args.next().expect("a macro with two arguments or three");
        let variable = match self.variable(variable, kind) {
            Ok(variable) => variable,
            Err(broken) => return broken,
        };
        let (condition, body) = match (args.next(), args.next()) {
            (condition, Some(body)) => (condition, Some(body)),
            (condition, None) if is_filter => (condition, None),
            (body, None) => (None, body),
        };
        let parts = [Some(&range), condition.as_ref(), body.as_ref()];
        let height = parts.into_iter().flatten().map(|expr| expr.height).max().unwrap_or(0).saturating_add(1);
        Expr {
            at,
            height,
            kind: ExprKind::Comprehension(Box::new(Comprehension { kind, range, variable, condition, body })),
        }
    }

    fn variable(&mut self, expr: Expr, kind: ComprehensionKind) -> Result<Box<str>, Expr> {
        match expr.kind {
            ExprKind::Ident(name) if ACCUMULATORS.contains(&&*name) => {
                Err(self.refuse(expr.at, "iteration variable overwrites accumulator variable"))
            }
            ExprKind::Ident(name) => Ok(name),
            _ if kind == ComprehensionKind::Collect => Err(self.refuse(expr.at, "argument is not an identifier")),
            _ => Err(self.refuse(expr.at, "argument must be a simple name")),
        }
    }

    fn refuse(&mut self, at: usize, message: &str) -> Expr {
        self.report(at, message);
        Expr::leaf(at, ExprKind::Broken)
    }
}
