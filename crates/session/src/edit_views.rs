//! Edits, and why there is none, as the page and programs get them.

use release::Refusal;
use update_graph::Edit;
use views::{EditView, Place, RefusedView};

/// A refusal as the page and programs get it.
pub fn refused(Refusal { reason, sentence, instead, .. }: &Refusal) -> RefusedView {
    RefusedView { id: reason.id().to_owned(), sentence: sentence.clone(), instead: instead.clone() }
}

/// An edit as the page and programs get it.
pub fn edit_view(edit: &Edit, place: Option<Place>) -> EditView {
    EditView {
        edit: edit.change.kind().to_owned(),
        entry: edit.entry.to_string(),
        value: edit.change.value().map(str::to_owned),
        text: edit.describe(),
        place,
    }
}
