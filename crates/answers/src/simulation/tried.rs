//! What OLM does after a change that is not made.

use super::simulate;
use crate::form_edits;
use session::Workbench;
use views::{FormChange, InputEdit, SimulationView, TriedChange};

/// What OLM does in a namespace after a change, which is taken back before this returns.
///
/// # Errors
///
/// Why the change cannot be made, and what to do.
pub fn try_change(
    workbench: &mut Workbench,
    namespace: &str,
    change: &TriedChange,
) -> Result<Box<SimulationView>, String> {
    match change {
        TriedChange::Edit(edit) => workbench.after(edit, |workbench| Box::new(simulate(workbench, namespace))),
        TriedChange::Form(changes) => after_form(workbench, namespace, changes),
    }
}

/// The same after changes of the form, each of which is made in the text that the one before it leaves.
fn after_form(
    workbench: &mut Workbench,
    namespace: &str,
    changes: &[FormChange],
) -> Result<Box<SimulationView>, String> {
    let Some((first, rest)) = changes.split_first() else { return Ok(Box::new(simulate(workbench, namespace))) };
    let edit = InputEdit::Manifests(form_edits(workbench, namespace, first));
    workbench.after(&edit, |workbench| after_form(workbench, namespace, rest))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{form, with_form};
    use session::testing::{example, workbench};
    use views::{FormPlace, SubscriptionField, SubscriptionForm};

    fn texts(workbench: &Workbench) -> Vec<String> {
        let files = workbench.catalogs().iter().flat_map(|catalog| &catalog.files);
        let texts = files.map(|file| file.text.clone());
        texts.chain([workbench.cluster_manifests().0.to_owned()]).collect()
    }

    #[test]
    fn each_fix_of_each_example_leads_where_it_says_and_changes_nothing() {
        let mut tried = 0;
        for slug in session::examples().iter().flat_map(|theme| &theme.examples).map(|row| &row.slug) {
            let mut workbench = example(slug);
            let (before, view) = (texts(&workbench), simulate(&workbench, ""));
            let failures =
                view.outcomes.iter().flat_map(|outcome| &outcome.steps).filter_map(|step| step.failure.as_ref());
            for fix in failures.flat_map(|failure| &failure.fixes).filter(|fix| !fix.fails) {
                let Some(edit) = fix.edit.clone() else { continue };
                let after = try_change(&mut workbench, "", &TriedChange::Edit(edit)).unwrap();
                let is_solved =
                    after.outcomes.iter().flat_map(|outcome| &outcome.steps).all(|step| step.failure.is_none());
                assert!(is_solved && !after.changes_since(&view).is_empty(), "{slug}: {}", fix.text);
                assert_eq!((texts(&workbench), simulate(&workbench, "")), (before.clone(), view.clone()), "{slug}");
                tried += 1;
            }
        }
        assert!(tried > 15, "only {tried} fixes were tried");
    }

    #[test]
    fn changes_of_the_form_are_made_one_after_the_other() {
        let catalog = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";
        let row = SubscriptionForm { package: "p".to_owned(), ..SubscriptionForm::default() };
        let mut workbench = with_form(workbench(&[("c", catalog)]), &form(&[row]));
        let before = simulate(&workbench, "");
        let set = |field: SubscriptionField, text: &str| FormChange::Set {
            at: FormPlace::Subscription(0, field),
            text: text.to_owned(),
        };
        let changes = vec![set(SubscriptionField::Installed, "1.0.0"), set(SubscriptionField::Approval, "Manual")];
        let after = try_change(&mut workbench, "", &TriedChange::Form(changes)).unwrap();
        let rows: Vec<String> =
            after.changes_since(&before).into_iter().map(|row| format!("{} {}", row.name, row.verdict)).collect();
        assert_eq!(rows, ["p ends at 1.2.0 after 2 approvals"]);
        assert_eq!(simulate(&workbench, ""), before);
    }

    #[test]
    fn what_cannot_be_made_says_why() {
        let mut workbench = workbench(&[]);
        let edit = InputEdit::Manifests(vec![views::TextEdit { start: 5, end: 9, text: String::new() }]);
        let refused = try_change(&mut workbench, "", &TriedChange::Edit(edit)).unwrap_err();
        assert_eq!(refused, "the manifests are others than when this was offered");
    }
}
