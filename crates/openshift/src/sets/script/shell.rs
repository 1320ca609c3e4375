//! A shell that knows paths alone.

use super::Rendering;
use crate::sets::dockerfile::joined;
use crate::sets::recognise::matching;
use std::collections::{BTreeMap, BTreeSet};

/// The command of `opm` (operator-registry `cmd/opm/alpha/template/cmd.go`).
pub(super) const RENDER: &str = "render-template";
/// Its options with a value of their own (operator-registry `cmd/opm/alpha/template/render.go`).
const WITH_VALUE: [&str; 3] = ["-o", "--output", "--migrate-level"];
/// The types that may stand before the template.
const TYPES: [&str; 3] = ["basic", "semver", "substitutes"];

/// So many commands of a file are followed, those in loops once for each value.
const MOST_COMMANDS: usize = 10_000;
/// How many commands a pattern counts as, because it is compared with all files.
const OF_PATTERN: usize = 100;
/// So long is a word with the values of its variables.
const MOST_BYTES: usize = 1 << 10;
/// The greatest depth of nested variables and of nested loops, and the most variables in a word.
pub(super) const MOST_DEPTH: usize = 16;

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// With its quotes and variables.
    Word(String),
    /// The end of a command.
    End,
    Pipe,
    /// `>` or `>>`; the descriptor, if one is named.
    To(Option<String>),
    From,
    Open,
    Close,
}

/// The parts of a script, without comments.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let (mut found, mut word) = (Vec::new(), String::new());
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        let flush = |word: &mut String, found: &mut Vec<Token>| {
            if !word.is_empty() {
                found.push(Token::Word(std::mem::take(word)));
            }
        };
        match next {
            '#' if word.is_empty() => while rest.next_if(|next| *next != '\n').is_some() {},
            ' ' | '\t' | '\r' => flush(&mut word, &mut found),
            '\'' | '"' | '`' => {
                word.push(next);
                while let Some(inner) = rest.next() {
                    word.push(inner);
                    match inner {
                        '\\' if next != '\'' => word.extend(rest.next()),
                        '$' if next == '"' && rest.peek() == Some(&'(') => nested(&mut rest, &mut word),
                        _ if inner == next => break,
                        _ => {}
                    }
                }
            }
            '\\' => {
                word.push(next);
                word.extend(rest.next());
            }
            '$' => {
                word.push(next);
                if matches!(rest.peek(), Some('(' | '{')) {
                    nested(&mut rest, &mut word);
                }
            }
            // A list.
            '(' if word.ends_with('=') => {
                word.push(next);
                while let Some(inner) = rest.next_if(|inner| *inner != ')') {
                    word.push(inner);
                }
            }
            '>' | '<' => {
                let is_descriptor = !word.is_empty() && word.chars().all(|next| next.is_ascii_digit());
                let descriptor = is_descriptor.then(|| std::mem::take(&mut word));
                flush(&mut word, &mut found);
                while rest.next_if_eq(&next).is_some() {}
                found.push(if next == '>' { Token::To(descriptor) } else { Token::From });
            }
            '\n' | ';' | '&' | '|' | '(' | ')' => {
                flush(&mut word, &mut found);
                let is_pipe = next == '|' && rest.next_if_eq(&'|').is_none();
                found.push(match next {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    _ if is_pipe => Token::Pipe,
                    _ => Token::End,
                });
            }
            _ => word.push(next),
        }
    }
    found.extend((!word.is_empty()).then_some(Token::Word(word)));
    found.push(Token::End);
    found
}

/// Moves what is in brackets to a word.
pub(super) fn nested(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut String) {
    let mut depth = 0_usize;
    for next in rest.by_ref() {
        word.push(next);
        match next {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// A shell that knows paths alone.
pub(super) struct Shell<'e> {
    existing: &'e BTreeSet<&'e str>,
    folder: &'e str,
    /// The folder of the command, below that.
    current: String,
    /// Absent for a variable whose value is not known.
    variables: BTreeMap<String, Option<String>>,
    /// How many conditions decide whether a command runs.
    conditions: usize,
    commands: usize,
    pub(super) found: BTreeSet<Rendering>,
}

/// A command: its words and where it writes to.
#[derive(Default)]
struct Command<'t> {
    words: Vec<&'t str>,
    to: Option<&'t str>,
    from: Option<&'t str>,
    is_piped: bool,
}

impl<'t> Command<'t> {
    fn of(tokens: &'t [Token]) -> Self {
        let mut command = Self::default();
        let mut tokens = tokens.iter();
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) => command.words.push(word),
                Token::To(descriptor) => {
                    let is_output = descriptor.as_ref().is_none_or(|descriptor| descriptor == "1");
                    if let Some(Token::Word(word)) = tokens.next()
                        && is_output
                    {
                        command.to = Some(word);
                    }
                }
                Token::From => {
                    if let Some(Token::Word(word)) = tokens.next() {
                        command.from = Some(word);
                    }
                }
                Token::Pipe => command.is_piped = true,
                Token::End | Token::Open | Token::Close => {}
            }
        }
        while matches!(command.words.first(), Some(&("do" | "then" | "else" | "{" | "!" | "time"))) {
            command.words.remove(0);
        }
        command
    }
}

impl<'e> Shell<'e> {
    pub(super) const fn new(existing: &'e BTreeSet<&'e str>, folder: &'e str) -> Self {
        Self {
            existing,
            folder,
            current: String::new(),
            variables: BTreeMap::new(),
            conditions: 0,
            commands: 0,
            found: BTreeSet::new(),
        }
    }

    /// Runs the commands of a Makefile's rule: in a shell of its own.
    pub(super) fn run_alone(&mut self, text: &str) {
        self.current.clear();
        self.variables.clear();
        self.run(&tokens(text), 0);
    }

    pub(super) fn run(&mut self, tokens: &[Token], depth: usize) {
        let ends = |token: &Token| matches!(token, Token::End | Token::Open | Token::Close | Token::Pipe);
        let commands: Vec<&[Token]> = tokens.split_inclusive(ends).collect();
        let mut above = Vec::new();
        let mut at = 0;
        while let Some(tokens) = commands.get(at) {
            at += 1;
            self.commands += 1;
            if self.commands > MOST_COMMANDS {
                return;
            }
            let command = Command::of(tokens);
            match command.words.first() {
                Some(&"for") => {
                    let end = at + loop_end(&commands[at..]);
                    let body: Vec<Token> = commands[at..end].concat();
                    at = end;
                    self.each(&command, &body, depth);
                }
                Some(&("if" | "case" | "while" | "until" | "select")) => self.conditions += 1,
                Some(&("fi" | "esac" | "done")) => self.conditions = self.conditions.saturating_sub(1),
                _ => self.command(&command),
            }
            match tokens.last() {
                Some(Token::Open) => above.push(self.current.clone()),
                Some(Token::Close) => self.current = above.pop().unwrap_or_default(),
                _ => {}
            }
        }
    }

    /// `for NAME in WORDS`.
    fn each(&mut self, command: &Command<'_>, body: &[Token], depth: usize) {
        let [_, name, "in", words @ ..] = &command.words[..] else { return };
        if depth > MOST_DEPTH {
            return;
        }
        // Of a list of which a part is not known, the other words are.
        let known: Vec<String> = words.iter().filter_map(|word| self.expanded(word)).collect();
        for word in known.iter().flat_map(|words| words.split_whitespace()) {
            for value in self.globbed(word) {
                self.variables.insert((*name).to_owned(), Some(value));
                self.run(body, depth + 1);
            }
        }
    }

    /// The files that a pattern names, or the word itself.
    pub(super) fn globbed(&mut self, word: &str) -> Vec<String> {
        if !word.contains(['*', '?', '[']) {
            return vec![word.to_owned()];
        }
        self.commands += OF_PATTERN;
        if self.commands > MOST_COMMANDS {
            return Vec::new();
        }
        let above = joined(self.folder, &self.current);
        let found = matching(self.existing, &above, &joined("", word)).into_iter();
        let below = |path: Box<str>| path.strip_prefix(&above).map(|path| path.trim_start_matches('/').to_owned());
        found.filter_map(below).collect()
    }

    fn command(&mut self, command: &Command<'_>) {
        let words = &command.words[..];
        match words {
            ["cd", to, ..] => {
                if let Some(to) = self.expanded(to).filter(|to| !to.starts_with('/')) {
                    self.current = joined(&self.current, &to);
                }
            }
            ["export" | "local" | "readonly" | "declare", words @ ..] => {
                words.iter().for_each(|word| self.assign(word));
            }
            _ if words.iter().all(|word| is_assignment(word)) => words.iter().for_each(|word| self.assign(word)),
            _ => self.rendered(command),
        }
    }

    fn assign(&mut self, word: &str) {
        let Some((name, value)) = word.split_once('=') else { return };
        let value = match value.strip_prefix('(') {
            Some(list) => list.split_whitespace().map(|word| self.expanded(word)).collect::<Option<Vec<_>>>(),
            None => self.expanded(value).map(|value| vec![value]),
        };
        let value = value.map(|words| words.join(" ")).filter(|_| self.conditions == 0);
        self.variables.insert(name.to_owned(), value);
    }

    /// Takes a command that renders a template into a file.
    fn rendered(&mut self, command: &Command<'_>) {
        let (false, Some(to)) = (command.is_piped, command.to) else { return };
        let Some(at) = command.words.iter().position(|word| *word == RENDER) else { return };
        let mut given = Vec::new();
        let words: Vec<String> = command.words[at + 1..].iter().filter_map(|word| self.expanded(word)).collect();
        let mut words = words.iter().flat_map(|words| words.split_whitespace());
        while let Some(word) = words.next() {
            if WITH_VALUE.contains(&word) {
                words.next();
            } else if !word.starts_with('-') {
                given.push(word.to_owned());
            }
        }
        if given.first().is_some_and(|word| TYPES.contains(&&**word)) {
            given.remove(0);
        }
        given.extend(command.from.and_then(|from| self.expanded(from)));
        let (Ok([template]), Some(to)) = (<[String; 1]>::try_from(given), self.expanded(to)) else { return };
        let path = |path: &str| joined(&joined(self.folder, &self.current), path);
        let (template, catalog) = (path(&template), path(&to));
        if self.existing.contains(&*template) && self.existing.contains(&*catalog) {
            self.found.insert(Rendering { template, catalog });
        }
    }

    /// A word with the values of its variables and without quotes; `None` if it is not known.
    fn expanded(&self, word: &str) -> Option<String> {
        if word.matches('$').count() > MOST_DEPTH {
            return None;
        }
        let mut text = String::new();
        let mut quote = None;
        let mut rest = word.chars().peekable();
        while let Some(next) = rest.next() {
            match next {
                '\'' | '"' if quote.is_none() => quote = Some(next),
                _ if quote == Some(next) => quote = None,
                _ if quote == Some('\'') => text.push(next),
                '\\' => text.extend(rest.next()),
                '`' => return None,
                '$' => {
                    let mut inner = String::new();
                    match rest.peek()? {
                        '{' => {
                            nested(&mut rest, &mut inner);
                            text += &self.parameter(inner.strip_prefix('{')?.strip_suffix('}')?)?;
                        }
                        '(' => {
                            nested(&mut rest, &mut inner);
                            text += &self.substituted(inner.strip_prefix('(')?.strip_suffix(')')?)?;
                        }
                        _ => {
                            let is_name = |next: &char| next.is_ascii_alphanumeric() || *next == '_';
                            while let Some(next) = rest.next_if(is_name) {
                                inner.push(next);
                            }
                            text += &self.parameter(&inner)?;
                        }
                    }
                }
                _ => text.push(next),
            }
            if text.len() > MOST_BYTES {
                return None;
            }
        }
        Some(text)
    }

    /// The value of what is between `${` and `}`.
    fn parameter(&self, inner: &str) -> Option<String> {
        let end = inner.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(inner.len());
        let (name, what) = inner.split_at(end);
        let value = || self.variables.get(name).cloned().flatten();
        let plain = |pattern: &str| (!pattern.contains(['*', '?', '[', '$'])).then(|| pattern.to_owned());
        Some(match what {
            "" | "[@]" | "[*]" if name == "PWD" => ".".to_owned(),
            "" | "[@]" | "[*]" => value()?,
            "##*/" => file_name(&value()?).to_owned(),
            "%/*" => value()?.rsplit_once('/')?.0.to_owned(),
            _ if what.starts_with(":-") => match self.variables.get(name) {
                Some(known) => known.clone()?,
                None => self.expanded(&what[2..])?,
            },
            _ if what.starts_with('%') => {
                let value = value()?;
                let suffix = plain(what.trim_start_matches('%'))?;
                value.strip_suffix(&suffix).unwrap_or(&value).to_owned()
            }
            _ if what.starts_with('/') => {
                let (from, to) = what[1..].split_once('/').unwrap_or((&what[1..], ""));
                value()?.replacen(&plain(from)?, to, 1)
            }
            _ => return None,
        })
    }

    /// The output of a command that only takes paths apart.
    fn substituted(&self, inner: &str) -> Option<String> {
        let tokens = tokens(inner);
        let words = tokens.iter().map(|token| match token {
            Token::Word(word) => self.expanded(word),
            Token::End => Some(String::new()),
            _ => None,
        });
        let words: Vec<String> = words.collect::<Option<_>>()?;
        let words: Vec<&str> = words.iter().map(|word| &**word).filter(|word| !word.is_empty()).collect();
        Some(match words[..] {
            ["pwd"] => ".".to_owned(),
            ["basename", path] => file_name(path).to_owned(),
            ["basename", path, suffix] => file_name(path).strip_suffix(suffix).unwrap_or(file_name(path)).to_owned(),
            ["dirname", path] => path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned(),
            _ => return None,
        })
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether a word is `NAME=VALUE`.
fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

/// How many commands a loop has, up to its `done`.
fn loop_end(commands: &[&[Token]]) -> usize {
    let mut depth = 1_usize;
    for (at, tokens) in commands.iter().enumerate() {
        match Command::of(tokens).words.first() {
            Some(&("for" | "while" | "until" | "select")) => depth += 1,
            Some(&"done") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    commands.len()
}
