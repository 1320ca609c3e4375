//! Documents of catalogs as `opm render` writes them: the fields that it knows, in the order of its types
//! (`alpha/declcfg/declcfg.go`). All other schemas stay as they are.

use crate::blob::{Document, object};
use crate::node::items;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fbc::{DocumentKey, Node, OpenError, Value, decode_base64, plain_json, put_in_render_order};
use serde_json::Value as Json;

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
}
