//! Icons of packages, as `data:` URLs for `img` elements.

use crate::{CatalogInput, Workbench};
use catalog::Package;
use views::{IconRow, PackageKey};

/// What browsers draw, and cannot run scripts from within `img`.
const MEDIA_TYPES: [&str; 6] = ["image/svg+xml", "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp"];

impl Workbench {
    /// The icons of all packages, one at a time.
    pub fn icons(&self) -> impl Iterator<Item = IconRow> {
        self.catalogs().iter().flat_map(|catalog| {
            let packages = catalog.analysis.catalog.packages.iter();
            packages.filter_map(move |package| icon(catalog, package))
        })
    }
}

fn icon(catalog: &CatalogInput, package: &Package) -> Option<IconRow> {
    let icon = package.icon.as_ref()?;
    let media_type = MEDIA_TYPES.iter().find(|known| **known == &*icon.media_type)?;
    let base64 = catalog.text(icon.base64data);
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    // Block and folded scalars hold line breaks and indentation; quotes belong to the text, not to the value.
    let base64: String = base64.chars().filter(|&c| is_base64(c)).collect();
    let key = PackageKey { catalog: catalog.id, package: package.name.as_str().to_owned() };
    (!base64.is_empty()).then(|| IconRow { key, url: format!("data:{media_type};base64,{base64}") })
}
