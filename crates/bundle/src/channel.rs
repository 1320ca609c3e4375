//! The documents of packages and channels that are made for bundles, as `opm` writes those of an index.

use crate::blob::{Document, object};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fbc::{decode_base64, plain_json};
use serde_json::Value as Json;
use source::Spanned;

/// How a bundle updates others, as its CSV says it. No part of the document that `opm render` prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// `spec.replaces`; empty when there is none.
    pub replaces: String,
    /// `spec.skips`
    pub skips: Vec<String>,
    /// The annotation `olm.skipRange`; empty when there is none.
    pub skip_range: String,
    /// The annotation `olm.substitutesFor` and its place, unless it is empty.
    pub substitutes_for: Option<Spanned<String>>,
    /// Why `opm` cannot read `replaces` or `skips`.
    pub fault: Option<String>,
}

/// An icon of a CSV.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Icon {
    /// `base64data`
    pub data: String,
    /// `mediatype`
    pub media_type: String,
}

/// An entry of a channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// `replaces`; left out when it is empty.
    pub replaces: String,
    /// `skips`; left out when there are none.
    pub skips: Vec<String>,
    /// `skipRange`; left out when it is empty.
    pub skip_range: String,
}

impl Document {
    /// An `olm.package`. An icon that is no base64 is left out.
    #[must_use]
    pub fn of_package(name: &str, default_channel: &str, icon: Option<&Icon>) -> Self {
        let mut fields =
            vec![("schema", text("olm.package")), ("name", text(name)), ("defaultChannel", text(default_channel))];
        let icon = icon.and_then(|icon| Some((decode_base64(&icon.data).ok()?, &icon.media_type)));
        if let Some((data, media_type)) = icon {
            let data = text(&STANDARD.encode(data));
            fields.push(("icon", object(&[("base64data", data), ("mediatype", text(media_type))])));
        }
        let json = object(&fields);
        Self { schema: "olm.package".to_owned(), package: name.to_owned(), name: name.to_owned(), json }
    }

    /// An `olm.channel`.
    #[must_use]
    pub fn of_channel(package: &str, name: &str, entries: &[Entry]) -> Self {
        let entries: Vec<String> = entries.iter().map(entry).collect();
        let json = object(&[
            ("schema", text("olm.channel")),
            ("name", text(name)),
            ("package", text(package)),
            ("entries", format!("[{}]", entries.join(","))),
        ]);
        Self { schema: "olm.channel".to_owned(), package: package.to_owned(), name: name.to_owned(), json }
    }
}

fn entry(entry: &Entry) -> String {
    let mut fields = vec![("name", text(&entry.name))];
    if !entry.replaces.is_empty() {
        fields.push(("replaces", text(&entry.replaces)));
    }
    if !entry.skips.is_empty() {
        let skips: Vec<String> = entry.skips.iter().map(|skip| text(skip)).collect();
        fields.push(("skips", format!("[{}]", skips.join(","))));
    }
    if !entry.skip_range.is_empty() {
        fields.push(("skipRange", text(&entry.skip_range)));
    }
    object(&fields)
}

fn text(text: &str) -> String {
    plain_json(&Json::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_without_a_value_are_left_out() {
        let entries = [
            Entry { name: "a.v1".to_owned(), ..Entry::default() },
            Entry {
                name: "a.v2".to_owned(),
                replaces: "a.v1".to_owned(),
                skips: vec!["a.v0".to_owned()],
                skip_range: "<2.0.0".to_owned(),
            },
        ];
        assert_eq!(
            Document::of_channel("a", "x", &entries).json,
            r#"{"schema":"olm.channel","name":"x","package":"a","entries":[{"name":"a.v1"},{"name":"a.v2","replaces":"a.v1","skips":["a.v0"],"skipRange":"<2.0.0"}]}"#
        );
        let icon = Icon { data: "Zg==".to_owned(), media_type: "m".to_owned() };
        assert_eq!(
            Document::of_package("a", "x", Some(&icon)).json,
            r#"{"schema":"olm.package","name":"a","defaultChannel":"x","icon":{"base64data":"Zg==","mediatype":"m"}}"#
        );
    }
}
