//! How OLM updates one version to another, or why it does not.

use crate::package;
use crate::repairs::channel_repairs;
use crate::subject::CHANNELS;
use catalog::{BundleName, Channel, DeprecationTarget, Package};
use session::{CatalogInput, Workbench};
use source::Span;
use update_graph::{Hop, Obstacle, OlmPath, Paths, Stage, UpdateChain, Via, Ways, installed_csv, known_name};
use views::{EntryKey, HopView, PackageKey, PathView, ReasonView, RepairsView, stages_in_words};

/// How OLM comes from an installed version, which the package may no longer list, to an entry, subscribed to the entry's channel;
/// nothing when the package has no such channel or knows no such name.
#[must_use]
pub fn path(workbench: &Workbench, key: &PackageKey, from: &str, to: &EntryKey) -> Option<PathView> {
    let (catalog, package) = package(workbench, key)?;
    let channel = package.channel(to.channel.as_deref()?)?;
    let (from, goal) = (installed_csv(&[package], from).ok()?, known_name(package, &to.name)?);
    let describer = PathDescriber { workbench, catalog, package, paths: Paths::of(package), channel };
    Some(match UpdateChain::of(package, channel) {
        Ok(chain) => describer.path(&chain, &from, goal),
        Err(error) => describer.without_order(&from, goal, &error.to_string()),
    })
}

/// Describes paths to entries of one channel.
struct PathDescriber<'c> {
    workbench: &'c Workbench,
    catalog: &'c CatalogInput,
    package: &'c Package,
    paths: Paths<'c>,
    channel: &'c Channel,
}

impl<'c> PathDescriber<'c> {
    fn path(&self, chain: &UpdateChain<'c>, from: &'c BundleName, goal: &'c BundleName) -> PathView {
        let path = self.paths.by_olm(chain, from, goal);
        let shortest = self.paths.shortest(self.channel, from, goal);
        let has_goal = path.end(from) == goal;
        let shorter = shortest.filter(|hops| !has_goal || hops.len() < path.hops.len());
        let obstacle = (!path.arrives).then(|| self.paths.obstacle(chain, from, &path, goal));
        let across = obstacle.as_ref().and_then(|_| self.across_channels(from, goal));
        let olm = path.hops.iter().map(|hop| self.hop(hop, self.choices(chain, hop)));
        PathView {
            title: self.title(from, goal, &path),
            arrives: path.arrives,
            olm: olm.collect(),
            because: obstacle.iter().map(|obstacle| self.because(chain, from, obstacle, goal)).collect(),
            repairs: obstacle.as_ref().and_then(|obstacle| self.repairs(obstacle)),
            advice: obstacle
                .and_then(|obstacle| self.detour(chain, from, &obstacle, (goal, across.as_deref())))
                .into_iter()
                .collect(),
            shortest: shorter.map(|hops| self.hops(&hops)),
            across_channels: across.map(|stages| self.stages(from, &stages)),
        }
    }

    fn without_order(&self, from: &'c BundleName, goal: &'c BundleName, error: &str) -> PathView {
        let across = self.across_channels(from, goal);
        PathView {
            title: format!(
                "OLM cannot order the entries of `{}`, so it updates nothing in this channel",
                self.channel.name
            ),
            arrives: false,
            olm: Vec::new(),
            because: vec![ReasonView {
                text: format!("OLM says: {error}"),
                place: Some(self.catalog.place(self.channel.name.span)),
            }],
            repairs: channel_repairs(self.workbench, self.catalog, self.names(), &[from]),
            advice: across.iter().map(|stages| switching(from, stages, goal)).collect(),
            shortest: self.paths.shortest(self.channel, from, goal).map(|hops| self.hops(&hops)),
            across_channels: across.map(|stages| self.stages(from, &stages)),
        }
    }

    /// The way across channels. One without updates does not count: the goal is installed already.
    fn across_channels(&self, from: &'c BundleName, goal: &'c BundleName) -> Option<Vec<Stage<'c>>> {
        let ways = Ways::of(self.package, std::slice::from_ref(from), CHANNELS);
        let own =
            ways.channels.iter().position(|mapped| std::ptr::eq(mapped.channel, self.channel)).unwrap_or_default();
        ways.reached(from)?.way(goal, own).filter(|stages| !stages.is_empty())
    }

    /// The updates of a way.
    fn stages(&self, from: &'c BundleName, stages: &[Stage<'c>]) -> Vec<HopView> {
        let starts = std::iter::once(from).chain(stages.iter().map(|stage| stage.until));
        let hops = stages.iter().zip(starts).filter_map(|(stage, from)| {
            let chain = UpdateChain::of(self.package, stage.channel).ok()?;
            Some(self.hops(&self.paths.by_olm(&chain, from, stage.until).hops))
        });
        hops.flatten().collect()
    }

    fn title(&self, from: &BundleName, goal: &BundleName, path: &OlmPath<'_>) -> String {
        let channel = &self.channel.name;
        let hops = path.hops.len();
        let many = count(hops);
        match path.hops.last() {
            None if path.arrives => format!("`{goal}` is already installed"),
            None if from == goal => format!("`{goal}` is already installed, and OLM updates it in a circle"),
            Some(_) if path.arrives => {
                format!("With a Subscription to `{channel}`, OLM updates `{from}` to `{goal}` in {many}")
            }
            Some(_) if path.end(from) == goal => format!(
                "With a Subscription to `{channel}`, OLM updates `{from}` to `{goal}` in {many}, and then in a circle back to it"
            ),
            None => format!("No update path from `{from}` in `{channel}`"),
            Some(last) => {
                let end = &last.to.name;
                format!(
                    "With a Subscription to `{channel}`, OLM updates `{from}` to `{end}` in {many}, but not to `{goal}`"
                )
            }
        }
    }

    fn hops(&self, hops: &[Hop<'c>]) -> Vec<HopView> {
        hops.iter().map(|hop| self.hop(hop, 0)).collect()
    }

    /// How many entries OLM could choose from at a hop.
    fn choices(&self, chain: &UpdateChain<'c>, hop: &Hop<'c>) -> usize {
        chain.successors(hop.from, self.paths.version(hop.from).as_ref()).len()
    }

    fn hop(&self, hop: &Hop<'c>, choices: usize) -> HopView {
        let Hop { from, to, via, channel } = hop;
        let field = match via {
            Via::Replaces => format!("`{}` replaces `{from}`", to.name),
            Via::Skips => format!("`{}` skips `{from}`", to.name),
            Via::SkipRange => {
                let range = to.skip_range.as_ref().map_or("", |range| &range.value.text);
                let version = self.paths.version(from).map_or_else(|| from.to_string(), |version| version.to_string());
                format!("the skipRange `{range}` of `{}` matches {version}", to.name)
            }
        };
        let nearest = match choices {
            0 | 1 => String::new(),
            many => format!("; of {many} possible updates it is the nearest to the head"),
        };
        let version = self.paths.version(&to.name.value);
        HopView {
            from: from.to_string(),
            to: EntryKey { channel: Some(channel.name.to_string()), name: to.name.to_string() },
            label: version.map_or_else(|| to.name.to_string(), |version| version.to_string()),
            via: via.as_str().to_owned(),
            because: field + &nearest,
            deprecated: self.deprecated(&to.name.value),
            place: self.catalog.place(field_span(hop)),
        }
    }

    /// The message of the deprecation of a bundle.
    fn deprecated(&self, bundle: &BundleName) -> Option<String> {
        let mut all = self.package.deprecations.iter();
        let found = all.find(|found| matches!(&found.target, DeprecationTarget::Bundle(name) if name == bundle));
        found.map(|found| found.message.to_string())
    }

    /// Why no update leads to the goal.
    fn because(
        &self,
        chain: &UpdateChain<'c>,
        from: &BundleName,
        obstacle: &Obstacle<'c>,
        goal: &BundleName,
    ) -> ReasonView {
        let channel = &self.channel.name;
        let at_channel = Some(self.channel.name.span);
        let (text, span) = match obstacle {
            Obstacle::NotListed => (
                format!("`{goal}` is not an entry of `{channel}`, so no update in this channel leads to it"),
                at_channel,
            ),
            Obstacle::NotChosen { skipped_by: Some(entry) } => (
                format!("`{}` skips `{goal}`, so OLM never updates to it; only a startingCSV installs it", entry.name),
                Some(entry.span),
            ),
            Obstacle::NotChosen { skipped_by: None } => (
                format!(
                    "`replaces` does not lead from the head of `{channel}` to `{goal}`, so OLM never updates to it; only a startingCSV installs it"
                ),
                self.channel.entry(goal.as_str()).map(|entry| entry.span),
            ),
            Obstacle::PassedOver(hop) => (
                format!(
                    "OLM updates `{}` to `{}`, which is nearer to the head, and passes over `{goal}`",
                    hop.from, hop.to.name
                ),
                Some(field_span(hop)),
            ),
            Obstacle::Older => (self.older(chain, from, goal), None),
            Obstacle::Circle { has_goal } => {
                let whether = if *has_goal { "contains" } else { "does not contain" };
                (format!("the updates in `{channel}` go in a circle that {whether} `{goal}`"), at_channel)
            }
            Obstacle::Stuck { at } => self.stuck(chain, at),
        };
        ReasonView { text, place: span.map(|span| self.catalog.place(span)) }
    }

    /// That updates do not lead back. If the channel does not list the installed version, only the versions are compared.
    fn older(&self, chain: &UpdateChain<'c>, from: &BundleName, goal: &BundleName) -> String {
        let channel = &self.channel.name;
        match chain.position(from).zip(chain.position(goal)) {
            Some((from_position, position)) if from_position < position => {
                format!(
                    "`{goal}` is older than `{from}` in the update chain of `{channel}`, and updates do not lead back"
                )
            }
            _ if self.channel.entry(from.as_str()).is_none() => format!(
                "`{from}` is not an entry of `{channel}`, and the version of `{goal}` is lower: updates do not lead back"
            ),
            _ => format!("the version of `{goal}` is lower than that of `{from}`: updates do not lead back"),
        }
    }

    /// Why no update leads on from a version.
    fn stuck(&self, chain: &UpdateChain<'c>, at: &BundleName) -> (String, Option<Span>) {
        let channel = &self.channel.name;
        let version = self.paths.version(at);
        let unused = self.channel.entries.iter().find(|entry| {
            chain.position(&entry.name.value).is_none() && update_graph::hop(entry, at, version.as_ref()).is_some()
        });
        match unused {
            None => {
                let version = version.map_or_else(|| at.to_string(), |version| version.to_string());
                let text =
                    format!("no entry of `{channel}` replaces, skips or covers {version}, so OLM cannot update `{at}`");
                (text, Some(channel.span))
            }
            Some(entry) => (
                format!(
                    "only `{}` follows `{at}`, and OLM does not choose from it: another entry skips it, or `replaces` does not lead to it from the head of `{channel}`",
                    entry.name
                ),
                Some(entry.span),
            ),
        }
    }
}

fn count(hops: usize) -> String {
    if hops == 1 { "1 hop".to_owned() } else { format!("{hops} hops") }
}

/// Where the field stands that allows a hop.
fn field_span(hop: &Hop<'_>) -> Span {
    let entry = hop.to;
    let span = match hop.via {
        Via::Replaces => entry.replaces.as_ref().map(|name| name.span),
        Via::Skips => entry.skips.iter().find(|skip| skip.value == *hop.from).map(|skip| skip.span),
        Via::SkipRange => entry.skip_range.as_ref().map(|range| range.span),
    };
    span.unwrap_or(entry.span)
}

// What helps an installed version that OLM does not update to an entry.

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
    fn detour(
        &self,
        chain: &UpdateChain<'c>,
        from: &BundleName,
        obstacle: &Obstacle<'c>,
        (goal, across): (&'c BundleName, Option<&[Stage<'c>]>),
    ) -> Option<String> {
        match across {
            Some(stages) => Some(switching(from, stages, goal)),
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
fn switching(from: &BundleName, stages: &[Stage<'_>], goal: &BundleName) -> String {
    // With approval Automatic, OLM does not wait for the switch.
    let goes_past = stages[..stages.len().saturating_sub(1)].iter().any(|stage| stage.goes_on);
    let hops = stages.iter().map(|stage| stage.hops as usize).sum();
    let channels = stages.iter().map(|stage| (stage.channel.name.value.as_str(), format!("`{}`", stage.until)));
    let manual = match hops {
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
        stages_in_words(channels),
        count(hops)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::testing::workbench;
    use views::{CatalogId, EntryKey, PackageKey};

    const CHANNELS: &str = "package p stable\nchannel p fast p.v3.0.0>p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nchannel p stable p.v3.0.0>p.v1.5.0-p.v1.4.0~>=1.0.0_<1.4.0 p.v1.5.0\nchannel p x p.v1.4.0\nbundle p 1.0.0\nbundle p 1.4.0\nbundle p 1.5.0\nbundle p 2.0.0\nbundle p 3.0.0";

    fn path(from: &str, channel: &str, to: &str) -> PathView {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let to = EntryKey { channel: Some(channel.to_owned()), name: format!("p.v{to}") };
        super::path(&workbench(&[("c", CHANNELS)]), &key, &format!("p.v{from}"), &to).unwrap()
    }

    /// `channel version (line): because`
    fn shown(hops: &[HopView]) -> Vec<String> {
        let shown = |hop: &HopView| {
            let channel = hop.to.channel.as_deref().unwrap_or_default();
            format!("{channel} {} ({}): {}", hop.label, hop.place.line, hop.because)
        };
        hops.iter().map(shown).collect()
    }

    #[test]
    fn each_hop_says_which_field_allows_it() {
        let view = path("1.0.0", "fast", "3.0.0");
        assert_eq!(view.title, "With a Subscription to `fast`, OLM updates `p.v1.0.0` to `p.v3.0.0` in 2 hops");
        let expected =
            ["fast 2.0.0 (11): `p.v2.0.0` replaces `p.v1.0.0`", "fast 3.0.0 (10): `p.v3.0.0` replaces `p.v2.0.0`"];
        assert_eq!(shown(&view.olm), expected);
        assert_eq!((view.because.len(), &view.shortest, &view.across_channels), (0, &None, &None));
        let expected = ["stable 3.0.0 (18): the skipRange `>=1.0.0 <1.4.0` of `p.v3.0.0` matches 1.0.0"];
        assert_eq!(shown(&path("1.0.0", "stable", "3.0.0").olm), expected);
    }

    #[test]
    fn a_hop_to_a_deprecated_bundle_says_what_users_are_told() {
        let deprecated = "---\nschema: olm.deprecations\npackage: p\nentries:\n- reference: {schema: olm.bundle, name: p.v2.0.0}\n  message: use 3.0.0\n- reference: {schema: olm.channel, name: fast}\n  message: use stable\n";
        let (mut workbench, key) =
            (workbench(&[("c", CHANNELS)]), PackageKey { catalog: CatalogId(0), package: "p".to_owned() });
        let file = &workbench.catalogs()[0].files[0];
        let (file, end) = (file.key, file.text.len() as u32);
        workbench.edit(file, end..end, deprecated);
        let to = EntryKey { channel: Some("fast".to_owned()), name: "p.v3.0.0".to_owned() };
        let hops = super::path(&workbench, &key, "p.v1.0.0", &to).unwrap().olm;
        let said: Vec<_> = hops.iter().map(|hop| hop.deprecated.as_deref()).collect();
        assert_eq!(said, [Some("use 3.0.0"), None]);
    }

    #[test]
    fn a_missing_edge_is_named_with_what_adds_it() {
        let view = path("2.0.0", "stable", "3.0.0");
        assert_eq!(view.title, "No update path from `p.v2.0.0` in `stable`");
        let because: Vec<_> = view.because.iter().map(|reason| reason.text.as_str()).collect();
        assert_eq!(because, ["no entry of `stable` replaces, skips or covers 2.0.0, so OLM cannot update `p.v2.0.0`"]);
        let repairs: Vec<_> = view.repairs.iter().flat_map(|view| &view.fixes).map(|fix| fix.text.as_str()).collect();
        assert_eq!(repairs[0], "set `skipRange` of `p.v3.0.0` to `>=1.0.0 <3.0.0`");
        assert_eq!(
            view.advice,
            [
                "switch the channel of the Subscription to `fast`: OLM then updates `p.v2.0.0` to `p.v3.0.0` in 1 hop. With approval Manual the update waits until its InstallPlan is approved"
            ]
        );
        assert_eq!(shown(&view.across_channels.unwrap()), ["fast 3.0.0 (10): `p.v3.0.0` replaces `p.v2.0.0`"]);
    }

    #[test]
    fn an_obstacle_is_explained() {
        let view = path("1.0.0", "stable", "1.5.0");
        assert_eq!(
            view.title,
            "With a Subscription to `stable`, OLM updates `p.v1.0.0` to `p.v3.0.0` in 1 hop, but not to `p.v1.5.0`"
        );
        assert_eq!(
            view.because[0].text,
            "OLM updates `p.v1.0.0` to `p.v3.0.0`, which is nearer to the head, and passes over `p.v1.5.0`"
        );
        assert_eq!(
            path("3.0.0", "stable", "1.5.0").because[0].text,
            "`p.v1.5.0` is older than `p.v3.0.0` in the update chain of `stable`, and updates do not lead back"
        );
        assert_eq!(
            path("2.0.0", "stable", "1.5.0").because[0].text,
            "`p.v2.0.0` is not an entry of `stable`, and the version of `p.v1.5.0` is lower: updates do not lead back"
        );
        assert_eq!(
            path("1.0.0", "stable", "2.0.0").because[0].text,
            "`p.v2.0.0` is not an entry of `stable`, so no update in this channel leads to it"
        );
    }

    /// Nobody stays at a version that updates lead back to.
    #[test]
    fn a_circle_of_updates_does_not_arrive() {
        // The skipRange of 1.1.0 has the head, too.
        let circle = "package p c\nchannel p c p.v1.2.0>p.v1.1.0 p.v1.1.0>p.v1.0.0~>=1.0.0_<=1.2.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0\nbundle p 1.2.0";
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let said = |from: &str, to: &str| {
            let to = EntryKey { channel: Some("c".to_owned()), name: format!("p.v{to}") };
            let view = super::path(&workbench(&[("c", circle)]), &key, &format!("p.v{from}"), &to).unwrap();
            let because = view.because.first().map(|reason| reason.text.clone()).unwrap_or_default();
            (view.arrives, view.title, because, view.shortest.is_some())
        };
        let because = |to: &str| format!("the updates in `c` go in a circle that contains `p.v{to}`");
        let title = |to: &str, hops: &str| {
            format!(
                "With a Subscription to `c`, OLM updates `p.v1.0.0` to `p.v{to}` in {hops}, and then in a circle back to it"
            )
        };
        assert_eq!(said("1.0.0", "1.2.0"), (false, title("1.2.0", "2 hops"), because("1.2.0"), false));
        assert_eq!(said("1.0.0", "1.1.0"), (false, title("1.1.0", "1 hop"), because("1.1.0"), false));
        let installed = "`p.v1.2.0` is already installed, and OLM updates it in a circle".to_owned();
        assert_eq!(said("1.2.0", "1.2.0"), (false, installed, because("1.2.0"), false));
        assert!(said("1.0.0", "1.0.0").0, "no update leads back to it");
    }

    #[test]
    fn an_unknown_name_has_no_path() {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let to = EntryKey { channel: Some("stable".to_owned()), name: "p.v3.0.0".to_owned() };
        assert_eq!(super::path(&workbench(&[("c", CHANNELS)]), &key, "q", &to), None);
    }

    #[test]
    fn a_version_that_is_no_longer_listed_has_the_path_of_the_range_that_covers_it() {
        let expected = ["stable 3.0.0 (18): the skipRange `>=1.0.0 <1.4.0` of `p.v3.0.0` matches 1.2.0"];
        assert_eq!(shown(&path("1.2.0", "stable", "3.0.0").olm), expected);
        assert_eq!(path("0.1.0", "stable", "3.0.0").title, "No update path from `p.v0.1.0` in `stable`");
    }

    #[test]
    fn a_stuck_version_gets_the_repairs_of_the_channel_and_without_another_way_the_operator_is_installed_again() {
        let advice = |entries: &str, to: &str| {
            let catalog = format!(
                "package p c\nchannel p c {entries}\nchannel p d p.v1.0.0\nchannel p e p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0\nbundle p 3.0.0"
            );
            let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
            let to = EntryKey { channel: Some("c".to_owned()), name: to.to_owned() };
            let view = super::path(&workbench(&[("c", &catalog)]), &key, "p.v1.0.0", &to).unwrap();
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
        let view = super::path(&workbench(&[("c", catalog)]), &key, "p.v1.0.0", &to).unwrap();
        assert_eq!(
            view.advice[0],
            "switch the channel of the Subscription to `a` until `p.v2.0.0` is installed, then to `b`: OLM then updates `p.v1.0.0` to `p.v3.0.0` in 2 hops. With approval Manual each update waits until its InstallPlan is approved"
        );
        // 2.0.0 is not the head of channel `a`.
        let further = catalog
            .replace("channel p a p.v2.0.0", "channel p a p.v2.1.0>p.v2.0.0 p.v2.0.0")
            .replace("bundle p 3.0.0", "bundle p 2.1.0\nbundle p 3.0.0");
        let view = super::path(&workbench(&[("c", &further)]), &key, "p.v1.0.0", &to).unwrap();
        let end = ". Use Manual here: with Automatic, OLM updates past the version at which you have to switch";
        assert!(view.advice[0].ends_with(end), "{}", view.advice[0]);
    }
}
