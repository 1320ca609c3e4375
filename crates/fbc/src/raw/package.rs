//! `olm.package`

use super::Text;
use super::bundle::properties;
use crate::Node;
use crate::decode::{Decoder, Shape};
use source::Span;

/// `olm.package`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPackage {
    /// `name`
    pub name: Option<Text>,
    /// `defaultChannel`
    pub default_channel: Option<Text>,
    /// `icon`
    pub icon: Option<RawIcon>,
    /// `description`
    pub description: Option<Text>,
}

/// `icon` of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawIcon {
    /// `base64data`: the place of the base64 text.
    pub base64data: Option<Span>,
    /// `mediatype`
    pub mediatype: Option<Text>,
}

const PACKAGE: Shape = Shape {
    go: "Package",
    path: "",
    title: "`olm.package`",
    fields: &["schema", "name", "package", "defaultChannel", "icon", "description", "properties"],
};

const ICON: Shape = Shape { go: "Icon", path: "icon.", title: "`icon`", fields: &["base64data", "mediatype"] };

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawPackage {
    let mut fields = decoder.fields(entries, PACKAGE);
    // OLM ignores them, but `opm` decodes them.
    properties(decoder, &mut fields);
    RawPackage {
        name: decoder.text(&mut fields, "name"),
        default_channel: decoder.text(&mut fields, "defaultChannel"),
        icon: decoder.object(&mut fields, "icon", ("declcfg.Icon", ICON)).map(|mut icon| RawIcon {
            base64data: decoder.bytes(&mut icon, "base64data"),
            mediatype: decoder.text(&mut icon, "mediatype"),
        }),
        description: decoder.text(&mut fields, "description"),
    }
}
