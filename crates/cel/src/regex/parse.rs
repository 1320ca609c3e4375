//! Patterns in the syntax of Go's `regexp/syntax` with Perl's flags.

mod class;

use super::{Assertion, Class, Instruction};
use crate::fuel::{EvalError, Failure, Meter, NotKnown, failed};

/// Go's bound of a counted repetition, and of those within each other multiplied.
const MAX_REPEAT: usize = 1000;
/// Groups within groups; Go allows 1000, far more than anyone writes.
const MAX_DEPTH: usize = 200;

type Parsed<T> = Result<T, Failure>;

/// The program of a pattern.
pub(super) fn program(pattern: &str, meter: &mut Meter) -> Parsed<Vec<Instruction>> {
    meter.spend(pattern.len() as u64)?;
    let mut parser = Parser {
        pattern,
        rest: pattern,
        depth: 0,
        flags: Flags::default(),
        repeats: Repeats { atom: 1, group: 1 },
        meter,
    };
    let mut program = parser.alternatives()?;
    if parser.rest.starts_with(')') {
        return Err(refused("unexpected )", pattern));
    }
    program.push(Instruction::Match);
    Ok(program)
}

fn refused(what: &str, part: &str) -> Failure {
    failed(format!("error parsing regexp: {what}: `{part}`"))
}

/// `(?ims)`; greediness makes no difference to a yes or no.
#[derive(Clone, Copy, Default)]
struct Flags {
    fold: bool,
    lines: bool,
    dot_all: bool,
}

/// How often counted repetitions within each other repeat something, at most.
#[derive(Clone, Copy)]
struct Repeats {
    /// In the atom before.
    atom: usize,
    /// In what was read of the group.
    group: usize,
}

struct Parser<'p, 'm> {
    pattern: &'p str,
    rest: &'p str,
    depth: usize,
    flags: Flags,
    repeats: Repeats,
    meter: &'m mut Meter,
}

impl<'p> Parser<'p, '_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn skip(&mut self, prefix: &str) -> bool {
        match self.rest.strip_prefix(prefix) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// What was read since `start`.
    fn since(&self, start: &'p str) -> &'p str {
        &start[..start.len() - self.rest.len()]
    }

    fn alternatives(&mut self) -> Parsed<Vec<Instruction>> {
        let mut program = self.sequence()?;
        while self.skip("|") {
            let other = self.sequence()?;
            program = self.either(program, other)?;
        }
        Ok(program)
    }

    fn either(&mut self, a: Vec<Instruction>, b: Vec<Instruction>) -> Parsed<Vec<Instruction>> {
        let mut program = vec![Instruction::Split(1, a.len() + 2)];
        self.append(&mut program, &a)?;
        program.push(Instruction::Jump(a.len() + 2 + b.len()));
        self.append(&mut program, &b)?;
        Ok(program)
    }

    /// Adds a program whose places count from its own start.
    fn append(&mut self, program: &mut Vec<Instruction>, part: &[Instruction]) -> Parsed<()> {
        self.meter.spend(part.iter().map(Instruction::weight).sum())?;
        let start = program.len();
        program.extend(part.iter().map(|instruction| match instruction {
            Instruction::Split(a, b) => Instruction::Split(a + start, b + start),
            Instruction::Jump(to) => Instruction::Jump(to + start),
            other => other.clone(),
        }));
        Ok(())
    }

    fn sequence(&mut self) -> Parsed<Vec<Instruction>> {
        let mut program = Vec::new();
        while self.peek().is_some_and(|c| c != '|' && c != ')') {
            let atom = self.atom()?;
            let repeated = self.repeated(atom)?;
            self.append(&mut program, &repeated)?;
        }
        Ok(program)
    }

    /// Applies what repetition follows; Perl allows only one.
    fn repeated(&mut self, atom: Vec<Instruction>) -> Parsed<Vec<Instruction>> {
        let start = self.rest;
        let is_counted = start.starts_with('{');
        let repetition = self.repetition()?;
        if repetition.is_some() {
            self.skip("?");
        }
        self.count(start, repetition.filter(|_| is_counted))?;
        let Some((least, most)) = repetition else { return Ok(atom) };
        if self.repetition()?.is_some() {
            self.skip("?");
            return Err(refused("invalid nested repetition operator", self.since(start)));
        }
        let mut program = Vec::new();
        for _ in 0..least {
            self.append(&mut program, &atom)?;
        }
        match most {
            Some(most) => {
                for _ in least..most {
                    program.push(Instruction::Split(program.len() + 1, program.len() + 1 + atom.len()));
                    self.append(&mut program, &atom)?;
                }
            }
            None => {
                let loops = program.len();
                program.push(Instruction::Split(loops + 1, loops + 2 + atom.len()));
                self.append(&mut program, &atom)?;
                program.push(Instruction::Jump(loops));
            }
        }
        Ok(program)
    }

    /// Adds a counted repetition of the atom before, or none, to those that it stands in.
    fn count(&mut self, start: &'p str, counted: Option<(usize, Option<usize>)>) -> Parsed<()> {
        let product = match counted {
            Some((_, Some(0))) => 1,
            Some((least, most)) => most.unwrap_or(least).max(1) * self.repeats.atom,
            None => self.repeats.atom,
        };
        if product > MAX_REPEAT {
            return Err(refused("invalid repeat count", self.since(start)));
        }
        self.repeats.group = self.repeats.group.max(product);
        Ok(())
    }

    /// `*`, `+`, `?` or `{2,3}`; braces of another shape are plain characters.
    fn repetition(&mut self) -> Parsed<Option<(usize, Option<usize>)>> {
        Ok(match self.peek() {
            Some('*') => self.take().map(|_| (0, None)),
            Some('+') => self.take().map(|_| (1, None)),
            Some('?') => self.take().map(|_| (0, Some(1))),
            Some('{') => {
                let Some((least, most, rest)) = counted(self.rest) else { return Ok(None) };
                let start = self.rest;
                self.rest = rest;
                if least > MAX_REPEAT || most.is_some_and(|most| most > MAX_REPEAT || most < least) {
                    return Err(refused("invalid repeat count", self.since(start)));
                }
                Some((least, most))
            }
            _ => None,
        })
    }

    fn atom(&mut self) -> Parsed<Vec<Instruction>> {
        let start = self.rest;
        if self.repetition()?.is_some() {
            return Err(refused("missing argument to repetition operator", self.since(start)));
        }
        let Some(c) = self.take() else { return Ok(Vec::new()) };
        self.repeats.atom = 1;
        Ok(vec![match c {
            '(' => return self.group(),
            '[' => Instruction::Take(self.class(start)?),
            '.' if self.flags.dot_all => Instruction::Take(Class { negated: true, ..Class::default() }),
            '.' => Instruction::Take(Class { ranges: vec![('\n', '\n')], negated: true, folded: false }),
            '^' if self.flags.lines => Instruction::Assert(Assertion::LineStart),
            '^' => Instruction::Assert(Assertion::TextStart),
            '$' if self.flags.lines => Instruction::Assert(Assertion::LineEnd),
            '$' => Instruction::Assert(Assertion::TextEnd),
            '\\' => return self.escaped(start),
            c => self.one(c),
        }])
    }

    fn one(&self, c: char) -> Instruction {
        Instruction::Take(Class { ranges: vec![(c, c)], negated: false, folded: self.flags.fold })
    }

    /// What follows a `(`.
    fn group(&mut self) -> Parsed<Vec<Instruction>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(EvalError::NotKnown(NotKnown::Exhausted));
        }
        let outer = (self.flags, self.repeats.group);
        self.repeats.group = 1;
        if self.rest.starts_with('?') && !self.name()? && self.set_flags()? {
            self.depth -= 1;
            self.repeats.group = outer.1;
            return Ok(Vec::new());
        }
        let program = self.alternatives()?;
        if !self.skip(")") {
            return Err(refused("missing closing )", self.pattern));
        }
        self.repeats = Repeats { atom: self.repeats.group, group: outer.1 };
        self.flags = outer.0;
        self.depth -= 1;
        Ok(program)
    }

    /// `?P<name>` or `?<name>`
    fn name(&mut self) -> Parsed<bool> {
        let start = self.rest;
        if !self.skip("?P<") && !self.skip("?<") {
            return Ok(false);
        }
        let Some((name, rest)) = self.rest.split_once('>') else {
            return Err(refused("invalid named capture", &format!("({start}")));
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            let part = &start[..start.len() - rest.len()];
            return Err(refused("invalid named capture", &format!("({part}")));
        }
        self.rest = rest;
        Ok(true)
    }

    /// `?i:` or `?i)`; whether the latter.
    fn set_flags(&mut self) -> Parsed<bool> {
        let start = self.rest;
        self.take();
        let (mut value, mut seen) = (true, false);
        loop {
            let c = self.take();
            match c {
                Some('i') => self.flags.fold = value,
                Some('m') => self.flags.lines = value,
                Some('s') => self.flags.dot_all = value,
                Some('U') => {}
                Some('-') if value => {
                    value = false;
                    seen = false;
                    continue;
                }
                Some(':' | ')') if value || seen => return Ok(c == Some(')')),
                None => return Err(refused("missing closing )", self.pattern)),
                Some(_) => {
                    let part = format!("({}", self.since(start));
                    return Err(refused("invalid or unsupported Perl syntax", &part));
                }
            }
            seen = true;
        }
    }

    /// What follows a `\` outside of a class.
    fn escaped(&mut self, start: &'p str) -> Parsed<Vec<Instruction>> {
        if self.skip("Q") {
            let (text, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
            self.rest = rest;
            return Ok(text.chars().map(|c| self.one(c)).collect());
        }
        let assertion = match self.peek() {
            Some('A') => Some(Assertion::TextStart),
            Some('z') => Some(Assertion::TextEnd),
            Some('b') => Some(Assertion::Boundary),
            Some('B') => Some(Assertion::NoBoundary),
            _ => None,
        };
        if let Some(assertion) = assertion {
            self.take();
            return Ok(vec![Instruction::Assert(assertion)]);
        }
        Ok(vec![match self.perl_class()? {
            Some((ranges, negated)) => Instruction::Take(Class { ranges, negated, folded: false }),
            None => {
                let c = self.escaped_char(start)?;
                self.one(c)
            }
        }])
    }

    /// A single character after the `\`.
    fn escaped_char(&mut self, start: &'p str) -> Parsed<char> {
        let Some(c) = self.take() else { return Err(refused("trailing backslash at end of expression", "")) };
        let code = match c {
            'a' => Some(7),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            'x' => self.hexadecimal(),
            '1'..='7' if !self.peek().is_some_and(|next| next.is_digit(8)) => None,
            '0'..='7' => Some(self.octal(c)),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
            _ => None,
        };
        code.and_then(char::from_u32).ok_or_else(|| refused("invalid escape sequence", self.since(start)))
    }

    /// `41` or `{1F600}`
    fn hexadecimal(&mut self) -> Option<u32> {
        let (digits, rest) = match self.rest.strip_prefix('{') {
            Some(rest) => rest.split_once('}')?,
            None => (self.rest.get(..2)?, &self.rest[2..]),
        };
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        self.rest = rest;
        Some(code)
    }

    /// Up to three octal digits.
    fn octal(&mut self, first: char) -> u32 {
        let mut code = first.to_digit(8).unwrap_or(0);
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            self.take();
            code = code * 8 + digit;
        }
        code
    }
}

/// `{2}`, `{2,}` or `{2,3}` and what follows.
fn counted(text: &str) -> Option<(usize, Option<usize>, &str)> {
    let (inner, rest) = text.strip_prefix('{')?.split_once('}')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        (plain && !leading_zero).then(|| digits.parse().unwrap_or(MAX_REPEAT + 1))
    };
    match inner.split_once(',') {
        None => number(inner).map(|count| (count, Some(count), rest)),
        Some((least, "")) => number(least).map(|least| (least, None, rest)),
        Some((least, most)) => Some((number(least)?, Some(number(most)?), rest)),
    }
}
