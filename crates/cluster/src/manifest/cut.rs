//! Text as people copy it. One that ends in the middle of an object is read as far as it is complete; what follows is not known,
//! which is not the same as not there. Lines in which somebody typed a command are left out, and so is what stands around lines that
//! are quoted, fenced or indented as Markdown has them.

use std::ops::Range;

use fbc::UntypedValues;
use source::{Diagnostic, FileId, Rule, Severity, Span};

use super::Kind;

/// Where a text ends in the middle of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// From the beginning of that object to the end of the text.
    span: Span,
    /// The kind of that object; empty if the text ends before it.
    kind: Box<str>,
}

impl Cut {
    /// Whether objects of a kind may follow. `kubectl` prints one kind after the other, so that one of which there are some is
    /// complete once another one begins.
    pub(super) fn hides(&self, kind: Kind, is_there: bool) -> bool {
        !is_there || self.kind.is_empty() || &*self.kind == kind.as_str()
    }

    pub(super) fn finding(&self) -> Diagnostic {
        let what = if self.kind.is_empty() { "an object" } else { &format!("an object of kind `{}`", self.kind) };
        let message =
            format!("the input ends in the middle of {what}: what is before it is read, and what follows is not known");
        let finding = Diagnostic::new(Rule::BrokenDocument, self.span.at_start(), message);
        Diagnostic { severity: Severity::Warning, ..finding }.with_help("get the whole output, or a file of it")
    }
}

/// The values of a text of manifests. Of one that ends in the middle of an object these are the values before it. All else of a text
/// that cannot be read as it is may stand around the objects.
#[must_use]
pub fn manifest_values(file: FileId, text: &str) -> (UntypedValues, Option<Cut>) {
    let values = fbc::untyped_values(file, text);
    let Some(shown) = shown(text, faults(&values).next().is_some()) else {
        return complete_values(file, text, values);
    };
    let blank = only(text, &shown, ' ');
    let text = if is_json(&blank) { blank } else { only(text, &shown, '-') };
    complete_values(file, &text, fbc::untyped_values(file, &text))
}

/// The lines of a text without marks of quotations and fences.
pub fn unmarked_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| &line[mark(line)..]).filter(|line| !is_fence(line))
}

/// The length of the marks before a line that is quoted, as `> `.
fn mark(line: &str) -> usize {
    let is_quoted = line.trim_start_matches(' ').starts_with('>') && indent(line) < MARKED;
    if is_quoted { line.len() - line.trim_start_matches(['>', ' ']).len() } else { 0 }
}

fn is_fence(line: &str) -> bool {
    indent(line) < MARKED && ["```", "~~~"].iter().any(|fence| line.trim_start_matches(' ').starts_with(fence))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Markdown has marks of quotations and fences before this column; the fields of objects are indented further.
const MARKED: usize = 4;

/// For each line how much of it stands before what is part of objects; `None` for a line of something else. `None` for a text that
/// is read as it is.
fn shown(text: &str, is_broken: bool) -> Option<Vec<Option<usize>>> {
    let is_object = |line: &str| ["apiVersion:", "items:", "kind:"].iter().any(|key| line.starts_with(key));
    let mut is_after_blank = true;
    let mut is_indented = |line: &str| {
        let is_first = is_after_blank && line.starts_with("  ") && is_object(line.trim_start());
        is_after_blank = line.trim().is_empty();
        is_first
    };
    let is_top = |line: &str| is_object(line) || line.starts_with(['-', '{', '[']);
    if text.lines().any(&mut is_indented) && !text.lines().any(is_top) {
        let shown = |line: &str| (line.starts_with(' ') || line.is_empty()).then_some(0);
        return Some(text.lines().map(shown).collect());
    }
    if !is_broken {
        return None;
    }
    let has_fences = text.lines().any(|line| is_fence(&line[mark(line)..]));
    let has_quotes = text.lines().any(|line| mark(line) > 0);
    let mut is_open = false;
    let shown = |line: &str| {
        let at = mark(line);
        let content = &line[at..];
        if is_fence(content) {
            is_open = !is_open;
            return None;
        }
        let is_around = if has_fences { !is_open } else { has_quotes && at == 0 };
        (!is_around && !is_command(content)).then_some(at)
    };
    let shown: Vec<Option<usize>> = text.lines().map(shown).collect();
    shown.iter().any(|at| *at != Some(0)).then_some(shown)
}

/// A text of which only these parts of lines are shown, all in their places; other lines are blank, or separate documents with
/// hyphens.
fn only(text: &str, shown: &[Option<usize>], with: char) -> String {
    let lines = text.split_inclusive('\n').zip(shown).map(|(line, shown)| {
        let content = line.trim_end_matches(['\n', '\r']);
        let end = &line[content.len()..];
        if let Some(at) = *shown {
            return " ".repeat(at) + &content[at..] + end;
        }
        let count = if content.len() < 3 { 0 } else { 3 };
        with.to_string().repeat(count) + &" ".repeat(content.len() - count) + end
    });
    lines.collect()
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The values of a text that was read, or those before the object in which it ends.
fn complete_values(file: FileId, text: &str, values: UntypedValues) -> (UntypedValues, Option<Cut>) {
    let is_json = is_json(text);
    let found = if is_json { of_json(text, &values) } else { of_yaml(text, &values) };
    let Some((complete, start)) = found else { return (values, None) };
    let rest = &text[start..];
    let span = Span::new(file, start as u32, text.len() as u32);
    let cut = Cut { span, kind: kind_of(rest, if is_json { "\"kind\":" } else { "kind:" }).into() };
    (fbc::untyped_values(file, &complete), Some(cut))
}

/// Whether a line is what somebody typed in a terminal: a command that prints objects, or only the prompt.
fn is_command(line: &str) -> bool {
    let is_prompt = |text: &str| text.ends_with(['$', '#', '%', '>']);
    let is_name = |at: &usize| {
        let before = line[..*at].trim_end();
        before.is_empty() || is_prompt(before) && before.len() < *at
    };
    let mut names = ["kubectl ", "oc "].iter().flat_map(|name| line.match_indices(name)).map(|(at, _)| at);
    let is_alone = line.trim().len() == 1 && is_prompt(line.trim());
    is_alone || !line.starts_with(char::is_whitespace) && names.any(|at| is_name(&at))
}

/// The kind of the object that a text begins with, behind this key.
fn kind_of<'t>(text: &'t str, key: &str) -> &'t str {
    let value = text.split_once(key).and_then(|(_, rest)| rest.split_once(['\n', ',']));
    value.map(|(value, _)| value.trim_matches([' ', '"', '\r'])).unwrap_or_default()
}

/// The faults that keep documents from being read, as places, each with whether the reader came to the end of the text.
fn faults(values: &UntypedValues) -> impl Iterator<Item = (usize, bool)> {
    let broken = values.diagnostics.iter().filter(|finding| finding.rule == Rule::BrokenDocument);
    broken.map(|finding| {
        let is_at_end = ["end of stream", "unexpected EOF"].iter().any(|text| finding.message.contains(text));
        (finding.span.start as usize, is_at_end)
    })
}

/// The complete objects of JSON, in their places with blanks between them, and where the next one begins.
fn of_json(text: &str, values: &UntypedValues) -> Option<(String, usize)> {
    faults(values).next()?;
    let (mut open, mut complete): (Vec<(u8, usize)>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    let (mut is_string, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => open.push((byte, at)),
            b'}' | b']' => {
                let (_, start) = open.pop()?;
                if open.is_empty() {
                    complete.retain(|range| range.end < start);
                }
                if open.len() == list_depth(text, &open) {
                    complete.push(start..at + 1);
                }
            }
            _ => {}
        }
    }
    if open.is_empty() || complete.is_empty() {
        return None;
    }
    let next = open.get(list_depth(text, &open)).map_or(text.len(), |(_, start)| *start);
    let mut bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    complete.into_iter().for_each(|range| bytes[range.clone()].copy_from_slice(&text.as_bytes()[range]));
    Some((String::from_utf8(bytes).ok()?, next))
}

/// How many brackets are open around the objects: those of a list and its items.
fn list_depth(text: &str, open: &[(u8, usize)]) -> usize {
    match open {
        [(b'[', _), ..] => 1,
        [(b'{', _), (b'[', at), ..] => {
            let key = text[..*at].trim_end().strip_suffix(':').map(str::trim_end);
            if key.is_some_and(|before| before.ends_with("\"items\"")) { 2 } else { 0 }
        }
        _ => 0,
    }
}

/// The text before the last object of YAML, and where that begins, if the text ends in the middle of it.
fn of_yaml(text: &str, values: &UntypedValues) -> Option<(String, usize)> {
    let document = text.rfind("\n---").map_or(0, |at| at + 1);
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = document;
    for line in text[document..].split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let last_line = lines.iter().rfind(|(_, line)| !line.trim().is_empty())?.0;
    let ends_early = faults(values).any(|(at, is_at_end)| at >= last_line || is_at_end && at >= document);
    let has = |key: &str| lines.iter().any(|(_, line)| line.starts_with(key));
    let Some(list) = lines.iter().position(|(_, line)| line.trim_end() == "items:") else {
        return (ends_early && document > 0).then(|| (text[..document].to_owned(), document));
    };
    let dash = |line: &str| line.trim_start().starts_with("- ").then(|| line.len() - line.trim_start().len());
    let mut items = lines[list + 1..].iter();
    let indent = dash(items.clone().next()?.1)?;
    // `kubectl` prints the kind of a list behind its items.
    let (start, _) = items.rfind(|(_, line)| dash(line) == Some(indent)).filter(|_| ends_early || !has("kind:"))?;
    Some((text[..*start].to_owned(), *start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Manifests;

    /// As `kubectl get -A` prints them: the kind of the list is behind its items.
    const YAML: &str = "apiVersion: v1\nitems:\n\
        - apiVersion: operators.coreos.com/v1alpha1\n  kind: Subscription\n  metadata:\n    name: s\n    namespace: a\n\
        \x20 spec: {name: p, source: c, sourceNamespace: olm}\n\
        \x20 status: {installedCSV: p.v1.0.0, currentCSV: p.v1.0.0}\n\
        - apiVersion: operators.coreos.com/v1alpha1\n  kind: Subscription\n  metadata:\n    name: t\n    namespace: b\n\
        \x20 spec: {name: p, source: c, sourceNamespace: olm}\n\
        \x20 status: {installedCSV: p.v1.0.0, currentCSV: p.v1.0.0}\n\
        - apiVersion: operators.coreos.com/v1alpha1\n  kind: ClusterServiceVersion\n  metadata:\n    name: p.v1.0.0\n    namespace: a\n\
        \x20 spec: {version: 1.0.0, displayName: 'a\n      name'}\n\
        - apiVersion: operators.coreos.com/v1alpha1\n  kind: ClusterServiceVersion\n  metadata:\n    name: p.v1.0.0\n    namespace: b\n\
        \x20 spec: {version: 1.0.0}\nkind: List\nmetadata:\n  resourceVersion: ''\n";

    fn read(text: &str) -> (Manifests, Option<Cut>) {
        (crate::read(FileId(0), text), manifest_values(FileId(0), text).1)
    }

    /// What is read of a text: the Subscriptions, the CSVs that are there and those that are assumed, and whether there may be more
    /// Subscriptions.
    fn counts(text: &str) -> [usize; 4] {
        let cluster = read(text).0.cluster;
        let assumed = cluster.assumed_csvs();
        let more = usize::from(cluster.lacks_subscriptions);
        [cluster.subscriptions.len(), cluster.csvs.len() - assumed, assumed, more]
    }

    /// The text up to the last place of a word.
    fn until<'t>(text: &'t str, word: &str) -> &'t str {
        &text[..text.rfind(word).expect("the word") + word.len()]
    }

    #[test]
    fn a_whole_list_is_not_cut() {
        assert_eq!((read(YAML).1, counts(YAML)), (None, [2, 2, 0, 0]));
        let without_end = YAML.trim_end();
        assert_eq!((read(without_end).1, counts(without_end)), (None, [2, 2, 0, 0]));
    }

    #[test]
    fn the_objects_before_the_end_count_and_what_they_name_may_follow() {
        // In the second CSV, in the first one within a quoted text, and in the second Subscription.
        let second = until(YAML, "namespace: b");
        assert_eq!(counts(second), [2, 1, 1, 0]);
        assert_eq!(counts(until(YAML, "displayName: 'a")), [2, 0, 2, 0]);
        let subscription = &YAML[..YAML.find("name: t").expect("the second")];
        assert_eq!(counts(subscription), [1, 0, 1, 1]);
        let (manifests, cut) = read(second);
        assert_eq!(cut.map(|cut| cut.kind), Some("ClusterServiceVersion".into()));
        let said: Vec<_> = manifests.diagnostics.iter().map(|found| (found.severity, &*found.message)).collect();
        let message = "the input ends in the middle of an object of kind `ClusterServiceVersion`: what is before it is read, and \
                       what follows is not known";
        assert_eq!(said, [(Severity::Warning, message)]);
    }

    #[test]
    fn documents_and_json_are_cut_as_lists_are() {
        let object = |namespace: &str| {
            format!(
                "kind: Subscription\nmetadata: {{name: s, namespace: {namespace}}}\n\
                 spec: {{name: p, source: c, sourceNamespace: olm}}\n"
            )
        };
        let documents = format!("{}---\n{}", object("a"), object("b"));
        assert_eq!((read(&documents).1, counts(&documents)), (None, [2, 0, 0, 0]));
        assert_eq!(counts(until(&documents, "namespace: b")), [1, 0, 0, 1]);
        let nodes = fbc::untyped_values(FileId(0), YAML).nodes;
        let json = serde_json::to_string_pretty(&nodes[0].to_json(YAML).expect("a value")).expect("JSON");
        assert_eq!((read(&json).1, counts(&json)), (None, [2, 2, 0, 0]));
        let cut = until(&json, "\"namespace\": \"b");
        assert_eq!(counts(cut), [2, 1, 1, 0]);
        // The places are those of the whole text.
        let spans = |text: &str| read(text).0.places.into_values().map(|span| span.start).collect::<Vec<_>>();
        assert!(spans(cut).iter().all(|at| spans(&json).contains(at)) && spans(cut).len() == 3);
        assert_eq!(counts(until(&json, "\"items\": [")), [0, 0, 0, 0], "nothing is complete");
    }

    #[test]
    fn commands_in_a_transcript_are_left_out() {
        let object = |namespace: &str| {
            format!(
                "kind: Subscription\nmetadata:\n  name: s\n  namespace: {namespace}\n  annotations:\n    help: |\n      $ oc get pods\n\
                 spec: {{name: p, source: c, sourceNamespace: olm}}\n"
            )
        };
        let (a, b) = (object("a"), object("b"));
        let text =
            format!("$ kubectl -n a get subscription s -o yaml\n{a}$\n[root@host ~]# oc get sub -n b -o yaml\n{b}$\n");
        assert_eq!(counts(&text), [2, 0, 0, 0]);
        let at = text.find("kind: Subscription").expect("the first object");
        assert_eq!(read(&text).0.places.into_values().next().map(|span| span.start as usize), Some(at));
        let json = r#"{"kind": "Subscription", "metadata": {"name": "s", "namespace": "a"},"#;
        let json = format!("user@host:~$ kubectl get sub s -o json\n{json} \"spec\": {{\"name\": \"p\"}}}}\n");
        assert_eq!(counts(&json)[0], 1, "{json}");
        // A text that can be read as it is stays so.
        assert_eq!(counts(&a), [1, 0, 0, 0]);
    }

    #[test]
    fn what_stands_around_quoted_fenced_and_indented_objects_is_left_out() {
        let object = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: s, namespace: a}\n\
            spec:\n  name: p\n";
        let with = |mark: &str| object.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
        let (quoted, indented) = (with("> "), with("    "));
        let fenced = format!("> ```yaml\n{quoted}> ```\n");
        let other = object.replace("name: s", "name: t");
        for (text, count) in [
            (format!("I have this, and: it fails\n\n{quoted}\nAny idea?\n"), 1),
            (format!("Here it is:\n\n{indented}\nAny idea?\n"), 1),
            (format!("It says:\n{fenced}and this\n```\n$ kubectl get sub\n{other}```\n"), 2),
        ] {
            assert_eq!(counts(&text)[0], count, "{text}");
            let at = text.find("apiVersion").expect("an object");
            assert!(read(&text).0.places.into_values().any(|span| span.start as usize == at), "{text}");
        }
        // A text in an object may have the same marks.
        let own = format!("{object}  text: |\n    ```yaml\n    kind: a: b\n    ```\n\n    > quoted\n");
        assert_eq!(counts(&own)[0], 1);
        assert_eq!(counts(&with("  "))[0], 1, "all of it is indented");
    }

    #[test]
    fn a_fault_in_the_middle_is_no_end() {
        let broken = YAML.replace("kind: Subscription", "kind: a: b");
        assert!(read(&broken).1.is_none());
        let typed = "kind: A\nmetadata: {name: a}\n---\nkind: B: C\nmetadata: {name: b}\n";
        assert!(read(typed).1.is_none());
        assert!(read("kind: A\nmetadata: {name: 'a").1.is_none(), "nothing is before it");
    }
}
