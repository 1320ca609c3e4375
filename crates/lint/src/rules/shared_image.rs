//! The rule `shared-image`.
//!
#![doc = include_str!("shared_image.md")]

use crate::index::IndexedPackage;
use catalog::{Bundle, image_identity};
use source::{Diagnostic, Findings, Rule};
use std::collections::BTreeMap;

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let mut first: BTreeMap<&str, &Bundle> = BTreeMap::new();
    for bundle in indexed.package.bundles.iter().filter(|bundle| !bundle.name.value.as_str().is_empty()) {
        // Without tag or digest, the same text does not mean the same image.
        let Some(image) = bundle.image.as_ref().filter(|image| has_tag_or_digest(&image.value)) else { continue };
        let earlier = *first.entry(image_identity(&image.value)).or_insert(bundle);
        if let Some(same) = earlier.image.as_ref().filter(|same| same.span != image.span) {
            let message = format!("`{}` has the same image as `{}`", bundle.name, earlier.name);
            findings.push(
                Diagnostic::new(Rule::SharedImage, image.span, message)
                    .with_label(same.span, "the same image")
                    .with_help("an image contains one version; correct one of the two"),
            );
        }
    }
}

fn has_tag_or_digest(image: &str) -> bool {
    image.rsplit('/').next().is_some_and(|name| name.contains([':', '@']))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two bundles with one image
            c: 1.0.0 (image quay.io/p:1) <- 2.0.0 (image quay.io/p:1)
                                                         ^^^^^^^^^^^ shared-image: `p.v2.0.0` has the same image as `p.v1.0.0`
            == two images
            c: 1.0.0 <- 2.0.0
        ";
        check(Rule::SharedImage, cases);
    }
}
