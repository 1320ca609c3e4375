//! Repairs of channels in words, with the updates of installed versions before and after them, and the edits of the text.

use super::comparison::strips;
use super::quick_fix::inverse;
use crate::comparison::{Compared, Comparison, Side};
use crate::repairs::{ChannelRepairs, RepairScope, RepairedText, repairs};
use crate::{CatalogInput, Workbench};
use catalog::{Catalog, Channel, ChannelName, Package};
use compare::{Row, Rule, State, groups, rows_without_texts, words};
use fbc::TextEdit;
use repair::{Refusal, applied};
use resolver::Budget;
use std::collections::BTreeSet;
use views::{DiffLine, DiffSign, FixView, InputEdit, PathsView, RepairsView, Runtime, TextSplice};

/// The most groups of installed versions whose updates are shown for a repair.
const GROUPS: usize = 4;

impl Workbench {
    /// What helps a channel of a catalog; `None` if nothing is wrong with its updates. If the catalog is compared with what it
    /// was before a change, repairs keep the updates that it had.
    pub(super) fn channel_repairs(&self, catalog: &CatalogInput, package: &str, channel: &str) -> Option<RepairsView> {
        let before = self.before_change_of(catalog.id);
        let (package, channel) = (Some(package), Some(channel));
        let budget = &self.budget();
        let scope = RepairScope { before, after: catalog, package, channel, avoid: &[], installed: &[], budget };
        repairs(scope).first().map(|found| repairs_view(scope, found))
    }
}

/// The repairs of a package that is compared, as far as they were searched.
pub(super) struct Repairs {
    /// The channels that are left, the next one last; `None` before the search.
    left: Option<Vec<ChannelName>>,
    found: Vec<(ChannelRepairs, RepairsView)>,
}

impl Repairs {
    /// Nothing is searched yet.
    pub(super) const fn new() -> Self {
        Self { left: None, found: Vec::new() }
    }

    /// Goes on up to the next channel in which something is wrong, or until channels with about `piece` entries were looked at.
    /// Returns whether any are left.
    pub(super) fn advance(
        &mut self,
        comparison: &Comparison<'_>,
        compared: &Compared,
        piece: usize,
        budget: &Budget,
    ) -> bool {
        let left = self.left.get_or_insert_with(|| channels(comparison, compared));
        let (mut work, known) = (0, self.found.len());
        while let Some(channel) = left.pop() {
            let scope = RepairScope {
                before: Some(comparison.before),
                after: comparison.after.input,
                package: Some(compared.found.package.as_str()),
                channel: Some(channel.as_str()),
                avoid: &[],
                installed: &[],
                budget,
            };
            self.found.extend(repairs(scope).into_iter().map(|found| {
                let view = repairs_view(scope, &found);
                (found, view)
            }));
            let entries =
                |package: &Package| package.channel(channel.as_str()).map_or(0, |channel| channel.entries.len());
            work += comparison.states(compared).into_iter().flatten().map(entries).sum::<usize>();
            if self.found.len() > known || work >= piece {
                break;
            }
        }
        !left.is_empty()
    }

    /// What was found, by channel.
    pub(super) fn views(&self) -> Vec<RepairsView> {
        self.found.iter().map(|(_, view)| view.clone()).collect()
    }

    /// How many channels are left; before the search at least one.
    pub(super) fn left(&self) -> usize {
        self.left.as_ref().map_or(1, Vec::len)
    }

    /// Whether each repair of the channel of a row with a Subscription brings the row to the head.
    pub(super) fn heal(&self, row: &Row) -> bool {
        let is_healed = |found: &ChannelRepairs| {
            let mut refused = found.refusal.iter().flat_map(|refusal| &refusal.versions);
            !found.repairs.is_empty()
                && found.channel == row.channel
                && found.stranded.contains(&row.installed)
                && refused.all(|name| *name != row.installed)
        };
        !row.updated_by.is_v1() && self.found.iter().any(|(found, _)| is_healed(found))
    }
}

/// The channels of both states that are looked at, the first one last. None if nobody edits the text of the state after the
/// change, or if it is about OLM v1 alone: repairs are edits for OLM v0.
fn channels(comparison: &Comparison<'_>, compared: &Compared) -> Vec<ChannelName> {
    let [old, new] = comparison.states(compared);
    let is_edited = !comparison.after.is_opened && comparison.after.input.mirrored.is_none();
    // Of a package that is gone, the groups of rows say all there is to say.
    let packages = old.into_iter().filter(|_| new.is_some()).chain(new);
    let packages = packages.filter(|_| is_edited && comparison.is_read && comparison.runtime.has_v0());
    let names = packages.flat_map(|package| package.channels.iter().map(|channel| channel.name.value.clone()));
    names.collect::<BTreeSet<_>>().into_iter().rev().collect()
}

/// What helps a channel.
fn repairs_view(scope: RepairScope<'_>, found: &ChannelRepairs) -> RepairsView {
    let refusal = found.refusal.iter();
    RepairsView {
        title: format!("Channel `{}`: {}", found.channel, found.problem()),
        fixes: found.repairs.iter().filter_map(|repaired| fix(scope, found, repaired)).collect(),
        refusal: refusal.flat_map(reason).collect(),
    }
}

/// A refusal in sentences.
fn reason(refusal: &Refusal) -> [String; 2] {
    [format!("No repair: {}.", refusal.sentence), format!("Instead: {}.", refusal.instead)]
}

fn fix(scope: RepairScope<'_>, found: &ChannelRepairs, repaired: &RepairedText) -> Option<FixView> {
    let package = scope.after.analysis.catalog.package(found.package.as_str())?;
    let channel = package.channel(found.channel.as_str())?;
    let file = scope.after.file(repaired.file)?;
    let texts: Vec<String> = repaired.repair.edits.iter().map(repair::Edit::describe).collect();
    let splice = |edit: &TextEdit| TextSplice { start: edit.span.start, end: edit.span.end, text: edit.text.clone() };
    let splices: Vec<TextSplice> = repaired.text.edits.iter().map(splice).collect();
    let undo = inverse(&file.text, &splices);
    let rows = changed_rows(scope.before, package, &applied(channel, &repaired.repair.edits));
    let paths = groups(&rows).into_iter().take(GROUPS).map(|group| {
        let [before, after] = strips(group.first);
        PathsView { title: words::versions(&group), before, after }
    });
    Some(FixView {
        text: texts.join("; "),
        effects: vec![repaired.cost()],
        place: repaired.places.first().copied(),
        edit: Some(InputEdit::Catalog { file: file.key, splices, undo }),
        paths: paths.collect(),
        diff: repaired.text.diff.lines().map(diff_line).collect(),
    })
}

/// A line of a unified diff.
pub(crate) fn diff_line(line: &str) -> DiffLine {
    let sign = match line.as_bytes().first() {
        Some(b'@' | b'\\') => DiffSign::Gap,
        Some(b'-') => DiffSign::Removed,
        Some(b'+') => DiffSign::Added,
        _ => DiffSign::Same,
    };
    let text = if sign == DiffSign::Gap { line } else { line.get(1..).unwrap_or_default() };
    DiffLine { sign, text: text.to_owned() }
}

/// The installed versions whose updates a repair changes, with their updates without it and with it: those that the channel
/// lists, then those that it listed before the change.
pub(super) fn changed_rows(before: Option<Side<'_>>, package: &Package, repaired: &Channel) -> Vec<Row> {
    let alone = |package: &Package| Catalog { packages: vec![package.clone().into()], ..Catalog::default() };
    let mut with = package.clone();
    with.channels.iter_mut().filter(|channel| channel.name.value == repaired.name.value).for_each(|channel| {
        *channel = repaired.clone();
    });
    let (now, with) = (alone(package), alone(&with));
    let rows = |old: &Catalog, new: &Catalog| {
        let [old, new] = [old, new].map(|catalog| State { catalog, rejected: None });
        let mut rows = rows_without_texts(old, new, &package.name, Runtime::V0).rows;
        rows.retain(|row| row.channel == repaired.name.value);
        rows
    };
    let mut found = rows(&now, &with);
    if let Some(before) = before.and_then(|before| before.catalog().package(package.name.as_str())) {
        let before = alone(before);
        let listed: BTreeSet<_> = found.iter().map(|row| row.installed.clone()).collect();
        let pairs = rows(&before, &now).into_iter().zip(rows(&before, &with));
        let gone = pairs.filter(|(row, _)| !listed.contains(&row.installed));
        found.extend(gone.map(|(without, with)| Row { old: without.new, ..with }));
    }
    found.retain(|row| row.old != row.new);
    // One rule for all: groups are of versions whose updates end alike.
    found.iter_mut().for_each(|row| row.rule = Some(Rule::V0Unstranded));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::{CatalogId, Compared as Sides, EntryKey, FindingsFilter, PackageKey, SideKey, Subject};

    const TWO_HEADS: &str =
        "package p c\nchannel p c p.v1.2.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";
    const CHAIN: &str = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";

    fn side(catalog: u32) -> SideKey {
        SideKey { catalog: CatalogId(catalog), is_opened: false }
    }

    fn comparing(workbench: &mut Workbench) -> &Workbench {
        let runtime = Runtime::V0;
        workbench.comparing(&Sides { before: side(0), after: side(1), levels: String::new(), runtime })
    }

    fn of_channel(workbench: &Workbench, catalog: u32) -> Option<RepairsView> {
        let key = PackageKey { catalog: CatalogId(catalog), package: "p".to_owned() };
        workbench.subject(&key, &Subject::Channel { channel: "c".to_owned() }, "").unwrap().repairs
    }

    fn ends(paths: &PathsView) -> (String, String, String) {
        (paths.title.clone(), paths.before.end.clone(), paths.after.versions.join(" "))
    }

    #[test]
    fn a_channel_says_what_repairs_it_and_what_becomes_of_its_versions() {
        let workbench = workbench(&[("c", TWO_HEADS)]);
        let view = of_channel(&workbench, 0).expect("two heads");
        assert!(view.title.starts_with("Channel `c`: 3 versions do not reach the head: "), "{}", view.title);
        assert_eq!(view.refusal, [""; 0]);
        let cheapest = &view.fixes[0];
        assert_eq!(cheapest.text, "let `p.v1.2.0` replace `p.v1.1.0`");
        assert_eq!(cheapest.effects, ["weight 3; nobody gets an update that was not there or not needed"]);
        assert_eq!(cheapest.paths[0].after.versions, ["1.0.0", "1.1.0", "1.2.0"]);
        assert!(cheapest.paths.iter().all(|paths| paths.after.is_fine && !paths.before.is_fine));
        let added = cheapest.diff.iter().filter(|line| line.sign == DiffSign::Added);
        assert!(added.clone().count() > 0 && added.clone().all(|line| line.text.contains("replaces")));
        assert_eq!(of_channel(&super::tests::workbench(&[("c", CHAIN)]), 0), None);
    }

    /// From a finding to a catalog without it: what the page does with two clicks, and with Undo.
    #[test]
    fn each_repair_leaves_nothing_to_repair_and_can_be_undone() {
        let mut workbench = workbench(&[("c", TWO_HEADS)]);
        let findings = workbench.findings(&FindingsFilter::default(), 10);
        let named: Vec<_> =
            findings.groups.iter().flat_map(|group| &group.rows).map(|row| &row.repaired_channel).collect();
        assert_eq!(named, [&Some("c".to_owned())]);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let entry = EntryKey { channel: Some("c".to_owned()), name: "p.v1.0.0".to_owned() };
        let of_entry = workbench.entry(&key, &entry, "").unwrap().findings;
        assert_eq!(of_entry[0].rule, "multiple-channel-heads", "it keeps the entry from its updates");
        let before = workbench.catalogs()[0].files[0].text.clone();
        for fix in of_channel(&workbench, 0).unwrap().fixes {
            let Some(InputEdit::Catalog { file, splices, undo }) = fix.edit else { panic!("{}", fix.text) };
            let edit = |workbench: &mut Workbench, splices: &[TextSplice]| {
                splices.iter().rev().for_each(|splice| workbench.edit(file, splice.start..splice.end, &splice.text));
            };
            edit(&mut workbench, &splices);
            assert_eq!(of_channel(&workbench, 0), None, "{}", fix.text);
            assert_eq!(workbench.findings(&FindingsFilter::default(), 10).counts.errors, 0, "{}", fix.text);
            edit(&mut workbench, &undo);
            assert_eq!(workbench.catalogs()[0].files[0].text, before);
        }
    }

    #[test]
    fn a_comparison_has_the_repairs_of_the_channel_instead_of_the_fixes_of_each_group() {
        let after = "package p c\nchannel p c p.v1.2.0 \nbundle p 1.2.0".replace(" \n", "\n");
        let mut workbench = workbench(&[("before", CHAIN), ("after", &after)]);
        let view = comparing(&mut workbench).compare_package("p").unwrap();
        let fixes: Vec<&str> = view.repairs.iter().flat_map(|channel| &channel.fixes).map(|fix| &*fix.text).collect();
        assert_eq!(fixes[0], "set `skipRange` of `p.v1.2.0` to `>=1.0.0 <1.2.0`");
        // Both versions are gone from the channel, and clusters have them.
        let paths: Vec<_> = view.repairs[0].fixes[0].paths.iter().map(ends).collect();
        assert_eq!(paths, [("1.0.0 to 1.1.0 (2 versions)".to_owned(), "stuck".to_owned(), "1.0.0 1.2.0".to_owned())]);
        assert!(view.groups.iter().all(|group| group.fixes.is_empty()), "{:?}", view.groups);
        assert_eq!(view.left, 0);
        // The details of the channel know the state before, too.
        assert_eq!(of_channel(&workbench, 1).as_ref(), view.repairs.first());
    }

    #[test]
    fn what_no_edit_repairs_has_the_reason_and_keeps_the_fixes_of_groups() {
        let after = "package p c\nchannel p c p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
        let mut workbench = workbench(&[("before", CHAIN), ("after", after)]);
        let view = comparing(&mut workbench).compare_package("p").unwrap();
        let expected = [
            "No repair: `p.v1.2.0` is above `p.v1.1.0`, the head of the channel, and OLM must not go down.",
            "Instead: list `p.v1.2.0` again, or release a new version above it whose `skipRange` covers it.",
        ];
        assert_eq!((&view.repairs[0].refusal[..], view.repairs[0].fixes.len()), (&expected.map(str::to_owned)[..], 0));
        let fixes: Vec<&str> = view.groups.iter().flat_map(|group| &group.fixes).map(|fix| &*fix.text).collect();
        assert!(fixes.contains(&"list `p.v1.2.0` in channel `c` again"), "{fixes:?}");
    }
}
