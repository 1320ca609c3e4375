//! Fixes as edits of the manifests or of a catalog's text.

use super::scenario::Scenario;
use cluster::InputChange;
use session::Author;
use session::Workbench;
use session::{entries_change, offered_edit};
use source::Span;
use update_graph::ChannelEdit;
use views::{CatalogChange, CatalogId, FileKey, InputEdit};

/// The edit of the simulation's input that makes these changes; `None` if the input has no field for one of them.
pub(super) fn edit(workbench: &Workbench, scenario: &Scenario, changes: &[InputChange]) -> Option<InputEdit> {
    if changes.iter().any(|change| catalog_span(change).is_some()) {
        return edit_catalog(workbench, changes);
    }
    scenario.text.amend(&scenario.namespace, changes).map(InputEdit::Manifests)
}

/// The changes of one catalog as an offer. `None` if they are not all changes of one catalog, or if its text leaves no edit.
fn edit_catalog(workbench: &Workbench, changes: &[InputChange]) -> Option<InputEdit> {
    let found: Vec<(CatalogId, CatalogChange)> =
        changes.iter().map(|change| catalog_change(workbench, change)).collect::<Option<_>>()?;
    let (id, _) = *found.first()?;
    let is_one = found.iter().all(|(other, _)| *other == id);
    is_one.then(|| offered_edit(id, found.into_iter().map(|(_, change)| change)))
}

/// The place of a change in a catalog; `None` for other changes.
pub(super) fn catalog_span(change: &InputChange) -> Option<Span> {
    match change {
        InputChange::WidenRange { span, .. } | InputChange::EditEntry { span, .. } => *span,
        _ => None,
    }
}

/// The catalog that a change is about, and the change, if the text leaves an edit.
fn catalog_change(workbench: &Workbench, change: &InputChange) -> Option<(CatalogId, CatalogChange)> {
    let place = catalog_span(change)?;
    let (catalog, _) = workbench.file(FileKey(place.file.0))?;
    let change = match change {
        InputChange::EditEntry { package, channel, edit, .. } => {
            let author = Author { catalog, package: package.as_str() };
            let found = catalog.analysis.catalog.package(package.as_str())?.channel(channel.as_str())?;
            author.edited_channel(found, &ChannelEdit::of(channel, vec![edit.clone()]), None).ok()?;
            entries_change(package.as_str(), channel.as_str(), std::slice::from_ref(edit))
        }
        InputChange::WidenRange { package, bundle, required, from, to, .. } => {
            let author = Author { catalog, package: package.as_str() };
            author.requirement(place, required.as_str(), [from, to]).ok()?;
            let [package, bundle, required] = [package.as_str(), bundle.as_str(), required.as_str()].map(str::to_owned);
            CatalogChange::Range { package, bundle, required, from: from.to_string(), to: to.to_string() }
        }
        _ => return None,
    };
    Some((catalog.id, change))
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::Workbench;
    use session::testing::{click, example, workbench};
    use views::{FileKey, FixView, InputEdit, SimulationView, SubscriptionForm, TextEdit};

    /// The fixes of a conflict of the first step.
    fn fixes(view: &SimulationView) -> Vec<FixView> {
        let step = view.outcomes.first().and_then(|outcome| outcome.steps.first());
        step.and_then(|step| step.failure.as_ref()).map(|failure| failure.fixes.clone()).unwrap_or_default()
    }

    #[test]
    fn every_fix_of_manifests_resolves_the_conflict() {
        let mut tried = 0;
        for slug in session::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            let before = workbench.cluster_manifests().0.to_owned();
            for fix in fixes(&simulate(&workbench, "")) {
                let Some(InputEdit::Manifests(splices)) = fix.edit else { continue };
                let text = TextEdit::applied(&splices, &before).unwrap();
                workbench.set_cluster(&text);
                let view = simulate(&workbench, "");
                let findings = view.manifests.iter().flat_map(|read| &read.findings).count();
                assert_eq!((findings, fixes(&view)), (0, Vec::new()), "{slug}: {}\n{text}", fix.text);
                tried += 1;
            }
        }
        assert!(tried > 15, "only {tried} fixes were tried");
    }

    #[test]
    fn every_fix_of_a_catalog_resolves_the_conflict_and_can_be_undone() {
        let (mut tried, mut left) = (0, Vec::new());
        for slug in session::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            for fix in fixes(&simulate(&workbench, "")) {
                let is_in_catalog = fix.place.is_some_and(|place| place.file != FileKey::MANIFESTS);
                if !matches!(fix.edit, Some(InputEdit::Catalog { .. })) {
                    left.extend(is_in_catalog.then_some(fix.text));
                    continue;
                }
                let texts = |workbench: &Workbench| {
                    let files = workbench.catalogs().iter().flat_map(|catalog| &catalog.files);
                    files.map(|file| file.text.clone()).collect::<Vec<String>>()
                };
                let before = texts(&workbench);
                let undo = click(&mut workbench, &fix);
                assert_eq!(fixes(&simulate(&workbench, "")), [], "{slug}: {}\n{:?}", fix.text, texts(&workbench));
                workbench.edit_files(&undo);
                assert_eq!(texts(&workbench), before);
                tried += 1;
            }
        }
        assert_eq!((tried, left.len()), (3, 0), "{left:?}");
    }

    #[test]
    fn nothing_is_uninstalled_while_something_else_helps() {
        let catalog = "package a c\nchannel a c a.v1.0.0\nbundle a 1.0.0 requires b >=3.0.0\npackage b c\nchannel b c b.v3.0.0>b.v2.0.0 \
                       b.v2.0.0>b.v1.0.0 b.v1.0.0\nbundle b 1.0.0\nbundle b 2.0.0\nbundle b 3.0.0";
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let view = simulate(&with_form(workbench(&[("c", catalog)]), &form(&[row("a", ""), row("b", "b.v1.0.0")])), "");
        let texts: Vec<String> = fixes(&view).into_iter().map(|fix| fix.text).collect();
        let later = "take Subscription `a` out, and add it again once `b.v3.0.0` is installed";
        assert!(texts.contains(&later.to_owned()));
        assert!(texts.iter().all(|text| !text.contains("uninstalls")), "{texts:#?}");
    }
}
