//! Printing.

use super::*;

#[test]
fn printing_sends_no_request_and_changes_nothing() {
    let before = Page::with(&["a"]).answer(1, graph(key(1, "a")));
    let state = before.state.clone();
    let printing = before.on(PageAction::Printed { begins: true });
    assert!(printing.state.printing && printing.effects.is_empty(), "what is on paper is there at once");
    let after = printing.on(PageAction::Printed { begins: false });
    assert_eq!((after.state, after.effects), (state, vec![]));
}
