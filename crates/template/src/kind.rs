//! The kinds of templates.

use fbc::{GoStruct, GoType};

/// A kind of template that can be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateKind {
    /// `olm.semver`: channels made from versions.
    Semver,
    /// `olm.template.basic`: a catalog whose bundles are named by image.
    Basic,
    /// `olm.template.substitutes`: a catalog in which bundles take the places of others.
    Substitutes,
}

impl TemplateKind {
    /// All kinds, by the names of their types.
    pub const ALL: [Self; 3] = [Self::Basic, Self::Semver, Self::Substitutes];

    /// The `schema` of such templates.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Semver => "olm.semver",
            Self::Basic => "olm.template.basic",
            Self::Substitutes => "olm.template.substitutes",
        }
    }

    /// The type by which the arguments of `opm alpha render-template` name the kind: the last part of the schema.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Semver => "semver",
            Self::Basic => "basic",
            Self::Substitutes => "substitutes",
        }
    }

    /// The Go type that such a template is decoded into.
    #[must_use]
    pub const fn go_type(self) -> &'static GoType {
        match self {
            Self::Semver => &SEMVER,
            Self::Basic => &BASIC,
            Self::Substitutes => &SUBSTITUTES,
        }
    }

    pub(crate) fn of_schema(schema: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.schema() == schema)
    }
}

const TEXT: GoType = GoType::Text("string");

static BASIC: GoType = GoType::Struct(&GoStruct {
    package: "basic",
    name: "BasicTemplateData",
    fields: &[("schema", TEXT), ("entries", GoType::List(&GoType::Any))],
});

static SUBSTITUTES: GoType = GoType::Struct(&GoStruct {
    package: "substitutes",
    name: "SubstitutesTemplateData",
    fields: &[
        ("schema", TEXT),
        ("entries", GoType::List(&GoType::Any)),
        ("substitutions", GoType::List(&SUBSTITUTION)),
    ],
});

/// An item of `substitutions`.
pub(crate) static SUBSTITUTION: GoType =
    GoType::Struct(&GoStruct { package: "substitutes", name: "Substitute", fields: &[("name", TEXT), ("base", TEXT)] });

static SEMVER: GoType = GoType::Struct(&GoStruct {
    package: "semver",
    name: "SemverTemplateData",
    fields: &[
        ("schema", TEXT),
        ("generateMajorChannels", GoType::Bool),
        ("generateMinorChannels", GoType::Bool),
        ("defaultChannelTypePreference", GoType::Text("semver.StreamType")),
        ("candidate", CHANNEL_BUNDLES),
        ("fast", CHANNEL_BUNDLES),
        ("stable", CHANNEL_BUNDLES),
    ],
});

const CHANNEL_BUNDLES: GoType = GoType::Struct(&GoStruct {
    package: "semver",
    name: "channelBundles",
    fields: &[("bundles", GoType::List(&BUNDLE_ENTRY))],
});

static BUNDLE_ENTRY: GoType =
    GoType::Struct(&GoStruct { package: "semver", name: "bundleEntry", fields: &[("image", TEXT)] });
