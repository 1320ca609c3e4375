//! The course of a namespace as a board: a lane for each operator, a column for each InstallPlan.

use crate::{Place, SubscriptionStatus};
use serde::{Deserialize, Serialize};

/// What OLM does in a namespace, operator by operator and plan by plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// The columns behind that of the cluster as it stands.
    pub plans: Vec<PlanColumn>,
    /// How many of these are InstallPlans that the cluster has already, before the first step of the outcome: 0 or 1.
    pub pending: u32,
    /// The operators: first those that need most attention, what OLM adds below what needs it.
    pub lanes: Vec<BoardLane>,
    /// What bundles require of others.
    pub links: Vec<BoardLink>,
}

/// An InstallPlan, or an update by OLM v1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanColumn {
    /// OLM approves it by itself.
    Automatic,
    /// It waits until somebody approves it.
    Manual,
    /// There is none: the resolution that would lead to it fails.
    Fails,
    /// OLM v1 makes the update, without an InstallPlan.
    Update,
    /// OLM v1 refuses the update.
    Refused,
}

/// An operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardLane {
    /// The Subscription.
    pub name: String,
    pub package: String,
    /// The channel that it follows; empty for any.
    pub channel: String,
    /// The CatalogSource that it names; empty for any.
    pub catalog: String,
    /// The bundle that needs it, if OLM adds it.
    pub added_for: Option<String>,
    /// What becomes of it; absent for one that OLM adds.
    pub status: Option<SubscriptionStatus>,
    /// Its versions, by column.
    pub marks: Vec<BoardMark>,
}

/// A version in a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardMark {
    pub csv: String,
    /// The version in the name, or else the name.
    pub label: String,
    /// 0 for the cluster as it stands, else the number of the plan that installs it. What is not reached is behind the last one.
    pub column: u32,
    pub kind: MarkKind,
    /// Whether it is the head of the channel.
    pub is_head: bool,
}

/// What a version is to a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// It runs now.
    Installed,
    /// A plan installs it.
    Next,
    /// A plan installs it, and it never runs.
    NeverRuns,
    /// A plan would have to install it, and there is none.
    NotChosen,
    /// No update leads there.
    NotReached,
    /// A plan installs it once the first fix is made.
    WithFix,
}

/// A column as it is shown, or several in the middle of which only the number is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardColumn {
    /// `now`, `plan 1`, `update 1`, `… 3 more …`, `not reached`
    pub title: String,
    /// The first and the last column of the board.
    pub of: (u32, u32),
    /// The plan; absent for others, and for several.
    pub plan: Option<PlanColumn>,
}

impl BoardColumn {
    /// The last mark of a lane in it, and how many are left out. What a fix makes possible is another row.
    #[must_use]
    pub fn mark<'l>(&self, lane: &'l BoardLane) -> Option<(&'l BoardMark, usize)> {
        let here = self.marks(lane).filter(|mark| mark.kind != MarkKind::WithFix);
        here.clone().next_back().map(|mark| (mark, here.count() - 1))
    }

    /// What the first fix makes possible in it.
    #[must_use]
    pub fn with_fix<'l>(&self, lane: &'l BoardLane) -> Option<&'l BoardMark> {
        self.marks(lane).find(|mark| mark.kind == MarkKind::WithFix)
    }

    fn marks<'l>(&self, lane: &'l BoardLane) -> impl DoubleEndedIterator<Item = &'l BoardMark> + Clone {
        let of = self.of;
        lane.marks.iter().filter(move |mark| (of.0..=of.1).contains(&mark.column))
    }
}

impl BoardView {
    /// The lanes that something happens to.
    pub fn changing(&self) -> impl Iterator<Item = &BoardLane> {
        self.lanes.iter().filter(|lane| lane.marks.iter().any(|mark| mark.column > 0))
    }

    /// The column after this number of steps of the outcome.
    #[must_use]
    pub fn column_after(&self, steps: u32) -> u32 {
        if steps == 0 { 0 } else { self.pending.saturating_add(steps) }
    }

    /// The columns, at most this number of plans; of more the middle is left out.
    #[must_use]
    pub fn columns(&self, most: usize) -> Vec<BoardColumn> {
        let count = self.plans.len();
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let plan = |at: usize| {
            let (title, of) = (self.plan_title(number(at)), (number(at), number(at)));
            BoardColumn { title, of, plan: self.plans.get(at - 1).copied() }
        };
        let mut columns = vec![BoardColumn { title: "now".to_owned(), of: (0, 0), plan: None }];
        if count <= most {
            columns.extend((1..=count).map(plan));
        } else {
            let (first, last) = (most / 2, count + 1 - most / 2);
            columns.extend((1..=first).map(plan));
            let (title, of) = (format!("… {} more …", last - 1 - first), (number(first + 1), number(last - 1)));
            columns.push(BoardColumn { title, of, plan: None });
            columns.extend((last..=count).map(plan));
        }
        let behind = number(count + 1);
        if self.lanes.iter().any(|lane| lane.marks.iter().any(|mark| mark.column == behind)) {
            columns.push(BoardColumn { title: "not reached".to_owned(), of: (behind, behind), plan: None });
        }
        columns
    }

    /// `plan 1`, `update 1`
    fn plan_title(&self, number: u32) -> String {
        let plan = number.checked_sub(1).and_then(|at| self.plans.get(at as usize));
        match plan {
            Some(PlanColumn::Update | PlanColumn::Refused) => format!("update {number}"),
            Some(PlanColumn::Automatic | PlanColumn::Manual | PlanColumn::Fails) | None => format!("plan {number}"),
        }
    }

    /// The board in words, for those who do not see it: a sentence for each lane.
    #[must_use]
    pub fn words(&self) -> String {
        let mark = |mark: &BoardMark| {
            let plan = self.plan_title(mark.column);
            let when = match (mark.column, mark.kind) {
                (_, MarkKind::NotReached) => "not reached".to_owned(),
                (0, _) => "now".to_owned(),
                (_, MarkKind::Installed | MarkKind::Next) => plan,
                (_, MarkKind::NeverRuns) => format!("{plan}, never runs"),
                (_, MarkKind::NotChosen) => format!("{plan}, refused"),
                (_, MarkKind::WithFix) => format!("{plan}, with the first fix"),
            };
            format!("{when}: {}{}", mark.label, if mark.is_head { ", the head" } else { "" })
        };
        let lane = |lane: &BoardLane| {
            let marks: Vec<String> = lane.marks.iter().map(mark).collect();
            format!("{}: {}.", lane.title(), marks.join("; "))
        };
        self.changing().map(lane).collect::<Vec<_>>().join(" ")
    }
}

/// What a bundle requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardLink {
    /// The lane and the CSV that require it.
    pub from: (u32, String),
    /// The lane and the CSV that meet it, or the lane of the package whose bundles do not.
    pub to: Option<(u32, String)>,
    /// What is required, in a few words.
    pub label: String,
    pub is_met: bool,
    /// The requirement in the text of a catalog.
    pub place: Option<Place>,
}

impl BoardLane {
    /// The name of the Subscription, or of the package that OLM adds.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.added_for.is_some() { &self.package } else { &self.name }
    }

    /// The mark of a CSV.
    #[must_use]
    pub fn mark(&self, csv: &str) -> Option<&BoardMark> {
        self.marks.iter().find(|mark| mark.csv == csv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(plans: Vec<PlanColumn>) -> BoardView {
        let mark = |column: u32, kind: MarkKind| BoardMark {
            csv: format!("p.v1.{column}.0"),
            label: format!("1.{column}.0"),
            column,
            kind,
            is_head: kind == MarkKind::NotReached,
        };
        let count = u32::try_from(plans.len()).unwrap();
        let mut marks = vec![mark(0, MarkKind::Installed)];
        marks.extend((1..=count).map(|at| mark(at, MarkKind::Next)));
        marks.push(mark(count + 1, MarkKind::NotReached));
        let text = || "p".to_owned();
        let lane = BoardLane {
            name: text(),
            package: text(),
            channel: String::new(),
            catalog: String::new(),
            added_for: None,
            status: None,
            marks,
        };
        BoardView { plans, lanes: vec![lane], ..BoardView::default() }
    }

    #[test]
    fn the_middle_of_many_plans_is_one_column() {
        let board = board(vec![PlanColumn::Automatic; 9]);
        let columns = board.columns(6);
        let titles: Vec<&str> = columns.iter().map(|column| &*column.title).collect();
        let expected = ["now", "plan 1", "plan 2", "plan 3", "… 3 more …", "plan 7", "plan 8", "plan 9", "not reached"];
        assert_eq!(titles, expected);
        let (mark, left_out) = columns[4].mark(&board.lanes[0]).unwrap();
        assert_eq!((&*mark.label, left_out), ("1.6.0", 2));
    }

    #[test]
    fn a_plan_that_waits_already_comes_before_the_first_step() {
        let board = BoardView { pending: 1, ..board(vec![PlanColumn::Manual, PlanColumn::Automatic]) };
        assert_eq!([0, 1].map(|steps| board.column_after(steps)), [0, 2]);
    }

    #[test]
    fn the_words_name_what_is_not_reached() {
        let check = |plan: PlanColumn, words: &str| assert_eq!(board(vec![plan]).words(), words);
        check(PlanColumn::Manual, "p: now: 1.0.0; plan 1: 1.1.0; not reached: 1.2.0, the head.");
        check(PlanColumn::Update, "p: now: 1.0.0; update 1: 1.1.0; not reached: 1.2.0, the head.");
    }
}
