//! A repair as edits of the text of a file.
//!
//! Nothing is taken on trust: the edited document is read again, and has to say exactly what was meant. So an edit that changes
//! more, as that of an anchor whose aliases are entries too, is refused.

use crate::diff::diff_of_part;
use catalog::{BundleName, Channel, Entry, ParsedFile, lower};
use fbc::{Doc, Rewriter, TextEdit, with_line_ends};
use source::{Rewrite, Span};
use std::collections::BTreeSet;

/// The edits of a text that bring a channel to another state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedText {
    /// The edits, in the order of the text and apart from each other.
    pub edits: Vec<TextEdit>,
    /// The changed lines of the file with some around them, as [`diff`](crate::diff()) has them.
    pub diff: String,
}

/// The changes of a text that give an entry the fields of another one.
#[must_use]
pub fn rewrites(before: &Entry, after: &Entry) -> Vec<Rewrite> {
    let mapping = before.span;
    let field = |field: &'static str, old: Option<(&str, Span)>, new: Option<&str>| match (old, new) {
        (Some((old, _)), Some(new)) if old == new => None,
        (_, Some(new)) => Some(Rewrite::Set { mapping, within: None, field, text: new.to_owned() }),
        (Some((_, span)), None) => Some(Rewrite::Remove { span }),
        (None, None) => None,
    };
    let replaces = |entry: &'_ Entry| entry.replaces.clone().map(|name| (name.value.to_string(), name.span));
    let range = |entry: &'_ Entry| entry.skip_range.clone().map(|range| (range.value.text.to_string(), range.span));
    let changed = |name: &'static str, of: &dyn Fn(&Entry) -> Option<(String, Span)>| {
        let (old, new) = (of(before), of(after));
        field(
            name,
            old.as_ref().map(|(text, span)| (text.as_str(), *span)),
            new.as_ref().map(|(text, _)| text.as_str()),
        )
    };
    let names = |of: &Entry, other: &Entry| -> Vec<String> {
        let others: BTreeSet<&BundleName> = other.skips.iter().map(|name| &name.value).collect();
        let mut known = BTreeSet::new();
        let own = of.skips.iter().map(|name| &name.value);
        let own = own.filter(|name| !others.contains(name) && known.insert(*name));
        own.map(ToString::to_string).collect()
    };
    let (removed, added) = (names(before, after), names(after, before));
    let has_skips = !removed.is_empty() || !added.is_empty();
    changed("replaces", &replaces)
        .into_iter()
        .chain(has_skips.then_some(Rewrite::List { mapping, list: "skips", removed, added }))
        .chain(changed("skipRange", &range))
        .collect()
}

/// The edits of a text that bring a channel in it to another state, of which only fields of entries differ. `docs` are the
/// documents of the text.
///
/// `None` if the text leaves no simple edit, or says something else after the edits.
#[must_use]
pub fn applied_text(text: &str, docs: &[Doc], before: &Channel, after: &Channel) -> Option<AppliedText> {
    let pairs = before.entries.iter().zip(after.entries.iter());
    let changes: Vec<Rewrite> = pairs.flat_map(|(before, after)| rewrites(before, after)).collect();
    let mut edits = Rewriter::new(text, docs).edits(&changes)?;
    for edit in &mut edits {
        edit.text = with_line_ends(text, edit.span.start, &edit.text);
    }
    // The last line of a document may end behind it.
    let end = edits.iter().map(|edit| edit.span.end).max().unwrap_or_default();
    let document = Span::new(before.span.file, before.span.start, before.span.end.max(end));
    let mut new = document.slice(text).to_owned();
    for edit in edits.iter().rev() {
        if !document.contains(edit.span) {
            return None;
        }
        let [start, end] = [edit.span.start, edit.span.end].map(|at| (at - document.start) as usize);
        new.replace_range(start..end, &edit.text);
    }
    says_the_same(&read_again(document, &new)?, after)
        .then(|| AppliedText { diff: diff_of_part(text, document.start as usize..document.end as usize, &new), edits })
}

/// The channel in the text of one document.
fn read_again(document: Span, text: &str) -> Option<Channel> {
    let parse = fbc::parse(document.file, text);
    let (mut catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
    let is_one = parse.docs.len() == 1 && parse.diagnostics.iter().all(|found| found.opm.is_none());
    is_one.then(|| catalog.packages.pop()?.channels.first().cloned()).flatten()
}

/// Whether two states of a channel have the same entries, wherever and in whichever order they stand.
#[must_use]
pub fn says_the_same(one: &Channel, other: &Channel) -> bool {
    let fields = |entry: &Entry| {
        let skips: BTreeSet<BundleName> = entry.skips.iter().map(|name| name.value.clone()).collect();
        let replaces = entry.replaces.as_ref().map(|name| name.value.clone());
        let range = entry.skip_range.as_ref().map(|range| range.value.text.clone());
        (entry.name.value.clone(), replaces, skips, range)
    };
    let entries = |channel: &Channel| {
        let mut entries: Vec<_> = channel.entries.iter().map(fields).collect();
        entries.sort();
        entries
    };
    one.name.value == other.name.value && entries(one) == entries(other)
}
