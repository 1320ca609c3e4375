//! What a template stands for: the catalog as a value and as text.

use crate::images::text_of;
use crate::write;
use fbc::raw::{RawChannel, RawPackage, Text};

/// An expanded catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expanded {
    /// Its packages, as in the text.
    pub packages: Vec<Package>,
    /// Its channels, as in the text.
    pub channels: Vec<Channel>,
    /// Every document in the order that `opm` writes them (`declcfg/write.go`): by package, and in each the package, its
    /// channels, bundles, others and deprecations.
    pub documents: Vec<Document>,
}

/// An `olm.package` document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// `name`
    pub name: Box<str>,
    /// `defaultChannel`; empty when there is none.
    pub default_channel: Box<str>,
    /// `description`; empty when there is none.
    pub description: Box<str>,
    /// `icon`, where the template makes one.
    pub icon: Option<Icon>,
}

/// The icon of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    /// Base64 text.
    pub base64data: Box<str>,
    /// `mediatype`
    pub media_type: Box<str>,
}

/// An `olm.channel` document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// `name`
    pub name: Box<str>,
    /// `package`
    pub package: Box<str>,
    /// `entries`
    pub entries: Vec<Entry>,
}

/// One of a channel's `entries`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// `name`
    pub name: Box<str>,
    /// `replaces`; absent when empty.
    pub replaces: Option<Box<str>>,
    /// `skips`
    pub skips: Vec<Box<str>>,
    /// `skipRange`; absent when empty. Templates make none.
    pub skip_range: Option<Box<str>>,
}

/// One document of an expanded catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// `schema`
    pub schema: Box<str>,
    /// The package that it belongs to; empty when it belongs to none.
    pub package: Box<str>,
    /// `name`
    pub name: Box<str>,
    /// The document as YAML, without a separator and with a line break at its end. A bundle's is the text of the catalog
    /// it was found in.
    pub text: String,
}

/// The schemas of which `opm` drops documents without a package, in the order that it writes them.
const KNOWN: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

impl Expanded {
    pub(crate) fn new(packages: Vec<Package>, channels: Vec<Channel>, mut documents: Vec<Document>) -> Self {
        documents.retain(|document| !document.package.is_empty() || !KNOWN.contains(&&*document.schema));
        documents.sort_by(|one, other| one.order().cmp(&other.order()));
        Self { packages, channels, documents }
    }

    /// The whole catalog as YAML; `fbc::parse` reads it back.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let length = self.documents.iter().map(|document| document.text.len() + 4).sum();
        let mut out = String::with_capacity(length);
        for document in &self.documents {
            out.push_str("---\n");
            out.push_str(&document.text);
        }
        out
    }
}

impl Document {
    /// A document that a template made.
    pub(crate) fn of_package(package: &Package) -> Self {
        let (schema, name) = ("olm.package".into(), package.name.clone());
        Self { schema, package: name.clone(), name, text: write::package(package) }
    }

    /// A document that a template made.
    pub(crate) fn of_channel(channel: &Channel) -> Self {
        Self {
            schema: "olm.channel".into(),
            package: channel.package.clone(),
            name: channel.name.clone(),
            text: write::channel(channel),
        }
    }

    fn order(&self) -> (bool, &str, usize, &str, &str) {
        let rank = match &*self.schema {
            "olm.package" => 0,
            "olm.channel" => 1,
            "olm.bundle" => 2,
            "olm.deprecations" => 4,
            _ => 3,
        };
        let (schema, name) = if rank == 3 { (&*self.schema, "") } else { ("", &*self.name) };
        (self.package.is_empty(), &self.package, rank, schema, name)
    }
}

impl From<&RawPackage> for Package {
    fn from(raw: &RawPackage) -> Self {
        Self {
            name: text_of(raw.name.as_ref()).into(),
            default_channel: text_of(raw.default_channel.as_ref()).into(),
            description: text_of(raw.description.as_ref()).into(),
            icon: None,
        }
    }
}

impl From<&RawChannel> for Channel {
    fn from(raw: &RawChannel) -> Self {
        let given = |text: Option<&Text>| Some(text_of(text)).filter(|text| !text.is_empty()).map(Box::from);
        let entries = raw.entries.iter().map(|entry| Entry {
            name: text_of(entry.name.as_ref()).into(),
            replaces: given(entry.replaces.as_ref()),
            skips: entry.skips.iter().map(|skip| skip.value.clone()).collect(),
            skip_range: given(entry.skip_range.as_ref()),
        });
        Self {
            name: text_of(raw.name.as_ref()).into(),
            package: text_of(raw.package.as_ref()).into(),
            entries: entries.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_written_in_opms_order() {
        let written = [
            ("z", "", "z"),
            ("olm.bundle", "b", "b.v2"),
            ("olm.deprecations", "a", ""),
            ("olm.channel", "a", "stable"),
            ("y", "a", "2"),
            ("x", "a", "1"),
            ("y", "a", "1"),
            ("olm.bundle", "", "dropped"),
            ("olm.bundle", "b", "b.v1"),
            ("olm.package", "a", "a"),
            ("olm.channel", "a", "fast"),
        ];
        let documents = written.map(|(schema, package, name)| Document {
            schema: schema.into(),
            package: package.into(),
            name: name.into(),
            text: format!("{schema} {name}\n"),
        });
        let yaml = Expanded::new(Vec::new(), Vec::new(), documents.into()).to_yaml();
        let expected = "olm.package a,olm.channel fast,olm.channel stable,x 1,y 2,y 1,olm.deprecations ,olm.bundle b.v1,\
                        olm.bundle b.v2,z z";
        assert_eq!(yaml.replace("---\n", ",").replace('\n', ""), format!(",{expected}"));
    }
}
