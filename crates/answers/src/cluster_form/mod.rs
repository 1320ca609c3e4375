//! The form: a view of the manifests, whose text is the truth. A change of the form edits one value of it, or a document.

mod document;
mod edit;
mod fault;
mod field;
mod known;
mod read;

pub(super) use fault::{faults, is_unfinished};
use field::Objects;
use known::Known;
use session::Workbench;
use views::{ClusterForm, FormChange, TextEdit};

/// The namespace of Subscriptions in manifests that have none yet.
const NAMESPACE: &str = "operators";

/// The manifests as a form, with the Subscriptions of a namespace; without Subscriptions there, with those of the first
/// namespace that has some. Rows without a package are there, too.
#[must_use]
pub fn form(workbench: &Workbench, namespace: &str) -> ClusterForm {
    let manifests = workbench.manifests();
    read::form(&Objects::of(manifests.text(), manifests.nodes(), namespace))
}

/// The edits of the manifests that make a change of the form. The rest of the text stays as it is.
#[must_use]
pub fn form_edits(workbench: &Workbench, namespace: &str, change: &FormChange) -> Vec<TextEdit> {
    let text = workbench.manifests().text();
    // OLM resolves nothing in a namespace without an OperatorGroup.
    let with_group = text.trim().is_empty();
    difference(text, &with_change(workbench, namespace, change, with_group)).into_iter().collect()
}

/// Sets manifests with these rows: a Subscription or a ClusterExtension for each.
pub fn set_form(workbench: &mut Workbench, form: &ClusterForm) {
    workbench.set_cluster("");
    let targets = form.target_namespaces.iter().cloned().map(FormChange::Targets);
    let subscriptions = form.subscriptions.iter().cloned().map(|row| FormChange::AddSubscription(Box::new(row)));
    let extensions = form.extensions.iter().cloned().map(|row| FormChange::AddExtension(Box::new(row)));
    for change in targets.chain(subscriptions).chain(extensions) {
        let text = with_change(workbench, "", &change, false);
        workbench.set_cluster(&text);
    }
}

fn with_change(workbench: &Workbench, namespace: &str, change: &FormChange, with_group: bool) -> String {
    let manifests = workbench.manifests();
    let known = Known::of(workbench, &manifests.objects);
    edit::edited(&known, manifests, namespace, change, with_group)
}

/// The edit that makes the new text of the old one; `None` if they are the same.
fn difference(old: &str, new: &str) -> Option<TextEdit> {
    let start = old.char_indices().zip(new.chars()).find(|((_, one), other)| one != other);
    let start = start.map_or(old.len().min(new.len()), |((at, _), _)| at);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let same = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|(one, other)| one == other);
    let end: usize = same.map(|(character, _)| character.len_utf8()).sum();
    let splice = TextEdit {
        start: start as u32,
        end: (old.len() - end) as u32,
        text: new_rest[..new_rest.len() - end].to_owned(),
    };
    (old != new).then_some(splice)
}

#[cfg(test)]
mod tests;
