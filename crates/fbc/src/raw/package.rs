//! `olm.package`

use super::Text;
use super::bundle::{PROPERTIES, properties};
use crate::Node;
use crate::decode::{Decoder, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use GoType::{Bytes, Struct};
use source::Span;

/// `olm.package`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPackage {
    pub name: Option<Text>,
    /// `defaultChannel`
    pub default_channel: Option<Text>,
    pub icon: Option<RawIcon>,
    pub description: Option<Text>,
}

/// `icon` of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawIcon {
    /// `base64data`: the place of the base64 text.
    pub base64data: Option<Span>,
    pub mediatype: Option<Text>,
}

static PACKAGE: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Package",
        fields: &[
            ("schema", STRING),
            ("name", STRING),
            ("package", STRING),
            ("defaultChannel", STRING),
            ("icon", Struct(ICON.go)),
            ("description", STRING),
            ("properties", PROPERTIES),
        ],
    },
    path: "",
    title: "`olm.package`",
};

static ICON: Shape = Shape {
    go: &GoStruct { package: "declcfg", name: "Icon", fields: &[("base64data", Bytes), ("mediatype", STRING)] },
    path: "icon.",
    title: "`icon`",
};

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawPackage {
    let mut fields = decoder.fields(entries, &PACKAGE);
    // OLM ignores them, but `opm` decodes them.
    properties(decoder, &mut fields);
    RawPackage {
        name: decoder.text(&mut fields, "name"),
        default_channel: decoder.text(&mut fields, "defaultChannel"),
        icon: decoder.object(&mut fields, "icon", &ICON).map(|mut icon| RawIcon {
            base64data: decoder.bytes(&mut icon, "base64data"),
            mediatype: decoder.text(&mut icon, "mediatype"),
        }),
        description: decoder.text(&mut fields, "description"),
    }
}
