//! Documents of catalogs as `opm render` writes them: the fields that it knows, in the order of its types
//! (`alpha/declcfg/declcfg.go`). All other schemas stay as they are.

use crate::kubernetes::items;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fbc::{DocumentKey, Node, OpenError, Value, decode_base64, indented_json, plain_json, put_in_render_order};
use serde_json::Value as Json;
use source::{FileId, Spanned};

/// The documents that `opm` prints, in its order.
#[must_use]
pub fn in_order(mut documents: Vec<Document>) -> Vec<Document> {
    put_in_render_order(&mut documents, |document| DocumentKey {
        schema: &document.schema,
        package: &document.package,
        name: &document.name,
    });
    documents
}

/// A document of a catalog that `opm` loads; `text` is the text of its file.
///
/// # Errors
/// When a value in it cannot be opened.
pub fn catalog_document(node: &Node, text: &str) -> Result<Document, OpenError> {
    let writer = Writer { text };
    let [schema, name, package] = ["schema", "name", "package"].map(|field| text_of(node, field).to_owned());
    let of = |field: &'static str| (field, writer.text(node, field));
    let json = match &*schema {
        "olm.package" => {
            let mut fields = vec![of("schema"), of("name"), of("defaultChannel")];
            if let Some(icon) = node.field("icon").filter(|icon| icon.value != Value::Null) {
                fields.push(("icon", icon_json(&writer, icon)));
            }
            fields.extend(writer.given(node, "description"));
            fields.extend(writer.properties(node)?);
            object(&fields)
        }
        "olm.channel" => {
            let entries = entries(node, |entry| writer.entry(entry));
            let mut fields = vec![of("schema"), of("name"), of("package"), ("entries", entries)];
            fields.extend(writer.properties(node)?);
            object(&fields)
        }
        "olm.bundle" => {
            let mut fields = vec![of("schema"), of("name"), of("package"), of("image")];
            fields.extend(writer.properties(node)?);
            let images = node.field("relatedImages").map(items).unwrap_or_default();
            let mut images: Vec<&Node> = images.iter().collect();
            images.sort_by(|one, other| text_of(one, "image").cmp(text_of(other, "image")));
            let image = |image: &Node| object(&["name", "image"].map(|field| (field, writer.text(image, field))));
            let images: Vec<String> = images.into_iter().map(image).collect();
            fields.extend((!images.is_empty()).then(|| ("relatedImages", list(&images))));
            object(&fields)
        }
        "olm.deprecations" => {
            let entries = entries(node, |entry| writer.deprecation(entry));
            object(&[of("schema"), of("package"), ("entries", entries)])
        }
        _ => plain_json(&node.to_json(text)?),
    };
    let package = if schema == "olm.package" { name.clone() } else { package };
    Ok(Document { schema, package, name, json })
}

fn text_of<'n>(node: &'n Node, name: &str) -> &'n str {
    node.field(name).and_then(Node::as_str).unwrap_or_default()
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

/// The field `entries`, which is written even where there is none.
fn entries(node: &Node, entry: impl Fn(&Node) -> String) -> String {
    match node.field("entries").filter(|entries| entries.value != Value::Null) {
        Some(entries) => list(&items(entries).iter().map(entry).collect::<Vec<_>>()),
        None => "null".to_owned(),
    }
}

/// `declcfg.Icon`: its bytes are written as base64 again.
fn icon_json(writer: &Writer<'_>, icon: &Node) -> String {
    let data = decode_base64(text_of(icon, "base64data")).unwrap_or_default();
    let data = plain_json(&Json::from(STANDARD.encode(data)));
    object(&[("base64data", data), ("mediatype", writer.text(icon, "mediatype"))])
}

struct Writer<'t> {
    text: &'t str,
}

impl Writer<'_> {
    /// A text field; an empty text when there is none.
    fn text(&self, node: &Node, name: &str) -> String {
        plain_json(&Json::from(text_of(node, name)))
    }

    /// A text field that is left out when it is empty.
    fn given(&self, node: &Node, name: &'static str) -> Option<(&'static str, String)> {
        (!text_of(node, name).is_empty()).then(|| (name, self.text(node, name)))
    }

    fn entry(&self, entry: &Node) -> String {
        let mut fields = vec![("name", self.text(entry, "name"))];
        fields.extend(self.given(entry, "replaces"));
        let skips = entry.field("skips").map(items).unwrap_or_default();
        let skips: Vec<String> =
            skips.iter().map(|skip| plain_json(&Json::from(skip.as_str().unwrap_or_default()))).collect();
        fields.extend((!skips.is_empty()).then(|| ("skips", list(&skips))));
        fields.extend(self.given(entry, "skipRange"));
        object(&fields)
    }

    fn deprecation(&self, entry: &Node) -> String {
        let reference = entry.field("reference").unwrap_or(entry);
        let mut fields = vec![("schema", self.text(reference, "schema"))];
        fields.extend(self.given(reference, "name"));
        object(&[("reference", object(&fields)), ("message", self.text(entry, "message"))])
    }

    /// The properties, those that hold manifests last.
    fn properties(&self, node: &Node) -> Result<Option<(&'static str, String)>, OpenError> {
        let listed = node.field("properties").map(items).unwrap_or_default();
        let is_object =
            |property: &&Node| matches!(text_of(property, "type"), "olm.bundle.object" | "olm.csv.metadata");
        let (objects, others): (Vec<&Node>, Vec<&Node>) = listed.iter().partition(is_object);
        let mut written = Vec::new();
        for property in others.into_iter().chain(objects) {
            let value = property.field("value").map(|value| value.to_json(self.text)).transpose()?;
            let value = plain_json(&value.unwrap_or_default());
            written.push(object(&[("type", self.text(property, "type")), ("value", value)]));
        }
        Ok((!written.is_empty()).then(|| ("properties", list(&written))))
    }
}

// Documents as text: `alpha/declcfg/write.go`.

/// A document that `opm render` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub schema: String,
    /// `package`; empty when it has none.
    pub package: String,
    /// `name`; empty when it has none.
    pub name: String,
    pub json: String,
}

/// A JSON object with its fields in this order.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

impl Document {
    /// The document as `opm render` prints it as JSON, with a line break at its end.
    #[must_use]
    pub fn to_json(&self) -> String {
        indented_json(&self.json) + "\n"
    }

    /// The document as `opm render -o yaml` prints it, with its separator.
    ///
    /// # Errors
    /// When it is nested too deeply, holds more than is kept in memory, or has a control character that JSON allows and YAML
    /// does not; `opm` fails there, too.
    pub fn to_yaml(&self) -> Result<String, String> {
        // `opm` takes the JSON for YAML, too.
        let document = fbc::yaml_document(FileId(0), &self.json).map_err(|finding| finding.message)?;
        let value = document.node.to_exact_json(&self.json).map_err(|error| error.message)?;
        Ok(format!("---\n{}", fbc::to_opm_yaml(&value)))
    }
}

// The documents of packages and channels that are made for bundles, as `opm` writes those of an index.

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
    use source::FileId;

    /// The documents of a text as JSON, a line for each.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let nodes = fbc::untyped_values(FileId(0), text).nodes;
        let documents = nodes.iter().map(|node| catalog_document(node, text).expect("it can be opened")).collect();
        let found: Vec<String> = in_order(documents).into_iter().map(|document| document.json).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn fields_are_in_the_order_of_the_types() {
        check(
            "name: a\nschema: olm.package\ndescription: '<'\nicon: {mediatype: m, base64data: Zg==}\nextra: 1\n",
            &[
                r#"{"schema":"olm.package","name":"a","defaultChannel":"","icon":{"base64data":"Zg==","mediatype":"m"},"description":"<"}"#,
            ],
        );
        check(
            "{entries: [{skips: [b], name: c, skipRange: ''}], package: a, name: x, schema: olm.channel}",
            &[r#"{"schema":"olm.channel","name":"x","package":"a","entries":[{"name":"c","skips":["b"]}]}"#],
        );
        check(
            "{schema: olm.deprecations, package: a, entries: [{message: m, reference: {schema: olm.package}}]}",
            &[
                r#"{"schema":"olm.deprecations","package":"a","entries":[{"reference":{"schema":"olm.package"},"message":"m"}]}"#,
            ],
        );
    }

    #[test]
    fn manifests_and_images_of_a_bundle_are_sorted() {
        check(
            "schema: olm.bundle\npackage: a\nname: b\nrelatedImages: [{image: z}, {name: m, image: i}]\nproperties:\n\
             - {type: olm.bundle.object, value: {data: e30=}}\n- {value: {z: 1, a: 2.50}, type: t}\n",
            &[
                r#"{"schema":"olm.bundle","name":"b","package":"a","image":"","properties":[{"type":"t","value":{"a":2.5,"z":1}},{"type":"olm.bundle.object","value":{"data":"e30="}}],"relatedImages":[{"name":"m","image":"i"},{"name":"","image":"z"}]}"#,
            ],
        );
    }

    #[test]
    fn documents_are_sorted_as_opm_sorts_them() {
        check(
            "{schema: z, b: 1}\n---\n{schema: olm.bundle, name: lost}\n---\n{schema: other, package: a}\n---\n\
             {schema: olm.deprecations, package: a}\n---\n{schema: olm.package, name: a}\n",
            &[
                r#"{"schema":"olm.package","name":"a","defaultChannel":""}"#,
                r#"{"package":"a","schema":"other"}"#,
                r#"{"schema":"olm.deprecations","package":"a","entries":null}"#,
                r#"{"b":1,"schema":"z"}"#,
            ],
        );
    }

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
