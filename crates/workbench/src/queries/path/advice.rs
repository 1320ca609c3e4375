//! What helps an installed version that OLM does not update to an entry.

use super::{PathDescriber, count};
use catalog::{BundleName, Channel};
use update_graph::{Hop, MissingEdge, Obstacle, UpdateChain, Via};
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
            Obstacle::Stuck { at, missing } => {
                (true, missing.map(|missing| self.missing_edge(chain, at, &missing, goal)))
            }
            _ => (false, None),
        };
        let detour = match across {
            Some(hops) => Some(switching(from, hops, goal)),
            None => is_stuck.then(|| self.installing_again(chain, from, goal)),
        };
        edit.into_iter().chain(detour).collect()
    }

    fn missing_edge(
        &self,
        chain: &UpdateChain<'c>,
        at: &BundleName,
        missing: &MissingEdge<'c>,
        goal: &BundleName,
    ) -> Advice {
        let MissingEdge { entry, via, value } = missing;
        let edit = match via {
            Via::Replaces => format!("add `replaces: {value}` to `{}`", entry.name),
            Via::SkipRange => format!("add `skipRange: '{value}'` to `{}`", entry.name),
            Via::Skips => format!("add `{value}` to `skips` of `{}`", entry.name),
        };
        let on = self.paths.by_olm(chain, &entry.name.value, goal);
        let to = if on.arrives { goal } else { &entry.name.value };
        let hops = if on.arrives { on.hops.len() + 1 } else { 1 };
        let text = format!("{edit}: OLM then updates `{at}` to `{to}` in {}", count(hops));
        Advice { edits_catalog: true, text, place: Some(self.catalog.place(entry.span)) }
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

/// A detour through other channels, as the Subscription has to take it.
pub(super) fn switching(from: &BundleName, hops: &[Hop<'_>], goal: &BundleName) -> Advice {
    let mut stages: Vec<(&Channel, &BundleName)> = Vec::new();
    for hop in hops {
        let installed = &hop.to.name.value;
        match stages.last_mut().filter(|(channel, _)| channel.name.value == hop.channel.name.value) {
            Some(stage) => stage.1 = installed,
            None => stages.push((hop.channel, installed)),
        }
    }
    let last = stages.len().saturating_sub(1);
    let stages = stages.iter().enumerate().map(|(at, (channel, installed))| match at == last {
        true => format!("`{}`", channel.name),
        false => format!("`{}` until `{installed}` is installed", channel.name),
    });
    let stages: Vec<String> = stages.collect();
    let manual = match hops.len() {
        1 => "the update waits until its InstallPlan is approved",
        _ => "each update waits until its InstallPlan is approved",
    };
    let text = format!(
        "switch the channel of the Subscription to {}: OLM then updates `{from}` to `{goal}` in {}. With approval Manual {manual}",
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
    }
}
