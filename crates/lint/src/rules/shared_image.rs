//! The rule `shared-image`.
//!
#![doc = include_str!("shared_image.md")]

use crate::operator::Operator;
use catalog::Bundle;
use source::{Diagnostic, Findings, Rule};
use std::collections::BTreeMap;

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    let mut first: BTreeMap<&str, &Bundle> = BTreeMap::new();
    for bundle in operator.package.bundles.iter().filter(|bundle| !bundle.name.value.as_str().is_empty()) {
        let Some(image) = bundle.image.as_ref().filter(|image| says_which(&image.value)) else { continue };
        let earlier = *first.entry(&image.value).or_insert(bundle);
        if let Some(same) = earlier.image.as_ref().filter(|same| same.span != image.span) {
            let message = format!("`{}` has the image of `{}`", bundle.name, earlier.name);
            found.push(
                Diagnostic::new(Rule::SharedImage, image.span, message)
                    .with_label(same.span, "the same image")
                    .with_help("an image holds one version: correct one of the two"),
            );
        }
    }
}

/// Whether a tag or digest stands behind the path.
fn says_which(image: &str) -> bool {
    image.rsplit('/').next().is_some_and(|name| name.contains([':', '@']))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[test]
    fn two_versions() {
        let text = package("- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n", &["1.0.0", "2.0.0"]);
        check(Rule::SharedImage, &text, &[]);
        let text = text.replace("p:v2.0.0", "p:v1.0.0");
        check(Rule::SharedImage, &text, &["23:8 `p.v2.0.0` has the image of `p.v1.0.0`"]);
    }
}
