//! The details of a package, a channel, an edge or a skipRange.

use super::entry::{range_view, short};
use super::lifecycle;
use crate::findings::finding_list;
use crate::package;
use crate::repairs::channel_repairs;
use catalog::{BundleName, Channel, DeprecationTarget, Entry, Package};
use session::{CatalogInput, Finding, Workbench};
use std::collections::BTreeSet;
use update_graph::{ChannelMap, Head, MappedChannel, Paths, UpdateChain, channels_in_order};
use views::{
    ChannelMapView, ChannelSummary, ChannelSwitch, CsvRef, FactLine, FactRow, MapChannel, MapHead, PackageKey, Subject,
    SubjectView,
};

/// The number of lines under one heading.
const LINES: usize = 200;

/// The details of a subject; `None` when the package has no such thing. `day` is the day on which the support of versions is
/// told, `YYYY-MM-DD`; empty for none.
#[must_use]
pub fn subject(workbench: &Workbench, key: &PackageKey, subject: &Subject, day: &str) -> Option<SubjectView> {
    let (catalog, package) = package(workbench, key)?;
    let details = Details { workbench, catalog, package };
    let entry = |channel: &str, entry: &str| {
        let channel = package.channel(channel)?;
        Some((channel, channel.entry(entry)?))
    };
    match subject {
        Subject::Package => Some(details.package(day)),
        Subject::Channel { channel } => Some(details.channel(package.channel(channel)?)),
        Subject::Edge { channel, from, to } => {
            let (channel, to) = entry(channel, to)?;
            details.edge(channel, from, to)
        }
        Subject::Range { channel, entry: name } => {
            let (channel, entry) = entry(channel, name)?;
            details.range(channel, entry)
        }
    }
}

/// Makes the details of the parts of a package.
struct Details<'c> {
    workbench: &'c Workbench,
    catalog: &'c CatalogInput,
    package: &'c Package,
}

impl<'c> Details<'c> {
    fn package(&self, day: &str) -> SubjectView {
        let package = self.package;
        let description = package.description.iter().map(|text| plain(text.value.to_string()));
        let deprecated = self.deprecated(|target| matches!(target, DeprecationTarget::Package));
        let default = package.default_channel.as_ref().map(|name| &name.value);
        let channels = channels_in_order(package).into_iter().map(|channel| ChannelSummary {
            channel: channel.name.to_string(),
            default: default == Some(&channel.name.value),
            entries: channel.entries.len() as u32,
            heads: catalog::heads(channel).into_iter().map(|head| version_or_name(package, head)).collect(),
            place: self.catalog.place(channel.name.span),
        });
        SubjectView {
            title: package.name.to_string(),
            summary: format!(
                "package in catalog `{}` with {} and {}",
                self.catalog.name,
                count(package.channels.len(), "channel", "channels"),
                count(package.bundles.len(), "bundle", "bundles")
            ),
            channels: channels.collect(),
            facts: rows([("deprecated", deprecated.collect()), ("description", description.collect())])
                .into_iter()
                .chain(lifecycle::of_package(self.catalog, package, day))
                .collect(),
            findings: self.findings(|found| {
                found.subject.as_ref().is_some_and(|subject| subject.channel.is_none() && subject.entry.is_none())
            }),
            excerpt: package.declared.and_then(|span| self.catalog.excerpt(span)),
            ..SubjectView::default()
        }
    }

    /// The channels at the other end of switches that need an update, from the head of one channel to that of another.
    fn switches(&self, channel: &Channel, other: impl Fn(&ChannelSwitch, u32) -> Option<u32>) -> Vec<FactLine> {
        let map = ChannelMap::of(self.package, CHANNELS);
        let at = map.channels.iter().position(|mapped| mapped.channel.name.value == channel.name.value);
        let line = |switch: &ChannelSwitch| {
            let other = map.channels.get(other(switch, at? as u32)? as usize)?.channel;
            let updates = count(switch.hops as usize, "update", "updates");
            Some(plain(format!("`{}`, {updates} from head to head", other.name)))
        };
        map.switches.iter().filter(|switch| switch.hops > 0).filter_map(line).collect()
    }

    fn channel(&self, channel: &'c Channel) -> SubjectView {
        let is_default = self.package.default_channel.as_ref().is_some_and(|name| name.value == channel.name.value);
        let deprecated =
            self.deprecated(|target| matches!(target, DeprecationTarget::Channel(name) if *name == channel.name.value));
        let heads = catalog::heads(channel).into_iter().map(|head| self.bundle(channel, head, String::new()));
        let entries = count(channel.entries.len(), "entry", "entries");
        let chain = UpdateChain::of(self.package, channel);
        let (length, left_out, error) = match &chain {
            Ok(chain) => {
                let length = plain(format!("{} of {entries}, head first", chain.entries.len()));
                (Some(length), self.outside_chain(channel, chain), None)
            }
            Err(error) => (None, Vec::new(), Some(plain(format!("OLM cannot order the channel: {error}")))),
        };
        SubjectView {
            title: channel.name.to_string(),
            summary: format!(
                "{}channel of package `{}` with {entries}",
                if is_default { "default " } else { "" },
                self.package.name,
            ),
            facts: rows([
                ("deprecated", deprecated.collect()),
                ("head", heads.collect()),
                ("error", error.into_iter().collect()),
                ("update chain", length.into_iter().collect()),
                ("not in the update chain", left_out),
                ("switch to", self.switches(channel, |map, at| (map.from == at).then_some(map.to))),
                ("switch from", self.switches(channel, |map, at| (map.to == at).then_some(map.from))),
            ]),
            findings: self.findings(|found| {
                found.subject.as_ref().is_some_and(|subject| {
                    subject.channel.as_ref() == Some(&channel.name.value) && subject.entry.is_none()
                })
            }),
            repairs: channel_repairs(
                self.workbench,
                self.catalog,
                (self.package.name.as_str(), channel.name.value.as_str()),
                &[],
            ),
            excerpt: self.catalog.excerpt(channel.span),
            ..SubjectView::default()
        }
    }

    /// The entries that OLM never updates to, each with the reason.
    fn outside_chain(&self, channel: &'c Channel, chain: &UpdateChain<'_>) -> Vec<FactLine> {
        let outside = channel.entries.iter().filter(|entry| chain.position(&entry.name.value).is_none());
        let line = |entry: &Entry| {
            let skips = |other: &&Entry| other.skips.iter().any(|skip| skip.value == entry.name.value);
            let why = match channel.entries.iter().find(skips) {
                Some(other) => format!("`{}` skips it", other.name),
                None => "no chain of `replaces` leads from the head to it".to_owned(),
            };
            self.bundle(channel, entry.name.value.as_str(), why)
        };
        outside.map(line).collect()
    }

    fn edge(&self, channel: &'c Channel, from: &str, to: &'c Entry) -> Option<SubjectView> {
        let replaced = to.replaces.as_ref().filter(|name| name.value.as_str() == from);
        let skipped = to.skips.iter().find(|skip| skip.value.as_str() == from);
        let field = if replaced.is_some() { "replaces" } else { "skips" };
        let name = replaced.or(skipped)?;
        let meaning = if replaced.is_some() {
            format!("`{from}` can be updated to `{}`", to.name)
        } else {
            format!("`{from}` can be updated to `{}`, and OLM never installs `{from}` from this channel", to.name)
        };
        Some(SubjectView {
            title: format!("{} {field} {from}", to.name),
            summary: format!("`{field}` of an entry in channel `{}`", channel.name),
            facts: rows([
                ("meaning", vec![FactLine { place: Some(self.catalog.place(name.span)), ..plain(meaning) }]),
                ("OLM", vec![plain(self.usage(channel, &name.value, to))]),
                ("older", vec![self.bundle(channel, from, String::new())]),
                ("newer", vec![self.bundle(channel, to.name.value.as_str(), String::new())]),
            ]),
            findings: self.about_entry(channel, to),
            excerpt: self.catalog.excerpt(to.span),
            ..SubjectView::default()
        })
    }

    /// Whether OLM uses the edge.
    fn usage(&self, channel: &'c Channel, from: &BundleName, to: &Entry) -> String {
        let chain = match UpdateChain::of(self.package, channel) {
            Ok(chain) => chain,
            Err(error) => return format!("does not use this update: {error}"),
        };
        if chain.position(&to.name.value).is_none() {
            return format!("does not use this update: `{}` is not in the update chain", to.name);
        }
        match Paths::of(self.package).next_update(&chain, from) {
            Some(next) if next.to.name.value == to.name.value => "uses this update".to_owned(),
            Some(next) => {
                format!("updates `{from}` to `{}` instead, which is nearer to the head", next.to.name)
            }
            None => "does not use this update".to_owned(),
        }
    }

    fn range(&self, channel: &'c Channel, entry: &'c Entry) -> Option<SubjectView> {
        let range = entry.skip_range.as_ref()?;
        let view = range_view(self.package, &range.value);
        let parsed = view.normalised.iter().filter(|text| **text != view.text).map(|text| plain(format!("`{text}`")));
        let bundles = channel.entries.iter().filter_map(|entry| self.package.bundle(entry.name.value.as_str()));
        let listed: BTreeSet<String> = bundles.filter_map(|bundle| Some(bundle.version()?.to_string())).collect();
        let (inside, outside): (Vec<&String>, Vec<&String>) =
            view.matches.iter().partition(|version| listed.contains(*version));
        let versions =
            |versions: Vec<&String>| versions.into_iter().map(|version| plain(format!("`{version}`"))).collect();
        let prunings = update_graph::prunings(self.package);
        let pruning = prunings.iter().find(|pruning| std::ptr::eq(pruning.entry, entry));
        let pruned = pruning.map(|pruning| {
            pruning
                .off_chain
                .iter()
                .map(|entry| self.bundle(channel, entry.name.value.as_str(), String::new()))
                .collect()
        });
        Some(SubjectView {
            title: format!("skipRange {}", view.text),
            summary: format!(
                "every version that it matches can be updated to `{}` in channel `{}`, even one that the channel does not list",
                entry.name, channel.name
            ),
            facts: rows([
                (
                    "written as",
                    vec![FactLine { place: Some(self.catalog.place(range.span)), ..plain(format!("`{}`", view.text)) }],
                ),
                ("parsed as", parsed.collect()),
                ("error", view.error.iter().map(|error| plain(error.clone())).collect()),
                ("matches in the channel", versions(inside)),
                ("matches outside the channel", versions(outside)),
                ("prunes", pruned.unwrap_or_default()),
                ("entry", vec![self.bundle(channel, entry.name.value.as_str(), String::new())]),
            ]),
            findings: self.about_entry(channel, entry),
            excerpt: self.catalog.excerpt(entry.span),
            ..SubjectView::default()
        })
    }

    fn bundle(&self, channel: &Channel, name: &str, text: String) -> FactLine {
        let csv = CsvRef {
            name: name.to_owned(),
            package: self.package.name.to_string(),
            channel: channel.name.to_string(),
            catalog: self.catalog.name.clone(),
            catalog_namespace: self.catalog.namespace.clone(),
        };
        FactLine { csv: Some(csv), ..plain(text) }
    }

    fn deprecated(&self, is_meant: impl Fn(&DeprecationTarget) -> bool) -> impl Iterator<Item = FactLine> {
        let deprecations = self.package.deprecations.iter().filter(move |deprecation| is_meant(&deprecation.target));
        deprecations.map(|deprecation| FactLine {
            place: Some(self.catalog.place(deprecation.span)),
            ..plain(deprecation.message.to_string())
        })
    }

    fn about_entry(&self, channel: &Channel, entry: &Entry) -> Vec<views::FindingView> {
        self.findings(|found| {
            found.subject.as_ref().is_some_and(|subject| {
                subject.channel.as_ref() == Some(&channel.name.value)
                    && subject.entry.as_ref() == Some(&entry.name.value)
            })
        })
    }

    fn findings(&self, is_meant: impl Fn(&Finding) -> bool) -> Vec<views::FindingView> {
        finding_list(self.workbench, self.catalog, |found| {
            found.subject.as_ref().is_some_and(|subject| subject.package == self.package.name) && is_meant(found)
        })
    }
}

/// The version of a bundle; of one without a known version, what its name tells.
fn version_or_name(package: &Package, name: &str) -> String {
    let version = package.bundle(name).and_then(|bundle| bundle.version());
    version.map_or_else(|| short(package, name).to_owned(), ToString::to_string)
}

fn plain(text: String) -> FactLine {
    FactLine { text, ..FactLine::default() }
}

fn count(many: usize, one: &str, more: &str) -> String {
    if many == 1 { format!("1 {one}") } else { format!("{many} {more}") }
}

/// The rows that have lines.
fn rows<const N: usize>(rows: [(&str, Vec<FactLine>); N]) -> Vec<FactRow> {
    let rows = rows.into_iter().filter(|(_, lines)| !lines.is_empty());
    let row = |(name, lines): (&str, Vec<FactLine>)| FactRow {
        name: name.to_owned(),
        lines: lines.into_iter().take(LINES).collect(),
        ..FactRow::default()
    };
    rows.map(row).collect()
}

// The channel map of a package.

/// The most channels of a map. Packages have up to 40; the arrows of more could not be told apart.
pub(super) const CHANNELS: usize = 60;

/// To which channels a Subscription can switch.
#[must_use]
pub fn channel_map(workbench: &Workbench, key: &PackageKey) -> Option<ChannelMapView> {
    let (_, package) = package(workbench, key)?;
    let map = ChannelMap::of(package, CHANNELS);
    Some(ChannelMapView {
        channels: map.channels.iter().map(|mapped| channel(package, mapped)).collect(),
        switches: map.switches,
        omitted: map.omitted as u32,
    })
}

fn channel(package: &Package, mapped: &MappedChannel<'_>) -> MapChannel {
    let name = &mapped.channel.name.value;
    let is_it = |target: &DeprecationTarget| matches!(target, DeprecationTarget::Channel(of) if of == name);
    let head = |head: &Head<'_>| MapHead {
        name: head.name.to_string(),
        label: head.version.as_ref().map_or_else(|| head.name.to_string(), ToString::to_string),
    };
    MapChannel {
        channel: name.to_string(),
        default: mapped.is_default,
        deprecated: package.deprecations.iter().any(|deprecation| is_it(&deprecation.target)),
        head: mapped.head.as_ref().map(head),
        problem: mapped.problem.as_ref().map(ToString::to_string),
        dead_end: mapped.dead_end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel_map;
    use session::testing::workbench;
    use views::{CatalogId, ChannelSwitch, PackageKey};

    const SKETCH: &str = "package p c\nchannel p c p.v3.0.0>p.v1.0.0-p.v2.0.0~>=1.0.0_<3.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.5.0\nbundle p 2.0.0\nbundle p 3.0.0";

    /// The summary, then lines `heading: text csv`.
    fn lines(subject: Subject) -> Vec<String> {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let view = crate::subject(&workbench(&[("cat", SKETCH)]), &key, &subject, "").unwrap();
        let line = |name: &str, line: &FactLine| {
            let csv = line.csv.as_ref().map(|csv| format!(" @{}", csv.name)).unwrap_or_default();
            format!("{name}: {}{csv}", line.text)
        };
        let lines = view.facts.iter().flat_map(|row| row.lines.iter().map(|fact| line(&row.name, fact)));
        std::iter::once(view.summary.clone()).chain(lines).collect()
    }

    #[test]
    fn a_package_lists_its_channels() {
        assert_eq!(lines(Subject::Package), ["package in catalog `cat` with 1 channel and 4 bundles"]);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let rows = crate::subject(&workbench(&[("cat", SKETCH)]), &key, &Subject::Package, "").unwrap().channels;
        let told: Vec<_> =
            rows.iter().map(|row| (&*row.channel, row.default, row.entries, row.heads.concat())).collect();
        assert_eq!(told, [("c", true, 3, "3.0.0".to_owned())]);
    }

    #[test]
    fn a_package_shows_the_cause_of_what_is_wrong_with_it() {
        let text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nx\n\
                    entries:\n- name: p.v1.0.0\n";
        let workbench = Workbench::default().with_text("c", "c.yaml", text);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let found = crate::subject(&workbench, &key, &Subject::Package, "").unwrap().findings;
        let rules: Vec<(&str, u32)> = found.iter().map(|row| (&*row.rule, row.follow)).collect();
        assert_eq!(rules, [("broken-document", 1)], "the default channel is in the document that cannot be read");
    }

    #[test]
    fn a_package_shows_its_lifecycle_data() {
        let text = "schema: olm.package\nname: p\n---\nschema: io.openshift.operators.lifecycles.v1alpha1\n\
                    package: p\nversions:\n- name: '4.12'\n  \
                    platformCompatibility: [{name: openshift, versions: ['4.14']}]\n  \
                    phases: [{name: Full support, startDate: 2023-01-17, endDate: 2023-07-17}]\n";
        let workbench = Workbench::default().with_text("c", "c.yaml", text);
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let support = |day| {
            let view = crate::subject(&workbench, &key, &Subject::Package, day).unwrap();
            let row = view.facts.into_iter().find(|row| row.name == "support").unwrap();
            assert!(row.has_day);
            row.lines[0].text.clone()
        };
        let phases = "Full support: 2023-01-17 to 2023-07-17; openshift 4.14";
        assert_eq!(support(""), format!("`4.12`: {phases}"));
        let current = "Full support until 2023-07-17, 12 months or less left";
        assert_eq!(support("2023-03-01"), format!("`4.12`: {current}; {phases}"));
        assert_eq!(support("2024-03-01"), format!("`4.12`: Self-support: all phases are over; {phases}"));
    }

    #[test]
    fn a_channel_shows_its_update_chain() {
        let expected = [
            "default channel of package `p` with 3 entries",
            "head:  @p.v3.0.0",
            "update chain: 2 of 3 entries, head first",
            "not in the update chain: `p.v3.0.0` skips it @p.v2.0.0",
        ];
        assert_eq!(lines(Subject::Channel { channel: "c".to_owned() }), expected);
    }

    #[test]
    fn an_edge_says_whether_olm_uses_it() {
        let edge =
            |from: &str, to: &str| Subject::Edge { channel: "c".to_owned(), from: from.to_owned(), to: to.to_owned() };
        let usage = |from, to| lines(edge(from, to))[2].clone();
        assert_eq!(usage("p.v1.0.0", "p.v3.0.0"), "OLM: uses this update");
        assert_eq!(
            usage("p.v1.0.0", "p.v2.0.0"),
            "OLM: does not use this update: `p.v2.0.0` is not in the update chain"
        );
    }

    #[test]
    fn a_range_separates_versions_in_the_channel_from_others() {
        let expected = [
            "every version that it matches can be updated to `p.v3.0.0` in channel `c`, even one that the channel does not list",
            "written as: `>=1.0.0 <3.0.0`",
            "matches in the channel: `1.0.0`",
            "matches in the channel: `2.0.0`",
            "matches outside the channel: `1.5.0`",
        ];
        let lines = lines(Subject::Range { channel: "c".to_owned(), entry: "p.v3.0.0".to_owned() });
        assert_eq!(lines[..5], expected);
    }

    #[test]
    fn an_unknown_subject_has_no_details() {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let subject = Subject::Edge { channel: "c".to_owned(), from: "p.v2.0.0".to_owned(), to: "p.v1.0.0".to_owned() };
        assert_eq!(crate::subject(&workbench(&[("cat", SKETCH)]), &key, &subject, ""), None);
    }

    #[test]
    fn a_map_has_all_channels_and_the_switches_that_work() {
        let text = "package p old\nchannel p new p.v2.0.0~>=1.0.0_<2.0.0\nchannel p old p.v1.0.0\nchannel p broken p.v1.0.0 p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let key = |package: &str| PackageKey { catalog: CatalogId(0), package: package.to_owned() };
        let workbench = workbench(&[("c", text)]);
        let map = channel_map(&workbench, &key("p")).unwrap();
        let shown = map.channels.iter().map(|channel| {
            let head = channel.head.as_ref().map(|head| head.label.as_str());
            (channel.channel.as_str(), channel.default, head, channel.problem.is_some())
        });
        let expected =
            [("new", false, Some("2.0.0"), false), ("old", true, Some("1.0.0"), false), ("broken", false, None, true)];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        assert_eq!(map.switches, [ChannelSwitch { from: 1, to: 0, hops: 1, direct: true }]);
        assert_eq!(channel_map(&workbench, &key("other")), None);
    }
}
