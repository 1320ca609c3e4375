//! Fixes as edits of the manifests or of a catalog's text.

use super::scenario::Scenario;
use crate::Workbench;
use crate::authoring::Author;
use resolver::InputChange;
use source::Span;
use update_graph::ChannelEdit;
use views::{FileEdit, FileKey, InputEdit};

/// The edit of the simulation's input that makes these changes; `None` if the input has no field for one of them.
pub(super) fn edit(workbench: &Workbench, scenario: &Scenario, changes: &[InputChange]) -> Option<InputEdit> {
    if changes.iter().any(|change| catalog_span(change).is_some()) {
        return edit_catalog(workbench, changes);
    }
    scenario.text.amend(&scenario.namespace, changes).map(InputEdit::Manifests)
}

/// The edit of a catalog's file that makes all `changes`. `None` if they are not all changes of one file, or if the text has no
/// such place.
fn edit_catalog(workbench: &Workbench, changes: &[InputChange]) -> Option<InputEdit> {
    let edits: Option<Vec<Vec<FileEdit>>> = changes.iter().map(|change| edits(workbench, change)).collect();
    workbench.offered(&edits?.concat())
}

/// The place of a change in a catalog; `None` for other changes.
pub(super) fn catalog_span(change: &InputChange) -> Option<Span> {
    match change {
        InputChange::WidenRange { span, .. } | InputChange::EditEntry { span, .. } => *span,
        _ => None,
    }
}

fn edits(workbench: &Workbench, change: &InputChange) -> Option<Vec<FileEdit>> {
    let place = catalog_span(change)?;
    let (catalog, _) = workbench.file(FileKey(place.file.0))?;
    match change {
        InputChange::EditEntry { package, channel, edit, .. } => {
            let author = Author { catalog, package: package.as_str() };
            let found = catalog.analysis.catalog.package(package.as_str())?.channel(channel.as_str())?;
            let (file, _, text) =
                author.edited_channel(found, &ChannelEdit::of(channel, vec![edit.clone()]), None).ok()?;
            Some(vec![FileEdit { file, splices: text.edits }])
        }
        InputChange::WidenRange { package, required, from, to, .. } => {
            Author { catalog, package: package.as_str() }.requirement(place, required.as_str(), [from, to]).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Workbench;
    use crate::testing::{example, form, workbench};
    use views::{FileEdit, FileKey, FixView, InputEdit, SimulationView, SubscriptionForm, TextEdit};

    /// The fixes of a conflict of the first step.
    fn fixes(view: &SimulationView) -> Vec<FixView> {
        let step = view.outcomes.first().and_then(|outcome| outcome.steps.first());
        step.and_then(|step| step.failure.as_ref()).map(|failure| failure.fixes.clone()).unwrap_or_default()
    }

    #[test]
    fn every_fix_of_manifests_resolves_the_conflict() {
        let mut tried = 0;
        for slug in crate::queries::examples::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            let before = workbench.cluster_manifests().0.to_owned();
            for fix in fixes(&workbench.simulate("")) {
                let Some(InputEdit::Manifests(splices)) = fix.edit else { continue };
                let text = TextEdit::applied(&splices, &before).unwrap();
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
                workbench.edit_files(&[FileEdit { file, splices: splices.clone() }]);
                assert_eq!(text(&workbench), TextEdit::applied(&splices, &before).unwrap());
                assert_eq!(fixes(&workbench.simulate("")), [], "{slug}: {}\n{}", fix.text, text(&workbench));
                workbench.edit_files(&[FileEdit { file, splices: undo }]);
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
