//! Expanded catalogs, as values and as text.

use crate::images::text_of;
use fbc::raw::{RawChannel, RawPackage, Text};
use fbc::{DocumentKey, put_in_render_order};
use serde_json::{Value, json};

/// An expanded catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpandedCatalog {
    pub packages: Vec<Package>,
    pub channels: Vec<Channel>,
    /// Every document in the order that `opm` writes them (`declcfg/write.go`): by package, and in each the package, its
    /// channels, bundles, others and deprecations.
    pub documents: Vec<Document>,
}

/// An `olm.package` document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    pub name: Box<str>,
    /// `defaultChannel`; empty when there is none.
    pub default_channel: Box<str>,
    /// `description`; empty when there is none.
    pub description: Box<str>,
    /// `icon`, where the template gives one.
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
    pub name: Box<str>,
    pub package: Box<str>,
    pub entries: Vec<Entry>,
}

/// An entry of a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub name: Box<str>,
    /// `replaces`; absent when empty.
    pub replaces: Option<Box<str>>,
    pub skips: Vec<Box<str>>,
    /// `skipRange`; absent when empty. `olm.semver` templates make none.
    pub skip_range: Option<Box<str>>,
}

/// One document of an expanded catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub schema: Box<str>,
    /// `package`; empty when it has none.
    pub package: Box<str>,
    pub name: Box<str>,
    /// The document as YAML, without a separator and with a line break at its end. A bundle has the text of the catalog that
    /// it was found in.
    pub text: String,
}

impl ExpandedCatalog {
    pub(crate) fn new(packages: Vec<Package>, channels: Vec<Channel>, mut documents: Vec<Document>) -> Self {
        put_in_render_order(&mut documents, |document| DocumentKey {
            schema: &document.schema,
            package: &document.package,
            name: &document.name,
        });
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
    pub(crate) fn of_package(package: &Package) -> Self {
        let (schema, name) = ("olm.package".into(), package.name.clone());
        Self { schema, package: name.clone(), name, text: fbc::to_yaml(&package.to_json()) }
    }

    pub(crate) fn of_channel(channel: &Channel) -> Self {
        Self {
            schema: "olm.channel".into(),
            package: channel.package.clone(),
            name: channel.name.clone(),
            text: fbc::to_yaml(&channel.to_json()),
        }
    }
}

impl Package {
    fn to_json(&self) -> Value {
        let mut document =
            json!({ "schema": "olm.package", "name": *self.name, "defaultChannel": *self.default_channel });
        if !self.description.is_empty() {
            document["description"] = json!(*self.description);
        }
        if let Some(Icon { base64data, media_type }) = &self.icon {
            document["icon"] = json!({ "base64data": **base64data, "mediatype": **media_type });
        }
        document
    }
}

impl Channel {
    fn to_json(&self) -> Value {
        json!({ "schema": "olm.channel", "name": *self.name, "package": *self.package, "entries": self.entries_json() })
    }

    pub(crate) fn entries_json(&self) -> Vec<Value> {
        self.entries.iter().map(Entry::to_json).collect()
    }
}

impl Entry {
    fn to_json(&self) -> Value {
        let mut entry = json!({ "name": *self.name });
        if let Some(replaces) = &self.replaces {
            entry["replaces"] = json!(**replaces);
        }
        if let Some(range) = &self.skip_range {
            entry["skipRange"] = json!(**range);
        }
        if !self.skips.is_empty() {
            entry["skips"] = self.skips.iter().map(|skip| json!(**skip)).collect();
        }
        entry
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
    fn packages_and_channels_are_written_with_sorted_keys() {
        let package = Package {
            name: "op".into(),
            default_channel: "".into(),
            description: "An operator.\nIt works.\n".into(),
            icon: Some(Icon { base64data: "Zg==".into(), media_type: "image/svg+xml".into() }),
        };
        let expected = "defaultChannel: \"\"\ndescription: |\n  An operator.\n  It works.\nicon:\n  base64data: Zg==\n  \
                        mediatype: image/svg+xml\nname: op\nschema: olm.package\n";
        assert_eq!(Document::of_package(&package).text, expected);
        let entry = Entry {
            name: "a.v2".into(),
            replaces: Some("a.v1".into()),
            skips: vec!["a.v0".into()],
            skip_range: Some("<2.0.0".into()),
        };
        let channel = Channel { name: "4.10".into(), package: "a".into(), entries: vec![entry] };
        let expected = "entries:\n- name: a.v2\n  replaces: a.v1\n  skipRange: <2.0.0\n  skips:\n  - a.v0\nname: \"4.10\"\n\
                        package: a\nschema: olm.channel\n";
        assert_eq!(Document::of_channel(&channel).text, expected);
    }

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
        let yaml = ExpandedCatalog::new(Vec::new(), Vec::new(), documents.into()).to_yaml();
        let expected = "olm.package a,olm.channel fast,olm.channel stable,x 1,y 2,y 1,olm.deprecations ,olm.bundle b.v1,\
                        olm.bundle b.v2,z z";
        assert_eq!(yaml.replace("---\n", ",").replace('\n', ""), format!(",{expected}"));
    }
}
