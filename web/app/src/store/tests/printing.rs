//! What is on paper alone comes and goes.

use super::*;

#[test]
fn printing_asks_nothing_and_leaves_all_as_it_was() {
    let before = Page::with(&["a"]).hear(1, graph(key(1, "a")));
    let state = before.state.clone();
    let printing = before.on(Action::Page(PageAction::Printed { begins: true }));
    assert!(printing.state.printing && printing.effects.is_empty(), "what is on paper is there at once");
    let after = printing.on(Action::Page(PageAction::Printed { begins: false }));
    assert_eq!((after.state, after.effects), (state, vec![]));
}
