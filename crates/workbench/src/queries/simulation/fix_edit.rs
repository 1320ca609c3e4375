//! Fixes as edits of the manifests or of a catalog's text.

use super::scenario::Scenario;
use crate::queries::inverse;
use crate::{FileInput, Workbench};
use fbc::{Node, TextEdit, TextEditor, Value};
use resolver::InputChange;
use source::Span;
use update_graph::Via;
use views::{FileKey, InputEdit, TextSplice};

/// The edit of the simulation's input that makes these changes; `None` if the input has no field for one of them.
pub(super) fn edit(workbench: &Workbench, scenario: &Scenario, changes: &[InputChange]) -> Option<InputEdit> {
    if changes.iter().any(|change| catalog_span(change).is_some()) {
        return edit_catalog(workbench, changes);
    }
    scenario.text.amend(&scenario.namespace, changes).map(InputEdit::Manifests)
}

/// The edit of a catalog's file that makes all `changes`. `None` if they are not all changes of one file, if the file is an
/// expanded template, or if the text has no such place.
fn edit_catalog(workbench: &Workbench, changes: &[InputChange]) -> Option<InputEdit> {
    let key = FileKey(catalog_span(changes.first()?)?.file.0);
    let (_, file) = workbench.file(key)?;
    let mut splices = Vec::new();
    for change in changes {
        let span = catalog_span(change).filter(|span| span.file.0 == key.0 && file.expanded_from.is_none())?;
        splices.extend(edits(file, span, change)?);
    }
    splices.sort_by_key(|splice| splice.span);
    splices.dedup();
    let apart = splices.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
    let view = |splice: TextEdit| TextSplice { start: splice.span.start, end: splice.span.end, text: splice.text };
    let splices: Vec<TextSplice> = splices.into_iter().map(view).collect();
    let undo = inverse(&file.text, &splices);
    apart.then_some(InputEdit::Catalog { file: key, splices, undo })
}

/// The place of a change in a catalog; `None` for other changes.
pub(super) fn catalog_span(change: &InputChange) -> Option<Span> {
    match change {
        InputChange::WidenRange { span, .. } | InputChange::AddEdge { span, .. } => *span,
        _ => None,
    }
}

fn edits(file: &FileInput, span: Span, change: &InputChange) -> Option<Vec<TextEdit>> {
    let document = file.served().docs.iter().find(|doc| doc.span.contains(span))?.span;
    let text = document.slice(&file.text);
    let moved = |span: Span, by: i64| {
        let at = |offset: u32| u32::try_from(i64::from(offset) + by).unwrap_or_default();
        Span::new(span.file, at(span.start), at(span.end))
    };
    let trees = fbc::untyped_values(document.file, text);
    let start = i64::from(document.start);
    let node = trees.nodes.iter().find_map(|node| mapping_at(node, moved(span, -start)))?;
    let splices = match change {
        InputChange::AddEdge { via: Via::Skips, value, .. } => {
            TextEditor { text }.change_list(node, "skips", &[], &[value])?
        }
        InputChange::AddEdge { via, value, .. } => TextEditor { text }.set(node, &[(via.as_str(), value)])?,
        InputChange::WidenRange { required, from, to, .. } => {
            let mut found = Vec::new();
            ranges(node, (required.as_str(), from), &mut found);
            found.into_iter().map(|old| TextEditor { text }.scalar(old, to)).collect()
        }
        _ => return None,
    };
    let back = |splice: TextEdit| TextEdit { span: moved(splice.span, start), ..splice };
    Some(splices.into_iter().map(back).collect()).filter(|splices: &Vec<TextEdit>| !splices.is_empty())
}

/// The innermost mapping that contains a span.
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

/// The nodes with this range of a required package, in a property or in any of its constraints.
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

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::{example, form, workbench};
    use views::{FileKey, FixView, InputEdit, SimulationView, SubscriptionForm, TextSplice};

    /// The fixes of a conflict of the first step.
    fn fixes(view: &SimulationView) -> Vec<FixView> {
        let step = view.outcomes.first().and_then(|outcome| outcome.steps.first());
        step.and_then(|step| step.failure.as_ref()).map(|failure| failure.fixes.clone()).unwrap_or_default()
    }

    fn spliced(text: &str, splices: &[TextSplice]) -> String {
        let mut text = text.to_owned();
        for splice in splices.iter().rev() {
            text.replace_range(splice.start as usize..splice.end as usize, &splice.text);
        }
        text
    }

    #[test]
    fn every_fix_of_manifests_resolves_the_conflict() {
        let mut tried = 0;
        for slug in crate::queries::examples::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            let before = workbench.cluster_manifests().0.to_owned();
            for fix in fixes(&workbench.simulate("")) {
                let Some(InputEdit::Manifests(splices)) = fix.edit else { continue };
                let text = spliced(&before, &splices);
                workbench.set_cluster(&text);
                let view = workbench.simulate("");
                let findings = view.manifests.iter().flat_map(|read| &read.findings).count();
                assert_eq!((findings, fixes(&view)), (0, Vec::new()), "{slug}: {}\n{text}", fix.text);
                tried += 1;
            }
        }
        assert!(tried > 20, "only {tried} fixes were tried");
    }

    #[test]
    fn every_fix_of_a_catalog_resolves_the_conflict_and_can_be_undone() {
        let (mut tried, mut left) = (0, Vec::new());
        for slug in crate::queries::examples::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            for fix in fixes(&workbench.simulate("")) {
                let is_in_catalog = fix.place.is_some_and(|place| place.file != FileKey::MANIFESTS);
                let Some(InputEdit::Catalog { file, splices, undo }) = fix.edit else {
                    left.extend(is_in_catalog.then_some(fix.text));
                    continue;
                };
                let text = |workbench: &Workbench| workbench.file(file).unwrap().1.text.clone();
                let before = text(&workbench);
                for TextSplice { start, end, text } in splices.iter().rev() {
                    workbench.edit(file, *start..*end, text);
                }
                assert_eq!(text(&workbench), spliced(&before, &splices));
                assert_eq!(fixes(&workbench.simulate("")), [], "{slug}: {}\n{}", fix.text, text(&workbench));
                for TextSplice { start, end, text } in undo.iter().rev() {
                    workbench.edit(file, *start..*end, text);
                }
                assert_eq!(text(&workbench), before);
                tried += 1;
            }
        }
        assert_eq!((tried, left.len()), (3, 0), "{left:?}");
    }

    #[test]
    fn a_subscription_and_its_csv_are_deleted_in_one_sentence() {
        let catalog = "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0 requires b >=3.0.0\npackage b c\nchannel b c b.v3.0.0>b.v2.0.0 \
                       b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0\nbundle b 3.0.0";
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let view = workbench(&[("c", catalog)]).with_form(&form(&[row("a", ""), row("b", "b.v1.0.0")])).simulate("");
        let texts: Vec<String> = fixes(&view).into_iter().map(|fix| fix.text).collect();
        let expected = "delete Subscription `b` and its CSV `b.v1.0.0`, which uninstalls the operator";
        assert!(texts.iter().any(|text| text == expected), "{texts:#?}");
    }
}
