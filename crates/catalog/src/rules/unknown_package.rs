//! The rule `unknown-package`.
//!
#![doc = include_str!("unknown_package.md")]

use super::invalid_name;
use crate::predicate::Property;
use crate::{Catalog, Chain, OpmPhase, Package};
use fbc::raw::Text;
use go_semver::blang::Quoted;
use source::{Diagnostic, QuickFix, Rewrite, Rule, Span, nearest};

/// The limit on names that one quick fix corrects.
const MOST_CORRECTED: usize = 100;

/// The documents that name one package.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    channels: Documents,
    bundles: Documents,
    deprecations: Documents,
    /// The places of the name, and one more than a quick fix corrects.
    places: Vec<Span>,
}

/// Documents of one schema: how many, and the first.
#[derive(Debug, Default)]
struct Documents {
    count: usize,
    /// The place of the package name, and the document's own name.
    first: Option<(Span, Box<str>)>,
}

impl Mentions {
    pub(crate) fn channel(&mut self, package: &Text, name: Option<&Text>) {
        self.channels.add(package, name);
        self.place(package.span);
    }

    pub(crate) fn bundle(&mut self, package: &Text, name: Option<&Text>) {
        self.bundles.add(package, name);
        self.place(package.span);
    }

    pub(crate) fn deprecations(&mut self, package: &Text) {
        self.deprecations.add(package, None);
        self.place(package.span);
    }

    fn place(&mut self, span: Span) {
        if self.places.len() <= MOST_CORRECTED {
            self.places.push(span);
        }
    }
}

impl Documents {
    fn add(&mut self, package: &Text, name: Option<&Text>) {
        self.count += 1;
        self.first.get_or_insert_with(|| (package.span, name.map(|name| name.value.clone()).unwrap_or_default()));
    }
}

/// Reports a package that no document declares, once for all documents that name it.
pub(crate) fn check(catalog: &Catalog, package: &Package, mentions: &Mentions) -> Option<Diagnostic> {
    let (owner, name) = (package, Quoted(package.name.as_str()));
    // The order in which opm comes to the documents decides which of them its error names.
    let channel = mentions.channels.first.as_ref();
    let channel = channel
        .map(|(span, at)| (OpmPhase::Channels, *span, format!("unknown package {name} for channel {}", Quoted(at))));
    let bundle = || {
        let (span, at) = mentions.bundles.first.as_ref()?;
        Some((OpmPhase::Bundles, *span, format!("unknown package {name} for bundle {}", Quoted(at))))
    };
    let deprecations = || {
        let (span, _) = mentions.deprecations.first.as_ref()?;
        Some((OpmPhase::Deprecations, *span, format!("cannot apply deprecations to an unknown package {name}")))
    };
    let (phase, span, opm) = channel.or_else(bundle).or_else(deprecations)?;
    let plural = |count: usize, what| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (channels, bundles) = (plural(mentions.channels.count, "channel"), plural(mentions.bundles.count, "bundle"));
    let package = &owner.name;
    let message = format!("package `{package}` is not declared, but named by {channels} and {bundles}");
    let declared = catalog.packages.iter().filter(|other| other.declared.is_some());
    let near = nearest(package.as_str(), declared.map(|other| other.name.as_str()));
    let near = near.first().and_then(|near| catalog.package(near));
    let help = match near {
        Some(near) => format!("did you mean `{}`?", near.name),
        None => format!("add a document with `schema: olm.package` and `name: {package}`, or correct the name here"),
    };
    let mut finding = Diagnostic::new(Rule::UnknownPackage, span, message)
        .with_help(help)
        .with_missing([package.as_str()])
        .with_fix(near.and_then(|near| rename(owner, near, mentions)))
        .with_fix(declare(owner, span))
        .with_opm_at(phase, opm);
    if owner.channels.is_empty() {
        let unlisted = owner.bundles.iter().map(|bundle| (Rule::BundleInNoChannel, bundle.name.span));
        finding.entails = unlisted.take(MOST_CORRECTED).collect();
    }
    Some(finding)
}

/// Moves all documents to the package `near`, if it has none of them and their properties name it.
fn rename(package: &Package, near: &Package, mentions: &Mentions) -> Option<QuickFix> {
    let names_near = package
        .bundles
        .iter()
        .flat_map(|bundle| &bundle.properties)
        .all(|property| !matches!(&property.value, Property::Package { name, .. } if *name != near.name));
    let is_new = package.channels.iter().all(|channel| near.channel(channel.name.value.as_str()).is_none())
        && package.bundles.iter().all(|bundle| near.bundle(bundle.name.value.as_str()).is_none())
        && (package.deprecations.is_empty() || near.deprecations.is_empty());
    let &first = mentions.places.first().filter(|_| names_near && is_new && mentions.places.len() <= MOST_CORRECTED)?;
    let mut fix = QuickFix::rename(first, near.name.as_str());
    let all = mentions.places.iter().flat_map(|span| QuickFix::rename(*span, near.name.as_str()).changes);
    fix.changes = all.collect();
    Some(fix)
}

/// Adds the document that declares the package, if it has one channel, and that can be the default.
fn declare(package: &Package, first: Span) -> Option<QuickFix> {
    let [channel] = &package.channels[..] else { return None };
    let name = Text::new(package.name.as_str().into(), first);
    if Chain::of(channel).head().is_none() || invalid_name::check(&name).is_some() {
        return None;
    }
    let fields =
        [("schema", "olm.package"), ("name", package.name.as_str()), ("defaultChannel", channel.name.value.as_str())];
    let fields = fields.into_iter().map(|(field, value)| (field, value.to_owned())).collect();
    let change = Rewrite::AddDocument { before: first, fields };
    Some(QuickFix::new(format!("Declare package `{}`", package.name), change))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn findings() {
        let cases = r#"
            == one finding for all documents
            {schema: olm.channel, package: p, name: c, entries: [{name: a}]}
                                           ^ unknown-package: package `p` is not declared, but named by 1 channel and 1 bundle
                                           ^ opm: unknown package "p" for channel "c"
            ---
            {schema: olm.bundle, package: p, name: a, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]}
            == a package that is declared behind them
            {schema: olm.channel, package: p, name: c, entries: [{name: a}]}
            ---
            {schema: olm.bundle, package: p, name: a, image: i, properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]}
            ---
            {schema: olm.package, name: p, defaultChannel: c}
            == a channel without a name counts
            {schema: olm.channel, package: p, entries: []}
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-field: a channel of package `p` has no name
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: package "p" contains channel with no name
                                           ^ unknown-package: package `p` is not declared, but named by 1 channel and 0 bundles
                                           ^ opm: unknown package "p" for channel ""
            == only deprecations
            {schema: olm.deprecations, package: p, entries: []}
                                                ^ unknown-package: package `p` is not declared, but named by 0 channels and 0 bundles
                                                ^ opm: cannot apply deprecations to an unknown package "p"
        "#;
        check(cases);
    }
}
