//! Reasons of small random sets: each lift that is named helps by itself, and where none is named, no change of
//! the same kinds does. A plan with a change is played back by the simulator.

use crate::plans::scene::{Scene, shown};
use openshift::plans::{Plan, Reason};
use proptest::prelude::*;
use source::Approval;
use std::collections::{BTreeMap, BTreeSet};
use views::PlanObstacle;

/// The versions of a package are 1.0.0 to this one.
const VERSIONS: u32 = 5;
const NAMES: [&str; 3] = ["4.18", "4.19", "4.20"];

#[derive(Clone, Debug)]
struct Entry {
    version: u32,
    replaces: Option<u32>,
    skips: BTreeSet<u32>,
}

/// The channels of the package `p` in a catalog; none if it does not have the package.
type Package = BTreeMap<String, Vec<Entry>>;

/// The catalogs of `p`, the limits of its bundles, by version, and how InstallPlans are approved.
#[derive(Clone, Debug)]
struct Set {
    approval: Approval,
    members: Vec<Package>,
    max: BTreeMap<u32, &'static str>,
}

impl Set {
    fn scene(&self, installed: u32) -> Scene {
        let members: Vec<String> = self.members.iter().map(|package| self.notation(package)).collect();
        let members: Vec<(&str, &str)> = NAMES.into_iter().zip(members.iter().map(String::as_str)).collect();
        Scene::new(&members).subscribe_as(&format!("a@{installed}.0.0"), self.approval)
    }

    fn notation(&self, package: &Package) -> String {
        let mut text = "package other, default c\nc: 1.0.0\n".to_owned();
        let Some(default) = package.keys().next() else { return text };
        text.push_str(&format!("package p, default {default}\n"));
        for (name, entries) in package {
            let entries: Vec<String> = entries.iter().map(Entry::notation).collect();
            text.push_str(&format!("{name}: {}\n", entries.join(", ")));
        }
        let listed: BTreeSet<u32> = package.values().flatten().map(|entry| entry.version).collect();
        for (version, max) in self.max.iter().filter(|(version, _)| listed.contains(version)) {
            text.push_str(&format!("bundle {version}.0.0 (property olm.maxOpenShiftVersion '{max}')\n"));
        }
        text
    }

    /// The plan of the only Subscription, to channel `a`.
    fn plan(&self, installed: u32) -> Plan {
        let mut plans = self.scene(installed).plans().plans;
        assert_eq!(plans.len(), 1);
        plans.remove(0)
    }

    /// With a lift done that is given in words; `None` if it changes neither catalogs nor CSVs.
    fn lifted(&self, lift: &str) -> Option<Self> {
        let mut names = lift.split('`').skip(1).step_by(2);
        let mut name = || names.next().expect("a name");
        let versions = |text: &str| -> Vec<usize> {
            let text = text.split(", as that of").next().unwrap_or_default();
            text.split(", ").map(|version| NAMES.iter().position(|name| *name == version).expect("a version")).collect()
        };
        let after = |words: &str| lift.split_once(words).expect("the words of a lift").1;
        let mut set = self.clone();
        if lift.starts_with("the publisher lets ") {
            let (entry, channel, skipped) = (number(name()), name().to_owned(), number(name()));
            let at = after("of the catalog of ").split(' ').next().expect("a version");
            set = set.with_edge(versions(at)[0], &channel, entry, skipped);
        } else if lift.starts_with("the publisher keeps channel ") {
            let channel = name();
            let at = versions(after("in the catalog of "));
            set = set.with_channel(at[0] - 1, &at, channel);
        } else if lift.starts_with("the publisher keeps ") {
            let at = versions(after("in the catalog of "));
            set = set.with_package(at[0] - 1, &at);
        } else if lift.starts_with("the publisher brings ") {
            let (at, from) = after("to the catalog of ").split_once(", as that of ").expect("where it comes from");
            let from = from.strip_suffix(" has it").expect("the end");
            set = set.with_package(versions(from)[0], &versions(at));
        } else if lift.starts_with("the publisher offers on ") {
            let (here, there) = after("offers on ").split_once(" what the catalog of ").expect("two versions");
            let there = there.strip_suffix(" has").expect("the end");
            set = set.with_package(versions(there)[0], &versions(here));
        } else if lift.starts_with("if ") {
            set.max.remove(&number(name()));
        } else {
            return None;
        }
        Some(set)
    }

    fn with_edge(mut self, at: usize, channel: &str, entry: u32, skipped: u32) -> Self {
        let entries = self.members[at].get_mut(channel).expect("the channel");
        let entry = entries.iter_mut().find(|one| one.version == entry).expect("the entry");
        entry.skips.insert(skipped);
        self
    }

    fn with_channel(mut self, from: usize, at: &[usize], channel: &str) -> Self {
        let kept = self.members[from][channel].clone();
        at.iter().for_each(|at| drop(self.members[*at].insert(channel.to_owned(), kept.clone())));
        self
    }

    fn with_package(mut self, from: usize, at: &[usize]) -> Self {
        let kept = self.members[from].clone();
        at.iter().for_each(|at| self.members[*at].clone_from(&kept));
        self
    }

    /// All single changes of the kinds that a reason may name.
    fn changes(&self) -> Vec<(String, Self)> {
        let last = self.members.len() - 1;
        let mut found = Vec::new();
        for (at, package) in self.members.iter().enumerate() {
            for (channel, entries) in package {
                for entry in entries {
                    for skipped in 1..entry.version {
                        let text = format!("{at} {channel} {} skips {skipped}", entry.version);
                        found.push((text, self.clone().with_edge(at, channel, entry.version, skipped)));
                    }
                }
                let later: Vec<usize> = (at + 1..=last).collect();
                found.push((format!("{channel} of {at} later"), self.clone().with_channel(at, &later, channel)));
            }
            for other in 0..=last {
                found.push((format!("{at} as {other}"), self.clone().with_package(other, &[at])));
            }
            let later: Vec<usize> = (at + 1..=last).collect();
            found.push((format!("{at} later"), self.clone().with_package(at, &later)));
        }
        for version in self.max.keys() {
            let mut set = self.clone();
            set.max.remove(version);
            found.push((format!("{version} without a limit"), set));
        }
        found
    }
}

impl Entry {
    fn notation(&self) -> String {
        let skips: Vec<String> = self.skips.iter().map(|version| format!("{version}.0.0")).collect();
        let clauses: Vec<String> = (self.replaces.map(|version| format!("replaces {version}.0.0")).into_iter())
            .chain((!skips.is_empty()).then(|| format!("skips {}", skips.join(", "))))
            .collect();
        let clauses = if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join("; ")) };
        format!("{}.0.0{clauses}", self.version)
    }
}

/// The major version in the name of a bundle.
fn number(name: &str) -> u32 {
    name.strip_prefix("p.v")
        .and_then(|version| version.split('.').next())
        .and_then(|major| major.parse().ok())
        .expect("a bundle")
}

/// Whether a plan reaches the goal, or the last version at least if that was not reached.
fn helps(plan: &Plan, reason: &Reason) -> bool {
    plan.cost.is_some_and(|cost| cost.missed == 0 || reason.stop.is_some())
}

/// Entries one above the other, of which the lowest may replace one that is no entry.
fn channel() -> impl Strategy<Value = Option<Vec<Entry>>> {
    (proptest::collection::vec(any::<bool>(), VERSIONS as usize), any::<bool>()).prop_map(|(listed, dangles)| {
        let versions: Vec<u32> = (1..=VERSIONS).filter(|version| listed[*version as usize - 1]).collect();
        let lowest = *versions.first()?;
        let entry = |(at, version): (usize, &u32)| Entry {
            version: *version,
            replaces: match at {
                0 => Some(lowest - 1).filter(|below| dangles && *below > 0),
                _ => Some(versions[at - 1]),
            },
            skips: BTreeSet::new(),
        };
        Some(versions.iter().enumerate().map(entry).collect())
    })
}

fn set() -> impl Strategy<Value = Set> {
    let package = (channel(), channel(), 0..5_u8).prop_map(|(a, b, gone)| {
        let channels = [("a", a), ("b", b)].into_iter().filter(|_| gone > 0);
        channels.filter_map(|(name, entries)| Some((name.to_owned(), entries?))).collect::<Package>()
    });
    let max = proptest::collection::btree_map(1..=VERSIONS, prop_oneof![Just("4.18"), Just("4.19")], 0..3);
    let approval = prop_oneof![Just(Approval::Automatic), Just(Approval::Manual)];
    let members = proptest::collection::vec(package, 2..4);
    (approval, members, max).prop_map(|(approval, members, max)| Set { approval, members, max })
}

fn check(set: &Set, installed: u32) {
    let plan = set.plan(installed);
    let Some(reason) = plan.reason.as_ref().filter(|reason| reason.obstacle != PlanObstacle::Unknown) else { return };
    let mut has_lift = false;
    for lift in &reason.lifts {
        let Some(changed) = set.lifted(lift) else {
            let scene = set.scene(installed).allow(lift.starts_with("remove "), lift.starts_with("reinstall "));
            let missed = |plan: &Plan| plan.cost.map_or(u32::MAX, |cost| cost.missed);
            let lost = scene.plans().plans.remove(0);
            assert!(missed(&lost) < missed(&plan), "{} / {lift} / {}", shown(&plan), shown(&lost));
            assert!(lost.cost.is_some(), "{lift}");
            continue;
        };
        has_lift = true;
        let lifted = changed.plan(installed);
        assert!(helps(&lifted, reason), "{} / {lift} / {}", shown(&plan), shown(&lifted));
        assert!(lifted.cost.is_some(), "{lift}");
    }
    if !has_lift {
        for (text, changed) in set.changes() {
            let other = changed.plan(installed);
            assert!(!helps(&other, reason), "{} without a lift, but {text}: {}", shown(&plan), shown(&other));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn each_lift_helps_and_none_is_missed(set in set(), installed in 1..=VERSIONS) {
        check(&set, installed);
    }
}

/// The lifts of the only plan.
fn lifts(scene: &Scene) -> Vec<String> {
    scene.plans().plans.remove(0).reason.map(|reason| reason.lifts).unwrap_or_default()
}

#[test]
fn what_only_an_earlier_catalog_has_may_be_kept() {
    let other = "package other, default c\nc: 1.0.0";
    let members = [("4.18", "a: 3.0.0 (replaces 2.0.0) <- 4.0.0"), ("4.19", "b: 3.0.0"), ("4.20", other)];
    let scene = Scene::new(&members).subscribe("a@2.0.0");
    assert_eq!(
        lifts(&scene)[0],
        "the publisher keeps channel `a` in the catalog of 4.19, 4.20, as that of 4.18 has it"
    );
}

#[test]
fn any_csv_in_the_way_may_be_the_one_to_change() {
    // Without its limit 1.0.0 would be updated to 2.0.0, which stops the next update of OpenShift.
    let limits = [("1.0.0", "4.18"), ("2.0.0", "4.19"), ("5.0.0", "4.18")];
    let limits = limits.map(|(version, max)| format!("bundle {version} (property olm.maxOpenShiftVersion '{max}')"));
    let with = |channels: &str| format!("{channels}\n{}", limits.join("\n"));
    let members =
        [with("a: 1.0.0\nb: 1.0.0 <- 5.0.0"), with("a: 1.0.0 <- 2.0.0\nb: 5.0.0"), with("a: 2.0.0\nb: 5.0.0")];
    let members: Vec<(&str, &str)> = NAMES.into_iter().zip(members.iter().map(String::as_str)).collect();
    let scene = Scene::new(&members).subscribe("a@1.0.0");
    assert_eq!(scene.plan(), "none (blocked)");
    assert!(lifts(&scene)[0].starts_with("if `p.v5.0.0` does run there"), "{:?}", lifts(&scene));
}

#[test]
fn what_is_installed_again_is_approved_with_it() {
    let other = "package other, default c\nc: 1.0.0";
    let scene = Scene::new(&[("4.18", other), ("4.19", "b: 4.0.0")]).subscribe_as("a@1.0.0", Approval::Manual);
    assert_eq!(scene.allow(false, true).plan(), "0/2/1/1 | 4.19: reinstall 4.0.0");
}
