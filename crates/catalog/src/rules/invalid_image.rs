//! The rule `invalid-image`.
//!
#![doc = include_str!("invalid_image.md")]

use crate::{OpmPhase, pull_spec};
use fbc::raw::{RawBundle, Text};
use go_semver::blang::Quoted;
use source::{Diagnostic, OpmVersion, QuickFix, Rule};

pub(crate) fn check(raw: &RawBundle, bundle: &str, package: &str) -> impl Iterator<Item = Diagnostic> {
    let related = raw.related_images.iter().enumerate();
    let related = related.filter_map(|(index, related)| Some((Some(index), related.image.as_ref()?)));
    let images = raw.image.iter().map(|image| (None, image)).chain(related);
    images.filter(|(_, image)| !image.value.is_empty()).filter_map(move |(index, image)| {
        let error = pull_spec::error(&image.value)?;
        Some(finding(index, image, &error, &format!("package {} bundle {}", Quoted(package), Quoted(bundle))))
    })
}

fn finding(index: Option<usize>, image: &Text, error: &str, bundle: &str) -> Diagnostic {
    let field = index.map_or_else(|| "image".to_owned(), |index| format!("relatedImages[{index}].image"));
    let opm = format!("{bundle} {field}: invalid image pull spec {}: {error}", Quoted(&image.value));
    Diagnostic::new(Rule::InvalidImage, image.span, format!("`{image}` is not a valid image pull spec: {error}"))
        .with_help(help(&image.value))
        .with_fix(without_scheme(&image.value).map(|rest| QuickFix::rename(image.span, rest)))
        .with_opm_at(OpmPhase::BundleImages, opm)
        .since(OpmVersion::PULL_SPECS)
}

fn help(image: &str) -> String {
    match (without_scheme(image), pull_spec::digest_fault(image)) {
        (Some(rest), _) => format!("remove the scheme: `{rest}`"),
        (None, Some(fault)) => fault,
        (None, None) => "write `registry/repository:tag` or `registry/repository@sha256:<digest>`".to_owned(),
    }
}

/// The image without a scheme such as `docker://`, if it is valid then.
fn without_scheme(image: &str) -> Option<&str> {
    image.split_once("://").map(|(_, rest)| rest).filter(|rest| pull_spec::error(rest).is_none())
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in};

    #[test]
    fn the_help_says_what_is_wrong_with_a_digest() {
        let help = |image: &str| findings_in(&fixture::yaml(&format!("c: 1.0.0 (image {image})")))[0].help.clone();
        let digest = format!("quay.io/p@sha256:g{}", "0".repeat(63));
        assert_eq!(help(&digest).as_deref(), Some("the digest has `g`, which is no hexadecimal digit"));
        let expected = "write `registry/repository:tag` or `registry/repository@sha256:<digest>`";
        assert_eq!(help("quay.io/P:1").as_deref(), Some(expected));
    }

    #[test]
    fn findings() {
        let cases = r#"
            == a scheme in front
            c: 1.0.0 (image docker://quay.io/p/p:v1.0.0)
                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-image: `docker://quay.io/p/p:v1.0.0` is not a valid image pull spec: invalid reference format
                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ opm: package "p" bundle "p.v1.0.0" image: invalid image pull spec "docker://quay.io/p/p:v1.0.0": invalid reference format
            == related images are checked unless empty
            c: 1.0.0 (no bundle)
            ---
            {schema: olm.bundle, package: p, name: p.v1.0.0, image: i,
              properties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}],
              relatedImages: [{name: a, image: ''}, {name: b, image: Quay}, {name: c, image: quay.io/c:1}]}
                                                                     ^^^^ invalid-image: `Quay` is not a valid image pull spec: invalid reference format: repository name must be lowercase
                                                                     ^^^^ opm: package "p" bundle "p.v1.0.0" relatedImages[1].image: invalid image pull spec "Quay": invalid reference format: repository name must be lowercase
        "#;
        check(cases);
    }
}
