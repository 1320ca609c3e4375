//! What a change to a catalog does to the clusters that run it. Sentences have names in backticks.

use crate::{
    CatalogId, ChainLine, ChainStep, FixView, Level, Mark, NamespaceState, PackageKey, Place, RepairsView, Runtime,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
pub struct SideKey {
    pub catalog: CatalogId,
    /// Whether it is compared as it was opened, before all edits.
    pub is_opened: bool,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// The state before the change.
    pub before: SideKey,
    /// The state after it.
    pub after: SideKey,
    /// The user's levels and accepted differences: settings, or YAML that maps ids of rules to levels.
    pub levels: String,
    /// Today, `YYYY-MM-DD`; empty if it is not known. After the last day of an accepted difference it counts again.
    pub day: String,
    /// The versions of OLM that it is about.
    pub runtime: Runtime,
    /// Whether the state after the change is all that there will be, also if it has less than half of the packages.
    pub is_whole: bool,
    /// Whether the comments of the state before count, so that a change cannot ignore what it does.
    pub by_comments_before: bool,
}

impl Compared {
    /// Two states under OLM v0, with the levels of the rules.
    #[must_use]
    pub const fn between(before: SideKey, after: SideKey) -> Self {
        Self {
            before,
            after,
            levels: String::new(),
            day: String::new(),
            runtime: Runtime::V0,
            is_whole: false,
            by_comments_before: false,
        }
    }
}

/// How many rows and other changes have each level, in the order of [`Level::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCounts(pub [u32; 4]);

impl LevelCounts {
    /// The worst level that something has.
    #[must_use]
    pub fn worst(self) -> Option<Level> {
        Level::ALL.into_iter().zip(self.0).find(|(_, count)| *count > 0).map(|(level, _)| level)
    }
}

/// The comparison of all packages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonView {
    /// What happens to installed versions, in all packages together.
    pub sentence: String,
    /// The packages with differences, the worst first, then by name.
    pub packages: Vec<ComparedPackage>,
    /// The number of packages without differences.
    pub unchanged: u32,
    /// The packages that only the state after the change has, by name.
    pub added: Vec<String>,
    /// How many packages the state after the change lacks on purpose, because it is a mirror of the others.
    pub unmirrored: u32,
    /// How many packages are not compared, because the state after the change is a fragment of the state before.
    pub beside_fragment: u32,
    /// Of these packages.
    pub levels: LevelCounts,
    /// How many installed versions of the packages with differences have each level.
    pub rows: LevelCounts,
    /// For how many of them nothing changes.
    pub rows_unchanged: u32,
    /// What could not be compared or is not served: sentences.
    pub not_comparable: Vec<String>,
    /// How many packages change only because `opm` rejects one of the catalogs: a sentence. They are in no other field.
    pub following: Option<String>,
    /// Whether both states can be read; if not, nothing else is known.
    pub is_read: bool,
    /// How many packages are not compared: not yet, or because the comparison was stopped.
    pub left: u32,
    /// What is wrong in the user's levels; the levels of the rules themselves are used then.
    pub level_faults: Vec<String>,
    /// The state before the change.
    pub before: String,
    /// The state after it.
    pub after: String,
    /// How many rows and other changes have each level, and what that means; absent if there are none.
    pub totals: Option<String>,
    /// What a report says at its end: sentences about packages that are new, not mirrored or unchanged, and about what was not searched.
    pub remarks: Vec<String>,
    /// The start of the first file, for what has no place of its own.
    pub start: Option<Place>,
}

/// A package with differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedPackage {
    /// Its key in the catalog after the change, else in the one before.
    pub key: PackageKey,
    /// What happens to installed versions.
    pub sentence: String,
    /// The installed versions that it harms most, names in backticks; empty if it harms none.
    pub harmed: String,
    /// Of its rows and other changes.
    pub levels: LevelCounts,
}

/// The comparison of one package.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PackageComparisonView {
    pub package: String,
    /// What happens to installed versions.
    pub sentence: String,
    /// Installed versions with the same outcome: those of OLM v0 before those of OLM v1, the worst first.
    pub groups: Vec<GroupView>,
    /// What helps each channel of the state after in which something is wrong with updates under OLM v0.
    pub repairs: Vec<RepairsView>,
    /// What else changed, the worst first.
    pub changes: Vec<ChangeView>,
    /// All installed versions in all channels of the state before.
    pub rows: Vec<RowView>,
    /// What differs in the text.
    pub source: SourceDiff,
    /// Of how many groups causes and fixes are not searched, and of how many channels repairs: not yet, or because that was stopped.
    pub left: u32,
    /// The changed part of the update graph as a drawing in Mermaid; only in a report, and only if both states have the package.
    pub mermaid: Option<String>,
}

impl PackageComparisonView {
    /// The groups, of those of several channels to whose versions the same happens only the first.
    pub fn different_groups(&self) -> impl Iterator<Item = &GroupView> {
        let is_first = |at: usize| self.groups[..at].iter().all(|known| known.group != self.groups[at].group);
        self.groups.iter().enumerate().filter(move |(at, _)| is_first(*at)).map(|(_, group)| group)
    }

    /// Whether a drawing of both states shows a difference.
    #[must_use]
    pub fn is_shown_in_graph(&self) -> bool {
        !(self.groups.is_empty() && self.changes.is_empty())
    }
}

/// Installed versions with the same outcome, with Subscriptions or extensions that name the same channel.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct GroupView {
    /// Whether OLM v1 updates them.
    pub is_v1: bool,
    /// How bad it is.
    pub level: Level,
    pub rule: String,
    /// What the rule says, as a sentence.
    pub about: String,
    /// What clusters do and show by the rule, as sentences.
    pub effect: String,
    /// The channel that the Subscription or the extension names; absent if it names none.
    pub channel: Option<String>,
    /// The versions, such as `1.2.0 to 1.2.7 (6 versions)`.
    pub title: String,
    pub versions: Vec<String>,
    /// The updates of the first version before the change.
    pub before: PathStrip,
    /// The updates of the first version after it.
    pub after: PathStrip,
    /// What the cluster shows of the first version: OLM's own text, or that it shows nothing.
    pub shows: String,
    /// Of OLM v0: what it does when it resolves all that the versions require, if that is something else.
    pub simulated: Option<String>,
    /// The same for all groups to whose versions the same happens, in other channels.
    pub group: String,
    /// The channels of all of these.
    pub channels: Vec<String>,
    /// Which versions in these channels, and what becomes of them.
    pub sentence: String,
    /// Where to show it: at the first edit that it is due to, else at the package.
    pub place: Option<Place>,
    /// The first edits that it is due to.
    pub cause: Vec<CauseView>,
    /// How many more there are.
    pub more_causes: u32,
    /// Some changes that were tried and help.
    pub fixes: Vec<FixView>,
    /// How many more there are.
    pub more_fixes: u32,
}

/// The updates of an installed version.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PathStrip {
    /// The installed version, and where each update leads.
    pub versions: Vec<String>,
    /// Updates that are left out after the installed version, so that the first difference is shown.
    pub skipped: u32,
    /// The index of the first version that differs from the other strip.
    pub differs: Option<u32>,
    /// Updates that are left out after the shown ones.
    pub more: u32,
    /// The version that the last update leads to; `None` without an update.
    pub last: Option<String>,
    /// Of OLM v0: the head of the channel; `None` if nothing can be chosen from it.
    pub head: Option<String>,
    /// How it ends: at the head, stuck, in a circle, or with an error.
    pub end: String,
    /// Whether it ends well: under OLM v0 at the head, under OLM v1 without an error.
    pub is_fine: bool,
}

impl PathStrip {
    /// The updates as the steps of a small chain; what does not reach the head ends with it behind a break.
    #[must_use]
    pub fn steps(&self) -> Vec<ChainStep> {
        let step = |label: &String, line, more| ChainStep { label: label.clone(), marks: Vec::new(), line, more };
        let shown = self.versions.iter().enumerate();
        let mut steps: Vec<ChainStep> =
            shown.map(|(at, label)| step(label, ChainLine::Update, if at == 1 { self.skipped } else { 0 })).collect();
        if let Some(last) = self.last.as_ref().filter(|_| self.more > 0) {
            steps.push(step(last, ChainLine::Update, self.more - 1));
        }
        let ends_at_head = self.is_fine && self.head.is_some();
        if let Some(end) = steps.last_mut().filter(|_| ends_at_head || !self.is_fine) {
            end.marks.push(if ends_at_head { Mark::Head } else { Mark::Stranded });
        }
        if let Some(head) = self.head.as_ref().filter(|_| !self.is_fine) {
            steps.push(ChainStep { marks: vec![Mark::Head], ..step(head, ChainLine::Missing, 0) });
        }
        steps
    }
}

/// An edit that is part of a cause.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CauseView {
    /// What was edited.
    pub text: String,
    /// Where it is before the change.
    pub before: Option<LineView>,
    pub after: Option<LineView>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct LineView {
    pub place: Place,
    pub path: String,
    pub text: String,
    /// Whether it can be opened: it is not a text before edits.
    pub is_present: bool,
}

/// Something else that changed.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ChangeView {
    /// How bad it is.
    pub level: Level,
    pub rule: String,
    pub text: String,
    pub place: Option<LineView>,
}

/// An installed version with a Subscription to a channel that lists it before the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowView {
    pub channel: String,
    /// The name of the CSV.
    pub installed: String,
    /// Its version, else its name.
    pub label: String,
    /// Its position in the order of all versions of the package.
    pub order: u32,
    /// The rule, if something changes.
    pub rule: Option<String>,
    /// The level of the rule, unless it is switched off.
    pub level: Option<Level>,
    /// What becomes of it before the change.
    pub before: String,
    /// What becomes of it after the change.
    pub after: String,
}

/// What becomes of a cluster when a catalog is exchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ClusterComparisonView {
    /// The namespaces as they stand, before anything is resolved; the rest is what follows.
    pub namespaces: Vec<NamespaceState>,
    pub subscriptions: Vec<SubscriptionRow>,
    /// The namespaces that OLM cannot resolve in one of the states.
    pub failures: Vec<NamespaceFailureRow>,
    /// Which operators block the upgrade of OpenShift; absent if the version of OpenShift is not known.
    pub openshift: Option<OpenShiftView>,
    /// What the user should know before reading the rest.
    pub notices: Vec<String>,
}

/// What becomes of a Subscription.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SubscriptionRow {
    pub namespace: String,
    pub name: String,
    pub package: String,
    /// The name of the installed CSV, if one is installed.
    pub installed: Option<String>,
    /// What OLM does before the change.
    pub before: String,
    /// What OLM does after it.
    pub after: String,
    /// The id of the difference; `same` if there is none.
    pub rule: String,
    /// What the difference means.
    pub about: String,
    /// How bad it is.
    pub level: Level,
    /// Operators that are installed as dependencies only before (`−`) or only after (`+`) the change.
    pub dependencies: Vec<String>,
}

impl SubscriptionRow {
    /// Whether nobody knows what OLM does.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.rule == NOT_COMPARED
    }
}

/// The rule of a Subscription of which nobody knows what OLM does.
const NOT_COMPARED: &str = "not-compared";

/// A namespace that OLM cannot resolve in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NamespaceFailureRow {
    pub namespace: String,
    /// OLM's error before the change.
    pub before: Option<String>,
    /// OLM's error after it.
    pub after: Option<String>,
    /// What the error is about.
    pub causes: Vec<String>,
}

/// Which operators block the upgrade of OpenShift to the next minor version.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct OpenShiftView {
    /// The version of the cluster.
    pub current: String,
    /// The next minor version.
    pub next: String,
    /// OLM's message with what is installed now; absent if nothing blocks.
    pub now: Option<String>,
    /// The same after all updates of the state before the change.
    pub before: Option<String>,
    /// The same after all updates of the state after the change.
    pub after: Option<String>,
    /// The operators that block now and still do after their updates with the state after the change.
    pub remaining: Vec<String>,
}

/// What differs in the documents of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDiff {
    /// The package first, then channels, deprecations and bundles by name.
    pub documents: Vec<DocumentDiff>,
    /// Documents that are left out.
    pub more: u32,
}

/// What differs in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentDiff {
    /// Its schema and name.
    pub title: String,
    /// The lines that differ, with some around them.
    pub lines: Vec<DiffLine>,
    /// Lines that are left out at the end.
    pub more: u32,
}

/// A line of a unified diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    /// Which states have it.
    pub sign: DiffSign,
    /// Its text, shortened.
    pub text: String,
}

/// A unified diff of a file: its path, and the changed lines.
#[must_use]
pub fn headed_diff(path: &str, lines: &str) -> String {
    format!("--- {path}\n+++ {path}\n{lines}")
}

impl DiffLine {
    /// The lines of a unified diff of one file, without those that name it.
    pub fn of(diff: &str) -> impl Iterator<Item = Self> {
        diff.lines().skip(2).map(|line| {
            let sign = match line.as_bytes().first() {
                Some(b'@' | b'\\') => DiffSign::Gap,
                Some(b'-') => DiffSign::Removed,
                Some(b'+') => DiffSign::Added,
                _ => DiffSign::Same,
            };
            let text = if sign == DiffSign::Gap { line } else { line.get(1..).unwrap_or_default() };
            Self { sign, text: text.to_owned() }
        })
    }

    /// The same with the number of each line in the text that has it, of a line that stays in the newer one; gaps between
    /// parts have none.
    #[must_use]
    pub fn numbered(diff: &str) -> Vec<(Option<u32>, Self)> {
        let (mut old, mut new) = (0, 0);
        let mut count = |line: &Self| {
            let number = match line.sign {
                DiffSign::Gap => {
                    if let Some(starts) = hunk_starts(&line.text) {
                        (old, new) = starts;
                    }
                    return None;
                }
                DiffSign::Removed => old,
                DiffSign::Same | DiffSign::Added => new,
            };
            old += u32::from(line.sign != DiffSign::Added);
            new += u32::from(line.sign != DiffSign::Removed);
            Some(number)
        };
        Self::of(diff).map(|line| (count(&line), line)).collect()
    }
}

/// The first lines of both texts in `@@ -7,3 +7,4 @@`.
fn hunk_starts(head: &str) -> Option<(u32, u32)> {
    let mut words = head.strip_prefix("@@ -")?.split(' ');
    let start = |word: &str| word.split(',').next()?.parse().ok();
    Some((start(words.next()?)?, start(words.next()?.strip_prefix('+')?)?))
}

/// Which states have a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffSign {
    /// Both.
    Same,
    /// Only the one before.
    Removed,
    /// Only the one after.
    Added,
    /// Lines that both have are left out.
    Gap,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_diff_have_the_numbers_of_their_texts() {
        let diff = "--- a\n+++ b\n@@ -7,3 +7,3 @@\n a\n-b\n+c\n d\n@@ -20 +20,2 @@\n e\n+f\n";
        let lines = DiffLine::numbered(diff);
        let told: Vec<_> = lines.iter().map(|(number, line)| (number.unwrap_or(0), line.text.as_str())).collect();
        let expected = [
            (0, "@@ -7,3 +7,3 @@"),
            (7, "a"),
            (8, "b"),
            (8, "c"),
            (9, "d"),
            (0, "@@ -20 +20,2 @@"),
            (20, "e"),
            (21, "f"),
        ];
        assert_eq!(told, expected);
        assert_eq!(
            DiffLine::numbered("--- a\n+++ b\n@@ odd @@\n"),
            [(None, DiffLine { sign: DiffSign::Gap, text: "@@ odd @@".to_owned() })]
        );
    }

    #[test]
    fn groups_and_changes_are_shown_in_the_graph() {
        let none = PackageComparisonView::default();
        assert!(!none.is_shown_in_graph());
        let change = ChangeView { level: Level::Risky, rule: String::new(), text: String::new(), place: None };
        assert!(PackageComparisonView { changes: vec![change], ..none }.is_shown_in_graph());
    }
}
