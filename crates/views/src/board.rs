//! The course of a namespace as a board: a lane for each operator, a column for each InstallPlan.

use crate::{PackageKey, Place, Severity, SubscriptionStatus};
use serde::{Deserialize, Serialize};

/// The most lanes of which also those are drawn that stay as they are.
const FEW: usize = 12;

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
    /// Of which change the marks [`MarkKind::WithFix`] are.
    pub change: BoardChange,
}

/// A change whose effect a board shows beside the course without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardChange {
    /// The first of the fixes.
    #[default]
    FirstFix,
    /// The one that the user tries.
    Tried,
}

/// The channels of a package that nobody subscribed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewSubscriptionView {
    pub package: PackageKey,
    /// A lane for each channel.
    pub board: BoardView,
    /// The channels that are left out.
    pub more_channels: Vec<String>,
    /// The channel that `sentence` is about; empty for a ClusterExtension, which follows all.
    pub channel: String,
    /// What a new Subscription to the first channel, or a new ClusterExtension, gets; names are in backticks.
    pub sentence: String,
    pub severity: Option<Severity>,
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
    /// It is none: the versions of a package that nobody subscribed to, in their order.
    Version,
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
    /// The text below its name. If it is empty, the channel and the catalog stand there.
    pub note: String,
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
    /// A few words below it, such as `2 plans`; mostly empty.
    pub note: String,
    /// Whether one update leads to it from the mark before it, if that leads here at all.
    pub is_direct: bool,
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
    /// A plan installs it once the change of the board is made, such as the first fix.
    WithFix,
    /// The channel has it, and nobody has it installed.
    Listed,
    /// It stands for a new Subscription.
    New,
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

    /// The lanes that are drawn, by index: all of a few, and of many those that something happens to.
    #[must_use]
    pub fn drawn(&self) -> Vec<usize> {
        let is_few = self.lanes.len() <= FEW;
        let is_drawn = |lane: &BoardLane| is_few || lane.marks.iter().any(|mark| mark.column > 0);
        (0..self.lanes.len()).filter(|at| is_drawn(&self.lanes[*at])).collect()
    }

    /// Whether it is that of a package that nobody subscribed to.
    #[must_use]
    pub fn is_of_package(&self) -> bool {
        self.plans.first() == Some(&PlanColumn::Version)
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
        let now = if self.is_of_package() { String::new() } else { "now".to_owned() };
        let mut columns = vec![BoardColumn { title: now, of: (0, 0), plan: None }];
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
            Some(PlanColumn::Version) => String::new(),
            Some(PlanColumn::Automatic | PlanColumn::Manual | PlanColumn::Fails) | None => format!("plan {number}"),
        }
    }

    /// The board in words, for those who do not see it: a sentence for each lane.
    #[must_use]
    pub fn words(&self) -> String {
        let lane = |lane: &BoardLane| {
            let marks: Vec<String> = lane.marks.iter().map(|mark| self.mark_words(mark)).collect();
            format!("{}: {}.", lane.title(), marks.join("; "))
        };
        self.changing().map(lane).collect::<Vec<_>>().join(" ")
    }

    /// `plan 1: 2.0.0, the head`
    #[must_use]
    pub fn mark_words(&self, mark: &BoardMark) -> String {
        let plan = self.plan_title(mark.column);
        let when = match (mark.column, mark.kind) {
            (_, MarkKind::New) => return "a new Subscription".to_owned(),
            (_, MarkKind::Listed) => String::new(),
            (_, MarkKind::NotReached) => "not reached: ".to_owned(),
            (0, MarkKind::WithFix) => format!("now, {}: ", self.change.words()),
            (0, _) => "now: ".to_owned(),
            (_, MarkKind::Installed | MarkKind::Next) => format!("{plan}: "),
            (_, MarkKind::NeverRuns) => format!("{plan}, never runs: "),
            (_, MarkKind::NotChosen) => format!("{plan}, refused: "),
            (_, MarkKind::WithFix) => format!("{plan}, {}: ", self.change.words()),
        };
        let note = if mark.note.is_empty() { String::new() } else { format!(", {}", mark.note) };
        format!("{when}{}{}{note}", mark.label, if mark.is_head { ", the head" } else { "" })
    }

    /// The board with what another course has beside it, that of the cluster after a change: what differs is marked.
    #[must_use]
    pub fn with_change(&self, after: &Self) -> Self {
        let mut board = Self { change: BoardChange::Tried, ..self.clone() };
        if after.plans.len() > board.plans.len() {
            // What is behind the last plan stays there.
            let behind = board.behind();
            board.plans.extend(&after.plans[board.plans.len()..]);
            let moved = board.behind();
            let marks = board.lanes.iter_mut().flat_map(|lane| &mut lane.marks);
            marks.filter(|mark| mark.column == behind).for_each(|mark| mark.column = moved);
        }
        for lane in &mut board.lanes {
            lane.marks.retain(|mark| mark.kind != MarkKind::WithFix);
        }
        for new in &after.lanes {
            let known = board.lanes.iter_mut().find(|lane| lane.title() == new.title());
            let new_marks = new.marks.iter().filter(|mark| mark.is_reached()).map(BoardMark::with_fix);
            match known {
                Some(lane) => {
                    let is_other = |mark: &BoardMark| {
                        let same = |old: &BoardMark| old.column == mark.column && old.csv == mark.csv;
                        !lane.marks.iter().any(|old| same(old) && old.is_reached())
                    };
                    let marks: Vec<BoardMark> = new_marks.filter(is_other).collect();
                    lane.marks.extend(marks);
                    lane.marks.sort_by_key(|mark| mark.column);
                }
                None => board.lanes.push(BoardLane { marks: new_marks.collect(), ..new.clone() }),
            }
        }
        board
    }

    /// The column behind all plans.
    #[must_use]
    pub fn behind(&self) -> u32 {
        u32::try_from(self.plans.len() + 1).unwrap_or(u32::MAX)
    }
}

impl BoardChange {
    /// `with the first fix`
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::FirstFix => "with the first fix",
            Self::Tried => "with the change",
        }
    }
}

impl BoardMark {
    /// Whether it is, or gets, installed.
    #[must_use]
    pub const fn is_reached(&self) -> bool {
        matches!(self.kind, MarkKind::Installed | MarkKind::Next | MarkKind::NeverRuns)
    }

    fn with_fix(&self) -> Self {
        let note = if self.kind == MarkKind::NeverRuns { "never runs".to_owned() } else { self.note.clone() };
        Self { kind: MarkKind::WithFix, note, ..self.clone() }
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
            note: String::new(),
            is_direct: true,
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
            note: String::new(),
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
    fn a_change_stands_beside_the_course_without_it() {
        let before = board(vec![PlanColumn::Fails]);
        let mut after = board(vec![PlanColumn::Automatic; 2]);
        let new = BoardLane { name: "q".to_owned(), package: "q".to_owned(), ..after.lanes[0].clone() };
        after.lanes.push(new);
        let expected = "p: now: 1.0.0; plan 1: 1.1.0; plan 2, with the change: 1.2.0; not reached: 1.2.0, the head. \
                        q: now, with the change: 1.0.0; plan 1, with the change: 1.1.0; plan 2, with the change: 1.2.0.";
        assert_eq!(before.with_change(&after).words(), expected);
        assert_eq!(before.with_change(&before).lanes, before.lanes, "nothing differs");
    }

    #[test]
    fn the_words_name_what_is_not_reached() {
        let check = |plan: PlanColumn, words: &str| assert_eq!(board(vec![plan]).words(), words);
        check(PlanColumn::Manual, "p: now: 1.0.0; plan 1: 1.1.0; not reached: 1.2.0, the head.");
        check(PlanColumn::Update, "p: now: 1.0.0; update 1: 1.1.0; not reached: 1.2.0, the head.");
    }
}
