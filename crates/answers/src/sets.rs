//! Sets with what is wrong with them.

use openshift::sets::check;
use session::{SetInput, Workbench, changes};
use source::Executor;
use views::{SetId, SetView};

/// A set with what is wrong with it.
#[must_use]
pub fn set_view(workbench: &Workbench, id: SetId) -> SetView {
    let Some(input) = workbench.sets().iter().find(|input| input.id == id) else { return SetView::default() };
    let findings = input.findings.get_or_init(|| check(&input.set, Executor::default()));
    let view = input.set.view(id, findings, &input.waiting, str::to_owned);
    let is_whole = input.waiting.is_empty() && !input.is_baseline;
    let before = baseline_set(workbench).filter(|before| is_whole && before.waiting.is_empty());
    let changes = before.map(|before| changes(&before.set, &input.set, Executor::default()));
    SetView { before: before.map(|before| before.id), changes, ..view }
}

/// The set that others are compared with.
fn baseline_set(workbench: &Workbench) -> Option<&SetInput> {
    workbench.sets().iter().find(|input| input.is_baseline)
}
