//! `# opscope-ignore: rule[, rule]` comments: findings that the text itself switches off.
//!
//! What a comment covers follows from where it stands:
//!
//! - behind something on its line: that line,
//! - on a line of its own: what follows it, with all that is indented deeper,
//! - before all content of a document: the document.
//!
//! Behind ` -- ` there is room for a reason. Errors of `opm` cannot be switched off, for `opm` goes on rejecting the
//! catalog. JSON has no comments.

use source::{Diagnostic, FileId, Rule, Span};
use std::collections::BTreeMap;

const MARK: &str = "opscope-ignore:";

/// A rule named by a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The rule; `None` if no rule has that id.
    pub rule: Option<Rule>,
    /// The id.
    pub span: Span,
    /// Where findings are switched off.
    pub covers: Span,
}

/// What the comments of a text switch off, in the order of the text.
#[must_use]
pub fn ignored(file: FileId, text: &str) -> Vec<Ignored> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    if is_json || memchr::memmem::find(text.as_bytes(), MARK.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut reader = Reader { file, found: Vec::new(), document: Vec::new(), next: Vec::new(), blocks: Vec::new() };
    let mut start = 0;
    let mut at_top = true;
    for line in text.split_inclusive('\n') {
        at_top = reader.line(line, start, at_top);
        start += line.len();
    }
    reader.end(start);
    reader.found
}

/// Goes through the lines of a text. Numbers are positions in `found`.
struct Reader {
    file: FileId,
    found: Vec<Ignored>,
    /// What covers the current document.
    document: Vec<usize>,
    /// What covers the next line with content.
    next: Vec<usize>,
    /// What covers the current line, from the outermost block to the innermost.
    blocks: Vec<Block>,
}

/// What follows a comment.
struct Block {
    indent: usize,
    /// Whether it is an element of a list.
    element: bool,
    ignored: usize,
}

impl Reader {
    /// Reads a line; whether the document has had no content so far.
    fn line(&mut self, line: &str, start: usize, at_top: bool) -> bool {
        let content = line.trim();
        if line.starts_with("---") {
            self.end(start);
            self.document = self.comment(line, start);
            return true;
        }
        if content.is_empty() {
            return at_top;
        }
        let named = self.comment(line, start);
        if content.starts_with('#') {
            let into = if at_top { &mut self.document } else { &mut self.next };
            into.extend(named);
            return at_top;
        }
        let indent = line.len() - line.trim_start().len();
        let element = content.starts_with('-');
        self.close(start, |block| indent > block.indent || (indent == block.indent && element && !block.element));
        for ignored in std::mem::take(&mut self.next) {
            self.found[ignored].covers.start = start as u32;
            self.blocks.push(Block { indent, element, ignored });
        }
        for ignored in named {
            self.found[ignored].covers = self.span(start, start + line.len());
        }
        false
    }

    /// Ends the blocks that do not go on.
    fn close(&mut self, at: usize, goes_on: impl Fn(&Block) -> bool) {
        while let Some(block) = self.blocks.pop_if(|block| !goes_on(block)) {
            self.found[block.ignored].covers.end = at as u32;
        }
    }

    /// Ends the document.
    fn end(&mut self, at: usize) {
        self.close(at, |_| false);
        for ignored in self.document.drain(..) {
            self.found[ignored].covers.end = at as u32;
        }
        self.next.clear();
    }

    /// The rules that a comment of the line names, as covering nothing behind it yet.
    fn comment(&mut self, line: &str, start: usize) -> Vec<usize> {
        let Some(at) = line.find(MARK) else { return Vec::new() };
        let Some(before) = line[..at].trim_end().strip_suffix('#') else { return Vec::new() };
        if before.ends_with(|c: char| !c.is_whitespace()) {
            return Vec::new();
        }
        let from = at + MARK.len();
        let names = line[from..].split(" --").next().unwrap_or_default();
        let first = self.found.len();
        let mut offset = start + from;
        for part in names.split([',', ' ', '\t', '\r', '\n']) {
            if !part.is_empty() {
                let span = self.span(offset, offset + part.len());
                let covers = self.span(start, start);
                self.found.push(Ignored { rule: part.parse().ok(), span, covers });
            }
            offset += part.len() + 1;
        }
        (first..self.found.len()).collect()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }
}

/// The findings that are not switched off, and hints about comments that switch nothing off.
#[must_use]
pub fn silence(ignored: &[Ignored], findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if ignored.is_empty() {
        return findings;
    }
    let areas = areas(ignored);
    let mut uses = vec![Use::Nothing; ignored.len()];
    let mut kept = Vec::with_capacity(findings.len());
    for finding in findings {
        match areas.get(&(finding.rule, finding.span.file)).and_then(|areas| covering(areas, finding.span)) {
            Some(at) if finding.opm.is_none() => uses[at] = Use::Silenced,
            Some(at) => {
                uses[at] = uses[at].max(Use::OfOpm);
                kept.push(finding);
            }
            None => kept.push(finding),
        }
    }
    kept.extend(ignored.iter().zip(uses).filter_map(|(ignored, used)| useless(ignored, used)));
    kept
}

/// What a named rule did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Nothing,
    /// It would switch off errors of `opm`.
    OfOpm,
    Silenced,
}

/// Start, end and position, ascending and without overlap.
type Areas = Vec<(u32, u32, usize)>;

/// What is covered for each rule in each file. Of an area inside another only the outer one counts.
fn areas(ignored: &[Ignored]) -> BTreeMap<(Rule, FileId), Areas> {
    let mut areas: BTreeMap<(Rule, FileId), Areas> = BTreeMap::new();
    for (at, named) in ignored.iter().enumerate() {
        if let Some(rule) = named.rule {
            let covers = named.covers;
            areas.entry((rule, covers.file)).or_default().push((covers.start, covers.end, at));
        }
    }
    for areas in areas.values_mut() {
        areas.sort_by_key(|&(start, end, at)| (start, u32::MAX - end, at));
        areas.dedup_by(|inner, outer| inner.1 <= outer.1);
    }
    areas
}

fn covering(areas: &Areas, span: Span) -> Option<usize> {
    let after = areas.partition_point(|(start, ..)| *start <= span.start);
    let (_, end, at) = *areas[..after].last()?;
    (span.start < end).then_some(at)
}

fn useless(ignored: &Ignored, used: Use) -> Option<Diagnostic> {
    let (message, help) = match (ignored.rule, used) {
        (_, Use::Silenced) => return None,
        (None, _) => {
            ("there is no such rule".to_owned(), "write the id that the finding shows, `skip-range-pruning` say")
        }
        (Some(rule), Use::OfOpm) => {
            (format!("`{rule}` is an error of opm here and cannot be switched off"), "mend it, and remove this comment")
        }
        (Some(rule), Use::Nothing) => (
            format!("there is no finding of `{rule}` to switch off here"),
            "remove it, or move it to the line of the finding or before the item",
        ),
    };
    Some(Diagnostic::new(Rule::UselessIgnore, ignored.span, message).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the text where findings of `downgrade` are switched off.
    #[track_caller]
    fn covers(text: &str, expected: &[&str]) {
        let found = ignored(FileId(0), text);
        assert!(found.iter().all(|ignored| ignored.rule == Some(Rule::Downgrade)), "{found:?}");
        let covered: Vec<&str> = found.iter().map(|ignored| ignored.covers.slice(text)).collect();
        assert_eq!(covered, expected);
    }

    #[test]
    fn one_line() {
        covers("a: 1\nb: 2 # opscope-ignore: downgrade\nc: 3\n", &["b: 2 # opscope-ignore: downgrade\n"]);
    }

    #[test]
    fn what_follows() {
        let text = "a: 1\nentries:\n# opscope-ignore: downgrade -- tested\n- name: x\n  skips:\n  - y\n- name: z\n";
        covers(text, &["- name: x\n  skips:\n  - y\n"]);
        let text = "a: 1\n# opscope-ignore: downgrade\nentries:\n- name: x\n- name: z\nb: 2\n";
        covers(text, &["entries:\n- name: x\n- name: z\n"]);
    }

    #[test]
    fn a_document() {
        let text = "a: 1\n---\n\n# A comment\n# opscope-ignore: downgrade\nb: 2\nc: 3\n---\nd: 4\n";
        covers(text, &["# opscope-ignore: downgrade\nb: 2\nc: 3\n"]);
        covers("a: 1\n---  # opscope-ignore: downgrade\nb: 2\n", &["---  # opscope-ignore: downgrade\nb: 2\n"]);
    }

    #[test]
    fn no_comments() {
        covers("a: 'x#opscope-ignore: downgrade'\nb: opscope-ignore: downgrade\n", &[]);
        covers("{\"a\": \"\n # opscope-ignore: downgrade\"}", &[]);
    }

    /// Findings `rule offset`, those with `!` errors of `opm`, against what is left of them.
    #[track_caller]
    fn check(text: &str, findings: &[(Rule, u32, bool)], expected: &[&str]) {
        let finding = |&(rule, start, opm): &(Rule, u32, bool)| {
            let finding = Diagnostic::new(rule, Span::new(FileId(0), start, start + 1), "found");
            if opm { finding.with_opm("opm") } else { finding }
        };
        let kept = silence(&ignored(FileId(0), text), findings.iter().map(finding).collect());
        let told: Vec<String> =
            kept.iter().map(|kept| format!("{} {}: {}", kept.span.start, kept.rule, kept.message)).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_covered_is_silent() {
        let text = "a: 1\nb: 2 # opscope-ignore: downgrade, stuck-entry\n";
        let found = [(Rule::Downgrade, 5, false), (Rule::StuckEntry, 8, false), (Rule::Downgrade, 0, false)];
        check(text, &found, &["0 downgrade: found"]);
    }

    #[test]
    fn what_does_nothing_is_told() {
        let text = "a: 1 # opscope-ignore: downgrade, nope, empty-channel\n";
        let expected = [
            "0 empty-channel: found",
            "23 useless-ignore: there is no finding of `downgrade` to switch off here",
            "34 useless-ignore: there is no such rule",
            "40 useless-ignore: `empty-channel` is an error of opm here and cannot be switched off",
        ];
        check(text, &[(Rule::EmptyChannel, 0, true)], &expected);
    }

    #[test]
    fn of_two_the_outer_one_counts() {
        let text = "# opscope-ignore: downgrade\na: 1 # opscope-ignore: downgrade\n";
        let expected = ["51 useless-ignore: there is no finding of `downgrade` to switch off here"];
        check(text, &[(Rule::Downgrade, 28, false)], &expected);
    }
}
