//! What is wrong with a rule and where, in cel-go's words.

use std::fmt;

/// At most so many issues are told, as cel-go's `common.Errors` does.
const MAX_TOLD: usize = 100;

/// Why cel-go refuses a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    issues: Vec<Issue>,
    /// cel-go's text of all of them.
    text: Box<str>,
}

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Bytes from the start of the rule; its length when something is missing at the end. Absent for complaints about
    /// the rule as a whole.
    pub offset: Option<usize>,
    /// From 1; 0 when absent.
    pub line: u32,
    /// In characters, from 1; 0 when absent.
    pub column: u32,
    /// cel-go's text without place and excerpt.
    pub message: Box<str>,
}

impl CompileError {
    /// All complaints about `rule` in the order of their places.
    pub(crate) fn new(rule: &str, mut found: Vec<Found>) -> Self {
        found.sort_by_key(|found| found.offset.map_or(-1, |offset| i64::try_from(offset).unwrap_or(i64::MAX)));
        let mut cursor = Cursor { rule, offset: 0, line: 1, column: 1 };
        let issues: Vec<Issue> = found.into_iter().map(|found| cursor.place(found)).collect();
        let told = issues.iter().take(MAX_TOLD).map(|issue| issue.told(rule));
        let mut lines: Vec<String> = told.collect();
        if issues.len() > MAX_TOLD {
            lines.push(format!("{} more errors were truncated", issues.len() - MAX_TOLD));
        }
        Self { text: lines.join("\n").into(), issues }
    }

    /// The rule is fine but says no yes or no.
    pub(crate) fn not_bool() -> Self {
        let message: Box<str> = "cel expressions must have type Bool".into();
        Self { issues: vec![Issue { offset: None, line: 0, column: 0, message: message.clone() }], text: message }
    }

    /// The complaints by place; at least one.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for CompileError {}

/// A complaint before it is placed.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) offset: Option<usize>,
    pub(crate) message: String,
}

impl Found {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset: Some(offset), message: message.into() }
    }
}

/// A place in a rule that only moves on.
struct Cursor<'r> {
    rule: &'r str,
    offset: usize,
    line: u32,
    column: u32,
}

impl Cursor<'_> {
    fn place(&mut self, found: Found) -> Issue {
        let message = found.message.into();
        let Some(offset) = found.offset else { return Issue { offset: None, line: 0, column: 0, message } };
        for c in self.rule[self.offset..offset].chars() {
            if c == '\n' {
                (self.line, self.column) = (self.line + 1, 1);
            } else {
                self.column += 1;
            }
        }
        self.offset = offset;
        Issue { offset: Some(offset), line: self.line, column: self.column, message }
    }
}

impl Issue {
    fn told(&self, rule: &str) -> String {
        let Some(offset) = self.offset else { return format!("ERROR: <input>:-1:0: {}", self.message) };
        if rule.is_empty() {
            return format!("ERROR: <input>:1:0: {}", self.message);
        }
        let start = rule[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = rule[start..].split('\n').next().unwrap_or_default().replace('\t', " ");
        let column = self.column as usize - 1;
        let mut pointer: String = line.chars().take(column).map(|c| if c.is_ascii() { '.' } else { '．' }).collect();
        pointer.push(if line.chars().nth(column).is_some_and(|c| !c.is_ascii()) { '＾' } else { '^' });
        format!("ERROR: <input>:{}:{}: {}\n | {line}\n | {pointer}", self.line, self.column, self.message)
    }
}
