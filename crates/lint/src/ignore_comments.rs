//! `# opscope-ignore: rule[, rule]` comments, which tell Opscope to ignore findings.
//!
//! The position of a comment decides what it covers:
//!
//! - at the end of a line: that line,
//! - on a line of its own: the next item, with everything that is indented deeper,
//! - before all content of a document: the document.
//!
//! A reason may follow after ` -- `. Errors of `opm` cannot be ignored, because `opm` rejects the catalog nevertheless.
//! JSON has no comments.

use source::{Diagnostic, FileId, QuickFix, Rewrite, Rule, Span, UnknownRule, nearest};
use std::collections::BTreeMap;

const MARK: &str = "opscope-ignore:";

/// A rule that a comment tells to ignore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoreComment {
    /// The rule; or the given id, if no rule has it.
    pub rule: Result<Rule, UnknownRule>,
    /// The place of the id.
    pub span: Span,
    /// The whole comment, if the id is the only one in it.
    pub alone: Option<Span>,
    /// Where findings of the rule are ignored.
    pub covers: Span,
}

/// The rules that the comments of a text tell to ignore, in the order of the text.
#[must_use]
pub fn ignore_comments(file: FileId, text: &str) -> Vec<IgnoreComment> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    if is_json || memchr::memmem::find(text.as_bytes(), MARK.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut reader = Reader { file, comments: Vec::new(), document: Vec::new(), next: Vec::new(), blocks: Vec::new() };
    let mut start = 0;
    let mut at_top = true;
    for line in text.split_inclusive('\n') {
        at_top = reader.line(line, start, at_top);
        start += line.len();
    }
    reader.end(start);
    reader.comments
}

/// Reads the lines of a text. Numbers are indices into `comments`.
struct Reader {
    file: FileId,
    comments: Vec<IgnoreComment>,
    /// Comments that cover the current document.
    document: Vec<usize>,
    /// Comments that cover the next line with content.
    next: Vec<usize>,
    /// The items around the current line that a comment covers, from the outermost to the innermost.
    blocks: Vec<Block>,
}

/// An item that follows a comment on a line of its own.
struct Block {
    indent: usize,
    is_list_item: bool,
    comment: usize,
}

impl Reader {
    /// Reads a line, and returns whether the document has had no content so far.
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
        let is_list_item = content.starts_with('-');
        // YAML allows the items of a list at the indentation of its key.
        let continues =
            |block: &Block| indent > block.indent || (indent == block.indent && is_list_item && !block.is_list_item);
        self.close(start, continues);
        for comment in std::mem::take(&mut self.next) {
            self.comments[comment].covers.start = start as u32;
            self.blocks.push(Block { indent, is_list_item, comment });
        }
        for comment in named {
            self.comments[comment].covers = self.span(start, start + line.len());
        }
        false
    }

    /// Ends the blocks that do not continue.
    fn close(&mut self, at: usize, continues: impl Fn(&Block) -> bool) {
        while let Some(block) = self.blocks.pop_if(|block| !continues(block)) {
            self.comments[block.comment].covers.end = at as u32;
        }
    }

    fn end(&mut self, at: usize) {
        self.close(at, |_| false);
        for comment in self.document.drain(..) {
            self.comments[comment].covers.end = at as u32;
        }
        self.next.clear();
    }

    /// Adds the rules that a comment in the line names; they cover nothing yet.
    fn comment(&mut self, line: &str, start: usize) -> Vec<usize> {
        let Some(at) = line.find(MARK) else { return Vec::new() };
        let Some(before) = line[..at].trim_end().strip_suffix('#') else { return Vec::new() };
        if before.ends_with(|c: char| !c.is_whitespace()) {
            return Vec::new();
        }
        let from = at + MARK.len();
        let names = line[from..].split(" --").next().unwrap_or_default();
        let first = self.comments.len();
        let mut offset = start + from;
        for part in names.split([',', ' ', '\t', '\r', '\n']) {
            if !part.is_empty() {
                let span = self.span(offset, offset + part.len());
                let covers = self.span(start, start);
                self.comments.push(IgnoreComment { rule: part.parse(), span, alone: None, covers });
            }
            offset += part.len() + 1;
        }
        if let [only] = &mut self.comments[first..] {
            // The line with its end, if there is nothing else in it.
            let before = before.trim_end().len();
            let end = if before == 0 { line.len() } else { line.trim_end().len() };
            only.alone = Some(Span::new(self.file, (start + before) as u32, (start + end) as u32));
        }
        (first..self.comments.len()).collect()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }
}

/// Removes the findings that comments ignore, and adds hints about comments without effect. `others` are rules that are not
/// about one state of a catalog, which say themselves what comments ignore.
#[must_use]
pub fn apply_ignore_comments(
    comments: &[IgnoreComment],
    findings: Vec<Diagnostic>,
    others: &[&'static str],
) -> Vec<Diagnostic> {
    if comments.is_empty() {
        return findings;
    }
    let areas = areas(comments);
    let mut effects = vec![Effect::None; comments.len()];
    let mut kept = Vec::with_capacity(findings.len());
    for finding in findings {
        match areas.get(&(finding.rule, finding.span.file)).and_then(|areas| covering(areas, finding.span)) {
            Some(at) if finding.opm.is_none() => effects[at] = Effect::Ignored,
            Some(at) => {
                effects[at] = effects[at].max(Effect::OpmError);
                kept.push(finding);
            }
            None => kept.push(finding),
        }
    }
    let is_other =
        |comment: &IgnoreComment| matches!(&comment.rule, Err(UnknownRule(id)) if others.contains(&id.as_str()));
    let own = comments.iter().zip(effects).filter(|(comment, _)| !is_other(comment));
    kept.extend(own.filter_map(|(comment, effect)| useless(comment, effect, others)));
    kept
}

/// What a comment did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    None,
    /// Covers only errors of `opm`, which cannot be ignored.
    OpmError,
    /// Removed a finding.
    Ignored,
}

/// Start, end and index of the comment, ascending and without overlap.
type Areas = Vec<(u32, u32, usize)>;

/// The areas that are covered for each rule in each file. Of nested areas only the outer one counts.
fn areas(comments: &[IgnoreComment]) -> BTreeMap<(Rule, FileId), Areas> {
    let mut areas: BTreeMap<(Rule, FileId), Areas> = BTreeMap::new();
    for (at, comment) in comments.iter().enumerate() {
        if let Ok(rule) = comment.rule {
            let covers = comment.covers;
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

fn useless(comment: &IgnoreComment, effect: Effect, others: &[&'static str]) -> Option<Diagnostic> {
    let (message, help) = match (&comment.rule, effect) {
        (_, Effect::Ignored) => return None,
        (Err(_), _) => {
            ("no rule has this id".to_owned(), "write the id that the finding shows, such as `skip-range-pruning`")
        }
        (Ok(rule), Effect::OpmError) => (
            format!("the finding of `{rule}` is an error of opm and cannot be ignored"),
            "fix the error, and remove the rule from the comment",
        ),
        (Ok(rule), Effect::None) => (
            format!("there is no finding of `{rule}` to ignore here"),
            "remove the rule, or move the comment to the line of the finding or to the line before its item",
        ),
    };
    let rename = comment.rule.as_ref().err().and_then(|UnknownRule(id)| {
        let near = nearest(id, Rule::ALL.iter().map(|rule| rule.id()).chain(others.iter().copied()));
        Some(QuickFix::rename(comment.span, near.first()?))
    });
    let remove =
        comment.alone.map(|span| QuickFix::new("Remove the comment", Rewrite::Splice { span, text: String::new() }));
    Some(Diagnostic::new(Rule::UselessIgnore, comment.span, message).with_help(help).with_fix(rename).with_fix(remove))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts in which parts of the text findings of `downgrade` are ignored.
    #[track_caller]
    fn covers(text: &str, expected: &[&str]) {
        let comments = ignore_comments(FileId(0), text);
        assert!(comments.iter().all(|comment| comment.rule == Ok(Rule::Downgrade)), "{comments:?}");
        let covered: Vec<&str> = comments.iter().map(|comment| comment.covers.slice(text)).collect();
        assert_eq!(covered, expected);
    }

    #[test]
    fn a_comment_at_the_end_of_a_line() {
        covers("a: 1\nb: 2 # opscope-ignore: downgrade\nc: 3\n", &["b: 2 # opscope-ignore: downgrade\n"]);
    }

    #[test]
    fn a_comment_before_an_item() {
        let text = "a: 1\nentries:\n# opscope-ignore: downgrade -- tested\n- name: x\n  skips:\n  - y\n- name: z\n";
        covers(text, &["- name: x\n  skips:\n  - y\n"]);
        let text = "a: 1\n# opscope-ignore: downgrade\nentries:\n- name: x\n- name: z\nb: 2\n";
        covers(text, &["entries:\n- name: x\n- name: z\n"]);
    }

    #[test]
    fn a_comment_before_a_document() {
        let text = "a: 1\n---\n\n# A comment\n# opscope-ignore: downgrade\nb: 2\nc: 3\n---\nd: 4\n";
        covers(text, &["# opscope-ignore: downgrade\nb: 2\nc: 3\n"]);
        covers("a: 1\n---  # opscope-ignore: downgrade\nb: 2\n", &["---  # opscope-ignore: downgrade\nb: 2\n"]);
    }

    #[test]
    fn text_that_only_looks_like_a_comment() {
        covers("a: 'x#opscope-ignore: downgrade'\nb: opscope-ignore: downgrade\n", &[]);
        covers("{\"a\": \"\n # opscope-ignore: downgrade\"}", &[]);
    }

    /// Asserts which of the findings are left. A finding is a rule, an offset, and whether it is an error of `opm`.
    #[track_caller]
    fn check(text: &str, findings: &[(Rule, u32, bool)], expected: &[&str]) {
        let finding = |&(rule, start, opm): &(Rule, u32, bool)| {
            let finding = Diagnostic::new(rule, Span::new(FileId(0), start, start + 1), "found");
            if opm { finding.with_opm("opm") } else { finding }
        };
        let kept =
            apply_ignore_comments(&ignore_comments(FileId(0), text), findings.iter().map(finding).collect(), &[]);
        let lines: Vec<String> =
            kept.iter().map(|kept| format!("{} {}: {}", kept.span.start, kept.rule, kept.message)).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn covered_findings_are_removed() {
        let text = "a: 1\nb: 2 # opscope-ignore: downgrade, stuck-entry\n";
        let findings = [(Rule::Downgrade, 5, false), (Rule::StuckEntry, 8, false), (Rule::Downgrade, 0, false)];
        check(text, &findings, &["0 downgrade: found"]);
    }

    #[test]
    fn comments_without_effect_are_reported() {
        let text = "a: 1 # opscope-ignore: downgrade, nope, empty-channel\n";
        let expected = [
            "0 empty-channel: found",
            "23 useless-ignore: there is no finding of `downgrade` to ignore here",
            "34 useless-ignore: no rule has this id",
            "40 useless-ignore: the finding of `empty-channel` is an error of opm and cannot be ignored",
        ];
        check(text, &[(Rule::EmptyChannel, 0, true)], &expected);
    }

    #[test]
    fn of_nested_comments_the_outer_one_counts() {
        let text = "# opscope-ignore: downgrade\na: 1 # opscope-ignore: downgrade\n";
        let expected = ["51 useless-ignore: there is no finding of `downgrade` to ignore here"];
        check(text, &[(Rule::Downgrade, 28, false)], &expected);
    }
}
