//! The rule `unknown-package`.
//!
#![doc = include_str!("unknown_package.md")]

use crate::OpmPhase;
use blang_semver::Quoted;
use fbc::raw::Text;
use source::{Diagnostic, Rule, Span};

/// The documents that name one package.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    channels: Documents,
    bundles: Documents,
    deprecations: Documents,
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
    }

    pub(crate) fn bundle(&mut self, package: &Text, name: Option<&Text>) {
        self.bundles.add(package, name);
    }

    pub(crate) fn deprecations(&mut self, package: &Text) {
        self.deprecations.add(package, None);
    }
}

impl Documents {
    fn add(&mut self, package: &Text, name: Option<&Text>) {
        self.count += 1;
        self.first.get_or_insert_with(|| (package.span, name.map(|name| name.value.clone()).unwrap_or_default()));
    }
}

/// Reports a package that no document declares, once for all documents that name it.
pub(crate) fn check(package: &str, mentions: &Mentions) -> Option<Diagnostic> {
    let name = Quoted(package);
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
    let message = format!("package `{package}` is not declared, but named by {channels} and {bundles}");
    let help = format!("add a document with `schema: olm.package` and `name: {package}`, or correct the name here");
    Some(Diagnostic::new(Rule::UnknownPackage, span, message).with_help(help).with_opm_at(phase, opm))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm};

    const CHANNEL: &str = "schema: olm.channel\npackage: p\nname: c\nentries:\n- name: a\n---\nschema: olm.bundle\npackage: p\nname: a\nimage: i\nproperties:\n- type: olm.package\n  value: {packageName: p, version: 1.0.0}\n";

    #[test]
    fn one_finding_for_all_documents() {
        check(CHANNEL, &["2:10 unknown-package: package `p` is not declared, but named by 1 channel and 1 bundle"]);
        check_opm(CHANNEL, &["unknown package \"p\" for channel \"c\""]);
        check(&format!("{CHANNEL}---\nschema: olm.package\nname: p\ndefaultChannel: c\n"), &[]);
    }

    #[test]
    fn a_channel_without_a_name_counts() {
        let text = "schema: olm.channel\npackage: p\nentries: []\n";
        check_opm(text, &["package \"p\" contains channel with no name", "unknown package \"p\" for channel \"\""]);
    }

    #[test]
    fn only_deprecations() {
        let text = "schema: olm.deprecations\npackage: p\nentries: []\n";
        check_opm(text, &["cannot apply deprecations to an unknown package \"p\""]);
    }
}
