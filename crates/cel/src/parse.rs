//! Tokens to an expression: the rules of cel-go's grammar (`parser/gen/CEL.g4`), one method each.

use crate::ast::{Construct, Expr, ExprKind, FieldInit, MessageType};
use crate::issue::Found;
use crate::lex::lex;
use crate::recover::{Mismatch, Recovery};
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
#[derive(Default)]
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

    /// Runs a rule that these tokens may follow.
    fn before<T>(&mut self, follow: Kinds, rule: impl FnOnce(&mut Self) -> Result<T, Fatal>) -> Result<T, Fatal> {
        self.recovery.follow.push(follow);
        let parsed = rule(self);
        self.recovery.follow.pop();
        parsed
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
        let expr = self.before(end, Self::expr)?;
        if self.expect(Kind::End, Kinds::NONE)?.is_err() {
            return Ok(self.broken());
        }
        if expr.height > MAX_DEPTH {
            return self.fatal("max recursion depth exceeded".to_owned());
        }
        Ok(expr)
    }

    fn expr(&mut self) -> Parsed {
        self.deeper(|depth| &mut depth.expr)?;
        let parsed = self.conditional();
        self.depth.expr -= 1;
        parsed
    }

    /// `conditionalOr ('?' conditionalOr ':' expr)?`
    fn conditional(&mut self) -> Parsed {
        let condition = self.before(OPERATORS.with(QUESTION), Self::or)?;
        if self.peek() != Kind::Question {
            return Ok(condition);
        }
        let question = self.take().start;
        let colon = Kinds::of(&[Kind::Colon]);
        let yes = self.before(colon, |parser| parser.before(OPERATORS, Self::or))?;
        if self.expect(Kind::Colon, OPERAND)?.is_err() {
            return Ok(self.broken());
        }
        let no = self.expr()?;
        Ok(self.call(question, "_?_:_", None, vec![condition, yes, no]))
    }

    fn or(&mut self) -> Parsed {
        self.logic(Kind::Or, Self::and)
    }

    fn and(&mut self) -> Parsed {
        self.logic(Kind::And, Self::relation)
    }

    fn logic(&mut self, sign: Kind, term: fn(&mut Self) -> Parsed) -> Parsed {
        let first = term(self)?;
        if self.peek() != sign {
            return Ok(first);
        }
        let at = self.token().start;
        let mut terms = vec![first];
        while self.peek() == sign {
            self.take();
            terms.push(term(self)?);
        }
        Ok(Expr { at, height: height(&terms), kind: ExprKind::Logic { or: sign == Kind::Or, terms } })
    }

    fn relation(&mut self) -> Parsed {
        let outer = self.depth.relation;
        self.deeper(|depth| &mut depth.relation)?;
        let mut left = self.calc(0)?;
        while RELATIONS.has(self.peek()) {
            self.deeper(|depth| &mut depth.relation)?;
            let sign = self.take();
            self.deeper(|depth| &mut depth.relation)?;
            let right = self.calc(0)?;
            self.depth.relation -= 1;
            left = self.binary(sign, left, right);
        }
        self.depth.relation = outer;
        Ok(left)
    }

    /// Sums for `level` 0 and up, products for 1 and up.
    fn calc(&mut self, level: u8) -> Parsed {
        let outer = self.depth.calc;
        self.deeper(|depth| &mut depth.calc)?;
        let mut left = self.unary()?;
        loop {
            let tighter = match self.peek() {
                Kind::Plus | Kind::Minus if level == 0 => 1,
                Kind::Star | Kind::Slash | Kind::Percent if level <= 1 => 2,
                _ => break,
            };
            self.deeper(|depth| &mut depth.calc)?;
            let sign = self.take();
            let right = self.calc(tighter)?;
            left = self.binary(sign, left, right);
        }
        self.depth.calc = outer;
        Ok(left)
    }

    fn binary(&mut self, sign: Token, left: Expr, right: Expr) -> Expr {
        let name = match sign.kind {
            Kind::In => "@in".to_owned(),
            _ => format!("_{}_", self.text(sign)),
        };
        self.call(sign.start, &name, None, vec![left, right])
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

    fn is_negative_number(&self) -> bool {
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

    fn member(&mut self) -> Parsed {
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
    fn field_name(&mut self, name: Token) -> Box<str> {
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
    fn arguments(&mut self) -> Result<Result<Vec<Expr>, Mismatch>, Fatal> {
        self.take();
        let close = Kinds::of(&[Kind::CloseParen]);
        if let Err(mismatch) = self.sync(OPERAND.with(close))? {
            return Ok(Err(mismatch));
        }
        let mut args = Vec::new();
        if OPERAND.has(self.peek()) {
            self.before(close.with(COMMA), |parser| {
                args.push(parser.expr()?);
                while parser.peek() == Kind::Comma {
                    parser.take();
                    args.push(parser.expr()?);
                }
                Ok(())
            })?;
        }
        Ok(self.close(Kind::CloseParen)?.map(|()| args))
    }

    /// The closing sign of something that a member goes on after.
    fn close(&mut self, kind: Kind) -> Result<Result<(), Mismatch>, Fatal> {
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
        let index = self.before(Kinds::of(&[Kind::CloseBracket]), Self::expr)?;
        let closed = self.close(Kind::CloseBracket)?;
        Ok(closed.map(|()| self.call(at, "_[_]", None, vec![operand, index])))
    }

    fn primary(&mut self) -> Parsed {
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
        let expr = self.before(Kinds::of(&[Kind::CloseParen]), Self::expr)?;
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
        let value = self.before(COMMA.with(Kinds::of(&[Kind::CloseBrace])), Self::expr)?;
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
            items.push(self.before(close.with(COMMA), Self::expr)?);
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
            let key = self.before(Kinds::of(&[Kind::Colon]), Self::expr)?;
            if let Err(mismatch) = self.expect(Kind::Colon, OPERAND)? {
                return Ok(Err(mismatch));
            }
            let value = self.before(close.with(COMMA), Self::expr)?;
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
        match crate::literal::read(last.kind, first.kind == Kind::Minus, self.text(last)) {
            Ok(literal) => Expr::leaf(first.start, ExprKind::Literal(literal)),
            Err(message) => {
                self.note(first.start, message);
                Expr::leaf(first.start, ExprKind::Broken)
            }
        }
    }
}

pub(crate) fn height(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.height).max().unwrap_or(0)
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
