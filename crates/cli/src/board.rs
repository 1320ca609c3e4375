//! The board of a namespace in text: a row for each operator that changes, a column for each InstallPlan.

use report::{Answer, Block, Cell, Paint, Table};
use views::{BoardColumn, BoardLane, BoardMark, BoardView, MarkKind, PlanColumn};

/// The most columns of plans; of more the middle is left out.
const PLANS: usize = 6;

/// Writes the lanes that something happens to, and which of their requirements others meet.
pub(crate) fn board(answer: &mut Answer<'_>, view: &BoardView, is_shown: impl Fn(&BoardLane) -> bool) {
    let columns = view.columns(PLANS);
    let title = |column: &BoardColumn| match column.plan {
        Some(PlanColumn::Manual) => format!("{}, once approved", column.title),
        Some(PlanColumn::Fails | PlanColumn::Refused) => format!("{} ✕", column.title),
        Some(PlanColumn::Automatic | PlanColumn::Update | PlanColumn::Version) | None => column.title.clone(),
    };
    let own = ["operator", "channel", "catalog"].map(ToOwned::to_owned).into_iter();
    let titles: Vec<String> = own.chain(columns.iter().map(title)).collect();
    let mut table = Table::new(titles.iter().map(String::as_str));
    let changes = |lane: &&BoardLane| columns[1..].iter().any(|column| column.mark(lane).is_some());
    for lane in view.lanes.iter().filter(|lane| is_shown(lane)).filter(changes) {
        let below = if lane.added_for.is_some() { "  + " } else { "" };
        let name = Cell::new(Paint::Bold, &format!("{below}{}", lane.title()));
        let own = [name, Cell::plain(&lane.channel), Cell::plain(&lane.catalog)];
        table.push(own.into_iter().chain(columns.iter().map(|column| cell(column.mark(lane)))).collect());
    }
    if table.is_empty() {
        return;
    }
    answer.blocks([Block::Table(table)]);
    let is_of_shown = |lane: u32| view.lanes.get(lane as usize).is_some_and(&is_shown);
    for link in view.links.iter().filter(|link| link.is_met && is_of_shown(link.from.0)) {
        if let Some((_, to)) = &link.to {
            let text = format!("{} requires {}: {to} meets it", link.from.1, link.label);
            answer.labelled("  ", Paint::Plain, &text, link.place);
        }
    }
}

fn cell(mark: Option<(&BoardMark, usize)>) -> Cell {
    let Some((mark, left_out)) = mark else { return Cell::plain("") };
    let more = if left_out > 0 { format!("… {left_out} …, ") } else { String::new() };
    let head = if mark.is_head { " (head)" } else { "" };
    let (paint, end) = match mark.kind {
        MarkKind::Installed | MarkKind::Next | MarkKind::Listed | MarkKind::New => (Paint::Plain, ""),
        MarkKind::NeverRuns => (Paint::Bad, " never runs"),
        MarkKind::NotChosen => (Paint::Bad, " ✕"),
        MarkKind::NotReached | MarkKind::WithFix => (Paint::Dim, ""),
    };
    Cell::new(paint, &format!("{more}{}{head}{end}", mark.label))
}
