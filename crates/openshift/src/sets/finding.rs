//! What is wrong with a set, as values.

use crate::sets::set::CatalogSet;
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName};
use source::{Diagnostic, OpenShift, Rule, Severity, Span, first_and_more, name_list};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use views::InstalledRow;

/// A finding about a member, or about what updates of OpenShift do between members. The same in members that follow
/// each other is one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// The package; absent for a finding about several.
    pub package: Option<PackageName>,
    /// The channel; absent for a finding about a whole package.
    pub channel: Option<ChannelName>,
    /// The first member; of an update of OpenShift the one before it.
    pub from: OpenShift,
    /// The last member; the same for a finding about one.
    pub to: OpenShift,
    /// What is wrong, without the versions of the members.
    pub message: String,
    /// The installed versions that it is about.
    pub rows: Vec<InstalledRow>,
    /// What helps those who have them.
    pub way_out: Option<WayOut>,
    /// Its places, each in the member with this version.
    pub spans: Vec<(OpenShift, Span)>,
}

/// What helps those who have an installed version that an update of OpenShift leaves behind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WayOut {
    /// To change the channel of the Subscription before the update of OpenShift.
    SwitchBefore {
        channel: ChannelName,
        /// What is installed then.
        reaches: BundleName,
    },
    /// To change the channel after the update.
    SwitchAfter {
        channel: ChannelName,
        /// Whether no Subscription of the namespace is resolved until then.
        is_frozen: bool,
    },
    /// To update the operator before OpenShift.
    UpdateFirst {
        /// To this version.
        to: BundleName,
    },
    /// None: the operator has to be installed again.
    Reinstall,
}

impl fmt::Display for WayOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SwitchBefore { channel, reaches } => {
                write!(
                    f,
                    "change the channel to `{channel}` before the update of OpenShift, which leads to `{reaches}`"
                )
            }
            Self::SwitchAfter { channel, is_frozen } => {
                let frozen = if *is_frozen { "; until then OLM resolves nothing in the namespace" } else { "" };
                write!(f, "change the channel to `{channel}` after the update of OpenShift{frozen}")
            }
            Self::UpdateFirst { to } => write!(f, "update the operator to `{to}` before OpenShift"),
            Self::Reinstall => f.write_str("none but to install the operator again"),
        }
    }
}

impl Finding {
    /// Its installed versions in words: those of clusters that are up to date, and then others.
    #[must_use]
    pub fn installed(&self) -> Vec<String> {
        let names = |is_end: bool| -> BTreeSet<&str> {
            self.rows.iter().filter(|row| row.is_end == is_end).map(|row| row.installed.as_str()).collect()
        };
        let (ends, mut others) = (names(true), names(false));
        others.retain(|name| !ends.contains(name));
        let line =
            |label: &str, names: BTreeSet<&str>| (!names.is_empty()).then(|| format!("{label}: {}", name_list(names)));
        line("installed", ends).into_iter().chain(line("installed, with updates left", others)).collect()
    }

    /// A finding about one member.
    pub(crate) fn of_member(
        rule: Rule,
        version: OpenShift,
        package: &PackageName,
        span: Option<Span>,
        message: String,
    ) -> Self {
        Self {
            rule,
            severity: rule.severity(),
            package: Some(package.clone()),
            channel: None,
            from: version,
            to: version,
            message,
            rows: Vec::new(),
            way_out: None,
            spans: span.map(|span| (version, span)).into_iter().collect(),
        }
    }

    /// A finding about several members.
    pub(crate) fn between(self, from: OpenShift, to: OpenShift) -> Self {
        Self { from, to, ..self }
    }

    pub(crate) fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    pub(crate) fn in_channel(self, channel: &ChannelName) -> Self {
        Self { channel: Some(channel.clone()), ..self }
    }

    /// The versions of OpenShift that it is about.
    #[must_use]
    pub fn versions(&self) -> String {
        match (self.from == self.to, self.is_about_updates()) {
            (true, _) => self.from.to_string(),
            (false, true) => format!("{} → {}", self.from, self.to),
            (false, false) => format!("{} to {}", self.from, self.to),
        }
    }

    /// Whether it is about what updates of OpenShift do, and not about what members say.
    #[must_use]
    pub const fn is_about_updates(&self) -> bool {
        matches!(
            self.rule,
            Rule::SetPackageEnds
                | Rule::SetChannelEnds
                | Rule::SetInstalledLost
                | Rule::SetInstalledAhead
                | Rule::SetMovesLower
                | Rule::SetDefaultDiffers
        )
    }

    /// Whether it is about the repository that the catalogs are made from, and not about clusters.
    #[must_use]
    pub const fn is_about_repository(&self) -> bool {
        matches!(
            self.rule,
            Rule::GeneratedStale
                | Rule::SetTemplateStale
                | Rule::SetTemplateUnused
                | Rule::SetCatalogUnmapped
                | Rule::SetMappingMissing
                | Rule::SetMappingName
                | Rule::SetMappingTwice
                | Rule::BundleRangeInvalid
                | Rule::BundleRangeEnds
        )
    }

    /// Whether it leaves clusters behind that are up to date.
    #[must_use]
    pub fn is_harmful(&self) -> bool {
        let rules = [Rule::SetPackageEnds, Rule::SetChannelEnds, Rule::SetInstalledLost, Rule::SetInstalledAhead];
        // A hint has a way out that costs nothing.
        rules.contains(&self.rule) && self.severity != Severity::Hint && self.rows.iter().any(|row| row.is_end)
    }

    /// How bad it is for clusters: what is harmful is an error, whatever the severity of its rule.
    #[must_use]
    pub fn harm(&self) -> Severity {
        if self.is_harmful() { Severity::Error } else { self.severity }
    }

    /// Its package and channel, in words; empty for a finding about several packages.
    #[must_use]
    pub fn subject(&self) -> String {
        let package = self.package.as_ref().map(|package| format!("`{package}`")).unwrap_or_default();
        let channel = self.channel.as_ref().map(|channel| format!(", channel `{channel}`")).unwrap_or_default();
        package + &channel
    }

    /// What it is about, and what is wrong.
    #[must_use]
    pub fn sentence(&self) -> String {
        let subject = self.subject();
        let comma = if subject.is_empty() { "" } else { ", " };
        format!("{subject}{comma}OpenShift {}: {}", self.versions(), self.message)
    }

    /// The finding with its versions at its first place; `None` without a place.
    #[must_use]
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        let (_, span) = *self.spans.first()?;
        let mut found = Diagnostic { severity: self.severity, ..Diagnostic::new(self.rule, span, self.sentence()) };
        found.help = self.way_out.as_ref().map(ToString::to_string);
        Some(found)
    }
}

// Findings that are read once: those that members have in common, and channels that end in turn.

/// What findings that are one have in common. What is installed may differ.
type Common = (Rule, Severity, (Option<PackageName>, Option<ChannelName>), String, Option<WayOut>);

/// Merges findings that differ in their versions alone, and whose versions follow each other among the members.
pub(crate) fn merged(set: &CatalogSet, findings: Vec<Finding>) -> Vec<Finding> {
    let place = |version: OpenShift| set.members.iter().position(|member| member.version == version).unwrap_or(0);
    let mut groups: BTreeMap<Common, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let Finding { rule, severity, package, channel, message, way_out, .. } = &finding;
        let subject = (package.clone(), channel.clone());
        let common = (*rule, *severity, subject, message.clone(), way_out.clone());
        groups.entry(common).or_default().push(finding);
    }
    let mut merged = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by_key(|finding| (finding.from, finding.to));
        let mut steps: Vec<Finding> = Vec::new();
        for finding in group {
            let follows = |known: &&mut Finding| match finding.is_about_updates() {
                true => known.to == finding.from,
                false => place(known.to) + 1 == place(finding.from),
            };
            match steps.iter_mut().find(follows).filter(|_| finding.package.is_some()) {
                Some(known) => {
                    known.to = finding.to;
                    known.rows.extend(finding.rows);
                    known.spans.extend(finding.spans);
                }
                None => steps.push(finding),
            }
        }
        merged.extend(steps);
    }
    merged
}

/// So many channels that end make a habit.
const HABIT: usize = 3;

/// Makes one finding of the channels of a package that end in turn, as those that exist for each minor version.
pub(crate) fn rolling(set: &CatalogSet, findings: Vec<Finding>) -> Vec<Finding> {
    let mut of_package: BTreeMap<Option<PackageName>, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        of_package.entry(finding.package.clone()).or_default().push(finding);
    }
    let mut found = Vec::new();
    for (package, findings) in of_package {
        let channels: BTreeSet<_> = findings.iter().filter_map(|finding| finding.channel.clone()).collect();
        let steps: BTreeSet<OpenShift> = findings.iter().map(|finding| finding.from).collect();
        match package.filter(|_| channels.len() >= HABIT && steps.len() > 1) {
            Some(package) => found.push(in_turn(set, &package, findings)),
            None => found.extend(findings),
        }
    }
    found
}

/// The way out of each channel, if they differ.
fn ways_out(findings: &[Finding]) -> String {
    let ways = findings.iter().filter_map(|finding| {
        let (channel, way_out) = (finding.channel.as_ref()?, finding.way_out.as_ref()?);
        Some(match way_out {
            WayOut::SwitchBefore { channel: to, .. } => format!("`{channel}` to `{to}` before the update of OpenShift"),
            WayOut::SwitchAfter { channel: to, .. } => format!("`{channel}` to `{to}` after the update of OpenShift"),
            WayOut::UpdateFirst { to } => format!("to `{to}` in `{channel}` before the update of OpenShift"),
            WayOut::Reinstall => format!("of `{channel}` only a new installation"),
        })
    });
    format!("ways out: {}", first_and_more(ways, 5))
}

fn in_turn(set: &CatalogSet, package: &PackageName, findings: Vec<Finding>) -> Finding {
    let members: Vec<_> = set.of_package(package.as_str()).map(|(_, package)| package).collect();
    let lasts = |channel: &str| members.iter().filter(|package| package.channel(channel).is_some()).count();
    let ended: BTreeSet<_> = findings.iter().filter_map(|finding| finding.channel.clone()).collect();
    let lives: BTreeSet<usize> = ended.iter().map(|channel| lasts(channel.as_str())).collect();
    let (shortest, longest) = (lives.first().copied().unwrap_or(0), lives.last().copied().unwrap_or(0));
    let lives = if shortest == longest { longest.to_string() } else { format!("{shortest} to {longest}") };
    let lasting = members.last().and_then(|last| {
        let channels = last.channels.iter().map(|channel| &channel.name.value);
        channels.filter(|channel| lasts(channel.as_str()) == members.len()).min()
    });
    let lasting = match lasting {
        Some(channel) => format!("; `{channel}` is in all catalogs"),
        None => "; no channel is in all catalogs".to_owned(),
    };
    let message = format!(
        "each channel of this package lasts {lives} catalogs, and {} have ended: OLM no longer resolves any namespace \
         with a Subscription to one{lasting}",
        ended.len()
    );
    let ways: BTreeSet<&WayOut> = findings.iter().filter_map(|finding| finding.way_out.as_ref()).collect();
    let message = if ways.len() > 1 { format!("{message}; {}", ways_out(&findings)) } else { message };
    let worst = findings.iter().map(|finding| finding.severity).min().unwrap_or(Rule::SetChannelEnds.severity());
    let first = findings.iter().map(|finding| finding.from).min().unwrap_or(set.members[0].version);
    let last = findings.iter().map(|finding| finding.to).max().unwrap_or(first);
    let mut found = Finding::of_member(Rule::SetChannelEnds, first, package, None, message).between(first, last);
    found.severity = worst;
    found.way_out = ways.first().filter(|_| ways.len() == 1).map(|way| (*way).clone());
    for finding in findings {
        found.rows.extend(finding.rows);
        found.spans.extend(finding.spans);
    }
    found
}
