//! Rules of make and its variables, as far as commands of a shell are made of them.

use super::shell::{MOST_DEPTH, Shell, nested};
use crate::sets::dockerfile::joined;
use regex_lite::Regex;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static ASSIGNED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:export\s+|override\s+)?([A-Za-z0-9_.-]+)\s*(\+?\??:{0,3}=)\s*(.*)$").expect("it is valid")
});

/// A Makefile.
pub(super) struct Make {
    lines: Vec<String>,
    /// Absent for a variable with several values.
    variables: BTreeMap<String, Option<String>>,
    /// How many variables are still followed: each may have others many times.
    left: Cell<usize>,
}

/// So long is a line with the values of its variables.
const MOST_BYTES: usize = 1 << 16;
/// So many variables of a Makefile are followed.
const MOST_VARIABLES: usize = 100_000;

impl Make {
    pub(super) fn of(text: &str) -> Self {
        let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut variables: BTreeMap<String, Option<String>> = BTreeMap::new();
        for line in lines.iter().filter(|line| !line.starts_with('\t')) {
            let Some(found) = ASSIGNED.captures(line) else { continue };
            let value = found[3].split(" #").next().unwrap_or_default().trim().to_owned();
            let value = (!found[2].starts_with('+')).then_some(value);
            let known = variables.entry(found[1].to_owned()).or_insert_with(|| value.clone());
            if *known != value {
                *known = None;
            }
        }
        Self { lines, variables, left: Cell::new(MOST_VARIABLES) }
    }

    pub(super) fn run(&self, shell: &mut Shell<'_>) {
        // What the automatic variables stand for, each time that the lines below a rule run.
        let mut runs: Vec<BTreeMap<char, String>> = Vec::new();
        for line in &self.lines {
            if let Some(recipe) = line.strip_prefix('\t') {
                for automatic in &runs {
                    let text = self.expanded(recipe.trim_start().trim_start_matches(['@', '-', '+']), automatic, 0);
                    shell.run_alone(&text.unwrap_or_default());
                }
            } else if !line.trim().is_empty() && !line.starts_with('#') && !ASSIGNED.is_match(line) {
                let text = self.expanded(line, &BTreeMap::new(), 0).unwrap_or_default();
                runs = rule(&text, shell);
            }
        }
    }

    /// A text with the values of variables; what is not known is `$?`, which the shell does not know either.
    fn expanded(&self, text: &str, automatic: &BTreeMap<char, String>, depth: usize) -> Option<String> {
        let mut made = String::new();
        let mut rest = text.chars().peekable();
        while let Some(next) = rest.next() {
            if next != '$' {
                made.push(next);
            } else {
                let value = match rest.peek() {
                    Some('$') => rest.next().map(|next| next.to_string()),
                    Some('(' | '{') => {
                        let mut name = String::new();
                        nested(&mut rest, &mut name);
                        let name = name.get(1..name.len() - 1).unwrap_or_default();
                        self.value(name, automatic, depth)
                    }
                    Some(_) => rest.next().and_then(|name| automatic.get(&name).cloned()),
                    None => None,
                };
                made += value.as_deref().unwrap_or("$?");
            }
            if made.len() > MOST_BYTES {
                return None;
            }
        }
        Some(made)
    }

    fn value(&self, name: &str, automatic: &BTreeMap<char, String>, depth: usize) -> Option<String> {
        match name {
            "CURDIR" | "PWD" | "shell pwd" => Some(".".to_owned()),
            _ if depth < MOST_DEPTH && self.left.get() > 0 => {
                self.left.set(self.left.get() - 1);
                self.expanded(self.variables.get(name)?.as_ref()?, automatic, depth + 1)
            }
            _ => None,
        }
    }
}

/// The automatic variables of each time that the lines below a rule run: once for each target and, of a pattern, for each file
/// that it has for a prerequisite.
fn rule(text: &str, shell: &mut Shell<'_>) -> Vec<BTreeMap<char, String>> {
    let parts: Vec<&str> = text.split(':').collect();
    let [.., targets, prerequisites] = &parts[..] else { return Vec::new() };
    let prerequisites = prerequisites.split(['|', ';', '#']).next().unwrap_or_default();
    let words: Vec<&str> = prerequisites.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let automatic = |target: &str, stem: &str| {
        let with_stem = |text: &str| text.replacen('%', stem, 1);
        let all: Vec<String> = words.iter().map(|word| with_stem(word)).collect();
        BTreeMap::from([
            ('@', with_stem(target)),
            ('<', with_stem(first)),
            ('^', all.join(" ")),
            ('*', stem.to_owned()),
        ])
    };
    let runs = targets.split_whitespace().flat_map(|target| {
        let Some((start, end)) = first.split_once('%').filter(|_| target.contains('%')) else {
            return vec![automatic(target, "")];
        };
        let found = shell.globbed(&joined("", &format!("{start}*{end}")));
        let start = joined("", start);
        let start = if start.is_empty() { start } else { start + if first.contains("/%") { "/" } else { "" } };
        let stem = |path: &String| path.strip_prefix(&start)?.strip_suffix(end).map(str::to_owned);
        found.iter().filter_map(stem).map(|stem| automatic(target, &stem)).collect()
    });
    runs.collect()
}
