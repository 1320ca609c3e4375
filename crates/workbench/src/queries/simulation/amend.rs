//! Changes to a catalog as edits of its text, to be tried and taken back.

use crate::{FileInput, Workbench};
use fbc::{Node, Rewrite, Splice, Value};
use resolver::Change;
use source::Span;
use update_graph::Via;
use views::{FileKey, TextSplice, Trial};

/// The edits that make `changes`, all of one file; nothing if one of them is none to a catalog, or to a text that is not
/// written by hand, or if what it changes is not there.
pub(super) fn amend_catalog(workbench: &Workbench, changes: &[Change]) -> Option<Trial> {
    let key = FileKey(place(changes.first()?)?.file.0);
    let (_, file) = workbench.file(key)?;
    let mut splices = Vec::new();
    for change in changes {
        let span = place(change).filter(|span| span.file.0 == key.0 && file.expanded_from.is_none())?;
        splices.extend(edits(file, span, change)?);
    }
    splices.sort_by_key(|splice| splice.span);
    splices.dedup();
    let apart = splices.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    let view =
        |splice: &Splice| TextSplice { start: splice.span.start, end: splice.span.end, text: splice.text.clone() };
    apart.then(|| Trial::Catalog {
        file: key,
        splices: splices.iter().map(view).collect(),
        back: taking_back(&file.text, &splices),
    })
}

/// The place of a change in a catalog.
pub(super) fn place(change: &Change) -> Option<Span> {
    match change {
        Change::WidenRange { span, .. } | Change::AddEdge { span, .. } => *span,
        _ => None,
    }
}

fn edits(file: &FileInput, span: Span, change: &Change) -> Option<Vec<Splice>> {
    let document = file.served().docs.iter().find(|doc| doc.span.contains(span))?.span;
    let text = document.slice(&file.text);
    let moved = |span: Span, by: i64| {
        let at = |offset: u32| u32::try_from(i64::from(offset) + by).unwrap_or_default();
        Span::new(span.file, at(span.start), at(span.end))
    };
    let trees = fbc::trees(document.file, text);
    let start = i64::from(document.start);
    let node = trees.nodes.iter().find_map(|node| mapping_at(node, moved(span, -start)))?;
    let splices = match change {
        Change::AddEdge { via: Via::Skips, value, .. } => vec![Rewrite { text }.push(node, "skips", value)?],
        Change::AddEdge { via, value, .. } => Rewrite { text }.set(node, &[(via.as_str(), value)])?,
        Change::WidenRange { required, from, to, .. } => {
            let mut found = Vec::new();
            ranges(node, (required.as_str(), from), &mut found);
            found.into_iter().map(|old| Rewrite { text }.scalar(old, to)).collect()
        }
        _ => return None,
    };
    let back = |splice: Splice| Splice { span: moved(splice.span, start), ..splice };
    Some(splices.into_iter().map(back).collect()).filter(|splices: &Vec<Splice>| !splices.is_empty())
}

/// The innermost mapping around a place.
fn mapping_at(node: &Node, span: Span) -> Option<&Node> {
    if !node.span.contains(span) {
        return None;
    }
    match &node.value {
        Value::Sequence(items) => items.iter().find_map(|item| mapping_at(item, span)),
        Value::Mapping(entries) => entries.iter().find_map(|(_, value)| mapping_at(value, span)).or(Some(node)),
        _ => None,
    }
}

/// The ranges of a package that are written so, in a property or in any of its constraints.
fn ranges<'a>(node: &'a Node, (package, range): (&str, &str), found: &mut Vec<&'a Node>) {
    let written = node.get("versionRange").filter(|written| written.as_str() == Some(range));
    if node.get("packageName").and_then(Node::as_str) == Some(package) {
        found.extend(written);
    }
    match &node.value {
        Value::Sequence(items) => items.iter().for_each(|item| ranges(item, (package, range), found)),
        Value::Mapping(entries) => entries.iter().for_each(|(_, value)| ranges(value, (package, range), found)),
        _ => {}
    }
}

/// The edits that make the text again what it was.
fn taking_back(text: &str, splices: &[Splice]) -> Vec<TextSplice> {
    // So many bytes were put in, and taken out, before.
    let (mut gained, mut lost) = (0, 0);
    let back = |Splice { span, text: new }: &Splice| {
        let (old, start) = (span.slice(text), span.start + gained - lost);
        gained += new.len() as u32;
        lost += old.len() as u32;
        TextSplice { start, end: start + new.len() as u32, text: old.to_owned() }
    };
    splices.iter().map(back).collect()
}
