//! The kinds of templates.

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

    pub(crate) fn of_schema(schema: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.schema() == schema)
    }
}
