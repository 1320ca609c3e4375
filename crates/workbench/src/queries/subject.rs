//! All about something of a package that is not an entry: the package, a channel, an edge, a skipRange.

use super::entry::range_view;
use crate::analysis::Finding;
use crate::{CatalogInput, Workbench};
use catalog::{BundleName, Channel, DeprecationTarget, Entry, Package};
use std::collections::BTreeSet;
use update_graph::{Paths, UpdateChain};
use views::{CsvRef, FactLine, FactRow, PackageKey, Subject, SubjectView};

/// At most so many lines are told under one heading.
const LINES: usize = 200;

impl Workbench {
    /// All about a subject; absent when there is no such thing.
    #[must_use]
    pub fn subject(&self, key: &PackageKey, subject: &Subject) -> Option<SubjectView> {
        let (catalog, package) = self.package(key)?;
        let teller = Teller { workbench: self, catalog, package };
        let entry = |channel: &str, entry: &str| {
            let channel = package.channel(channel)?;
            Some((channel, channel.entry(entry)?))
        };
        match subject {
            Subject::Package => Some(teller.package()),
            Subject::Channel { channel } => Some(teller.channel(package.channel(channel)?)),
            Subject::Edge { channel, from, to } => {
                let (channel, to) = entry(channel, to)?;
                teller.edge(channel, from, to)
            }
            Subject::Range { channel, entry: name } => {
                let (channel, entry) = entry(channel, name)?;
                teller.range(channel, entry)
            }
        }
    }
}

struct Teller<'c> {
    workbench: &'c Workbench,
    catalog: &'c CatalogInput,
    package: &'c Package,
}

impl<'c> Teller<'c> {
    fn package(&self) -> SubjectView {
        let package = self.package;
        let described = package.description.iter().map(|text| plain(text.value.to_string()));
        let deprecated = self.deprecated(|target| matches!(target, DeprecationTarget::Package));
        let default = package
            .default_channel
            .iter()
            .map(|name| FactLine { place: Some(self.catalog.place(name.span)), ..plain(format!("`{name}`")) });
        let channels = package.channels.iter().map(|channel| {
            let heads: Vec<_> = catalog::heads(channel).into_iter().map(|head| format!("`{head}`")).collect();
            let entries = count(channel.entries.len(), "entry", "entries");
            let heads = match heads.len() {
                0 => "no head".to_owned(),
                1 => format!("head {}", heads[0]),
                many => format!("{many} heads: {}", heads.join(", ")),
            };
            FactLine {
                place: Some(self.catalog.place(channel.name.span)),
                ..plain(format!("`{}`: {entries}, {heads}", channel.name))
            }
        });
        SubjectView {
            title: package.name.to_string(),
            summary: format!(
                "package of `{}` with {} and {}",
                self.catalog.name,
                count(package.channels.len(), "channel", "channels"),
                count(package.bundles.len(), "bundle", "bundles")
            ),
            facts: rows([
                ("deprecated", deprecated.collect()),
                ("description", described.collect()),
                ("defaultChannel", default.collect()),
                ("channels", channels.collect()),
            ]),
            findings: self.findings(|found| {
                found.subject.as_ref().is_some_and(|subject| subject.channel.is_none() && subject.entry.is_none())
            }),
            excerpt: package.declared.and_then(|span| self.catalog.excerpt(span)),
        }
    }

    fn channel(&self, channel: &'c Channel) -> SubjectView {
        let chain = UpdateChain::of(self.package, channel);
        let default = self.package.default_channel.as_ref().is_some_and(|name| name.value == channel.name.value);
        let deprecated =
            self.deprecated(|target| matches!(target, DeprecationTarget::Channel(name) if *name == channel.name.value));
        let heads = catalog::heads(channel).into_iter().map(|head| self.bundle(channel, head, String::new()));
        let problem = chain.as_ref().err().map(|error| plain(format!("OLM finds none: {error}")));
        let is_left_out =
            |entry: &&Entry| chain.as_ref().is_ok_and(|chain| chain.position(&entry.name.value).is_none());
        let left_out = channel.entries.iter().filter(is_left_out).map(|entry| {
            let skipped =
                channel.entries.iter().find(|other| other.skips.iter().any(|skip| skip.value == entry.name.value));
            let why = skipped.map_or_else(
                || "not on the chain of `replaces` from the head".to_owned(),
                |other| format!("`{}` skips it", other.name),
            );
            self.bundle(channel, entry.name.value.as_str(), why)
        });
        let chosen = chain.iter().map(|chain| {
            plain(format!(
                "{} of {}, the head first",
                chain.entries.len(),
                count(channel.entries.len(), "entry", "entries")
            ))
        });
        SubjectView {
            title: channel.name.to_string(),
            summary: format!(
                "{}channel of `{}` with {}",
                if default { "default " } else { "" },
                self.package.name,
                count(channel.entries.len(), "entry", "entries")
            ),
            facts: rows([
                ("deprecated", deprecated.collect()),
                ("head", heads.collect()),
                ("order", problem.into_iter().collect()),
                ("OLM chooses from", chosen.collect()),
                ("never updated to", left_out.collect()),
            ]),
            findings: self.findings(|found| {
                found.subject.as_ref().is_some_and(|subject| {
                    subject.channel.as_ref() == Some(&channel.name.value) && subject.entry.is_none()
                })
            }),
            excerpt: self.catalog.excerpt(channel.span),
        }
    }

    fn edge(&self, channel: &'c Channel, from: &str, to: &'c Entry) -> Option<SubjectView> {
        let replaced = to.replaces.as_ref().filter(|name| name.value.as_str() == from);
        let skipped = to.skips.iter().find(|skip| skip.value.as_str() == from);
        let field = if replaced.is_some() { "replaces" } else { "skips" };
        let name = replaced.or(skipped)?;
        let meaning = if replaced.is_some() {
            format!("`{}` comes after `{from}`, and may be updated to from it", to.name)
        } else {
            format!(
                "`{}` makes `{from}` superfluous: it may be updated to from it, and no update leads to `{from}` any more",
                to.name
            )
        };
        Some(SubjectView {
            title: format!("{} {field} {from}", to.name),
            summary: format!("`{field}` of an entry in `{}`", channel.name),
            facts: rows([
                ("means", vec![FactLine { place: Some(self.catalog.place(name.span)), ..plain(meaning) }]),
                ("OLM", vec![plain(self.use_of(channel, &name.value, to))]),
                ("older", vec![self.bundle(channel, from, String::new())]),
                ("newer", vec![self.bundle(channel, to.name.value.as_str(), String::new())]),
            ]),
            findings: self.about_entry(channel, to),
            excerpt: self.catalog.excerpt(to.span),
        })
    }

    /// What OLM makes of the edge.
    fn use_of(&self, channel: &'c Channel, from: &BundleName, to: &Entry) -> String {
        let chain = match UpdateChain::of(self.package, channel) {
            Ok(chain) => chain,
            Err(error) => return format!("does not use it: {error}"),
        };
        if chain.position(&to.name.value).is_none() {
            return format!(
                "does not use it: `{}` is skipped, or not on the chain of `replaces` from the head",
                to.name
            );
        }
        match Paths::of(self.package).next_update(&chain, from) {
            Some(next) if next.to.name.value == to.name.value => "takes it".to_owned(),
            Some(next) => {
                format!("does not take it: from `{from}` it goes to `{}`, which is nearer to the head", next.to.name)
            }
            None => "does not take it".to_owned(),
        }
    }

    fn range(&self, channel: &'c Channel, entry: &'c Entry) -> Option<SubjectView> {
        let range = entry.skip_range.as_ref()?;
        let view = range_view(self.package, &range.value);
        let reads = view.normalised.iter().filter(|text| **text != view.text).map(|text| plain(format!("`{text}`")));
        let bundles = channel.entries.iter().filter_map(|entry| self.package.bundle(entry.name.value.as_str()));
        let listed: BTreeSet<String> = bundles.filter_map(|bundle| Some(bundle.version()?.to_string())).collect();
        let (inside, outside): (Vec<&String>, Vec<&String>) =
            view.matches.iter().partition(|version| listed.contains(*version));
        let versions =
            |versions: Vec<&String>| versions.into_iter().map(|version| plain(format!("`{version}`"))).collect();
        let prunings = update_graph::prunings(self.package);
        let pruning = prunings.iter().find(|pruning| std::ptr::eq(pruning.entry, entry));
        let taken = pruning
            .map(|pruning| pruning.names().map(|name| self.bundle(channel, name.as_str(), String::new())).collect());
        Some(SubjectView {
            title: format!("skipRange {}", view.text),
            summary: format!(
                "whatever version it matches may be updated to `{}` in `{}`, in the channel or not",
                entry.name, channel.name
            ),
            facts: rows([
                (
                    "as written",
                    vec![FactLine { place: Some(self.catalog.place(range.span)), ..plain(format!("`{}`", view.text)) }],
                ),
                ("reads as", reads.collect()),
                ("wrong", view.error.iter().map(|error| plain(error.clone())).collect()),
                ("matches in the channel", versions(inside)),
                ("matches elsewhere", versions(outside)),
                ("takes out", taken.unwrap_or_default()),
                ("entry", vec![self.bundle(channel, entry.name.value.as_str(), String::new())]),
            ]),
            findings: self.about_entry(channel, entry),
            excerpt: self.catalog.excerpt(entry.span),
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
        let here = self.catalog.analysis.shown().filter(|found| {
            found.subject.as_ref().is_some_and(|subject| subject.package == self.package.name) && is_meant(found)
        });
        here.map(|found| self.workbench.finding(self.catalog, found)).collect()
    }
}

fn plain(text: String) -> FactLine {
    FactLine { text, ..FactLine::default() }
}

fn count(many: usize, one: &str, more: &str) -> String {
    if many == 1 { format!("1 {one}") } else { format!("{many} {more}") }
}

/// The headings that have lines.
fn rows<const N: usize>(rows: [(&str, Vec<FactLine>); N]) -> Vec<FactRow> {
    let rows = rows.into_iter().filter(|(_, lines)| !lines.is_empty());
    rows.map(|(name, lines)| FactRow { name: name.to_owned(), lines: lines.into_iter().take(LINES).collect() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;
    use views::CatalogId;

    const SKETCH: &str = "package p c\nchannel p c p.v3.0.0>p.v1.0.0-p.v2.0.0~>=1.0.0_<3.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.5.0\nbundle p 2.0.0\nbundle p 3.0.0";

    /// `summary`, then lines `heading: text csv`.
    fn told(subject: Subject) -> Vec<String> {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let view = workbench(&[("cat", SKETCH)]).subject(&key, &subject).unwrap();
        let line = |name: &str, line: &FactLine| {
            let csv = line.csv.as_ref().map(|csv| format!(" @{}", csv.name)).unwrap_or_default();
            format!("{name}: {}{csv}", line.text)
        };
        let lines = view.facts.iter().flat_map(|row| row.lines.iter().map(|told| line(&row.name, told)));
        std::iter::once(view.summary.clone()).chain(lines).collect()
    }

    #[test]
    fn a_package_lists_its_channels() {
        let expected = [
            "package of `cat` with 1 channel and 4 bundles",
            "defaultChannel: `c`",
            "channels: `c`: 3 entries, head `p.v3.0.0`",
        ];
        assert_eq!(told(Subject::Package), expected);
    }

    #[test]
    fn a_channel_says_what_olm_chooses_from() {
        let expected = [
            "default channel of `p` with 3 entries",
            "head:  @p.v3.0.0",
            "OLM chooses from: 2 of 3 entries, the head first",
            "never updated to: `p.v3.0.0` skips it @p.v2.0.0",
        ];
        assert_eq!(told(Subject::Channel { channel: "c".to_owned() }), expected);
    }

    #[test]
    fn an_edge_says_whether_olm_uses_it() {
        let edge =
            |from: &str, to: &str| Subject::Edge { channel: "c".to_owned(), from: from.to_owned(), to: to.to_owned() };
        let told = |from, to| told(edge(from, to))[2].clone();
        assert_eq!(told("p.v1.0.0", "p.v3.0.0"), "OLM: takes it");
        assert_eq!(
            told("p.v1.0.0", "p.v2.0.0"),
            "OLM: does not use it: `p.v2.0.0` is skipped, or not on the chain of `replaces` from the head"
        );
    }

    #[test]
    fn a_range_tells_versions_in_the_channel_from_others() {
        let expected = [
            "whatever version it matches may be updated to `p.v3.0.0` in `c`, in the channel or not",
            "as written: `>=1.0.0 <3.0.0`",
            "matches in the channel: `1.0.0`",
            "matches in the channel: `2.0.0`",
            "matches elsewhere: `1.5.0`",
        ];
        let told = told(Subject::Range { channel: "c".to_owned(), entry: "p.v3.0.0".to_owned() });
        assert_eq!(told[..5], expected);
    }

    #[test]
    fn what_is_not_there_is_absent() {
        let key = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let subject = Subject::Edge { channel: "c".to_owned(), from: "p.v2.0.0".to_owned(), to: "p.v1.0.0".to_owned() };
        assert_eq!(workbench(&[("cat", SKETCH)]).subject(&key, &subject), None);
    }
}
