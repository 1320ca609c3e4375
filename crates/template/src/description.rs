//! The description and icon of a package, which `opm` takes from the ClusterServiceVersion of a bundle.

use crate::Icon;
use crate::images::{CatalogBundle, text_of};
use fbc::{Node, Value};
use source::FileId;

/// The description and icon that a bundle gives its package.
pub(crate) fn describe(bundle: CatalogBundle<'_>) -> (Box<str>, Option<Icon>) {
    let from_object =
        bundle.properties().iter().filter(|property| text_of(property.kind.as_ref()) == "olm.bundle.object");
    let manifests = from_object.filter_map(|property| manifest(property.value.as_ref()?, bundle.text));
    let described = manifests.into_iter().find_map(|manifest| csv(&manifest));
    described.or_else(|| Some((metadata(bundle)?, None))).unwrap_or_default()
}

/// The text of a manifest, which stands as base64 in `data`.
fn manifest(value: &Node, text: &str) -> Option<String> {
    let value = value.open(text).ok()?;
    let bytes = fbc::decode_base64(value.field("data")?.as_str()?).ok()?;
    String::from_utf8(bytes).ok()
}

/// The description and first icon, if the manifest is a ClusterServiceVersion.
fn csv(manifest: &str) -> Option<(Box<str>, Option<Icon>)> {
    let trees = fbc::untyped_values(FileId(0), manifest);
    let object = trees.nodes.first()?;
    if object.field("kind")?.as_str()? != "ClusterServiceVersion" {
        return None;
    }
    let spec = object.field("spec")?;
    let description = spec.field("description").and_then(Node::as_str).unwrap_or_default();
    Some((description.into(), spec.field("icon").and_then(first_icon)))
}

fn first_icon(icons: &Node) -> Option<Icon> {
    let Value::Sequence(icons) = &icons.value else { return None };
    let icon = icons.first()?;
    let base64: String = icon.field("base64data")?.as_str()?.split_ascii_whitespace().collect();
    fbc::decode_base64(&base64).ok()?;
    let media_type = icon.field("mediatype").and_then(Node::as_str).unwrap_or_default();
    Some(Icon { base64data: base64.into(), media_type: media_type.into() })
}

/// The description in `olm.csv.metadata`, which has no icon.
fn metadata(bundle: CatalogBundle<'_>) -> Option<Box<str>> {
    let mut metadata =
        bundle.properties().iter().filter(|property| text_of(property.kind.as_ref()) == "olm.csv.metadata");
    let value = metadata.next()?.value.as_ref()?.open(bundle.text).ok()?;
    Some(value.field("description")?.as_str()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Images;

    #[track_caller]
    fn check(properties: &str, description: &str, icon: Option<&str>) {
        let text = format!("schema: olm.bundle\nimage: i\nproperties:\n{properties}");
        let parse = fbc::parse(FileId(0), &text);
        let mut images = Images::default();
        images.add(&text, &parse);
        let (found, found_icon) = describe(images.get("i").unwrap());
        let found_icon = found_icon.map(|icon| format!("{} {}", icon.media_type, icon.base64data));
        assert_eq!((&*found, found_icon.as_deref()), (description, icon));
    }

    #[test]
    fn the_cluster_service_version_gives_the_description() {
        // {"kind":"Secret"} and kind: ClusterServiceVersion\nspec: {description: d, icon: [{base64data: Zg==, mediatype: m}]}
        let secret = "- type: olm.bundle.object\n  value: {data: eyJraW5kIjoiU2VjcmV0In0=}\n";
        let csv = "- type: olm.bundle.object\n  value:\n    data: a2luZDogQ2x1c3RlclNlcnZpY2VWZXJzaW9uCnNwZWM6IHtkZXNjcmlwdGlv\
                   bjogZCwgaWNvbjogW3tiYXNlNjRkYXRhOiBaZz09LCBtZWRpYXR5cGU6IG19XX0K\n";
        let metadata = "- type: olm.csv.metadata\n  value: {description: other}\n";
        check(&[metadata, secret, csv].concat(), "d", Some("m Zg=="));
        check(&[metadata, secret].concat(), "other", None);
        check(secret, "", None);
    }

    #[test]
    fn unreadable_properties_give_no_description() {
        check("- type: olm.bundle.object\n  value: {data: '!'}\n- type: olm.csv.metadata\n  value: 5\n", "", None);
        check("- type: olm.csv.metadata\n", "", None);
    }
}
