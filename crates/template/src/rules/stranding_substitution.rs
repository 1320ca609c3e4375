//! The rule `stranding-substitution`.
//!
#![doc = include_str!("stranding_substitution.md")]

use catalog::{BundleName, Catalog, Channel, Entry, Package, SkipRange};
use go_semver::blang::{Range, Version};
use source::{Diagnostic, Rule, Span, Spanned, name_list};
use update_graph::UpdateChain;

/// A substitution, and the channels in which its base stands.
pub(crate) struct Stranding<'s> {
    /// The channels as they are, without bundles.
    pub(crate) before: &'s Catalog,
    /// The channels with the substitute.
    pub(crate) after: &'s Catalog,
    /// The bundle that is replaced.
    pub(crate) base: &'s str,
    pub(crate) version: &'s Version,
}

/// A channel in which nothing updates the base any more.
struct Stranded<'s> {
    package: &'s Package,
    channel: &'s Channel,
    /// What OLM updated it to.
    to: &'s Entry,
}

/// Reports the channels in which OLM v0 updates an installed base without the substitution, and not with it.
pub(crate) fn check(place: Span, of: &Stranding<'_>) -> Option<Diagnostic> {
    let channels = of.before.packages.iter().flat_map(|package| package.channels.iter().map(move |it| (package, it)));
    let stranded: Vec<Stranded<'_>> = channels.filter_map(|(package, channel)| of.stranded(package, channel)).collect();
    let first = stranded.first()?;
    let (base, to) = (of.base, &first.to.name);
    let which = if stranded.len() == 1 { "channel" } else { "channels" };
    let names = name_list(stranded.iter().map(|it| it.channel.name.value.as_str()));
    let message = format!(
        "OLM v0 does not update `{base}` any more in {which} {names}: `{to}`, which skips it, then skips its substitute, and \
         OLM does not follow the edges of a skipped entry"
    );
    let by_hand = format!("write the entries without a substitution, and keep `{base}` in the `skips` of `{to}`");
    let range = of.range(first);
    let help = match &range {
        Some(range) => format!("give `{to}` the skipRange `{range}`, or {by_hand}"),
        None => by_hand,
    };
    let finding = Diagnostic::new(Rule::StrandingSubstitution, place, message).with_help(help);
    let label = |finding: Diagnostic, it: &Stranded<'_>| {
        finding.with_label(it.to.span, format!("`{base}` is updated to this without the substitution"))
    };
    Some(stranded.iter().fold(finding, label))
}

impl<'s> Stranding<'s> {
    fn stranded(&self, package: &'s Package, channel: &'s Channel) -> Option<Stranded<'s>> {
        let after = self.after.package(package.name.as_str())?.channel(channel.name.value.as_str())?;
        let to = UpdateChain::of(package, channel).ok()?.next_update(&self.base.into(), Some(self.version))?.to;
        (!self.is_updated(package, after)?).then_some(Stranded { package, channel, to })
    }

    /// Whether OLM updates the base; `None` if it finds no order in the channel.
    fn is_updated(&self, package: &Package, channel: &Channel) -> Option<bool> {
        let base = BundleName::from(self.base);
        Some(UpdateChain::of(package, channel).ok()?.next_update(&base, Some(self.version)).is_some())
    }

    /// A skipRange with which the base is updated all the same, if the entry has none yet.
    fn range(&self, stranded: &Stranded<'_>) -> Option<String> {
        let Stranded { package, channel, to } = stranded;
        let mut channel = self.after.package(package.name.as_str())?.channel(channel.name.value.as_str())?.clone();
        let entry = channel.entries.iter_mut().find(|entry| entry.name.value == to.name.value)?;
        if entry.skip_range.is_some() {
            return None;
        }
        let text = match update_graph::version_in(to.name.value.as_str()).filter(|version| version > self.version) {
            Some(version) => format!(">={} <{version}", self.version),
            None => format!("={}", self.version),
        };
        let range = SkipRange { range: Range::parse(&text), text: text.as_str().into() };
        entry.skip_range = Some(Spanned::new(range, entry.span));
        self.is_updated(package, &channel)?.then_some(text)
    }
}
