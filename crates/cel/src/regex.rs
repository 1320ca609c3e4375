//! Regular expressions as Go's `regexp` reads and matches them (RE2: no backtracking), for a yes or no.

mod parse;

use crate::fuel::{Failure, Meter};

/// A pattern as a program for a machine that is in several states at once.
pub(crate) struct Regex {
    program: Vec<Instruction>,
}

#[derive(Clone, Debug)]
enum Instruction {
    /// Takes a character of these.
    Take(Class),
    /// Goes on if this holds here.
    Assert(Assertion),
    /// Goes on at both.
    Split(usize, usize),
    /// Goes on there.
    Jump(usize),
    Match,
}

impl Instruction {
    /// What it costs to copy or to try.
    fn weight(&self) -> u64 {
        match self {
            Self::Take(class) => 1 + class.ranges.len() as u64 / 4,
            Self::Assert(_) | Self::Split(..) | Self::Jump(_) | Self::Match => 1,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Assertion {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    Boundary,
    NoBoundary,
}

/// Characters by ranges, ends included.
#[derive(Clone, Debug, Default)]
struct Class {
    ranges: Vec<(char, char)>,
    negated: bool,
    /// Whatever the case.
    folded: bool,
}

impl Class {
    fn has(&self, c: char) -> bool {
        let listed = |c: char| self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
        let found = listed(c) || self.folded && (c.to_lowercase().any(listed) || c.to_uppercase().any(listed));
        found != self.negated
    }
}

impl Regex {
    /// Reads a pattern.
    pub(crate) fn parse(pattern: &str, meter: &mut Meter) -> Result<Self, Failure> {
        parse::program(pattern, meter).map(|program| Self { program })
    }

    /// Whether the pattern matches somewhere in the text.
    pub(crate) fn is_match(&self, text: &str, meter: &mut Meter) -> Result<bool, Failure> {
        let mut states = States::new(self.program.len());
        let mut next = States::new(self.program.len());
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let here = rest.next();
            let place = Place { before, here };
            if self.enter(0, place, &mut states) {
                return Ok(true);
            }
            meter.spend(1)?;
            for &at in &states.list {
                meter.spend(self.program[at].weight())?;
            }
            let Some(c) = here else { return Ok(false) };
            let after = Place { before: here, here: rest.clone().next() };
            for &at in &states.list {
                if let Instruction::Take(class) = &self.program[at]
                    && class.has(c)
                    && self.enter(at + 1, after, &mut next)
                {
                    return Ok(true);
                }
            }
            std::mem::swap(&mut states, &mut next);
            next.clear();
            before = here;
        }
    }

    /// Adds a state and all that it leads to without a character; whether the pattern has matched.
    fn enter(&self, start: usize, place: Place, states: &mut States) -> bool {
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            if !states.add(at) {
                continue;
            }
            match &self.program[at] {
                Instruction::Match => return true,
                Instruction::Jump(to) => pending.push(*to),
                Instruction::Split(a, b) => pending.extend([*a, *b]),
                Instruction::Assert(assertion) if place.meets(*assertion) => pending.push(at + 1),
                Instruction::Assert(_) | Instruction::Take(_) => {}
            }
        }
        false
    }
}

/// The characters around a place in the text.
#[derive(Clone, Copy)]
struct Place {
    before: Option<char>,
    here: Option<char>,
}

impl Place {
    fn meets(self, assertion: Assertion) -> bool {
        let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let boundary = word(self.before) != word(self.here);
        match assertion {
            Assertion::TextStart => self.before.is_none(),
            Assertion::TextEnd => self.here.is_none(),
            Assertion::LineStart => self.before.is_none_or(|c| c == '\n'),
            Assertion::LineEnd => self.here.is_none_or(|c| c == '\n'),
            Assertion::Boundary => boundary,
            Assertion::NoBoundary => !boundary,
        }
    }
}

/// States of the machine, each once.
struct States {
    list: Vec<usize>,
    has: Vec<bool>,
}

impl States {
    fn new(count: usize) -> Self {
        Self { list: Vec::new(), has: vec![false; count] }
    }

    fn add(&mut self, state: usize) -> bool {
        let new = !self.has[state];
        if new {
            self.has[state] = true;
            self.list.push(state);
        }
        new
    }

    fn clear(&mut self) {
        for state in self.list.drain(..) {
            self.has[state] = false;
        }
    }
}
