//! The board of a namespace in text: a row for each operator that changes, a column for each InstallPlan.

use report::{Answer, Block, Cell, Paint, Table};
use views::{BoardLane, BoardMark, BoardView, MarkKind, PlanColumn};

/// The most columns of plans; of more the middle is left out.
const PLANS: usize = 6;

/// Writes the lanes that something happens to, and which of their requirements others meet.
pub(crate) fn board(answer: &mut Answer<'_>, view: &BoardView, is_shown: impl Fn(&BoardLane) -> bool) {
    let changes = |lane: &BoardLane| lane.marks.iter().any(|mark| mark.column > 0);
    let lanes: Vec<&BoardLane> = view.lanes.iter().filter(|lane| changes(lane) && is_shown(lane)).collect();
    if lanes.is_empty() {
        return;
    }
    let columns = columns(view, &lanes);
    let mut titles = vec!["operator".to_owned(), "channel".to_owned(), "catalog".to_owned()];
    titles.extend(columns.iter().map(|column| column.title.clone()));
    let mut table = Table::new(titles.iter().map(String::as_str));
    for lane in lanes {
        let name = match &lane.added_for {
            Some(_) => format!("  + {}", lane.package),
            None => lane.name.clone(),
        };
        let own = [Cell::new(Paint::Bold, &name), Cell::plain(&lane.channel), Cell::plain(&lane.catalog)];
        table.push(own.into_iter().chain(columns.iter().map(|column| column.cell(lane))).collect());
    }
    answer.blocks([Block::Table(table)]);
    for link in view.links.iter().filter(|link| link.is_met) {
        if let Some((_, to)) = &link.to {
            answer.labelled(
                "  ",
                Paint::Plain,
                &format!("{} requires {}: {to} meets it", link.from.1, link.label),
                link.place,
            );
        }
    }
}

/// A column, or several of which only the number of plans is shown.
struct Column {
    title: String,
    /// The first and the last column of the board.
    of: (u32, u32),
}

fn columns(view: &BoardView, lanes: &[&BoardLane]) -> Vec<Column> {
    let count = view.plans.len();
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let plan = |at: usize| {
        let how = match view.plans.get(at - 1) {
            Some(PlanColumn::Manual) => ", approved",
            Some(PlanColumn::Fails) => " ✕",
            Some(PlanColumn::Automatic) | None => "",
        };
        Column { title: format!("plan {at}{how}"), of: (number(at), number(at)) }
    };
    let mut columns = vec![Column { title: "now".to_owned(), of: (0, 0) }];
    if count <= PLANS {
        columns.extend((1..=count).map(plan));
    } else {
        let (first, last) = (PLANS / 2, count + 1 - PLANS / 2);
        columns.extend((1..=first).map(plan));
        let of = (number(first + 1), number(last - 1));
        columns.push(Column { title: format!("… {} more …", last - 1 - first), of });
        columns.extend((last..=count).map(plan));
    }
    let behind = number(count + 1);
    if lanes.iter().any(|lane| lane.marks.iter().any(|mark| mark.column == behind)) {
        columns.push(Column { title: "not reached".to_owned(), of: (behind, behind) });
    }
    columns
}

impl Column {
    fn cell(&self, lane: &BoardLane) -> Cell {
        let mut here = lane.marks.iter().filter(|mark| (self.of.0..=self.of.1).contains(&mark.column));
        match (here.next_back(), here.count()) {
            (Some(mark), 0) => cell(mark),
            (Some(mark), more) => Cell::plain(&format!("… {more} …, {}", mark.label)),
            (None, _) => Cell::plain(""),
        }
    }
}

fn cell(mark: &BoardMark) -> Cell {
    let head = if mark.is_head { " (head)" } else { "" };
    let (paint, end) = match mark.kind {
        MarkKind::Installed | MarkKind::Next => (Paint::Plain, ""),
        MarkKind::NeverRuns => (Paint::Bad, " never runs"),
        MarkKind::NotChosen => (Paint::Bad, " ✕"),
        MarkKind::NotReached => (Paint::Dim, ""),
    };
    Cell::new(paint, &format!("{}{head}{end}", mark.label))
}
