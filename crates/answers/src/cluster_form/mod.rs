//! The form: a view of the manifests. It is read from their text, and edits the text where it says something else.

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
use std::rc::Rc;
use views::{ClusterForm, TextEdit};

/// The namespace of Subscriptions in manifests that have none yet.
const NAMESPACE: &str = "operators";

/// Brings the manifests to a form.
pub fn apply_form(workbench: &mut Workbench, namespace: &str, form: &ClusterForm) {
    let manifests = Rc::clone(workbench.manifests());
    let known = Known::of(workbench, &manifests.objects);
    let text = edit::edited(&known, &manifests, namespace, form);
    workbench.set_cluster(&text);
}

/// The manifests as a form, with the Subscriptions of a namespace; without Subscriptions there, with those of the first
/// namespace that has some. Rows without a package are there, too.
#[must_use]
pub fn form(workbench: &Workbench, namespace: &str) -> ClusterForm {
    let manifests = workbench.manifests();
    let known = Known::of(workbench, &manifests.objects);
    read::form(&known, &Objects::of(manifests.text(), manifests.nodes(), namespace))
}

/// The edits of the manifests after which [`form`](Self::form) reads this form in them. The rest of the text stays as it is.
#[must_use]
pub fn form_edits(workbench: &Workbench, namespace: &str, form: &ClusterForm) -> Vec<TextEdit> {
    let manifests = workbench.manifests();
    let known = Known::of(workbench, &manifests.objects);
    let edited = edit::edited(&known, manifests, namespace, form);
    difference(manifests.text(), &edited).into_iter().collect()
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
