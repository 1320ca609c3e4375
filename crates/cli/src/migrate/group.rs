//! Subscriptions with the same answer: what is the same is printed once, and below it what each of them has for itself.

use std::collections::BTreeMap;
use views::{CheckOutcomeView, EligibilityView, MigrationNote, MigrationRow, MigrationView};

/// Subscriptions that differ in nothing but names and notes.
pub(super) struct Group<'v> {
    /// The first one, for what is the same in all.
    pub(super) first: &'v MigrationRow,
    pub(super) notes: Vec<&'v MigrationNote>,
    /// All of them, by namespace and name.
    pub(super) members: Vec<Member<'v>>,
}

/// A Subscription of a group.
pub(super) struct Member<'v> {
    pub(super) row: &'v MigrationRow,
    /// The notes that not all Subscriptions of the group have.
    pub(super) notes: Vec<&'v MigrationNote>,
}

/// The groups, in the order of their first Subscriptions.
pub(super) fn groups(view: &MigrationView) -> Vec<Group<'_>> {
    let mut groups: Vec<Vec<&MigrationRow>> = Vec::new();
    let mut by_summary: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for row in &view.subscriptions {
        let alike = by_summary.entry((&row.package, &row.installed, &row.summary)).or_default();
        match alike.iter().copied().find(|&at| has_same_answer(groups[at][0], row)) {
            Some(at) => groups[at].push(row),
            None => {
                alike.push(groups.len());
                groups.push(vec![row]);
            }
        }
    }
    groups.into_iter().filter_map(Group::of).collect()
}

fn has_same_answer(one: &MigrationRow, other: &MigrationRow) -> bool {
    let answer = |row: &MigrationRow| (row.package_key.clone(), row.verdict, row.differs);
    answer(one) == answer(other)
        && ended(&one.eligibility) == ended(&other.eligibility)
        && [&one.v0, &one.v1] == [&other.v0, &other.v1]
        && one.bundles == other.bundles
        && one.crds == other.crds
}

/// A verdict of the migration tool without its texts, which name the Subscription.
fn ended(view: &EligibilityView) -> (&str, Vec<(&str, CheckOutcomeView)>) {
    (&view.state, view.checks.iter().map(|check| (check.name.as_str(), check.outcome)).collect())
}

impl<'v> Group<'v> {
    fn of(rows: Vec<&'v MigrationRow>) -> Option<Self> {
        let first = *rows.first()?;
        let is_shared = |note: &MigrationNote| rows.iter().all(|row| row.notes.contains(note));
        let (notes, _): (Vec<_>, Vec<_>) = first.notes.iter().partition(|note| is_shared(note));
        let own = |row: &'v MigrationRow| row.notes.iter().filter(|note| !notes.contains(note)).collect();
        let members = rows.iter().map(|row| Member { row, notes: own(row) }).collect();
        Some(Self { first, notes, members })
    }
}
