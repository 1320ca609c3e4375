//! Documents as text: `alpha/declcfg/write.go`.

use crate::document::Document;
use crate::render::Bundle;
use fbc::{indented_json, plain_json};
use serde_json::Value;
use source::FileId;

impl Bundle {
    /// The `olm.bundle` document.
    #[must_use]
    pub fn document(&self) -> Document {
        let text = |text: &str| plain_json(&Value::from(text));
        let mut fields = vec![
            ("schema", text("olm.bundle")),
            ("name", text(&self.name)),
            ("package", text(&self.package)),
            ("image", text(&self.image)),
        ];
        let properties = self.properties.iter().map(|property| (text(&property.kind), property.json()));
        let properties: Vec<_> = properties.map(|(kind, value)| object(&[("type", kind), ("value", value)])).collect();
        let images = self.related_images.iter().map(|image| (text(&image.name), text(&image.image)));
        let images: Vec<_> = images.map(|(name, image)| object(&[("name", name), ("image", image)])).collect();
        for (name, items) in [("properties", properties), ("relatedImages", images)] {
            if !items.is_empty() {
                fields.push((name, format!("[{}]", items.join(","))));
            }
        }
        Document {
            schema: "olm.bundle".to_owned(),
            package: self.package.clone(),
            name: self.name.clone(),
            json: object(&fields),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Property, RelatedImage};

    fn bundle() -> Bundle {
        Bundle {
            name: "a.v1".to_owned(),
            package: "a".to_owned(),
            properties: vec![
                Property { kind: "x".to_owned(), value: "{\"b\": 1.50, \"a\":\"\\u003e\"}".to_owned() },
                Property { kind: "y".to_owned(), value: String::new() },
            ],
            related_images: vec![RelatedImage { name: String::new(), image: "i<".to_owned() }],
            ..Bundle::default()
        }
    }

    #[test]
    fn json_is_indented_and_keeps_values_as_they_were_read() {
        let expected = r#"{
    "schema": "olm.bundle",
    "name": "a.v1",
    "package": "a",
    "image": "",
    "properties": [
        {
            "type": "x",
            "value": {
                "b": 1.50,
                "a": "\u003e"
            }
        },
        {
            "type": "y",
            "value": null
        }
    ],
    "relatedImages": [
        {
            "name": "",
            "image": "i<"
        }
    ]
}
"#;
        assert_eq!(bundle().document().to_json(), expected);
    }

    #[test]
    fn yaml_has_sorted_keys() {
        let expected = "---\nimage: \"\"\nname: a.v1\npackage: a\nproperties:\n- type: x\n  value:\n    a: '>'\n    b: 1.5\n\
                        - type: \"y\"\n  value: null\nrelatedImages:\n- image: i<\n  name: \"\"\nschema: olm.bundle\n";
        assert_eq!(bundle().document().to_yaml().as_deref(), Ok(expected));
    }
}
