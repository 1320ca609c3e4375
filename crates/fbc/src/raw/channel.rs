//! `olm.channel`

use super::Text;
use super::bundle::{PROPERTIES, properties};
use crate::Node;
use crate::decode::{Decoder, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use GoType::{List, Struct};
use source::Span;

/// `olm.channel`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawChannel {
    pub name: Option<Text>,
    pub package: Option<Text>,
    pub entries: Vec<RawEntry>,
}

/// One of a channel's `entries`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEntry {
    pub span: Span,
    pub name: Option<Text>,
    pub replaces: Option<Text>,
    pub skips: Vec<Text>,
    /// `skipRange`
    pub skip_range: Option<Text>,
}

static CHANNEL: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "Channel",
        fields: &[
            ("schema", STRING),
            ("name", STRING),
            ("package", STRING),
            ("entries", List(&Struct(ENTRY.go))),
            ("properties", PROPERTIES),
        ],
    },
    path: "",
    title: "`olm.channel`",
};

static ENTRY: Shape = Shape {
    go: &GoStruct {
        package: "declcfg",
        name: "ChannelEntry",
        fields: &[("name", STRING), ("replaces", STRING), ("skips", List(&STRING)), ("skipRange", STRING)],
    },
    path: "entries.",
    title: "a channel entry",
};

pub(crate) fn decode(decoder: &mut Decoder<'_>, entries: &mut [(Text, Node)]) -> RawChannel {
    let mut fields = decoder.fields(entries, &CHANNEL);
    // OLM ignores them, but `opm` decodes them.
    properties(decoder, &mut fields);
    RawChannel {
        name: decoder.text(&mut fields, "name"),
        package: decoder.text(&mut fields, "package"),
        entries: decoder.list(&mut fields, "entries", &ENTRY, |decoder, span, entry| RawEntry {
            span,
            name: decoder.text(entry, "name"),
            replaces: decoder.text(entry, "replaces"),
            skips: decoder.texts(entry, "skips"),
            skip_range: decoder.text(entry, "skipRange"),
        }),
    }
}
