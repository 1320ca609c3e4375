//! What helps an installed version that OLM does not update to an entry.

use super::{PathDescriber, count};
use crate::repairs::channel_repairs;
use catalog::{BundleName, Channel, Package};
use update_graph::{Hop, Obstacle, UpdateChain};
use views::RepairsView;

impl<'c> PathDescriber<'c> {
    /// The package and the channel.
    pub(super) fn names(&self) -> (&'c str, &'c str) {
        (self.package.name.as_str(), self.channel.name.value.as_str())
    }

    /// What helps the channel in which a version is stuck.
    pub(super) fn repairs(&self, obstacle: &Obstacle<'c>) -> Option<RepairsView> {
        let Obstacle::Stuck { at } = obstacle else { return None };
        channel_repairs(self.workbench, self.catalog, self.names(), &[at])
    }

    /// What helps this one cluster: a detour through other channels or a new installation.
    pub(super) fn detour(
        &self,
        chain: &UpdateChain<'c>,
        from: &BundleName,
        obstacle: &Obstacle<'c>,
        (goal, across): (&'c BundleName, Option<&[Hop<'c>]>),
    ) -> Option<String> {
        match across {
            Some(hops) => Some(switching(self.package, from, hops, goal)),
            None => matches!(obstacle, Obstacle::Stuck { .. }).then(|| self.installing_again(chain, from, goal)),
        }
    }

    /// Deleting the operator and installing it again. OLM keeps its CRDs, and with them the custom resources.
    fn installing_again(&self, chain: &UpdateChain<'c>, from: &BundleName, goal: &BundleName) -> String {
        let channel = &self.channel.name;
        let starting = match chain.position(goal) {
            Some(0) => String::new(),
            _ => format!(" and startingCSV `{goal}`"),
        };
        format!(
            "delete the Subscription and the CSV `{from}`, then create a Subscription to `{channel}`{starting}: OLM installs `{goal}`. Custom resources stay, but no operator acts on them in between"
        )
    }
}

/// A detour through other channels, as the Subscription has to take it.
pub(super) fn switching(package: &Package, from: &BundleName, hops: &[Hop<'_>], goal: &BundleName) -> String {
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
    format!(
        "switch the channel of the Subscription to {}: OLM then updates `{from}` to `{goal}` in {}. With approval Manual {manual}{automatic}",
        stages.join(", then to "),
        count(hops.len())
    )
}

#[cfg(test)]
mod tests {
    use crate::path;
    use session::testing::workbench;
    use views::{CatalogId, EntryKey, PackageKey};

    #[test]
    fn a_stuck_version_gets_the_repairs_of_the_channel_and_without_another_way_the_operator_is_installed_again() {
        let advice = |entries: &str, to: &str| {
            let catalog = format!(
                "package p c\nchannel p c {entries}\nchannel p d p.v1.0.0\nchannel p e p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0"
            );
            let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
            let to = EntryKey { channel: Some("c".to_owned()), name: to.to_owned() };
            let view = path(&workbench(&[("c", &catalog)]), &key, "p.v1.0.0", &to).unwrap();
            let repairs = view.repairs.into_iter().flat_map(|view| view.fixes).map(|fix| fix.text);
            repairs.chain(view.advice).collect::<Vec<_>>()
        };
        let again = |starting: &str, goal: &str| {
            format!(
                "delete the Subscription and the CSV `p.v1.0.0`, then create a Subscription to `c`{starting}: OLM installs `{goal}`. Custom resources stay, but no operator acts on them in between"
            )
        };
        let found = advice("p.v3.0.0>p.v2.0.0 p.v2.0.0", "p.v2.0.0");
        assert_eq!(found[0], "set `skipRange` of `p.v3.0.0` to `>=1.0.0 <3.0.0`");
        assert_eq!(found[1], "add `p.v1.0.0` to `skips` of `p.v3.0.0`");
        assert_eq!(found.last(), Some(&again(" and startingCSV `p.v2.0.0`", "p.v2.0.0")));
        let found = advice("p.v3.0.0>p.v2.5.0", "p.v3.0.0");
        assert_eq!(found.last(), Some(&again("", "p.v3.0.0")));
    }

    #[test]
    fn a_detour_names_each_channel_and_when_to_leave_it() {
        let catalog = "package p a\nchannel p a p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p b p.v3.0.0>p.v2.0.0\nchannel p c p.v3.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0";
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let to = EntryKey { channel: Some("c".to_owned()), name: "p.v3.0.0".to_owned() };
        let view = path(&workbench(&[("c", catalog)]), &key, "p.v1.0.0", &to).unwrap();
        assert_eq!(
            view.advice[0],
            "switch the channel of the Subscription to `a` until `p.v2.0.0` is installed, then to `b`: OLM then updates `p.v1.0.0` to `p.v3.0.0` in 2 hops. With approval Manual each update waits until its InstallPlan is approved"
        );
        // 2.0.0 is not the head of channel `a`.
        let further = catalog
            .replace("channel p a p.v2.0.0", "channel p a p.v2.1.0>p.v2.0.0 p.v2.0.0")
            .replace("bundle p 3.0.0", "bundle p 2.1.0\nbundle p 3.0.0");
        let view = path(&workbench(&[("c", &further)]), &key, "p.v1.0.0", &to).unwrap();
        let end = ". Use Manual here: with Automatic, OLM updates past the version at which you have to switch";
        assert!(view.advice[0].ends_with(end), "{}", view.advice[0]);
    }
}
