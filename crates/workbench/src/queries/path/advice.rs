//! What helps an installed version that OLM does not update to an entry.

use super::{PathDescriber, count};
use catalog::{BundleName, Catalog, Chain, Channel, Package};
use compare::{Level, Row, Rule, Runtime, State, compare_package};
use std::sync::Arc;
use update_graph::{EdgeChange, EdgeEdit, Hop, Obstacle, Paths, UpdateChain, Via};
use views::Advice;

impl<'c> PathDescriber<'c> {
    /// What helps: a change of the catalog; for who cannot change it, a detour through other channels or a new installation.
    pub(super) fn advice(
        &self,
        chain: &UpdateChain<'c>,
        from: &BundleName,
        obstacle: Obstacle<'c>,
        (goal, across): (&'c BundleName, Option<&[Hop<'c>]>),
    ) -> Vec<Advice> {
        let (is_stuck, edit) = match obstacle {
            Obstacle::Stuck { at, changes } => {
                (true, changes.iter().find_map(|change| self.catalog_edit(change, at, goal)))
            }
            _ => (false, None),
        };
        let detour = match across {
            Some(hops) => Some(switching(self.package, from, hops, goal)),
            None => is_stuck.then(|| self.installing_again(chain, from, goal)),
        };
        edit.into_iter().chain(detour).collect()
    }

    /// A change of the catalog, if it helps: `opm` accepts the edges of the channel, OLM v0 updates `at` to the entry, and no
    /// installed version is worse off in either runtime.
    fn catalog_edit(&self, change: &EdgeChange<'c>, at: &BundleName, goal: &BundleName) -> Option<Advice> {
        let changed = self.with(change, at)?;
        let channel = changed.channel(self.channel.name.value.as_str())?;
        let chain = UpdateChain::of(&changed, channel).ok()?;
        let paths = Paths::of(&changed);
        let next = paths.next_update(&chain, at)?;
        let on = paths.by_olm(&chain, &next.to.name.value, goal);
        let to = if on.arrives { goal } else { &next.to.name.value };
        let hops = if on.arrives { on.hops.len() + 1 } else { 1 };
        let entry = &change.entry.name;
        let edit = match &change.edit {
            EdgeEdit::Add(Via::Replaces, value) => format!("add `replaces: {value}` to `{entry}`"),
            EdgeEdit::Add(Via::SkipRange, value) => format!("add `skipRange: '{value}'` to `{entry}`"),
            EdgeEdit::Add(Via::Skips, value) => format!("add `{value}` to `skips` of `{entry}`"),
            EdgeEdit::Replace(name) => format!("let `{entry}` replace `{name}`"),
            EdgeEdit::Unskip(name) => format!("take `{name}` out of `skips` of `{entry}`"),
        };
        let text = format!("{edit}: OLM then updates `{at}` to `{to}` in {}", count(hops));
        Some(Advice { edits_catalog: true, text, place: Some(self.catalog.place(change.entry.span)) })
    }

    /// The package with a change after which `opm` accepts the edges of the channel, and that harms no installed version. Of
    /// the others OLM v0 takes the same way as before; OLM v1, which always goes to the highest version, may take another.
    fn with(&self, change: &EdgeChange<'c>, at: &BundleName) -> Option<Package> {
        let mut changed = self.package.clone();
        let channel = changed.channels.iter_mut().find(|channel| channel.name.value == self.channel.name.value)?;
        *channel = change.applied(channel);
        let is_accepted = matches!(Chain::of(channel), Chain::Headed { stranded, .. } if stranded.is_empty());
        if !is_accepted {
            return None;
        }
        let [before, after] = [self.package.clone(), changed]
            .map(|package| Catalog { packages: vec![package.into()], ..Catalog::default() });
        let state = |catalog| State { catalog, rejected: None };
        let found = compare_package(state(&before), state(&after), &self.package.name, Runtime::Both);
        let is_harmed = |row: &Row| {
            let is_meant = |rule| is_detour(rule) && (row.installed == *at || row.updated_by.is_v1());
            row.rule.is_some_and(|rule| rule.level() >= Level::Risky && !is_meant(rule))
        };
        after.packages.into_iter().next().map(Arc::unwrap_or_clone).filter(|_| !found.rows.iter().any(is_harmed))
    }

    /// Deleting the operator and installing it again. OLM keeps its CRDs, and with them the custom resources.
    fn installing_again(&self, chain: &UpdateChain<'c>, from: &BundleName, goal: &BundleName) -> Advice {
        let channel = &self.channel.name;
        let starting = match chain.position(goal) {
            Some(0) => String::new(),
            _ => format!(" and startingCSV `{goal}`"),
        };
        let text = format!(
            "delete the Subscription and the CSV `{from}`, then create a Subscription to `{channel}`{starting}: OLM installs `{goal}`. Custom resources stay, but no operator acts on them in between"
        );
        Advice { edits_catalog: false, text, place: None }
    }
}

/// Whether a rule of the comparison says only that a version is updated another way.
const fn is_detour(rule: Rule) -> bool {
    matches!(rule, Rule::V0NextChanged | Rule::V0JumpWidened | Rule::V1NextChanged | Rule::V1JumpWidened)
}

/// A detour through other channels, as the Subscription has to take it.
pub(super) fn switching(package: &Package, from: &BundleName, hops: &[Hop<'_>], goal: &BundleName) -> Advice {
    let mut stages: Vec<(&Channel, &BundleName)> = Vec::new();
    for hop in hops {
        let installed = &hop.to.name.value;
        match stages.last_mut().filter(|(channel, _)| channel.name.value == hop.channel.name.value) {
            Some(stage) => stage.1 = installed,
            None => stages.push((hop.channel, installed)),
        }
    }
    let last = stages.len().saturating_sub(1);
    let is_head = |(channel, installed): &(&Channel, &BundleName)| {
        let chain = UpdateChain::of(package, channel).ok();
        chain.and_then(|chain| chain.entries.first().copied()).is_some_and(|head| head.name.value == **installed)
    };
    // With approval Automatic, OLM does not wait for the switch.
    let goes_past = !stages[..last].iter().all(is_head);
    let stages = stages.iter().enumerate().map(|(at, (channel, installed))| match at == last {
        true => format!("`{}`", channel.name),
        false => format!("`{}` until `{installed}` is installed", channel.name),
    });
    let stages: Vec<String> = stages.collect();
    let manual = match hops.len() {
        1 => "the update waits until its InstallPlan is approved",
        _ => "each update waits until its InstallPlan is approved",
    };
    let automatic = if goes_past {
        ". Use Manual here: with Automatic, OLM updates past the version at which you have to switch"
    } else {
        ""
    };
    let text = format!(
        "switch the channel of the Subscription to {}: OLM then updates `{from}` to `{goal}` in {}. With approval Manual {manual}{automatic}",
        stages.join(", then to "),
        count(hops.len())
    );
    Advice { edits_catalog: false, text, place: None }
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;
    use views::{CatalogId, EntryKey, PackageKey};

    #[test]
    fn without_another_way_the_operator_is_installed_again() {
        let advice = |entries: &str, to: &str| {
            let catalog = format!("package p c\nchannel p c {entries}\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0");
            let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
            let to = EntryKey { channel: Some("c".to_owned()), name: to.to_owned() };
            let view = workbench(&[("c", &catalog)]).path(&key, "p.v1.0.0", &to).unwrap();
            view.advice.into_iter().map(|advice| advice.text).collect::<Vec<_>>()
        };
        let again = |starting: &str, goal: &str| {
            format!(
                "delete the Subscription and the CSV `p.v1.0.0`, then create a Subscription to `c`{starting}: OLM installs `{goal}`. Custom resources stay, but no operator acts on them in between"
            )
        };
        let replaces = "add `replaces: p.v1.0.0` to `p.v2.0.0`: OLM then updates `p.v1.0.0` to `p.v2.0.0` in 1 hop";
        let chain = "p.v3.0.0>p.v2.0.0 p.v2.0.0";
        assert_eq!(advice(chain, "p.v2.0.0"), [replaces.to_owned(), again(" and startingCSV `p.v2.0.0`", "p.v2.0.0")]);
        let range =
            "add `skipRange: '>=1.0.0 <3.0.0'` to `p.v3.0.0`: OLM then updates `p.v1.0.0` to `p.v3.0.0` in 1 hop";
        assert_eq!(advice("p.v3.0.0>p.v2.5.0", "p.v3.0.0"), [range.to_owned(), again("", "p.v3.0.0")]);
    }

    /// The edits of the catalog that are offered for an installed version in channel `c` of these entries.
    fn edits(entries: &str, from: &str, to: &str) -> Vec<String> {
        let versions = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0", "3.0.0"];
        let bundles: String = versions.map(|version| format!("\nbundle p {version}")).concat();
        let catalog = format!("package p c\nchannel p c {entries}\nchannel p all {ALL}{bundles}");
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let to = EntryKey { channel: Some("c".to_owned()), name: format!("p.v{to}") };
        let view = workbench(&[("c", &catalog)]).path(&key, &format!("p.v{from}"), &to).unwrap();
        view.advice.into_iter().filter(|advice| advice.edits_catalog).map(|advice| advice.text).collect()
    }

    /// A channel without edges that lead anywhere, in which every version is listed.
    const ALL: &str =
        "p.v3.0.0-p.v1.0.0-p.v1.1.0-p.v1.2.0-p.v2.0.0-p.v2.1.0 p.v1.0.0 p.v1.1.0 p.v1.2.0 p.v2.0.0 p.v2.1.0";

    #[test]
    fn what_opm_rejects_is_not_offered() {
        // The only edge to 1.2.0 belongs to the skipped 2.0.0: a skipRange leads from it, but opm still finds it stranded.
        let one = "p.v3.0.0>p.v2.1.0-p.v2.0.0 p.v2.1.0>p.v2.0.0 p.v2.0.0>p.v1.2.0 p.v1.2.0";
        let skips = "add `p.v1.2.0` to `skips` of `p.v2.1.0`: OLM then updates `p.v1.2.0` to `p.v3.0.0` in 2 hops";
        assert_eq!(edits(one, "1.2.0", "3.0.0"), [skips]);
        // If 2.1.0 skipped 1.2.0, then 1.1.0, which 1.2.0 replaces, would be stranded.
        let two = "p.v3.0.0>p.v2.1.0-p.v2.0.0 p.v2.1.0>p.v2.0.0 p.v2.0.0>p.v1.2.0 p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0 p.v1.0.0";
        let replaces = "let `p.v2.1.0` replace `p.v1.2.0`: OLM then updates `p.v1.2.0` to `p.v3.0.0` in 2 hops";
        assert_eq!(edits(two, "1.2.0", "3.0.0"), [replaces]);
        assert_eq!(edits(two, "1.0.0", "3.0.0"), [replaces]);
    }

    #[test]
    fn nothing_is_offered_where_no_single_change_helps() {
        // Both 1.1.0 and 2.0.0 stay stranded, whatever is done for one of them.
        let entries = "p.v3.0.0-p.v2.1.0-p.v1.2.0 p.v2.1.0>p.v2.0.0 p.v2.0.0 p.v1.2.0>p.v1.1.0 p.v1.1.0";
        assert_eq!(edits(entries, "1.1.0", "3.0.0"), [""; 0]);
        // A circle of skipped entries, in which OLM v0 finds no order whatever else is changed.
        let circle = "p.v3.0.0>p.v2.0.0-p.v2.0.0-p.v1.2.0 p.v2.0.0>p.v1.2.0 p.v1.2.0>p.v2.0.0 p.v1.0.0";
        assert_eq!(edits(circle, "1.0.0", "3.0.0"), [""; 0]);
    }

    #[test]
    fn a_change_that_harms_another_version_is_not_offered() {
        // A skipRange of 2.0.0 would take 1.2.0, the head, back to it.
        let skips = "add `p.v1.0.0` to `skips` of `p.v2.0.0`: OLM then updates `p.v1.0.0` to `p.v1.2.0` in 2 hops";
        assert_eq!(edits("p.v1.2.0>p.v2.0.0 p.v2.0.0>p.v0.9.0", "1.0.0", "1.2.0"), [skips]);
    }

    #[test]
    fn a_detour_names_each_channel_and_when_to_leave_it() {
        let catalog = "package p a\nchannel p a p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p b p.v3.0.0>p.v2.0.0\nchannel p c p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let to = EntryKey { channel: Some("c".to_owned()), name: "p.v3.0.0".to_owned() };
        let view = workbench(&[("c", catalog)]).path(&key, "p.v1.0.0", &to).unwrap();
        assert_eq!(
            view.advice[1].text,
            "switch the channel of the Subscription to `a` until `p.v2.0.0` is installed, then to `b`: OLM then updates `p.v1.0.0` to `p.v3.0.0` in 2 hops. With approval Manual each update waits until its InstallPlan is approved"
        );
        // 2.0.0 is not the head of channel `a`.
        let further = catalog
            .replace("channel p a p.v2.0.0", "channel p a p.v2.1.0>p.v2.0.0 p.v2.0.0")
            .replace("bundle p 3.0.0", "bundle p 2.1.0\nbundle p 3.0.0");
        let view = workbench(&[("c", &further)]).path(&key, "p.v1.0.0", &to).unwrap();
        let end = ". Use Manual here: with Automatic, OLM updates past the version at which you have to switch";
        assert!(view.advice[1].text.ends_with(end), "{}", view.advice[1].text);
    }
}
