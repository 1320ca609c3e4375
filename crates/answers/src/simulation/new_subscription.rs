//! The channels of a package that nobody subscribed to, and what a new Subscription gets.

use super::tried::try_change;
use crate::reach;
use cluster::NAME_LABEL;
use session::Workbench;
use std::cmp::Reverse;
use update_graph::{Paths, UpdateChain};
use views::{
    BoardLane, BoardMark, BoardView, EntryKey, ExtensionForm, FormChange, InputEdit, MarkKind, NewSubscriptionView,
    PackageKey, PlanColumn, ReachColumn, ReachView, Runtime, StopReason, SubscriptionForm, TextEdit, TriedChange,
};

/// The most channels, and the most versions of one that lead to its head.
const CHANNELS: usize = 4;
const VERSIONS: usize = 5;

/// The channels of a package, the default one first, then that of the selected entry, then those with the highest heads;
/// and what a new Subscription to the first one gets, or a ClusterExtension under OLM v1, as it is simulated.
pub fn new_subscription(
    workbench: &mut Workbench,
    key: &PackageKey,
    entry: Option<&EntryKey>,
    runtime: Runtime,
) -> Option<NewSubscriptionView> {
    let olm = if runtime.has_v0() { Runtime::V0 } else { Runtime::V1 };
    let catalog = workbench.catalog(key.catalog)?.name.clone();
    let mut table = reach(workbench, key, 0, olm, &[])?;
    while (table.columns.len() as u32) < table.total {
        let first = table.columns.len() as u32;
        table.columns.extend(reach(workbench, key, first, olm, &[])?.columns);
    }
    let selected = entry.and_then(|entry| entry.channel.as_ref());
    let mut order: Vec<usize> = (0..table.columns.len()).collect();
    order.sort_by_key(|at| {
        let column = &table.columns[*at];
        let head = column.head.as_ref().and_then(|head| table.rows.iter().position(|row| row.name == head.name));
        (Reverse(column.default), Reverse(Some(&column.channel) == selected), head.unwrap_or(usize::MAX))
    });
    let more_channels = order.iter().skip(CHANNELS).map(|at| table.columns[*at].channel.clone()).collect();
    order.truncate(CHANNELS);
    let (_, package) = crate::package(workbench, key)?;
    let lanes = order.iter().map(|at| {
        let mut lane = lane(&table, &table.columns[*at], key, &catalog, entry);
        let chain = package.channel(&lane.channel).and_then(|channel| UpdateChain::of(package, channel).ok());
        // Of OLM v1 the single updates are not known here.
        let next = |csv: &str| {
            let next = Paths::of(package).next_update(chain.as_ref().filter(|_| olm == Runtime::V0)?, &csv.into())?;
            Some(next.to.name.value.to_string())
        };
        let mut before = String::new();
        for mark in &mut lane.marks {
            mark.is_direct = next(&before).is_some_and(|next| next == mark.csv);
            before.clone_from(&mark.csv);
        }
        lane
    });
    let lanes = lanes.collect();
    let board = BoardView { plans: vec![PlanColumn::Version; VERSIONS + 1], lanes, ..BoardView::default() };
    let channel = board.lanes.first()?.name.clone();
    let package = key.package.clone();
    let added = match olm {
        Runtime::V1 => {
            let selector = format!("{NAME_LABEL}={catalog}");
            FormChange::AddExtension(Box::new(ExtensionForm { package, selector, ..ExtensionForm::default() }))
        }
        _ => {
            let channel = channel.clone();
            FormChange::AddSubscription(Box::new(SubscriptionForm {
                package,
                channel,
                catalog,
                ..SubscriptionForm::default()
            }))
        }
    };
    // Whatever cluster there is, it has nothing to do with this.
    let whole = TextEdit { start: 0, end: workbench.manifests().text().len() as u32, text: String::new() };
    let empty = InputEdit::Manifests(vec![whole]);
    let change = TriedChange::Form(vec![added]);
    let view = workbench.after(&empty, |workbench| try_change(workbench, "", &change)).ok()?.ok()?;
    let mut subscriptions = view.outcomes.first().into_iter().flat_map(|outcome| &outcome.subscriptions);
    let (what, verdict, severity) = match olm {
        Runtime::V1 => {
            let found = view.extensions.first()?;
            let verdict = found.verdict.replace(&format!("{}.v", key.package), "");
            ("A new ClusterExtension".to_owned(), verdict, found.status.severity())
        }
        _ => {
            let found = subscriptions.find(|row| row.package == key.package)?;
            (format!("A new Subscription to `{channel}`"), found.after(0).0, found.status.severity())
        }
    };
    let sentence = format!("{what} {verdict}");
    let channel = if olm == Runtime::V1 { String::new() } else { channel };
    Some(NewSubscriptionView { package: key.clone(), board, more_channels, channel, sentence, severity })
}

/// A channel: its head, the last versions that reach it, and the selected one.
fn lane(
    table: &ReachView,
    column: &ReachColumn,
    key: &PackageKey,
    catalog: &str,
    entry: Option<&EntryKey>,
) -> BoardLane {
    let selected = entry.filter(|entry| entry.channel.as_ref().is_none_or(|channel| *channel == column.channel));
    let is_selected = |name: &str| selected.is_some_and(|entry| entry.name == name);
    let listed: Vec<usize> =
        (0..table.rows.len()).filter(|at| column.cells.get(*at).is_some_and(|cell| cell.listed)).collect();
    let reaches = |at: &usize| column.cells[*at].stop == StopReason::Head && column.cells[*at].hops > 0;
    let mut shown: Vec<usize> = listed.iter().copied().filter(reaches).take(VERSIONS).collect();
    if let Some(at) = listed.iter().copied().find(|at| is_selected(&table.rows[*at].name) && !shown.contains(at))
        && column.head.as_ref().is_none_or(|head| head.name != table.rows[at].name)
    {
        shown.truncate(VERSIONS - 1);
        shown.push(at);
    }
    let mark = |at: usize, column: usize, is_head: bool, note: String| BoardMark {
        csv: table.rows[at].name.clone(),
        label: table.rows[at].label.clone(),
        column: column as u32,
        kind: MarkKind::Listed,
        is_head,
        note,
        is_direct: false,
    };
    let note = |at: usize| match &column.cells[at] {
        cell if cell.stop != StopReason::Head => "stays below".to_owned(),
        cell if cell.hops == 1 => "1 plan".to_owned(),
        cell => format!("{} plans", cell.hops),
    };
    let new = BoardMark {
        csv: String::new(),
        label: "new".to_owned(),
        column: 0,
        kind: MarkKind::New,
        is_head: false,
        note: String::new(),
        is_direct: false,
    };
    let head = column.head.as_ref().and_then(|head| table.rows.iter().position(|row| row.name == head.name));
    let versions = shown.iter().rev().zip(VERSIONS + 1 - shown.len()..);
    let mut marks: Vec<BoardMark> = head.iter().map(|_| new.clone()).collect();
    marks.extend(versions.map(|(at, place)| mark(*at, place, false, note(*at))));
    marks.extend(head.map(|at| mark(at, VERSIONS + 1, true, String::new())));
    let left_out = listed.len().saturating_sub(marks.len().saturating_sub(1));
    let parts = [
        column.default.then(|| "default".to_owned()),
        Some(match (listed.len(), listed.len() - left_out) {
            (1, _) => "1 version".to_owned(),
            (all, shown) if shown == all => format!("{all} versions"),
            (all, shown) => format!("{shown} of {all} versions"),
        }),
        column.problem.as_ref().map(|_| "OLM cannot order it".to_owned()),
        Some(listed.iter().filter(|at| column.cells[**at].stop != StopReason::Head).count())
            .filter(|stuck| *stuck > 0 && column.problem.is_none())
            .map(|stuck| format!("{stuck} stuck")),
    ];
    BoardLane {
        name: column.channel.clone(),
        package: key.package.clone(),
        channel: column.channel.clone(),
        catalog: catalog.to_owned(),
        added_for: None,
        status: None,
        note: parts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;
    use views::CatalogId;

    const CATALOG: &str = "package p stable\nchannel p stable p.v1.7.0>p.v1.6.0 p.v1.6.0>p.v1.5.0 p.v1.5.0>p.v1.4.0 \
                           p.v1.4.0>p.v1.3.0 p.v1.3.0>p.v1.2.0 p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\n\
                           channel p old p.v1.0.0\nchannel p oldest p.v1.0.0\n\
                           channel p mid p.v1.2.0>p.v1.1.0 p.v1.1.0\nchannel p more p.v1.1.0\n\
                           bundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0\nbundle p 1.3.0\nbundle p 1.4.0\n\
                           bundle p 1.5.0\nbundle p 1.6.0\nbundle p 1.7.0";

    fn view(entry: Option<&EntryKey>) -> NewSubscriptionView {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        new_subscription(&mut workbench(&[("c", CATALOG)]), &key, entry, Runtime::V0).unwrap()
    }

    fn words(view: &NewSubscriptionView) -> Vec<String> {
        let mark = |mark: &BoardMark| format!("{}={}{}", mark.column, mark.label, if mark.is_head { "!" } else { "" });
        let lane = |lane: &BoardLane| {
            let marks: Vec<String> = lane.marks.iter().map(mark).collect();
            format!("{} ({}): {}", lane.name, lane.note, marks.join(" "))
        };
        view.board.lanes.iter().map(lane).collect()
    }

    #[test]
    fn a_package_without_a_subscription_shows_its_channels() {
        let view = view(None);
        let expected = [
            "stable (default · 6 of 8 versions): 0=new 1=1.2.0 2=1.3.0 3=1.4.0 4=1.5.0 5=1.6.0 6=1.7.0!",
            "mid (2 versions): 0=new 5=1.1.0 6=1.2.0!",
            "more (1 version): 0=new 6=1.1.0!",
            "old (1 version): 0=new 6=1.0.0!",
        ];
        assert_eq!(words(&view), expected);
        assert_eq!(view.sentence, "A new Subscription to `stable` installs 1.7.0");
        assert_eq!((view.more_channels, view.severity), (vec!["oldest".to_owned()], None));
        assert_eq!(view.board.lanes[0].marks[1].note, "5 plans");
    }

    #[test]
    fn under_olm_v1_a_new_extension_follows_all_channels() {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let view = new_subscription(&mut workbench(&[("c", CATALOG)]), &key, None, Runtime::V1).unwrap();
        assert_eq!((&*view.sentence, &*view.channel), ("A new ClusterExtension installs `1.7.0`", ""));
    }

    #[test]
    fn the_selected_version_and_its_channel_are_shown() {
        let entry = EntryKey { channel: Some("old".to_owned()), name: "p.v1.0.0".to_owned() };
        let names: Vec<String> = view(Some(&entry)).board.lanes.iter().map(|lane| lane.name.clone()).collect();
        assert_eq!(names, ["stable", "old", "mid", "more"]);
        let entry = EntryKey { channel: Some("stable".to_owned()), name: "p.v1.0.0".to_owned() };
        let first = words(&view(Some(&entry))).remove(0);
        assert_eq!(first, "stable (default · 6 of 8 versions): 0=new 1=1.0.0 2=1.3.0 3=1.4.0 4=1.5.0 5=1.6.0 6=1.7.0!");
    }
}
